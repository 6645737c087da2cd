"""Three processes on one PostgreSQL database serve the same games."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text

from signoria.server.lobby.catalogue import level_title
from signoria.server.people.sessions import now_ms
from signoria.server.play.room import deal, fold
from signoria.store import messages, steps, tables
from signoria.store.database import Database
from signoria.store.steps import StepRow
from tests.databases import fresh_database, in_loop, opened
from tests.server.processes import Person, ServerProcess, start_server, started_servers, until

LISTENERS = "FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'signoria listening'"
COUNT_LISTENERS = text(f"SELECT count(*) {LISTENERS}")
END_LISTENERS = text(f"SELECT count(pg_terminate_backend(pid)) {LISTENERS}")
BOT = "muratore"
NUMBERS = count()
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("three processes")]


class Three:
    """Three processes, and the database that they share."""

    def __init__(self, database: str, servers: list[ServerProcess], folder: Path) -> None:
        self.database, self.servers, self.folder = database, servers, folder
        self.addresses = [server.address for server in servers]

    @asynccontextmanager
    async def people(self, *names: str) -> AsyncIterator[list[Person]]:
        """Each at another process."""
        async with AsyncExitStack() as stack:
            yield [
                await stack.enter_async_context(Person(f"{name} {next(NUMBERS)}", self.addresses[place % 3]))
                for place, name in enumerate(names)
            ]

    async def counted(self, person: Person, name: str) -> float:
        """A metric summed over all processes."""
        pages = [(await person.at(address).look("/metrics")).text for address in self.addresses]
        return sum(float(found) for page in pages for found in re.findall(rf"^{name}(?:{{.*}})? (\S+)$", page, re.M))


@pytest.fixture(scope="module")
def three(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Three]:
    folder = tmp_path_factory.mktemp("houses")
    with fresh_database(postgres, "three_processes") as database:
        servers = asyncio.run(started_servers(database, folder, 3))
        try:
            yield Three(database, servers, folder)
        finally:
            for server in servers:
                server.end()


async def kept(store: Database, table: str) -> list[StepRow]:
    """The steps of a table, which must be a legal game."""
    async with store.read() as db:
        row = await tables.find_table(db, table)
        assert row is not None
        found = await steps.steps_of(db, table, before=row.n)
    assert [step.n for step in found] == list(range(row.n))
    assert fold(deal(row), found).table.turn == row.turn
    return found


async def a_game(anna: Person, bruno: Person, game: str = "patrician") -> str:
    table = await anna.open_table(game, "me", "open")
    await bruno.sit(table, 1)
    assert (await anna.send(f"/tables/{table}/start")).status_code == 200
    return table


async def who_is_asked(table: str, *players: Person) -> int:
    """The seat whose turn it is, for people in this order."""

    async def asked() -> list[int]:
        return [seat for seat, player in enumerate(players) if (await player.legal(table, seat)).steps]

    return int((await until(asked, every=0.01))[0])


@in_loop
async def test_players_at_one_table_see_each_other_through_different_processes(three: Three) -> None:
    rng = Random(1)
    async with three.people("Anna", "Bruno", "Carla") as (anna, bruno, carla):
        table = await a_game(anna, bruno)
        async with AsyncExitStack() as stack:
            streams = [
                await stack.enter_async_context(person.watching(f"/tables/{table}/stream"))
                for person in (anna, bruno, carla)
            ]
            for _ in range(12):
                seat = await who_is_asked(table, anna, bruno)
                player = (anna, bruno)[seat].at(rng.choice(three.addresses))
                legal = await player.asked(table, seat)
                assert (await player.step(table, seat, legal.n, rng.choice(legal.steps))).status_code == 200
                now = (await player.facts(table))["n"]
                for stream in streams:
                    await stream.until(lambda event, now=now: event.id.startswith(f"{now}."))  # type: ignore[misc]
            await anna.send(f"/tables/{table}/chat", text="Buona sera a tutti")
            for stream in streams:
                await stream.until(lambda event: "Buona sera a tutti" in event.data)
            await bruno.send(f"/tables/{table}/leave")
            for stream in streams:
                await stream.until(lambda event: f"{bruno.name} left" in event.data)
            await bruno.at(anna.address).send(f"/tables/{table}/return")
            for stream in streams:
                await stream.until(lambda event: f"{bruno.name} is back" in event.data)


@in_loop
async def test_seats_are_taken_once_and_shown_in_all_processes(three: Three) -> None:
    async with three.people("Anna", "Bruno", "Carla") as (anna, bruno, carla):
        table = await anna.open_table("il-principe", "me", "open", "open")
        async with anna.watching(f"/tables/{table}/stream") as stream:
            sat = await asyncio.gather(
                *(person.send(f"/tables/{table}/sit", seat=1, name=person.name) for person in (bruno, carla))
            )
            assert sorted(answer.status_code for answer in sat) == [200, 409]
            sitting = (bruno, carla)[[answer.status_code for answer in sat].index(200)]
            await stream.until(lambda event: sitting.name in event.data)
            filled = await anna.send(f"/tables/{table}/fill", level=BOT)
            assert filled.status_code == 200
        facts = await carla.facts(table)
        assert facts["state"] == "playing"
        assert [seat["name"] for seat in facts["seats"]][:2] == [anna.name, sitting.name]


@in_loop
async def test_request_sent_to_all_processes_at_once_makes_one_step(three: Three) -> None:
    rng = Random(2)
    async with opened(three.database) as store, three.people("Anna", "Bruno") as (anna, bruno):
        table, made = await a_game(anna, bruno, "il-principe"), {}
        for _ in range(15):
            seat = await who_is_asked(table, anna, bruno)
            player = (anna, bruno)[seat]
            legal = await player.asked(table, seat)
            step = rng.choice(legal.steps)
            answers = await asyncio.gather(
                *(player.at(address).step(table, seat, legal.n, step) for address in three.addresses * 2)
            )
            assert [answer.status_code for answer in answers] == [200] * 6
            made[legal.n] = seat
        found = await kept(store, table)
        assert {step.n: step.seat for step in found if step.by == "person"} == made


@in_loop
async def test_only_one_of_several_steps_sent_to_different_processes_is_saved(three: Three) -> None:
    rng, raced = Random(3), 0
    async with opened(three.database) as store, three.people("Anna", "Bruno") as (anna, bruno):
        table, made = await a_game(anna, bruno), {}
        while raced < 8:
            seat = await who_is_asked(table, anna, bruno)
            player = (anna, bruno)[seat]
            legal = await player.asked(table, seat)
            wanted = rng.sample(legal.steps, min(3, len(legal.steps)))
            raced += len(wanted) > 1
            answers = await asyncio.gather(
                *(
                    player.at(address).step(table, seat, legal.n, step)
                    for address, step in zip(three.addresses, wanted, strict=False)
                )
            )
            assert sorted(answer.status_code for answer in answers) == [200] + [409] * (len(wanted) - 1)
            for answer in answers:
                assert answer.text.startswith('<main id="table"')
                assert f'name="n" value="{legal.n}"' not in answer.text
                if answer.status_code == 409:
                    assert 'id="notice"' in answer.text
            made[legal.n] = seat
        assert {step.n: step.seat for step in await kept(store, table) if step.by == "person"} == made


@in_loop
async def test_every_bot_moves_once_per_turn(three: Three) -> None:
    async with opened(three.database) as store, three.people("Anna", "Bruno", "Carla") as everybody:
        before = await three.counted(everybody[0], "signoria_bot_turns_total")
        left = []
        for person in everybody:
            table = await person.open_table("patrician", "me", BOT, BOT)
            await person.send(f"/tables/{table}/resign")
            left.append(table)

        async def all_over() -> bool:
            return all([(await everybody[0].facts(table))["state"] == "over" for table in left])

        await until(all_over, every=0.2)
        by_bots = [step for table in left for step in await kept(store, table) if step.by == "bot"]
        assert not [step for table in left for step in await kept(store, table) if step.by == "person"]
        moved = await three.counted(everybody[0], "signoria_bot_turns_total") - before
        assert moved == len(by_bots)


@in_loop
async def test_expired_clock_is_handled_once(three: Three) -> None:
    async with opened(three.database) as store, three.people("Anna", "Bruno", "Carla") as everybody:
        before = await three.counted(everybody[0], "signoria_clocks_total")
        clocked = []
        for person in everybody:
            table = await person.open_table("il-principe", "me", "device", clock=60)
            clocked.append((person, table))
        for _, table in clocked:
            async with store.write() as w:
                await tables.change(w.db, table, turn_at=now_ms() - 61_000, due_at=now_ms() - 1000)
                w.tell(f"table:{table}")

        async def out(table: str) -> bool:
            async with store.read() as db:
                row = await tables.find_table(db, table)
            assert row is not None
            return any(seat.away for seat in row.seats)

        for person, table in clocked:
            await until(lambda table=table: out(table))  # type: ignore[misc]
            facts = await person.facts(table)
            assert [seat["away"] for seat in facts["seats"]].count(True) == 1
            async with store.read() as db:
                said = [message.text for message in await messages.messages_of(db, table)]
            assert len(said) == 1
            assert "out of time" in said[0] and level_title(BOT) in said[0]
        assert await three.counted(everybody[0], "signoria_clocks_total") - before == 3


@in_loop
async def test_process_that_misses_notifications_catches_up(three: Three) -> None:
    rng = Random(4)
    async with opened(three.database) as store, three.people("Anna", "Bruno") as (anna, bruno):
        table = await a_game(anna, bruno)

        async def all_listen() -> bool:
            async with store.read() as db:
                return bool((await db.execute(COUNT_LISTENERS)).scalar_one() > 3)

        async with anna.watching(f"/tables/{table}/stream") as one, bruno.watching(f"/tables/{table}/stream") as other:
            for _ in range(3):
                await until(all_listen)
                async with store.read() as db:
                    assert (await db.execute(END_LISTENERS)).scalar_one() > 3
                seat = await who_is_asked(table, anna, bruno)
                player = (anna, bruno)[seat]
                legal = await player.asked(table, seat)
                assert (await player.step(table, seat, legal.n, rng.choice(legal.steps))).status_code == 200
                now = (await player.facts(table))["n"]
                for stream in (one, other):
                    await stream.until(lambda event, now=now: event.id.startswith(f"{now}."))  # type: ignore[misc]


@in_loop
async def test_bots_of_a_dead_process_are_taken_over(three: Three) -> None:
    async with opened(three.database) as store, three.people("Anna") as (anna,):
        fourth = await asyncio.to_thread(start_server, three.database, three.folder)
        try:
            left = []
            for _ in range(4):
                table = await anna.at(fourth.address).open_table("patrician", "me", "capomastro")
                assert (await anna.at(fourth.address).send(f"/tables/{table}/resign")).status_code == 200
                left.append(table)
        finally:
            fourth.kill()

        async def all_over() -> bool:
            async with store.read() as db:
                rows = [await tables.find_table(db, table) for table in left]
            return all(row is not None and row.state == "over" for row in rows)

        await until(all_over, every=0.2)
        for table in left:
            await kept(store, table)
