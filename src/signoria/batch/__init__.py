"""Plays many games at once, on the CPU cores or on the GPU.

`Games` steps them together, for programs that choose every step themselves:

    from signoria.batch import Games
    games = Games("my-game", players=2, n=4096, seed=1)
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from signoria.batch.games import Games

__all__ = ["Games"]


def __getattr__(name: str) -> Any:
    if name == "Games":  # on first use: nothing else in this package needs it
        from signoria.batch.games import Games

        return Games
    raise AttributeError(f"module {__name__!r} has no {name!r}.")
