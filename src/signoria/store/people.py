"""People: names, passwords, sessions and tokens, and the deletion of all their data."""

import re
import secrets
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import delete, insert, or_, select, tuple_, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.kernel.language import say
from signoria.store.errors import NameTaken, is_unique_violation
from signoria.store.names import as_typed, name_key, name_keys, same_but_for_case
from signoria.store.schema import messages, seats, sessions, tables, tokens, users
from signoria.store.statistics import forget_opponent
from signoria.store.tables import any_tables_of

__all__ = [
    "NameTaken",
    "TokenRow",
    "User",
    "add_session",
    "add_token",
    "add_user",
    "delete_expired_sessions",
    "delete_stale_guests",
    "delete_token",
    "delete_tokens",
    "delete_user",
    "end_session",
    "end_sessions",
    "find_user",
    "forget_at_tables",
    "hold_user",
    "name_key",
    "name_keys",
    "prolong_session",
    "rename",
    "saw",
    "session_user",
    "set_language",
    "set_password",
    "set_theme",
    "set_unasked",
    "show_to",
    "token_user",
    "tokens_of",
    "used_token",
    "user_named",
]

NOBODY = "someone"  # the name of a deleted user in their games
MOST_READ = 200
"""Characters of a name that are read: more than any name has."""
BATCH = 25  # rows processed at a time
USED_EVERY = 30_000  # milliseconds between updates of a token's last use; at most as long as its owner is cached

_user = select(
    users.c.id,
    users.c.name,
    users.c.password,
    users.c.created_at,
    users.c.seen_at,
    users.c.unasked,
    users.c.shown_to,
    users.c.language,
    users.c.theme,
)


class User(msgspec.Struct, frozen=True):
    """A person who plays; a guest until a password is set."""

    id: str
    name: str
    guest: bool
    created_at: int
    seen_at: int
    unasked: bool = True
    """Forced moves are played for them."""
    shown_to: str = "everyone"
    """Who may see their profile: `everyone`, `friends` (people whom they follow), or `me`."""
    blocked: frozenset[str] = frozenset()
    """The ids of the people they have blocked; only known for the sender of a request, like the next two."""
    muted: frozenset[str] = frozenset()
    """The ids of the people whose messages they do not want to see."""
    followed: tuple[tuple[str, str], ...] = ()
    """The ids and names of the people whom they follow."""
    language: str | None = None
    """The language they have chosen; None for what their browser asks for."""
    theme: str | None = None
    """`light`, `dark` or `auto` (what the browser prefers); None if they have not chosen."""

    @property
    def unheard(self) -> frozenset[str]:
        """The ids of the people whose messages are hidden from them."""
        return self.blocked | self.muted


class TokenRow(msgspec.Struct, frozen=True):
    """A token for programs. The token itself is not saved, and its hash is never shown."""

    id: str
    user_id: str
    name: str
    created_at: int
    used_at: int | None


async def add_user(db: AsyncConnection, name: str, now: int) -> User:
    """Add a guest; raises `NameTaken` if the name, or one that looks like it, is taken."""
    await _check_free(db, name)
    user_id = secrets.token_urlsafe(12)
    values = {"id": user_id, "name": name, "name_key": name_key(name), "created_at": now, "seen_at": now}
    try:
        await db.execute(insert(users), values)
    except IntegrityError as error:
        raise _taken(error, name) from error
    return User(user_id, name, guest=True, created_at=now, seen_at=now)


async def find_user(db: AsyncConnection, user_id: str) -> User | None:
    """The user with this id."""
    row = (await db.execute(_user.where(users.c.id == user_id))).one_or_none()
    return None if row is None else _as_user(row)


async def hold_user(db: AsyncConnection, user_id: str) -> None:
    """Lock this user's account against other transactions that do the same, until this one ends."""
    if db.dialect.name == "postgresql":  # SQLite allows only one writer at a time
        await db.execute(select(users.c.id).where(users.c.id == user_id).with_for_update())


