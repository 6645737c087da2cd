"""A table service without HTTP: people, tables and a test clock."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import msgspec

from signoria.server.lobby import opening, seating
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.play.room import Room, deal, fold
from signoria.server.play.scheduler import Scheduler
from signoria.server.play.service import TableService
from signoria.server.run.metrics import Metrics
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
    """A clock that moves only when the test says so."""

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
async def a_service(url: str, clock: Clock | None = None, **settings: Any) -> AsyncIterator[TableService]:
    async with opened(url) as database:
        settings = {"pace": 0, "undo_wait": 0, **settings}
        service = TableService(database, Settings(database=url, **settings), Metrics(), clock or Clock())
        try:
            yield service
        finally:
            await service.finish_background_tasks()


async def a_person(service: TableService, name: str = "Anna") -> User:
    async with service.database.write() as w:
        return await people.add_user(w.db, name, service.now())


async def a_table(service: TableService, *seats: User | str, game: str = "patrician", **table_request: Any) -> Room:
    """A table in play; seats are people or levels of bots. The first person is the host."""
    host = next(seat for seat in seats if isinstance(seat, User))
    chairs = [
        SeatRequest("me")
        if seat is host
        else SeatRequest("open")
        if isinstance(seat, User)
        else SeatRequest("bot", bot=seat)
        for seat in seats
    ]
    wanted = TableRequest(**{"game": game, "options": {}, "seats": tuple(chairs), **table_request})
    room = await service.room((await opening.open_table(service, host, wanted)).id)
    for place, seat in enumerate(seats):
        if isinstance(seat, User) and seat is not host:
            await seating.sit(service, room, seat, place, invitation=room.row.invitation)
    await seating.begin(service, room)
    return room


def turn_of(room: Room) -> int:
    assert room.row.turn is not None
    return room.row.turn


def legal(room: Room) -> tuple[Any, ...]:
    assert room.position is not None
    return room.position.table.legal


def a_step(room: Room, rng: Random) -> Any:
    return rng.choice(legal(room))


def player_of(room: Room, seat: int) -> str | None:
    """The id of the person who plays a seat; None where a bot does."""
    return None if room.played_by_bot(seat) else room.row.seats[seat].user_id


async def make_step(service: TableService, room: Room, seat: int, n: int, step: Any) -> None:
    """A step by the person or the bot that plays the seat."""
    await service.make_step(room, player_of(room, seat), seat, n, step)


async def undo(service: TableService, room: Room, seat: int, n: int) -> None:
    """Take back a step of the person who has the seat."""
    await service.undo(room, room.row.seats[seat].user_id or "", seat, n)


async def make(service: TableService, room: Room, step: Any) -> None:
    """Make a step for the seat whose turn it is."""
    await make_step(service, room, turn_of(room), room.n, step)


async def play(service: TableService, room: Room, rng: Random, until_n: int = 10_000) -> None:
    """Make random legal steps until the game is over or has this many steps."""
    while room.row.state == "playing" and room.n < until_n:
        await make(service, room, a_step(room, rng))


async def do_what_is_due(scheduler: Scheduler) -> None:
    """Do everything that is due now, and nothing that is due later."""
    while await scheduler.start_due() == 0.0:
        while scheduler.tasks:
            await asyncio.wait(scheduler.tasks)


async def kept_row(service: TableService, table_id: str) -> TableRow:
    async with service.database.read() as db:
        row = await tables.find_table(db, table_id)
    assert row is not None
    return row


async def kept_steps(service: TableService, table_id: str) -> list[StepRow]:
    async with service.database.read() as db:
        return await steps.steps_of(db, table_id)


def looks(table: Any) -> list[bytes]:
    """The views of all seats and of a spectator, for comparison."""
    return [msgspec.json.encode(table.view(seat)) for seat in (None, *range(table.options.players))]


async def check_kept(service: TableService, room: Room) -> None:
    """Check that the stored steps are legal and give exactly the game in memory."""
    row, kept = await kept_row(service, room.row.id), await kept_steps(service, room.row.id)
    assert [step.n for step in kept] == list(range(row.n))
    again = fold(deal(row), kept)
    assert room.position is not None
    assert again.entries == room.position.entries
    assert again.log == room.position.log
    assert looks(again.table) == looks(room.position.table)
    assert (row.turn, row.state) == (again.table.turn, "over" if again.table.over else "playing")
    assert row == room.row
