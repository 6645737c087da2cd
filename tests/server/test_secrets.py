"""Changing information hidden from a viewer does not change one byte of any response to them.

At several positions of whole games, two servers run on copies of the database. They differ only in information hidden
from one person: the deal, face-down cards, and the orders of other players. Both get the same requests, and every
response must be the same.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from signoria.games import AnyTable
from signoria.kernel.errors import NoUndo
from signoria.kernel.game import SPECTATOR
from signoria.server.lobby import opening, seating
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.play import orders
from signoria.server.play.ordered_steps import has_orders, lots_of, orders_of
from signoria.server.play.room import Room, encode_step
from signoria.server.play.service import TableService
from signoria.store.people import find_user
from tests.databases import in_loop
from tests.server.alternative_deals import Luck, alternative_luck, dealt_with, hidden_differs, true_luck
from tests.server.application import Person, arrive, open_app
from tests.server.services import make_step, undo
from tests.volume import repeated

pytestmark = pytest.mark.slow  # whole games, and two servers for each compared position
GAMES = [
    ("patrician", {"messengers": True, "ambassadors": True, "tokens": "hidden"}, 3),
    ("patrician", {}, 5),
    ("il-principe", {}, 4),
    ("il-principe", {"variant": True}, 2),
]
MOMENTS = repeated(3)
"""Number of positions per game at which everything is requested."""
REHEARSALS, SECONDS = 1, 10
"""At how many moments for each kind of step several are sent together, and how many different ones after the first."""
SEED = bytes([3]) * 32
PACE = 60_000
"""The clock stands still, so no bot ever moves and a player who leaves finds the table unchanged."""

# What can be asked


def looks(app: Starlette, table_id: str, n: int, seats: int) -> list[str]:
    """Every GET path of a table with its parameters filled in for all seats, and the lists."""
    values: dict[str, list[Any]] = {"id": [table_id], "n": [0, n // 2], "format": ["svg", "png"]}
    paths = [filled for path in routes(app, "GET") for filled in fill(path, values)]
    eyes = ["", *(f"?seat={eyes}" for eyes in (*range(seats), "open"))]
    return [
        *(path + query for path in paths for query in eyes),
        *("/", "/lobby/stream", "/api/v1/tables?state=playing", "/api/v1/tables?state=mine"),
    ]


NONSENSE = "{}"
"""A step that does not exist in any game."""
BID_TOO_MUCH = '{"do":"bid","ducats":99}'
"""A step of Il Principe that is never legal: steps sent together with it are refused and none is saved."""


def tries(
    n: int, seats: int, turn: int | None, steps: list[str], together: list[list[str]]
) -> dict[str, list[dict[str, Any]]]:
    """What can be sent to the paths of a table, by page and by API; requests that change most come last.

    `together` are steps sent in one form, at least one of them illegal. The refusal must not show what the steps before
    it would reveal.
    """
    each: list[dict[str, Any]] = [{"seat": seat} for seat in range(seats)]
    asked: list[dict[str, Any]] = [{"seat": turn}]
    bids: list[dict[str, Any]] = [{"bid": 99}, {"bid": [99, 98]}, {"bid": [99, 98, "x"]}, {"bid": 99, "step": steps}]
    return {
        "hint": each,
        "why-not": [who | {"step": step} for who in each for step in steps],
        "sit": each,
        "stand": each,
        "remove": each,
        "bot": [who | {"level": "muratore"} for who in each],
        "salt": [who | {"salt": "a word"} for who in each],
        "start": [{}],
        "fill": [{"level": "muratore"}],
        "close": [{}],
        "rematch": [{}],
        "replay/{n}/play-on": [{"seat": 0, "level": "muratore"}],
        "stand-in": each,
        "chat": [{"text": "Good evening."}],
        "invite": [{"name": "Nobody"}],
        "decline": [{}],
        "sealed": [who | {"lot": lot, "most": 1} for who in each for lot in ("green", "yellow")],
        "orders": [
            *(who | {"choice": "offer", "steps": f"[{','.join(several)}]"} for who in each for several in OFFERS),
            *(who | {"choice": "found", "steps": '[{"do":"found","city":"siena"}]'} for who in each),
            *(who | {"choice": "offer", "steps": "[]"} for who in each),
        ],
        "steps": [
            *(who | {"n": n, "step": several} for who in asked for several in together),
            *(who | {"n": n, "step": several, "unsure": "on"} for who in asked for several in together[::4]),
            *(who | {"n": n} | bid for who in asked for bid in bids),
            *(who | {"n": n, "instead": several[0], "unsure": "on"} for who in asked for several in together[-4:]),
            *(who | {"n": [n, n], "step": NONSENSE, "unsure": ["on", ""]} for who in each),
            *(who | {"n": n, "step": steps[-1], "unsure": "on"} for who in each),
            *(who | {"n": n, "step": step} for who in each for step in steps),
        ],
        "undo": [who | {"n": n + more} for more in range(3) for who in each],
        "unasked": [{}, {"unasked": "on"}],
        "leave": each,
        "return": each,
        "resign": each,
        "block": [*each, {"message": 1}],
    }


OFFERS = [[f'{{"do":"offer","colour":"{colour}"}}'] * 2 for colour in ("green", "white", "red", "blue", "yellow")]
"""Cards of Il Principe to lay face down."""
MAKES_A_GUEST = ("sit", "chat", "play-on")
"""Requests that create a guest with a random name."""


def routes(app: Starlette, method: str) -> list[str]:
    """Paths of a table that accept this method, without converter types."""
    return [
        route.path.replace(":int", "")
        for route in app.routes
        if isinstance(route, Route) and method in (route.methods or ()) and "{id}" in route.path
    ]


def fill(path: str, values: dict[str, list[Any]]) -> list[str]:
    """A path with each of the values filled in."""
    paths = [path]
    for name, possible in values.items():
        paths = [one.replace(f"{{{name}}}", str(value)) for one in paths for value in possible]
    paths = list(dict.fromkeys(paths))
    assert "{" not in paths[0], f"say what {path} is to be asked with"
    return paths


class Sent(NamedTuple):
    """A request to the server."""

    path: str
    fields: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.path} {self.fields}"


def messages(app: Starlette, room: Room, steps: list[str], together: list[list[str]]) -> Iterator[Sent]:
    """Everything that can be sent, in the order of `tries`; to pages each field once, twice and three times."""
    ends = {path: path.partition("{id}/")[2] for path in routes(app, "POST")}
    tried = tries(room.n, len(room.row.seats), room.row.turn, steps, together)
    unknown = set(ends.values()) - tried.keys()
    assert not unknown, f"say what {unknown} is to be tried with"
    for wanted, sent in tried.items():
        for path in (path for path, end in ends.items() if end == wanted):
            for filled in fill(path, {"id": [room.row.id], "n": [0]}):
                for times in (2, 3) if not path.startswith("/api/") and wanted != "steps" else ():
                    yield Sent(filled, {name: [value] * times for name, value in sent[0].items()})
                yield from (Sent(filled, fields) for fields in sent)


# Asking


async def everything(
    person: Person, room: Room, steps: list[str], together: list[list[str]], only: str
) -> list[tuple[str, bytes]]:
    """Everything a person can get: every page and stream, the responses to all their requests, and their effects.

    `only` limits requests to paths with this ending; pages are then not requested.
    """
    table_id, n, seats = room.row.id, room.n, len(room.row.seats)
    got = [(path, await seen(person, path)) for path in looks(person.app, table_id, n, seats) if not only]
    for sent in list(messages(person.app, room, steps, together)):
        if not sent.path.endswith(only) or (person.user is None and sent.path.endswith(MAKES_A_GUEST)):
            continue
        before = room.version
        got.append((str(sent), await answered(person, sent)))
        if room.version != before:
            got += [(f"{path} after {sent}", await seen(person, path)) for path in live(table_id)]
    return got


def live(table_id: str) -> tuple[str, str]:
    """The live page and the stream of a table."""
    return f"/tables/{table_id}/stream", f"/api/v1/tables/{table_id}/events"


async def seen(person: Person, path: str) -> bytes:
    if path.partition("?")[0].endswith(("/stream", "/events")):
        return await person.first_event(path)
    answer = await person.look(path)
    assert answer.status_code < 500, path
    return f"{answer.status_code} ".encode() + answer.content


async def answered(person: Person, sent: Sent) -> bytes:
    if sent.path.startswith("/api/"):
        answer = await person.client.post(sent.path, json=as_json(sent.fields))
    else:
        answer = await person.send(sent.path, script=True, **sent.fields)
    assert answer.status_code < 500, sent
    return f"{answer.status_code} {answer.headers.get('location')} ".encode() + answer.content


def as_json(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a form as a program sends them: steps as objects."""
    if "steps" in fields:
        return fields | {"steps": msgspec.json.decode(fields["steps"])}
    if "step" not in fields:
        return fields
    step = fields["step"]
    return fields | {
        "step": list(map(msgspec.json.decode, step)) if isinstance(step, list) else msgspec.json.decode(step)
    }


