"""The lobby: what can be played, watched and looked back at; opening a table."""

import asyncio
from contextlib import ExitStack
from functools import cache, cached_property
from typing import Any

import msgspec
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from signoria.games import GAMES
from signoria.server import guided, seating
from signoria.server.clocks import CLOCKS
from signoria.server.errors import BadField, ServerError
from signoria.server.gate.opening import may_open
from signoria.server.gate.who import viewer_model
from signoria.server.house import House, games_of
from signoria.server.offered import LEVEL_IDS, LEVEL_MODELS, game_model, game_models, level_title
from signoria.server.packing import Pack
from signoria.server.pages.common import Asked, house_of, html, see, user_of
from signoria.server.public_lists import LISTED, REST, PublicLists, timeless, version_of
from signoria.server.seating import Chair, Wish
from signoria.server.showing import table_line
from signoria.server.streams import BEAT, Event, Stream
from signoria.server.visits import visit
from signoria.store import people
from signoria.store.lists import latest_tables
from signoria.store.people import User
from signoria.store.tables import TableRow
from signoria.web import pages
from signoria.web.models import Lobby, NewTable, Notice, TableLine

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class OwnPart:
    """The part of the lobby that is its viewer's: what they play, and what is offered to them."""

    def __init__(self, model: Lobby) -> None:
        self.model = model
        self.ids = frozenset(line.id for line in model.mine)
        self.version = version_of(timeless(model.mine), model.at_once, sorted(model.more))

    @cached_property
    def pack(self) -> Pack:
        """It, drawn."""
        return Pack(pages.lobby_own(self.model))


async def own_part(house: House, user: User | None) -> OwnPart:
    """Somebody's own part, as it is now."""
    now, mine, hosts = house.now(), list[TableRow](), dict[str, str]()
    if user:
        async with house.database.read() as db:
            mine = await latest_tables(db, user.id, LISTED + 1, house.settings.most_tables)
            hosts = await people.names_of(db, {row.host_id for row in mine if row.host_id})
    if not mine:
        return _newcomer()
    more = frozenset({"mine"} if len(mine) > LISTED else ())
    going_on = sum(row.state != "over" for row in mine)
    lines = [table_line(row, user, now, hosts) for row in mine[: max(LISTED, going_on)]]
    return OwnPart(_model(tuple(sorted(lines, key=lambda line: not line.my_turn)), _new_here(mine), more))


@cache
def _newcomer() -> OwnPart:
    """The own part of everybody who has played nothing yet."""
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
        guided=guided.guided_games(),
        more=more,
    )


def public_lists_of(request: Request) -> PublicLists:
    """The lists that everybody sees."""
    lists: PublicLists = request.app.state.public_lists
    return lists


async def lobby(request: Request) -> Response:
    """The first page."""
    house, user = house_of(request), user_of(request)
    public, own = await public_lists_of(request).current(), await own_part(house, user)
    model = msgspec.structs.replace(own.model, viewer=viewer_model(user), now_ms=house.now())
    return html(pages.lobby(model, public.drawn(own.ids).plain.decode()))


class LobbyStream:
    """The lobby, live: nothing is read or drawn for it but what has changed."""

    def __init__(self, request: Request) -> None:
        self._request, self._house, self._user = request, house_of(request), user_of(request)
        self._lists = public_lists_of(request)
        self._own: OwnPart | None = None
        self._own_changed = asyncio.Event()
        self._topics: set[str] = set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send it whenever something changed."""
        last = self._request.headers.get("last-event-id", "")
        with (
            visit(self._request) as (self._changed, ended),
            self._lists.looking(self._changed),
            ExitStack() as self._watching,
        ):
            stream = Stream(self._fetch, self._changed, ended, last, rest=REST, breath=BEAT, timed=False)
            await stream(scope, receive, send)

    async def _fetch(self, last: str) -> list[Event]:
        own = await self._current_own()
        public = self._lists.shown()
        if public is None or not last:
            async with self._lists.reading:
                public = await self._lists.current()
        version = f"{public.version}.{own.version}"
        return [] if version == last else [Event(version, (own.pack, public.drawn(own.ids)))]

    async def _current_own(self) -> OwnPart:
        """The viewer's own part, read again if something happened to one of their games."""
        if self._own is not None and not self._own_changed.is_set():
            return self._own
        self._own_changed.clear()
        if self._user is None:
            self._own = _newcomer()
            return self._own
        if not self._topics:
            self._watch({games_of(self._user.id)})  # before they are read: what happens meanwhile is not missed
        try:
            async with self._lists.reading:
                own = await own_part(self._house, self._user)
        except BaseException:
            self._own_changed.set()
            raise
        topics = {games_of(self._user.id), *(f"table:{table_id}" for table_id in own.ids)}
        if topics != self._topics:
            self._watch(topics)
            self._own_changed.set()  # something may have happened there since they were read
            self._changed.set()
        self._own = own
        return own

    def _watch(self, topics: set[str]) -> None:
        self._watching.close()
        for event in (self._own_changed, self._changed):
            self._watching.enter_context(self._house.watch(event, topics))
        self._topics = topics


