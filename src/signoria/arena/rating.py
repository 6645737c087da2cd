"""Strength on one scale for all bots, whoever they met: the Plackett-Luce model of the openskill library."""

from collections.abc import Iterable, Sequence
from statistics import fmean

from openskill.models import PlackettLuce

from signoria.arena.intervals import Z95, Interval
from signoria.arena.playing import Played

MIDDLE = 25.0
"""The mean rating of all bots."""


def places(played: Played) -> list[float]:
    """Seats as the game ranks them, the first smallest: by the win, then by points; who forfeited is last."""
    order = [
        (1, 0.0, 0) if forfeit is not None else (0, -share, -points)
        for forfeit, share, points in zip(played.forfeits, played.shares, played.points, strict=True)
    ]
    return [float(sorted(order).index(own)) for own in order]


def rate(games: Iterable[Played], bots: Sequence[str]) -> dict[str, Interval]:
    """Ratings from games in the order in which they count. Bots do not change, so nothing is forgotten (tau is 0).

    A bot that sits in several seats of a game is rated in each as it was before; then all the moves of its mean, and
    all that was gained in precision, are added up. Games tell only how far bots are apart, so their mean is set to 25.
    """
    model = PlackettLuce(tau=0.0)
    ratings = {bot: model.rating(name=bot) for bot in bots}
    for played in games:
        before = [ratings[bot] for bot in played.bots]
        after = model.rate([[rating] for rating in before], ranks=places(played))
        for bot in dict.fromkeys(played.bots):
            own = ratings[bot]
            told = [team[0] for team, name in zip(after, played.bots, strict=True) if name == bot]
            moved = sum(rating.mu - own.mu for rating in told)
            precision = 1 / own.sigma**2 + sum(1 / rating.sigma**2 - 1 / own.sigma**2 for rating in told)
            ratings[bot] = model.rating(name=bot, mu=own.mu + moved, sigma=precision**-0.5)
    shift = MIDDLE - fmean(rating.mu for rating in ratings.values())
    return {bot: _interval(rating.mu + shift, Z95 * rating.sigma) for bot, rating in ratings.items()}


def _interval(mean: float, reach: float) -> Interval:
    return Interval(mean, mean - reach, mean + reach)
