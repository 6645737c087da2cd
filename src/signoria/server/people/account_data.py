"""All data of an account, for its owner to keep. Secrets such as passwords and tokens are stored only as hashes, and left out."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.server.play.service import TableService
from signoria.store import (
    blocks,
    emails,
    invitations,
    messages,
    moderation,
    notifications,
    people,
    ratings,
    statistics,
    tables,
    ties,
    vacations,
)
from signoria.store.people import User
from signoria.store.ties import FOLLOW, MUTE

FORMAT = "signoria-account/1"
AT_A_TIME = 500
"""Rows read at a time where there may be any number of them."""


async def account_data(service: TableService, user: User) -> list[bytes]:
    """The data of an account as JSON, in pieces; times are milliseconds since 1970.

    A person may have written any number of messages. So only one account is read at a time, and other tasks run between
    the pieces.
    """
    async with service.exporting, service.database.read() as db:
        about = msgspec.json.format(msgspec.json.encode(await _about(db, user)), indent=1)
        pieces = [about.removesuffix(b"\n}")]
        lists = {"games": _games(db, user.id), "tables": _tables(db, user.id), "messages": _messages(db, user.id)}
        for name, rows in lists.items():
            lines = [line async for line in _lines(rows)]
            pieces += [f',\n "{name}": ['.encode(), *lines, b"\n ]" if lines else b"]"]
    return [*pieces, b"\n}"]


async def _lines(batches: AsyncIterator[list[dict[str, Any]]]) -> AsyncIterator[bytes]:
    """Rows as JSON, a line for each, with commas between them."""
    first = True
    async for rows in batches:
        lines = b",\n  ".join(map(msgspec.json.encode, rows))
        if lines:
            yield (b"\n  " if first else b",\n  ") + lines
            first = False
        await asyncio.sleep(0)


async def in_pieces(pieces: list[bytes]) -> AsyncIterator[bytes]:
    """The pieces of a response, with other tasks in between: each is also compressed."""
    for piece in pieces:
        yield piece
        await asyncio.sleep(0)


async def _about(db: AsyncConnection, user: User) -> dict[str, Any]:
    settings = (await notifications.settings_of(db, [user.id])).get(user.id)
    known = await ties.ties_of(db, user.id, AT_A_TIME)
    return {
        "format": FORMAT,
        "account": {
            "id": user.id,
            "name": user.name,
            "guest": user.guest,
            "created_at": user.created_at,
            "seen_at": user.seen_at,
            "plays_forced_moves": user.unasked,
            "profile_shown_to": user.shown_to,
            "language": user.language,
            "theme": user.theme,
            "email": await emails.address_of(db, user.id),
        },
        "tokens": [
            {"name": token.name, "created_at": token.created_at, "used_at": token.used_at}
            for token in await people.tokens_of(db, user.id)
        ],
        "blocked": [{"name": row.name, "since": row.created_at} for row in await blocks.blocks_of(db, user.id)],
        "follows": [{"name": tie.name, "since": tie.created_at} for tie in known if tie.kind == FOLLOW],
        "muted": [{"name": tie.name, "since": tie.created_at} for tie in known if tie.kind == MUTE],
        "notifications": None
        if settings is None
        else {
            "switches": settings.switches,
            "zone": settings.zone,
            "quiet_from": settings.quiet_from,
            "quiet_until": settings.quiet_until,
            "digest": settings.digest,
            "language": settings.language,
        },
        "browsers": [
            {"endpoint": one.endpoint, "since": one.created_at}
            for one in await notifications.subscriptions_of(db, [user.id])
        ],
        "invitations": [one._asdict() for one in await invitations.invitations_of(db, user.id, AT_A_TIME)],
        "vacation": (await vacations.find_vacation(db, user.id))._asdict(),
        "decisions_of_moderators": (await moderation.standing_of(db, user.id))._asdict(),
        "reports": [
            {"about": one.about, "table": one.table_id, "text": one.text, "quoted": one.quoted, "at": one.at}
            for one in await moderation.reports_by(db, user.id, AT_A_TIME)
        ],
        "ratings": [
            {"game": row.game, "mean": row.mu, "deviation": row.sigma, "games": row.games}
            for row in await ratings.ratings_of(db, user.id)
        ],
    }


Rows = AsyncIterator[list[dict[str, Any]]]


async def _games(db: AsyncConnection, user_id: str) -> Rows:
    after = ""
    while rows := await statistics.played_after(db, user_id, after, AT_A_TIME):
        yield [{name: value for name, value in row._asdict().items() if name != "user_id"} for row in rows]
        after = rows[-1].table_id


async def _tables(db: AsyncConnection, user_id: str) -> Rows:
    """The tables that are open or in play."""
    rows = (await tables.find_tables(db, await tables.going_on(db, user_id))).values()
    seats = {row.id: [one for one in row.seats if one.user_id == user_id] for row in rows}
    yield [
        {
            "table": row.id,
            "game": row.game,
            "state": row.state,
            "seats": [{"seat": seat.seat, "name": seat.name} for seat in seats[row.id]],
            "created_at": row.created_at,
        }
        for row in rows
    ]


async def _messages(db: AsyncConnection, user_id: str) -> Rows:
    after = 0
    while rows := await messages.messages_by(db, user_id, after, AT_A_TIME):
        yield [{"table": row.table_id, "name": row.name, "text": row.text, "at": row.at} for row in rows]
        after = rows[-1].id
