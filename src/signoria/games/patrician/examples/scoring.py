"""P20 to P24: points and the winner."""

from signoria.games.patrician.examples.facts import in_tower, player, tokens
from signoria.games.patrician.examples.position import setup
from signoria.games.patrician.rulebook.steps import Build, Play
from signoria.kernel.examples import Example
from signoria.kernel.language import to_say

SCORING = (
    Example(
        "P20",
        to_say("{p0} builds the last floor of Siena. The taller tower is worth {high} points, the other one {low}."),
        setup(towers={"siena": ("0100", "11")}, hands={0: ["siena-2"]}, display={"siena": "roma-3"}),
        before=(Play("siena-2"),),
        draws=("city siena",),
        legal=(Build(0),),
        after=True,
        facts=lambda view: tokens(view, "siena"),
    ),
    Example(
        "P21",
        to_say("In the taller tower of Siena {p0} and {p1} have {mine} floors each, and {p1} owns the one nearest the top. {p0} builds the last floor of the city on the other site."),
        setup(towers={"siena": ("0011", "22")}, hands={0: ["siena-2"]}, display={"siena": "roma-4"}),
        before=(Play("siena-2"),),
        draws=("city siena",),
        legal=(Build(1),),
        event="P20",
        after=True,
        facts=lambda view: {"mine": in_tower(view, "siena", 0, 0)},
    ),
    Example(
        "P22",
        to_say("{p0} has played cards with {captains} captains and {ladies} ladies: one full set."),
        setup(2, turn=8, played={0: ["roma-1", "verona-2", "firenze-1", "lucca-2"], 1: ["siena-4", "siena-5", "lucca-4", "lucca-5"]}),
        draws=("stack 0",),
        scores=True,
        facts=lambda view: {"captains": (view.portraits[0] or {})["captain"], "ladies": (view.portraits[0] or {})["lady"]},
    ),
    Example(
        "P23",
        to_say("{p0} and {p1} both have {points} points. {p1} has fewer floors on the board."),
        setup(
            2,
            turn=48,
            over=True,
            towers={"roma": ("00000", "0001"), "firenze": ("11100", "1110")},
            won={"roma": (0, 0), "firenze": (1, 1)},
        ),
        draws=("city roma", "city firenze"),
        outcome=True,
        facts=lambda view: {"points": view.players[0].score.total if view.players[0].score else 0},
    ),
    Example(
        "P24",
        to_say("{p0} has won {tokens} tokens in Verona. Face up, everyone sees that they are worth {high} and {low} points. Face down, everyone has to remember it."),
        setup(towers={"verona": ("000", "00")}, won={"verona": (0, 0)}),
        draws=("city verona",),
        facts=lambda view: {"tokens": player(view, 0).tokens, **tokens(view, "verona")},
    ),
)  # fmt: skip
