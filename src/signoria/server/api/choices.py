"""What a field of a message can be, where it is one of a few words."""

import re
from functools import lru_cache
from typing import Any

from msgspec import inspect

FEW = (inspect.LiteralType, inspect.NoneType)
"""What may stand beside a few words without making them many."""


@lru_cache(256)
def choices_at(kind: Any, field: str) -> tuple[str, ...]:
    """The words that a field can be, by its name as errors write it (`step.do`, `seats[1].bot`); none for other fields."""
    steps = tuple(re.sub(r"\[[^]]*\]", ".[]", field).split("."))
    return tuple(dict.fromkeys(map(str, _choices(inspect.type_info(kind), steps))))


def _choices(kind: inspect.Type, path: tuple[str, ...]) -> list[Any]:
    match kind:
        case inspect.Metadata():
            return _choices(kind.type, path)
        case inspect.UnionType() if path or all(isinstance(one, FEW) for one in kind.types):
            return [choice for one in kind.types for choice in _choices(one, path)]
        case inspect.LiteralType() if not path:
            return list(kind.values)
        case inspect.VarTupleType() if path[:1] == ("[]",):
            return _choices(kind.item_type, path[1:])
        case inspect.StructType() if path == (kind.tag_field,):
            return [kind.tag]
        case inspect.StructType() if path:
            return [
                choice for one in kind.fields if one.encode_name == path[0] for choice in _choices(one.type, path[1:])
            ]
    return []
