"""The lobby: what can be played, watched and looked back at; opening a table."""

import hashlib
from contextlib import ExitStack
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from signoria.games import GAMES
from signoria.server import guided, seating
from signoria.server.clocks import CLOCKS
from signoria.server.errors import BadField, ServerError
from signoria.server.gate.opening import may_open
from signoria.server.gate.who import viewer_model
from signoria.server.house import House
from signoria.server.offered import AIDED, LEVEL_IDS, LEVEL_MODELS, OPTIONS, game_model, game_models, level_title
from signoria.server.packing import Pack
from signoria.server.pages.common import Asked, house_of, html, see, user_of
from signoria.server.pages.lists import STATES
from signoria.server.seating import Chair, Wish
from signoria.server.showing import table_line
from signoria.server.streams import BEAT, Event, Stream
from signoria.server.visits import visit
from signoria.store import people, tables
from signoria.store.lists import public_tables
from signoria.store.people import User
from signoria.store.tables import TableRow
from signoria.web import pages
from signoria.web.lessons import LESSONS
from signoria.web.models import Lobby, NewTable, Notice

LISTED = 25
"""Tables in each list."""
REST = 1.0
"""Seconds between two pictures of the lobby."""
Listed = tuple[tuple[list[TableRow], ...], dict[str, str]]
USUAL, FIRST = {"patrician": 3, "il-principe": 3}, {"patrician": 2, "il-principe": 3}
"""How many play when somebody just wants to play now; and when it is their first game."""


async def _public(house: House) -> Listed:
    """The tables that everybody sees, and their hosts' names: read at most once a second, whoever asks."""
    now = house.now()
    at, listed = house.listed or (0, None)
    if listed is None or now - at >= 1000 * REST:
        async with house.database.read() as db:
            rows = tuple([await public_tables(db, state, LISTED) for state in STATES.values()])
            listed = rows, await people.names_of(db, {row.host_id for list_ in rows for row in list_ if row.host_id})
        house.listed = now, listed
    return listed


async def lobby_model(house: House, user: User | None) -> Lobby:
    """The lobby as somebody sees it."""
    now = house.now()
    listed, hosts = await _public(house)
    mine: list[TableRow] = []
    more = {of for of, rows in zip(STATES, listed, strict=True) if len(rows) == LISTED}
    if user:
        async with house.database.read() as db:
            own = await tables.tables_of_user(db, user.id, max(LISTED, house.settings.most_tables) + 1)
            mine = _shown([row for row in own if row.state != "closed"])
            more |= {"mine"} if len(mine) >= LISTED else set()
            hosts = hosts | await people.names_of(db, {row.host_id for row in mine if row.host_id} - hosts.keys())
    seen = {row.id for row in mine}

    def lines(rows: list[TableRow]) -> tuple[object, ...]:
        return tuple(table_line(row, user, now, hosts) for row in rows)

    mine.sort(key=lambda row: not table_line(row, user, now, hosts).my_turn)
    open_now, running, finished = ([row for row in rows if row.id not in seen] for rows in listed)
    return Lobby(
        viewer=viewer_model(user),
        games=game_models(),
        levels=LEVEL_MODELS,
        mine=lines(mine),  # type: ignore[arg-type]
        open=lines(open_now),  # type: ignore[arg-type]
        running=lines(running),  # type: ignore[arg-type]
        finished=lines(finished),  # type: ignore[arg-type]
        at_once={game: _at_once(game, _new_here(mine)) for game in GAMES},
        guided=tuple(LESSONS),
        more=frozenset(more),
    )


def _shown(own: list[TableRow]) -> list[TableRow]:
    """One's own tables in the lobby: everything that goes on, and what was finished last."""
    going_on = [row for row in own if row.state != "over"]
    return going_on + [row for row in own if row.state == "over"][: max(0, LISTED - len(going_on))]


async def lobby(request: Request) -> Response:
    """The first page."""
    return html(pages.lobby(await lobby_model(house_of(request), user_of(request))))


class LobbyStream:
    """The lobby, live."""

    def __init__(self, request: Request) -> None:
        self._request, self._house, self._user = request, house_of(request), user_of(request)
        self._topics: set[str] = set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send it whenever something changed."""
        last = self._request.headers.get("last-event-id", "")
        with visit(self._request) as (self._changed, ended), ExitStack() as self._watching:
            await Stream(self._fetch, self._changed, ended, last, rest=REST, breath=BEAT)(scope, receive, send)

    async def _fetch(self, last: str) -> list[Event]:
        model = await lobby_model(self._house, self._user)
        self._watch({"lobby", *(f"table:{line.id}" for line in model.mine)})
        drawn = pages.lobby_fragment(model)
        version = hashlib.blake2b(drawn.encode(), digest_size=6).hexdigest()  # the same in every process
        return [] if version == last else [Event(version, Pack(drawn))]

    def _watch(self, topics: set[str]) -> None:
        """Be woken for the tables that are one's own now."""
        if topics != self._topics:
            self._watching.close()
            self._watching.enter_context(self._house.watch(self._changed, topics))
            self._topics = topics
            self._changed.set()  # something may have happened since they were read


async def lobby_stream(request: Request) -> Response:
    """The lobby, live."""
    return LobbyStream(request)  # type: ignore[return-value]


def _new_here(own: list[TableRow]) -> bool:
    """Whether somebody with these tables has not finished a game yet; guided ones do not count."""
    return not any(row.state == "over" and not guided.is_guided(row) for row in own)


def _at_once(game: str, new_here: bool) -> str:
    """What "Play now" chooses, in a sentence."""
    if new_here:
        bots = "one gentle bot" if FIRST[game] == 2 else "two gentle bots"
        return f"You play against {bots} ({level_title(guided.GENTLE)}). The game is not rated."
    return f"You play against two bots ({level_title(seating.USUAL_LEVEL)}). The game is not rated."


async def play_now(asked: Asked) -> Response:
    """A table against bots, begun at once; against gentle ones for whoever is new here."""
    opened = await may_open(asked.request, asked.user)
    game = asked.text("game")
    if game not in GAMES:
        raise BadField("game", f"There is no game {game!r}; there is {', '.join(GAMES)}.")
    async with asked.house.database.read() as db:
        first = _new_here(await tables.tables_of_user(db, asked.user.id, LISTED))
    bot = Chair("bot", bot=asked.text("level") or (guided.GENTLE if first else seating.USUAL_LEVEL))
    others = (FIRST if first else USUAL)[game] - 1
    wish = Wish(game=game, options={}, chairs=(Chair("me"), *(bot,) * others), rated=False)
    row = await seating.open_table(asked.house, asked.user, wish)
    return see(f"/tables/{opened(row.id)}")


async def learn(asked: Asked) -> Response:
    """A guided game against a gentle bot, begun near its end."""
    opened = await may_open(asked.request, asked.user)
    return see(f"/tables/{opened(await guided.open_guided(asked.house, asked.user, asked.text('game')))}")


async def new_table(request: Request) -> Response:
    """The form that opens a table."""
    game = request.query_params.get("game", "patrician")
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
        aid="aid" in filled if filled else game in AIDED,
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
        raise BadField("seats", f"seats: {seats} cannot play; {GAMES[game].title} is for 2 to 5.")
    options = {
        option.name: asked.text(option.name) or option.choices[0][0] if option.choices else option.name in asked.form
        for option in OPTIONS[game]
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
