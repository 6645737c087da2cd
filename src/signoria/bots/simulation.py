"""Plays many games between bots given by name: compiled if all bots are compiled, otherwise at tables."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from signoria.batch.cpu import Chunk
from signoria.batch.series import Series, deal_seed
from signoria.bots.bot import Quick, QuickOnGpu
from signoria.bots.finding import BOTS, find_bot
from signoria.bots.runner import play_out, seat_bots
from signoria.games import AnyGame, AnyTable
from signoria.kernel.errors import BadOption
from signoria.kernel.game import Options
from signoria.kernel.table import Table

if TYPE_CHECKING:
    from signoria.batch.series_gpu import GpuSeries


class Finished(NamedTuple):
    """A game that was played at a table."""

    table: AnyTable
    forfeits: tuple[str, ...]
    """A sentence for each forfeit: which bot, and why."""

    @property
    def chunk(self) -> Chunk:
        """The result in numbers."""
        steps = self.table.steps
        return Chunk(1, len(steps), self.table.sheet()[None], np.array([steps[0].seat], np.int8))


class Simulation:
    """Games between the bots of these names, one per seat; raises `BadOption`.

    Game k of a seed is always dealt and played the same way, with or without a record of its steps.
    """

    series: Series | None
    """The same games without tables, for millions of games; None if a bot is not compiled."""

    def __init__(
        self, game: AnyGame, options: Options, components: msgspec.Struct, names: Sequence[str], seed: int
    ) -> None:
        self._game, self._options, self._components, self._seed = game, options, components, seed
        self._names = dict(enumerate(names))
        bots = [find_bot(name) for name in names]
        ours = BOTS.keys() >= set(names)  # bots of other packages play at tables, where each step is checked
        choosers = [bot.chooser(game) for bot in bots if ours and isinstance(bot, Quick)]
        self.series = Series(game, options, components, choosers, seed) if len(choosers) == len(bots) else None

    def on_gpu(self) -> "GpuSeries":
        """The same games on a GPU; raises `BadOption` if a bot cannot play there, and `NoGpu`."""
        choosers = []
        for name in self._names.values():
            bot = find_bot(name)
            if name not in BOTS or not isinstance(bot, QuickOnGpu):
                raise BadOption(f"bots: {name} cannot play on a GPU; random and greedy can.")
            choosers.append(bot.room_chooser(self._game))
        from signoria.batch.series_gpu import GpuSeries

        return GpuSeries(self._game, self._options, self._components, choosers, self._seed)

    def play(self, number: int) -> Finished:
        """Play one game at a table."""
        if self.series is not None:
            return Finished(self.series.table(number), ())
        seed, salts = deal_seed(self._seed, number), ("",) * self._options.players
        table: AnyTable = Table(self._game, self._options, self._components, seed, salts)
        seats = seat_bots(self._names, f"{self._seed}/{number}", lambda seat, name: f"{name} (seat {seat})")
        play_out(table, seats)
        return Finished(table, tuple(f"{bot.forfeit} {bot.detail}" for bot in seats.values() if bot.forfeit))
