"""Warm-up: compiled code is called once before the server accepts requests, so that nobody waits for it.

The very first start has to compile. One process per game compiles what the first game needs. The bots that look ahead
take as long again, and are compiled in the background while people begin to play.
"""

import os
import signal
from collections.abc import Iterable
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from random import Random

from signoria.bots import Budget, Seated
from signoria.bots.levels import LADDER, STYLED, Level
from signoria.bots.weights import cards_of
from signoria.games import GAMES, AnyGame, AnyTable
from signoria.kernel.compiled import cache_folder, package_stamp
from signoria.kernel.table import open_game

AT_ONCE, AHEAD = LADDER[:2], (*LADDER[2:], *STYLED)
"""Bots that answer at once, and bots that look ahead."""
NICENESS = 10
"""Niceness of background compilation."""


def warm_up() -> None:
    """Deal, view, make a step, undo it and let bots think for a moment, in every game."""
    complete = all_compiled()
    for game in GAMES:
        _think(_played(game), AT_ONCE)
        if complete:
            _think_ahead(game)


def compile_first() -> None:
    """Compile what the first game needs, in parallel, and start with the rest."""
    making = get_context("spawn")
    games = [making.Process(target=_compile, args=(game,), daemon=True) for game in GAMES]
    for process in games:
        process.start()
    for process in games:
        process.join()  # any error there also happens here and is reported
    making.Process(target=_compile_the_rest, daemon=True).start()


def all_compiled() -> bool:
    """Whether everything is compiled, or can only be compiled here."""
    mark = _mark()
    return mark is None or mark.exists()


def _mark() -> Path | None:
    """The file that exists once everything is compiled for exactly these games, rules and shapes of networks."""
    folder = cache_folder()
    if folder is None:
        return None
    games = " ".join(f"{name}={package_stamp(game.package)}{_networks(game)}" for name, game in GAMES.items())
    return folder / f"complete-{sha256(games.encode()).hexdigest()[:16]}"


def _networks(game: AnyGame) -> list[tuple[int, int]]:
    return sorted({card.sizes for card in cards_of(game).values()})


def _compile(game: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the waiting caller gets the error
    _think(_played(game), AT_ONCE)


def _compile_the_rest() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    for game in GAMES:
        _think_ahead(game)
    if mark := _mark():
        mark.touch()


def _think_ahead(game: str) -> None:
    """Let the bots think that look ahead. There may be a network only for some numbers of players."""
    for players in (GAMES[game].seats[0], GAMES[game].seats[-1]):
        _think(_played(game, players), AHEAD)


def _played(game: str, players: int | None = None) -> AnyTable:
    table = open_game(GAMES[game], {"players": players or GAMES[game].seats[0]})
    table.apply(table.legal[0])
    table.undo()
    return table


def _think(table: AnyTable, levels: Iterable[Level]) -> None:
    for level in levels:
        Seated(level.title, level.bot(), Random(0), Budget(iterations=1)).decide(table.view(table.turn))
