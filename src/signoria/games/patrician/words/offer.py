"""How the lobby presents Patrician: an introduction and the options of a table."""

from signoria.games.patrician.rulebook.components import FIGURES
from signoria.kernel.clauses import Note
from signoria.kernel.language import to_say
from signoria.kernel.options import OptionLabel

INTRO = to_say(
    "You are a master builder in Renaissance Italy. Play a card, build floors in the city it shows, and take the card "
    "that lies there. Win towers by having the most floors in them, and collect sets of three equal portraits for 6 extra "
    "points each."
)
assert (FIGURES.game.portrait_set, FIGURES.game.portrait_points) == (3, 6), "INTRO names these figures"
PLAYERS_NOTE = Note(to_say("With two, three or four players, Pistoia is not used."), "P1")
OPTION_LABELS = (
    OptionLabel(
        name="messengers",
        title=to_say("Messengers"),
        says=to_say("Messengers on the roads add points to the tokens of cities."),
        clause="M1",
        help=to_say("play with the messengers."),
    ),
    OptionLabel(
        name="ambassadors",
        title=to_say("Ambassadors"),
        says=to_say("Ambassadors give extra portraits at the end."),
        clause="A1",
        help=to_say("play with the ambassadors."),
    ),
    OptionLabel(
        name="tokens",
        title=to_say("Tokens"),
        says=to_say("Whether everyone can see the prestige tokens that players have won."),
        clause="P24",
        choices=(("open", to_say("face up")), ("hidden", to_say("face down"))),
        help=to_say("whether tokens that players have won lie face up or face down."),
    ),
)
