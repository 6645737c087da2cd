"""How the lobby presents Patrician: an introduction and the options of a table."""

from signoria.games.patrician.rulebook.components import FIGURES
from signoria.kernel.clauses import Note
from signoria.kernel.options import OptionLabel
from signoria.kernel.words import spelled

INTRO = (
    "You are a master builder in Renaissance Italy. Play a card, build floors in the city it shows, and take the card "
    "that lies there. Win towers by having the most floors in them, and collect sets of "
    f"{spelled(FIGURES.game.portrait_set)} equal portraits for {FIGURES.game.portrait_points} extra points each."
)
PLAYERS_NOTE = Note("With two, three or four players, Pistoia is not used.", "P1")
OPTION_LABELS = (
    OptionLabel(
        name="messengers",
        title="Messengers",
        says="Messengers on the roads add points to the tokens of cities.",
        clause="M1",
        help="play with the messengers.",
    ),
    OptionLabel(
        name="ambassadors",
        title="Ambassadors",
        says="Ambassadors give extra portraits at the end.",
        clause="A1",
        help="play with the ambassadors.",
    ),
    OptionLabel(
        name="tokens",
        title="Tokens",
        says="Whether everyone can see the prestige tokens that players have won.",
        clause="P24",
        choices=(("open", "face up"), ("hidden", "face down")),
        help="whether tokens that players have won lie face up or face down.",
    ),
)
