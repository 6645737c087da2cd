"""Plays experiments: on the cores of this machine, on a GPU, or on a Ray cluster."""

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import partial
from itertools import islice

from signoria.batch.cpu import play_chunks
from signoria.batch.statistics import Statistics, empty_statistics
from signoria.games import find_game
from signoria.lab.experiment import Experiment, play

CHUNK = 5000
"""Games that one core plays before it reports."""
SLOW_CHUNK = 2
"""The same for bots that are not compiled."""

Tell = Callable[[int], None]
"""Called with the number of games that were played since the last call."""
Player = Callable[[Experiment, int], Iterator[Statistics]]
"""Plays a number of games of an experiment, and yields their statistics chunk by chunk."""


def chunk_of(experiment: Experiment) -> int:
    """How many games are played before the next report."""
    return CHUNK if experiment.compiled else SLOW_CHUNK


def on_cores(cores: int | None = None) -> Player:
    """Plays on the cores of this machine: compiled bots in threads, all others in processes."""
    number = cores or os.cpu_count() or 1

    def play_here(experiment: Experiment, games: int) -> Iterator[Statistics]:
        if experiment.compiled:
            return play_chunks(partial(play, experiment), games, number, CHUNK)
        return _in_processes(experiment, games, number)

    return play_here


def _in_processes(experiment: Experiment, games: int, cores: int) -> Iterator[Statistics]:
    starts = iter(range(0, games, SLOW_CHUNK))
    with ProcessPoolExecutor(cores, multiprocessing.get_context("spawn")) as pool:
        running: set[Future[Statistics]] = set()
        while True:
            for start in islice(starts, 2 * cores - len(running)):
                running.add(pool.submit(play, experiment, start, min(SLOW_CHUNK, games - start)))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()


def run(player: Player, experiment: Experiment, games: int, tell: Tell) -> Statistics:
    """The sums of all games of an experiment."""
    statistics = empty_statistics(find_game(experiment.game), experiment.players)
    for some in player(experiment, games):
        statistics.add(some)
        tell(int(some.games[0]))
    return statistics
