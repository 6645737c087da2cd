"""A position of a game: the state and the box as one object that answers what the rules say about them."""

from collections.abc import Callable
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from signoria.kernel.compiled import rule
from signoria.kernel.game import OVER, Game, Rules
from signoria.kernel.layout import Records, blank, copied, fields

Answer = TypeVar("Answer")


class Position:
    """Where a game stands: its state, its box, and the rules that read them.

        position.state.seat                     # a field, to read or to write
        position.legal                          # the numbers of the legal steps
        position.apply(position.legal[0])       # changes this position; `copy()` before that keeps it
        position.seen_by(1).redealt(luck)       # another position that seat 1 cannot tell from this one
        position.call(rule, 3)                  # any compiled rule(s, box, 3)

    A position knows everything, the hidden cards included. What `seen_by` returns has them hidden, and is what bots get.
    """

    __slots__ = ("_boxes", "_rules", "_states", "game")

    game: Game[Any, Any, Any]

    def __init__(self, game: Game[Any, Any, Any], boxes: Records, states: Records | None = None) -> None:
        """A position on the box that `game.box` made; before the deal, unless an array of one state is given."""
        # Passing a single record from Python to Numba costs a millisecond, an array of one record a microsecond.
        self.game, self._rules, self._boxes = game, _rules_on_arrays(game), boxes
        self._states = blank(1, game.state) if states is None else states

    @property
    def state(self) -> Any:
        """The state field by field, as it is at any time: numbers and NumPy arrays. Fields can be written."""
        return fields(self._states)

    @property
    def box(self) -> Any:
        """The box field by field. All positions of a game share it, so it must not be written."""
        return fields(self._boxes)

    def box_bytes(self, without: tuple[str, ...] = ()) -> bytes:
        """The box as the rules keep it, with some of its fields set to zero."""
        boxes = copied(self._boxes)
        for name in without:
            boxes[name] = 0
        return boxes.tobytes()

    def in_lists(self) -> tuple[Any, Any]:
        """The state and the box as they are now, in plain numbers and lists: faster where many fields are read."""
        return _in_lists(self._states), _fixed(self._boxes.tobytes(), self._boxes.dtype)

    # Whose turn, and what is possible

    @property
    def asked(self) -> int:
        """What is asked, as one of the game's numbers; OVER when the game is over."""
        return self._states["asked"].item()  # type: ignore[no-any-return]

    @property
    def seat(self) -> int:
        """The seat that is asked."""
        return self._states["seat"].item()  # type: ignore[no-any-return]

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._states["asked"].item() == OVER  # type: ignore[no-any-return]

    @property
    def legal(self) -> list[int]:
        """The numbers of all legal steps."""
        numbers = np.empty(self.game.most_legal, np.int16)
        count = self._rules.legal_steps(self._states, self._boxes, numbers)
        return numbers[:count].tolist()  # type: ignore[no-any-return]

    def refusal(self, step: int) -> int:
        """The number of the reason against a step; 0 when it is legal."""
        return self._rules.refusal(self._states, self._boxes, step)

    def sheet(self) -> NDArray[np.int16]:
        """The current score sheet: one row per seat, one column for each of `game.columns`."""
        sheet = np.zeros((int(self._boxes["players"][0]), len(self.game.columns)), np.int16)
        self._rules.score(self._states, self._boxes, sheet)
        return sheet

    # Changing it, or making another

    def apply(self, step: int) -> None:
        """Carry out a legal step. Whether it is legal is not checked again."""
        self._rules.apply(self._states, self._boxes, step)

    def call(self, function: Callable[..., Answer], *args: Any) -> Answer:
        """Call a compiled rule with this state, this box and the arguments. The rule may change the state."""
        return _on_arrays(function)(self._states, self._boxes, *args)  # type: ignore[no-any-return]

    def copy(self) -> "Position":
        """A copy of the position that can be changed independently."""
        return Position(self.game, self._boxes, copied(self._states))

    def seen_by(self, seat: int) -> "Position":
        """What a seat knows if it remembers everything, the rest hidden; shares nothing with this position."""
        known = Position(self.game, copied(self._boxes), copied(self._states))
        self._rules.see(known._states, known._boxes, seat)
        return known

    def without_memory(self, seat: int) -> "Position":
        """The same without what the seat could only remember: what it can see now."""
        shown = self.copy()
        self._rules.forget(shown._states, shown._boxes, seat)
        return shown

    def redealt(self, luck: Any) -> "Position":
        """What `seen_by` hid filled in at random, consistent with all that the seat knows."""
        other = self.copy()
        self._rules.redeal(other._states, other._boxes, luck)
        return other

    # Comparing and pickling

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled without the compiled rules, which belong to the game."""
        return Position, (self.game, self._boxes, self._states)

    def __eq__(self, other: object) -> bool:
        """Whether states and boxes are the same, byte for byte."""
        if not isinstance(other, Position):
            return NotImplemented
        return bytes(self) == bytes(other) and self._boxes.tobytes() == other._boxes.tobytes()

    __hash__ = None  # type: ignore[assignment]

    def __bytes__(self) -> bytes:
        """The state as the rules keep it."""
        return self._states.tobytes()

    def __repr__(self) -> str:
        return f"<{self.game.title}: {'over' if self.over else f'seat {self.seat} is asked {self.asked}'}>"


@cache
def _rules_on_arrays(game: Game[Any, Any, Any]) -> Rules:
    """The rulebook on arrays of one record. Each of its rules takes one argument beside the state and the box."""
    rules = game.rules[:-1]  # the last one, the schedule, is no rule
    return Rules(*(_with_one_argument(function) for function in rules if function is not None))


def _with_one_argument(function: Callable[[Any, Any, Any], Any]) -> Any:
    @rule
    def call_first_with(states: Any, boxes: Any, argument: Any) -> Any:
        return function(states[0], boxes[0], argument)

    return call_first_with


@cache
def _on_arrays(function: Callable[..., Any]) -> Any:
    """The same for any rule; a tenth of a microsecond slower."""

    @rule
    def call_first(states: Any, boxes: Any, *args: Any) -> Any:
        return function(states[0], boxes[0], *args)

    return call_first


def _in_lists(records: Records) -> SimpleNamespace:
    values = [value if type(value) is int else value.tolist() for value in records.item(0)]
    return SimpleNamespace(**dict(zip(records.dtype.names or (), values, strict=True)))


@lru_cache(256)
def _fixed(content: bytes, record: np.dtype[Any]) -> SimpleNamespace:
    return _in_lists(np.frombuffer(content, record))
