"""The outbox: messages that will be sent to people by push or e-mail.

A delivery is one message to one target of a person: their e-mail address, or one of their browsers. Its notices say what
it is about; later ones join it until it is sent. A notice is written in the transaction of the change that it tells of.
One process claims a delivery, sends it and deletes it. If that process dies, another one takes it over when the claim
expires.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import bindparam, delete, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.schema import deliveries, notices

PUSH, EMAIL, ACCOUNT = "push", "email", "account"
"""Channels: push messages, e-mails, and e-mails about the account."""
Details = dict[str, Any]
"""The values of a sentence. It is told later, in the language of its reader."""


class Delivery(NamedTuple):
    """A message to be sent."""

    user_id: str
    target: str
    """`email`, `account` with the kind and address, or the id of a push subscription."""
    channel: str
    """`email`, `account` or `push`."""
    attempts: int = 0
    """How often sending it was begun, including this time."""


class NoticeRow(NamedTuple):
    """Something that a message is about."""

    kind: str
    subject: str
    """The id of the table; for messages about the account, an address."""
    details: Details
    """Names and other values for its sentence."""
    at: int


def account_target(kind: str, address: str) -> str:
    """The target of a message about an account to an address, which is given as a hash.

    Each is a message of its own, so that an address that does not exist holds up none of the others.
    """
    return f"{ACCOUNT} {kind} {address}"


async def add_notice(db: AsyncConnection, delivery: Delivery, notice: NoticeRow, due_at: int) -> None:
    """Add something to tell. The message is sent at `due_at`, or earlier if it was due earlier."""
    to = {"user_id": delivery.user_id, "target": delivery.target}
    await db.execute(_ADD_DELIVERY, to | {"channel": delivery.channel, "due_at": due_at})
    details = msgspec.json.encode(notice.details).decode()
    await db.execute(
        _ADD_NOTICE, to | {"kind": notice.kind, "subject": notice.subject, "details": details, "at": notice.at}
    )


async def claim_deliveries(db: AsyncConnection, now: int, until: int, *, pushes: int, mails: int) -> list[Delivery]:
    """Claim push messages and e-mails that are due, up to the limits; no other process gets them before `until`.

    E-mails about accounts come first. Each counts as an attempt.
    """
    claimed: list[Delivery] = []
    for channel in (PUSH, ACCOUNT, EMAIL):
        most = pushes if channel == PUSH else mails - sum(one.channel != PUSH for one in claimed)
        if most > 0:
            due = await db.execute(_DUE, {"channel": channel, "now": now, "most": most})
            claimed += [Delivery(*row) for row in due]
    for delivery in claimed:
        await db.execute(_CLAIM, {"of": delivery.user_id, "to": delivery.target, "until": until})
    return [delivery._replace(attempts=delivery.attempts + 1) for delivery in claimed]


async def notices_of(db: AsyncConnection, delivery: Delivery, limit: int) -> list[NoticeRow]:
    """What a message is about, oldest first."""
    query = (
        select(notices.c.kind, notices.c.subject, notices.c.details, notices.c.at)
        .where(notices.c.user_id == delivery.user_id, notices.c.target == delivery.target)
        .order_by(notices.c.at, notices.c.kind, notices.c.subject)
        .limit(limit)
    )
    return [NoticeRow(row[0], row[1], msgspec.json.decode(row[2]), row[3]) for row in await db.execute(query)]


async def finish_delivery(db: AsyncConnection, delivery: Delivery, told: Iterable[NoticeRow], next_at: int) -> None:
    """Delete what was told. If something came in the meantime, it is sent at `next_at`; otherwise nothing is left."""
    await _hold(db, delivery)
    await forget_notices(db, delivery, told)
    if await notices_of(db, delivery, 1):
        await postpone_delivery(db, delivery, next_at, attempts=0)
    else:
        await db.execute(delete(deliveries).where(*_of(deliveries, delivery)))


async def forget_notices(db: AsyncConnection, delivery: Delivery, told: Iterable[NoticeRow]) -> None:
    """Delete what was told, unless it has been written again since."""
    for notice in told:
        same = (notices.c.kind == notice.kind, notices.c.subject == notice.subject, notices.c.at == notice.at)
        await db.execute(delete(notices).where(*_of(notices, delivery), *same))


async def postpone_delivery(db: AsyncConnection, delivery: Delivery, due_at: int, *, attempts: int) -> None:
    """Send a message later."""
    await db.execute(update(deliveries).where(*_of(deliveries, delivery)).values(due_at=due_at, attempts=attempts))


async def bury_delivery(db: AsyncConnection, delivery: Delivery, now: int) -> None:
    """Give a message up: it stays as a dead letter for a while."""
    await db.execute(update(deliveries).where(*_of(deliveries, delivery)).values(dead_at=now))


async def drop_notices(db: AsyncConnection, user_id: str, subject: str) -> int:
    """Delete what was to be told about a table, because the person has seen it; return how many notices."""
    where = (notices.c.user_id == user_id, notices.c.subject == subject)
    return (await db.execute(delete(notices).where(*where))).rowcount


async def has_notices(db: AsyncConnection, user_id: str, subject: str) -> bool:
    """Whether a message about a table waits for a person."""
    query = select(notices.c.kind).where(notices.c.user_id == user_id, notices.c.subject == subject).limit(1)
    return (await db.execute(query)).scalar_one_or_none() is not None


async def drop_delivery(db: AsyncConnection, user_id: str, target: str) -> None:
    """Delete a message, because its target is gone."""
    await db.execute(delete(deliveries).where(deliveries.c.user_id == user_id, deliveries.c.target == target))


async def drop_account_messages(db: AsyncConnection, user_id: str, kind: str) -> None:
    """Delete the messages of this kind about an account that have not left yet."""
    of_kind = deliveries.c.target.startswith(account_target(kind, ""), autoescape=True)
    await db.execute(delete(deliveries).where(deliveries.c.user_id == user_id, of_kind))


async def next_delivery(db: AsyncConnection) -> int | None:
    """When the next message is due."""
    due = [(await db.execute(_NEXT, {"channel": channel})).scalar_one_or_none() for channel in (PUSH, ACCOUNT, EMAIL)]
    return min((at for at in due if at is not None), default=None)


async def count_deliveries(db: AsyncConnection, limit: int) -> tuple[int, int]:
    """How many messages wait, and how many are dead letters; at most `limit` are counted."""
    waiting = select(deliveries.c.target).where(_ALIVE).limit(limit).subquery()
    dead = select(deliveries.c.target).where(_DEAD).limit(limit).subquery()
    counts = [(await db.execute(select(func.count()).select_from(rows))).scalar_one() for rows in (waiting, dead)]
    return counts[0], counts[1]


async def delete_dead_letters(db: AsyncConnection, before: int, limit: int) -> int:
    """Delete up to this many dead letters from before then; return how many."""
    query = select(deliveries.c.user_id, deliveries.c.target).where(_DEAD, deliveries.c.dead_at < before)
    found = (await db.execute(query.order_by(deliveries.c.dead_at).limit(limit))).all()
    for user_id, target in found:
        await drop_delivery(db, user_id, target)
    return len(found)


async def _hold(db: AsyncConnection, delivery: Delivery) -> None:
    """Lock a message, so that nothing is added to it until this transaction ends."""
    if db.dialect.name == "postgresql":  # SQLite allows only one writer at a time
        await db.execute(select(deliveries.c.target).where(*_of(deliveries, delivery)).with_for_update())


def _of(table: Any, delivery: Delivery) -> tuple[Any, ...]:
    return (table.c.user_id == delivery.user_id, table.c.target == delivery.target)


_ALIVE, _DEAD = deliveries.c.dead_at.is_(None), deliveries.c.dead_at.is_not(None)
_DUE = (
    select(deliveries.c.user_id, deliveries.c.target, deliveries.c.channel, deliveries.c.attempts)
    .where(_ALIVE, deliveries.c.channel == bindparam("channel"), deliveries.c.due_at <= bindparam("now"))
    .order_by(deliveries.c.due_at)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
_CLAIM = (
    update(deliveries)
    .where(deliveries.c.user_id == bindparam("of"), deliveries.c.target == bindparam("to"))
    .values(due_at=bindparam("until"), attempts=deliveries.c.attempts + 1)
)
_NEXT = (
    select(deliveries.c.due_at)
    .where(_ALIVE, deliveries.c.channel == bindparam("channel"))
    .order_by(deliveries.c.due_at)
    .limit(1)
)
_ADD_DELIVERY = text(  # a message that is being sent, or is tried again later, keeps its time; a dead one comes back
    "INSERT INTO deliveries (user_id, target, channel, due_at, attempts)"
    " VALUES (:user_id, :target, :channel, :due_at, 0)"
    " ON CONFLICT (user_id, target) DO UPDATE SET"
    " due_at = CASE WHEN deliveries.dead_at IS NOT NULL THEN excluded.due_at"
    " WHEN deliveries.attempts = 0 AND excluded.due_at < deliveries.due_at THEN excluded.due_at"
    " ELSE deliveries.due_at END,"
    " attempts = CASE WHEN deliveries.dead_at IS NOT NULL THEN 0 ELSE deliveries.attempts END, dead_at = NULL"
)
_ADD_NOTICE = text(
    "INSERT INTO notices (user_id, target, kind, subject, details, at)"
    " VALUES (:user_id, :target, :kind, :subject, :details, :at)"
    " ON CONFLICT (user_id, target, kind, subject) DO UPDATE SET details = excluded.details, at = excluded.at"
)
