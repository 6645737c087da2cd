"""Plays games between compiled bots on a GPU and counts what happens in them: the same games and counts as on the CPU."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from signoria.batch.counting import Counted, empty_counts, watched
from signoria.batch.gpu import REGISTERS, THREADS, compiled_exactly, exact_options, find_gpu, record_type, structured
from signoria.batch.playing import RoomChooser
from signoria.batch.series_gpu import among_in_room
from signoria.kernel.compiled import rule
from signoria.kernel.game import Game
from signoria.kernel.layout import Records
from signoria.kernel.luck import sow

cuda = find_gpu()


@cache
def counting_kernel(game: Game[Any, Any, Any], choosers: tuple[RoomChooser, ...]) -> Any:
    """The CUDA kernel that plays game `start + k` of a series in thread k; each seat uses rule `who[seat]`."""
    choose, deal, state, room = among_in_room(choosers), game.rules.deal, record_type(game.state), game.most_legal

    @rule
    def choose_for_seat(s: Any, box: Any, given: Any) -> int:
        luck, who, steps = given
        return choose(s, box, luck, who, steps)

    play = watched(game, choose_for_seat)

    @cuda.jit(**exact_options(REGISTERS))  # type: ignore[untyped-decorator]
    def count_all(
        boxes: Any, seed: int, start: int, who: Any, sheets: Any, first: Any, decisions: Any, held: Any, counts: Any
    ) -> None:
        k = cuda.grid(1)
        own, before = cuda.local.array(1, state), cuda.local.array(1, state)
        luck, steps = cuda.local.array(1, np.uint64), cuda.local.array(room, np.int16)
        if k < first.shape[0]:
            sow(luck, seed, start + k)
            deal(own[0], boxes[0], luck)
            first[k] = own[0].seat
            decisions[k] = play(own[0], before, boxes[0], (luck, who, steps), sheets[k], held[k], counts[k])

    return count_all


class CountedOnGpu:
    """The games of a `CountedSeries` with the same seed and bots, played on a GPU."""

    def __init__(self, game: Game[Any, Any, Any], boxes: Records, choosers: Sequence[RoomChooser], seed: int) -> None:
        self._game, self._seed, self._players = game, seed, len(choosers)
        different = tuple(dict.fromkeys(choosers))
        self._play, self._boxes = counting_kernel(game, different), cuda.to_device(structured(boxes))
        self._who = cuda.to_device(np.array([different.index(choose) for choose in choosers], np.int8))

    def play(self, start: int, count: int) -> Counted:
        """Play games `start`, `start + 1`, ... together."""
        there = [cuda.to_device(array) for array in empty_counts(self._game, self._players, count)]
        with compiled_exactly():
            self._play[-(-count // THREADS), THREADS](self._boxes, self._seed, start, self._who, *there)
        return Counted(*(array.copy_to_host() for array in there))
