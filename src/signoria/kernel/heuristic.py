"""What the bots know of a game: how steps are judged at first glance, and how imagined games are played on."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from signoria.kernel.compiled import rule

if TYPE_CHECKING:
    from signoria.kernel.game import Rules


class Heuristic(NamedTuple):
    """A game judged without looking ahead: rules that read what all may know and the hand of the seat in turn.

    Changing anything else must not change what they answer: that is a test.
    """

    promise: Callable[[Any, Any, int], float]
    """promise(s, box, step): what a legal step promises the seat in turn, in points."""
    narrow: Callable[[Any, Any, Any, int], int]
    """narrow(s, box, steps, count): keep the legal steps worth a thought at the front of `steps`; how many."""
    play_on: Callable[[Any, Any, Any, int], int]
    """play_on(s, box, luck, ahead): a quick step for the rest of an imagined game, so many steps beyond the tree."""
    warmth: float
    """How many points a step may promise less and still be looked at about a third as much."""
    explore: float
    """How much a search trusts promises over what it has found."""
    margin: float
    """The weight of the margin in what an end is worth; the rest is the share of the win."""
    far: float
    """A margin, in points, that is half as good as any could be."""


def no_opinion(rules: "Rules") -> Heuristic:
    """The heuristic of a game that has none: all legal steps promise the same, and imagined games are played at random."""
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
