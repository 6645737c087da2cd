"""Endpoints for a table and its seats: sitting, starting, leaving, rematches, chat."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import msgspec
from starlette.responses import Response

from signoria.server.api.calls import JSON, ApiCall, path_int
from signoria.server.api.requests import (
    AnySeat,
    BlockAtTable,
    Fill,
    NoParameters,
    OwnSeat,
    PlayOn,
    PostMessage,
    PutBot,
    RequestModel,
    SetSalt,
    Sit,
)
from signoria.server.api.responses import BlockCount, ChatMessage, TableInfo, TableLink
from signoria.server.api.serializers import chat_message, table_info, to_json
from signoria.server.errors import BadField
from signoria.server.guard.limits import may_open
from signoria.server.lobby import absence, rematches, seating
from signoria.server.people import blocking
from signoria.server.play import table_chat


async def table(call: ApiCall) -> TableInfo:
    """A table."""
    return table_info(await call.room(), call.user)


def _act(
    name: str,
    says: str,
    do: Callable[..., Awaitable[None]],
    kind: type[RequestModel] = NoParameters,
    *,
    announced: bool = False,
) -> Callable[[ApiCall], Awaitable[TableInfo]]:
    """An endpoint that calls a function with the fields of the body in order, and returns the table.

    If it announces something at the table, it counts as a message of this person.
    """

    async def act(call: ApiCall) -> TableInfo:
        room = await call.room()
        fields: tuple[Any, ...] = () if kind is NoParameters else msgspec.structs.astuple(await call.body(kind))
        if announced:
            call.limit("chat", "announcements")
        await do(call.service, room, call.signed_in_user, *fields)
        return table_info(room, call.user)

    act.__name__, act.__doc__ = name, says
    return act


sit = _act("sit", "Take an empty seat.", seating.sit, Sit)
remove = _act("remove", "Remove a player before the game.", seating.remove, AnySeat)
stand = _act("stand", "Leave a seat before the game.", seating.stand, OwnSeat)
put_bot = _act("put_bot", "Put a bot in an empty seat, or remove a bot.", seating.put_bot, PutBot)
set_salt = _act("set_salt", "Set your shuffle word.", seating.set_salt, SetSalt)
start = _act("start", "Start the game when all seats are taken.", seating.start)
fill = _act("fill", "Fill the empty seats with bots and start.", seating.fill, Fill)
close = _act("close", "Close a table before the game.", seating.close)
leave = _act("leave", "Let a bot play for you for a while.", absence.leave, OwnSeat, announced=True)
come_back = _act("come_back", "Take your seat back.", absence.come_back, OwnSeat, announced=True)
resign = _act("resign", "Resign: a bot plays for you until the end.", partial(absence.leave, resign=True), OwnSeat)
stand_in = _act("stand_in", "Let a bot play for a player who has not moved for a while.", absence.stand_in, OwnSeat)


async def rematch(call: ApiCall) -> Response:
    """Ask for a rematch."""
    room = await call.room()
    opened = await may_open(call.request, call.signed_in_user)
    return _elsewhere(opened(await rematches.rematch(call.service, room, call.signed_in_user)))


async def play_on(call: ApiCall) -> Response:
    """Play from a position of a finished game."""
    room, wanted, user = await call.room(), await call.body(PlayOn), call.signed_in_user
    n = path_int(call.request.path_params, "n")
    opened = await may_open(call.request, user)
    return _elsewhere(opened(await rematches.play_on(call.service, room, user, n, wanted.seat, wanted.level)))


def _elsewhere(table_id: str) -> Response:
    """Another table."""
    return Response(
        to_json(TableLink(table=table_id)), headers={"Location": f"/api/v1/tables/{table_id}"}, media_type=JSON
    )


async def block(call: ApiCall) -> BlockCount:
    """Block the person in a seat, or the author of a message."""
    room, wanted, user = await call.room(), await call.body(BlockAtTable), call.signed_in_user
    if (wanted.seat is msgspec.UNSET) == (wanted.message is msgspec.UNSET):
        raise BadField("seat", "seat, message: give one of the two, to say whom to block.")
    if wanted.seat is not msgspec.UNSET:
        user = await blocking.block_seat(call.service, room, user, wanted.seat)
    elif wanted.message is not msgspec.UNSET:
        user = await blocking.block_author(call.service, room, user, wanted.message)
    return BlockCount(blocked=len(user.blocked))


async def chat(call: ApiCall) -> ChatMessage:
    """Write a chat message."""
    room, wanted, user = await call.room(), await call.body(PostMessage), call.signed_in_user
    call.limit("chat", "messages")
    await table_chat.say(call.service, room, user, wanted.text)
    return chat_message(next(message for message in reversed(room.messages) if message.user_id == user.id))
