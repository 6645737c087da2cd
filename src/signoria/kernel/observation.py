"""What a seat knows as a row of small numbers, for programs that learn."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from signoria.kernel.compiled import rule
from signoria.kernel.rows import row_writer


class Feature(NamedTuple):
    """Some neighbouring numbers of an observation."""

    name: str
    shape: tuple[int, ...]
    meaning: str
    actions: int | None = None
    """If each row says what one action would lead to: the action of the first row; those of the others follow it."""

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return int(np.prod(self.shape))


class Observation(NamedTuple):
    """How a game writes what a seat knows, memory included."""

    features: tuple[Feature, ...]
    """In the order of the numbers."""
    write: Callable[[Any, Any, int, Any], None]
    """write(s, box, seat, row): fill a row of zeros (int8). `see` has hidden from `s` what the seat cannot know, so a
    row cannot show more than that."""

    @property
    def size(self) -> int:
        """How many numbers a row has."""
        return sum(feature.size for feature in self.features)

    def split(self, rows: Any) -> dict[str, Any]:
        """Rows as one array for each feature, by name; they share the memory of the rows."""
        parts, at = {}, 0
        for feature in self.features:
            parts[feature.name] = rows[..., at : at + feature.size].reshape(*rows.shape[:-1], *feature.shape)
            at += feature.size
        return parts


@rule
def from_here(box: Any, seat: int, other: int) -> int:
    """A seat as counted from another one, clockwise."""
    return (int(other) - int(seat)) % int(box.players)


def starts(features: tuple[Feature, ...]) -> dict[str, int]:
    """The position of each feature in a row, by name."""
    found, at = {}, 0
    for feature in features:
        found[feature.name] = at
        at += feature.size
    return found


def plain_observation(state: "np.dtype[np.void]") -> Observation:
    """The state field by field, as the seat knows it: for a game that describes no features of its own."""
    features = tuple(
        Feature(name, state[name].shape or (1,), f"The field `{name}` of the state, as the seat knows it.")
        for name in state.names or ()
    )
    write_row = row_writer(state)

    @rule
    def write(s: Any, box: Any, seat: int, row: Any) -> None:
        write_row(s, row)

    return Observation(features, write)
