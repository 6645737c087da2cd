"""E-mail addresses of people, and the single-use tokens that are sent to them. Nobody else ever sees an address."""

from typing import NamedTuple

from sqlalchemy import delete, insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.outbox import drop_account_messages
from signoria.store.schema import email_tokens, emails, users

CONFIRM, RECOVER = "confirm", "recover"
"""Kinds of tokens: to confirm an address, and to set a new password."""


class EmailToken(NamedTuple):
    """What a token is for."""

    user_id: str
    name: str
    """The name of that user."""
    address: str
    """The address that it was sent to."""


def address_key(address: str) -> str:
    """An address as it is compared."""
    return address.strip().casefold()


def mailbox_key(address: str) -> str:
    """An address without what many mail servers ignore, so that one mailbox cannot be flooded under many spellings."""
    local, _, domain = address_key(address).rpartition("@")
    return f"{local.partition('+')[0].replace('.', '')}@{domain}"


async def address_of(db: AsyncConnection, user_id: str) -> str | None:
    """The confirmed address of a user."""
    query = select(emails.c.address).where(emails.c.user_id == user_id)
    found: str | None = (await db.execute(query)).scalar_one_or_none()
    return found


async def set_address(db: AsyncConnection, user_id: str, address: str, now: int) -> None:
    """Save a confirmed address, instead of the former one."""
    values = {"user_id": user_id, "address": address, "key": address_key(address), "now": now}
    await db.execute(_SET_ADDRESS, values)


async def delete_address(db: AsyncConnection, user_id: str) -> bool:
    """Forget the address of a user; False if there is none."""
    return (await db.execute(delete(emails).where(emails.c.user_id == user_id))).rowcount > 0


async def accounts_with(db: AsyncConnection, address: str, limit: int) -> list[str]:
    """The ids of users who have confirmed this address."""
    query = select(emails.c.user_id).where(emails.c.address_key == address_key(address)).limit(limit)
    return sorted((await db.execute(query)).scalars())


async def add_email_token(
    db: AsyncConnection, hashed: str, user_id: str, kind: str, address: str, expires_at: int
) -> None:
    """Add a token, identified by its hash."""
    values = {"hash": hashed, "user_id": user_id, "kind": kind, "address": address, "expires_at": expires_at}
    await db.execute(insert(email_tokens), values)


async def find_email_token(db: AsyncConnection, hashed: str, kind: str, now: int) -> EmailToken | None:
    """The token with this hash, unless it has expired."""
    query = (
        select(email_tokens.c.user_id, users.c.name, email_tokens.c.address)
        .join_from(email_tokens, users)
        .where(email_tokens.c.hash == hashed, email_tokens.c.kind == kind, email_tokens.c.expires_at > now)
    )
    row = (await db.execute(query)).one_or_none()
    return None if row is None else EmailToken(*row)


async def use_email_token(db: AsyncConnection, hashed: str, kind: str, now: int) -> EmailToken | None:
    """The same, once: the token is deleted."""
    found = await find_email_token(db, hashed, kind, now)
    if found is None or not (await db.execute(delete(email_tokens).where(email_tokens.c.hash == hashed))).rowcount:
        return None
    return found


async def drop_email_tokens(db: AsyncConnection, user_id: str, kind: str | None = None) -> None:
    """Delete all tokens that were sent to a user or wait to be sent, or those of one kind."""
    for one in (CONFIRM, RECOVER) if kind is None else (kind,):
        await db.execute(delete(email_tokens).where(email_tokens.c.user_id == user_id, email_tokens.c.kind == one))
        await drop_account_messages(db, user_id, one)


async def delete_expired_email_tokens(db: AsyncConnection, now: int, limit: int) -> int:
    """Delete up to this many expired tokens; return how many."""
    expired = select(email_tokens.c.hash).where(email_tokens.c.expires_at <= now).order_by(email_tokens.c.expires_at)
    hashes = list((await db.execute(expired.limit(limit))).scalars())
    if hashes:
        await db.execute(delete(email_tokens).where(email_tokens.c.hash.in_(hashes)))
    return len(hashes)


_SET_ADDRESS = text(
    "INSERT INTO emails (user_id, address, address_key, confirmed_at) VALUES (:user_id, :address, :key, :now)"
    " ON CONFLICT (user_id) DO UPDATE SET address = excluded.address, address_key = excluded.address_key,"
    " confirmed_at = excluded.confirmed_at"
)
