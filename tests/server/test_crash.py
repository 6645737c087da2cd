"""A house that is killed in the middle of everything, again and again, has lost nothing."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random

import httpx
import msgspec
import pytest

from signoria.server.duties import LEASE
from signoria.server.gate.people import now_ms
from signoria.server.offered import level_title
from signoria.server.room import UNDO, bot_of, deal, fold
from signoria.store import messages, steps, tables
from signoria.store.database import Database
from signoria.store.heartbeat import read_beat
from signoria.store.tables import TableRow
from tests.databases import in_loop, opened
from tests.server.processes import PATIENCE, House, Person, open_house, until
from tests.volume import repeated

CRASHES = repeated(1)
STEPS_BETWEEN = 50
BOT = "muratore"
CLOCK = 600
"""Seconds: so long that it does not run out by itself while the machine is busy."""
Kept = tuple[int, str]
"""Whose step it was, and the step."""


class Load:
    """People who play, and remember whatever was acknowledged."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.acknowledged: dict[tuple[str, int], Kept] = {}
        self.refused: list[tuple[tuple[str, int], Kept]] = []
        """What came too late: somebody took a step back, or nothing could be taken back any more."""
        self.again = 0
        """Requests that were cut off and sent again."""
        self.strike: Callable[[], None] | None = None
        """What happens in the middle of the next step."""
        self.enough = asyncio.Condition()

    async def act(self, person: Person, table: str, seat: int, rng: Random) -> bool:
        """One look, and a step or an undo where one is asked; whether the game goes on."""
        legal = await person.legal(table, seat)
        if not legal.steps:
            await asyncio.sleep(0.02)
            return not legal.over
        step = msgspec.json.encode(rng.choice(legal.steps)).decode()
        await self._insist(person, table, seat, legal.n, step, rng)
        if rng.random() < 0.2:  # perhaps it can be taken back
            n = (await person.legal(table, seat)).n
            await self._insist(person, table, seat, n, UNDO, rng)
        return True

    async def _insist(self, person: Person, table: str, seat: int, n: int, step: str, rng: Random) -> None:
        """Send a step until it is answered, by a double click sometimes."""
        path = f"/tables/{table}/{'undo' if step == UNDO else 'steps'}"
        double = rng.random() < 0.3
        while True:
            sent = [asyncio.create_task(person.send(path, seat=seat, n=n, step=step)) for _ in range(1 + double)]
            if self.strike:
                strike, self.strike = self.strike, None
                await asyncio.sleep(0.003 * rng.random())
                strike()
            answers = await asyncio.gather(*sent, return_exceptions=True)
            lost = [answer for answer in answers if isinstance(answer, BaseException)]
            assert all(isinstance(error, httpx.TransportError) for error in lost), lost
            statuses = {answer.status_code for answer in answers if isinstance(answer, httpx.Response)}
            if statuses:
                break
            self.again += 1
            await self._wait_for_house(person)
        if statuses == {409}:
            self.refused.append(((table, n), (seat, step)))
            return
        assert statuses == {200}
        assert (table, n) not in self.acknowledged
        self.acknowledged[table, n] = seat, step
        async with self.enough:
            self.enough.notify_all()

    async def _wait_for_house(self, person: Person) -> None:
        async def is_open() -> bool:
            with suppress(httpx.TransportError):
                return (await person.look("/healthz")).status_code == 200
            return False

        await until(is_open)

    async def play(self, person: Person, table: str, seat: int) -> None:
        """Random legal steps to the end of the game, whatever happens to the house."""
        rng = Random(f"{table} {seat}")
        while True:
            try:
                if not await self.act(person, table, seat, rng):
                    return
            except httpx.TransportError:
                await self._wait_for_house(person)

    async def until_struck(self, house: House, more: int) -> None:
        """Once so many more steps are acknowledged, the house is killed in the middle of the next."""
        struck, wanted = asyncio.Event(), len(self.acknowledged) + more

        def strike() -> None:
            house.kill()
            struck.set()

        async with asyncio.timeout(PATIENCE):
            async with self.enough:
                await self.enough.wait_for(lambda: len(self.acknowledged) >= wanted)
            self.strike = strike
            await struck.wait()


async def rows_of(database: Database, wanted: list[str]) -> list[TableRow]:
    async with database.read() as db:
        return [row for table_id in wanted if (row := await tables.find_table(db, table_id))]


