"""Plays many games on the CPU cores: compiled code without the interpreter lock, one chunk at a time."""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cache
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from signoria.batch.playing import play_out
from signoria.kernel.compiled import rule
from signoria.kernel.game import Game
from signoria.kernel.layout import Records, blank
from signoria.kernel.luck import sow

Played = TypeVar("Played")
"""What comes of some games."""

CHUNK = 10_000
"""Number of games that one core plays before it reports."""


class Chunk(NamedTuple):
    """Games that were played together: decisions, score sheets and first players."""

    games: int
    decisions: int
    sheets: NDArray[np.int16]
    """One score sheet per game: seats by columns."""
    first: NDArray[np.int8]
    """The first player of each game."""


@cache
def random_series(game: Game[Any, Any, Any]) -> Callable[[Any, Any, int, int, Any, Any], int]:
    """The rule that plays games `start`, `start + 1`, ... of a series and returns the number of decisions.

    Game k is left in states[k]. If there are fewer states than games, they are reused from the first one on.
    """
    deal, play_on, score = game.rules.deal, play_out(game, game.rules.any_step), game.rules.score

    @rule
    def play_series(states: Any, boxes: Any, seed: int, start: int, sheets: Any, first: Any) -> int:
        luck = np.empty(1, np.uint64)
        decisions = 0
        for k in range(sheets.shape[0]):
            s = states[k % states.shape[0]]
            sow(luck, seed, start + k)
            deal(s, boxes[0], luck)
            first[k] = s.seat
            decisions += play_on(s, boxes[0], luck)
            score(s, boxes[0], sheets[k])
        return decisions

    return play_series


def play_random(
    game: Game[Any, Any, Any], boxes: Records, seed: int, start: int, count: int, states: Records | None = None
) -> Chunk:
    """Play random games of a series on one core, as a GPU plays them; `states`, if given, receives the final states."""
    kept = blank(1, game.state) if states is None else states
    sheets = np.zeros((count, int(boxes[0].players), len(game.columns)), np.int16)
    first = np.zeros(count, np.int8)
    return Chunk(count, random_series(game)(kept, boxes, seed, start, sheets, first), sheets, first)


def play_chunks(play: Callable[[int, int], Played], games: int, cores: int, chunk: int = CHUNK) -> Iterator[Played]:
    """Play the first `games` games of a series on several cores; yields chunks as they finish.

    `play(start, count)` plays games of the series. At most one chunk per core is queued ahead.
    """
    starts = iter(range(0, games, chunk))
    play(0, 1)  # compiled before the threads start
    with ThreadPoolExecutor(cores) as pool:
        running: set[Future[Played]] = set()
        while True:
            while len(running) < 2 * cores and (start := next(starts, None)) is not None:
                running.add(pool.submit(play, start, min(chunk, games - start)))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
