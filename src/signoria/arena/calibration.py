"""Compares bots' stated chances to win with how often they win."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec
import numpy as np

from signoria.arena.playing import shares
from signoria.bots import Adviser, find_bot, runner
from signoria.bots.search import with_certainty
from signoria.games import AnyTable
from signoria.kernel.errors import BadOption

GROUPS = 10
WANTED = 3.0
"""The mean deviation that is wanted at most, in percentage points."""


class Stated(NamedTuple):
    """A chance to win that a bot stated for itself, and its share of the win in the end."""

    chance: float
    won: float
    others: tuple[float, ...]
    """The chances of the other seats."""


class ChanceGroup(msgspec.Struct, frozen=True):
    """Positions with similar chances."""

    stated: float
    """The mean of the stated chances."""
    won: float
    """The mean share of the win."""
    positions: int
    games: int
    """Games in which such a chance was stated."""


class Calibration(msgspec.Struct, frozen=True):
    """How far stated chances are from results."""

    groups: tuple[ChanceGroup, ...]
    """Chances below 10%, 20% and so on; groups without positions are left out."""
    games: int
    deviation: float
    """The mean difference between stated and won in percentage points; each group counts with its positions."""
    certainty: float
    """The power of the stated chances that would have fitted the results best: more than 1 if they were too even."""


def calibrate(games: Iterable[Iterable[Stated]]) -> Calibration:
    """Sort what was stated in some games into ten groups."""
    found: list[list[Stated]] = [[] for _ in range(GROUPS)]
    met, count = [0] * GROUPS, 0
    for game in games:
        count += 1
        there = set()
        for one in game:
            group = min(GROUPS - 1, int(one.chance * GROUPS))
            found[group].append(one)
            there.add(group)
        for group in there:
            met[group] += 1
    groups = tuple(
        ChanceGroup(
            sum(one.chance for one in group) / len(group), sum(one.won for one in group) / len(group), len(group), games
        )
        for group, games in zip(found, met, strict=True)
        if group
    )
    positions = sum(group.positions for group in groups)
    off = sum(abs(group.stated - group.won) * group.positions for group in groups)
    return Calibration(
        groups,
        count,
        100 * off / positions if positions else 0.0,
        best_certainty([one for group in found for one in group]),
    )


def best_certainty(stated: Sequence[Stated]) -> float:
    """The power of the chances with the greatest likelihood."""
    if not stated:
        return 1.0
    chances, won = np.array([(one.chance, *one.others) for one in stated]), np.array([one.won for one in stated])

    def likelihood(certainty: float) -> float:
        own = np.clip(with_certainty(chances, certainty)[:, 0], 1e-6, 1 - 1e-6)
        return float(won @ np.log(own) + (1 - won) @ np.log(1 - own))

    return round(float(max(np.linspace(0.5, 3.0, 251), key=likelihood)), 2)


def play_stating(table: AnyTable, name: str, luck: str) -> list[Stated]:
    """Play a game in which every seat has the same bot, and note the chance that it states at each decision.

    The bot makes the step that it explains. Raises `BadOption` if it cannot explain its steps.
    """
    bots = [_Stating(name, Random(f"{luck}/{seat}")) for seat in range(table.options.players)]
    runner.play_out(table, dict(enumerate(bots)))
    won = shares(table, list(range(len(bots))))
    return [
        Stated(chances[seat], won[seat], (*chances[:seat], *chances[seat + 1 :]))
        for seat, bot in enumerate(bots)
        for chances in bot.chances
    ]


class _Stating:
    """A bot that notes what it states."""

    def __init__(self, name: str, rng: Random) -> None:
        bot = find_bot(name)
        if not isinstance(bot, Adviser):
            raise BadOption(f"bots: {name} does not state chances to win; search and net do.")
        self._bot, self._rng = bot, rng
        self.chances: list[tuple[float, ...]] = []

    def decide(self, view: Any) -> Any:
        """The step that the bot considers best."""
        said = self._bot.explain(view, self._rng)
        self.chances.append(said.chances)
        return said.considered[0].step
