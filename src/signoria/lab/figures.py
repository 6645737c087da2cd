"""What the sums of an experiment say: means with 95% intervals, and what things were worth."""

from collections.abc import Iterator
from math import sqrt
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from signoria.batch import statistics as sums
from signoria.batch.statistics import LOWEST, WHOLE, Statistics
from signoria.games import find_game
from signoria.kernel.counters import Happening, ReportedResult, Thing, ThingGroup
from signoria.lab.experiment import Experiment, set_up

Z95 = 1.96
"""Standard deviations on either side of the mean that cover 95%."""


class Estimate(msgspec.Struct, frozen=True):
    """A mean, and how far its 95% interval reaches on either side."""

    mean: float
    reach: float

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.mean - self.reach

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.mean + self.reach

    def minus(self, other: "Estimate") -> "Estimate":
        """The difference of two independent estimates."""
        return Estimate(self.mean - other.mean, sqrt(self.reach**2 + other.reach**2))

    @property
    def clear(self) -> bool:
        """Whether 0 is outside the interval."""
        return abs(self.mean) > self.reach


class Worth(NamedTuple):
    """What a thing was worth to players who held it, or held one more."""

    thing: Thing
    detail: str
    a_game: float
    """How many all players together held, per game."""
    win_share: float
    """The mean share of the win of players who held it."""
    points: Estimate
    """Points more than the others of the same game had, for each one held."""
    win: Estimate
    """The same for the share of the win."""


class Occurrence(NamedTuple):
    """How often something happened."""

    happening: Happening
    share: Estimate
    """The share of games in which it happened."""
    a_game: float


class Range(NamedTuple):
    """Where most values lie."""

    low: float
    middle: float
    high: float


