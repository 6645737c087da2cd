"""NumPy records described by annotated classes: each field has its name, type, shape and meaning in one place."""

from functools import lru_cache
from types import SimpleNamespace
from typing import Annotated, Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.int8]
"""An array field of a record; the annotation gives its element type and shape."""

Small = Annotated[int, np.int8]
"""A scalar field of one byte."""

Records = np.ndarray[Any, np.dtype[Any]]
"""An array of records, one per game: `states[k].seat`, or `states["seat"]` for all.

Not an `np.recarray`: calling a compiled rule with one costs ten times as much.
"""


def layout(described: type) -> np.dtype[np.void]:
    """The NumPy record type that an annotated class describes, with its fields in the same order."""
    fields = []
    for name, hint in get_type_hints(described, include_extras=True).items():
        scalar, *shape = hint.__metadata__
        if hasattr(np.record, name):  # CPython would find NumPy's attribute instead of the field
            raise ValueError(f"{described.__name__}.{name}: NumPy's records have an attribute of that name.")
        fields.append((name, scalar, *shape))
    return np.dtype(fields)


def in_lists(records: Records) -> SimpleNamespace:
    """The first record as plain numbers and lists: much faster to read field by field from Python."""
    values = [value if type(value) is int else value.tolist() for value in records.item(0)]
    return SimpleNamespace(**dict(zip(records.dtype.names or (), values, strict=True)))


def first(records: Records) -> Any:
    """The first record, for reading a few of its fields: much faster than NumPy's own `records[0]`."""
    return _First(records)


class _First:
    __slots__ = ("_records",)

    def __init__(self, records: Records) -> None:
        self._records = records

    def __getattr__(self, name: str) -> Any:
        value = self._records[name][0]
        return value if value.ndim else int(value)


def fixed_in_lists(records: Records) -> SimpleNamespace:
    """The same for records that never change, such as a box: cached for equal records."""
    return _fixed(records.tobytes(), records.dtype)


@lru_cache(256)
def _fixed(content: bytes, record: np.dtype[Any]) -> SimpleNamespace:
    return in_lists(np.frombuffer(content, record))


def blank(count: int, record: np.dtype[np.void]) -> Records:
    """`count` records of zeros."""
    return np.zeros(count, np.dtype((np.record, record)))


def copied(records: Records) -> Records:
    """A copy of the records as bytes; NumPy would copy field by field."""
    return np.ndarray(records.shape, records.dtype, bytearray(records.tobytes()))
