"""Every operation of `/api/v1`, in one table."""

from functools import cache
from typing import Any

import msgspec
from starlette.responses import Response
from starlette.routing import Route

from signoria.games import GAMES
from signoria.kernel.record import Record
from signoria.server.api import blocks, lobby, play, requests, seats, stream
from signoria.server.api.calls import JSON, ApiCall
from signoria.server.api.openapi import document
from signoria.server.api.operations import Operation, endpoint
from signoria.server.api.per_game import events_type, per_game, step_type, view_type
from signoria.server.api.responses import (
    BlockCount,
    BlockList,
    Catalogue,
    ChatMessage,
    LegalSteps,
    Me,
    PositionView,
    Ranking,
    SealedBidInfo,
    StepCheck,
    StepResult,
    TableInfo,
    TableLink,
    TableList,
)
from signoria.server.api.serializers import to_json

ROOT = "/api/v1"
TABLE = f"{ROOT}/tables/{{id}}"
FIRST = next(iter(GAMES.values()))
STEP = msgspec.to_builtins(FIRST.step_of(0))
"""The game of examples, and a step of it."""

SEEN = tuple(per_game(PositionView, view_type).values())
LEGAL = tuple(per_game(LegalSteps, step_type).values())
MADE = tuple(per_game(StepResult, events_type).values())

WAITING = {409: "The game has started, or the table is closed."}
PLAYING = {409: "The game has not started, or is over."}
BLOCKING = (
    "You no longer see their messages, and you cannot join each other's tables. They are not told. Your open streams end; "
    "reconnect to get them without their messages."
)
NOT_BEGUN = {403: "The seat is not yours.", 409: "The game has not started."}


@cache
def _description() -> bytes:
    return to_json(document(OPERATIONS))


async def openapi(_call: ApiCall) -> Response:
    """The OpenAPI description."""
    return Response(_description(), media_type=JSON)


LOOKING = (
    Operation(
        method="GET",
        path=f"{ROOT}/openapi.json",
        handler=openapi,
        summary="This description (OpenAPI 3.1)",
        tag="server",
        answers=(dict[str, Any],),
    ),
    Operation(
        method="GET",
        path=f"{ROOT}/games",
        handler=lobby.games,
        summary="Games, their options, bots and clocks",
        tag="server",
        answers=(Catalogue,),
    ),
    Operation(
        method="GET",
        path=f"{ROOT}/me",
        handler=lobby.me,
        summary="Your account",
        tag="server",
        answers=(Me,),
        needs_user=True,
    ),
    Operation(
        method="GET",
        path=f"{ROOT}/ratings/{{game}}",
        handler=lobby.ranking,
        summary="Ranking of a game",
        more="People and bots, ordered by the mean minus one and a half times the reach.",
        tag="server",
        query=requests.RankingQuery,
        answers=(Ranking,),
        refuses={404: "There is no such game."},
    ),
    Operation(
        method="GET",
        path=f"{ROOT}/tables",
        handler=lobby.list_tables,
        summary="List tables: open, in play, finished, or your own",
        tag="tables",
        query=requests.TableListQuery,
        answers=(TableList,),
    ),
    Operation(
        method="POST",
        path=f"{ROOT}/tables",
        handler=lobby.open_table,
        summary="Open a table",
        more="The game starts immediately if every seat is taken. `Location` is the address of the table.",
        tag="tables",
        body=(requests.OpenTable,),
        answers=(TableInfo,),
        status=201,
        needs_user=True,
        example={
            "game": FIRST.name,
            "seats": [{"kind": "me"}, {"kind": "bot", "bot": "muratore"}, {"kind": "open"}],
            "options": {label.name: True for label in FIRST.option_labels[:1] if not label.choices},
            "clock": 600,
        },
    ),
    Operation(
        method="GET",
        path=TABLE,
        handler=seats.table,
        summary="A table",
        more="Everything public. The seed and the result are included when the game is over.",
        tag="tables",
        answers=(TableInfo,),
    ),
)


def _at_table(do: str, handler: object, summary: str, **more: object) -> Operation:
    """An operation on seats."""
    usual = {"method": "POST", "path": f"{TABLE}/{do}", "tag": "seats", "answers": (TableInfo,), "needs_user": True}
    return Operation(handler=handler, summary=summary, **(usual | more))  # type: ignore[arg-type]


