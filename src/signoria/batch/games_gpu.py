"""Games that are stepped together on a GPU, one thread for each game. Importing this raises `NoGpu` where there is none."""

from collections.abc import Callable
from copy import copy as shallow_copy
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from signoria.batch.gpu import THREADS, find_gpu, structured
from signoria.batch.stepping import LEAVE, Array, GameRules, LegalActions, in_32_bits, wrong_actions
from signoria.games import AnyGame
from signoria.kernel.layout import Records, blank

cuda = find_gpu()
NONE_REFUSED = np.iinfo(np.int32).max
MOST_BLOCKS = 1024
"""Blocks that score finished games and deal new ones: enough to fill the largest GPU."""


class GpuGames:
    """Games on a GPU.

    A step reads and writes a few bytes of a state, so each state stays in the memory of the GPU as it is; copying all of
    it takes longer. Few games end in a step. They are listed and then dealt again by threads next to each other, because
    32 threads run in lockstep and all of them wait for one that deals.
    """

    def __init__(self, game: AnyGame, rules: GameRules, boxes: Records, n: int) -> None:
        self._kernels, self._n, self._game = kernels(game, rules), n, game
        self._boxes = cuda.to_device(structured(boxes))
        self.states = cuda.device_array(n, game.state)
        self.seats, self._luck = cuda.device_array(n, np.int8), cuda.device_array((n, 1), np.uint64)
        self._refused = cuda.device_array(1, np.int32)
        self._ended, self._number_ended, self._turn = (
            cuda.device_array(n, np.int32),
            cuda.to_device(np.zeros(2, int)),
            0,
        )

    def begin(self, seed: int) -> None:
        """Deal every game."""
        self._each(self._kernels.begin, self.states, self._boxes, self._luck, self.seats, seed)

    def refused(self, actions: Array) -> int:
        """The first game in which its step is illegal; -1 if there is none. Waits for the GPU."""
        self._refused.copy_to_device(np.array([NONE_REFUSED], np.int32))
        self._each(self._kernels.refused, self.states, self._boxes, self._taken(actions), self._refused)
        first = int(self._refused.copy_to_host()[0])
        return -1 if first == NONE_REFUSED else first

    def step(self, actions: Array, done: Array, sheets: Array, legal: LegalActions) -> None:
        """Make a legal step in each game, and list the legal steps after it if there is room for them."""
        actions, turn = self._taken(actions), self._turn
        ended, number = self._ended, self._number_ended
        self._each(self._kernels.step, self.states, self._boxes, self.seats, actions, done, *legal, ended, number, turn)
        self._kernels.renew[min(MOST_BLOCKS, self._blocks), THREADS](
            self.states, self._boxes, self._luck, self.seats, sheets, *legal, ended, number, turn
        )
        self._turn = 1 - turn

    def legal(self, out: LegalActions) -> None:
        """List the legal steps."""
        self._each(self._kernels.legal, self.states, self._boxes, *out)

    def mask(self, out: Array, legal: LegalActions) -> None:
        """Write the legal steps; if they are listed already, the list is copied."""
        rows = on_gpu(out)
        cleared = clear(rows)
        if len(legal.counts):
            self._each(self._kernels.mask_listed, *legal, rows, cleared)
        else:
            self._each(self._kernels.mask, self.states, self._boxes, rows, cleared)

    def observe(self, out: Array) -> None:
        """Write what the seat in turn knows."""
        self._each(self._kernels.observe, self.states, self._boxes, on_gpu(out))

    def empty(self, shape: tuple[int, ...], kind: Any) -> Array:
        """A new array on the GPU, column by column: neighbouring threads then write to neighbouring places."""
        return cuda.device_array(shape, kind, order="F")

    def writable(self, out: Array) -> bool:
        """Whether it is an array of any library on the GPU."""
        return is_on_gpu(out)

    def state(self, k: int) -> Records:
        """A copy of one state, in memory of the CPU."""
        kept = blank(1, self._game.state)
        kept[:] = self.states[k : k + 1].copy_to_host()
        return kept

    def copy(self) -> "GpuGames":
        """The same games again."""
        other = shallow_copy(self)
        other.states, other._luck, other.seats = self.saved()
        other._refused, other._ended, other._number_ended = (
            self.copied(part) for part in (self._refused, self._ended, self._number_ended)
        )
        return other

    def copied(self, array: Array) -> Array:
        """A copy of an array on the GPU."""
        other = cuda.device_array_like(array)
        copy(other, array)
        return other

    def saved(self) -> tuple[Any, Any, Any]:
        """A copy of the states, the generators and the seats."""
        return self.copied(self.states), self.copied(self._luck), self.copied(self.seats)

    def restore(self, saved: tuple[Any, Any, Any]) -> None:
        """Put back what `saved` returned."""
        for array, kept in zip((self.states, self._luck, self.seats), saved, strict=True):
            copy(array, kept)

    def _taken(self, actions: Array) -> Array:
        """Actions of any library on the GPU without a copy; those of the CPU are copied to the GPU."""
        if not is_on_gpu(actions):
            return cuda.to_device(np.ascontiguousarray(in_32_bits(actions, self._n)))
        taken = on_gpu(actions)
        if taken.shape != (self._n,) or not np.issubdtype(taken.dtype, np.integer):
            raise wrong_actions(taken, self._n)
        return taken

    @property
    def _blocks(self) -> int:
        return -(-self._n // THREADS)

    def _each(self, kernel: Any, *arguments: Any) -> None:
        kernel[self._blocks, THREADS](*arguments)


def is_on_gpu(array: Array) -> bool:
    """Whether it is an array of any library on the GPU."""
    return hasattr(array, "copy_to_host") or hasattr(array, "__cuda_array_interface__")


def on_gpu(array: Array) -> Array:
    """An array of any library on the GPU, without a copy."""
    return array if hasattr(array, "copy_to_host") else cuda.as_cuda_array(array)


def copy(to: Array, array: Array) -> None:
    """Copy an array of the GPU into another one of the same kind."""
    cuda.cudadrv.driver.device_to_device(to, array, array.size * array.dtype.itemsize)


def clear(array: Array) -> bool:
    """Fill an array with zeros, if it lies in one piece of memory: much quicker than a thread for each row can."""
    whole = bool(array.is_c_contiguous() or array.is_f_contiguous())
    if whole:
        cuda.cudadrv.driver.device_memset(array, 0, array.size * array.dtype.itemsize)
    return whole


class Kernels(NamedTuple):
    """CUDA kernels over games."""

    begin: Any
    refused: Any
    step: Any
    renew: Any
    legal: Any
    mask: Any
    mask_listed: Any
    observe: Any


@cache
def kernels(game: AnyGame, rules: GameRules) -> Kernels:
    """The kernels that `GpuGames` runs."""
    from numba import from_dtype

    state, room, count = from_dtype(game.state), game.most_legal, game.steps
    begin_game, advance, renew_game, list_legal, _, refusal, see, write = rules
    jit: Callable[..., Any] = cuda.jit

    @jit
    def begin(states: Any, boxes: Any, luck: Any, seats: Any, seed: int) -> None:
        k = cuda.grid(1)
        steps = cuda.local.array(room, np.int16)
        if k < states.shape[0]:
            begin_game(states[k], boxes[0], luck[k], seed, k, steps)
            seats[k] = states[k].seat

    @jit
    def refused(states: Any, boxes: Any, actions: Any, first: Any) -> None:
        k = cuda.grid(1)
        if k < states.shape[0] and actions[k] != LEAVE:
            known = 0 <= actions[k] < count
            if not known or refusal(states[k], boxes[0], actions[k]) != 0:
                cuda.atomic.min(first, 0, k)

    @jit
    def step(
        states: Any,
        boxes: Any,
        seats: Any,
        actions: Any,
        done: Any,
        counts: Any,
        rows: Any,
        ended: Any,
        number: Any,
        turn: int,
    ) -> None:
        k = cuda.grid(1)
        steps = cuda.local.array(room, np.int16)
        if k < states.shape[0]:
            s = states[k]
            done[k] = 0
            if actions[k] != LEAVE:
                done[k] = advance(s, boxes[0], actions[k], steps)
                seats[k] = s.seat
            if done[k]:
                ended[cuda.atomic.add(number, turn, 1)] = k
            elif k < counts.shape[0]:
                counts[k] = list_legal(s, boxes[0], rows[k])

    @jit
    def renew(
        states: Any,
        boxes: Any,
        luck: Any,
        seats: Any,
        sheets: Any,
        counts: Any,
        rows: Any,
        ended: Any,
        number: Any,
        turn: int,
    ) -> None:
        steps = cuda.local.array(room, np.int16)
        for i in range(cuda.grid(1), number[turn], cuda.gridsize(1)):
            k = ended[i]
            s = states[k]
            renew_game(s, boxes[0], luck[k], sheets[k], steps)
            seats[k] = s.seat
            if k < counts.shape[0]:
                counts[k] = list_legal(s, boxes[0], rows[k])
        if cuda.grid(1) == 0:
            number[1 - turn] = 0  # for the next step; this one still reads its own

    @jit
    def legal(states: Any, boxes: Any, counts: Any, rows: Any) -> None:
        k = cuda.grid(1)
        if k < states.shape[0]:
            counts[k] = list_legal(states[k], boxes[0], rows[k])

    @jit
    def mask(states: Any, boxes: Any, rows: Any, cleared: bool) -> None:
        k = cuda.grid(1)
        steps = cuda.local.array(room, np.int16)
        if k < states.shape[0]:
            if not cleared:
                for action in range(count):
                    rows[k, action] = 0
            for i in range(list_legal(states[k], boxes[0], steps)):
                rows[k, steps[i]] = 1

    @jit
    def mask_listed(counts: Any, actions: Any, rows: Any, cleared: bool) -> None:
        k = cuda.grid(1)
        if k < counts.shape[0]:
            if not cleared:
                for action in range(count):
                    rows[k, action] = 0
            for i in range(counts[k]):
                rows[k, actions[k, i]] = 1

    @jit
    def observe(states: Any, boxes: Any, rows: Any) -> None:
        k = cuda.grid(1)
        own = cuda.local.array(1, state)
        if k < states.shape[0]:
            own[0] = states[k]
            see(own[0], boxes[0], own[0].seat)
            for i in range(rows.shape[1]):
                rows[k, i] = 0
            write(own[0], boxes[0], own[0].seat, rows[k])

    return Kernels(begin, refused, step, renew, legal, mask, mask_listed, observe)
