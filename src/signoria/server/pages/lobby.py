"""The lobby: its page, its stream, and opening a table."""

import asyncio
from contextlib import ExitStack
from functools import cached_property
from typing import Any

import msgspec
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from signoria.bots.levels import current_id
from signoria.games import GAMES
from signoria.kernel.language import per_language, say
from signoria.server.errors import BadField, ServerError
from signoria.server.guard.limits import may_open
from signoria.server.live.compression import Payload
from signoria.server.live.connections import live_connection
from signoria.server.live.streams import KEEP_ALIVE_EVENT, EventStream, ServerSentEvent, note_events
from signoria.server.lobby import opening, seating
from signoria.server.lobby.catalogue import game_model, game_models, level_ids
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.lobby.own_level import OWN_LEVEL, own_level
from signoria.server.lobby.public_lists import LISTED, REST, PublicLists, digest, without_times
from signoria.server.lobby.table_lines import table_line
from signoria.server.pages.common import SubmittedForm, html, redirect, service_of, user_of
from signoria.server.people.sessions import viewer_model
from signoria.server.play import guided_game
from signoria.server.play.clocks import CLOCKS, TOTAL_CLOCKS, per_move_words, total_words
from signoria.server.play.service import TableService, games_topic
from signoria.store import people
from signoria.store.invitations import Invitation, invitations_of
from signoria.store.lists import latest_tables, open_tables_of
from signoria.store.people import User
from signoria.store.tables import TableRow
from signoria.web import pages
from signoria.web.models import InvitationLine, Lobby, NewTable, Notice, PlayNow, TableLine


class OwnPart:
    """The viewer's own part of the lobby: their games and what they can play."""

    def __init__(self, model: Lobby) -> None:
        self.model = model
        self.ids = frozenset(line.id for line in (*model.mine, *model.friends))
        self.version = digest(
            *map(without_times, (model.mine, model.friends)), model.at_once, sorted(model.more), model.invitations
        )

    @cached_property
    def payload(self) -> Payload:
        """The rendered HTML."""
        return Payload(pages.lobby_own(self.model))


async def own_part(service: TableService, user: User | None) -> OwnPart:
    """A person's own part of the lobby."""
    now, mine, hosts = service.now(), list[TableRow](), dict[str, str]()
    invited, friends = list[Invitation](), list[TableRow]()
    if user:
        async with service.database.read() as db:
            invited = await invitations_of(db, user.id, LISTED)
            friends = await open_tables_of(db, [user_id for user_id, _ in user.followed], LISTED)
            mine = await latest_tables(db, user.id, LISTED + 1, service.settings.most_tables)
            friends = [row for row in friends if user.id not in row.people]
            hosts = await people.names_of(db, {row.host_id for row in (*mine, *friends) if row.host_id})
    if not mine and not invited and not friends:
        return _newcomer()
    more = frozenset({"mine"} if len(mine) > LISTED else ())
    going_on = sum(row.state != "over" for row in mine)
    lines = [table_line(row, user, now, hosts) for row in mine[: max(LISTED, going_on)]]
    model = _model(tuple(sorted(lines, key=lambda line: not line.my_turn)), mine, more)
    invitations = tuple(
        InvitationLine(table=one.table_id, title=game_model(one.game).title, by=one.by) for one in invited
    )
    theirs = tuple(table_line(row, user, now, hosts) for row in friends)
    return OwnPart(msgspec.structs.replace(model, invitations=invitations, friends=theirs))


@per_language()
def _newcomer() -> OwnPart:
    """The own part of all visitors who have not played yet."""
    return OwnPart(_model((), [], frozenset()))


def _model(mine: tuple[TableLine, ...], rows: list[TableRow], more: frozenset[str]) -> Lobby:
    return Lobby(
        viewer=None,
        games=game_models(),
        mine=mine,
        open=(),
        running=(),
        finished=(),
        at_once={game: _at_once(game, rows) for game in GAMES},
        guided=guided_game.guided_games(),
        more=more,
    )


def public_lists_of(request: Request) -> PublicLists:
    """The public lists."""
    lists: PublicLists = request.app.state.public_lists
    return lists


async def lobby(request: Request) -> Response:
    """The lobby."""
    service, user = service_of(request), user_of(request)
    public, own = await public_lists_of(request).current(), await own_part(service, user)
    model = msgspec.structs.replace(own.model, viewer=viewer_model(user), now_ms=service.now())
    return html(pages.lobby(model, public.drawn(own.ids).plain.decode()))


