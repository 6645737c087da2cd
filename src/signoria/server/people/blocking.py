"""Blocking people: they cannot join tables of the person who blocked them, who no longer sees their messages.

Nobody is told that they are blocked.
"""

import msgspec

from signoria.kernel.language import say
from signoria.server.errors import BadField, Conflict, NotFound
from signoria.server.people.sessions import USER_TOPIC
from signoria.server.play.room import Room
from signoria.server.play.service import TableService, games_topic
from signoria.store import blocks, invitations, people, ties
from signoria.store.people import User
from signoria.store.ties import FOLLOW

MOST_BLOCKS = 500
"""The most people one person can block."""


async def block_seat(service: TableService, room: Room, user: User, seat: int) -> User:
    """Block the person in a seat; returns the updated user. Raises `BadField` or `Conflict`."""
    found = room.seat(seat)
    if found.user_id is None:
        raise Conflict(say("No person sits in seat {seat}.", seat=seat), field="seat")
    return await block(service, user, found.user_id)


async def block_author(service: TableService, room: Room, user: User, message: int) -> User:
    """Block the author of a message; returns the updated user. Raises `NotFound` or `Conflict`."""
    author = next((one.user_id for one in room.messages if one.id == message and one.user_id), None)
    if author is None:
        raise NotFound(say("There is no message {value} from a person at this table.", value=message))
    return await block(service, user, author)


async def block_named(service: TableService, user: User, name: str) -> User:
    """Block a person by name; returns the updated user. Raises `BadField` or `Conflict`."""
    async with service.database.read() as db:
        found = await people.user_named(db, name)
    if found is None:
        raise BadField("name", say("There is no player called {name!r}.", name=name))
    return await block(service, user, found[0].id)


async def block(service: TableService, user: User, blocked_id: str) -> User:
    """Block a person; returns the updated user. Raises `Conflict`."""
    if blocked_id == user.id:
        raise Conflict(say("You cannot block yourself."))
    async with service.database.write() as w:
        if blocked_id not in await blocks.blocked_by(w.db, user.id):
            if await blocks.number_of_blocks(w.db, user.id) >= MOST_BLOCKS:
                raise Conflict(
                    say("You can block at most {most_blocks} people. Unblock someone first.", most_blocks=MOST_BLOCKS)
                )
            await blocks.add_block(w.db, user.id, blocked_id, service.now())
            # they no longer count as a friend, and no invitation between the two stays
            await ties.drop_tie(w.db, user.id, blocked_id, FOLLOW)
            await invitations.drop_invitations_between(w.db, user.id, blocked_id)
            w.tell(games_topic(user.id))
            w.tell(games_topic(blocked_id))
        known = await blocks.blocked_by(w.db, user.id)
        w.tell(USER_TOPIC + user.id)
    return msgspec.structs.replace(user, blocked=known)


async def unblock(service: TableService, user: User, block_id: str) -> None:
    """Unblock a person; raises `NotFound`."""
    async with service.database.write() as w:
        if not await blocks.delete_block(w.db, user.id, block_id):
            raise NotFound(say("You have not blocked this player. You may have unblocked them already."))
        w.tell(USER_TOPIC + user.id)
