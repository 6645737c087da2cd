"""The lobby: its page, its stream, and opening a table."""

import asyncio
from contextlib import ExitStack
from functools import cache, cached_property
from typing import Any

import msgspec
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from signoria.games import GAMES
from signoria.server.errors import BadField, ServerError
from signoria.server.guard.limits import may_open
from signoria.server.live.compression import Payload
from signoria.server.live.connections import live_connection
from signoria.server.live.streams import KEEP_ALIVE_EVENT, EventStream, ServerSentEvent
from signoria.server.lobby import seating
from signoria.server.lobby.catalogue import LEVEL_IDS, LEVEL_MODELS, game_model, game_models, level_title
from signoria.server.lobby.public_lists import LISTED, REST, PublicLists, digest, without_times
from signoria.server.lobby.seating import SeatRequest, TableRequest
from signoria.server.pages.common import SubmittedForm, html, redirect, service_of, user_of
from signoria.server.people.sessions import viewer_model
from signoria.server.play import guided_game
from signoria.server.play.clocks import CLOCKS
from signoria.server.play.page_models import table_line
from signoria.server.play.service import TableService, games_topic
from signoria.store import people
from signoria.store.lists import latest_tables
from signoria.store.people import User
from signoria.store.tables import TableRow
from signoria.web import pages
from signoria.web.models import Lobby, NewTable, Notice, TableLine

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class OwnPart:
    """The viewer's own part of the lobby: their games and what they can play."""

    def __init__(self, model: Lobby) -> None:
        self.model = model
        self.ids = frozenset(line.id for line in model.mine)
        self.version = digest(without_times(model.mine), model.at_once, sorted(model.more))

    @cached_property
    def payload(self) -> Payload:
        """The rendered HTML."""
        return Payload(pages.lobby_own(self.model))


async def own_part(service: TableService, user: User | None) -> OwnPart:
    """A person's own part of the lobby."""
    now, mine, hosts = service.now(), list[TableRow](), dict[str, str]()
    if user:
        async with service.database.read() as db:
            mine = await latest_tables(db, user.id, LISTED + 1, service.settings.most_tables)
            hosts = await people.names_of(db, {row.host_id for row in mine if row.host_id})
    if not mine:
        return _newcomer()
    more = frozenset({"mine"} if len(mine) > LISTED else ())
    going_on = sum(row.state != "over" for row in mine)
    lines = [table_line(row, user, now, hosts) for row in mine[: max(LISTED, going_on)]]
    return OwnPart(_model(tuple(sorted(lines, key=lambda line: not line.my_turn)), _new_here(mine), more))


@cache
def _newcomer() -> OwnPart:
    """The own part of all visitors who have not played yet."""
    return OwnPart(_model((), True, frozenset()))