class LobbyStream:
    """The live lobby: only changed parts are read and rendered."""

    def __init__(self, request: Request) -> None:
        self._request, self._service, self._user = request, service_of(request), user_of(request)
        self._lists = public_lists_of(request)
        self._own: OwnPart | None = None
        self._own_changed = asyncio.Event()
        self._topics: set[str] = set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send it whenever something has changed."""
        last = self._request.headers.get("last-event-id", "")
        with (
            live_connection(self._request) as (self._changed, ended),
            self._lists.viewing(self._changed),
            self._service.notifier.pages.open(self._user.id if self._user else None, None, self._changed) as self._page,
            ExitStack() as self._watching,
        ):
            stream = EventStream(
                self._fetch, self._changed, ended, last, min_interval=REST, keep_alive=KEEP_ALIVE_EVENT, timed=False
            )
            await stream(scope, receive, send)

    async def _fetch(self, last: str) -> list[ServerSentEvent]:
        own = await self._current_own()
        public = self._lists.shown()
        if public is None or not last:
            async with self._lists.reading:
                public = await self._lists.current()
        version = f"{public.version}.{own.version}"
        notes = note_events(version, self._page)
        return notes if version == last else [ServerSentEvent(version, (own.payload, public.drawn(own.ids))), *notes]

    async def _current_own(self) -> OwnPart:
        """The viewer's own part, read again if one of their games has changed."""
        if self._own is not None and not self._own_changed.is_set():
            return self._own
        self._own_changed.clear()
        if self._user is None:
            self._own = _newcomer()
            return self._own
        if not self._topics:
            self._watch({games_topic(self._user.id)})  # before they are read, so that no change is missed
        try:
            async with self._lists.reading:
                own = await own_part(self._service, self._user)
        except BaseException:
            self._own_changed.set()
            raise
        topics = {games_topic(self._user.id), *(f"table:{table_id}" for table_id in own.ids)}
        topics |= {games_topic(user_id) for user_id, _ in self._user.followed}
        if topics != self._topics:
            self._watch(topics)
            self._own_changed.set()  # something may have happened since they were read
            self._changed.set()
        self._own = own
        return own

    def _watch(self, topics: set[str]) -> None:
        self._watching.close()
        for event in (self._own_changed, self._changed):
            self._watching.enter_context(self._service.watch(event, topics))
        self._topics = topics


async def lobby_stream(request: Request) -> Response:
    """The live lobby."""
    return LobbyStream(request)  # type: ignore[return-value]


def _at_once(game: str, own: list[TableRow]) -> PlayNow:
    """What "Play now" proposes to a person with these tables: the bots of their latest game against bots alone."""
    for row in own:
        bots = [seat.bot for seat in row.seats if seat.bot]
        if row.game == game and len(bots) == len(row.seats) - 1 and bots and not guided_game.is_guided(row):
            return PlayNow(level=bots[0], seats=len(row.seats))
    return PlayNow(level=guided_game.GENTLE_LEVEL, seats=GAMES[game].first_players)


async def play_now(form: SubmittedForm) -> Response:
    """Start a game against the bots of the form; a friendly first game against easy ones where it does not say."""
    opened = await may_open(form.request, form.user)
    game = form.text("game")
    if game not in GAMES:
        raise BadField("game", say("There is no game {game!r}. Games: {games}.", game=game, games=", ".join(GAMES)))
    level = form.text("level") or guided_game.GENTLE_LEVEL
    bot = SeatRequest("bot", bot=await _level_for(form, game) if level == OWN_LEVEL else level)
    seats = _players(form, game) if form.text("seats") else GAMES[game].first_players
    table_request = TableRequest(
        game=game, options={}, seats=(SeatRequest("me"), *(bot,) * (seats - 1)), rated=_rated(form)
    )
    row = await opening.open_table(form.service, form.user, table_request)
    return redirect(f"/tables/{opened(row.id)}")


async def _level_for(form: SubmittedForm, game: str) -> str:
    """The opponent at the person's level."""
    async with form.service.database.read() as db:
        return await own_level(db, form.user.id, game)


def _rated(form: SubmittedForm) -> bool:
    rated = form.text("rated") or "off"
    if rated not in ("off", "on"):
        raise BadField("rated", say("rated: {rated!r} is not valid; use off or on.", rated=rated[:20]))
    return rated == "on"


def _players(form: SubmittedForm, game: str) -> int:
    seats = form.integer("seats")
    if seats not in GAMES[game].seats:
        raise BadField(
            "seats",
            say(
                "seats: {game} is for {least} to {most} players, not {seats}.",
                game=GAMES[game].title,
                least=GAMES[game].seats[0],
                most=GAMES[game].seats[-1],
                seats=seats,
            ),
        )
    return seats