@pytest.mark.slow
@in_loop
async def test_nothing_is_lost_when_the_house_is_killed(database_url: str, tmp_path: Path) -> None:
    house = await asyncio.to_thread(open_house, database_url, tmp_path)
    port = house.port
    load = Load(house.address)
    try:
        async with AsyncExitStack() as stack:
            names = ("Anna", "Bruno", "Carla", "Dino")
            anna, bruno, carla, dino = [await stack.enter_async_context(Person(name, house.address)) for name in names]
            work, all_tables = [], []
            for host, guest, game, bots in (
                (anna, bruno, "patrician", [BOT]),
                (bruno, anna, "il-principe", []),
                (carla, dino, "il-principe", [BOT]),
            ):
                table = await host.open_table(game, "me", "open", *bots)
                await guest.sit(table, 1)
                assert (await host.send(f"/tables/{table}/start")).status_code == 200
                work += [load.play(host, table, 0), load.play(guest, table, 1)]
                all_tables.append(table)
            clocked = await anna.open_table("patrician", "me", BOT, clock=CLOCK)
            left = await bruno.open_table("il-principe", "me", "capomastro")
            assert (await bruno.send(f"/tables/{left}/leave")).status_code == 200
            all_tables += [clocked, left]
            async with opened(database_url) as store:
                async with asyncio.timeout(3 * PATIENCE), asyncio.TaskGroup() as everybody:
                    players = [everybody.create_task(one) for one in work]
                    await until(lambda: is_asked(store, clocked))
                    for crash in range(CRASHES):
                        await load.until_struck(house, STEPS_BETWEEN)
                        assert not any(player.done() for player in players)
                        await check_after_crash(store, load, all_tables)
                        restarted = now_ms()
                        house = await asyncio.to_thread(open_house, database_url, tmp_path, port)
                        if crash == CRASHES - 1:
                            await until(lambda since=restarted: is_alive(store, since))  # type: ignore[misc]
                            await let_time_pass(store, clocked)
                await until(lambda: all_over(store, all_tables))
                await check_in_the_end(store, load, all_tables, clocked)
            assert load.again
    finally:
        house.end()


async def all_over(store: Database, all_tables: list[str]) -> bool:
    return all(row.state == "over" for row in await rows_of(store, all_tables))


async def is_asked(store: Database, table: str) -> bool:
    """Whether the person in the first seat is asked."""
    [row] = await rows_of(store, [table])
    return row.turn == 0 and not row.seats[0].away


async def is_alive(store: Database, since: int) -> bool:
    """Whether the server has given back the time in which it was down."""
    async with store.read() as db:
        beat = await read_beat(db)
    return beat is not None and beat.at >= since


async def let_time_pass(store: Database, table: str) -> None:
    """The clock of whoever is asked at this table runs out, unless it has already."""
    if not await is_asked(store, table):
        return
    ago = now_ms() - 1000 * CLOCK - 1000
    async with store.write() as w:
        await tables.change(w.db, table, turn_at=ago, due_at=ago + 1000 * CLOCK)


async def check_after_crash(store: Database, load: Load, all_tables: list[str]) -> None:
    """What was acknowledged is there, in its place; every game can be told; no bot's turn is out of reach."""
    now = now_ms()
    for row in await rows_of(store, all_tables):
        async with store.read() as db:
            kept = await steps.steps_of(db, row.id)
        assert [step.n for step in kept] == list(range(row.n))
        told = {step.n: (step.seat, step.step) for step in kept}
        for (table, n), step in load.acknowledged.items():
            assert table != row.id or told[n] == step
        position = fold(deal(row), kept)
        assert position.table.turn == row.turn
        assert (row.state == "over") == position.table.over
        if row.turn is not None and bot_of(row, row.seats[row.turn]):
            assert row.due_at is not None
            assert row.due_at <= now + LEASE


async def check_in_the_end(store: Database, load: Load, all_tables: list[str], clocked: str) -> None:
    await check_after_crash(store, load, all_tables)
    async with store.read() as db:
        for row in await rows_of(store, all_tables):
            kept = await steps.steps_of(db, row.id)
            by_people = {
                (row.id, step.n): (step.seat, step.step)
                for step in kept
                if step.by == "person" and not (step.step == UNDO and kept[step.n - 1].step == UNDO)
            }  # one undo takes back what the house did too
            assert by_people == {key: step for key, step in load.acknowledged.items() if key[0] == row.id}
            assert all(
                (step.seat, step.step) != refused
                for step in kept
                for key, refused in load.refused
                if key == (row.id, step.n)
            )
            assert row.result is not None
            assert row.due_at is None
        said = [message.text for message in await messages.messages_of(db, clocked)]
        assert said == [f"The clock of Anna ran out; a bot ({level_title(BOT)}) plays until they return."]
        [row] = await rows_of(store, [clocked])
        assert row.seats[0].away
