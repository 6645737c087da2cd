"""Confidence intervals."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean

import msgspec

Z95 = 1.96
"""Standard deviations on either side of the mean that cover 95%."""


class Interval(msgspec.Struct, frozen=True):
    """A mean with its 95% confidence interval."""

    mean: float
    low: float
    high: float


def squares(values: Sequence[float]) -> float:
    """The sum of squared distances from the mean."""
    middle = fmean(values)
    return sum((value - middle) ** 2 for value in values)


def mean_interval(deals: Sequence[float]) -> Interval:
    """The interval of a mean over two deals or more. Games of one deal share its luck; only deals are independent."""
    middle = fmean(deals)
    spread = sqrt(squares(deals) / (len(deals) - 1) / len(deals))
    return Interval(middle, middle - Z95 * spread, middle + Z95 * spread)


def share_interval(deals: Sequence[float], rotations: float) -> Interval:
    """The Wilson interval of a win share, given its mean over the rotations of each deal.

    Games of the same deal are not independent, and half a win is not a coin toss. So Wilson's formula is used with the
    number of independent games that would give the variance seen between deals. One imaginary deal of independent games
    is added, so that a few deals that happen to agree do not give a variance of zero. If all games were won, or none,
    the deals say nothing about the variance, and the real number of games is used.
    """
    share = fmean(deals)
    once = share * (1 - share)
    variance = (squares(deals) + once / rotations) / len(deals) / len(deals)
    games = once / variance if once > 0 else rotations * len(deals)
    square = Z95 * Z95 / games
    middle = (share + square / 2) / (1 + square)
    reach = Z95 * sqrt(once / games + square / games / 4) / (1 + square)
    return Interval(share, max(0.0, middle - reach), min(1.0, middle + reach))
