"""States as rows of numbers, field by field: to show them to programs that learn, and to lay them out in columns for a GPU."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from signoria.kernel.compiled import rule

Copier = Callable[[Any, Any], None]
"""copy(s, row): a rule that copies all fields of a state into a row, or out of it."""


@cache
def row_writer(state: "np.dtype[np.void]") -> Copier:
    """The rule that writes a state into a row."""
    writer: Copier = _copier(state, _write_field)
    return writer


@cache
def row_reader(state: "np.dtype[np.void]") -> Copier:
    """The rule that reads a state from a row."""
    reader: Copier = _copier(state, _read_field)
    return reader


def row_size(state: "np.dtype[np.void]") -> int:
    """How many numbers the row of a state has."""
    return sum(int(np.prod(state[name].shape)) for name in state.names or ())


@rule
def _no_more(s: Any, row: Any) -> None:
    pass


def _copier(state: "np.dtype[np.void]", copy_field: Callable[[str, bool, int, Any], Any]) -> Any:
    """A chain of rules, one for each field."""
    at, rest = row_size(state), _no_more
    for name in reversed(state.names or ()):
        shape = state[name].shape
        at -= int(np.prod(shape))
        rest = copy_field(name, shape == (), at, rest)
    return rest


def _write_field(name: str, is_number: bool, at: int, rest: Any) -> Any:
    if is_number:

        @rule
        def write_number(s: Any, row: Any) -> None:
            row[at] = s[name]
            rest(s, row)

        return write_number

    @rule
    def write_numbers(s: Any, row: Any) -> None:
        numbers = s[name].reshape(-1)
        for i in range(numbers.shape[0]):
            row[at + i] = numbers[i]
        rest(s, row)

    return write_numbers


def _read_field(name: str, is_number: bool, at: int, rest: Any) -> Any:
    if is_number:

        @rule
        def read_number(s: Any, row: Any) -> None:
            s[name] = row[at]
            rest(s, row)

        return read_number

    @rule
    def read_numbers(s: Any, row: Any) -> None:
        numbers = s[name].reshape(-1)
        for i in range(numbers.shape[0]):
            numbers[i] = row[at + i]
        rest(s, row)

    return read_numbers
