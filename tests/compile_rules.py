"""Compiles the rules before the tests run: python -m tests.compile_rules

Without it each of the workers would compile them for itself. Nothing happens where they are compiled already.
"""

from multiprocessing import get_context

from signoria.bots.levels import LEVELS
from signoria.games import GAMES
from signoria.server.run import warm_up


def compile_game(game: str) -> None:
    """Compile the rules of a game, and all bots for it."""
    warm_up._think(warm_up._played(game), LEVELS)


def main() -> None:
    """Both games side by side."""
    if warm_up.all_compiled():
        return
    print("Compiling the rules (once, about a minute) ...", flush=True)
    with get_context("spawn").Pool(len(GAMES)) as pool:
        pool.map(compile_game, GAMES)
    if mark := warm_up._mark():
        mark.touch()


if __name__ == "__main__":
    main()
