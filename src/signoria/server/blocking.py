"""Blocking people: they cannot sit down where the person who blocked them sits, and their messages are not shown there.

Nobody is told that they are blocked.
"""

import msgspec

from signoria.server.errors import BadField, Conflict, NotFound
from signoria.server.gate.people import TOPIC
from signoria.server.house import House
from signoria.server.room import Room
from signoria.server.seating import seat_of
from signoria.store import blocks, people
from signoria.store.people import User

MOST_BLOCKS = 500
"""People whom one person can block."""


async def block_seat(house: House, room: Room, user: User, seat: int) -> User:
    """Block the person in a seat; the user as they are then. Raises `BadField` or `Conflict`."""
    found = seat_of(room, seat)
    if found.user_id is None:
        raise Conflict(f"No person sits in seat {seat}.", field="seat")
    return await block(house, user, found.user_id)


async def block_author(house: House, room: Room, user: User, message: int) -> User:
    """Block the author of a message; the user as they are then. Raises `NotFound` or `Conflict`."""
    author = next((said.user_id for said in room.messages if said.id == message and said.user_id), None)
    if author is None:
        raise NotFound(f"Message {message} is not at this table, or no person wrote it.")
    return await block(house, user, author)


async def block_named(house: House, user: User, name: str) -> User:
    """Block the person of this name; the user as they are then. Raises `BadField` or `Conflict`."""
    async with house.database.read() as db:
        found = await people.user_named(db, name)
    if found is None:
        raise BadField("name", f"Nobody here is called {name!r}.")
    return await block(house, user, found[0].id)


async def block(house: House, user: User, blocked_id: str) -> User:
    """Block somebody; the user as they are then. Raises `Conflict`."""
    if blocked_id == user.id:
        raise Conflict("You cannot block yourself.")
    async with house.database.write() as w:
        if blocked_id not in await blocks.blocked_by(w.db, user.id):
            if await blocks.number_of_blocks(w.db, user.id) >= MOST_BLOCKS:
                raise Conflict(f"You can block at most {MOST_BLOCKS} people. Unblock someone first.")
            await blocks.add_block(w.db, user.id, blocked_id, house.now())
        known = await blocks.blocked_by(w.db, user.id)
        w.tell(TOPIC + user.id)
    return msgspec.structs.replace(user, blocked=known)


async def unblock(house: House, user: User, block_id: str) -> None:
    """No longer block somebody; raises `NotFound`."""
    async with house.database.write() as w:
        if not await blocks.delete_block(w.db, user.id, block_id):
            raise NotFound("You have not blocked anybody under this id; perhaps you have unblocked them already.")
        w.tell(TOPIC + user.id)
