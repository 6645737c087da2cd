"""Reports of players to the host of the server, and what the host did about them."""

from typing import Any, NamedTuple

from sqlalchemy import Select, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.schema import moderation_log, reports, users

_of, _by = users.alias("of"), users.alias("by")
MOST_ID = 2**31
"""Numbers of reports are below this."""
REPORTED = ("table_id", "text", "quoted", "at")


class ReportRow(NamedTuple):
    """A report that waits for the host."""

    id: int
    by: str
    """The name of the person who reports."""
    about_id: str
    about: str
    """The name of the person who is reported."""
    table_id: str | None
    text: str
    quoted: str
    """The message that the report is about; empty if there is none."""
    at: int


class ModerationLine(NamedTuple):
    """Something that a moderator did."""

    at: int
    by: str | None
    """The name of the moderator; None if the account was deleted."""
    action: str
    about: str | None
    """The name of the person; None if the account was deleted."""
    text: str


class StandingRow(NamedTuple):
    """What moderators decided about a person."""

    moderator: bool
    muted_until: int | None
    banned_at: int | None


async def add_report(
    db: AsyncConnection, *, by_id: str, about_id: str, table_id: str | None, text: str, quoted: str, at: int
) -> None:
    """Add a report."""
    values = {"by_id": by_id, "about_id": about_id, "table_id": table_id, "text": text, "quoted": quoted, "at": at}
    await db.execute(insert(reports), values)


def _reports() -> Select[Any]:
    columns = (reports.c.id, _by.c.name, _of.c.id, _of.c.name, *(reports.c[name] for name in REPORTED))
    return select(*columns).select_from(
        reports.join(_by, _by.c.id == reports.c.by_id).join(_of, _of.c.id == reports.c.about_id)
    )


async def open_reports(db: AsyncConnection, limit: int) -> list[ReportRow]:
    """Reports that nobody has answered, oldest first."""
    query = _reports().where(reports.c.closed_at.is_(None)).order_by(reports.c.id).limit(limit)
    return [ReportRow(*row) for row in await db.execute(query)]


async def number_of_reports(db: AsyncConnection, by_id: str, since: int) -> int:
    """How many reports a person has sent since then."""
    mine = select(reports.c.id).where(reports.c.by_id == by_id, reports.c.at >= since).limit(100).subquery()
    return int((await db.execute(select(func.count()).select_from(mine))).scalar_one())


async def reports_by(db: AsyncConnection, by_id: str, limit: int) -> list[ReportRow]:
    """The latest reports that a person has sent, newest first."""
    query = _reports().where(reports.c.by_id == by_id).order_by(reports.c.at.desc()).limit(limit)
    return [ReportRow(*row) for row in await db.execute(query)]


async def close_report(db: AsyncConnection, report_id: int, now: int) -> bool:
    """Mark a report as answered; False if it is not open."""
    if report_id not in range(MOST_ID):
        return False
    where = (reports.c.id == report_id, reports.c.closed_at.is_(None))
    return (await db.execute(update(reports).where(*where).values(closed_at=now))).rowcount > 0


async def close_reports_by(db: AsyncConnection, by_id: str, now: int) -> None:
    """Mark the latest reports of a person as answered."""
    query = select(reports.c.id, reports.c.closed_at).where(reports.c.by_id == by_id)
    latest = await db.execute(query.order_by(reports.c.at.desc()).limit(500))
    found = [row.id for row in latest if row.closed_at is None]
    if found:
        await db.execute(update(reports).where(reports.c.id.in_(found)).values(closed_at=now))


async def add_log_line(
    db: AsyncConnection, *, at: int, by_id: str, action: str, about_id: str | None, text: str
) -> None:
    """Note what a moderator did."""
    values = {"at": at, "by_id": by_id, "action": action, "about_id": about_id, "text": text}
    await db.execute(insert(moderation_log), values)


async def latest_log(db: AsyncConnection, limit: int) -> list[ModerationLine]:
    """What moderators did, newest first."""
    log = moderation_log
    joined = log.outerjoin(_by, _by.c.id == log.c.by_id).outerjoin(_of, _of.c.id == log.c.about_id)
    query = select(log.c.at, _by.c.name, log.c.action, _of.c.name, log.c.text).select_from(joined)
    return [ModerationLine(*row) for row in await db.execute(query.order_by(log.c.id.desc()).limit(limit))]


async def standing_of(db: AsyncConnection, user_id: str) -> StandingRow:
    """What moderators decided about a person."""
    query = select(users.c.moderator, users.c.muted_until, users.c.banned_at).where(users.c.id == user_id)
    row = (await db.execute(query)).one_or_none()
    return StandingRow(False, None, None) if row is None else StandingRow(*row)


async def set_moderator(db: AsyncConnection, user_id: str, *, moderator: bool) -> None:
    """Make a person a moderator, or no longer."""
    await db.execute(update(users).where(users.c.id == user_id).values(moderator=moderator))


async def set_muted(db: AsyncConnection, user_id: str, until: int | None) -> None:
    """Mute a person until then; None to unmute them."""
    await db.execute(update(users).where(users.c.id == user_id).values(muted_until=until))


async def set_banned(db: AsyncConnection, user_id: str, at: int | None) -> None:
    """Ban a person since then; None to let them come back."""
    await db.execute(update(users).where(users.c.id == user_id).values(banned_at=at))
