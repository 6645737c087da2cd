"""Whatever is hidden from somebody can be changed without changing one byte of what they can get."""

from random import Random
from typing import Any

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount, Route

from signoria.kernel.entries import entries
from signoria.kernel.game import SPECTATOR
from signoria.kernel.luck import sow
from signoria.server import seating
from signoria.server.house import House
from signoria.server.room import Position, Room, encode
from signoria.server.seating import Chair, Wish
from tests.databases import in_loop
from tests.server.house_of_tests import Person, arrive, open_house

GAMES = [
    ("patrician", {"messengers": True, "ambassadors": True, "tokens": "hidden"}, 3),
    ("patrician", {}, 5),
    ("il-principe", {}, 4),
    ("il-principe", {"variant": True}, 2),
]


def looks(app: Starlette, table_id: str, seats: int) -> list[str]:
    """Every address with a table in it that can be asked for, filled in."""

    def paths(routes: Any, root: str = "") -> list[str]:
        found = []
        for route in routes:
            if isinstance(route, Mount) and route.routes:
                found += paths(route.routes, root + route.path)
            elif isinstance(route, Route) and "GET" in (route.methods or ()) and "{id}" in route.path:
                found.append(root + route.path)
        return found

    values = {"{id}": table_id, "{n:int}": "3", "{n}": "3"}
    plain = []
    for path in paths(app.routes):
        for name, value in values.items():
            path = path.replace(name, value)
        plain.append(path)
    return [*plain, *(f"{path}?seat={seat}" for path in plain for seat in (*range(seats), "open"))]


def is_stream(path: str) -> bool:
    return path.partition("?")[0].endswith(("/stream", "/events"))


async def everything(person: Person, app: Starlette, room: Room, steps: list[Any]) -> dict[str, bytes]:
    """All that somebody can get: every page, every stream, and the answers to everything they may try."""
    got: dict[str, bytes] = {}
    base = f"/tables/{room.row.id}"
    for path in [*looks(app, room.row.id, len(room.row.seats)), "/", "/lobby/stream"]:
        if is_stream(path) or path == "/lobby/stream":
            got[path] = await person.first_event(path)
        else:
            answer = await person.look(path)
            got[path] = f"{answer.status_code}".encode() + answer.content
    for seat in range(len(room.row.seats)):
        mine = room.row.seats[seat].user_id == (person.user.id if person.user else None)
        for step in steps:
            if mine and room.row.turn == seat:
                continue  # what it may do itself, it may know
            answer = await person.send(f"{base}/steps", seat=seat, n=room.n, step=step, script=True)
            assert answer.status_code in (401, 403, 409, 422)
            got[f"step {seat} {step}"] = answer.content
        if not mine:
            answer = await person.send(f"{base}/undo", seat=seat, n=room.n, script=True)
            assert answer.status_code in (401, 403)
            got[f"undo {seat}"] = answer.content
    return got


def with_other_secrets(room: Room, seat: int, luck: int) -> Position:
    """The same position as far as a seat knows it, all else dealt anew."""
    assert room.position is not None
    table = room.position.table.copy()
    rules, boxes = entries(table.game.rules), table._boxes
    rules.see(table._states, boxes, seat)
    generator = np.zeros(1, np.uint64)
    sow(generator, luck, 0)
    rules.redeal(table._states, boxes, generator)
    return Position(table, room.position.entries, room.position.told)


async def compare(person: Person, seat: int, app: Starlette, room: Room, steps: list[Any], luck: int) -> bool:
    """Whether anything was there to be hidden; nothing that the person got may have changed."""
    kept = room.position
    assert kept is not None
    before = await everything(person, app, room, steps)
    room.position = with_other_secrets(room, seat, luck)
    room.drawn.clear()
    changed = room.position.table._states.tobytes() != kept.table._states.tobytes()
    after = await everything(person, app, room, steps)
    room.position = kept
    room.drawn.clear()
    assert before.keys() == after.keys()
    for path, told in before.items():
        assert told == after[path], f"{path} tells seat {seat} something that is hidden"
        assert room.row.seed.encode() not in told, f"{path} tells the seed"
        for other in room.row.seats:
            assert other.seat == seat or not other.salt or other.salt.encode() not in told
    return changed


@pytest.mark.parametrize(("game", "options", "players"), GAMES)
def test_nothing_hidden_can_be_learnt_from_any_answer(
    game: str, options: dict[str, Any], players: int, sqlite_url: str
) -> None:
    @in_loop
    async def play() -> None:
        async with open_house(sqlite_url) as (app, house):
            stop_the_clock(house)
            people = [await arrive(app, f"Person {seat}") for seat in range(players)]
            row = await open_for(house, people, game, options)
            room, rng = await house.room(row), Random(4)
            watchers = [Person(app, None, None), await arrive(app, "Watcher")]
            compared = 0
            while room.row.state == "playing":
                turn = room.row.turn
                assert turn is not None and room.position is not None
                legal = room.position.table.legal
                if rng.random() < 0.06 or room.n < 2:
                    seat = rng.choice([SPECTATOR, *range(players)])
                    person = rng.choice(watchers) if seat == SPECTATOR else people[seat]
                    steps = [encode(step) for step in rng.sample(legal, min(2, len(legal)))]
                    compared += await compare(person, seat, app, room, steps, rng.randrange(2**31))
                await house.make_step(room, turn, room.n, rng.choice(legal))
            assert compared >= 3, "there was hardly anything hidden to look for"

    play()


def stop_the_clock(house: House) -> None:
    house.now = lambda: 1_800_000_000_000


async def open_for(house: House, people: list[Person], game: str, options: dict[str, Any]) -> str:
    """A table with all of them, begun."""
    host = people[0].user
    assert host is not None
    chairs = (Chair("me"), *(Chair("open") for _ in people[1:]))
    row = await seating.open_table(house, host, Wish(game=game, options=options, chairs=chairs))
    room = await house.room(row.id)
    for seat, person in enumerate(people[1:], 1):
        assert person.user is not None
        await seating.sit(house, room, person.user, seat)
    await seating.start(house, room, host)
    return row.id
