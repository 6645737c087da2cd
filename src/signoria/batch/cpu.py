"""Plays many games on the CPU cores: compiled code without the interpreter lock, one chunk at a time."""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from signoria.batch.playing import Chooser, whole_game
from signoria.kernel.compiled import rule
from signoria.kernel.game import Game
from signoria.kernel.layout import Records, blank

CHUNK = 10_000
"""Number of games that one core plays before it reports."""


class Played(NamedTuple):
    """The results of games that were played."""

    games: int
    decisions: int
    sheets: NDArray[np.int16]
    """One score sheet per game: seats by columns."""
    first: NDArray[np.int8]
    """The first player of each game."""


@cache
def series(game: Game[Any, Any, Any], choose: Chooser) -> Callable[[Any, Any, int, int, Any, Any], int]:
    """The rule that plays games `start`, `start + 1`, ... of a series and returns the number of decisions.

    Game k is left in states[k]. If there are fewer states than games, they are reused from the first one on.
    """
    play_whole, score = whole_game(game, choose), game.rules.score

    @rule
    def play_series(states: Any, boxes: Any, seed: int, start: int, sheets: Any, first: Any) -> int:
        luck = np.empty(1, np.uint64)
        decisions = 0
        for k in range(sheets.shape[0]):
            s = states[k % states.shape[0]]
            decisions += play_whole(s, boxes[0], seed, start + k, luck)
            score(s, boxes[0], sheets[k])
            first[k] = s.first
        return decisions

    return play_series


def play(
    game: Game[Any, Any, Any],
    boxes: Records,
    seed: int,
    start: int,
    count: int,
    states: Records | None = None,
    choose: Chooser | None = None,
) -> Played:
    """Play games of a series on one core, at random or with `choose`; `states`, if given, receives the final states."""
    kept = blank(1, game.state) if states is None else states
    sheets = np.zeros((count, int(boxes[0].players), len(game.columns)), np.int16)
    first = np.zeros(count, np.int8)
    play_series = series(game, choose or game.rules.any_step)
    return Played(count, play_series(kept, boxes, seed, start, sheets, first), sheets, first)


def play_chunks(
    game: Game[Any, Any, Any],
    boxes: Records,
    games: int,
    seed: int,
    cores: int,
    chunk: int = CHUNK,
    choose: Chooser | None = None,
) -> Iterator[Played]:
    """Play the first `games` games of a series on several cores; yield chunks as they finish.

    The games of a series depend only on its seed. No more work is queued than the cores can handle.
    """
    starts = iter(range(0, games, chunk))
    play(game, boxes, seed, 0, 1, choose=choose)  # compile before the threads start
    with ThreadPoolExecutor(cores) as pool:
        running: set[Future[Played]] = set()
        while True:
            while len(running) < 2 * cores and (start := next(starts, None)) is not None:
                running.add(pool.submit(play, game, boxes, seed, start, min(chunk, games - start), choose=choose))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
