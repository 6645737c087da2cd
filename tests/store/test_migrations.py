"""Migrations lead to the current schema, from an empty database and with many processes at once."""

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, event, text

from signoria.store import database as database_module
from signoria.store import migrations
from signoria.store.database import Database
from signoria.store.errors import StoreError
from signoria.store.lists import own_tables
from signoria.store.orders import OrdersRow, orders_at
from signoria.store.people import user_named
from signoria.store.ratings import top_ratings
from signoria.store.schema import metadata
from signoria.store.tables import find_table
from tests.databases import in_loop, opened
from tests.store.rows import a_user

FUTURE = f"{int(migrations.newest()) + 1:04}"
NEXT = f'''"""A colour for everybody."""

import sqlalchemy as sa
from alembic import op

revision = "{FUTURE}"
down_revision = "{migrations.newest()}"


def upgrade() -> None:
    op.add_column("users", sa.Column("colour", sa.Text(), nullable=False, server_default="red"))
'''


FIRST = (
    "INSERT INTO users (id, name, name_key, created_at, seen_at) VALUES ('a', 'Anna', 'anna', 1, 1)",
    "INSERT INTO tables (id, game, rules, options, state, host_id, clock, stand_in, pace, rated, seed, n, revision,"
    " created_at, touched_at)"
    " VALUES ('t', 'patrician', '1', '{}', 'open', 'a', 0, 'muratore', 0, true, 'x', 0, 0, 1, 1)",
    "INSERT INTO seats (table_id, seat, user_id, away, resigned, salt) VALUES ('t', 0, 'a', false, false, '')",
    "INSERT INTO tables (id, game, rules, options, state, clock, stand_in, pace, rated, seed, n, revision,"
    " created_at, touched_at, ended_at)"
    " VALUES ('over', 'patrician', '1', '{}', 'over', 0, 'muratore', 0, true, 'x', 0, 0, 1, 5, 5)",
    "INSERT INTO seats (table_id, seat, user_id, away, resigned, salt) VALUES ('over', 0, 'a', false, false, '')",
    "INSERT INTO ratings (game, who, user_id, mu, sigma, games) VALUES ('patrician', 'a', 'a', 30.0, 2.0, 1)",
    "INSERT INTO ratings (game, who, mu, sigma, games) VALUES ('patrician', 'muratore', 33.0, 8.0, 1)",
)
"""The content of a database with the first schema."""


@pytest.fixture
def future(tmp_path: Path) -> Path:
    """The migrations of a Signoria that is one version ahead."""
    place = tmp_path / "migrations of the future"
    shutil.copytree(migrations.PLACE, place)
    (place / "versions" / f"v{FUTURE}_colour.py").write_text(NEXT)
    return place


@in_loop
async def test_migrations_give_exactly_the_schema(bare_url: str) -> None:
    def differences(connection: Connection) -> object:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        return compare_metadata(context, metadata)

    async with opened(bare_url) as database, database.write() as w:
        assert await w.db.run_sync(differences) == []
        assert await w.db.run_sync(migrations.current) == migrations.newest()


@in_loop
async def test_database_is_migrated_once_and_keeps_its_data(bare_url: str) -> None:
    async with opened(bare_url) as database, database.write() as w:
        await a_user(w.db)
    async with opened(bare_url) as database, database.read() as db:
        assert await user_named(db, "Anna") is not None


@in_loop
async def test_many_tasks_can_start_at_once(bare_url: str) -> None:
    databases = [Database(bare_url) for _ in range(6)]
    await asyncio.gather(*(database.start() for database in databases))
    async with databases[0].write() as w:
        await a_user(w.db)
    for database in databases:
        async with database.read() as db:
            assert await user_named(db, "Anna") is not None
        await database.stop()


