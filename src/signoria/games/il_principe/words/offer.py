"""Il Principe as it is offered to people who may want to play it: what it is about, and what a table can agree on."""

from signoria.kernel.game import Note, OptionLabel

INTRO = (
    "Families of the Renaissance bid for buildings, found cities with them, set their crests on the regions of Italy, "
    "and compete for roles. Every round brings auctions; cities, regions and roles bring the points."
)
PLAYERS_NOTE = Note(
    "Two players draw 5 cards, take 6 ducats and offer 3 cards every round. All minor roles and a third of the cards "
    "stay in the box, and the end has rules of its own.",
    "I4",
)
OPTION_LABELS = (
    OptionLabel(
        name="variant",
        title="Money variant",
        says="Begin with 10 ducats, take 6 every round, and found cities from the first round on.",
        clause="I5",
        help="play the money variant.",
    ),
)
