"""Games that are stepped together on the cores of the CPU."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from signoria.batch.stepping import LEAVE, Array, GameRules, LegalActions, in_32_bits
from signoria.games import AnyGame
from signoria.kernel.compiled import rule
from signoria.kernel.layout import Records, blank

LEAST_GAMES = 256
"""With fewer games for each core, another thread costs more than it saves."""


class CpuGames:
    """Games on the cores of the CPU."""

    def __init__(self, game: AnyGame, rules: GameRules, boxes: Records, n: int, cores: int) -> None:
        self._loops, self._boxes = cpu_loops(game, rules), boxes
        self.states = blank(n, game.state)
        self.seats, self._luck, self._numbers = np.zeros(n, np.int8), np.zeros((n, 1), np.uint64), np.arange(n)
        threads = max(1, min(cores, n // LEAST_GAMES))
        self._parts = [slice(n * i // threads, n * (i + 1) // threads) for i in range(threads)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def begin(self, seed: int) -> None:
        """Deal every game."""
        self._each(self._loops.begin, self._numbers, seed)

    def refused(self, actions: Array) -> int:
        """The first game in which its step is illegal; -1 if there is none."""
        actions = in_32_bits(actions, len(self.seats))
        return next((k for k in self._each(self._loops.refused, self._numbers, actions) if k >= 0), -1)

    def step(self, actions: Array, done: Array, sheets: Array, legal: LegalActions) -> None:
        """Make a legal step in each game, and list the legal steps after it if there is room for them."""
        self._each(self._loops.step, in_32_bits(actions, len(self.seats)), done, sheets)
        if len(legal.counts):
            self.legal(legal)

    def legal(self, out: LegalActions) -> None:
        """List the legal steps."""
        self._each(self._loops.legal, out.counts, out.actions)

    def mask(self, out: Array, legal: LegalActions) -> None:
        """Write the legal steps."""
        self._each(self._loops.mask, np.asarray(out))

    def observe(self, out: Array) -> None:
        """Write what the seat in turn knows."""
        self._each(self._loops.observe, np.asarray(out))

    def empty(self, shape: tuple[int, ...], kind: Any) -> Array:
        """A new array."""
        return np.zeros(shape, kind)

    def writable(self, out: Array) -> bool:
        """Whether it is an array of NumPy, or of another library in memory of the CPU, and not read-only."""
        try:
            return hasattr(out, "__array__") and bool(np.asarray(out).flags.writeable)
        except TypeError:  # a tensor on a GPU
            return False

    def state(self, k: int) -> Records:
        """A copy of one state."""
        return self.states[k : k + 1].copy()

    def copy(self) -> "CpuGames":
        """The same games again; they share the threads."""
        other = copy(self)
        other.states, other._luck, other.seats = self.saved()
        return other

    def saved(self) -> tuple[Any, Any, Any]:
        """A copy of the states, the generators and the seats."""
        return self.states.copy(), self._luck.copy(), self.seats.copy()

    def restore(self, saved: tuple[Any, Any, Any]) -> None:
        """Put back what `saved` returned."""
        self.states[:], self._luck[:], self.seats[:] = saved

    def _each(self, loop: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Call a loop for the games of each core. Arrays among the arguments are divided."""

        def call(part: slice) -> Any:
            own = [value[part] if isinstance(value, np.ndarray) else value for value in arguments]
            return loop(self.states[part], self._boxes, self._luck[part], self.seats[part], *own)

        return [call(part) for part in self._parts] if self._pool is None else list(self._pool.map(call, self._parts))


class CpuLoops(NamedTuple):
    """Compiled loops over games."""

    begin: Callable[..., None]
    refused: Callable[..., int]
    step: Callable[..., None]
    legal: Callable[..., None]
    mask: Callable[..., None]
    observe: Callable[..., None]


@cache
def cpu_loops(game: AnyGame, rules: GameRules) -> CpuLoops:
    """The loops that `CpuGames` runs."""
    room, steps_of_game = game.most_legal, game.steps
    begin_game, advance, renew, list_legal, mask_game, refusal, see, write = rules

    @rule
    def begin(states: Any, boxes: Any, luck: Any, seats: Any, numbers: Any, seed: int) -> None:
        steps = np.empty(room, np.int16)
        for k in range(states.shape[0]):
            begin_game(states[k], boxes[0], luck[k], seed, numbers[k], steps)
            seats[k] = states[k].seat

    @rule
    def refused(states: Any, boxes: Any, luck: Any, seats: Any, numbers: Any, actions: Any) -> int:
        for k in range(states.shape[0]):
            action = actions[k]
            if action != LEAVE and (action < 0 or action >= steps_of_game or refusal(states[k], boxes[0], action) != 0):
                return int(numbers[k])
        return -1

    @rule
    def step(states: Any, boxes: Any, luck: Any, seats: Any, actions: Any, done: Any, sheets: Any) -> None:
        steps = np.empty(room, np.int16)
        for k in range(states.shape[0]):
            done[k] = 0
            if actions[k] != LEAVE:
                done[k] = advance(states[k], boxes[0], actions[k], steps)
                if done[k]:
                    renew(states[k], boxes[0], luck[k], sheets[k], steps)
                seats[k] = states[k].seat

    @rule
    def legal(states: Any, boxes: Any, luck: Any, seats: Any, counts: Any, rows: Any) -> None:
        for k in range(states.shape[0]):
            counts[k] = list_legal(states[k], boxes[0], rows[k])

    @rule
    def mask(states: Any, boxes: Any, luck: Any, seats: Any, rows: Any) -> None:
        steps = np.empty(room, np.int16)
        for k in range(states.shape[0]):
            mask_game(states[k], boxes[0], steps, rows[k])

    @rule
    def observe(states: Any, boxes: Any, luck: Any, seats: Any, rows: Any) -> None:
        seen = states[:1].copy()
        for k in range(states.shape[0]):
            seen[0] = states[k]
            see(seen[0], boxes[0], states[k].seat)
            rows[k, :] = 0
            write(seen[0], boxes[0], states[k].seat, rows[k])

    return CpuLoops(begin, refused, step, legal, mask, observe)