async def lobby_stream(request: Request) -> Response:
    """The lobby, live."""
    return LobbyStream(request)  # type: ignore[return-value]


def _new_here(own: list[TableRow]) -> bool:
    """Whether somebody with these tables has not finished a game yet; guided ones do not count."""
    return not any(row.state == "over" and not guided.is_guided(row) for row in own)


def _at_once(game: str, new_here: bool) -> str:
    """What "Play now" chooses, in a sentence."""
    if new_here:
        bots = _bots(GAMES[game].first_players - 1, "gentle bot")
        return f"You play against {bots} ({level_title(guided.GENTLE)}). The game is not rated."
    bots = _bots(GAMES[game].usual_players - 1, "bot")
    return f"You play against {bots} ({level_title(seating.USUAL_LEVEL)}). The game is not rated."


def _bots(count: int, what: str) -> str:
    return f"{NUMBERS[count]} {what}{'' if count == 1 else 's'}"


async def play_now(asked: Asked) -> Response:
    """A table against bots, begun at once; against gentle ones for whoever is new here."""
    opened = await may_open(asked.request, asked.user)
    game = asked.text("game")
    if game not in GAMES:
        raise BadField("game", f"There is no game {game!r}; there is {', '.join(GAMES)}.")
    async with asked.house.database.read() as db:
        first = _new_here(await latest_tables(db, asked.user.id, LISTED, asked.house.settings.most_tables))
    bot = Chair("bot", bot=asked.text("level") or (guided.GENTLE if first else seating.USUAL_LEVEL))
    others = (GAMES[game].first_players if first else GAMES[game].usual_players) - 1
    wish = Wish(game=game, options={}, chairs=(Chair("me"), *(bot,) * others), rated=False)
    row = await seating.open_table(asked.house, asked.user, wish)
    return see(f"/tables/{opened(row.id)}")


async def learn(asked: Asked) -> Response:
    """A guided game against a gentle bot, begun near its end."""
    opened = await may_open(asked.request, asked.user)
    return see(f"/tables/{opened(await guided.open_guided(asked.house, asked.user, asked.text('game')))}")


async def new_table(request: Request) -> Response:
    """The form that opens a table."""
    game = request.query_params.get("game", next(iter(GAMES)))
    if game not in GAMES:
        raise BadField("game", f"There is no game {game[:40]!r}; there is {', '.join(GAMES)}.")
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


async def open_table(asked: Asked) -> Response:
    """Open the table of the form, or show the form again with what is wrong."""
    game = asked.text("game")
    if game not in GAMES:
        raise BadField("game", f"There is no game {game!r}; there is {', '.join(GAMES)}.")
    try:
        opened = await may_open(asked.request, asked.user)
        row = await seating.open_table(asked.house, asked.user, _wish(asked, game))
    except ServerError as error:
        filled = {name: value for name, value in asked.form.items() if isinstance(value, str)}
        notice = Notice(says=str(error))
        return html(pages.new_table(_form(game, asked.user, filled, notice)), error.status)
    return see(f"/tables/{opened(row.id)}")


def _wish(asked: Asked, game: str) -> Wish:
    seats = asked.whole("seats")
    if seats not in GAMES[game].seats:
        raise BadField(
            "seats",
            f"seats: {seats} cannot play; {GAMES[game].title} is for {GAMES[game].seats[0]} to {GAMES[game].seats[-1]}.",
        )
    options = {
        option.name: asked.text(option.name) or option.choices[0][0] if option.choices else option.name in asked.form
        for option in game_model(game).options
    }
    return Wish(
        game=game,
        options=options,
        chairs=tuple(_chair(asked.form, seat) for seat in range(seats)),
        clock=asked.whole("clock"),
        invited=_by_invitation(asked),
        stand_in=asked.text("stand_in") or seating.USUAL_LEVEL,
        rated="rated" in asked.form,
        hints="hints" in asked.form,
        aid="aid" in asked.form,
    )


def _by_invitation(asked: Asked) -> bool:
    access = asked.text("access") or "open"
    if access not in ("open", "invited"):
        raise BadField("access", f"access: {access!r}; possible are open and invited.")
    return access == "invited"


def _chair(form: FormData, seat: int) -> Chair:
    kind, name = form.get(f"seat-{seat}", "open"), form.get(f"name-{seat}", "")
    match kind:
        case "me" | "open":
            return Chair(kind)
        case "device":
            return Chair("device", name=str(name))
        case str() if kind in LEVEL_IDS:
            return Chair("bot", bot=kind)
    raise BadField(
        f"seat-{seat}", f"seat-{seat}: {str(kind)[:40]!r}; possible are me, open, device, {', '.join(LEVEL_IDS)}."
    )
