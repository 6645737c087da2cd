"""Responses about games, their options, bots, clocks and rankings."""

from signoria.kernel.options import Option
from signoria.server.api.responses.common import Rating, ResponseModel


class OptionChoice(ResponseModel, frozen=True, kw_only=True):
    """A value that an option can have."""

    value: Option
    says: str
    """Its label."""


class OptionInfo(ResponseModel, frozen=True, kw_only=True):
    """An option of a game."""

    name: str
    title: str
    says: str
    """A description in a sentence."""
    clause: str
    choices: tuple[OptionChoice, ...]
    """The default comes first."""


class GameInfo(ResponseModel, frozen=True, kw_only=True):
    """A game on this server."""

    name: str
    title: str
    rules: str
    """The version of the rules."""
    intro: str
    seats: tuple[int, ...]
    """Possible numbers of players."""
    options: tuple[OptionInfo, ...]
    levels: tuple[str, ...]
    """The bots that play it."""


class LevelInfo(ResponseModel, frozen=True, kw_only=True):
    """A bot to play against."""

    id: str
    title: str
    says: str


class ClockInfo(ResponseModel, frozen=True, kw_only=True):
    """A clock for a table."""

    seconds: int
    """Seconds per move; 0 for no clock."""
    says: str


class TotalClockInfo(ResponseModel, frozen=True, kw_only=True):
    """A total time for a table."""

    total_time: int
    """Seconds that each player has for the whole game."""
    increment: int
    """Seconds added after every turn."""
    says: str


class Catalogue(ResponseModel, frozen=True, kw_only=True):
    """The games, bots and clocks for a new table."""

    games: tuple[GameInfo, ...]
    levels: tuple[LevelInfo, ...]
    clocks: tuple[ClockInfo, ...]
    total_clocks: tuple[TotalClockInfo, ...]


class RankedPlayer(Rating, frozen=True, kw_only=True):
    """A line of a ranking."""

    place: int
    name: str
    bot: str | None
    """The level of a bot; null for a person."""


class Ranking(ResponseModel, frozen=True, kw_only=True):
    """The ranking of a game."""

    game: str
    ratings: tuple[RankedPlayer, ...]
