"""Many games stepped together, for programs that choose every step themselves: on the CPU cores or on the GPU.

    games = Games("my-game", players=2, n=4096, seed=1)
    while training:
        actions = policy(games.observe(), games.mask())     # one for each game
        stepped = games.step(actions)                       # finished games start again
        stepped.done, stepped.sheets                        # which games ended, and their score sheets

On the GPU (`device="cuda"`) all arrays stay there. PyTorch, JAX and CuPy take them without a copy
(`torch.as_tensor(games.mask(), device="cuda")`). A mask has one number for every action of the game. If few are legal at a
time, the list of legal actions is quicker (`games.legal()`).
"""

from copy import copy
from os import cpu_count
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from signoria.batch.games_cpu import CpuGames
from signoria.batch.stepping import Array, Device, LegalActions, Stepped, game_rules
from signoria.games import AnyGame, find_game, split_own
from signoria.kernel.errors import BadOption, IllegalStep
from signoria.kernel.observation import Feature
from signoria.kernel.options import Option
from signoria.kernel.position import Position


class SavedGames(NamedTuple):
    """Games as they stood."""

    table: tuple[Any, ...]
    """What they have to have in common with the games that they are restored to."""
    games: tuple[Any, Any, Any]
    """The states, the generators and the seats."""


class Games:
    """`n` games that are stepped together. Each depends only on the seed, its number and the steps made in it.

    `states` has all positions, hidden cards included: for compiled bots, never for one that learns.

    Actions are step numbers: `game.step_of(7)` tells you what 7 means, and their order never changes within a version of
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
        n, seed = _whole("n", n, 1), _whole("seed", seed, 0)
        if cores is not None:
            cores = _whole("cores", cores, 1)
        given, own = split_own(self.game, options)
        players = self.game.usual_players if players is None else players
        self.options = self.game.options({"players": players} | given)
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
        out = self._rows(out, self.size, np.int8)
        self._device.observe(out)
        return out

    def mask(self, out: Array | None = None) -> Array:
        """1 for each legal action: `n` rows of `actions` numbers (uint8)."""
        out = self._rows(out, self.actions, np.uint8)
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
        if _whole("k", k, 0) >= self.n:
            raise BadOption(f"There is no game {k}; they are 0 to {self.n - 1}.")
        return Position(self.game, self.boxes, self._device.state(k))

    def reset(self, seed: int) -> None:
        """Deal all games again, from another seed."""
        self.seed = _whole("seed", seed, 0)
        self._device.begin(self.seed)
        self._list_again()

    def save(self) -> SavedGames:
        """A copy of all games, for `restore`."""
        return SavedGames(self._table, self._device.saved())

    def restore(self, saved: SavedGames) -> None:
        """Continue from games that were saved; the same actions then lead to the same games, later deals included.

        They can also be saved from other `Games` with the same game, options, number of games and device.
        """
        if getattr(saved, "table", None) != self._table:
            raise BadOption(
                f"saved: give what save() returned, from {self.n} games of {self.game.title} on this device ({self.device}),"
                " with the same options."
            )
        self._device.restore(saved.games)
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

    @property
    def _table(self) -> tuple[Any, ...]:
        return self.game.name, self.device, self.n, self.boxes.tobytes()

    def _rows(self, out: Array | None, columns: int, kind: type[np.generic]) -> Array:
        """A row for each game: a new array, or the caller's if it has the right shape and type."""
        shape, name = (self.n, columns), np.dtype(kind).name
        if out is None:
            return self._device.empty(shape, kind)
        if not self._device.writable(out):
            raise BadOption(
                f"out: this {type(out).__name__} cannot be written to; give an array of {name} on this device"
                f" ({self.device}), of shape {shape}."
            )
        if tuple(out.shape) != shape or str(out.dtype).removeprefix("torch.") != name:
            raise BadOption(f"out: {out.dtype} of shape {tuple(out.shape)}; give {name} of shape {shape}.")
        return out

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


def _whole(name: str, value: Any, least: int) -> int:
    """The value as a whole number that fits in 64 bits; raises `BadOption`."""
    if not isinstance(value, int | np.integer) or not least <= value < 1 << 63:
        raise BadOption(f"{name}: {value!r}; give a whole number from {least}.")
    return int(value)
