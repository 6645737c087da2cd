"""Endpoints for a table and its seats: sitting, starting, leaving, rematches, chat."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import msgspec
from starlette.responses import Response

from signoria.kernel.language import say
from signoria.server.api.blocks import BLOCKING
from signoria.server.api.calls import JSON, ApiCall
from signoria.server.api.invitations import decline, invite
from signoria.server.api.operations import ROOT, TABLE, Operation
from signoria.server.api.requests import (
    AnySeat,
    BlockAtTable,
    Fill,
    InviteNamed,
    NoParameters,
    OwnSeat,
    PostMessage,
    PutBot,
    RequestModel,
    SetSalt,
    Sit,
)
from signoria.server.api.responses.notifications import InvitationList
from signoria.server.api.responses.people import BlockCount
from signoria.server.api.responses.tables import ChatMessage, TableInfo, TableLink
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


sit = _act("sit", "Take an empty seat.", seating.sit, Sit, announced=True)
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
    return link_to_table(opened(await rematches.rematch(call.service, room, call.signed_in_user)))


def link_to_table(table_id: str) -> Response:
    """A response with the table where the game continues."""
    return Response(
        to_json(TableLink(table=table_id)), headers={"Location": f"{ROOT}/tables/{table_id}"}, media_type=JSON
    )


async def block(call: ApiCall) -> BlockCount:
    """Block the person in a seat, or the author of a message."""
    room, wanted, user = await call.room(), await call.body(BlockAtTable), call.signed_in_user
    if (wanted.seat is msgspec.UNSET) == (wanted.message is msgspec.UNSET):
        raise BadField("seat", say("seat, message: give one of the two, to say whom to block."))
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


WAITING = {409: "The game has started, or the table is closed."}
PLAYING = {409: "The game has not started, or is over."}


def _at_table(do: str, handler: object, summary: str, **more: object) -> Operation:
    """An operation on seats."""
    usual = {"method": "POST", "path": f"{TABLE}/{do}", "tag": "seats", "answers": (TableInfo,), "needs_user": True}
    return Operation(handler=handler, summary=summary, **(usual | more))  # type: ignore[arg-type]


OPERATIONS = (
    Operation(
        method="GET",
        path=TABLE,
        handler=table,
        summary="A table",
        more="Everything public. The seed and the result are included when the game is over.",
        tag="tables",
        answers=(TableInfo,),
    ),
    _at_table(
        "sit", sit, "Take an empty seat", body=(Sit,), example={"seat": 1},
        more="You can have several seats only if all other players are bots, or at an invite-only table.",
        refuses={
            403: "The table is invite only, or you cannot join it.",
            409: "The seat is taken, you already have one, or the game has started.",
        },
    ),
    _at_table(
        "remove", remove, "Remove a player before the game; only the host can", body=(AnySeat,),
        example={"seat": 1}, more="The person cannot join this table again.",
        refuses={403: "You are not the host.", 409: "The seat is empty or your own, or the game has started."},
    ),
    _at_table(
        "stand", stand, "Leave your seat before the game", body=(OwnSeat,), example={"seat": 1},
        refuses={403: "The seat is not yours."} | WAITING,
    ),
    _at_table(
        "bot", put_bot, "Put a bot in an empty seat, or remove a bot", body=(PutBot,),
        example={"seat": 1, "level": "muratore"},
        refuses={403: "You are not the host.", 409: "The seat is taken, or the game has started."},
    ),
    _at_table(
        "salt", set_salt, "Set your shuffle word", body=(SetSalt,),
        example={"seat": 1, "salt": "basil"}, refuses={403: "The seat is not yours."} | WAITING,
    ),
    _at_table(
        "start", start, "Start the game when all seats are taken",
        refuses={403: "You are not a player at this table.", 409: "Seats are empty, or the table is closed."},
    ),
    _at_table(
        "fill", fill, "Fill the empty seats with bots and start", body=(Fill,), example={"level": "muratore"},
        refuses={403: "You are not the host."} | WAITING,
    ),
    _at_table(
        "close", close, "Close a table before the game",
        refuses={403: "You are not the host."} | WAITING,
    ),
    _at_table(
        "leave", leave, "Let a bot play for you until you return", body=(OwnSeat,), example={"seat": 1},
        refuses={403: "The seat is not yours."} | PLAYING,
    ),
    _at_table(
        "return", come_back, "Take your seat back from the bot", body=(OwnSeat,), example={"seat": 1},
        refuses={403: "The seat is not yours.", 409: "The game has not started or is over, you resigned, or your time for "
                 "this move is up and the bot first finishes your turn."},
    ),
    _at_table(
        "resign", resign, "Resign: a bot plays for you until the end", body=(OwnSeat,), example={"seat": 1},
        refuses={403: "The seat is not yours."} | PLAYING,
    ),
    _at_table(
        "stand-in", stand_in, "Let a bot play for a player who has not moved for a while", body=(OwnSeat,),
        example={"seat": 2}, refuses={403: "You are not a player at this table.", 409: "It is too early for that."},
    ),
    _at_table(
        "rematch", rematch, "Ask for a rematch when the game is over", answers=(TableLink,),
        more="The first request opens the table; later ones return the same table.",
        refuses={403: "You did not play.", 409: "The game is not over."},
    ),
    _at_table(
        "block", block, "Block the person in a seat, or the author of a message", body=(BlockAtTable,),
        answers=(BlockCount,), example={"seat": 1}, more=BLOCKING,
        refuses={404: "There is no such table, or no such message.", 409: "There is nobody to block, or it is you."},
    ),
    _at_table(
        "invite", invite, "Invite a person by name", body=(InviteNamed,), example={"name": "Bruno"},
        more="They find the invitation in their lobby, and can take a seat even if the table is invite only.",
        refuses={403: "You are neither the host nor a player.", 409: "The game has started, or the person is at the table, "
                 "is already invited or cannot be invited."},
    ),
    _at_table(
        "decline", decline, "Decline an invitation", answers=(InvitationList,),
        refuses={404: "There is no such table, or you are not invited."},
    ),
    _at_table("chat", chat, "Write a chat message", body=(PostMessage,), answers=(ChatMessage,), example={"text": "Good luck!"}),
)  # fmt: skip