async def in_a_copy(
    url: str, copy: Path, luck: Luck, person: Person, table_id: str, steps: list[str],
    together: list[list[str]], others: set[int], secret: bool, only: str,
) -> Any:  # fmt: skip
    """Everything this person gets on a separate server with this deal and orders of the other seats.

    In both servers the same seats have made a choice that everyone makes at the same time, but another one. In one of
    them they have also given orders that nobody may notice (`secret`).
    """
    with sqlite3.connect(url) as true, sqlite3.connect(copy) as other:
        true.backup(other)
        for n, (_, step) in enumerate(luck.steps):
            other.execute("UPDATE steps SET step = ? WHERE table_id = ? AND n = ?", (step, table_id, n))
    other.close()
    with dealt_with(luck.words):
        async with open_app(str(copy), pace=PACE) as (app, service):
            stop_the_clock(service)
            here, room = Person(app, person.user, person.headers.get("cookie")), await service.room(table_id)
            for seat in sorted(others):
                await order_everything(service, room, seat, secret)
            return await everything(here, room, steps, together, only)


async def order_everything(service: TableService, room: Room, seat: int, secret: bool) -> None:
    """Choose everything that can be chosen in advance, and set a limit or a pass for every lot of this round."""
    assert room.position is not None
    async with service.database.read() as db:
        user = await find_user(db, room.row.seats[seat].user_id or "")
    assert user is not None
    view = room.position.table.view(seat)
    possible = orders_of(view)
    for choice in possible.choices(view):
        if choice in possible.together or secret:
            plan = possible.plans(view, choice)[-1 if secret else 0]
            await orders.choose(service, room, user, seat, choice, plan)
    for place, lot in enumerate(lots_of(view) if secret else ()):
        await orders.seal(
            service, room, user, seat, lot.name, 0 if place % 2 else min(1, view.players[seat].ducats or 0)
        )


