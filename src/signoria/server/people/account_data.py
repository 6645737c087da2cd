"""All data of an account, for its owner to keep. Secrets such as passwords and tokens are stored only as hashes, and left out."""

from typing import Any

import msgspec
from sqlalchemy.ext.asyncio import AsyncConnection

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
from signoria.store.database import Database
from signoria.store.people import User
from signoria.store.ties import FOLLOW, MUTE

FORMAT = "signoria-account/1"
AT_A_TIME = 500
"""Rows read at a time where there may be any number of them."""


async def account_data(database: Database, user: User) -> bytes:
    """The data of an account as JSON; times are milliseconds since 1970."""
    async with database.read() as db:
        data = await _about(db, user) | {
            "games": [one async for one in _games(db, user.id)],
            "tables": [one async for one in _tables(db, user.id)],
            "messages": [one async for one in _messages(db, user.id)],
        }
    return msgspec.json.format(msgspec.json.encode(data), indent=1)


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


async def _games(db: AsyncConnection, user_id: str) -> Any:
    after = ""
    while rows := await statistics.played_after(db, user_id, after, AT_A_TIME):
        for row in rows:
            yield {name: value for name, value in row._asdict().items() if name != "user_id"}
        after = rows[-1].table_id


async def _tables(db: AsyncConnection, user_id: str) -> Any:
    """The tables that are open or in play."""
    for row in (await tables.find_tables(db, await tables.going_on(db, user_id))).values():
        names = [{"seat": seat.seat, "name": seat.name} for seat in row.seats if seat.user_id == user_id]
        yield {"table": row.id, "game": row.game, "state": row.state, "seats": names, "created_at": row.created_at}


async def _messages(db: AsyncConnection, user_id: str) -> Any:
    after = 0
    while rows := await messages.messages_by(db, user_id, after, AT_A_TIME):
        for row in rows:
            yield {"table": row.table_id, "name": row.name, "text": row.text, "at": row.at}
        after = rows[-1].id
