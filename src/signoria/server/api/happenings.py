"""What a step brought about, as programs read it: a game's own public events, each with its sentence."""

from collections.abc import Iterable
from typing import Any, Union, get_args

import msgspec

from signoria.games import GAMES, AnyGame


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


def _kinds(game: AnyGame) -> tuple[type[msgspec.Struct], ...]:
    return get_args(game.event_type) or (game.event_type,)


SAID: dict[type[msgspec.Struct], type[msgspec.Struct]] = {
    event: _with_sentence(event) for game in GAMES.values() for event in _kinds(game)
}


def happening_type(game: AnyGame) -> Any:
    """The events of a game as programs read them."""
    return Union[tuple(SAID[event] for event in _kinds(game))]  # noqa: UP007


def happenings(events: Iterable[msgspec.Struct]) -> tuple[msgspec.Struct, ...]:
    """Events with their sentences."""
    return tuple(
        SAID[type(event)](**{name: getattr(event, name) for name in event.__struct_fields__}, says=str(event))
        for event in events
    )
