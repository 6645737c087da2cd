"""Backups are complete, consistent, and can be restored into either kind of database."""

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store import database as database_module
from signoria.store import (
    emails,
    invitations,
    migrations,
    moderation,
    notifications,
    outbox,
    people,
    restoring,
    statistics,
    ties,
)
from signoria.store.backup import BATCH, backup
from signoria.store.blocks import add_block, add_removal
from signoria.store.database import Database
from signoria.store.errors import BadBackup, StoreError
from signoria.store.heartbeat import Beat, write_beat
from signoria.store.messages import add_message
from signoria.store.notifications import PushSubscription, SettingsRow
from signoria.store.orders import OrdersRow, put_orders
from signoria.store.outbox import Delivery, NoticeRow
from signoria.store.ratings import RatingRow, set_rating
from signoria.store.restoring import restore
from signoria.store.schema import messages, metadata, sessions
from signoria.store.statistics import Count, PlayedRow
from signoria.store.steps import StepRow, add_steps
from signoria.store.tables import SeatRow
from tests.databases import in_loop, opened
from tests.store.rows import NOW, a_table, a_user
from tests.store.test_migrations import FUTURE, future

pytestmark = pytest.mark.slow

__all__ = ["future"]

MANY = 2 * BATCH + 7


async def fill(database: Database) -> None:
    """Rows in every table, and more steps than fit into a batch."""
    async with database.write() as w:
        anna, guest = await a_user(w.db, "Anna"), await a_user(w.db, "Gast 客")
        await people.set_password(w.db, anna.id, "$argon2id$")
        await people.set_unasked(w.db, anna.id, False)
        await people.add_session(w.db, anna.id, "session of Anna", NOW, NOW + 1)
        await people.add_session(w.db, guest.id, "session of a guest", NOW, NOW + 1)
        await people.add_token(w.db, anna.id, "bot", "token", NOW)
        await a_table(
            w.db,
            host_id=anna.id,
            result={"winners": [0]},
            seats=(SeatRow("t1", 0, user_id=anna.id, name="Anna"), SeatRow("t1", 1, bot="muratore", away=True)),
        )
        await add_steps(w.db, "t1", [StepRow(n, 0, f'{{"n":{n}}}', "person", NOW + n) for n in range(MANY)])
        await add_message(w.db, "t1", anna.id, 0, "Anna", "ciao\nbella \N{GRINNING FACE}", NOW)
        await add_message(w.db, "t1", None, None, "the house", "hm", NOW)
        await add_block(w.db, anna.id, guest.id, NOW)
        await add_removal(w.db, "t1", guest.id)
        await put_orders(
            w.db, OrdersRow("t1", 0, anna.id, 2, {"green": 5, "Podestà": 0}, {"offer": ("{}",)}, "Dropped.")
        )
        await write_beat(w.db, None, Beat(NOW, NOW + 20_000))
        await set_rating(w.db, RatingRow("patrician", anna.id, anna.id, 25.1, 8.3333333333333339, 3))
        await fill_people(w.db, anna.id, guest.id)


async def fill_people(db: AsyncConnection, anna: str, guest: str) -> None:
    """What people have besides their games: notifications, profiles, friends."""
    await emails.set_address(db, anna, "anna@example.org", NOW)
    await emails.add_email_token(db, "hash", anna, emails.CONFIRM, "anna@example.org", NOW)
    await notifications.put_settings(db, SettingsRow(user_id=anna, switches={"turn": ("push",)}, unsubscribe="secret"))
    for user, session in ((anna, "session of Anna"), (guest, "session of a guest")):
        await notifications.add_subscription(
            db, PushSubscription(user, user, f"https://x/{user}", "k", "a", NOW, session)
        )
    await outbox.add_notice(db, Delivery(anna, "email", "email"), NoticeRow("turn", "t1", {}, NOW), NOW)
    await invitations.add_invitation(db, "t1", guest, anna, NOW)
    await statistics.add_played(
        db,
        [PlayedRow(anna, "t1", "patrician", 2, 30, 1, True, NOW, 25.0, 25.1, 8.3)],
        [Count(anna, "patrician", "all", "", 1, 1, 30, 1, 1)],
    )
    await ties.add_tie(db, anna, guest, ties.FOLLOW, NOW)
    await moderation.add_report(db, by_id=guest, about_id=anna, table_id="t1", text="x", quoted="y", at=NOW)
    await moderation.add_log_line(db, at=NOW, by_id=anna, action="ban", about_id=guest, text="")


LEFT_OUT = ("deliveries", "notices", "email_tokens")
"""What waits to be sent: a restored server must not send it."""


async def everything(database: Database) -> dict[str, list[Any]]:
    async with database.read() as db:
        return {
            table.name: [tuple(row) for row in await db.execute(select(table).order_by(*table.primary_key))]
            for table in metadata.sorted_tables
        }


def lines_of(path: Path) -> list[Any]:
    with gzip.open(path, "rt") as file:
        return [json.loads(line) for line in file]


