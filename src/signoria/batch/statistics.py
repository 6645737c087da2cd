"""Adds up what was counted in any number of games. The sums are whole numbers, so their order does not matter."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from signoria.batch.counting import Counted
from signoria.kernel.compiled import rule
from signoria.kernel.game import Game

LOWEST, VALUES = -60, 360
"""Values of a score sheet that are told apart: from LOWEST on. Others count as the nearest."""
LENGTHS = 2000
"""Numbers of decisions that are told apart."""
WHOLE = 60
"""A win, so that two to five players can share it without a fraction."""

HOLDERS, HELD, GAMES_HELD, WINS_HELD = range(4)
V, VV, U, UU, UV, X, XX, XV = range(4, 12)
OF_THINGS = 12
"""What is added up for a thing: seats that held it, how many they held, games in which a seat held it, wins of those seats.
Then sums over games of: v, the squared deviations of what seats held from the mean of the game; u, the products of these
deviations with those of points; x, the same with wins; and their squares and products."""

OCCURRED, TIMES = range(2)


class Statistics(NamedTuple):
    """Sums over games. Rows of seats are in turn order: row 0 is the first player."""

    games: NDArray[np.int64]
    """How many games, and how many of them more than one player won."""
    wins: NDArray[np.float64]
    """Seats by: wins and their squares, in parts of WHOLE."""
    sums: NDArray[np.float64]
    """Seats by columns of the score sheet."""
    squares: NDArray[np.float64]
    """The squares of the points of each seat."""
    ranked: NDArray[np.int64]
    """Columns by ranks by values: in how many games the highest, second-highest, ... value of a column was this value."""
    margins: NDArray[np.int64]
    """How many games had each margin between the highest and the second-highest points."""
    lengths: NDArray[np.int64]
    """How many games had each number of decisions."""
    things: NDArray[np.float64]
    happenings: NDArray[np.float64]
    """By happening: games in which it occurred, and how often it occurred."""

    def add(self, other: "Statistics") -> None:
        """Add the sums of other games."""
        mine: Any
        for mine, theirs in zip(self, other, strict=True):
            mine += theirs


def empty_statistics(game: Game[Any, Any, Any], players: int) -> Statistics:
    """The statistics of no games."""
    counters, parts = game.counters, game.columns.index("total") + 1
    return Statistics(
        np.zeros(2, np.int64),
        np.zeros((players, 2)),
        np.zeros((players, len(game.columns))),
        np.zeros(players),
        np.zeros((parts, players, VALUES), np.int64),
        np.zeros(VALUES, np.int64),
        np.zeros(LENGTHS, np.int64),
        np.zeros((len(counters.things), OF_THINGS)),
        np.zeros((len(counters.happenings), 2)),
    )


def statistics_of(game: Game[Any, Any, Any], counted: Counted) -> Statistics:
    """The sums of some games."""
    statistics = empty_statistics(game, counted.sheets.shape[1])
    adder(game.columns.index("total"), game.columns.index("won"))(*counted, *statistics)
    return statistics


@rule
def _place(value: int, places: int) -> int:
    return min(max(value, 0), places - 1)


@rule
def _add_ranks(sheet: Any, column: int, ranked: Any, values: Any) -> None:
    """Sort a column of one score sheet, and count its values by rank."""
    players = sheet.shape[0]
    for seat in range(players):
        at = seat
        while at > 0 and values[at - 1] < sheet[seat, column]:
            values[at] = values[at - 1]
            at -= 1
        values[at] = sheet[seat, column]
    for rank in range(players):
        ranked[column, rank, _place(values[rank] - LOWEST, VALUES)] += 1


@rule
def _add_thing(held: Any, thing: int, points: Any, wins: Any, sums: Any) -> None:
    """Add what one game says about a thing; `points` and `wins` are deviations from the mean, times the players."""
    players = held.shape[0]
    all_held = 0
    for seat in range(players):
        all_held += held[seat, thing]
    if all_held == 0:
        return
    v, u, x = 0, 0, 0
    for seat in range(players):
        own = int(held[seat, thing])
        deviation = players * own - all_held
        v += deviation * deviation
        u += deviation * points[seat]
        x += deviation * wins[seat]
        if own > 0:
            sums[thing, HOLDERS] += 1
            sums[thing, WINS_HELD] += (wins[seat] + WHOLE) // players
    sums[thing, HELD] += all_held
    sums[thing, GAMES_HELD] += 1
    sums[thing, V] += v
    sums[thing, VV] += float(v) * v
    sums[thing, U] += u
    sums[thing, UU] += float(u) * u
    sums[thing, UV] += float(u) * v
    sums[thing, X] += x
    sums[thing, XX] += float(x) * x
    sums[thing, XV] += float(x) * v


@cache
def adder(total: int, won: int) -> Any:
    """The rule that adds games to statistics; `total` and `won` are columns of score sheets."""

    @rule
    def add_games(
        sheets: Any,
        first: Any,
        decisions: Any,
        held: Any,
        counts: Any,
        games: Any,
        wins: Any,
        sums: Any,
        squares: Any,
        ranked: Any,
        margins: Any,
        lengths: Any,
        things: Any,
        happenings: Any,
    ) -> None:
        players, columns = sheets.shape[1], sheets.shape[2]
        values = np.empty(players, np.int64)
        points, shares = np.empty(players, np.int64), np.empty(players, np.int64)
        games[0] += sheets.shape[0]
        for k in range(sheets.shape[0]):
            sheet = sheets[k]
            winners, all_points = 0, 0
            for seat in range(players):
                winners += sheet[seat, won]
                all_points += sheet[seat, total]
            if winners > 1:
                games[1] += 1
            for turn in range(players):
                seat = (first[k] + turn) % players
                share = WHOLE // winners if sheet[seat, won] == 1 else 0
                wins[turn, 0] += share
                wins[turn, 1] += share * share
                squares[turn] += float(sheet[seat, total]) * sheet[seat, total]
                for column in range(columns):
                    sums[turn, column] += sheet[seat, column]
                points[seat] = players * sheet[seat, total] - all_points
                shares[seat] = players * share - WHOLE
            for column in range(total + 1):
                _add_ranks(sheet, column, ranked, values)
            margins[_place(values[0] - values[1], VALUES)] += 1
            lengths[_place(decisions[k], LENGTHS)] += 1
            for thing in range(held.shape[2]):
                _add_thing(held[k], thing, points, shares, things)
            for happening in range(counts.shape[1]):
                if counts[k, happening] > 0:
                    happenings[happening, OCCURRED] += 1
                    happenings[happening, TIMES] += counts[k, happening]

    return add_games
