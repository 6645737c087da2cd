"""Many games stepped together, for programs that choose every step themselves: on the CPU cores or on the GPU.

    games = Games("my-game", players=2, n=4096, seed=1)
    while training:
        actions = policy(games.observe(), games.mask())     # one for each game
        stepped = games.step(actions)                       # finished games start again
        stepped.done, stepped.sheets                        # which games ended, and their score sheets

On the GPU (`device="cuda"`) all arrays stay there. PyTorch, JAX and CuPy take them without a copy
(`torch.as_tensor(games.mask(), device="cuda")`). A mask has a number for every action there is; where few of them are
legal at a time, the list of those is quicker (`games.legal()`).
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import cache
from os import cpu_count
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, Self

import numpy as np

from signoria.games import AnyGame, find_game, split_own
from signoria.kernel.compiled import rule
from signoria.kernel.errors import BadOption, IllegalStep
from signoria.kernel.game import OVER
from signoria.kernel.layout import Records, blank
from signoria.kernel.luck import sow
from signoria.kernel.observation import Feature
from signoria.kernel.options import Option
from signoria.kernel.position import Position

Array = Any
"""A NumPy array on the CPU; on the GPU an array of Numba-CUDA, with `__cuda_array_interface__`."""
LEAVE = -1
"""The action that leaves a game as it is."""
LEAST_GAMES = 256
"""With fewer games for each core, another thread costs more than it saves."""


class Stepped(NamedTuple):
    """What a step changed. The arrays are used again by the next step."""

    done: Array
    """1 for each game that ended (uint8). A new game has been dealt in its place."""
    sheets: Array
    """The score sheet of each game that ended: seats by `Games.columns` (int16). Of other games it says nothing."""


class LegalActions(NamedTuple):
    """The legal actions of each game. The arrays are used again by the next step."""

    counts: Array
    """How many there are (int16)."""
    actions: Array
    """Their numbers: `n` rows, each with `counts` of them at its beginning (int16). The rest of a row says nothing."""


class GameRules(NamedTuple):
    """What is done with one game; the same functions on the CPU and on the GPU."""

    begin: Callable[[Any, Any, Any, int, int, Any], None]
    """begin(s, box, luck, seed, k, steps): deal game k."""
    advance: Callable[[Any, Any, int, Any], int]
    """advance(s, box, step, steps): make a step; 1 if the game ended."""
    renew: Callable[[Any, Any, Any, Any, Any], None]
    """renew(s, box, luck, sheet, steps): score a game that ended, and deal a new one."""
    legal: Callable[[Any, Any, Any], int]
    """legal(s, box, steps): list the legal steps; returns how many."""
    mask: Callable[[Any, Any, Any, Any], None]
    """mask(s, box, steps, row): 1 for each legal step."""
    refusal: Callable[[Any, Any, int], int]
    see: Callable[[Any, Any, int], None]
    write: Callable[[Any, Any, int, Any], None]
    """Writes an observation."""


@cache
def game_rules(game: AnyGame, skip_forced: bool) -> GameRules:
    """The rules that `Games` runs; with `skip_forced`, steps without a choice are made at once."""
    deal, apply, legal_steps, score, count = (
        game.rules.deal,
        game.rules.apply,
        game.rules.legal_steps,
        game.rules.score,
        game.steps,
    )

    @rule
    def make_forced(s: Any, box: Any, steps: Any) -> None:
        if skip_forced:
            while s.asked != OVER and legal_steps(s, box, steps) == 1:
                apply(s, box, steps[0])

    @rule
    def begin(s: Any, box: Any, luck: Any, seed: int, k: int, steps: Any) -> None:
        sow(luck, seed, k)
        deal(s, box, luck)
        make_forced(s, box, steps)

    @rule
    def advance(s: Any, box: Any, step: int, steps: Any) -> int:
        apply(s, box, step)
        make_forced(s, box, steps)
        return 1 if s.asked == OVER else 0

    @rule
    def renew(s: Any, box: Any, luck: Any, sheet: Any, steps: Any) -> None:
        score(s, box, sheet)
        deal(s, box, luck)
        make_forced(s, box, steps)

    @rule
    def mask(s: Any, box: Any, steps: Any, row: Any) -> None:
        for step in range(count):
            row[step] = 0
        for i in range(legal_steps(s, box, steps)):
            row[steps[i]] = 1

    write = game.observation.write
    return GameRules(begin, advance, renew, legal_steps, mask, game.rules.refusal, game.rules.see, write)


class Device(Protocol):
    """Where games are played. Each method works on all games."""

    seats: Array
    states: Any

    def begin(self, seed: int) -> None:
        """Deal every game."""

    def refused(self, actions: Array) -> int:
        """The first game in which its step is illegal; -1 if there is none."""

    def step(self, actions: Array, done: Array, sheets: Array, legal: LegalActions) -> None:
        """Make a legal step in each game, and list the legal steps after it if there is room for them."""

    def legal(self, out: LegalActions) -> None:
        """List the legal steps."""

    def mask(self, out: Array, legal: LegalActions) -> None:
        """Write the legal steps; `legal` has them already, or is empty."""

    def observe(self, out: Array) -> None:
        """Write what the seat in turn knows."""

    def empty(self, shape: tuple[int, ...], kind: Any) -> Array:
        """A new array on this device."""

    def state(self, k: int) -> Records:
        """A copy of one state, in memory of the CPU."""

    def copy(self) -> Self:
        """The same games again, which can be stepped independently."""

    def restore(self, saved: tuple[Any, Any, Any]) -> None:
        """Put back what `saved` returned."""

    def saved(self) -> tuple[Any, Any, Any]:
        """A copy of the states, the generators and the seats."""


class Games:
    """`n` games that are stepped together. Each depends only on the seed, its number and the steps made in it.

    `states` has all positions, hidden cards included: for compiled bots, never for one that learns.

    Actions are step numbers: `game.step_of(7)` tells what 7 means, and their order never changes within a version of
    the rules. Illegal ones raise `IllegalStep`, and no game is changed.
    """

    def __init__(
        self,
        game: str | AnyGame,
        players: int | None = None,
        n: int = 1,
        *,
        device: Literal["cpu", "cuda"] = "cpu",
        seed: int = 0,
        skip_forced: bool = False,
        cores: int | None = None,
        **options: Option | Path | None,
    ) -> None:
        """Deal `n` games. `options` are the game's own, and `cores` limits the threads on the CPU.

        With `skip_forced`, steps without a choice are made at once. Raises `BadOption`, `BadDeck`, or `NoGpu`.
        """
        self.game = find_game(game) if isinstance(game, str) else game
        if n < 1:
            raise BadOption(f"n: {n} games cannot be stepped; give 1 or more.")
        given, own = split_own(self.game, options)
        self.options = self.game.options({"players": players or self.game.usual_players} | given)
        self.components = self.game.components(self.options, own)
        self.boxes = self.game.box(self.options, self.components)
        self.n, self.players, self.device, self.seed = n, self.options.players, device, seed
        self.actions = self.game.steps
        """How many actions there are."""
        self.columns = self.game.columns
        """The columns of a score sheet."""
        self.features: tuple[Feature, ...] = self.game.observation.features
        """What the numbers of an observation mean, in order."""
        self.size = self.game.observation.size
        """How many numbers an observation has."""
        rules = game_rules(self.game, skip_forced)
        self._device: Device
        if device == "cuda":
            from signoria.batch.games_gpu import GpuGames

            self._device = GpuGames(self.game, rules, self.boxes, n)
        elif device == "cpu":
            self._device = CpuGames(self.game, rules, self.boxes, n, cores or cpu_count() or 1)
        else:
            raise BadOption(f"device: there is no {device!r}; there is cpu and cuda.")
        self._device.begin(seed)
        self._done = self._device.empty((n,), np.uint8)
        self._sheets = self._device.empty((n, self.players, len(self.columns)), np.int16)
        self._legal = self._room_for_legal(0)

    @property
    def states(self) -> Any:
        """The states of all games, as records."""
        return self._device.states

    @property
    def seats(self) -> Array:
        """The seat that is asked in each game (int8)."""
        return self._device.seats

    def observe(self, out: Array | None = None) -> Array:
        """What the seat in turn knows in each game: `n` rows of `size` numbers (int8)."""
        out = self._device.empty((self.n, self.size), np.int8) if out is None else out
        self._device.observe(out)
        return out

    def mask(self, out: Array | None = None) -> Array:
        """1 for each legal action: `n` rows of `actions` numbers (uint8)."""
        out = self._device.empty((self.n, self.actions), np.uint8) if out is None else out
        self._device.mask(out, self._legal)
        return out

    def legal(self) -> LegalActions:
        """The legal actions of each game as a list. From the first call on, each step keeps these arrays up to date."""
        if not len(self._legal.counts):
            self._legal = self._room_for_legal(self.n)
            self._device.legal(self._legal)
        return self._legal

    def step(self, actions: Array, *, check: bool = True) -> Stepped:
        """Make one step in each game; finished games start again with a new deal. The action `LEAVE` leaves a game as it is.

        Without `check`, the steps must be legal; otherwise games become nonsense. On a GPU this saves waiting for it.
        """
        if check and (k := self._device.refused(actions)) >= 0:
            raise self._illegal(k, int(actions[k]))
        self._device.step(actions, self._done, self._sheets, self._legal)
        return Stepped(self._done, self._sheets)

    def position(self, k: int) -> Position:
        """A copy of game k as it stands, hidden cards included."""
        return Position(self.game, self.boxes, self._device.state(k))

    def reset(self, seed: int) -> None:
        """Deal all games again, from another seed."""
        self.seed = seed
        self._device.begin(seed)
        self._list_again()

    def save(self) -> tuple[Any, Any, Any]:
        """A copy of all games, for `restore`."""
        return self._device.saved()

    def restore(self, saved: tuple[Any, Any, Any]) -> None:
        """Continue from games that were saved; the same actions then lead to the same games, later deals included."""
        self._device.restore(saved)
        self._list_again()

    def __deepcopy__(self, memo: dict[int, Any]) -> "Games":
        """Copies that go on independently, in the same way; what never changes is shared."""
        other = copy(self)
        memo[id(self)] = other
        other._device = self._device.copy()
        other._done = self._device.empty(self._done.shape, np.uint8)
        other._sheets = self._device.empty(self._sheets.shape, np.int16)
        other._legal = self._room_for_legal(len(self._legal.counts))
        other._list_again()
        return other

    def _room_for_legal(self, n: int) -> LegalActions:
        empty = self._device.empty
        return LegalActions(empty((n,), np.int16), empty((n, self.game.most_legal), np.int16))

    def _list_again(self) -> None:
        if len(self._legal.counts):
            self._device.legal(self._legal)

    def _illegal(self, k: int, action: int) -> IllegalStep:
        position = self.position(k)
        if not 0 <= action < self.actions:
            return IllegalStep(
                f"Game {k}: there is no action {action}; they are 0 to {self.actions - 1}.", self.game.clauses[0].id
            )
        step = self.game.step_of(action)
        refusal = self.game.explain(position.refusal(action), step, position)
        return IllegalStep(f"Game {k}, action {action} ({step}): {refusal.says}", refusal.clause)


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
        actions = self._checked(actions)
        return next((k for k in self._each(self._loops.refused, self._numbers, actions) if k >= 0), -1)

    def step(self, actions: Array, done: Array, sheets: Array, legal: LegalActions) -> None:
        """Make a legal step in each game, and list the legal steps after it if there is room for them."""
        self._each(self._loops.step, self._checked(actions), done, sheets)
        if len(legal.counts):
            self.legal(legal)

    def legal(self, out: LegalActions) -> None:
        """List the legal steps."""
        self._each(self._loops.legal, out.counts, out.actions)

    def mask(self, out: Array, legal: LegalActions) -> None:
        """Write the legal steps."""
        self._each(self._loops.mask, out)

    def observe(self, out: Array) -> None:
        """Write what the seat in turn knows."""
        self._each(self._loops.observe, out)

    def empty(self, shape: tuple[int, ...], kind: Any) -> Array:
        """A new array."""
        return np.zeros(shape, kind)

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

    def _checked(self, actions: Array) -> Array:
        actions = np.asarray(actions)
        if actions.shape != self.seats.shape or not np.issubdtype(actions.dtype, np.integer):
            raise BadOption(
                f"actions: {actions.dtype} of shape {actions.shape}; give {len(self.seats)} whole numbers, one a game."
            )
        return actions.astype(np.int32, copy=False)

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
