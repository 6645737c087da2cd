"""A house without a web around it: people, tables, and a clock that the test turns."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import msgspec

from signoria.server import seating
from signoria.server.duties import Duties
from signoria.server.house import House
from signoria.server.metrics import Metrics
from signoria.server.room import Room, deal, fold
from signoria.server.seating import Chair, Wish
from signoria.server.settings import Settings
from signoria.store import people, steps, tables
from signoria.store.people import User
from signoria.store.steps import StepRow
from signoria.store.tables import TableRow
from tests.databases import opened

NOW = 1_700_000_000_000
LEVEL = "muratore"
PATIENCE = 120.0


class Clock:
    """Milliseconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> int:
        return self.now

    def pass_seconds(self, seconds: float) -> None:
        self.now += int(1000 * seconds)


async def until(holds: Callable[[], Any]) -> None:
    """Wait for something that happens in this process."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.002)


@asynccontextmanager
async def a_house(url: str, clock: Clock | None = None, **settings: Any) -> AsyncIterator[House]:
    async with opened(url) as database:
        settings = {"pace": 0, **settings}
        house = House(database, Settings(database=url, **settings), Metrics(), clock or Clock())
        try:
            yield house
        finally:
            await house.settle()


async def a_person(house: House, name: str = "Anna") -> User:
    async with house.database.write() as w:
        return await people.add_user(w.db, name, house.now())


async def a_table(house: House, *seats: User | str, game: str = "patrician", **wish: Any) -> Room:
    """A table that has begun; seats are people, or levels of bots. The first person has opened it."""
    host = next(seat for seat in seats if isinstance(seat, User))
    chairs = [
        Chair("me") if seat is host else Chair("open") if isinstance(seat, User) else Chair("bot", bot=seat)
        for seat in seats
    ]
    wanted = Wish(**{"game": game, "options": {}, "chairs": tuple(chairs), **wish})
    room = await house.room((await seating.open_table(house, host, wanted)).id)
    for place, seat in enumerate(seats):
        if isinstance(seat, User) and seat is not host:
            await seating.sit(house, room, seat, place, invitation=room.row.invitation)
    await seating.begin(house, room)
    return room


def turn_of(room: Room) -> int:
    assert room.row.turn is not None
    return room.row.turn


def legal(room: Room) -> tuple[Any, ...]:
    assert room.position is not None
    return room.position.table.legal


def a_step(room: Room, rng: Random) -> Any:
    return rng.choice(legal(room))


async def make(house: House, room: Room, step: Any) -> None:
    """A step by whoever is asked."""
    seat = turn_of(room)
    await house.make_step(room, seat, room.n, step, "bot" if room.played_by_bot(seat) else "person")


async def play(house: House, room: Room, rng: Random, until_n: int = 10_000) -> None:
    """Random legal steps, by whoever is asked, until the game is over or has come to that many steps."""
    while room.row.state == "playing" and room.n < until_n:
        await make(house, room, a_step(room, rng))


async def let_house_act(duties: Duties) -> None:
    """Everything that is due now, and nothing that will be later."""
    while await duties.look() == 0.0:
        while duties.acting:
            await asyncio.wait(duties.acting)


async def kept_row(house: House, table_id: str) -> TableRow:
    async with house.database.read() as db:
        row = await tables.find_table(db, table_id)
    assert row is not None
    return row


async def kept_steps(house: House, table_id: str) -> list[StepRow]:
    async with house.database.read() as db:
        return await steps.steps_of(db, table_id)


def looks(table: Any) -> list[bytes]:
    """What every seat and a spectator see of a game, to be compared."""
    return [msgspec.json.encode(table.view(seat)) for seat in (None, *range(table.options.players))]


async def check_kept(house: House, room: Room) -> None:
    """The store tells the very game that is in memory, step by step, and all of it is legal."""
    row, kept = await kept_row(house, room.row.id), await kept_steps(house, room.row.id)
    assert [step.n for step in kept] == list(range(row.n))
    again = fold(deal(row), kept)
    assert room.position is not None
    assert again.entries == room.position.entries
    assert again.told == room.position.told
    assert looks(again.table) == looks(room.position.table)
    assert (row.turn, row.state) == (again.table.turn, "over" if again.table.over else "playing")
    assert row == room.row
