"""I30 to I44: the end and the final scoring."""

from signoria.games.il_principe.examples.position import setup
from signoria.games.il_principe.rulebook.steps import Offer, Pass
from signoria.kernel.examples import Example
from signoria.kernel.language import to_say

SHORT_PILE = ["green", "white", "red", "blue", "yellow"] * 2
EVERY = dict.fromkeys(("green", "white", "red", "blue", "yellow"), 1)
"""A building of every colour."""

ENDING = (
    Example(
        "I30",
        to_say("Only {cities} city cards lie face up. When {p2} has laid the last card, the game is over."),
        setup(at="offer", hands={0: {"green": 2}, 1: {"red": 2}, 2: {"blue": 2}}, display=("siena", "orvieto", "pisa")),
        before=(Offer("green"), Offer("green"), Offer("red"), Offer("red"), Offer("blue")),
        draws=("display",),
        legal=(Offer("blue"),),
        facts=lambda view: {"cities": len(view.cities)},
    ),
    Example(
        "I31",
        to_say("Three players, and the pile has {pile} cards. The round that begins when {p2} passes is the last one."),
        setup(acted=2, pile=SHORT_PILE, ducats=(2, 4, 1)),
        draws=("piles",),
        legal=(Pass(),),
        facts=lambda view: {"pile": view.pile},
    ),
    Example(
        "I32",
        to_say("Two players, and the pile has {pile} cards. All of them are auctioned in the last round."),
        setup(2, acted=1, pile=SHORT_PILE[:8], ducats=(2, 4)),
        draws=("piles",),
        legal=(Pass(),),
        facts=lambda view: {"pile": view.pile},
    ),
    Example(
        "I40",
        to_say("In Toscana {p0} has the most crests, and {p1} and {p2} are tied for second. In Emilia {p0} and {p1} are tied for the most, so {p2} scores nothing there."),
        setup(at="over", crests={0: {"red": 3, "green": 2}, 1: {"red": 1, "green": 2}, 2: {"red": 1, "green": 1}}),
        draws=("region red", "region green"),
        scores=True,
    ),
    Example(
        "I41",
        to_say("At the end {p0} holds a major and a minor role, {p1} a minor one."),
        setup(at="over", roles={"major green": 0, "minor white": 0, "minor red": 1}),
        draws=("player 0 roles", "player 1 roles"),
        scores=True,
    ),
    Example(
        "I42",
        to_say("{p0} has a building of every colour in front of them. Face-down buildings count too."),
        setup(at="over", up={0: EVERY | {"blue": 0}, 1: {"green": 4}}, down={0: {"blue": 2}}),
        draws=("player 0 up down", "player 1 up down"),
        scores=True,
    ),
    Example(
        "I43",
        to_say("{p0} has the most ducats. {p1} and {p2} are tied for the most cards in hand."),
        setup(at="over", ducats=(7, 3, 1), hands={0: {"red": 1}, 1: {"red": 2}, 2: {"blue": 2}}),
        draws=("player 0 ducats hand", "player 1 ducats hand", "player 2 ducats hand"),
        scores=True,
    ),
    Example(
        "I44",
        to_say("{p0} and {p1} have the same number of points. {p1} has more buildings."),
        setup(at="over", points=(20, 20, 3), up={0: {"red": 1}, 1: {"red": 2}}, ducats=(1, 1, 1)),
        draws=("player 0 up points", "player 1 up points"),
        outcome=True,
    ),
)  # fmt: skip
