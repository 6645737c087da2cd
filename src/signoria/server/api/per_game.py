"""Messages and answers that every game fills with its own steps, views and events."""

import types
from collections.abc import Callable
from typing import Any

from signoria.games import GAMES, AnyGame


def per_game(generic: Any, inside: Callable[[AnyGame], Any]) -> dict[str, Any]:
    """A message for each game, by the game's name: `ChessSeen` would be `Seen` of the views of Chess."""
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
    """What a game's own form of a message is called."""
    return f"{game.title.title().replace(' ', '')}{generic.__name__}"


def step_type(game: AnyGame) -> Any:
    """The steps of a game."""
    return game.step_type


def view_type(game: AnyGame) -> Any:
    """The views of a game."""
    return game.view_type
