"""What the bots know of a game: how steps are judged at first glance, and how imagined games are played on."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from signoria.kernel.compiled import rule

if TYPE_CHECKING:
    from signoria.kernel.game import Rules


class Heuristic(NamedTuple):
    """How bots judge a game without looking ahead. These rules read only public information and the hand of the seat to move.

    A test checks that nothing else changes their answers.
    """

    promise: Callable[[Any, Any, int], float]
    """promise(s, box, step): what a legal step promises the seat in turn, in points."""
    narrow: Callable[[Any, Any, Any, int], int]
    """narrow(s, box, steps, count): move the legal steps worth considering to the front of `steps`; returns how many."""
    play_on: Callable[[Any, Any, Any, int], int]
    """play_on(s, box, luck, ahead): a fast choice of a step in an imagined game; `ahead` is the number of steps beyond the tree."""
    warmth: float
    """A step that promises this many points less is considered about a third as often."""
    explore: float
    """How much a search trusts promises over what it has found."""
    margin: float
    """The weight of the margin in the value of a finished game; the rest is the share of the win."""
    far: float
    """The margin in points that counts half as much as the largest possible margin."""


BUILDER, SPECULATOR, MISER = range(3)
"""Styles of play."""


class Styles(NamedTuple):
    """How opponents play that see less, or like something besides winning. The rules may read only what those of a `Heuristic` may."""

    own_gain: Callable[[Any, Any, int], float]
    """own_gain(s, box, step): what a legal step brings the seat in turn at once, in points, whatever the others do."""
    liking: Callable[[Any, Any, Any, int, int], float]
    """liking(s, box, sheet, seat, style): how much a seat of this style likes the end of an imagined game, in points."""


def no_opinion(rules: "Rules") -> Heuristic:
    """The heuristic of a game without its own: all legal steps look equally good, and imagined games are played at random."""
    any_step = rules.any_step

    @rule
    def play_on(s: Any, box: Any, luck: Any, ahead: int) -> int:
        return any_step(s, box, luck)

    return Heuristic(_promise, _narrow, play_on, warmth=1.0, explore=1.0, margin=0.2, far=10.0)


@rule
def _promise(s: Any, box: Any, step: int) -> float:
    return 0.0


@rule
def _narrow(s: Any, box: Any, steps: Any, count: int) -> int:
    return count
