"""Measures pages with many profiles: 5,000 people with 200 finished games each.

    .venv/bin/python tests/bench/profiles.py                       # SQLite
    .venv/bin/python tests/bench/profiles.py postgresql://...      # an empty database

It prints the processor time of the server process for each page, the median of many requests, and how long the worst took. The
time of PostgreSQL's own processes is not in it. Writing the rows takes about a minute.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

import httpx
from sqlalchemy import text

sys.path.insert(0, str(Path(__file__).parents[2]))
from signoria.games import GAMES
from signoria.server.app import create_app
from signoria.server.settings import Rates, Settings, rate
from signoria.store.database import Database, opened

PEOPLE, GAMES_EACH, REQUESTS = 5_000, 200, 60
PAGES = (
    "/people/Person 42",
    "/people/Person 4711",
    "/ratings",
    "/",
    "/api/v1/people/Person 42",
    "/api/v1/ratings/" + next(iter(GAMES)),
)


SERIES = {
    "sqlite": "(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {last}) SELECT i FROM n)",
    "postgresql": "(SELECT i FROM generate_series(0, {last}) AS g(i))",
}
STATS = "INSERT INTO player_stats (user_id, game, kind, key, games, wins, points, streak, best_streak)"


async def fill(database: Database) -> None:
    """Write the rows of people, games and counts."""
    async with database.write() as w:
        series = SERIES[w.db.dialect.name]
        people, each, twenty = (series.format(last=number - 1) for number in (PEOPLE, GAMES_EACH, 20))
        names = " UNION ALL ".join(f"SELECT {place} AS place, '{name}' AS name" for place, name in enumerate(GAMES))
        counts = [
            ("all", ""),
            *(("players", str(n)) for n in range(2, 6)),
            *(("source", f"part {n}") for n in range(6)),
        ]
        kinds = " UNION ALL ".join(f"SELECT '{kind}' AS kind, '{key}' AS key" for kind, key in counts)
        for statement in (
            "INSERT INTO users (id, name, name_key, password, created_at, seen_at)"
            f" SELECT 'u' || p.i, 'Person ' || p.i, 'person ' || p.i, 'x', 1, 1 FROM {people} AS p",
            "INSERT INTO ratings (game, who, user_id, mu, sigma, games, ordinal)"
            f" SELECT g.name, 'u' || p.i, 'u' || p.i, 25, 2, 100, p.i FROM {people} AS p, ({names}) AS g",
            "INSERT INTO tables (id, game, rules, options, state, invitation, clock, stand_in, pace, rated, seed, n, revision,"
            " created_at, touched_at, ended_at, hints, aid) SELECT 't' || t.i, g.name, '1', '{}', 'over', 'secret' || t.i, 0,"
            " 'muratore', 0, true, 'x', 0, 0, 1, 1, 1, 'allowed', true"
            f" FROM {each} AS t, ({names}) AS g WHERE t.i % {len(GAMES)} = g.place",
            "INSERT INTO played (user_id, table_id, game, players, points, place, won, ended_at, mu_before, mu, sigma)"
            " SELECT 'u' || p.i, 't' || t.i, g.name, 3, t.i * 37 % 61, 1, t.i % 3 = 0, t.i, 25, 25.5, 2"
            f" FROM {people} AS p, {each} AS t, ({names}) AS g WHERE t.i % {len(GAMES)} = g.place",
            f"{STATS} SELECT 'u' || p.i, g.name, k.kind, k.key, 100, 40, 4000, 2, 7"
            f" FROM {people} AS p, ({names}) AS g, ({kinds}) AS k",
            f"{STATS} SELECT 'u' || p.i, g.name, 'opponent', 'u' || ((p.i + o.i + 1) % {PEOPLE}), 100, 40, 4000, 2, 7"
            f" FROM {people} AS p, ({names}) AS g, {twenty} AS o",
        ):
            await w.db.execute(text(statement))


async def measure(url: str) -> None:
    """Request every page many times."""
    free = Rates(**dict.fromkeys(Rates.__struct_fields__, rate("off")))
    app = create_app(Settings(database=url, rates=free, hosts=("bench.test",)))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://bench.test") as client,
    ):
        for page in PAGES:
            taken = []
            for _ in range(REQUESTS):
                began = time.process_time()
                answer = await client.get(page)
                taken.append(time.process_time() - began)
                assert answer.status_code == 200, answer.text
            print(f"{page:28} {1000 * statistics.median(taken):6.1f} ms  (worst {1000 * max(taken):.1f} ms)")


async def main() -> None:
    """Fill a new database and measure."""
    with tempfile.TemporaryDirectory() as folder:
        url = sys.argv[1] if len(sys.argv) > 1 else str(Path(folder) / "profiles.db")
        async with opened(url) as database:
            await fill(database)
        await measure(url)


if __name__ == "__main__":
    asyncio.run(main())
