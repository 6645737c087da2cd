"""Environments for reinforcement learning: PettingZoo, Gymnasium, and a state in the style of OpenSpiel.

Each installed game has an environment that is named after it and its version, such as `my_game_v1`:

    from signoria.env import my_game_v1
    env = my_game_v1.env(players=3)

`make_env("my-game")` gives the same by the name of the game. Needs `pip install 'signoria[env]'`.
"""

from types import SimpleNamespace
from typing import Any

from signoria.games import GAMES

VERSION = 1
"""Bump this when observations, actions or rewards change."""


def module_name(game: str) -> str:
    """The name of a game's environment, such as `my_game_v1`."""
    return f"{game.replace('-', '_')}_v{VERSION}"


def __getattr__(name: str) -> Any:
    for game in GAMES:
        if module_name(game) == name:
            return environment_of(game)
    if name in ("AECGame", "make_env"):
        from signoria.env import aec

        return getattr(aec, name)
    if name == "VectorGame":
        from signoria.env.vector import VectorGame

        return VectorGame
    raise AttributeError(f"module {__name__!r} has no {name!r}; environments: {', '.join(map(module_name, GAMES))}.")


def environment_of(game: str) -> SimpleNamespace:
    """The environments of a game, as PettingZoo's modules offer them: `env`, `raw_env`, and `vector_env`."""
    from functools import partial

    from signoria.env.aec import AECGame, make_env
    from signoria.env.vector import VectorGame

    return SimpleNamespace(
        __name__=f"{__name__}.{module_name(game)}",
        env=partial(make_env, game),
        raw_env=partial(AECGame, game),
        vector_env=partial(VectorGame, game),
    )


def __dir__() -> list[str]:
    return [*map(module_name, GAMES), "AECGame", "VectorGame", "make_env"]
