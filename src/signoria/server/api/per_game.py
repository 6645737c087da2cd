"""Messages and answers that every game fills with its own steps, views and events."""

import types
from typing import Any

from signoria.games import GAMES


def per_game(generic: Any, patrician: Any, il_principe: Any) -> dict[str, Any]:
    """A message for each game, by the game's name: `PatricianSeen` is `Seen` of Patrician's views."""
    names = [game.title.title().replace(" ", "") for game in GAMES.values()]
    return {
        game: types.new_class(
            f"{name}{generic.__name__}",
            (generic[inside],),
            {"frozen": True, "kw_only": True},
            lambda namespace: namespace.update(__doc__=generic.__doc__, __module__=generic.__module__),
        )
        for game, name, inside in zip(GAMES, names, (patrician, il_principe), strict=True)
    }
