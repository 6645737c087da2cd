"""The page of moderators."""

from signoria.web.models.common import Model, Page


class ReportModel(Model, frozen=True, kw_only=True):
    """A report that waits for an answer."""

    id: int
    by: str
    about: str
    table: str
    """The id of the table; empty if there is none."""
    says: str
    quoted: str
    """The message that it is about."""
    since: str


class StandingModel(Model, frozen=True, kw_only=True):
    """A person, and what moderators decided about them."""

    name: str
    muted: bool
    banned: bool
    moderator: bool


class ModerationLogLine(Model, frozen=True, kw_only=True):
    """Something that a moderator did."""

    since: str
    says: str
    """What they did, in a sentence."""
    why: str
    """The reason that they gave."""


class ModerationPage(Page, frozen=True, kw_only=True):
    """Reports, a person to act on, and the log."""

    reports: tuple[ReportModel, ...]
    name: str
    """The name that was searched for."""
    person: StandingModel | None
    log: tuple[ModerationLogLine, ...]