def write_lines(path: Path, lines: list[Any]) -> Path:
    with gzip.open(path, "wt") as file:
        file.writelines(f"{json.dumps(line)}\n" for line in lines)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "backup.jsonl.gz"


@pytest.mark.parametrize(
    "way", ["sqlite_url to postgres_url", "postgres_url to sqlite_url", "sqlite_url to sqlite_url"]
)
def test_backup_moves_everything_from_one_database_to_another(
    way: str, path: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    first, second = (str(request.getfixturevalue(kind)) for kind in way.split(" to "))
    if first == second:
        second = str(tmp_path / "second.db")

    @in_loop
    async def move() -> None:
        done: list[tuple[str, int]] = []
        async with opened(first) as database:
            await fill(database)
            before = await everything(database)
            counts = await backup(database, path, lambda table, rows: done.append((table, rows)))
        assert all(before.values()), "a table is empty"
        before["sessions"] = [row for row in before["sessions"] if row[0] == "session of a guest"]
        before["push_subscriptions"] = [row for row in before["push_subscriptions"] if row[-1] == "session of a guest"]
        before |= {table: [] for table in LEFT_OUT}
        assert counts == {table: len(rows) for table, rows in before.items()}
        assert [rows for table, rows in done if table == "steps"] == [BATCH, 2 * BATCH, MANY]
        async with opened(second) as database:
            done.clear()
            assert await restore(database, path, lambda table, rows: done.append((table, rows))) == counts
            assert await everything(database) == before
            assert ("steps", MANY) in done
            async with database.write() as w:
                after = await add_message(w.db, "t1", None, None, "the house", "Here we are.", NOW)
                anna = str(before["emails"][0][0])
                await moderation.add_report(w.db, by_id=anna, about_id=anna, table_id=None, text="", quoted="", at=NOW)
                await moderation.add_log_line(w.db, at=NOW, by_id=anna, action="ban", about_id=None, text="")
            assert after.id == max(row[0] for row in before["messages"]) + 1

    move()


@in_loop
async def test_backup_is_readable_only_by_its_owner_and_leaves_no_other_files(sqlite_url: str, path: Path) -> None:
    async with opened(sqlite_url) as database:
        await fill(database)
        await backup(database, path)
    assert path.stat().st_mode & 0o077 == 0
    assert sorted(entry.name for entry in path.parent.iterdir()) == ["backup.jsonl.gz", "signoria.db"]


@in_loop
async def test_backup_is_a_consistent_snapshot(database_url: str, path: Path) -> None:
    """A user who is added during the backup is either in all of its tables or in none."""
    async with opened(database_url) as database:
        await fill(database)
        late = database.write()
        w = await late.__aenter__()
        user = await a_user(w.db, "late")
        await people.add_session(w.db, user.id, "session of one who came late", NOW, NOW + 1)
        committing: list[asyncio.Task[bool | None]] = []

        def meanwhile(table: str, rows: int) -> None:
            if not committing:
                committing.append(asyncio.create_task(late.__aexit__(None, None, None)))

        await backup(database, path, meanwhile)
        await committing[0]
        assert "late" not in gzip.decompress(path.read_bytes()).decode()


@in_loop
async def test_existing_file_is_not_overwritten(sqlite_url: str, path: Path) -> None:
    path.write_text("precious")
    async with opened(sqlite_url) as database:
        with pytest.raises(StoreError, match=r"The file .*backup.jsonl.gz already exists"):
            await backup(database, path)
    assert path.read_text() == "precious"


@in_loop
async def test_backup_that_cannot_be_written_gives_an_error(sqlite_url: str, tmp_path: Path) -> None:
    async with opened(sqlite_url) as database:
        with pytest.raises(StoreError, match="cannot be written: No such file or directory"):
            await backup(database, tmp_path / "nowhere" / "backup.gz")


@in_loop
async def test_restore_leaves_a_database_that_is_not_empty_unchanged(database_url: str, path: Path) -> None:
    async with opened(database_url) as database:
        await fill(database)
        before = await everything(database)
        await backup(database, path)
        with pytest.raises(StoreError, match="is not empty: restore into a new one") as refused:
            await restore(database, path)
        assert database.shown in str(refused.value)
        assert await everything(database) == before


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-200])


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


def not_gzip(path: Path) -> None:
    path.write_text("hello")


def nothing(path: Path) -> None:
    path.unlink()


def empty(path: Path) -> None:
    write_lines(path, [])


def other_format(path: Path) -> None:
    write_lines(path, [{"format": "signoria-backup/9"}])


def newer(path: Path) -> None:
    write_lines(path, [{"format": "signoria-backup/1", "schema": "0099"}])


def no_end(path: Path) -> None:
    write_lines(path, lines_of(path)[:-1])


def more(path: Path) -> None:
    lines = lines_of(path)
    write_lines(path, [*lines, lines[-1]])


def row_missing(path: Path) -> None:
    write_lines(path, [line for line in lines_of(path) if not (isinstance(line, list) and line[1] == 7)])


def short_row(path: Path) -> None:
    write_lines(path, [line[:-1] if isinstance(line, list) and line[0] == "t1" else line for line in lines_of(path)])


