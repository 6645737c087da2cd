"""Responses about notifications, invitations and vacations."""

from signoria.server.api.responses.common import ResponseModel


class VacationInfo(ResponseModel, frozen=True, kw_only=True):
    """Your vacation."""

    until: int | None
    """When it ends; null if you are not on vacation."""
    days_left: int
    """Days that you can still take this year."""


class InvitationInfo(ResponseModel, frozen=True, kw_only=True):
    """An invitation to an open table."""

    table: str
    """The id of the table."""
    game: str
    by: str
    """The name of the person who invites you."""
    at: int


class InvitationList(ResponseModel, frozen=True, kw_only=True):
    """Your invitations."""

    invitations: tuple[InvitationInfo, ...]
    """The latest first."""


class NotificationKind(ResponseModel, frozen=True, kw_only=True):
    """A kind of notification."""

    kind: str
    says: str
    """What it is about."""
    on: tuple[str, ...]
    """The channels on which you get it."""


class BrowserInfo(ResponseModel, frozen=True, kw_only=True):
    """A browser that gets push messages."""

    id: str
    since: int


class NotificationInfo(ResponseModel, frozen=True, kw_only=True):
    """How you are notified."""

    channels: tuple[str, ...]
    """The channels that this server has: `push`, `email`."""
    kinds: tuple[NotificationKind, ...]
    zone: str
    """Your time zone."""
    quiet_from: int | None
    """When your quiet hours begin, in minutes after midnight; null for none."""
    quiet_until: int | None
    digest: int
    """Minutes between two e-mails at least."""
    has_address: bool
    """Whether you have confirmed an e-mail address."""
    push_key: str | None
    """The server's public key for push subscriptions; null if it sends no push messages."""
    browsers: tuple[BrowserInfo, ...]
