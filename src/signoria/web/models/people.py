"""Accounts, notifications and ratings."""

from typing import Literal

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
    vacation_until: str = ""
    """When the viewer's vacation ends; empty if there is none."""
    vacation_days: int = 0
    """Vacation days that the viewer can still take this year."""
    followed: tuple[str, ...] = ()
    """The names of people whom the viewer follows."""
    muted: tuple[str, ...] = ()
    """The names of people whose messages the viewer does not see."""
    moderates: bool = False
    """Whether the viewer is a moderator."""
    shown_to: str = "everyone"
    """Who may see the viewer's profile."""
    shown_choices: tuple[tuple[str, str], ...] = ()
    """Possible values of `shown_to`, with labels."""
    has_mail: bool = False
    """Whether this server sends e-mail."""
    address: str | None = None
    """The viewer's confirmed e-mail address."""


class SignIn(Page, frozen=True, kw_only=True):
    """Name and password."""

    name: str = ""
    """The name entered before."""
    back: str = ""
    """The page to go to afterwards."""
    has_mail: bool = False
    """Whether people can recover their account by e-mail."""


class RatingLine(Model, frozen=True, kw_only=True):
    """A line of the ranking."""

    place: int
    name: str
    bot: bool
    rating: RatingModel


class Ratings(Page, frozen=True, kw_only=True):
    """The ranking of players."""

    games: tuple[tuple[str, tuple[RatingLine, ...]], ...]


class KindModel(Model, frozen=True, kw_only=True):
    """A kind of notification."""

    id: str
    title: str
    on: tuple[str, ...]
    """The channels on which the viewer gets it."""


class BrowserModel(Model, frozen=True, kw_only=True):
    """A browser that gets push messages."""

    id: str
    since: str


class NotificationsPage(Page, frozen=True, kw_only=True):
    """The notification settings of the viewer."""

    channels: tuple[tuple[str, str], ...]
    """Channels of this server and their titles."""
    kinds: tuple[KindModel, ...]
    zone: str
    zones: tuple[str, ...]
    quiet_from: str
    """A time of day, `22:00`; empty if there are no quiet hours."""
    quiet_until: str
    digest: int
    digests: tuple[tuple[int, str], ...]
    """Minutes between two e-mails, with labels."""
    address: str | None
    """The viewer's confirmed address."""
    push_key: str
    """The server's public key for push messages; empty if it sends none."""
    browsers: tuple[BrowserModel, ...]


class MailPage(Page, frozen=True, kw_only=True):
    """The page of a link in an e-mail, or the form for a forgotten password."""

    step: Literal["confirm", "confirmed", "recover", "sent", "password", "stop", "stopped"]
    secret: str = ""
    name: str = ""
    address: str = ""
