"""How people want to be notified: what on which channel, quiet hours, and the browsers that get push messages."""

from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import delete, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.emails import delete_address, drop_email_tokens
from signoria.store.schema import notification_settings, push_subscriptions

Switches = dict[str, tuple[str, ...]]
"""By kind of notification: the channels on which it is sent."""


class SettingsRow(msgspec.Struct, frozen=True, kw_only=True):
    """The notification settings of a person."""

    user_id: str
    switches: Switches
    zone: str = "UTC"
    quiet_from: int | None = None
    """Quiet hours, in minutes after midnight in the person's time zone; None if there are none."""
    quiet_until: int | None = None
    digest: int = 60
    """Minutes between two e-mails at least."""
    unsubscribe: str
    """The secret in the links that stop e-mail."""
    language: str | None = None
    """The language in which the person last chose them, if they have chosen none for their account."""
    mailed_at: int | None = None
    mailed_day: int = 0
    """The day of `mailed_count`, in days since 1970."""
    mailed_count: int = 0


class PushSubscription(msgspec.Struct, frozen=True):
    """A browser that gets push messages."""

    id: str
    user_id: str
    endpoint: str
    p256dh: str
    auth: str
    created_at: int
    session: str
    """The hash of its session: when it ends, the browser gets no more messages."""


async def settings_of(db: AsyncConnection, user_ids: Iterable[str]) -> dict[str, SettingsRow]:
    """The settings of these people, as far as they have any."""
    wanted = list(user_ids)
    if not wanted:
        return {}
    rows = await db.execute(select(notification_settings).where(notification_settings.c.user_id.in_(wanted)))
    return {row.user_id: _as_settings(row) for row in rows}


async def settings_by_secret(db: AsyncConnection, unsubscribe: str) -> SettingsRow | None:
    """The settings with this secret for stopping e-mail."""
    query = select(notification_settings).where(notification_settings.c.unsubscribe == unsubscribe)
    row = (await db.execute(query)).one_or_none()
    return None if row is None else _as_settings(row)


async def put_settings(db: AsyncConnection, row: SettingsRow) -> None:
    """Save the settings of a person; when they were last mailed, and their secret, stay as they are."""
    values = msgspec.structs.asdict(row) | {"switches": msgspec.json.encode(row.switches).decode()}
    await db.execute(_PUT, {name: values[name] for name in _WRITTEN})


async def note_mailed(db: AsyncConnection, user_id: str, at: int, day: int, count: int) -> None:
    """Note when a person was mailed, and how often on that day."""
    values = {"mailed_at": at, "mailed_day": day, "mailed_count": count}
    where = notification_settings.c.user_id == user_id
    await db.execute(update(notification_settings).where(where).values(values))


async def add_subscription(db: AsyncConnection, row: PushSubscription) -> None:
    """Add a browser. If it was subscribed before, also for another person, this replaces it."""
    await db.execute(delete(push_subscriptions).where(push_subscriptions.c.endpoint == row.endpoint))
    await db.execute(insert(push_subscriptions), msgspec.structs.asdict(row))


async def subscriptions_of(db: AsyncConnection, user_ids: Iterable[str], limit: int = 100) -> list[PushSubscription]:
    """The browsers of these people."""
    wanted = list(user_ids)
    if not wanted:
        return []
    query = select(push_subscriptions).where(push_subscriptions.c.user_id.in_(wanted)).limit(limit)
    return [PushSubscription(*row) for row in await db.execute(query)]


async def subscription_in(db: AsyncConnection, session: str | None) -> PushSubscription | None:
    """The subscription of the browser with this session."""
    query = select(push_subscriptions).where(push_subscriptions.c.session == (session or "")).limit(1)
    row = (await db.execute(query)).one_or_none()
    return None if row is None else PushSubscription(*row)


async def find_subscription(db: AsyncConnection, subscription_id: str) -> PushSubscription | None:
    """The browser with this id."""
    query = select(push_subscriptions).where(push_subscriptions.c.id == subscription_id)
    row = (await db.execute(query)).one_or_none()
    return None if row is None else PushSubscription(*row)


async def delete_subscription(db: AsyncConnection, user_id: str, subscription_id: str) -> bool:
    """Delete a browser of this person; False if there is none."""
    where = (push_subscriptions.c.id == subscription_id, push_subscriptions.c.user_id == user_id)
    return (await db.execute(delete(push_subscriptions).where(*where))).rowcount > 0


async def hand_notifications(db: AsyncConnection, guest_id: str, user_id: str) -> None:
    """Give a person the browsers they had as a guest, and the settings if they have none of their own.

    The address of the guest is forgotten: an address can recover the account, and on a shared computer the guest may have
    been another person.
    """
    await db.execute(update(push_subscriptions).where(push_subscriptions.c.user_id == guest_id).values(user_id=user_id))
    table = notification_settings
    own = select(table.c.user_id).where(table.c.user_id == user_id)
    if (await db.execute(own)).scalar_one_or_none() is None:
        await db.execute(update(table).where(table.c.user_id == guest_id).values(user_id=user_id))
    await delete_address(db, guest_id)
    await drop_email_tokens(db, guest_id)


def _as_settings(row: Any) -> SettingsRow:
    fields = dict(row._mapping)
    return SettingsRow(**fields | {"switches": msgspec.json.decode(fields["switches"], type=Switches)})


_WRITTEN = ("user_id", "switches", "zone", "quiet_from", "quiet_until", "digest", "unsubscribe", "language")
_PUT = text(
    f"INSERT INTO notification_settings ({', '.join(_WRITTEN)}) VALUES ({', '.join(':' + name for name in _WRITTEN)})"
    " ON CONFLICT (user_id) DO UPDATE SET switches = excluded.switches, zone = excluded.zone,"
    " quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until, digest = excluded.digest,"
    " language = excluded.language"
)