@pytest.mark.slow
def test_many_processes_can_start_at_once(bare_url: str) -> None:
    code = (
        "import asyncio, sys\n"
        "from signoria.store.database import Database\n"
        "async def main():\n"
        "    database = Database(sys.argv[1])\n"
        "    await database.start()\n"
        "    await database.stop()\n"
        "asyncio.run(main())\n"
    )
    started = [subprocess.Popen([sys.executable, "-c", code, bare_url]) for _ in range(4)]
    assert [process.wait(60) for process in started] == [0] * len(started)


@in_loop
async def test_older_database_is_migrated(database_url: str, future: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(database_url) as database, database.write() as w:
        await a_user(w.db)
    monkeypatch.setattr(migrations, "PLACE", future)
    told = Database(database_url)
    with pytest.raises(StoreError, match="has an older schema"):
        await told.start(migrate=False)
    async with opened(database_url) as database, database.read() as db:
        assert (await db.execute(text("SELECT name, colour FROM users"))).one() == ("Anna", "red")


@in_loop
async def test_migration_has_no_time_limit_and_may_use_any_plan(
    postgres_url: str, future: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (future / "versions" / f"v{FUTURE}_colour.py").open("a") as script:
        script.write("    op.execute('SELECT pg_sleep(0.3)')\n")
        script.write('    op.execute("CREATE TABLE plans AS SELECT name, setting FROM pg_settings")\n')
    monkeypatch.setattr(migrations, "PLACE", future)
    monkeypatch.setattr(database_module, "COMMAND_TIMEOUT", 0.2)
    async with opened(postgres_url) as database, database.read() as db:
        used = "SELECT name FROM plans WHERE name LIKE 'enable_%' AND setting = 'off'"
        ours = {f"enable_{way}" for way in database_module.BY_INDEX}
        assert ours & set((await db.execute(text(used))).scalars()) == set()


@in_loop
async def test_people_and_tables_of_the_first_schema_keep_working(bare_url: str) -> None:
    database = Database(bare_url)
    async with database.write() as w:
        await w.db.run_sync(migrations.migrate, "0001")
        for statement in FIRST:
            await w.db.execute(text(statement))
    await database.stop()
    async with opened(bare_url) as database, database.read() as db:
        found, table = await user_named(db, "Anna"), await find_table(db, "t")
        assert [row.id for row in (await own_tables(db, "a", 9)).rows] == ["over", "t"]
        assert [row.who for row in await top_ratings(db, "patrician", 9)] == ["a", "muratore"]
    assert found is not None
    assert found[0].unasked
    assert table is not None
    assert (table.hints, table.aid, table.seats[0].user_id, table.seats[0].unasked) == ("allowed", True, "a", True)


@in_loop
async def test_sealed_bids_become_orders(bare_url: str) -> None:
    database = Database(bare_url)
    async with database.write() as w:
        await w.db.run_sync(migrations.migrate, "0008")
        for statement in FIRST[:3]:
            await w.db.execute(text(statement))
        await w.db.execute(
            text("INSERT INTO sealed (table_id, seat, user_id, round, most) VALUES ('t', 0, 'a', 2, :most)"),
            {"most": '{"green":3}'},
        )
    await database.stop()
    async with opened(bare_url) as database, database.read() as db:
        assert await orders_at(db, "t") == {0: OrdersRow("t", 0, "a", 2, {"green": 3})}
        table = await find_table(db, "t")
    assert table is not None
    assert table.choosing == 0


@in_loop
async def test_renamed_bot_keeps_its_tables_and_ratings(bare_url: str) -> None:
    database = Database(bare_url)
    async with database.write() as w:
        await w.db.run_sync(migrations.migrate, "0001")
        for statement in FIRST:
            await w.db.execute(text(statement.replace("muratore", "apprendista")))
        await w.db.execute(text("UPDATE seats SET user_id = NULL, bot = 'apprendista' WHERE table_id = 't'"))
    await database.stop()
    async with opened(bare_url) as database, database.read() as db:
        table = await find_table(db, "t")
        assert [row.who for row in await top_ratings(db, "patrician", 9)] == ["a", "garzone"]
    assert table is not None
    assert (table.stand_in, table.seats[0].bot) == ("garzone", "garzone")


@in_loop
async def test_names_that_now_look_alike_stay_and_the_oldest_account_has_the_key(bare_url: str) -> None:
    people = [  # with the keys of the old version: id, name, key, age
        ("d", "Emma", "emma", 4),
        ("b", "Ernrna", "ernrna", 2),
        ("c", "Anna\u3164", "anna\u3164", 3),
        ("a", "\u3164", "\u3164", 1),
        ("e", "Anna", "anna", 5),
        ("f", "Berta", "berta", 6),
        ("g", "\u2800", "\u2800", 7),
    ]
    database = Database(bare_url)
    async with database.write() as w:
        await w.db.run_sync(migrations.migrate, "0004")
        for user_id, name, key, at in people:
            values = {"id": user_id, "name": name, "key": key, "at": at}
            insert = "INSERT INTO users (id, name, name_key, created_at, seen_at) VALUES (:id, :name, :key, :at, :at)"
            await w.db.execute(text(insert), values)
    await database.stop()
    async with opened(bare_url) as database, database.read() as db:
        kept = (await db.execute(text("SELECT id, name, name_key FROM users ORDER BY id"))).all()
        assert [(row.id, row.name) for row in kept] == sorted((user_id, name) for user_id, name, _, _ in people)
        keys = {row.id: row.name_key for row in kept}
        assert keys == {
            "a": "", "b": "ernrna", "c": "anna", "d": "ernrna#d", "e": "anna#e", "f": "berta", "g": "#g",
        }  # fmt: skip
        for user_id, name, _, _ in people:  # everyone who types their name exactly is found
            found = await user_named(db, name)
            if name.strip("\u3164\u2800"):
                assert found is not None and found[0].id == user_id, name
        by_key = await user_named(db, "EMMA")
        assert by_key is not None and by_key[0].id == "b"


@in_loop
async def test_keys_of_many_names_are_computed_again_in_batches(bare_sqlite_url: str) -> None:
    database, sizes = Database(bare_sqlite_url), list[int]()
    async with database.write() as w:
        await w.db.run_sync(migrations.migrate, "0004")
        people = [{"id": f"u{n}", "name": f"Anna{n}", "key": f"old{n}", "at": n} for n in range(2_300)]
        insert = "INSERT INTO users (id, name, name_key, created_at, seen_at) VALUES (:id, :name, :key, :at, :at)"
        await w.db.execute(text(insert), people)
    await database.stop()
    database = Database(bare_sqlite_url)
    event.listen(
        database._writing.sync_engine,
        "before_cursor_execute",
        lambda _connection, _cursor, _statement, values, _context, many: sizes.append(len(values) if many else 1),
    )
    await database.start()
    async with database.read() as db:
        left = (await db.execute(text("SELECT count(*) FROM users WHERE name_key LIKE 'old%'"))).scalar_one()
    await database.stop()
    assert (max(sizes), left) == (1_000, 0)


@in_loop
async def test_database_of_a_newer_signoria_is_refused_and_unchanged(
    bare_url: str, future: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as ahead:
        ahead.setattr(migrations, "PLACE", future)
        async with opened(bare_url):
            pass
    database = Database(bare_url)
    sentence = rf"written by a newer Signoria \(schema {FUTURE}; this one knows up to {migrations.newest()}\)"
    with pytest.raises(StoreError, match=sentence):
        await database.start()


@in_loop
async def test_database_with_foreign_tables_is_refused(bare_url: str) -> None:
    database = Database(bare_url)
    async with database.write() as w:
        await w.db.execute(text("CREATE TABLE users (id INTEGER)"))
    await database.stop()
    database = Database(bare_url)
    with pytest.raises(StoreError, match="has a table 'users' that is not Signoria's"):
        await database.start()