async def names_of(db: AsyncConnection, user_ids: Iterable[str]) -> dict[str, str]:
    """The names of these users, by id."""
    wanted = list(user_ids)
    if not wanted:
        return {}
    found = await db.execute(select(users.c.id, users.c.name).where(users.c.id.in_(wanted)))
    return {row.id: row.name for row in found}


async def user_named(db: AsyncConnection, name: str) -> tuple[User, str | None] | None:
    """The user with this name in any spelling, and the password hash (None for a guest).

    With newer Unicode data, old names may look alike; the user whose name was typed exactly is preferred.
    """
    name = name[:MOST_READ].replace("\0", "")  # PostgreSQL refuses it in a text
    typed, keys = as_typed(name), name_keys(name)
    named = _user.add_columns(users.c.name_key).where(or_(users.c.name == typed, users.c.name_key.in_(keys)))
    rows = [
        row
        for row in await db.execute(named)
        if row.name == typed or row.name_key == keys[0] or same_but_for_case(row.name, typed)
    ]
    if not rows:
        return None
    row = min(rows, key=lambda row: (row.name != typed, row.name_key != keys[0], row.id))
    return _as_user(row), row.password


async def rename(db: AsyncConnection, user_id: str, name: str) -> None:
    """Change a name; raises `NameTaken` if another user has it. Seats keep the old name."""
    await _check_free(db, name, user_id)
    try:
        await db.execute(update(users).where(users.c.id == user_id).values(name=name, name_key=name_key(name)))
    except IntegrityError as error:
        raise _taken(error, name) from error


async def set_password(db: AsyncConnection, user_id: str, hashed: str) -> None:
    """Set the password hash; this turns a guest into a user who can sign in."""
    await db.execute(update(users).where(users.c.id == user_id).values(password=hashed))


async def set_unasked(db: AsyncConnection, user_id: str, unasked: bool) -> bool:
    """Set whether forced moves are played for a user; returns whether that is a change."""
    query = update(users).where(users.c.id == user_id, users.c.unasked != unasked).values(unasked=unasked)
    return (await db.execute(query)).rowcount > 0


async def set_language(db: AsyncConnection, user_id: str, language: str) -> None:
    """Set the language that a user has chosen."""
    await db.execute(update(users).where(users.c.id == user_id).values(language=language))


async def set_theme(db: AsyncConnection, user_id: str, theme: str) -> None:
    """Set whether a user reads `light` or `dark` pages, or what the browser prefers (`auto`)."""
    await db.execute(update(users).where(users.c.id == user_id).values(theme=theme))


async def show_to(db: AsyncConnection, user_id: str, shown_to: str) -> None:
    """Set who may see a user's profile."""
    await db.execute(update(users).where(users.c.id == user_id).values(shown_to=shown_to))


async def saw(db: AsyncConnection, user_id: str, now: int) -> None:
    """Note that the user was active."""
    await db.execute(update(users).where(users.c.id == user_id, users.c.seen_at < now).values(seen_at=now))


async def add_session(db: AsyncConnection, user_id: str, hashed: str, now: int, expires_at: int) -> None:
    """Add a session, identified by the hash of its cookie."""
    values = {"hash": hashed, "user_id": user_id, "created_at": now, "expires_at": expires_at}
    await db.execute(insert(sessions), values)


async def session_user(db: AsyncConnection, hashed: str, now: int) -> tuple[User, int] | None:
    """The user of a session and when it expires; None if it has expired."""
    query = _user.add_columns(sessions.c.expires_at).join_from(users, sessions).where(sessions.c.hash == hashed)
    row = (await db.execute(query.where(sessions.c.expires_at > now))).one_or_none()
    return None if row is None else (_as_user(row), row.expires_at)


async def prolong_session(db: AsyncConnection, hashed: str, expires_at: int) -> None:
    """Extend a session that is in use."""
    await db.execute(update(sessions).where(sessions.c.hash == hashed).values(expires_at=expires_at))