async def learn(form: SubmittedForm) -> Response:
    """Start a guided game against an easy bot, or its next part after the table of the last one."""
    opened = await may_open(form.request, form.user)
    if after := form.text("after", 40):
        table_id = await guided_game.open_next(form.service, form.user, after)
    else:
        table_id = await guided_game.open_guided(form.service, form.user, form.text("game"))
    return redirect(f"/tables/{opened(table_id)}")


async def new_table(request: Request) -> Response:
    """The form for a new table."""
    game = request.query_params.get("game", next(iter(GAMES)))
    if game not in GAMES:
        raise BadField(
            "game", say("There is no game {game!r}. Games: {games}.", game=game[:40], games=", ".join(GAMES))
        )
    return html(pages.new_table(_form(game, user_of(request), {})))


def _form(game: str, user: User | None, filled: dict[str, str], notice: Notice | None = None) -> NewTable:
    return NewTable(
        viewer=viewer_model(user),
        notice=notice,
        game=game_model(game),
        games=game_models(),
        clocks=(
            *((str(seconds), per_move_words(seconds)) for seconds, _ in CLOCKS),
            *((f"{total}+{more}", total_words(total, more)) for total, more in TOTAL_CLOCKS),
        ),
        filled=filled,
        aid="aid" in filled if filled else GAMES[game].memory_aid,
    )


async def open_table(form: SubmittedForm) -> Response:
    """Open the table of the form, or show the form again with an error."""
    game = form.text("game")
    if game not in GAMES:
        raise BadField("game", say("There is no game {game!r}. Games: {games}.", game=game, games=", ".join(GAMES)))
    try:
        opened = await may_open(form.request, form.user)
        row = await opening.open_table(form.service, form.user, await _table_request(form, game))
    except ServerError as error:
        filled = {name: value for name, value in form.fields.items() if isinstance(value, str)}
        notice = Notice(says=str(error))
        return html(pages.new_table(_form(game, form.user, filled, notice)), error.status)
    return redirect(f"/tables/{opened(row.id)}")


async def _table_request(form: SubmittedForm, game: str) -> TableRequest:
    options = {
        option.name: form.text(option.name) or option.choices[0][0] if option.choices else option.name in form.fields
        for option in game_model(game).options
    }
    clock, total_time, increment = _clock(form)
    seats = [_seat_request(form.fields, seat, game) for seat in range(_players(form, game))]
    if any(seat.bot == OWN_LEVEL for seat in seats):
        level = await _level_for(form, game)
        seats = [msgspec.structs.replace(seat, bot=level) if seat.bot == OWN_LEVEL else seat for seat in seats]
    return TableRequest(
        game=game,
        options=options,
        seats=tuple(seats),
        clock=clock,
        total_time=total_time,
        increment=increment,
        invited=_by_invitation(form),
        stand_in=form.text("stand_in") or seating.USUAL_LEVEL,
        rated=_rated(form),
        hints="hints" in form.fields,
        aid="aid" in form.fields,
    )


def _clock(form: SubmittedForm) -> tuple[int, int, int]:
    """The clock of a form: seconds per move (`600`), or a total time with an increment (`600+10`)."""
    total, plus, more = form.text("clock", 12).partition("+")
    if not plus:
        return form.integer("clock"), 0, 0
    if not (total.isdecimal() and more.isdecimal()):
        raise BadField(
            "clock", say("clock: {found!r} is not valid; examples: 600, 600+10.", found=form.text("clock", 12))
        )
    return 0, int(total), int(more)


def _by_invitation(form: SubmittedForm) -> bool:
    access = form.text("access") or "open"
    if access not in ("open", "invited"):
        raise BadField("access", say("access: {access!r} is not valid; use open or invited.", access=access))
    return access == "invited"


def _seat_request(form: FormData, seat: int, game: str) -> SeatRequest:
    kind, name = form.get(f"seat-{seat}", "open"), form.get(f"name-{seat}", "")
    match kind:
        case "me" | "open":
            return SeatRequest(kind)
        case "device":
            return SeatRequest("device", name=str(name))
        case str() if kind == OWN_LEVEL or current_id(kind) in level_ids(game):
            return SeatRequest("bot", bot=kind)
    raise BadField(
        f"seat-{seat}",
        say(
            "seat-{seat}: {kind!r} is not valid; use me, open, device, {levels}.",
            seat=seat,
            kind=str(kind)[:40],
            levels=", ".join((OWN_LEVEL, *level_ids(game))),
        ),
    )
