"""Endpoints for games, lists of tables, new tables, ratings and the caller."""

import msgspec
from starlette.responses import Response

from signoria.games import GAMES
from signoria.kernel.language import say, say_as
from signoria.server.api.calls import JSON, ApiCall
from signoria.server.api.operations import ROOT, Operation
from signoria.server.api.per_game import EXAMPLE_GAME
from signoria.server.api.requests import NewSeat, OpenTable, RankingQuery, TableListQuery
from signoria.server.api.responses.lobby import (
    Catalogue,
    ClockInfo,
    GameInfo,
    LevelInfo,
    OptionChoice,
    OptionInfo,
    RankedPlayer,
    Ranking,
    TotalClockInfo,
)
from signoria.server.api.responses.people import Me
from signoria.server.api.responses.tables import TableInfo, TableList
from signoria.server.api.serializers import rating_info, table_info, table_summary, to_json
from signoria.server.errors import BadField, NotFound
from signoria.server.guard.limits import may_open
from signoria.server.lobby import opening, table_lists
from signoria.server.lobby.catalogue import game_models, level_models, level_title
from signoria.server.lobby.table_lists import TableFilter
from signoria.server.people.names import clean_name
from signoria.server.play.clocks import CLOCKS, TOTAL_CLOCKS, per_move_words, total_words
from signoria.server.play.seat_models import rating_model
from signoria.store import ratings
from signoria.web.models import OptionModel


async def games(_call: ApiCall) -> Catalogue:
    """The games, options, bots and clocks for a new table."""
    return Catalogue(
        games=tuple(
            GameInfo(
                name=game.name,
                title=game.title,
                rules=GAMES[game.name].version,
                intro=game.intro,
                seats=game.seats,
                options=tuple(_option(option) for option in game.options),
                levels=tuple(level.id for level in game.levels),
            )
            for game in game_models()
        ),
        levels=msgspec.convert(level_models(), tuple[LevelInfo, ...], from_attributes=True),
        clocks=tuple(ClockInfo(seconds=seconds, says=per_move_words(seconds)) for seconds, _ in CLOCKS),
        total_clocks=tuple(
            TotalClockInfo(total_time=total, increment=more, says=total_words(total, more))
            for total, more in TOTAL_CLOCKS
        ),
    )


def _option(option: OptionModel) -> OptionInfo:
    choices = option.choices or ((False, say_as("answer", "no")), (True, say("yes")))
    return OptionInfo(
        name=option.name,
        title=option.title,
        says=option.says,
        clause=option.clause,
        choices=tuple(OptionChoice(value=value, says=says) for value, says in choices),
    )


async def list_tables(call: ApiCall) -> TableList:
    """Tables of one kind; only people at an invite-only table see it."""
    query = call.query
    user = call.signed_in_user if query.state == "mine" else call.user
    game, player, after = (
        None if given is msgspec.UNSET else given for given in (query.game, query.player, query.after)
    )
    wanted = TableFilter(None if query.state == "mine" else query.state, game, player, after or "")
    async with call.service.database.read() as db:
        found = await table_lists.list_tables(db, user, wanted, query.limit)
    return TableList(tables=tuple(table_summary(row, user) for row in found.rows), next=found.next)


async def open_table(call: ApiCall) -> Response:
    """Open a table."""
    wanted, user = await call.body(OpenTable), call.signed_in_user
    opened = await may_open(call.request, user)
    if "players" in wanted.options:
        raise BadField(
            "options.players", say("options.players: not allowed; the number of seats sets the number of players.")
        )
    table_request = opening.TableRequest(
        game=wanted.game,
        options=wanted.options,
        seats=tuple(_seat_request(number, new_seat) for number, new_seat in enumerate(wanted.seats)),
        clock=wanted.clock,
        total_time=wanted.total_time,
        increment=wanted.increment,
        invited=wanted.invited,
        stand_in=wanted.stand_in,
        rated=wanted.rated,
        hints=wanted.hints,
        aid=wanted.memory_aid,
    )
    row = await opening.open_table(call.service, user, table_request)
    table = table_info(await call.service.room(row.id), user)
    return Response(to_json(table), 201, {"Location": f"/api/v1/tables/{opened(row.id)}"}, JSON)


def _seat_request(number: int, new_seat: NewSeat) -> opening.SeatRequest:
    where = f"seats[{number}]"
    if (new_seat.kind == "bot") != (new_seat.bot is not None):
        raise BadField(
            f"{where}.bot",
            say("{where}.bot: a seat of kind bot needs a level, and no other seat has one.", where=where),
        )
    if new_seat.name and new_seat.kind != "me":
        raise BadField(f"{where}.name", say("{where}.name: only your own seat can have a name.", where=where))
    name = clean_name(new_seat.name, f"{where}.name") if new_seat.name else ""
    return opening.SeatRequest(new_seat.kind, bot=new_seat.bot or "", name=name)


async def ranking(call: ApiCall) -> Ranking:
    """The ranking of a game."""
    game = call.request.path_params["game"]
    if game not in GAMES:
        raise NotFound(say("There is no game {game!r}. Games: {games}.", game=game[:40], games=", ".join(GAMES)))
    async with call.service.database.read() as db:
        rows = await ratings.top_ratings(db, game, call.query.limit)
    return Ranking(
        game=game,
        ratings=tuple(
            RankedPlayer(
                place=place,
                name=row.name or level_title(row.who),
                bot=row.who if row.user_id is None else None,
                mean=(known := rating_model(row)).mean,
                reach=known.reach,
                games=known.games,
            )
            for place, row in enumerate(rows, 1)
        ),
    )


async def me(call: ApiCall) -> Me:
    """The caller's account."""
    user = call.signed_in_user
    async with call.service.database.read() as db:
        rated = await ratings.ratings_of(db, user.id)
    return Me(
        id=user.id,
        name=user.name,
        guest=user.guest,
        ratings={row.game: rating_info(rating_model(row)) for row in rated},
    )


OPERATIONS = (
    Operation(
        method="GET",
        path=f"{ROOT}/games",
        handler=games,
        summary="Games, their options, bots and clocks",
        tag="server",
        answers=(Catalogue,),
    ),
    Operation(
        method="GET",
        path=f"{ROOT}/me",
        handler=me,
        summary="Your account",
        tag="server",
        answers=(Me,),
        needs_user=True,
    ),
    Operation(
        method="GET",
        path=f"{ROOT}/ratings/{{game}}",
        handler=ranking,
        summary="Ranking of a game",
        more="People and bots, ordered by the mean minus one and a half times the reach.",
        tag="server",
        query=RankingQuery,
        answers=(Ranking,),
        refuses={404: "There is no such game."},
    ),
    Operation(
        method="GET",
        path=f"{ROOT}/tables",
        handler=list_tables,
        summary="List tables: open, in play, finished, or your own",
        tag="tables",
        query=TableListQuery,
        answers=(TableList,),
        refuses={403: "The player does not show their finished games to you."},
    ),
    Operation(
        method="POST",
        path=f"{ROOT}/tables",
        handler=open_table,
        summary="Open a table",
        more="The game starts immediately if every seat is taken. `Location` is the address of the table.",
        tag="tables",
        body=(OpenTable,),
        answers=(TableInfo,),
        status=201,
        needs_user=True,
        example={
            "game": EXAMPLE_GAME.name,
            "seats": [{"kind": "me"}, {"kind": "bot", "bot": "muratore"}, {"kind": "open"}],
            "options": {label.name: True for label in EXAMPLE_GAME.option_labels[:1] if not label.choices},
            "clock": 600,
        },
    ),
)
