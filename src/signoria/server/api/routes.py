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

WAITING = {409: "The game has begun, or the table is closed."}
PLAYING = {409: "The game has not begun, or is over."}
BLOCKING = (
    "You no longer see their messages, and neither of you can sit down at a table that the other opened or sits at. They "
    "are not told. Streams that you have open end, and leave their messages out when you open them again."
)
NOT_BEGUN = {403: "The seat is not yours.", 409: "The game has not begun."}


@cache
def _description() -> bytes:
    return to_json(document(OPERATIONS))


async def openapi(_call: ApiCall) -> Response:
    """The description of the API that this is."""
    return Response(_description(), media_type=JSON)


LOOKING = (
    Operation(
        method="GET",
        path=f"{ROOT}/openapi.json",
        handler=openapi,
        summary="This description (OpenAPI 3.1)",
        tag="house",
        answers=(dict[str, Any],),
    ),
    Operation(
        method="GET",
        path=f"{ROOT}/games",
        handler=lobby.games,
        summary="Games, their options, bots and clocks",
        tag="house",
        answers=(Catalogue,),
    ),
    Operation(
        method="GET",
        path=f"{ROOT}/me",
        handler=lobby.me,
        summary="Whoever asks",
        tag="house",
        answers=(Me,),
        needs_user=True,
    ),
    Operation(
        method="GET",
        path=f"{ROOT}/ratings/{{game}}",
        handler=lobby.ranking,
        summary="Who plays a game best",
        more="People and bots, by what they are at least: the mean less one and a half times the reach.",
        tag="house",
        query=requests.RankingQuery,
        answers=(Ranking,),
        refuses={404: "There is no such game."},
    ),
    Operation(
        method="GET",
        path=f"{ROOT}/tables",
        handler=lobby.list_tables,
        summary="Tables that are open, in play, over, or one's own",
        tag="tables",
        query=requests.TableListQuery,
        answers=(TableList,),
    ),
    Operation(
        method="POST",
        path=f"{ROOT}/tables",
        handler=lobby.open_table,
        summary="Open a table",
        more="It begins at once when every seat is taken. `Location` says where it is.",
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
        more="All that is public; the seed and the result once the game is over.",
        tag="tables",
        answers=(TableInfo,),
    ),
)


def _at_table(do: str, handler: object, summary: str, **more: object) -> Operation:
    """Something that is done with seats."""
    usual = {"method": "POST", "path": f"{TABLE}/{do}", "tag": "seats", "answers": (TableInfo,), "needs_user": True}
    return Operation(handler=handler, summary=summary, **(usual | more))  # type: ignore[arg-type]


SEATS = (
    _at_table(
        "sit", seats.sit, "Take an empty seat", body=(requests.Sit,), example={"seat": 1},
        more="One person has one seat, except where everybody else is a bot, or at a table by invitation.",
        refuses={
            403: "The table is by invitation, or you cannot sit down at it.",
            409: "The seat is taken, you have one already, or the game has begun.",
        },
    ),
    _at_table(
        "remove", seats.remove, "Remove a player before the game; only the host can", body=(requests.AnySeat,),
        example={"seat": 1}, more="The person cannot sit down at this table again.",
        refuses={403: "Somebody else opened the table.", 409: "The seat is empty or your own, or the game has begun."},
    ),
    _at_table(
        "stand", seats.stand, "Give a seat back before the game", body=(requests.OwnSeat,), example={"seat": 1},
        refuses={403: "The seat is not yours."} | WAITING,
    ),
    _at_table(
        "bot", seats.put_bot, "Give an empty seat to a bot, or empty a bot's", body=(requests.PutBot,),
        example={"seat": 1, "level": "muratore"},
        refuses={403: "Somebody else opened the table.", 409: "The seat is taken, or the game has begun."},
    ),
    _at_table(
        "salt", seats.set_salt, "A word of one's own for the shuffle", body=(requests.SetSalt,),
        example={"seat": 1, "salt": "a word of mine"}, refuses={403: "The seat is not yours."} | WAITING,
    ),
    _at_table(
        "start", seats.start, "Begin: all seats are taken",
        refuses={403: "You do not sit at this table.", 409: "Seats are empty, or the table is closed."},
    ),
    _at_table(
        "fill", seats.fill, "Bots into the empty seats, and begin", body=(requests.Fill,), example={"level": "muratore"},
        refuses={403: "Somebody else opened the table."} | WAITING,
    ),
    _at_table(
        "close", seats.close, "Close a table whose game has not begun",
        refuses={403: "Somebody else opened the table."} | WAITING,
    ),
    _at_table(
        "leave", seats.leave, "Let a bot play on until one returns", body=(requests.OwnSeat,), example={"seat": 1},
        refuses={403: "The seat is not yours."} | PLAYING,
    ),
    _at_table(
        "return", seats.come_back, "Take one's seat back from the bot", body=(requests.OwnSeat,), example={"seat": 1},
        refuses={403: "The seat is not yours.", 409: "The game has not begun, is over, or you resigned; or your time for this move "
                 "is up, and the bot first finishes your turn."},
    ),
    _at_table(
        "resign", seats.resign, "Let a bot play to the end", body=(requests.OwnSeat,), example={"seat": 1},
        refuses={403: "The seat is not yours."} | PLAYING,
    ),
    _at_table(
        "stand-in", seats.stand_in, "Let a bot play for somebody who is asked and gone", body=(requests.OwnSeat,),
        example={"seat": 2}, refuses={403: "You do not play here.", 409: "It is not yet time for that."},
    ),
    _at_table(
        "rematch", seats.rematch, "Meet again once the game is over", answers=(TableLink,),
        more="Whoever asks first opens the table; the others get the same.",
        refuses={403: "You did not play.", 409: "The game is not over."},
    ),
    _at_table(
        "block", seats.block, "Block the person in a seat, or the author of a message", body=(requests.BlockAtTable,),
        answers=(BlockCount,), example={"seat": 1}, more=BLOCKING,
        refuses={404: "There is no such table, or no such message.", 409: "Nobody is there, or it is you."},
    ),
    _at_table("chat", seats.chat, "Say something", body=(requests.PostMessage,), answers=(ChatMessage,), example={"text": "Good luck!"}),
)  # fmt: skip

