"""Strength of all bots on one scale: the Plackett-Luce model of the openskill library."""

from collections.abc import Iterable, Sequence
from statistics import fmean

from signoria.arena.intervals import Z95, Interval
from signoria.arena.playing import Played
from signoria.skill import UNKNOWN, after_game

MIDDLE = 25.0
"""The mean rating of all bots."""


def places(played: Played) -> list[float]:
    """The rank of each seat, best first; bots that forfeited come last.

    Results of earlier versions have no places: they are ranked by win, then by points.
    """
    if played.places:
        return list(map(float, played.places))
    order = [
        (1, 0.0, 0) if forfeit is not None else (0, -share, -points)
        for forfeit, share, points in zip(played.forfeits, played.shares, played.points, strict=True)
    ]
    return [float(sorted(order).index(own)) for own in order]


def rate(games: Iterable[Played], bots: Sequence[str]) -> dict[str, Interval]:
    """Ratings from games in the order in which they count. Bots do not change, so old games keep their weight (tau 0).

    Games show only differences between bots, so their mean is set to 25.
    """
    skills = dict.fromkeys(bots, UNKNOWN)
    for played in games:
        skills |= after_game(skills, played.bots, places(played), tau=0.0)
    shift = MIDDLE - fmean(skill.mu for skill in skills.values())
    return {bot: _interval(skill.mu + shift, Z95 * skill.sigma) for bot, skill in skills.items()}


def _interval(mean: float, reach: float) -> Interval:
    return Interval(mean, mean - reach, mean + reach)
