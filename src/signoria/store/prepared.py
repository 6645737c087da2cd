"""Statements that run very often."""

import sqlite3
from collections.abc import Sequence
from typing import Any

from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.dml import UpdateBase

from signoria.store.sqlite import driver_of


class Prepared:
    """A statement that writes. On SQLite the driver runs it directly, in a fraction of the time SQLAlchemy needs."""

    def __init__(self, statement: UpdateBase) -> None:
        self._statement = statement
        self._sql = ""
        self._names: Sequence[str] = ()

    async def run(self, db: AsyncConnection, rows: Sequence[dict[str, Any]]) -> int:
        """Run it once for each of these rows of values, inside the transaction; return the number of rows written."""
        if db.dialect.name != "sqlite":
            return (await db.execute(self._statement, rows[0] if len(rows) == 1 else rows)).rowcount
        if not self._sql:
            compiled: Any = self._statement.compile(dialect=db.dialect)
            self._sql, self._names = str(compiled), compiled.positiontup
        try:
            return driver_of(db).executemany(self._sql, [[row[name] for name in self._names] for row in rows])
        except sqlite3.Error as error:
            raise _as_sqlalchemy_says(self._sql, error) from error


def _as_sqlalchemy_says(sql: str, error: sqlite3.Error) -> DBAPIError:
    match error:
        case sqlite3.IntegrityError():
            return IntegrityError(sql, None, error)
        case sqlite3.OperationalError():
            return OperationalError(sql, None, error)
    return DBAPIError(sql, None, error)
