"""Backups: everything in one file that either kind of database can restore, so a host can move to PostgreSQL.

The file is gzipped JSON Lines: a header; for each table, a line with its columns and then a line for each row; and a
last line with the number of rows. Sessions of people with a password are left out, because they can sign in again.
Messages that wait to be sent are left out too. Sessions of guests are included (as hashes, like tokens), because a guest
has no other way back to a seat.
"""

import gzip
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Select, Table, false, func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store import migrations
from signoria.store.database import Database
from signoria.store.errors import StoreError
from signoria.store.schema import (
    deliveries,
    email_tokens,
    heartbeat,
    messages,
    metadata,
    moderation_log,
    notices,
    push_subscriptions,
    reports,
    sessions,
    users,
)

FORMAT = "signoria-backup/1"
NUMBERED = (messages, reports, moderation_log)
"""Tables whose rows are numbered."""
BATCH = 500  # rows in memory at a time

Progress = Callable[[str, int], None]
"""Called with a table's name and the number of its rows done so far."""


async def backup(database: Database, path: Path, progress: Progress | None = None) -> dict[str, int]:
    """Write a consistent snapshot of everything to a new file; return the number of rows of each table."""
    if path.exists():
        raise StoreError(f"The file {path} already exists: give another name.")
    part = path.with_name(path.name + ".part")
    counts: dict[str, int] = {}
    try:
        with (
            os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file,
            gzip.GzipFile(filename="", fileobj=file, mode="wb", compresslevel=6) as lines,
        ):
            async with database.snapshot() as db:
                async for line in _lines(db, counts, progress):
                    lines.write(msgspec.json.encode(line) + b"\n")
        _to_disk(part)
        part.replace(path)
    except OSError as error:
        raise StoreError(f"The backup {path} cannot be written: {error.strerror or error}.") from error
    finally:
        part.unlink(missing_ok=True)
    return counts


async def _lines(db: AsyncConnection, counts: dict[str, int], progress: Progress | None) -> AsyncIterator[Any]:
    yield {"format": FORMAT, "schema": await db.run_sync(migrations.current)}
    for table in metadata.sorted_tables:
        name = str(table.name)
        yield {"table": name, "columns": [str(column.name) for column in table.c]}
        counts[name] = 0
        rows = await db.stream(_kept(table), execution_options={"yield_per": BATCH})
        async for batch in rows.partitions():
            for row in batch:
                yield list(row)
            counts[name] += len(batch)
            if progress is not None:
                progress(name, counts[name])
    yield {"end": counts}


def _kept(table: Table) -> Select[Any]:
    """The rows of a table that go into a backup."""
    rows = select(table).order_by(*table.primary_key.columns)
    if table in (deliveries, notices, email_tokens):  # a restored server must not send old messages
        return rows.where(false())
    if table is sessions:
        return rows.join_from(sessions, users).where(users.c.password.is_(None))
    if table is push_subscriptions:  # they end with their sessions
        return rows.join_from(push_subscriptions, users, push_subscriptions.c.user_id == users.c.id).where(
            users.c.password.is_(None)
        )
    return rows


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


async def is_empty(db: AsyncConnection) -> bool:
    """Whether all tables are empty, except for the server's heartbeat."""
    for table in metadata.sorted_tables:
        if (
            table is not heartbeat
            and (await db.execute(select(func.count()).select_from(select(table).limit(1).subquery()))).scalar_one()
        ):
            return False
    return True


async def set_next_numbers(db: AsyncConnection) -> None:
    """Let the next message, report and line of the log get the number after the last one; SQLite does that itself."""
    if db.dialect.name == "postgresql":
        for table in NUMBERED:
            name = table.name
            if (await db.execute(text("SELECT to_regclass(:name)"), {"name": name})).scalar_one() is None:
                continue  # a backup of an earlier release, before the migrations
            await db.execute(
                text(
                    f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), coalesce(max(id), 0) + 1, false) FROM {name}"
                )
            )