def has_lots(room: Room) -> bool:
    """Whether lots lie open."""
    assert room.position is not None
    return bool(room.position.table.view().lots)


async def compare(
    url: str, room: Room, person: Person, seat: int, steps: list[str], ahead: Any, rng: Random, *,
    together: list[list[str]] | None = None, lies_face_down: bool = False, only: str = "",
) -> bool:  # fmt: skip
    """Compare the responses, which must be equal; return whether something hidden differed.

    `lies_face_down` is set if hidden steps were made that could have been different. `together` and `only` are as in
    `tries` and `everything`.
    """
    assert room.position is not None
    row, n = room.row, room.n
    luck = true_luck(row, (*room.position.entries, *ahead))
    other = alternative_luck(row, luck, seat, rng)
    while lies_face_down and other.steps == luck.steps:
        other = alternative_luck(row, luck, seat, rng)
    folder, got = Path(url).parent, []
    others = {sitting.seat for sitting in row.seats} - {seat} if has_orders(row.game) else set()
    for name, one, secret in (("true", luck, False), ("other", other, True)):
        copy = folder / f"{name}-{n}-{seat}.db"
        got.append(
            await in_a_copy(
                url,
                copy,
                one._replace(steps=one.steps[:n]),
                person,
                row.id,
                steps,
                together or [],
                others,
                secret,
                only,
            )
        )
    for (path, told), (same_path, otherwise) in zip(*got, strict=True):
        assert path == same_path
        assert told == otherwise, f"{path} tells seat {seat} something that is hidden"
        assert row.seed.encode() not in told, f"{path} tells the seed"
        for sitting in row.seats:
            assert sitting.seat == seat or not sitting.salt or sitting.salt.encode() not in told
    return hidden_differs(row, luck, other, n)


