"""I20 to I23: phase 4."""

from signoria.games.il_principe.examples.position import setup
from signoria.games.il_principe.rulebook.steps import Pass, Turn
from signoria.kernel.examples import Example
from signoria.kernel.language import to_say

ROLES = (
    Example(
        "I20",
        to_say("{p2} is the last to act before roles are assigned. {p0} returns the green role and takes it again only with the most face-up buildings."),
        setup(acted=2, last=True, roles={"major green": 0}, up={0: {"green": 1}, 1: {"green": 3}}),
        draws=("player 0 up roles", "player 1 up roles"),
        legal=(Pass(),),
        after=True,
    ),
    Example(
        "I21",
        to_say("{p0} has {most} white buildings face up, {p1} has {second}. {p0} takes the major role and turns half of them down, {p1} takes the minor role."),
        setup(acted=2, last=True, up={0: {"white": 3}, 1: {"white": 2}, 2: {"white": 1}}),
        draws=("player 0 up down roles", "player 1 up down roles"),
        legal=(Pass(),),
        after=True,
        facts=lambda view: {"most": view.players[0].up["white"], "second": view.players[1].up["white"]},
    ),
    Example(
        "I22",
        to_say("{p0} and {p1} have {most} red buildings each, so they bid for the major role. Nobody takes the minor role."),
        setup(acted=2, last=True, up={0: {"red": 2}, 1: {"red": 2}, 2: {"red": 1}}, ducats=(4, 4, 4)),
        draws=("player 0 up", "player 1 up", "player 2 up"),
        legal=(Pass(),),
        facts=lambda view: {"most": view.players[0].up["red"]},
    ),
    Example(
        "I23",
        to_say("{p0} has taken the green role and may turn a face-down building up, but no green one."),
        setup(at="roles", last=True, up={0: {"green": 3}}, down={0: {"green": 1, "white": 2}}),
        draws=("player 0 up down roles",),
        legal=(Turn("white"),),
        refused=(Turn("green"),),
    ),
)  # fmt: skip
