"""Statistics of any number of games, collected while they are played."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from signoria.kernel.game import Game


class SeriesStatistics(NamedTuple):
    """Games counted together; everything is a whole number, so that no order of adding changes a sum."""

    games: int
    decisions: int
    wins: NDArray[np.int64]
    """By turn order and by how many players shared the win, from 0 to all of them."""
    sums: NDArray[np.int64]
    """The sum of each column of the score sheets, by turn order."""
    squares: NDArray[np.int64]
    """The sum of the squares of the totals, by turn order."""
    totals: dict[int, int]
    """How often each total was reached."""


class SeriesSummary:
    """Wins and points by turn order: row 0 is the first player."""

    def __init__(self, game: Game[Any, Any, Any], players: int) -> None:
        self.columns, self.players = game.columns, players
        self.games = self.decisions = 0
        self._wins = np.zeros((players, players + 1), np.int64)
        self._sums = np.zeros((players, len(game.columns)), np.int64)
        self._squares = np.zeros(players, np.int64)
        self._totals: dict[int, int] = {}

    @property
    def shared(self) -> int:
        """Games won by more than one player."""
        return int(sum(self._wins[:, winners].sum() // winners for winners in range(2, self.players + 1)))

    def add(self, sheets: NDArray[np.int16], first: NDArray[Any], decisions: int) -> None:
        """Add games: a score sheet and the first player of each."""
        games = sheets.shape[0]
        order = (first[:, None].astype(np.int64) + np.arange(self.players)) % self.players
        ordered = sheets[np.arange(games)[:, None], order].astype(np.int64)
        total, won = ordered[:, :, self.columns.index("total")], ordered[:, :, self.columns.index("won")]
        winners = won.sum(axis=1)
        wins = np.stack([won[winners == shared].sum(axis=0) for shared in range(self.players + 1)], axis=1)
        totals = {int(points): int(count) for points, count in zip(*np.unique(total, return_counts=True), strict=True)}
        self.add_statistics(
            SeriesStatistics(games, decisions, wins, ordered.sum(axis=0), (total**2).sum(axis=0), totals)
        )

    def add_statistics(self, statistics: SeriesStatistics) -> None:
        """Add games that were counted elsewhere."""
        self.games += statistics.games
        self.decisions += statistics.decisions
        self._wins += statistics.wins
        self._sums += statistics.sums
        self._squares += statistics.squares
        for points, count in statistics.totals.items():
            self._totals[points] = self._totals.get(points, 0) + count

    def to_dict(self) -> dict[str, Any]:
        """All figures by name, for programs."""
        seats, sharing = [], np.maximum(np.arange(self.players + 1), 1)
        for turn in range(self.players):
            means = {
                name: float(self._sums[turn, i] / self.games) for i, name in enumerate(self.columns) if name != "won"
            }
            variance = self._squares[turn] / self.games - means["total"] ** 2
            seats.append(
                {
                    "win_share": float((self._wins[turn] / sharing).sum() / self.games),
                    "spread": float(max(variance, 0) ** 0.5),
                }
                | means
            )
        return {
            "games": self.games,
            "decisions": self.decisions,
            "shared_victories": self.shared,
            "by_turn_order": seats,
            "totals": {str(points): count for points, count in sorted(self._totals.items())},
        }

    def histogram(self, bins: int = 16) -> list[tuple[str, int]]:
        """How often the final points were in each of several ranges of equal width."""
        low, high = min(self._totals), max(self._totals)
        width = max(1, -(-(high - low + 1) // bins))
        counts = dict.fromkeys(range(low - low % width, high + 1, width), 0)
        for points, count in self._totals.items():
            counts[points - points % width] += count
        return [(f"{start} to {start + width - 1}" if width > 1 else str(start), n) for start, n in counts.items()]
