"""What a step brought about, as programs read it: a game's own public events, each with its sentence."""

from collections.abc import Iterable
from typing import Any, Union, get_args

import msgspec

from signoria.games import GAMES
from signoria.games.il_principe.words.events import Event as PrincipeEvent
from signoria.games.patrician.words.events import Event as PatricianEvent


def _with_sentence(event: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """The same event with one field more."""
    return msgspec.defstruct(
        event.__name__,
        [("says", str)],
        bases=(event,),
        module=event.__module__,
        namespace={"__doc__": event.__doc__},
        frozen=True,
        kw_only=True,
        tag=True,
    )


SAID: dict[type[msgspec.Struct], type[msgspec.Struct]] = {
    event: _with_sentence(event) for union in (PatricianEvent, PrincipeEvent) for event in get_args(union)
}
PatricianHappening: Any = Union[tuple(SAID[event] for event in get_args(PatricianEvent))]  # noqa: UP007
PrincipeHappening: Any = Union[tuple(SAID[event] for event in get_args(PrincipeEvent))]  # noqa: UP007
HAPPENING: dict[str, Any] = dict(zip(GAMES, (PatricianHappening, PrincipeHappening), strict=True))


def happenings(events: Iterable[msgspec.Struct]) -> tuple[msgspec.Struct, ...]:
    """Events with their sentences."""
    return tuple(
        SAID[type(event)](**{name: getattr(event, name) for name in event.__struct_fields__}, says=str(event))
        for event in events
    )
