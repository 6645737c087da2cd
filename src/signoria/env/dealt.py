"""A game as environments play it: dealt by a seed, with forced steps made at once if that is asked for."""

from copy import copy
from operator import index
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from signoria.games import AnyGame, find_game, split_own
from signoria.kernel.compiled import rule
from signoria.kernel.errors import BadOption, IllegalStep
from signoria.kernel.game import Options
from signoria.kernel.luck import sow
from signoria.kernel.options import Option
from signoria.kernel.position import Position
from signoria.kernel.table import view_of
from signoria.kernel.view import only_step


def whole_seed(seed: Any) -> int:
    """A seed as a whole number from 0; raises `BadOption`."""
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise BadOption(f"seed: {seed!r}; give a whole number from 0.")
    return int(seed)


class DealtGame:
    """One game with fixed options that can be dealt again and again."""

    def __init__(
        self,
        game: str | AnyGame,
        players: int | None,
        options: dict[str, Option | Path | None],
        skip_forced: bool,
    ) -> None:
        self.game = find_game(game) if isinstance(game, str) else game
        given, own = split_own(self.game, options)
        players = self.game.usual_players if players is None else players
        self.options: Options = self.game.options({"players": players} | given)
        self.components: msgspec.Struct = self.game.components(self.options, own)
        self.players, self.skip_forced = self.options.players, skip_forced
        self._boxes = self.game.box(self.options, self.components)
        self.table = (self.game.name, self._boxes.tobytes())
        """What two games must have in common to continue from each other's positions."""
        self._size, self._write, self._actions = (
            self.game.observation.size,
            self.game.observation.write,
            self.game.steps,
        )
        self._total, self._won = self.game.columns.index("total"), self.game.columns.index("won")
        self.position = Position(self.game, self._boxes)
        self.legal: list[int] = []
        """The legal actions; empty when the game is over."""

    def deal(self, seed: int) -> None:
        """Begin a new game. The same seed, a whole number of at most 63 bits, gives the same deal."""
        luck = np.empty(1, np.uint64)
        _start(luck, seed)
        self.position = Position(self.game, self._boxes)
        self.position.call(self.game.rules.deal, luck)
        self._settle()

    def copy(self) -> "DealtGame":
        """A copy that can be changed independently."""
        other = copy(self)
        other.position, other.legal = self.position.copy(), self.legal[:]
        return other

    def restore(self, position: Position) -> None:
        """Continue from another position of the same game."""
        self.position = position
        self.legal = [] if position.over else position.legal

    def step(self, action: int) -> None:
        """Make a step; raises `IllegalStep` with the clause that forbids it, or `BadOption` for no whole number."""
        try:
            action = index(action)
        except TypeError as error:
            raise BadOption(f"action: {action!r}; give a whole number from 0 to {self.game.steps - 1}.") from error
        if action not in self.legal:
            raise self._illegal(action)
        self.position.apply(action)
        self._settle()

    def _settle(self) -> None:
        self.legal = [] if self.position.over else self.position.legal
        while self.skip_forced and (forced := only_step(self.legal)) is not None:
            self.position.apply(forced)
            self.legal = [] if self.position.over else self.position.legal

    def _illegal(self, action: int) -> IllegalStep:
        possible = ", ".join(map(str, self.legal[:12])) + (" ..." if len(self.legal) > 12 else "")
        if self.position.over or not 0 <= action < self.game.steps:
            why = "the game is over" if self.position.over else f"actions are 0 to {self.game.steps - 1}"
            return IllegalStep(f"Action {action} is not possible: {why}.", self.game.clauses[0].id)
        step = self.game.step_of(action)
        refusal = self.game.explain(self.position.refusal(action), step, self.position)
        return IllegalStep(f"Action {action} ({step}): {refusal.says} Possible now: {possible}.", refusal.clause)

    def observe(self, seat: int) -> NDArray[np.int8]:
        """What a seat knows, as the features of `game.observation`."""
        row = np.zeros(self._size, np.int8)
        self.position.seen_by(seat).call(self._write, seat, row)
        return row

    def mask(self, seat: int) -> NDArray[np.int8]:
        """1 for each legal action; all 0 unless it is this seat's turn."""
        mask = np.zeros(self._actions, np.int8)
        if self.legal and self.position.seat == seat:
            mask[self.legal] = 1
        return mask

    def view(self, seat: int) -> Any:
        """The view of a seat, as bots and pages get it."""
        return view_of(self.position, self.components, seat)

    def rewards(self) -> list[float]:
        """The result of a finished game for each seat: 1 for a win alone, and together 0.

        Losers share -1, and winners who are level share the win.
        """
        won = self.position.sheet()[:, self._won].astype(float)
        shares = won / won.sum()
        return [float(reward) for reward in (shares * self.players - 1) / (self.players - 1)]

    def points(self) -> list[int]:
        """The points of each seat in the current position."""
        return [int(points) for points in self.position.sheet()[:, self._total]]


@rule
def _start(luck: Any, seed: int) -> None:
    sow(luck, seed, 0)