SEATS = (
    _at_table(
        "sit", seats.sit, "Take an empty seat", body=(requests.Sit,), example={"seat": 1},
        more="You can have several seats only if all other players are bots, or at an invite-only table.",
        refuses={
            403: "The table is invite only, or you cannot join it.",
            409: "The seat is taken, you already have one, or the game has started.",
        },
    ),
    _at_table(
        "remove", seats.remove, "Remove a player before the game; only the host can", body=(requests.AnySeat,),
        example={"seat": 1}, more="The person cannot join this table again.",
        refuses={403: "You are not the host.", 409: "The seat is empty or your own, or the game has started."},
    ),
    _at_table(
        "stand", seats.stand, "Leave your seat before the game", body=(requests.OwnSeat,), example={"seat": 1},
        refuses={403: "The seat is not yours."} | WAITING,
    ),
    _at_table(
        "bot", seats.put_bot, "Put a bot in an empty seat, or remove a bot", body=(requests.PutBot,),
        example={"seat": 1, "level": "muratore"},
        refuses={403: "You are not the host.", 409: "The seat is taken, or the game has started."},
    ),
    _at_table(
        "salt", seats.set_salt, "Set your shuffle word", body=(requests.SetSalt,),
        example={"seat": 1, "salt": "basil"}, refuses={403: "The seat is not yours."} | WAITING,
    ),
    _at_table(
        "start", seats.start, "Start the game when all seats are taken",
        refuses={403: "You are not a player at this table.", 409: "Seats are empty, or the table is closed."},
    ),
    _at_table(
        "fill", seats.fill, "Fill the empty seats with bots and start", body=(requests.Fill,), example={"level": "muratore"},
        refuses={403: "You are not the host."} | WAITING,
    ),
    _at_table(
        "close", seats.close, "Close a table before the game",
        refuses={403: "You are not the host."} | WAITING,
    ),
    _at_table(
        "leave", seats.leave, "Let a bot play for you until you return", body=(requests.OwnSeat,), example={"seat": 1},
        refuses={403: "The seat is not yours."} | PLAYING,
    ),
    _at_table(
        "return", seats.come_back, "Take your seat back from the bot", body=(requests.OwnSeat,), example={"seat": 1},
        refuses={403: "The seat is not yours.", 409: "The game has not started or is over, you resigned, or your time for "
                 "this move is up and the bot first finishes your turn."},
    ),
    _at_table(
        "resign", seats.resign, "Resign: a bot plays for you until the end", body=(requests.OwnSeat,), example={"seat": 1},
        refuses={403: "The seat is not yours."} | PLAYING,
    ),
    _at_table(
        "stand-in", seats.stand_in, "Let a bot play for a player who has not moved for a while", body=(requests.OwnSeat,),
        example={"seat": 2}, refuses={403: "You are not a player at this table.", 409: "It is too early for that."},
    ),
    _at_table(
        "rematch", seats.rematch, "Ask for a rematch when the game is over", answers=(TableLink,),
        more="The first request opens the table; later ones return the same table.",
        refuses={403: "You did not play.", 409: "The game is not over."},
    ),
    _at_table(
        "block", seats.block, "Block the person in a seat, or the author of a message", body=(requests.BlockAtTable,),
        answers=(BlockCount,), example={"seat": 1}, more=BLOCKING,
        refuses={404: "There is no such table, or no such message.", 409: "There is nobody to block, or it is you."},
    ),
    _at_table("chat", seats.chat, "Write a chat message", body=(requests.PostMessage,), answers=(ChatMessage,), example={"text": "Good luck!"}),
)  # fmt: skip

