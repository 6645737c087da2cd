"""I1 to I11: the setup, and phase 1."""

from signoria.games.il_principe.examples.position import setup, start
from signoria.games.il_principe.rulebook.steps import Offer, Pass
from signoria.games.il_principe.words.names import seat_name
from signoria.kernel.examples import Example
from signoria.kernel.language import to_say

PILE = ["green", "white", "red", "blue", "yellow"] * 8
"""Building cards to draw."""

STARTING = (
    Example(
        "I1",
        to_say("Before the first round: {p0} has {ducats} ducats, {crests} crests and {points} points."),
        setup(at="offer", ducats=(5, 5, 5), round_number=1),
        draws=("player 0 ducats crests points",),
        facts=lambda view: {"ducats": view.players[0].ducats, "crests": view.players[0].crests_left, "points": view.players[0].points},
    ),
    Example(
        "I2",
        to_say("{cities} city cards lie face up. Each shows the building cards and ducats that it costs, in the order of colours."),
        start(seed=3),
        draws=("display",),
        facts=lambda view: {"cities": len(view.cities)},
    ),
    Example(
        "I3",
        to_say("{principe} was drawn at random and is Il Principe. The others sit clockwise."),
        start(seed=3),
        draws=("player 0", "player 1", "player 2"),
        facts=lambda view: {"principe": seat_name(view.principe)},
    ),
    Example(
        "I4",
        to_say("Two players: {cities} city cards are in the game, and only the major roles."),
        start(2, seed=5),
        draws=("display",),
        facts=lambda view: {"cities": len(view.cities) + view.city_pile},
    ),
    Example(
        "I5",
        to_say("With the money variant {p0} has {ducats} ducats after the first income."),
        start(seed=3, variant=True),
        draws=("player 0 ducats hand",),
        facts=lambda view: {"ducats": view.players[0].ducats},
    ),
    Example(
        "I10",
        to_say("{p2} is the last to act in this round. When {p2} passes, the next round begins with the income."),
        setup(acted=2, pile=PILE, hands={0: {"red": 1}}, ducats=(2, 4, 1)),
        draws=("player 0 ducats hand",),
        legal=(Pass(),),
        after=True,
    ),
    Example(
        "I11",
        to_say("{p0} has to lay {cards} cards face down and can only choose from their own hand."),
        setup(at="offer", hands={0: {"green": 2, "red": 1}, 1: {"blue": 3}, 2: {"white": 3}}, ducats=(5, 5, 5)),
        draws=("player 0 hand",),
        legal=(Offer("green"),),
        refused=(Offer("blue"),),
        facts=lambda view: {"cards": view.offers},
    ),
)  # fmt: skip
