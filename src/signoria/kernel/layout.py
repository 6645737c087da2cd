"""Records described by annotated classes: one home for a field's name, type, shape and meaning."""

from types import SimpleNamespace
from typing import Annotated, Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.int8]
"""An array field of a record; its element type and shape stand in the annotation."""

Small = Annotated[int, np.int8]
"""A scalar field of one byte."""

Records = np.recarray[Any, np.dtype[Any]]
"""An array of records, one a game."""


def layout(described: type) -> np.dtype[np.void]:
    """The NumPy record type that an annotated class describes, its fields in the order they are written."""
    fields = []
    for name, hint in get_type_hints(described, include_extras=True).items():
        scalar, *shape = hint.__metadata__
        if hasattr(np.record, name):  # CPython would find NumPy's attribute instead of the field
            raise ValueError(f"{described.__name__}.{name}: NumPy's records have an attribute of that name.")
        fields.append((name, scalar, *shape))
    return np.dtype(fields)


def in_lists(records: Records) -> SimpleNamespace:
    """The first record as plain numbers and lists: much quicker to read from Python, field by field."""
    fields = zip(records.dtype.names or (), records.tolist()[0], strict=True)
    return SimpleNamespace(
        **{name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in fields}
    )


def blank(count: int, record: np.dtype[np.void]) -> Records:
    """`count` records of zeros, readable both as `states.seat` and, one by one, as `states[k].seat`."""
    return np.zeros(count, record).view(np.recarray)
