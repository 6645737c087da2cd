"""How sure a mean is."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean

import msgspec

Z95 = 1.96
"""Standard deviations to either side that hold 95 of 100."""


class Interval(msgspec.Struct, frozen=True):
    """A mean, and where the true one lies in 95 of 100 cases."""

    mean: float
    low: float
    high: float


def squares(values: Sequence[float]) -> float:
    """The sum of squared distances from the mean."""
    middle = fmean(values)
    return sum((value - middle) ** 2 for value in values)


def mean_interval(deals: Sequence[float]) -> Interval:
    """Of a quantity known for two deals or more: games of one deal share their luck, so deals are what is independent."""
    middle = fmean(deals)
    spread = sqrt(squares(deals) / (len(deals) - 1) / len(deals))
    return Interval(middle, middle - Z95 * spread, middle + Z95 * spread)


def share_interval(deals: Sequence[float], rotations: float) -> Interval:
    """Of a win share, known as its mean over the rotations of each deal: Wilson's interval.

    Games that share a deal are not independent, and half a win is no coin toss, so the number of games in Wilson's
    formula is that of independent ones which would be as sure as our deals are, judged by how much the deals differ.
    One imagined deal of independent games keeps that from being nothing when a few deals happen to agree. Where every
    game was won, or none, deals tell nothing of it, and the games count as they are.
    """
    share = fmean(deals)
    once = share * (1 - share)
    variance = (squares(deals) + once / rotations) / len(deals) / len(deals)
    games = once / variance if once > 0 else rotations * len(deals)
    square = Z95 * Z95 / games
    middle = (share + square / 2) / (1 + square)
    reach = Z95 * sqrt(once / games + square / games / 4) / (1 + square)
    return Interval(share, max(0.0, middle - reach), min(1.0, middle + reach))
