"""NumPy records described by annotated classes: each field has its name, type, shape and meaning in one place."""

from functools import cache
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


def fields(records: Records) -> Any:
    """The first record, to read and write field by field: much faster than NumPy's own `records[0]`.

    Numbers come as Python's, arrays as NumPy's, so that writing into one changes the record.
    """
    return _fields_type(records.dtype)(records)


class _Fields:
    __slots__ = ("_records",)

    def __init__(self, records: Records) -> None:
        self._records = records


@cache
def _fields_type(record: np.dtype[Any]) -> type[_Fields]:
    """The class whose attributes are the fields of a record."""
    properties = {name: _field(name, is_array=record[name].shape != ()) for name in record.names or ()}
    return type("Fields", (_Fields,), {"__slots__": ()} | properties)


def _field(name: str, *, is_array: bool) -> property:
    def read_array(self: _Fields) -> Any:
        return self._records[name][0]

    def read_number(self: _Fields) -> Any:
        return self._records[name].item()

    def write(self: _Fields, value: Any) -> None:
        self._records[name][0] = value

    return property(read_array if is_array else read_number, write)


def blank(count: int, record: np.dtype[np.void]) -> Records:
    """`count` records of zeros."""
    return np.zeros(count, _record_type(record))


@cache
def _record_type(record: np.dtype[np.void]) -> np.dtype[Any]:
    """One object for all records of a kind, which a compiled rule recognises in a third of the time."""
    return np.dtype((np.record, record))


def copied(records: Records) -> Records:
    """A copy of the records as bytes; NumPy would copy field by field."""
    return np.ndarray(records.shape, records.dtype, bytearray(records.tobytes()))
