"""A table and who sits at it: looking, sitting down, beginning, leaving, meeting again, talking."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import msgspec
from starlette.responses import Response

from signoria.server import absence, blocking, meeting, seating, talking
from signoria.server.api.answers import Again, Blocked, Said, Table
from signoria.server.api.asking import JSON, Asked, whole
from signoria.server.api.facts import said, table_facts
from signoria.server.api.given import (
    AnySeat,
    BlockAtTable,
    Fill,
    Message,
    Nothing,
    OwnSeat,
    PlayOn,
    PutBot,
    Salt,
    Say,
    Sit,
)
from signoria.server.api.writing import encoded
from signoria.server.errors import BadField
from signoria.server.gate.opening import may_open


async def table(asked: Asked) -> Table:
    """A table as it is."""
    return table_facts(await asked.room(), asked.user)


def _act(
    name: str, says: str, do: Callable[..., Awaitable[None]], kind: type[Message] = Nothing, *, announced: bool = False
) -> Callable[[Asked], Awaitable[Table]]:
    """What does something with seats, given the fields of a message in their order; answered with the table.

    What is announced to the table each time counts as a message of this person.
    """

    async def act(asked: Asked) -> Table:
        room = await asked.room()
        fields: tuple[Any, ...] = () if kind is Nothing else msgspec.structs.astuple(await asked.given(kind))
        if announced:
            asked.limit("chat", "announcements")
        await do(asked.house, room, asked.person, *fields)
        return table_facts(room, asked.user)

    act.__name__, act.__doc__ = name, says
    return act


sit = _act("sit", "Take an empty seat.", seating.sit, Sit)
remove = _act("remove", "Remove a player before the game.", seating.remove, AnySeat)
stand = _act("stand", "Give a seat back before the game.", seating.stand, OwnSeat)
put_bot = _act("put_bot", "Give an empty seat to a bot, or empty a bot's.", seating.put_bot, PutBot)
set_salt = _act("set_salt", "A word of one's own for the shuffle.", seating.set_salt, Salt)
start = _act("start", "Begin: all seats are taken.", seating.start)
fill = _act("fill", "Bots into the empty seats, and begin.", seating.fill, Fill)
close = _act("close", "Close a table whose game has not begun.", seating.close)
leave = _act("leave", "Let a bot play on.", absence.leave, OwnSeat, announced=True)
come_back = _act("come_back", "Take one's seat back.", absence.come_back, OwnSeat, announced=True)
resign = _act("resign", "Let a bot play to the end.", partial(absence.leave, resign=True), OwnSeat)
stand_in = _act("stand_in", "Let a bot play for somebody who is asked and gone.", absence.stand_in, OwnSeat)


async def rematch(asked: Asked) -> Response:
    """Meet again."""
    room = await asked.room()
    opened = await may_open(asked.request, asked.person)
    return _elsewhere(opened(await meeting.rematch(asked.house, room, asked.person)))


async def play_on(asked: Asked) -> Response:
    """Play on from a position of a finished game."""
    room, wanted, user = await asked.room(), await asked.given(PlayOn), asked.person
    n = whole(asked.request.path_params, "n")
    opened = await may_open(asked.request, user)
    return _elsewhere(opened(await meeting.play_on(asked.house, room, user, n, wanted.seat, wanted.level)))


def _elsewhere(table_id: str) -> Response:
    """Another table."""
    return Response(encoded(Again(table=table_id)), headers={"Location": f"/api/v1/tables/{table_id}"}, media_type=JSON)


async def block(asked: Asked) -> Blocked:
    """Block the person in a seat, or the author of a message."""
    room, wanted, user = await asked.room(), await asked.given(BlockAtTable), asked.person
    if (wanted.seat is msgspec.UNSET) == (wanted.message is msgspec.UNSET):
        raise BadField("seat", "seat, message: one of the two says whom to block.")
    if wanted.seat is not msgspec.UNSET:
        user = await blocking.block_seat(asked.house, room, user, wanted.seat)
    elif wanted.message is not msgspec.UNSET:
        user = await blocking.block_author(asked.house, room, user, wanted.message)
    return Blocked(blocked=len(user.blocked))


async def chat(asked: Asked) -> Said:
    """Say something."""
    room, wanted, user = await asked.room(), await asked.given(Say), asked.person
    asked.limit("chat", "messages")
    await talking.say(asked.house, room, user, wanted.text)
    return said(next(message for message in reversed(room.messages) if message.user_id == user.id))
