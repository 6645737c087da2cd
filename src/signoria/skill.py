"""Ratings of bots and people, estimated from results with the Plackett-Luce model of the openskill library."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce


class Skill(NamedTuple):
    """An estimate of a player's skill: its mean and its standard deviation."""

    mu: float
    sigma: float


UNKNOWN = Skill(25.0, 25.0 / 3)
"""The skill of a player before the first game."""


def after_game(
    before: Mapping[str, Skill], who: Sequence[str], places: Sequence[float], tau: float
) -> dict[str, Skill]:
    """The skills of all players at a table after a game. `who` and `places` (1 is the best) are in the order of seats.

    A player in several seats is rated in each of them separately. The changes of the mean and the gains in precision are
    then added up. `tau` is how much a player's skill may have changed since the last game.
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
