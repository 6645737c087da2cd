"""Strength learnt from results, of bots and people alike: the Plackett-Luce model of the openskill library."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce


class Skill(NamedTuple):
    """An estimate of a player's strength: the mean, and how far the truth may be from it (one sigma)."""

    mu: float
    sigma: float


UNKNOWN = Skill(25.0, 25.0 / 3)
"""Before the first game."""


def after_game(
    before: Mapping[str, Skill], who: Sequence[str], places: Sequence[float], tau: float
) -> dict[str, Skill]:
    """The skills of those who sat at a table after one game; `who` and `places` (the first smallest) go by seat.

    Whoever sits in several seats is rated in each as before; then all the moves of the mean, and all that was gained
    in precision, are added up. `tau` is how much anybody may have changed since the last game.
    """
    model = PlackettLuce(tau=tau)
    teams = [[model.rating(*before[name])] for name in who]
    after = model.rate(teams, ranks=list(places))
    skills = {}
    for name in dict.fromkeys(who):
        own = before[name]
        told = [team[0] for team, other in zip(after, who, strict=True) if other == name]
        moved = sum(rating.mu - own.mu for rating in told)
        precision = 1 / own.sigma**2 + sum(1 / rating.sigma**2 - 1 / own.sigma**2 for rating in told)
        skills[name] = Skill(own.mu + moved, precision**-0.5)
    return skills