def next_steps(room: Room, step: Any) -> list[tuple[int, str]]:
    """A step with the automatic steps after it; None if the game would be over."""
    assert room.position is not None
    table, made = room.position.table.copy(), []
    while step is not None:
        assert table.turn is not None
        made.append((table.turn, encode_step(step)))
        table.make(step)
        step = table.obvious if not table.over else None
    return [] if table.over else made


@pytest.mark.parametrize(("game", "options", "players"), GAMES)
def test_no_response_reveals_hidden_information(
    game: str, options: dict[str, Any], players: int, sqlite_url: str
) -> None:
    @in_loop
    async def play() -> None:
        async with open_app(sqlite_url, pace=PACE) as (app, service):
            stop_the_clock(service)
            people = [await arrive(app, f"Person {seat}") for seat in range(players)]
            watchers = [Person(app, None, None), await arrive(app, "Watcher")]
            room, rng = await service.room(await open_for(service, people, game, options)), Random(4)
            at, differed, past = {0, 2, *rng.sample(range(3, 60), MOMENTS - 2)}, 0, ["{}"]
            while room.row.state == "playing":
                turn, position = room.row.turn, room.position
                assert turn is not None and position is not None
                step = rng.choice(position.table.legal)
                if len(position.log) in at and (ahead := next_steps(room, step)):
                    at.discard(len(position.log))
                    seat = rng.choice([SPECTATOR, turn, *range(players)])
                    person = rng.choice(watchers) if seat == SPECTATOR else people[seat]
                    legal = {encode_step(one) for one in position.table.legal}
                    steps = [*rng.sample(sorted(set(past) - legal), min(2, len(set(past) - legal))), encode_step(step)]
                    differed += await compare(
                        sqlite_url, room, person, seat, steps, ahead, rng, together=[[encode_step(step), NONSENSE]]
                    )
                past += [encode_step(one) for one in position.table.legal]
                await make_step(service, room, turn, room.n, step)
                if rng.random() < 0.1 and room.row.state == "playing":
                    with suppress(NoUndo):
                        await undo(service, room, turn, room.n)
            assert differed >= MOMENTS // 2, "there was hardly anything hidden to look for"

    play()


@pytest.mark.parametrize(("game", "options"), [("patrician", {"messengers": True}), ("il-principe", {})])
def test_sending_steps_together_does_not_reveal_what_the_first_would_reveal(
    game: str, options: dict[str, Any], sqlite_url: str
) -> None:
    """At positions where a step of each kind reveals something and its player has another decision."""

    @in_loop
    async def play() -> None:
        async with open_app(sqlite_url, pace=PACE) as (app, service):
            stop_the_clock(service)
            people = [await arrive(app, f"Person {seat}") for seat in range(3)]
            room, rng, playing = (
                await service.room(await open_for(service, people, game, options)),
                Random(6),
                Random(6),
            )
            differed, looked = 0, Counter[str]()
            while room.row.state == "playing":
                turn, position = room.row.turn, room.position
                assert turn is not None and position is not None
                revealing = {step: kind for step in position.table.legal if (kind := reveals(position.table, step))}
                new = sorted(kind for kind in revealing.values() if looked[kind] < REHEARSALS)
                firsts = [step for step, kind in revealing.items() if kind in new[:1]]
                if len(position.log) > 10 and firsts:
                    looked[new[0]] += 1
                    together = rehearsals(room, firsts, rng)
                    differed += await compare(
                        sqlite_url, room, people[turn], turn, [NONSENSE], (), rng, together=together, only="/steps"
                    )
                await make_step(service, room, turn, room.n, playing.choice(position.table.legal))
            assert differed == looked.total() >= 1

    play()


