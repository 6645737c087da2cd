"""Games that are stepped together on a GPU, one thread for each game."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from signoria.batch.games import LEAVE, Array, GameRules
from signoria.batch.gpu import REGISTERS, THREADS, find_gpu, structured
from signoria.games import AnyGame
from signoria.kernel.compiled import rule
from signoria.kernel.errors import BadOption
from signoria.kernel.layout import Records, blank
from signoria.kernel.rows import row_reader, row_size, row_writer

NONE_REFUSED = np.iinfo(np.int32).max


class GpuGames:
    """Games on a GPU."""

    def __init__(self, game: AnyGame, rules: GameRules, boxes: Records, n: int) -> None:
        cuda = find_gpu()
        self._cuda, self._kernels, self._n, self._game = cuda, kernels(game, rules), n, game
        self._boxes = cuda.to_device(structured(boxes))
        self.states = self.empty((n, row_size(game.state)), np.int8)
        self.seats, self._luck = cuda.device_array(n, np.int8), cuda.device_array((n, 1), np.uint64)
        self._refused = cuda.device_array(1, np.int32)

    def begin(self, seed: int) -> None:
        """Deal every game."""
        self._each(self._kernels.begin, self.states, self._boxes, self._luck, self.seats, seed)

    def refused(self, actions: Array) -> int:
        """The first game in which its step is illegal; -1 if there is none. Waits for the GPU."""
        self._refused.copy_to_device(np.array([NONE_REFUSED], np.int32))
        self._each(self._kernels.refused, self.states, self._boxes, self._taken(actions), self._refused)
        first = int(self._refused.copy_to_host()[0])
        return -1 if first == NONE_REFUSED else first

    def step(self, actions: Array, done: Array, sheets: Array) -> None:
        """Make a legal step in each game."""
        actions = self._taken(actions)
        self._each(self._kernels.step, self.states, self._boxes, self._luck, self.seats, actions, done, sheets)

    def mask(self, out: Array) -> None:
        """Write the legal steps."""
        self._each(self._kernels.mask, self.states, self._boxes, self._cuda.as_cuda_array(out))

    def observe(self, out: Array) -> None:
        """Write what the seat in turn knows."""
        self._each(self._kernels.observe, self.states, self._boxes, self._cuda.as_cuda_array(out))

    def empty(self, shape: tuple[int, ...], kind: Any) -> Array:
        """A new array on the GPU, column by column: neighbouring threads then write to neighbouring places."""
        return self._cuda.device_array(shape, kind, order="F")

    def state(self, k: int) -> Records:
        """A copy of one state, in memory of the CPU."""
        row = self._cuda.device_array(row_size(self._game.state), np.int8)
        self._kernels.fetch[1, THREADS](self.states, k, row)
        kept = blank(1, self._game.state)
        rows_into_states(self._game.state)(kept, row.copy_to_host()[None])
        return kept

    def saved(self) -> tuple[Any, Any, Any]:
        """A copy of the states, the generators and the seats."""
        copies = []
        for array in (self.states, self._luck, self.seats):
            copies.append(self._cuda.device_array_like(array))
            copies[-1].copy_to_device(array)
        return copies[0], copies[1], copies[2]

    def restore(self, saved: tuple[Any, Any, Any]) -> None:
        """Put back what `saved` returned."""
        for array, kept in zip((self.states, self._luck, self.seats), saved, strict=True):
            array.copy_to_device(kept)

    def _taken(self, actions: Array) -> Array:
        """Actions of any library on the GPU without a copy; those of the CPU are copied to the GPU."""
        if not hasattr(actions, "__cuda_array_interface__"):
            return self._cuda.to_device(np.ascontiguousarray(actions, np.int32))
        taken = self._cuda.as_cuda_array(actions)
        if taken.shape != (self._n,):
            raise BadOption(f"actions: shape {taken.shape}; give {self._n} whole numbers, one a game.")
        return taken

    def _each(self, kernel: Any, *arguments: Any) -> None:
        kernel[-(-self._n // THREADS), THREADS](*arguments)


class Kernels(NamedTuple):
    """CUDA kernels over games.

    States lie in columns, so that neighbouring threads read neighbouring numbers. A thread copies its state into its
    local memory and back.
    """

    begin: Any
    refused: Any
    step: Any
    mask: Any
    observe: Any
    fetch: Any


@cache
def rows_into_states(state: "np.dtype[np.void]") -> Callable[[Any, Any], None]:
    """The rule that reads states from rows."""
    read = row_reader(state)

    @rule
    def read_all(states: Any, rows: Any) -> None:
        for k in range(states.shape[0]):
            read(states[k], rows[k])

    return read_all


@cache
def kernels(game: AnyGame, rules: GameRules) -> Kernels:
    """The kernels that `GpuGames` runs."""
    from numba import from_dtype

    cuda = find_gpu()
    state, room, count = from_dtype(game.state), game.most_legal, game.steps
    read, write_back = row_reader(game.state), row_writer(game.state)
    begin_game, advance, mask_game, refusal, see, write = rules
    jit: Callable[..., Any] = cuda.jit(max_registers=REGISTERS)

    @jit
    def begin(states: Any, boxes: Any, luck: Any, seats: Any, seed: int) -> None:
        k = cuda.grid(1)
        own, steps = cuda.local.array(1, state), cuda.local.array(room, np.int16)
        if k < states.shape[0]:
            begin_game(own[0], boxes[0], luck[k], seed, k, steps)
            seats[k] = own[0].seat
            write_back(own[0], states[k])

    @jit
    def refused(states: Any, boxes: Any, actions: Any, first: Any) -> None:
        k = cuda.grid(1)
        own = cuda.local.array(1, state)
        if k < states.shape[0] and actions[k] != LEAVE:
            read(own[0], states[k])
            if actions[k] < 0 or actions[k] >= count or refusal(own[0], boxes[0], actions[k]) != 0:
                cuda.atomic.min(first, 0, k)

    @jit
    def step(states: Any, boxes: Any, luck: Any, seats: Any, actions: Any, done: Any, sheets: Any) -> None:
        k = cuda.grid(1)
        own, steps = cuda.local.array(1, state), cuda.local.array(room, np.int16)
        if k < states.shape[0]:
            done[k] = 0
        if k < states.shape[0] and actions[k] != LEAVE:
            read(own[0], states[k])
            done[k] = advance(own[0], boxes[0], luck[k], actions[k], steps, sheets[k])
            seats[k] = own[0].seat
            write_back(own[0], states[k])

    @jit
    def mask(states: Any, boxes: Any, rows: Any) -> None:
        k = cuda.grid(1)
        own, steps = cuda.local.array(1, state), cuda.local.array(room, np.int16)
        if k < states.shape[0]:
            read(own[0], states[k])
            mask_game(own[0], boxes[0], steps, rows[k])

    @jit
    def observe(states: Any, boxes: Any, rows: Any) -> None:
        k = cuda.grid(1)
        own = cuda.local.array(1, state)
        if k < states.shape[0]:
            read(own[0], states[k])
            see(own[0], boxes[0], own[0].seat)
            for i in range(rows.shape[1]):
                rows[k, i] = 0
            write(own[0], boxes[0], own[0].seat, rows[k])

    @jit
    def fetch(states: Any, k: int, row: Any) -> None:
        for i in range(cuda.grid(1), row.shape[0], THREADS):
            row[i] = states[k, i]

    return Kernels(begin, refused, step, mask, observe, fetch)
