"""How a game describes an imagined state to a value network: features that are on or off, and a few numbers.

A network judges whole states, in which nothing is hidden. The search makes them up (`redeal`), so no secret gets in.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from signoria.kernel.compiled import rule
from signoria.kernel.observation import Feature

SETTLED = -1
"""What `settle` returns for a state that a network can judge."""


class Features(NamedTuple):
    """A game's description of its states, as seen by the seat in turn. Seats are counted from that seat, clockwise."""

    parts: tuple[Feature, ...]
    """Groups of features that are on or off, in the order of their numbers."""
    numbers: tuple[Feature, ...]
    """Groups of numbers, of about the size of 1."""
    most: int
    """The most features that can be on at once."""
    describe: Callable[[Any, Any, Any, Any, Any], int]
    """describe(s, box, sheet, on, numbers): write which features are on into `on`, and all numbers; returns how many are on.

    `sheet` is room for a score sheet."""
    settle: Callable[[Any, Any, Any, int, Any], int]
    """settle(s, box, luck, ahead, steps): the step to play before a network judges a state, or SETTLED.

    Networks judge and learn only settled states. `ahead` is the number of steps since the tree ended, and `steps` is room
    for the legal steps, which a GPU cannot allocate."""
    ignored: tuple[str, ...] = ()
    """Fields of the box that make no difference to a player who remembers everything."""

    @property
    def size(self) -> int:
        """Number of features that are on or off."""
        return sum(part.size for part in self.parts)

    @property
    def numbers_size(self) -> int:
        """How many numbers there are."""
        return sum(part.size for part in self.numbers)


@rule
def put(on: Any, count: int, feature: int) -> int:
    """Add a feature to those that are on; returns how many there are now."""
    on[count] = feature
    return count + 1


@rule
def within(x: int, low: int, high: int) -> int:
    """How far x is above the lower bound, with x limited to both bounds."""
    return min(max(x, low), high) - low
