"""Accounts and ratings."""

from signoria.web.models.common import Model, Page, RatingModel


class TokenModel(Model, frozen=True, kw_only=True):
    """An API token."""

    id: str
    name: str
    made: str
    used: str


class BlockModel(Model, frozen=True, kw_only=True):
    """A person whom the viewer has blocked."""

    id: str
    name: str
    since: str


class Account(Page, frozen=True, kw_only=True):
    """Name, password, tokens, blocked people, ratings."""

    ratings: dict[str, RatingModel]
    """By the title of the game."""
    tokens: tuple[TokenModel, ...]
    fresh_token: str | None
    """A new token; shown once."""
    blocked: tuple[BlockModel, ...] = ()


class SignIn(Page, frozen=True, kw_only=True):
    """Name and password."""

    name: str = ""
    """The name entered before."""
    back: str = ""
    """The page to go to afterwards."""


class RatingLine(Model, frozen=True, kw_only=True):
    """A line of the ranking."""

    place: int
    name: str
    bot: bool
    rating: RatingModel


class Ratings(Page, frozen=True, kw_only=True):
    """The ranking of players."""

    games: tuple[tuple[str, tuple[RatingLine, ...]], ...]