async def end_session(db: AsyncConnection, hashed: str) -> None:
    """End one session."""
    await db.execute(delete(sessions).where(sessions.c.hash == hashed))


async def end_sessions(db: AsyncConnection, user_id: str) -> None:
    """End all sessions of a user."""
    await db.execute(delete(sessions).where(sessions.c.user_id == user_id))


async def delete_expired_sessions(db: AsyncConnection, now: int, limit: int = BATCH) -> int:
    """Delete up to this many expired sessions; return how many."""
    expired = select(sessions.c.hash).where(sessions.c.expires_at <= now).order_by(sessions.c.expires_at).limit(limit)
    hashes = list((await db.execute(expired)).scalars())
    if not hashes:
        return 0
    # Check again: a session may have been extended in the meantime.
    gone = await db.execute(delete(sessions).where(sessions.c.hash.in_(hashes), sessions.c.expires_at <= now))
    return gone.rowcount


async def add_token(db: AsyncConnection, user_id: str, name: str, hashed: str, now: int) -> TokenRow:
    """Add a token for programs, identified by its hash."""
    token_id = secrets.token_urlsafe(9)
    values = {"id": token_id, "hash": hashed, "user_id": user_id, "name": name, "created_at": now}
    await db.execute(insert(tokens), values)
    return TokenRow(token_id, user_id, name, created_at=now, used_at=None)


async def tokens_of(db: AsyncConnection, user_id: str) -> list[TokenRow]:
    """The tokens of a user, oldest first."""
    query = (
        select(tokens.c.id, tokens.c.user_id, tokens.c.name, tokens.c.created_at, tokens.c.used_at)
        .where(tokens.c.user_id == user_id)
        .order_by(tokens.c.created_at, tokens.c.id)
    )
    return [TokenRow(*row) for row in await db.execute(query)]


async def token_user(db: AsyncConnection, hashed: str, now: int) -> tuple[User, bool] | None:
    """The owner of a token, and whether to note its use with `used_token` (at most twice a minute)."""
    query = _user.add_columns(tokens.c.used_at).join_from(users, tokens).where(tokens.c.hash == hashed)
    row = (await db.execute(query)).one_or_none()
    if row is None:
        return None
    return _as_user(row), row.used_at is None or row.used_at <= now - USED_EVERY


async def used_token(db: AsyncConnection, hashed: str, now: int) -> None:
    """Note that a token was used."""
    await db.execute(update(tokens).where(tokens.c.hash == hashed).values(used_at=now))


async def delete_token(db: AsyncConnection, user_id: str, token_id: str) -> bool:
    """Delete a token of this user; False if there is none."""
    gone = await db.execute(delete(tokens).where(tokens.c.id == token_id, tokens.c.user_id == user_id))
    return gone.rowcount > 0


async def delete_tokens(db: AsyncConnection, user_id: str) -> int:
    """Delete all tokens of a user; return how many."""
    return (await db.execute(delete(tokens).where(tokens.c.user_id == user_id))).rowcount


async def forget_at_tables(db: AsyncConnection, user: User, table_ids: Sequence[str]) -> None:
    """Make a user anonymous at these tables: in their seats, and in the server's messages."""
    sat = (
        await db.execute(
            select(seats.c.table_id, seats.c.seat, seats.c.user_id, seats.c.name).where(seats.c.table_id.in_(table_ids))
        )
    ).all()
    own = [row for row in sat if row.user_id == user.id]
    await _forget_names(db, table_ids, {user.name} | {row.name for row in own if row.name})
    for row in own:
        where = (seats.c.table_id == row.table_id, seats.c.seat == row.seat)
        await db.execute(update(seats).where(*where).values(user_id=None, name=NOBODY))
    hosted = select(tables.c.id, tables.c.host_id).where(tables.c.id.in_(table_ids))
    for table_id, host_id in (await db.execute(hosted)).all():
        if host_id == user.id:
            await db.execute(update(tables).where(tables.c.id == table_id).values(host_id=None))


