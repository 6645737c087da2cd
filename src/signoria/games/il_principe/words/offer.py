"""How the lobby presents Il Principe: an introduction and the options of a table."""

from signoria.games.il_principe.rulebook.components import FIGURES
from signoria.kernel.clauses import Note
from signoria.kernel.options import OptionLabel

INTRO = (
    "You lead a family in Renaissance Italy. Bid for building cards in auctions, use them to found cities, place your "
    "crests on the regions and compete for roles. Cities, regions and roles score points."
)
PLAYERS_NOTE = Note(
    f"With two players, each draws {FIGURES.game.draws[0]} cards, takes {FIGURES.game.income[0]} ducats and offers "
    f"{FIGURES.game.offers[0]} cards every round. All minor roles and a third of the cards are not used, and the game "
    "ends differently.",
    "I4",
)
OPTION_LABELS = (
    OptionLabel(
        name="variant",
        title="Money variant",
        says=f"Start with {FIGURES.game.start_ducats_variant} ducats, take {FIGURES.game.income_variant} each round, and "
        "found cities from the first round on.",
        clause="I5",
        help="play the money variant.",
    ),
)