def _model(mine: tuple[TableLine, ...], new_here: bool, more: frozenset[str]) -> Lobby:
    return Lobby(
        viewer=None,
        games=game_models(),
        levels=LEVEL_MODELS,
        mine=mine,
        open=(),
        running=(),
        finished=(),
        at_once={game: _at_once(game, new_here) for game in GAMES},
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
        return [] if version == last else [ServerSentEvent(version, (own.payload, public.drawn(own.ids)))]

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


def _new_here(own: list[TableRow]) -> bool:
    """Whether a person with these tables has not finished a game yet; guided games do not count."""
    return not any(row.state == "over" and not guided_game.is_guided(row) for row in own)


def _at_once(game: str, new_here: bool) -> str:
    """A sentence: what "Play now" chooses."""
    if new_here:
        bots = _bots(GAMES[game].first_players - 1, "easy bot")
        return f"Play now starts a friendly game against {bots} ({level_title(guided_game.GENTLE_LEVEL)})."
    bots = _bots(GAMES[game].usual_players - 1, "bot")
    return f"Play now starts a friendly game against {bots} ({level_title(seating.USUAL_LEVEL)})."


def _bots(count: int, what: str) -> str:
    return f"{NUMBERS[count]} {what}{'' if count == 1 else 's'}"


async def play_now(form: SubmittedForm) -> Response:
    """Start a game against bots; against easy ones for new players."""
    opened = await may_open(form.request, form.user)
    game = form.text("game")
    if game not in GAMES:
        raise BadField("game", f"There is no game {game!r}. Games: {', '.join(GAMES)}.")
    async with form.service.database.read() as db:
        first = _new_here(await latest_tables(db, form.user.id, LISTED, form.service.settings.most_tables))
    bot = SeatRequest("bot", bot=form.text("level") or (guided_game.GENTLE_LEVEL if first else seating.USUAL_LEVEL))
    others = (GAMES[game].first_players if first else GAMES[game].usual_players) - 1
    table_request = TableRequest(game=game, options={}, seats=(SeatRequest("me"), *(bot,) * others), rated=False)
    row = await seating.open_table(form.service, form.user, table_request)
    return redirect(f"/tables/{opened(row.id)}")


async def learn(form: SubmittedForm) -> Response:
    """Start a guided game against an easy bot."""
    opened = await may_open(form.request, form.user)
    return redirect(f"/tables/{opened(await guided_game.open_guided(form.service, form.user, form.text('game')))}")


async def new_table(request: Request) -> Response:
    """The form for a new table."""
    game = request.query_params.get("game", next(iter(GAMES)))
    if game not in GAMES:
        raise BadField("game", f"There is no game {game[:40]!r}. Games: {', '.join(GAMES)}.")
    return html(pages.new_table(_form(game, user_of(request), {})))


def _form(game: str, user: User | None, filled: dict[str, str], notice: Notice | None = None) -> NewTable:
    return NewTable(
        viewer=viewer_model(user),
        notice=notice,
        game=game_model(game),
        games=game_models(),
        levels=LEVEL_MODELS,
        clocks=tuple((str(seconds), words) for seconds, words in CLOCKS),
        filled=filled,
        aid="aid" in filled if filled else GAMES[game].memory_aid,
    )


async def open_table(form: SubmittedForm) -> Response:
    """Open the table of the form, or show the form again with an error."""
    game = form.text("game")
    if game not in GAMES:
        raise BadField("game", f"There is no game {game!r}. Games: {', '.join(GAMES)}.")
    try:
        opened = await may_open(form.request, form.user)
        row = await seating.open_table(form.service, form.user, _table_request(form, game))
    except ServerError as error:
        filled = {name: value for name, value in form.fields.items() if isinstance(value, str)}
        notice = Notice(says=str(error))
        return html(pages.new_table(_form(game, form.user, filled, notice)), error.status)
    return redirect(f"/tables/{opened(row.id)}")


def _table_request(form: SubmittedForm, game: str) -> TableRequest:
    seats = form.integer("seats")
    if seats not in GAMES[game].seats:
        raise BadField(
            "seats",
            f"seats: {GAMES[game].title} is for {GAMES[game].seats[0]} to {GAMES[game].seats[-1]} players, not {seats}.",
        )
    options = {
        option.name: form.text(option.name) or option.choices[0][0] if option.choices else option.name in form.fields
        for option in game_model(game).options
    }
    return TableRequest(
        game=game,
        options=options,
        seats=tuple(_seat_request(form.fields, seat) for seat in range(seats)),
        clock=form.integer("clock"),
        invited=_by_invitation(form),
        stand_in=form.text("stand_in") or seating.USUAL_LEVEL,
        rated="rated" in form.fields,
        hints="hints" in form.fields,
        aid="aid" in form.fields,
    )


def _by_invitation(form: SubmittedForm) -> bool:
    access = form.text("access") or "open"
    if access not in ("open", "invited"):
        raise BadField("access", f"access: {access!r} is not valid; use open or invited.")
    return access == "invited"


def _seat_request(form: FormData, seat: int) -> SeatRequest:
    kind, name = form.get(f"seat-{seat}", "open"), form.get(f"name-{seat}", "")
    match kind:
        case "me" | "open":
            return SeatRequest(kind)
        case "device":
            return SeatRequest("device", name=str(name))
        case str() if kind in LEVEL_IDS:
            return SeatRequest("bot", bot=kind)
    raise BadField(
        f"seat-{seat}", f"seat-{seat}: {str(kind)[:40]!r} is not valid; use me, open, device, {', '.join(LEVEL_IDS)}."
    )
