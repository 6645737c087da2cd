"""Stepping one game of many: the same rules on the CPU and on the GPU, and what a device does with all games."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, Protocol, Self

import numpy as np

from signoria.games import AnyGame
from signoria.kernel.compiled import rule
from signoria.kernel.errors import BadOption
from signoria.kernel.game import OVER
from signoria.kernel.layout import Records
from signoria.kernel.luck import sow

Array = Any
"""A NumPy array on the CPU; on the GPU an array of Numba-CUDA, with `__cuda_array_interface__`."""
LEAVE = -1
"""The action that leaves a game as it is."""


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


def in_32_bits(actions: Array, n: int) -> Array:
    """Actions in memory of the CPU as int32; raises `BadOption` unless they are `n` whole numbers.

    Numbers that do not fit become the largest or smallest that does, which is no action either.
    """
    actions = np.asarray(actions)
    if actions.shape != (n,) or not np.issubdtype(actions.dtype, np.integer):
        raise wrong_actions(actions, n)
    if not np.can_cast(actions.dtype, np.int32):
        own, taken = np.iinfo(actions.dtype), np.iinfo(np.int32)
        actions = actions.clip(max(own.min, taken.min), min(own.max, taken.max))
    return actions.astype(np.int32, copy=False)


def wrong_actions(actions: Array, n: int) -> BadOption:
    """Why an array does not have an action for each game."""
    return BadOption(f"actions: {actions.dtype} of shape {tuple(actions.shape)}; give {n} whole numbers, one a game.")


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

    def writable(self, out: Array) -> bool:
        """Whether a caller's array lies on this device and can be written."""

    def state(self, k: int) -> Records:
        """A copy of one state, in memory of the CPU."""

    def copy(self) -> Self:
        """The same games again, which can be stepped independently."""

    def restore(self, saved: tuple[Any, Any, Any]) -> None:
        """Put back what `saved` returned."""

    def saved(self) -> tuple[Any, Any, Any]:
        """A copy of the states, the generators and the seats."""
