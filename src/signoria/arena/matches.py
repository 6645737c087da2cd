"""Which bots meet in which seats, and in which order the games count."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations

import msgspec

MIXED = "mixed"
"""The match in which different bots share a table."""


Key = tuple[str, int, int]
"""Identifies a game: match, deal, rotation."""


class Fixture(msgspec.Struct, frozen=True):
    """A game to be played."""

    match: str
    deal: int
    rotation: int
    bots: tuple[str, ...]
    """By seat."""

    @property
    def key(self) -> Key:
        """Identifies the game."""
        return self.match, self.deal, self.rotation

    def __str__(self) -> str:
        return f"{self.match}, deal {self.deal}, rotation {self.rotation}"


class Match(msgspec.Struct, frozen=True):
    """Games between the same bots. Every deal is played once in every rotation, so all bots share its luck."""

    name: str
    bots: tuple[str, ...]
    """The measured bot and its opponent; in the mixed match, all bots."""
    rotations: tuple[tuple[str, ...], ...]
    """Line-ups by seat. Over all of them, each bot plays each seat equally often."""

    def deals(self, games: int) -> int:
        """Number of deals needed for that many games; the last deal is also played in every rotation."""
        return -(-games // len(self.rotations))

    def fixtures(self, deal: int) -> Iterator[Fixture]:
        """The games of one deal."""
        for rotation, line_up in enumerate(self.rotations):
            yield Fixture(self.name, deal, rotation, line_up)


def one_against(bot: str, other: str, players: int) -> Match:
    """One bot against copies of another, in every seat in turn."""
    copies = players - 1
    name = f"{bot} - {other}" if copies == 1 else f"{bot} - {copies} x {other}"
    line_ups = tuple(tuple(bot if seat == own else other for seat in range(players)) for own in range(players))
    return Match(name, (bot, other), line_ups)


def mixed(bots: Sequence[str], players: int) -> Match:
    """Different bots at one table: the list of bots fills the seats in a circle, starting with each bot in turn."""
    line_ups = tuple(tuple(bots[(first + seat) % len(bots)] for seat in range(players)) for first in range(len(bots)))
    return Match(MIXED, tuple(bots), line_ups)


def pairings(bots: Sequence[str], players: int) -> tuple[Match, ...]:
    """Every pairing of bots. With three or more players: both ways round, and mixed tables if there are three bots."""
    if players == 2:
        return tuple(one_against(bot, other, 2) for bot, other in combinations(bots, 2))
    both_ways = tuple(one_against(bot, other, players) for bot, other in permutations(bots, 2))
    return (*both_ways, mixed(bots, players)) if len(bots) > 2 else both_ways


def schedule(matches: Iterable[Match], games: int) -> Iterator[Fixture]:
    """Every game in the order in which it counts: deal by deal through all matches, so extra games come at the end."""
    matches = tuple(matches)
    for deal in range(max(match.deals(games) for match in matches)):
        for match in matches:
            if deal < match.deals(games):
                yield from match.fixtures(deal)
