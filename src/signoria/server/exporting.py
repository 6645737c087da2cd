"""The records of all finished games, for whoever studies them: nothing in them says who played."""

from collections.abc import AsyncIterator

from signoria.kernel.errors import SignoriaError
from signoria.kernel.record import Record
from signoria.server.course import play_through
from signoria.store import steps, tables
from signoria.store.database import Database

Exported = tuple[str, Record | str]
"""A table's id, and its record, or why there is none."""


async def export_records(database: Database) -> AsyncIterator[Exported]:
    """Every finished game, the oldest first, rebuilt from its steps."""
    async with database.read() as db:
        async for table_id in tables.finished_ids(db):
            row = await tables.find_table(db, table_id)
            if row is None:
                continue  # deleted meanwhile
            try:
                yield table_id, (await play_through(row, await steps.steps_of(db, table_id))).position.table.record
            except SignoriaError as error:
                yield table_id, str(error)