async def delete_user(db: AsyncConnection, user_id: str) -> bool:
    """Delete all personal data: account, sessions, tokens, ratings, messages, names. The games stay, anonymously.

    False if there is no such user.
    """
    user = await find_user(db, user_id)
    if user is None:
        return False
    while table_ids := await any_tables_of(db, user_id, BATCH):
        await forget_at_tables(db, user, table_ids)
    await forget_opponent(db, user_id)
    await db.execute(delete(users).where(users.c.id == user_id))  # and all rows that refer to it
    return True


async def delete_stale_guests(
    db: AsyncConnection, before: int, after: tuple[int, str] = (0, ""), limit: int = BATCH
) -> tuple[int, tuple[int, str] | None]:
    """Examine some guests who have been inactive since then, and delete those who neither play at nor host a table.

    Returns how many were deleted, and where to continue; None when all guests were examined.
    """
    sat = select(seats.c.table_id).where(seats.c.user_id == users.c.id).limit(1).scalar_subquery()
    hosted = select(tables.c.id).where(tables.c.host_id == users.c.id).limit(1).scalar_subquery()
    stale, alone = users.c.password.is_(None) & (users.c.seen_at < before), sat.is_(None) & hosted.is_(None)
    query = (
        select(users.c.id, users.c.seen_at, alone)
        .where(stale)
        .where(tuple_(users.c.seen_at, users.c.id) > tuple_(*after))
        .order_by(users.c.seen_at, users.c.id)
        .limit(limit)
    )
    looked_at = (await db.execute(query)).all()
    gone = 0
    if found := [user_id for user_id, _, is_alone in looked_at if is_alone]:
        # Lock them first: guests who return or set a password right now are skipped.
        held = select(users.c.id).where(users.c.id.in_(found), stale).with_for_update(skip_locked=True)
        found = list((await db.execute(held)).scalars())
        gone = (await db.execute(delete(users).where(users.c.id.in_(found), stale, alone))).rowcount if found else 0
    return gone, (looked_at[-1].seen_at, looked_at[-1].id) if len(looked_at) == limit else None


async def _forget_names(db: AsyncConnection, table_ids: Sequence[str], names: set[str]) -> None:
    """Replace these names in the server's messages at these tables."""
    named = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(names, key=len, reverse=True)))
    said = select(messages.c.id, messages.c.text, messages.c.said).where(
        messages.c.table_id.in_(table_ids), messages.c.user_id.is_(None)
    )
    for row in (await db.execute(said)).all():
        if (without := named.sub(NOBODY, row.text)) != row.text:
            changed = {"text": without, "said": row.said and _without_names(row.said, named)}
            await db.execute(update(messages).where(messages.c.id == row.id).values(**changed))


def _without_names(said: str, named: re.Pattern[str]) -> str:
    """What the server said as data, with `NOBODY` in place of these names."""
    message, values = msgspec.json.decode(said)
    values = {name: named.sub(NOBODY, value) if isinstance(value, str) else value for name, value in values.items()}
    return msgspec.json.encode((message, values)).decode()


def _as_user(row: Any) -> User:
    seen = row.created_at, row.seen_at
    return User(
        row.id, row.name, row.password is None, *seen, row.unasked, row.shown_to, language=row.language, theme=row.theme
    )


async def _check_free(db: AsyncConnection, name: str, user_id: str | None = None) -> None:
    """Raise `NameTaken` if another user has the name in a different case; the unique key finds lookalikes."""
    others = (await db.execute(select(users.c.id, users.c.name).where(users.c.name_key.in_(name_keys(name))))).all()
    if any(row.id != user_id and same_but_for_case(row.name, name) for row in others):
        raise _name_taken(name)


def _taken(error: IntegrityError, name: str) -> Exception:
    return _name_taken(name) if is_unique_violation(error) else error


def _name_taken(name: str) -> NameTaken:
    return NameTaken(say("The name {name!r}, or one that looks like it, is taken. Choose another.", name=name))
