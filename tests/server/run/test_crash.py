"""A server that is killed repeatedly during play loses nothing."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from signoria.server.lobby.catalogue import level_title
from signoria.server.people.sessions import now_ms
from signoria.soak.players import BOT, Person, Witness, expect, open_pair, play_seat
from signoria.soak.server import Server
from signoria.soak.verify import wrong_tables
from signoria.store import messages, tables
from signoria.store.database import Database
from signoria.store.heartbeat import read_beat
from signoria.store.tables import TableRow
from tests.databases import in_loop, opened
from tests.server.processes import PATIENCE, until
from tests.volume import repeated

CRASHES = repeated(1)
CLOCK = 600
"""Seconds; long enough not to run out on a busy machine."""
STEPS_BETWEEN = 50


async def rows_of(database: Database, wanted: list[str]) -> list[TableRow]:
    async with database.read() as db:
        return [row for table_id in wanted if (row := await tables.find_table(db, table_id))]


@pytest.mark.slow
@in_loop
async def test_nothing_is_lost_when_the_server_is_killed(database_url: str, tmp_path: Path) -> None:
    server, witness = Server(database_url, tmp_path), Witness()
    with server:
        names = ("Anna", "Bruno", "Carla", "Dino")
        anna, bruno, carla, dino = [Person(name, server.port, by_api=name in ("Bruno", "Dino")) for name in names]
        for person in (anna, bruno, carla, dino):
            await person.arrive()
        work, all_tables = [], []
        for host, guest, game, bots in (
            (anna, bruno, "patrician", [BOT]),
            (bruno, anna, "il-principe", []),
            (carla, dino, "il-principe", [BOT]),
        ):
            table = await open_pair(host, guest, game, *bots)
            for seat, person in enumerate((host, guest)):
                work.append(play_seat(person, witness, table, seat, Random(f"{table} {seat}")))
            all_tables.append(table)
        clocked = await anna.open_table("patrician", "me", BOT, clock=CLOCK)
        left = await bruno.open_table("il-principe", "me", "capomastro")
        expect(await bruno.do(left, "leave", seat=0), 200)
        all_tables += [clocked, left]
        async with opened(database_url) as store:
            async with asyncio.timeout(3 * PATIENCE), asyncio.TaskGroup() as everybody:
                players = [everybody.create_task(one) for one in work]
                await until(lambda: is_asked(store, clocked))
                for crash in range(CRASHES):
                    await witness.until_struck(STEPS_BETWEEN, server.kill, PATIENCE)
                    assert not any(player.done() for player in players)
                    assert not await wrong_tables(store, witness, all_tables)
                    restarted = now_ms()
                    await asyncio.to_thread(server.start)
                    if crash == CRASHES - 1:
                        await until(lambda since=restarted: is_alive(store, since))  # type: ignore[misc]
                        await let_time_pass(store, clocked)
            await until(lambda: all_over(store, all_tables))
            await check_in_the_end(store, witness, all_tables, clocked)


async def all_over(store: Database, all_tables: list[str]) -> bool:
    return all(row.state == "over" for row in await rows_of(store, all_tables))


async def is_asked(store: Database, table: str) -> bool:
    """Whether it is the turn of the person in the first seat."""
    [row] = await rows_of(store, [table])
    return row.turn == 0 and not row.seats[0].away


async def is_alive(store: Database, since: int) -> bool:
    """Whether the server has given back the time in which it was down."""
    async with store.read() as db:
        beat = await read_beat(db)
    return beat is not None and beat.at >= since


async def let_time_pass(store: Database, table: str) -> None:
    """Let the current clock at this table run out, unless it already has."""
    if not await is_asked(store, table):
        return
    ago = now_ms() - 1000 * CLOCK - 1000
    async with store.write() as w:
        await tables.change(w.db, table, turn_at=ago, due_at=ago + 1000 * CLOCK)


async def check_in_the_end(store: Database, witness: Witness, all_tables: list[str], clocked: str) -> None:
    assert not await wrong_tables(store, witness, all_tables)
    for row in await rows_of(store, all_tables):
        assert row.result is not None
        assert row.due_at is None
    async with store.read() as db:
        said = [message.text for message in await messages.messages_of(db, clocked)]
    assert len(said) == 1
    assert "Anna" in said[0]
    assert level_title(BOT) in said[0]
    [row] = await rows_of(store, [clocked])
    assert row.seats[0].away