def strange_table(path: Path) -> None:
    lines = lines_of(path)
    write_lines(path, [lines[0], {"table": "horses", "columns": ["id"]}, *lines[1:]])


def strange_column(path: Path) -> None:
    write_lines(path, [lines_of(path)[0], {"table": "users", "columns": ["id", "shoe"]}])


def not_a_table(path: Path) -> None:
    write_lines(path, [lines_of(path)[0], {"hello": 1}])


def number(path: Path) -> None:
    write_lines(path, [lines_of(path)[0], 7])


def wrong_type(path: Path) -> None:
    lines = lines_of(path)
    for line in lines:
        if isinstance(line, list):
            line[1] = None  # the time of a heartbeat
            break
    write_lines(path, lines)


def not_json(path: Path) -> None:
    content = gzip.decompress(path.read_bytes()).replace(b'"table":"users"', b'"table":')
    path.write_bytes(gzip.compress(content))


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        (truncated, "is cut off or damaged"),
        (flipped, "is cut off or damaged"),
        (not_gzip, "is cut off or damaged"),
        (nothing, "cannot be read: No such file or directory"),
        (empty, "not a Signoria backup: its first line must say 'signoria-backup/1'"),
        (other_format, "not a Signoria backup"),
        (
            newer,
            rf"taken by a newer Signoria \(schema 0099; this one knows up to {migrations.newest()}\): install the newer",
        ),
        (no_end, "has no last line, so part of it is missing"),
        (more, r"Line \d+ of the backup comes after its end"),
        (row_missing, r"Line \d+ of the backup has the wrong number of rows"),
        (short_row, r"Line \d+ of the backup has \d+ values for \d+ columns"),
        (strange_table, "Line 2 of the backup has a table 'horses' that does not match"),
        (strange_column, "Line 2 of the backup has a table 'users'"),
        (not_a_table, "Line 2 of the backup must begin a table"),
        (number, "Line 2 of the backup is neither a table nor a row"),
        (wrong_type, r"One of the lines \d+ to \d+ of the backup does not fit the table 'heartbeat'"),
        (not_json, r"Line \d+ of the backup is not JSON"),
    ],
    ids=lambda given: getattr(given, "__name__", ""),
)
@in_loop
async def test_error_about_a_broken_backup_names_the_line_and_the_database_stays_empty(
    harm: Any, sentence: str, database_url: str, path: Path, tmp_path: Path
) -> None:
    async with opened(str(tmp_path / "source.db")) as source:
        await fill(source)
        await backup(source, path)
    harm(path)
    async with opened(database_url) as database:
        with pytest.raises(BadBackup, match=sentence) as refused:
            await restore(database, path)
        assert str(refused.value).endswith(".")
        assert not any((await everything(database)).values())


@in_loop
async def test_backup_of_an_older_schema_is_migrated(
    database_url: str, path: Path, tmp_path: Path, future: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(str(tmp_path / "source.db")) as source:
        await fill(source)
        before = await everything(source)
        await backup(source, path)
    monkeypatch.setattr(migrations, "PLACE", future)
    async with opened(database_url) as database:
        await restore(database, path)
        async with database.read() as db:
            assert await db.run_sync(migrations.current) == FUTURE
            assert (await db.execute(select(func.count()).select_from(messages))).scalar_one() == 2
            assert (await db.execute(select(sessions.c.hash))).scalars().all() == ["session of a guest"]
            assert (await db.exec_driver_sql("SELECT DISTINCT colour FROM users")).scalars().all() == ["red"]
        assert (await everything(database))["steps"] == before["steps"]


@in_loop
async def test_restore_has_no_time_limit_and_may_use_any_plan(
    postgres_url: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def slowly(db: AsyncConnection) -> None:
        await db.execute(text("SELECT pg_sleep(0.3)"))
        used.append((await db.execute(text("SHOW enable_seqscan"))).scalar_one())

    used: list[str] = []
    write_lines(path, [{"format": "signoria-backup/1", "schema": migrations.newest()}, {"end": {}}])
    monkeypatch.setattr(restoring, "set_next_numbers", slowly)
    monkeypatch.setattr(database_module, "COMMAND_TIMEOUT", 0.2)
    async with opened(postgres_url) as database:
        await restore(database, path)
    assert used == ["on"]


@in_loop
async def test_names_from_an_older_backup_get_todays_keys(sqlite_url: str, path: Path) -> None:
    columns = ["id", "name", "name_key", "password", "created_at", "seen_at", "unasked"]
    people = [
        ["a", "Anna", "anna", None, 1, 1, True],
        ["b", "Anna\u3164", "anna\u3164", None, 2, 2, True],
    ]
    head = {"format": "signoria-backup/1", "schema": "0004"}
    write_lines(path, [head, {"table": "users", "columns": columns}, *people, {"end": {"users": 2}}])
    async with opened(sqlite_url) as database:
        await restore(database, path)
        rows = (await everything(database))["users"]
    assert [(row[0], row[1], row[2]) for row in rows] == [("a", "Anna", "anna"), ("b", "Anna\u3164", "anna#b")]
