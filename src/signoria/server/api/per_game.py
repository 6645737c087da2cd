"""Requests, responses and events that have their own types for each game."""

import types
from collections.abc import Callable, Iterable
from typing import Any, Union, get_args

import msgspec

from signoria.games import GAMES, AnyGame

EXAMPLE_GAME = next(iter(GAMES.values()))
"""The game of example bodies."""


def per_game(generic: Any, inside: Callable[[AnyGame], Any]) -> dict[str, Any]:
    """A type for each game, by the game's name: for Chess, `PositionView` would become `ChessPositionView`."""
    return {
        game.name: types.new_class(
            name_of(game, generic),
            (generic[inside(game)],),
            {"frozen": True, "kw_only": True},
            lambda namespace: namespace.update(__doc__=generic.__doc__, __module__=generic.__module__),
        )
        for game in GAMES.values()
    }


def name_of(game: AnyGame, generic: Any) -> str:
    """The name of a game's own version of a type."""
    return f"{game.title.title().replace(' ', '')}{generic.__name__}"


def step_type(game: AnyGame) -> Any:
    """The steps of a game."""
    return game.step_type


def view_type(game: AnyGame) -> Any:
    """The views of a game."""
    return game.view_type


def _with_sentence(event: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """The same event with one more field."""
    return types.new_class(
        event.__name__,
        (event,),
        {"frozen": True, "kw_only": True, "tag": True},
        lambda namespace: namespace.update(
            __annotations__={"says": str}, __doc__=event.__doc__, __module__=event.__module__
        ),
    )


def _kinds(game: AnyGame) -> tuple[type[msgspec.Struct], ...]:
    return get_args(game.event_type) or (game.event_type,)


WITH_SENTENCE: dict[type[msgspec.Struct], type[msgspec.Struct]] = {
    event: _with_sentence(event) for game in GAMES.values() for event in _kinds(game)
}


def events_type(game: AnyGame) -> Any:
    """The events of a game in the API."""
    return Union[tuple(WITH_SENTENCE[event] for event in _kinds(game))]  # noqa: UP007


def events_with_sentences(events: Iterable[msgspec.Struct]) -> tuple[msgspec.Struct, ...]:
    """Events with their sentences."""
    return tuple(
        WITH_SENTENCE[type(event)](**{name: getattr(event, name) for name in event.__struct_fields__}, says=str(event))
        for event in events
    )
