"""Which pieces moved in the last steps, as data for the browser: `motion.js` animates them and works out nothing itself."""

from collections.abc import Sequence
from typing import Literal

import msgspec
from markupsafe import Markup

How = Literal["fly", "slide", "drop", "ride", "pulse", "crown", "leave"]
Sound = Literal["", "card", "coin", "hooves", "stone"]
MOST_MOVES = 120
"""Moves that a page carries at most; of more, the last ones."""


class PieceMove(msgspec.Struct, frozen=True, omit_defaults=True, rename={"places": "from"}):
    """A piece that moved. Pieces and places are ids of elements; of several places the first one that is visible counts.

    A piece starts where it was before the page changed, or else at one of the places in `places`, and ends where it is
    drawn now. If it is no longer drawn, a copy of it goes to one of the places in `to`.
    """

    piece: str
    was: str = ""
    """The id that it had before, if that was another one."""
    places: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    how: How = "fly"
    """`fly` to the new place; `slide` aside, which nothing waits for; `drop` from above; `ride` in from the left;
    `pulse` in place; `crown`: fly, shown large on the way; `leave`: a copy goes to `to` although the piece stays."""
    via: str = ""
    """A place where it is shown on the way."""
    sound: Sound = ""
    later: bool = False
    """It starts when the others are nearly there."""


class StepMoves(msgspec.Struct, frozen=True):
    """The moves of one step, in order."""

    k: int
    """Steps that stood after it: a page that shows fewer has not shown these moves yet."""
    moves: tuple[PieceMove, ...]


def slides(pieces: Sequence[str], *places: str) -> list[PieceMove]:
    """Pieces that make room or close up."""
    return [PieceMove(piece, places=places, how="slide") for piece in pieces]


def encode_moves(steps: Sequence[StepMoves]) -> Markup:
    """Steps as JSON that can stand in a `<script>` element."""
    kept: list[StepMoves] = []
    room = MOST_MOVES
    for step in reversed(steps):
        room -= len(step.moves)
        if room < 0:
            break
        if step.moves:
            kept.insert(0, step)
    return Markup(msgspec.json.encode(kept).decode().replace("<", "\\u003c"))