PLAY = (
    Operation(
        method="GET",
        path=f"{TABLE}/view",
        handler=play.view,
        summary="What a seat sees",
        more="One's own seat only; without a seat, what a spectator sees.",
        tag="play",
        query=requests.ViewQuery,
        answers=SEEN,
        refuses=NOT_BEGUN,
    ),
    Operation(
        method="GET",
        path=f"{TABLE}/legal",
        handler=play.legal,
        summary="What one's own seat may do now",
        tag="play",
        query=requests.OwnSeat,
        answers=LEGAL,
        refuses=NOT_BEGUN,
    ),
    Operation(
        method="POST",
        path=f"{TABLE}/why-not",
        handler=play.why_not,
        summary="Why a step is not possible now",
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
        more="It is kept when this is answered. Sending the very same request again is harmless: the step is made "
        "once, and answered again. A step that comes too late is answered 409 with the current `n`.",
        tag="play",
        body=tuple(requests.MAKE_STEP.values()),
        answers=MADE,
        needs_user=True,
        example={"seat": 0, "n": 12, "step": STEP},
        refuses={
            403: "The seat is not yours.",
            409: "The game has gone on (`n` says how far), it is another's turn, or nothing is played.",
            422: "The rules forbid the step: `clause` and `possible` say more. Or a field is not right.",
        },
    ),
    Operation(
        method="POST",
        path=f"{TABLE}/undo",
        handler=play.undo,
        summary="Take one's last step back",
        more="Possible until something was revealed or somebody else acted.",
        tag="play",
        body=(requests.Undo,),
        answers=MADE,
        needs_user=True,
        example={"seat": 0, "n": 13},
        refuses={403: "The seat is not yours.", 409: "It can no longer be taken back, or the game has gone on."},
    ),
    Operation(
        method="GET",
        path=f"{TABLE}/sealed",
        handler=play.sealed,
        summary="What the house is to bid for one's own seat",
        tag="play",
        query=requests.OwnSeat,
        answers=(SealedBidInfo,),
        refuses=NOT_BEGUN,
    ),
    Operation(
        method="POST",
        path=f"{TABLE}/sealed",
        handler=play.seal,
        summary="Tell the house what to bid in an auction",
        more="It then makes the least raise up to `most` whenever this seat is asked in that auction, or passes. Such a "
        "step is told as any other of that seat; what was sealed is told to nobody.",
        tag="play",
        body=(requests.SealBid,),
        answers=(SealedBidInfo,),
        needs_user=True,
        example={"seat": 0, "lot": "green", "most": 5},
        refuses={403: "The seat is not yours.", 409: "There is no such auction for this seat now or to come."},
    ),
    Operation(
        method="GET",
        path=f"{TABLE}/events",
        handler=stream.events,
        summary="What happens at a table, live (server-sent events)",
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
        refuses={409: "The game is not over: a record shows the seed."},
    ),
    Operation(
        method="GET",
        path=f"{TABLE}/replay/{{n}}",
        handler=play.replay,
        summary="A finished game at one of its positions",
        more="Through any seat's eyes, a spectator's, or with everything open. Positions count the steps that stood.",
        tag="afterwards",
        query=requests.ReplayQuery,
        answers=SEEN,
        refuses={409: "The game is not over."},
    ),
    Operation(
        method="POST",
        path=f"{TABLE}/replay/{{n}}/play-on",
        handler=seats.play_on,
        summary="Play on from a position, against bots",
        more="A new table, whose game is not rated. `Location` says where it is.",
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
        summary="Whom you have blocked",
        tag="people",
        answers=(BlockList,),
        needs_user=True,
    ),
    Operation(
        method="POST",
        path=f"{ROOT}/blocks",
        handler=blocks.block_named,
        summary="Block somebody by their name",
        more=BLOCKING,
        tag="people",
        body=(requests.BlockNamed,),
        answers=(BlockCount,),
        needs_user=True,
        example={"name": "Bruno"},
        refuses={409: "It is you, or you have blocked too many people."},
    ),
    Operation(
        method="DELETE",
        path=f"{ROOT}/blocks/{{block}}",
        handler=blocks.unblock,
        summary="No longer block somebody",
        tag="people",
        answers=(BlockList,),
        needs_user=True,
        refuses={404: "You have not blocked anybody under this id."},
    ),
)

OPERATIONS = (*LOOKING, *SEATS, *PLAY, *PEOPLE)


def api_routes() -> list[Route]:
    """Every address of the API."""
    by_path: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        by_path.setdefault(operation.path, {})[operation.method] = operation
    return [Route(path, endpoint(operations), methods=list(operations)) for path, operations in by_path.items()]
