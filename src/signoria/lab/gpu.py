"""Plays experiments on a GPU: bots that are compiled for it there, all others on the cores of this machine."""

from collections.abc import Iterator

from signoria.batch.gpu import find_gpu
from signoria.batch.statistics import Statistics, statistics_of
from signoria.bots import find_bot
from signoria.bots.bot import QuickOnGpu
from signoria.lab.experiment import Experiment, set_up
from signoria.lab.playing import Player, on_cores

TOGETHER = 1 << 17
"""Games that the GPU plays at once; their counts take a few hundred megabytes."""


def on_gpu() -> Player:
    """Plays on the GPU; raises `NoGpu`."""
    find_gpu()
    from signoria.batch.counting_gpu import CountedOnGpu

    here = on_cores()

    def play_there(experiment: Experiment, games: int) -> Iterator[Statistics]:
        bots = [bot for name in experiment.bots if isinstance(bot := find_bot(name), QuickOnGpu)]
        if not experiment.compiled or len(bots) < len(experiment.bots):
            yield from here(experiment, games)
            return
        game, _, _, boxes = set_up(experiment)
        series = CountedOnGpu(game, boxes, [bot.room_chooser(game) for bot in bots], experiment.seed)
        for start in range(0, games, TOGETHER):
            yield statistics_of(game, series.play(start, min(TOGETHER, games - start)))

    return play_there
