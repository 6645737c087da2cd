"""Restores a backup into an empty database, completely or not at all."""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, MetaData, Table, delete, insert, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store import migrations
from signoria.store.backup import BATCH, FORMAT, Progress, is_empty, set_next_numbers
from signoria.store.database import Database
from signoria.store.errors import BadBackup, StoreError
from signoria.store.schema import heartbeat, metadata

BackupLine = tuple[int, Any]


async def restore(database: Database, path: Path, progress: Progress | None = None) -> dict[str, int]:
    """Fill an empty database from a backup, in one transaction; return the number of rows of each table."""
    try:
        _read_through(path)
        with gzip.open(path, "rb") as file:
            lines = _lines(file)
            schema = _schema(lines)
            async with database.write_many() as w:
                if not await is_empty(w.db):
                    raise StoreError(f"The database {database.shown} is not empty: restore into a new one.")
                await w.db.execute(delete(heartbeat))  # of a server that was started on the empty database
                await w.db.run_sync(_go_to, schema)
                counts = await _Loading(w.db, lines, progress).all()
                await set_next_numbers(w.db)
                await w.db.run_sync(migrations.migrate)
                w.tell("*")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise BadBackup(f"The backup {path} is cut off or damaged: use another backup.") from error
    except OSError as error:
        raise BadBackup(f"The backup {path} cannot be read: {error.strerror or error}.") from error
    return counts


class _Loading:
    """Loads the lines of a backup into the database."""

    def __init__(self, db: AsyncConnection, lines: Iterator[BackupLine], progress: Progress | None) -> None:
        self._db = db
        self._lines = lines
        self._progress = progress
        self._table: Table | None = None
        self._columns: list[str] = []
        self._batch: list[dict[str, Any]] = []
        self._counts: dict[str, int] = {}

    async def all(self) -> dict[str, int]:
        """Load every line and check that the last line has the right numbers of rows."""
        for number, line in self._lines:
            if isinstance(line, list):
                self._add(number, line)
                if len(self._batch) == BATCH:
                    await self._flush(number)
                continue
            await self._flush(number)
            if "end" in line:
                if line["end"] != self._counts:
                    raise BadBackup(f"Line {number} of the backup has the wrong number of rows: use another backup.")
                break
            await self._begin(number, line)
        else:
            raise BadBackup("The backup has no last line, so part of it is missing: use another backup.")
        for number, _ in self._lines:
            raise BadBackup(f"Line {number} of the backup comes after its end: use another backup.")
        return self._counts

    async def _begin(self, number: int, line: dict[str, Any]) -> None:
        name, columns = line.get("table"), line.get("columns")
        if not isinstance(name, str) or not isinstance(columns, list) or name in self._counts:
            raise BadBackup(f"Line {number} of the backup must begin a table.")
        table = await self._db.run_sync(_reflected, name)
        if table is None or not set(columns) <= set(table.c.keys()):
            raise BadBackup(f"Line {number} of the backup has a table {name!r} that does not match its schema.")
        self._table, self._columns, self._counts[name] = table, columns, 0

    def _add(self, number: int, row: list[Any]) -> None:
        if self._table is None or len(row) != len(self._columns):
            raise BadBackup(f"Line {number} of the backup has {len(row)} values for {len(self._columns)} columns.")
        self._batch.append(dict(zip(self._columns, row, strict=True)))

    async def _flush(self, number: int) -> None:
        if self._table is None or not self._batch:
            return
        try:
            await self._db.execute(insert(self._table), self._batch)
        except (DBAPIError, TypeError, ValueError) as error:
            raise BadBackup(
                f"One of the lines {number - len(self._batch)} to {number} of the backup does not fit "
                f"the table {self._table.name!r}: use another backup."
            ) from error
        self._counts[self._table.name] += len(self._batch)
        self._batch = []
        if self._progress is not None:
            self._progress(self._table.name, self._counts[self._table.name])


def _read_through(path: Path) -> None:
    """Read the file to its end, where the checksum is; raises an error if the file was damaged."""
    with gzip.open(path, "rb") as file:
        while file.read(1 << 20):
            pass


def _lines(file: Any) -> Iterator[BackupLine]:
    for number, line in enumerate(file, 1):
        try:
            read = msgspec.json.decode(line)
        except msgspec.DecodeError:
            raise BadBackup(f"Line {number} of the backup is not JSON: use another backup.") from None
        if not isinstance(read, (dict, list)):
            raise BadBackup(f"Line {number} of the backup is neither a table nor a row.")
        yield number, read


def _schema(lines: Iterator[BackupLine]) -> str:
    """The schema version of a backup."""
    _, head = next(lines, (0, None))
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise BadBackup(f"This is not a Signoria backup: its first line must say {FORMAT!r}.")
    schema = head.get("schema")
    if not isinstance(schema, str) or not migrations.known(schema):
        raise BadBackup(
            f"The backup was taken by a newer Signoria (schema {schema}; this one knows up to {migrations.newest()}): "
            "install the newer one."
        )
    return schema


def _go_to(connection: Connection, schema: str) -> None:
    """Create the empty tables of an older schema, if the backup is older."""
    if migrations.current(connection) != schema:
        metadata.drop_all(connection)
        connection.execute(text("DROP TABLE alembic_version"))
        migrations.migrate(connection, schema)


def _reflected(connection: Connection, name: str) -> Table | None:
    if name not in metadata.tables and not connection.dialect.has_table(connection, name):
        return None
    return Table(name, MetaData(), autoload_with=connection, resolve_fks=False)