def rehearsals(room: Room, firsts: list[Any], rng: Random) -> list[list[str]]:
    """Several steps to be sent together, of which the first reveals something; never are all of them possible."""
    position = room.position
    assert position is not None
    never = position.entries[0][1] if room.game.name == "patrician" else BID_TOO_MUCH  # a card is played once
    seconds = rng.sample(every_step(room.game.name, position.table.components), SECONDS)
    tried = [[encode_step(first), second, never] for first in firsts[:2] for second in seconds]
    return [*tried, *([encode_step(first)] * many for first in firsts for many in (2, 3))]


def every_step(game: str, components: Any) -> list[str]:
    """Steps of every kind: each that names a city, and some of the others."""
    cities = [city.id for city in components.cities]
    if game == "patrician":
        return [f'{{"do":"take","city":"{city}"}}' for city in cities] + ['{"do":"keep"}', '{"do":"stay"}']
    others = ('{"do":"offer","colour":"green"}', '{"do":"pass"}', '{"do":"decline"}', '{"do":"bid","ducats":1}')
    return [f'{{"do":"found","city":"{city}"}}' for city in cities] + list(others)


def reveals(table: AnyTable, step: Any) -> str:
    """The kind of a step and the next question, if it reveals something and its player moves again; else None."""
    ahead = table.copy()
    ahead.make(step)
    if ahead.may_undo is not None or ahead.turn != table.turn:
        return ""
    return " ".join([type(step).__name__, *sorted({type(after).__name__ for after in ahead.legal})])


@pytest.mark.parametrize("watching", [False, True])
def test_no_response_reveals_face_down_offers_or_orders(watching: bool, sqlite_url: str) -> None:
    @in_loop
    async def play() -> None:
        async with open_app(sqlite_url, pace=PACE) as (app, service):
            stop_the_clock(service)
            people = [await arrive(app, f"Person {seat}") for seat in range(3)]
            room, rng = await service.room(await open_for(service, people, "il-principe", {})), Random(5)
            for until in (3, 8):  # one has laid two cards and another one; the auction of the first lot has begun
                while room.n < until:
                    assert room.position is not None
                    step = rng.choice(room.position.table.legal)
                    await make_step(service, room, room.row.turn or 0, room.n, step)
                assert room.position is not None
                legal = [encode_step(one) for one in room.position.table.legal]
                seat = SPECTATOR if watching else ((room.row.turn or 0) + 1) % 3
                person = Person(app, None, None) if watching else people[seat]
                offering = not has_lots(room)
                assert await compare(sqlite_url, room, person, seat, legal[:2], (), rng, lies_face_down=offering)

    play()


def stop_the_clock(service: TableService) -> None:
    service.now = lambda: 1_800_000_000_000


async def open_for(service: TableService, people: list[Person], game: str, options: dict[str, Any]) -> str:
    """A table in play with all of them; the same deal in every run."""
    host = people[0].user
    assert host is not None
    chairs = (SeatRequest("me"), *(SeatRequest("open") for _ in people[1:]))
    with patch.object(opening, "seed_bytes", lambda _: SEED):
        row = await opening.open_table(service, host, TableRequest(game=game, options=options, seats=chairs))
    room = await service.room(row.id)
    for seat, person in enumerate(people):
        assert person.user is not None
        if seat:
            await seating.sit(service, room, person.user, seat)
        await seating.set_salt(service, room, person.user, seat, f"the word of seat {seat}")
    await seating.start(service, room, host)
    return row.id
