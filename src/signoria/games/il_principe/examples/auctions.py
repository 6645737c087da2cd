"""I12 to I15: phase 2."""

from signoria.games.il_principe.examples.position import setup
from signoria.games.il_principe.rulebook.steps import Bid, Offer, Pass
from signoria.kernel.examples import Example
from signoria.kernel.language import to_say

AUCTIONS = (
    Example(
        "I12",
        to_say("{p2} lays the last card. All cards are turned up and sorted by colour, and the smallest lot is auctioned first."),
        setup(at="offer", hands={0: {"green": 1, "red": 1}, 1: {"red": 1, "blue": 1}, 2: {"red": 1, "blue": 1}}, ducats=(5, 5, 5)),
        before=(Offer("green"), Offer("red"), Offer("red"), Offer("blue"), Offer("red")),
        draws=("lots",),
        legal=(Offer("blue"),),
        after=True,
    ),
    Example(
        "I13",
        to_say("{p0} has bid {bid}. {p1} has {ducats} ducats and must bid more than that or pass."),
        setup(at="auction", lots={"green": 2}, ducats=(6, 4, 3)),
        before=(Bid(2),),
        draws=("auction", "player 1 ducats"),
        legal=(Bid(3), Pass()),
        refused=(Bid(2), Bid(5)),
        facts=lambda view: {"bid": view.auction.bid if view.auction else 0, "ducats": view.players[1].ducats},
    ),
    Example(
        "I14",
        to_say("{p0} has bid {bid}, and {p1} has passed. If {p2} passes too, {p0} wins the lot."),
        setup(at="auction", lots={"green": 2}, ducats=(6, 4, 3)),
        before=(Bid(2), Pass()),
        draws=("auction", "player 0 ducats hand"),
        legal=(Pass(),),
        after=True,
        facts=lambda view: {"bid": view.auction.bid if view.auction else 0},
    ),
    Example(
        "I15",
        to_say("{p0} and {p1} have passed without a bid. If {p2} passes too, nobody gets the cards."),
        setup(at="auction", lots={"yellow": 3}, ducats=(6, 4, 3)),
        before=(Pass(), Pass()),
        draws=("auction",),
        legal=(Pass(),),
    ),
)  # fmt: skip
