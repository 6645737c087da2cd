"""How the lobby presents Il Principe: an introduction and the options of a table."""

from signoria.kernel.game import Note, OptionLabel

INTRO = (
    "You lead a family in Renaissance Italy. Bid for building cards in auctions, use them to found cities, place your "
    "crests on the regions and compete for roles. Cities, regions and roles score points."
)
PLAYERS_NOTE = Note(
    "With two players, each draws 5 cards, takes 6 ducats and offers 3 cards every round. All minor roles and a third of "
    "the cards are not used, and the game ends differently.",
    "I4",
)
OPTION_LABELS = (
    OptionLabel(
        name="variant",
        title="Money variant",
        says="Start with 10 ducats, take 6 each round, and found cities from the first round on.",
        clause="I5",
        help="play the money variant.",
    ),
)
