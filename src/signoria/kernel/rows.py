"""States as rows of numbers, field by field, to show them to programs that learn."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from signoria.kernel.compiled import rule

Writer = Callable[[Any, Any], None]
"""write(s, row): a rule that writes all fields of a state into a row."""


@cache
def row_writer(state: "np.dtype[np.void]") -> Writer:
    """The rule that writes a state into a row: a chain of rules, one for each field."""
    at = sum(int(np.prod(state[name].shape)) for name in state.names or ())
    rest: Writer = _no_more
    for name in reversed(state.names or ()):
        shape = state[name].shape
        at -= int(np.prod(shape))
        rest = _write_field(name, shape == (), at, rest)
    return rest


@rule
def _no_more(s: Any, row: Any) -> None:
    pass


def _write_field(name: str, is_number: bool, at: int, rest: Writer) -> Writer:
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
