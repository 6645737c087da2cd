"""Responses for moderators."""

from signoria.server.api.responses.common import ResponseModel


class OpenReport(ResponseModel, frozen=True, kw_only=True):
    """A report that nobody has answered."""

    id: int
    by: str
    """The name of the person who reports."""
    about: str
    """The name of the person who is reported."""
    table: str | None
    """The id of the table that it is about."""
    text: str
    quoted: str
    """The message that it is about; empty if there is none."""
    at: int


class ModerationEntry(ResponseModel, frozen=True, kw_only=True):
    """Something that a moderator did."""

    at: int
    by: str | None
    """The name of the moderator; null if the account was deleted."""
    action: str
    """`dismiss`, `mute-1`, `mute-7`, `mute-30`, `mute-forever`, `mute-off`, `ban`, `unban`, `rename` or `close`."""
    about: str | None
    """The name of the person; null if there is none, or the account was deleted."""
    why: str


class ModerationInfo(ResponseModel, frozen=True, kw_only=True):
    """Open reports, oldest first, and the log of moderators, newest first."""

    reports: tuple[OpenReport, ...]
    log: tuple[ModerationEntry, ...]


class StandingInfo(ResponseModel, frozen=True, kw_only=True):
    """What moderators decided about a person."""

    name: str
    moderator: bool
    muted_until: int | None
    banned_at: int | None
