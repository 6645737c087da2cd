"""`crowd`: a million finished tables in the database, thousands of live pages, and requests for every page."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from random import Random
from statistics import median
from typing import Any, NamedTuple

from sqlalchemy import Table, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.games import find_game
from signoria.server.settings import Settings
from signoria.soak.client import Client
from signoria.soak.context import Context, Tick
from signoria.soak.faults.greedy import STREAMS, all_routes
from signoria.soak.games import FIRST, LAST, NAMES, words_of
from signoria.soak.players import BOT, Person, Witness, play_seat
from signoria.soak.server import FREE, Server
from signoria.soak.watching import LivePage, watch
from signoria.store import schema
from signoria.store.database import Database, opened

TABLES = 1_000_000
LOBBY_STREAMS, TABLE_STREAMS = 2_000, 5_000
WITH_STEPS = 100
"""One table in this many is copied with its steps; the others only as rows and seats, which is enough for lists."""
BATCH = 2_000
PLAYERS = 5_000
"""Number of people who own the seats of the copies."""
MODELS = 2
"""Number of games that are really played, as models for the copies."""
EACH = 3
"""How often every page is requested, by two people."""
STEPS = 10
"""Steps made at the end, so that live pages have something to show."""
PLAYING = 10
"""Number of tables in play that are watched."""
MOST_MS = 20.0
OPENING = 50
"""Live pages opened at the same time."""
MUST_HOLD = "median GET of every address < 20 ms of server time, 0 broken streams"

Fields = dict[str, Any]


class FinishedGame(NamedTuple):
    """A finished game as rows of the database."""

    row: Fields
    seats: list[Fields]
    steps: list[Fields]


async def run(context: Context, database: str) -> None:
    """Fill the database, open the live pages, request everything, and check that no page broke."""
    row = context.row("crowd", database, MUST_HOLD, TABLES, "finished tables")
    rng, many = context.rng(f"crowd {database}"), context.times(TABLES, 200)
    server = await context.server(database, FREE, "info")
    with server:
        models, person = await _models(server, rng)
        async with opened(server.database) as store:
            with context.progress(f"crowd, {database}: finished tables", many // BATCH + 1) as tick:
                whole, row.done = await _fill(context, store, models, many, rng, tick)
        playing = [await person.open_table(FIRST, "me", BOT) for _ in range(PLAYING)]
        lobby, at_tables = context.times(LOBBY_STREAMS, 10), context.times(TABLE_STREAMS, 25)
        with context.progress(f"crowd, {database}: live pages", lobby + at_tables) as tick:
            pages = await _open_pages(server, lobby, [*playing, *whole[:1000]], at_tables, tick)
        since = server.log.stat().st_size
        with context.progress(f"crowd, {database}: every page", EACH) as tick:
            asked = await _ask_for_everything(server, person, whole, playing, tick)
        made = Witness()
        await play_seat(person, made, playing[0], 0, rng, until=lambda: len(made.acknowledged) >= STEPS)
        await asyncio.sleep(2.0)
        broken = sum(page.broken or page.status != 200 or not page.events for page in pages)
        for page in pages:
            page.close()
        took = by_address(asked, server_ms(server, since))
    slowest = max(took, key=lambda address: median(took[address])) if took else ""
    for address, times in took.items():
        if median(times) >= MOST_MS * context.slack:
            row.fail(f"GET {address} takes {median(times):.0f} ms of server time with {row.done:,} finished tables.")
    if broken:
        row.fail(f"{broken:,} of {len(pages):,} live pages broke or showed nothing.")
    if not took:
        row.fail("The log does not contain the requests.")
    row.figures = {
        "streams": f"{lobby:,} of the lobby and {at_tables:,} of tables, {broken:,} broken",
        "events": f"{sum(page.events for page in pages):,}",
        "slowest GET, in the middle of its times": f"{median(took[slowest]):.1f} ms, {slowest}" if took else "none",
        "any single GET at most": f"{max((max(times) for times in took.values()), default=0):.0f} ms",
        "addresses": f"{len(took)}",
    }


async def _models(server: Server, rng: Random) -> tuple[list[FinishedGame], Person]:
    """Finished games as rows of the database, and the person who played them."""
    person = Person("soak-model", server.port)
    await person.arrive()
    ids = []
    for number in range(MODELS):
        game = NAMES[number % len(NAMES)]
        bots = find_game(game).first_players - 1
        ids.append(await person.open_table(game, "me", *[BOT] * bots))
        await play_seat(person, Witness(), ids[-1], 0, rng)
    async with opened(server.database) as store, store.read() as db:
        return [await _model(db, table_id) for table_id in ids], person


async def _model(db: AsyncConnection, table_id: str) -> FinishedGame:
    """All rows of a finished game."""

    async def rows(table: Table, key: str) -> list[Fields]:
        found = await db.execute(select(table).where(table.c[key] == table_id))
        return [dict(row) for row in found.mappings()]

    [row] = await rows(schema.tables, "id")
    if row["state"] != "over":
        raise RuntimeError(f"Table {table_id} is not over.")
    return FinishedGame(row, await rows(schema.seats, "table_id"), await rows(schema.steps, "table_id"))


async def _fill(
    context: Context, store: Database, models: list[FinishedGame], many: int, rng: Random, tick: Tick
) -> tuple[list[str], int]:
    """Copy the models with other ids and people; return the ids of copies with steps, and the number of all copies."""
    now = max(model.row["touched_at"] for model in models)
    people = [f"soak-crowd-{number}" for number in range(min(PLAYERS, many))]
    async with store.write() as w:
        await w.db.execute(
            insert(schema.users),
            [{"id": one, "name": one, "name_key": one, "created_at": now, "seen_at": now} for one in people],
        )
    whole, done = list[str](), 0
    for first in range(0, many, BATCH):
        if context.out_of_time and whole:
            break
        rows, seats, steps = list[Fields](), list[Fields](), list[Fields]()
        for number in range(first, min(first + BATCH, many)):
            model, table_id = models[number % len(models)], f"c{number:07x}"
            ended = now - rng.randrange(365 * 24 * 3600_000)
            own = {"id": table_id, "host_id": rng.choice(people), "ended_at": ended, "touched_at": ended}
            rows.append(model.row | own)
            for seat in model.seats:
                who = rng.choice(people) if seat["user_id"] else None
                copied = seat | {"table_id": table_id, "user_id": who, "name": who}
                seats.append(copied | ({"ended_at": ended} if "ended_at" in seat else {}))
            if number % WITH_STEPS == 0:
                whole.append(table_id)
                steps += [step | {"table_id": table_id} for step in model.steps]
        async with store.write() as w:
            await w.db.execute(insert(schema.tables), rows)
            await w.db.execute(insert(schema.seats), seats)
            if steps:
                await w.db.execute(insert(schema.steps), steps)
        done += len(rows)
        tick()
    return whole, done


async def _open_pages(server: Server, lobby: int, table_ids: list[str], at_tables: int, tick: Tick) -> list[LivePage]:
    """Open live pages of anonymous visitors, at each address as many as allowed."""
    most = Settings().most_streams
    paths = ["/lobby/stream"] * lobby
    paths += [f"/tables/{table_ids[number % len(table_ids)]}/stream" for number in range(at_tables)]
    pages: list[LivePage] = []
    left = iter(enumerate(paths))

    async def work() -> None:
        for number, path in left:
            place = number // most
            client = Client(server.port, f"127.1.{place // 250}.{place % 250 + 1}")
            page = await watch(client, path)
            pages.append(page)
            async with asyncio.timeout(60):
                while not (page.events or page.broken or page.status not in (0, 200)):
                    page.news.clear()
                    await page.news.wait()
            tick()

    await asyncio.gather(*(work() for _ in range(OPENING)))
    return pages


async def _ask_for_everything(
    server: Server, person: Person, whole: list[str], playing: list[str], tick: Tick
) -> list[str]:
    """Request every page and API response, one after another, for finished tables and one in play; return the addresses.

    In these, `FINISHED` and `PLAYING` stand for the ids of tables: a list that is slow with one filter, or a page that is slow
    for one kind of table, must not be hidden by others of its route.
    """
    visitor, asked = Client(server.port, "127.0.7.7"), list[str]()
    for round_ in range(EACH):
        for path in _paths(whole, playing, round_):
            await person.client.get(path)
            await visitor.get(path)
            for table_id, name in ((whole[round_ * len(whole) // EACH], "FINISHED"), (playing[round_], "PLAYING")):
                path = path.replace(table_id, name)
            asked += [path] * 2
        tick()
    return asked


def _paths(whole: list[str], playing: list[str], round_: int) -> Iterator[str]:
    lists = ("", "?of=finished", "?of=running", "?player=soak-crowd-7", f"?of=finished&game={FIRST}")
    yield from (f"/tables{query}" for query in lists)
    for state in ("open", "playing", "over", "mine"):
        yield f"/api/v1/tables?state={state}"
        yield f"/api/v1/tables?state={state}&player=soak-crowd-7&limit=100"
        yield f"/api/v1/tables?state={state}&game={LAST}"
    for method, path in all_routes():
        if method != "GET" or path.endswith(STREAMS):
            continue
        for table_id in (whole[round_ * len(whole) // EACH], playing[round_]):
            filled = path.replace("{id}", table_id).replace("{n:int}", "9").replace("{n}", "9")
            for name, value in (words_of(FIRST) | {"{secret}": "x", "{part:path}": "x"}).items():
                filled = filled.replace(name, value)
            yield filled + ("?seat=0" if path.endswith(("/legal", "/sealed", "/orders")) else "")
            if "{id}" not in path:
                break


def server_ms(server: Server, since: int) -> list[float]:
    """How many milliseconds each GET took in the server, in order, from its log."""
    return [
        line["ms"]
        for line in server.logged(since)
        if line.get("message") == "request" and line.get("method") == "GET" and not line["route"].endswith(STREAMS)
    ]


def by_address(asked: list[str], took: list[float]) -> dict[str, list[float]]:
    """By address: how long its requests took, which were the first of all; nothing if some are missing."""
    found = defaultdict[str, list[float]](list)
    for address, ms in zip(asked, took, strict=False):
        found[address].append(ms)
    return found if len(took) >= len(asked) else {}
