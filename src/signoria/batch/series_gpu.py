"""The games of a series on a GPU, one thread for each game. Importing this raises `NoGpu` where there is none."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec
import numpy as np

from signoria.batch.gpu import THREADS, compiled_exactly, exact_options, find_gpu, record_type, structured
from signoria.batch.playing import RoomChooser, play_out
from signoria.batch.series import DIGITS, opening, put_seed
from signoria.batch.summary import SeriesStatistics, SeriesSummary
from signoria.kernel import fair_luck
from signoria.kernel.compiled import rule
from signoria.kernel.errors import BadOption
from signoria.kernel.game import Game, Options
from signoria.kernel.luck import sow
from signoria.kernel.shuffle import SEED_BYTES, salted

cuda = find_gpu()
TOGETHER = 1 << 20
"""Games that are played before their results are counted: enough to fill a GPU, and few enough for its memory."""
LONGEST = 64
"""Letters of the longest opening of a text that is hashed to the seed of a game."""
LEAST, MOST = np.iinfo(np.int16).min, np.iinfo(np.int16).max
"""The range of points on a score sheet."""
WORD = 8


class PlayedOnGpu(NamedTuple):
    """Games that were played together; the arrays stay on the GPU and are used again by the next games."""

    sheets: Any
    """One score sheet per game: seats by columns (int16)."""
    first: Any
    """The first player of each game (int8)."""
    decisions: Any
    """The number of decisions of each game (int32)."""


class GpuSeries:
    """The games of a `Series` with the same seed and bots, played on a GPU; greedy bots may break ties differently there."""

    def __init__(
        self,
        game: Game[Any, Any, Any],
        options: Options,
        components: msgspec.Struct,
        choosers: Sequence[RoomChooser],
        seed: int,
    ) -> None:
        """Raises `BadOption` for a game that only Python can deal fairly."""
        if game.rules.fair_deal is None:
            raise BadOption(f"gpu: {game.title} cannot be dealt on a GPU, because it has no compiled fair deal.")
        beginning, players = opening(seed).encode(), options.players
        if len(beginning) > LONGEST:
            raise BadOption(f"seed: {seed} is too long for a GPU.")
        different = tuple(dict.fromkeys(choosers))
        self._game, self._players, self._seed = game, players, seed
        self._play, self._count = player(game, different, players), counter(game, players)
        self._boxes = cuda.to_device(structured(game.box(options, components)))
        self._who = cuda.to_device(np.array([different.index(choose) for choose in choosers], np.int8))
        self._beginning, self._salts, self._label = (
            cuda.to_device(fair_luck.as_array(part))
            for part in (beginning, salted(("",) * players), game.shuffle_label.encode("ascii"))
        )

    def play(self, start: int, count: int) -> PlayedOnGpu:
        """Play the games `start`, `start + 1`, ... together."""
        sheets = cuda.device_array((count, self._players, len(self._game.columns)), np.int16, order="F")
        played = PlayedOnGpu(sheets, cuda.device_array(count, np.int8), cuda.device_array(count, np.int32))
        dealt_from = self._boxes, self._beginning, self._salts, self._label
        with compiled_exactly():
            self._play[-(-count // THREADS), THREADS](*dealt_from, self._seed, start, self._who, *played)
        return played

    def add_to(self, summary: SeriesSummary, start: int, count: int) -> None:
        """Play games and add what was counted on the GPU to a summary."""
        for done in range(0, count, TOGETHER):
            summary.add_statistics(self.statistics(self.play(start + done, min(TOGETHER, count - done))))

    def statistics(self, played: PlayedOnGpu) -> SeriesStatistics:
        """Count the results of games on the GPU."""
        players, columns, games = self._players, len(self._game.columns), int(played.first.shape[0])
        counts = cuda.to_device(np.zeros(sum(sizes(players, columns)), np.int64))
        totals = cuda.to_device(np.zeros(MOST - LEAST + 1, np.int64))
        self._count[-(-games // THREADS), THREADS](*played, counts, totals)
        found, reached = counts.copy_to_host(), totals.copy_to_host()
        sums, squares, wins, decisions = np.split(found, np.cumsum(sizes(players, columns))[:-1])
        return SeriesStatistics(
            games,
            int(decisions[0]),
            wins.reshape(players, players + 1),
            sums.reshape(players, columns),
            squares,
            {int(at) + LEAST: int(reached[at]) for at in np.flatnonzero(reached)},
        )


def sizes(players: int, columns: int) -> tuple[int, int, int, int]:
    """How many numbers are counted: sums, squares, wins and decisions."""
    return players * columns, players, players * (players + 1), 1


@cache
def player(game: Game[Any, Any, Any], choosers: tuple[RoomChooser, ...], players: int) -> Any:
    """The kernel that deals game k of a series, plays it to its end and scores it, in thread k."""
    choose, fair_deal, score, room = among_in_room(choosers), game.rules.fair_deal, game.rules.score, game.most_legal
    assert fair_deal is not None
    state, key_size, text_size = record_type(game.state), SEED_BYTES + players, LONGEST + DIGITS
    stream_words = -(-fair_luck.FAIR_LUCK.itemsize // WORD)
    stream_type = padded(fair_luck.FAIR_LUCK, stream_words * WORD)

    @rule
    def choose_by_seat(s: Any, box: Any, given: Any) -> int:
        luck, who, steps = given
        return choose(s, box, luck, who, steps)

    play_on = play_out(game, choose_by_seat)

    @cuda.jit(**exact_options())  # type: ignore[untyped-decorator]
    def play_all(
        boxes: Any,
        beginning: Any,
        salts: Any,
        label: Any,
        seed: int,
        start: int,
        who: Any,
        sheets: Any,
        first: Any,
        decisions: Any,
    ) -> None:
        k = cuda.grid(1)
        own, luck = cuda.local.array(1, state), cuda.local.array(1, np.uint64)
        steps = cuda.local.array(room, np.int16)
        stream = cuda.local.array(stream_words, np.uint64).view(stream_type)
        text, key = cuda.local.array(text_size, np.uint8), cuda.local.array(key_size, np.uint8)
        if k < first.shape[0]:
            s = own[0]
            for i in range(beginning.shape[0]):
                text[i] = beginning[i]
            for i in range(salts.shape[0]):
                key[SEED_BYTES + i] = salts[i]
            put_seed(stream[0], text, beginning.shape[0], start + k, key)
            fair_luck.sow_key(stream[0], key, label)
            fair_deal(s, boxes[0], stream[0])
            first[k] = s.seat
            sow(luck, seed, start + k)
            decisions[k] = play_on(s, boxes[0], (luck, who, steps))
            score(s, boxes[0], sheets[k])

    return play_all


@cache
def counter(game: Game[Any, Any, Any], players: int) -> Any:
    """The kernel that counts results: each block in its own memory, and all blocks together at the end."""
    columns, total, won = len(game.columns), game.columns.index("total"), game.columns.index("won")
    room = sum(sizes(players, columns))
    squares, wins, moves = np.cumsum(sizes(players, columns))[:-1].tolist()

    @cuda.jit  # type: ignore[untyped-decorator]
    def count(sheets: Any, first: Any, decisions: Any, counts: Any, totals: Any) -> None:
        here = cuda.shared.array(room, np.int64)
        for i in range(cuda.threadIdx.x, room, THREADS):
            here[i] = 0
        cuda.syncthreads()
        k = cuda.grid(1)
        if k < first.shape[0]:
            winners = 0
            for seat in range(players):
                winners += sheets[k, seat, won]
            for turn in range(players):
                seat = (first[k] + turn) % players
                points = int(sheets[k, seat, total])
                for column in range(columns):
                    cuda.atomic.add(here, turn * columns + column, int(sheets[k, seat, column]))
                cuda.atomic.add(here, squares + turn, points * points)
                cuda.atomic.add(totals, points - LEAST, 1)
                if sheets[k, seat, won] == 1:
                    cuda.atomic.add(here, wins + turn * (players + 1) + winners, 1)
            cuda.atomic.add(here, moves, int(decisions[k]))
        cuda.syncthreads()
        for i in range(cuda.threadIdx.x, room, THREADS):
            cuda.atomic.add(counts, i, here[i])

    return count


def among_in_room(choosers: tuple[RoomChooser, ...], number: int = 0) -> Callable[[Any, Any, Any, Any, Any], int]:
    """The rule that chooses a step by rule number `who[s.seat]`, which is at least `number`."""
    choose = choosers[number]
    if number == len(choosers) - 1:

        @rule
        def choose_last(s: Any, box: Any, luck: Any, who: Any, steps: Any) -> int:
            return choose(s, box, luck, steps)

        return choose_last
    others = among_in_room(choosers, number + 1)

    @rule
    def choose_by_seat(s: Any, box: Any, luck: Any, who: Any, steps: Any) -> int:
        return choose(s, box, luck, steps) if who[s.seat] == number else others(s, box, luck, who, steps)

    return choose_by_seat


def padded(record: "np.dtype[np.void]", size: int) -> "np.dtype[Any]":
    """A record of this size in bytes: the same fields, and nothing behind them."""
    fields: dict[str, Any] = dict(record.fields or {})
    described = {"names": list(fields), "formats": [kind for kind, *_ in fields.values()]}
    offsets = [offset for _, offset, *_ in fields.values()]
    return np.dtype((np.record, np.dtype(described | {"offsets": offsets, "itemsize": size})))  # type: ignore[call-overload]
