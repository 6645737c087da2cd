"""Responses about the caller and other people: blocks, profiles, follows and mutes."""

from signoria.server.api.responses.common import Rating, ResponseModel


class Me(ResponseModel, frozen=True, kw_only=True):
    """The caller."""

    id: str
    name: str
    guest: bool
    """Has no password."""
    ratings: dict[str, Rating]
    """Ratings by game."""


class BlockCount(ResponseModel, frozen=True, kw_only=True):
    """A person was blocked, now or earlier."""

    blocked: int
    """How many people you have blocked; `/api/v1/blocks` lists them."""


class Block(ResponseModel, frozen=True, kw_only=True):
    """A person you have blocked."""

    id: str
    """The id of the block, for unblocking."""
    name: str
    """Their current name."""
    since: int


class BlockList(ResponseModel, frozen=True, kw_only=True):
    """The people you have blocked."""

    blocks: tuple[Block, ...]
    """The latest first."""


class Share(ResponseModel, frozen=True, kw_only=True):
    """Finished games with something in common."""

    games: int
    wins: int


class OpponentShare(Share, frozen=True, kw_only=True):
    """Finished games against one opponent."""

    name: str | None
    """The name of a person; null for a bot."""
    bot: str | None
    """The level of a bot; null for a person."""


class RatingAfter(ResponseModel, frozen=True, kw_only=True):
    """A rating after a rated game."""

    table: str | None
    """The id of the table; null for a table by invitation of another player."""
    at: int
    mean: float
    reach: float | None
    """The margin of error (95%); null if it is not known."""


class PlayedGame(ResponseModel, frozen=True, kw_only=True):
    """A finished game of a player."""

    table: str | None
    """The id of the table; null for a table by invitation of another player."""
    at: int
    """When it ended."""
    players: int
    """The number of players."""
    points: int
    place: int
    """From 1."""
    won: bool
    rating_before: float | None
    """The rating before and after the game; null if it was not rated."""
    rating: float | None


class StatisticsInfo(ResponseModel, frozen=True, kw_only=True):
    """A player's finished games of one kind of game. Games on one device and games from a position do not count."""

    rating: Rating | None
    games: int
    wins: int
    average: float
    """The average number of points."""
    streak: int
    """Consecutive wins until now."""
    best_streak: int
    players: dict[str, Share]
    """By number of players."""
    opponents: tuple[OpponentShare, ...]
    """The most frequent first."""
    habits: dict[str, dict[str, Share]]
    """What the player does most, by kind, such as `opening`; what there is depends on the game."""
    sources: dict[str, float]
    """Average points by part of the score sheet."""
    curve: tuple[RatingAfter, ...]
    """The rating after the last rated games, oldest first."""
    best: tuple[PlayedGame, ...]
    latest: tuple[PlayedGame, ...]


class ProfileInfo(ResponseModel, frozen=True, kw_only=True):
    """A player."""

    name: str
    guest: bool
    since: int
    """When the account was made."""
    visible: bool
    """Whether you may see the statistics."""
    games: dict[str, StatisticsInfo]
    """By game."""


class TieInfo(ResponseModel, frozen=True, kw_only=True):
    """A person whom you follow or mute."""

    name: str
    since: int


class TieList(ResponseModel, frozen=True, kw_only=True):
    """The people whom you follow and mute."""

    follows: tuple[TieInfo, ...]
    mutes: tuple[TieInfo, ...]


class ReportSent(ResponseModel, frozen=True, kw_only=True):
    """A report was sent."""

    sent: bool