PLAY = (
    Operation(
        method="GET",
        path=f"{TABLE}/view",
        handler=play.view,
        summary="View of a seat",
        more="Only your own seat; without a seat, the view of a spectator.",
        tag="play",
        query=requests.ViewQuery,
        answers=SEEN,
        refuses=NOT_BEGUN,
    ),
    Operation(
        method="GET",
        path=f"{TABLE}/legal",
        handler=play.legal,
        summary="Legal steps of your own seat",
        tag="play",
        query=requests.OwnSeat,
        answers=LEGAL,
        refuses=NOT_BEGUN,
    ),
    Operation(
        method="POST",
        path=f"{TABLE}/why-not",
        handler=play.why_not,
        summary="Why a step is not legal now",
        tag="play",
        body=tuple(requests.CHECK_STEP.values()),
        answers=(StepCheck,),
        needs_user=True,
        example={"seat": 0, "step": STEP},
        refuses=NOT_BEGUN,
    ),
    Operation(
        method="POST",
        path=f"{TABLE}/steps",
        handler=play.make_step,
        summary="Make a step",
        more="It is safe to repeat a request: the step is made once, and the response is the same. A step that comes too "
        "late gets status 409 with the current `n`.",
        tag="play",
        body=tuple(requests.MAKE_STEP.values()),
        answers=MADE,
        needs_user=True,
        example={"seat": 0, "n": 12, "step": STEP},
        refuses={
            403: "The seat is not yours.",
            409: "The game has moved on (`n` is the current number), it is not your turn, or no game is in progress.",
            422: "The step is illegal (see `clause` and `possible`), or a field is invalid.",
        },
    ),
    Operation(
        method="POST",
        path=f"{TABLE}/undo",
        handler=play.undo,
        summary="Undo your last step",
        more="Possible until something is revealed or another player moves.",
        tag="play",
        body=(requests.Undo,),
        answers=MADE,
        needs_user=True,
        example={"seat": 0, "n": 13},
        refuses={403: "The seat is not yours.", 409: "The step can no longer be undone, or the game has moved on."},
    ),
    Operation(
        method="GET",
        path=f"{TABLE}/sealed",
        handler=play.sealed,
        summary="Automatic bids of your own seat",
        tag="play",
        query=requests.OwnSeat,
        answers=(SealedBidInfo,),
        refuses=NOT_BEGUN,
    ),
    Operation(
        method="POST",
        path=f"{TABLE}/sealed",
        handler=play.seal,
        summary="Set an automatic bid",
        more="On this seat's turn in that auction, the server bids the minimum up to `most`, then passes. These steps look "
        "like any other step of the seat, and nobody else can see `most`.",
        tag="play",
        body=(requests.SealBid,),
        answers=(SealedBidInfo,),
        needs_user=True,
        example={"seat": 0, "lot": "green", "most": 5},
        refuses={
            403: "The seat is not yours.",
            409: "This seat cannot bid in such an auction now or later in this round.",
        },
    ),
    Operation(
        method="GET",
        path=f"{TABLE}/events",
        handler=stream.events,
        summary="Live events of a table (server-sent events)",
        more=stream.DESCRIPTION,
        tag="play",
        query=requests.StreamQuery,
        media_type=stream.EVENT_STREAM,
        answers=(str,),
        refuses={403: "The seat is not yours."},
    ),
    Operation(
        method="GET",
        path=f"{TABLE}/record",
        handler=play.record,
        summary="The record of a finished game",
        more="Everything needed to replay and check it (`signoria verify`).",
        tag="afterwards",
        answers=(Record,),
        refuses={409: "The game is not over, and a record contains the seed."},
    ),
    Operation(
        method="GET",
        path=f"{TABLE}/replay/{{n}}",
        handler=play.replay,
        summary="A position of a finished game",
        more="As any seat or a spectator saw it, or with all cards open. Undone steps are not counted.",
        tag="afterwards",
        query=requests.ReplayQuery,
        answers=SEEN,
        refuses={409: "The game is not over."},
    ),
    Operation(
        method="POST",
        path=f"{TABLE}/replay/{{n}}/play-on",
        handler=seats.play_on,
        summary="Play from a position against bots",
        more="Opens a new table for a friendly game. `Location` is its address.",
        tag="afterwards",
        body=(requests.PlayOn,),
        answers=(TableLink,),
        needs_user=True,
        example={"seat": 0, "level": "capomastro"},
        refuses={409: "The game is not over.", 422: "There is no such position, or no such seat."},
    ),
)

PEOPLE = (
    Operation(
        method="GET",
        path=f"{ROOT}/blocks",
        handler=blocks.blocks,
        summary="People you have blocked",
        tag="people",
        answers=(BlockList,),
        needs_user=True,
    ),
    Operation(
        method="POST",
        path=f"{ROOT}/blocks",
        handler=blocks.block_named,
        summary="Block a person by name",
        more=BLOCKING,
        tag="people",
        body=(requests.BlockNamed,),
        answers=(BlockCount,),
        needs_user=True,
        example={"name": "Bruno"},
        refuses={409: "This is you, or you have blocked too many people."},
    ),
    Operation(
        method="DELETE",
        path=f"{ROOT}/blocks/{{block}}",
        handler=blocks.unblock,
        summary="Unblock a person",
        tag="people",
        answers=(BlockList,),
        needs_user=True,
        refuses={404: "There is no block with this id."},
    ),
)

OPERATIONS = (*LOOKING, *SEATS, *PLAY, *PEOPLE)


def api_routes() -> list[Route]:
    """Every address of the API."""
    by_path: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        by_path.setdefault(operation.path, {})[operation.method] = operation
    return [Route(path, endpoint(operations), methods=list(operations)) for path, operations in by_path.items()]