class Results:
    """The results of an experiment."""

    def __init__(self, experiment: Experiment, statistics: Statistics) -> None:
        self.experiment, self.statistics = experiment, statistics
        self.game = find_game(experiment.game)
        self.players, self.games = experiment.players, int(statistics.games[0])
        self.fair = 1 / self.players
        self._total = self.game.columns.index("total")

    # Scores and seats

    def win_share(self, turn: int) -> Estimate:
        """How often the player wins who has this turn, from 0."""
        wins, squares = self.statistics.wins[turn]
        return _mean(wins / WHOLE, squares / WHOLE**2, self.games)

    def points(self, turn: int) -> Estimate:
        """The points of the player who has this turn."""
        return _mean(self.statistics.sums[turn, self._total], self.statistics.squares[turn], self.games)

    @property
    def parts(self) -> tuple[str, ...]:
        """The columns of the score sheet that points come from and that were ever used."""
        return tuple(
            name for i, name in enumerate(self.game.columns[: self._total]) if (self.statistics.sums[:, i] != 0).any()
        )

    def label(self, part: str) -> str:
        """A column of the score sheet in words."""
        return "points" if part == "total" else self.game.counters.parts.get(part, part)

    def part(self, part: str, turn: int | None = None) -> float:
        """Mean points from a part of the score sheet, of one player or of all."""
        column = self.statistics.sums[:, self.game.columns.index(part)] / self.games
        return float(column.mean() if turn is None else column[turn])

    @property
    def mean_points(self) -> float:
        """Mean points of all players."""
        return self.part("total")

    def values(self, column: str = "total", rank: int | None = None) -> dict[int, int]:
        """How often each value of a column occurred: of one rank (0 is the highest), or of all players."""
        ranked = self.statistics.ranked[self.game.columns.index(column)]
        counts = ranked.sum(axis=0) if rank is None else ranked[rank]
        return {int(place) + LOWEST: int(counts[place]) for place in np.flatnonzero(counts)}

    def range_of(self, column: str, rank: int) -> Range:
        """Where nine tenths of the values of a rank lie, and the middle one."""
        return _range(self.values(column, rank))

    @property
    def margin(self) -> float:
        """By how many points the best was ahead of the second, on average."""
        return _average(self.statistics.margins)

    @property
    def ties(self) -> float:
        """The share of games in which two players had the most points."""
        return float(self.statistics.margins[0] / self.games)

    @property
    def shared(self) -> float:
        """The share of games with more than one winner."""
        return float(self.statistics.games[1] / self.games)

    @property
    def decisions(self) -> float:
        """Mean number of decisions in a game."""
        return _average(self.statistics.lengths)

    @property
    def lengths(self) -> dict[int, int]:
        """How many games had each number of decisions."""
        return {int(n): int(self.statistics.lengths[n]) for n in np.flatnonzero(self.statistics.lengths)}

    # Things and happenings

    def worth(self) -> Iterator[tuple[ThingGroup, list[Worth]]]:
        """What things were worth, group by group; without things that nobody ever held."""
        details, number = self.game.counters.details(set_up(self.experiment).components), 0
        for group in self.game.counters.groups:
            found = []
            for thing in group.things:
                row = self.statistics.things[number]
                number += 1
                if row[sums.V] > 0:
                    found.append(self._worth(thing, details.get(thing.id, ""), row))
            if found:
                yield group, found

    def _worth(self, thing: Thing, detail: str, row: NDArray[np.float64]) -> Worth:
        v, vv = row[sums.V], row[sums.VV]
        return Worth(
            thing,
            detail,
            float(row[sums.HELD] / self.games),
            float(row[sums.WINS_HELD] / row[sums.HOLDERS] / WHOLE),
            _slope(row[sums.U], row[sums.UU], row[sums.UV], v, vv, 1),
            _slope(row[sums.X], row[sums.XX], row[sums.XV], v, vv, WHOLE),
        )

    def occurrences(self) -> list[Occurrence]:
        """How often each happening occurred, in the order of the clauses; without those that never did."""
        found = []
        for happening, (games, times) in zip(self.game.counters.happenings, self.statistics.happenings, strict=True):
            if games > 0:
                share = float(games / self.games)
                reach = Z95 * sqrt(share * (1 - share) / self.games)
                found.append(Occurrence(happening, Estimate(share, reach), float(times / self.games)))
        return found

    # Real games

    def reported(self) -> Iterator[tuple[ReportedResult, list[Range]]]:
        """Results of real games with this many players, with the range of each rank here."""
        for one in self.game.counters.reported:
            if one.players == self.players:
                yield one, [self.range_of(one.column, rank) for rank in range(self.players)]

    def to_dict(self) -> dict[str, Any]:
        """All figures by name, for programs."""
        return {
            "game": self.experiment.game,
            "title": self.experiment.title,
            "options": self.experiment.options,
            "bots": list(self.experiment.bots),
            "seed": self.experiment.seed,
            "changes": [change._asdict() for change in self.experiment.changes],
            "games": self.games,
            "decisions": self.decisions,
            "margin": self.margin,
            "shared": self.shared,
            "by_turn_order": [
                {"win_share": self.win_share(turn), "points": self.points(turn)}
                | {part: self.part(part, turn) for part in self.parts}
                for turn in range(self.players)
            ],
            "totals": self.values(),
            "winners_totals": self.values("total", 0),
            "worth": {
                group.title: {
                    worth.thing.id: {
                        "label": worth.thing.label,
                        "shows": worth.detail,
                        "held_a_game": worth.a_game,
                        "points": worth.points,
                        "win": worth.win,
                    }
                    for worth in things
                }
                for group, things in self.worth()
            },
            "happenings": [
                {"clause": one.happening.clause, "says": one.happening.says, "share": one.share, "a_game": one.a_game}
                for one in self.occurrences()
            ],
            "reported": [
                {"column": one.column, "values": list(one.values), "here": [list(rank) for rank in ranks]}
                for one, ranks in self.reported()
            ],
        }


def _mean(total: float, squares: float, games: int) -> Estimate:
    mean = float(total / games)
    variance = max(0.0, float(squares / games) - mean**2)
    return Estimate(mean, Z95 * sqrt(variance / games))


def _slope(u: float, uu: float, uv: float, v: float, vv: float, whole: float) -> Estimate:
    """A ratio of two sums over games with its interval; games are independent, seats of a game are not."""
    slope = u / v
    variance = max(0.0, uu - 2 * slope * uv + slope**2 * vv) / v**2
    return Estimate(float(slope / whole), float(Z95 * sqrt(variance) / whole))


def _average(counts: NDArray[np.int64]) -> float:
    return float((counts * np.arange(len(counts))).sum() / counts.sum())


def _range(values: dict[int, int]) -> Range:
    total, found, passed = sum(values.values()), [], 0
    wanted = [0.05, 0.5, 0.95]
    for value in sorted(values):
        passed += values[value]
        while wanted and passed >= wanted[0] * total:
            found.append(float(value))
            wanted.pop(0)
    return Range(*found)
