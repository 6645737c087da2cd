"""A sequential test of whether one bot is better than another; it stops as soon as the games give an answer."""

from math import log
from typing import Literal

import msgspec

from signoria.kernel.errors import BadOption

ERROR = 0.05
"""Probability of a wrong verdict, either way."""
GAIN = 0.05
"""Default difference in win share that counts as better."""
FAIR = "fair"
FEWEST = 16
"""Minimum number of deals: the normal approximation needs a few."""
BOUND = log((1 - ERROR) / ERROR)


class Verdict(msgspec.Struct, frozen=True):
    """The result of the test."""

    bot: str
    against: str
    share0: float
    """The win share that means "no better"."""
    share1: float
    """The win share that means "better"."""
    verdict: Literal["better", "no better", "undecided"]
    llr: float
    """The log-likelihood ratio: how strongly the games favour `share1` over `share0`."""
    lower: float
    upper: float
    """Lower and upper bound: no better, better."""
    deals: int
    games: int
    share: float | None
    """Win share in the games played."""

    def __str__(self) -> str:
        played = "no games" if self.share is None else f"a win share of {self.share:.1%} in {self.games:,} games"
        ratio = f"the log-likelihood ratio of {self.share1:.1%} to {self.share0:.1%} is {self.llr:+.2f}"
        match self.verdict:
            case "better":
                says = f"{self.bot} is better than {self.against}"
            case "no better":
                says = f"{self.bot} is not better than {self.against}"
            case "undecided":
                says = f"Undecided whether {self.bot} is better than {self.against}"
        return f"{says}: {played}; {ratio}, the bounds are {self.lower:.2f} and {self.upper:.2f}."


def hypotheses(given: str, players: int) -> tuple[float, float]:
    """`0.5,0.55` as two win shares; `fair` is the fair share and five percentage points more. Raises `BadOption`."""
    fair = 1 / players
    if given == FAIR:
        return fair, fair + GAIN
    try:
        share0, share1 = map(float, given.split(","))
    except ValueError as error:
        raise BadOption(f"sprt: {given!r}; give two win shares such as 0.5,0.55, or {FAIR}.") from error
    if not 0 < share0 < share1 < 1:
        raise BadOption(f"sprt: {given}; give two win shares between 0 and 1, the smaller one first.")
    return share0, share1


class Sprt:
    """The test in progress: the generalised log-likelihood ratio in the normal approximation, deal by deal.

    Rotations share a deal, so only deals are independent. Their variance is the one observed, with one imaginary deal
    of independent games added, so that a few deals that agree do not look like certainty. Deals must be added in order,
    so that the test stops at the same deal everywhere.
    """

    def __init__(self, bot: str, against: str, share0: float, share1: float, rotations: int) -> None:
        self._bot, self._against = bot, against
        self._share0, self._share1, self._rotations = share0, share1, rotations
        self._deals, self._sum, self._squares = 0, 0.0, 0.0

    def add(self, share: float) -> None:
        """Add a deal: the bot's mean share over its rotations."""
        self._deals += 1
        self._sum += share
        self._squares += share * share

    @property
    def llr(self) -> float:
        """How strongly the deals so far favour the second hypothesis over the first."""
        if not self._deals:
            return 0.0
        mean = self._sum / self._deals
        imagined = self._share0 * (1 - self._share0) / self._rotations
        variance = (max(0.0, self._squares - self._sum * mean) + imagined) / self._deals
        return (self._share1 - self._share0) * (2 * mean - self._share0 - self._share1) * self._deals / (2 * variance)

    @property
    def decided(self) -> bool:
        """Whether no more games are needed."""
        return self._deals >= FEWEST and abs(self.llr) >= BOUND

    @property
    def verdict(self) -> Verdict:
        """The verdict after the deals so far."""
        return Verdict(
            bot=self._bot,
            against=self._against,
            share0=self._share0,
            share1=self._share1,
            verdict="undecided" if not self.decided else "better" if self.llr > 0 else "no better",
            llr=self.llr,
            lower=-BOUND,
            upper=BOUND,
            deals=self._deals,
            games=self._deals * self._rotations,
            share=self._sum / self._deals if self._deals else None,
        )
