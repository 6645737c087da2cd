"""What `signoria admin` does to a database. Imported when it is done, so that other commands start without it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from signoria.cli.output import compiling, progress
from signoria.cli.simulate import open_records
from signoria.kernel.errors import BadOption
from signoria.server.people.account_deletion import erase_user
from signoria.server.people.passwords import Passwords
from signoria.server.people.sessions import USER_TOPIC, now_ms
from signoria.server.play import bot_failures
from signoria.server.play.replay import export_records
from signoria.server.run.lock import single_server
from signoria.store import people
from signoria.store.address import ENVIRONMENT
from signoria.store.backup import backup
from signoria.store.database import Database, database_url
from signoria.store.people import User
from signoria.store.restoring import restore

Result = TypeVar("Result")


def back_up(kept: str | None, file: Path) -> dict[str, int]:
    """Write everything to a file; how many rows of each table."""
    return _with(kept, lambda database: backup(database, file))


def bring_back(kept: str | None, file: Path) -> dict[str, int]:
    """Fill an empty database from a backup; how many rows of each table."""
    return _with(kept, lambda database: restore(database, file), alone=True, new=True)


def write_records(kept: str | None, file: str) -> tuple[int, dict[str, str]]:
    """Write the records of all finished games; how many, and by table why there is none."""

    async def work(database: Database) -> tuple[int, dict[str, str]]:
        written, wrong = 0, dict[str, str]()
        with open_records(file) as out, compiling(), progress("Exporting", None) as bar:
            async for table_id, found in export_records(database):
                if isinstance(found, str):
                    wrong[table_id] = found
                elif out is not None:
                    out.write(found.to_json() + b"\n")
                    written += 1
                bar.advance(bar.task_ids[0])
        return written, wrong

    return _with(kept, work)


def find_user(kept: str | None, name: str) -> User:
    """The user of this name; raises `BadOption`."""

    async def work(database: Database) -> User:
        async with database.read() as db:
            found = await people.user_named(db, name)
        if found is None:
            raise BadOption(f"Nobody here is called {name!r}.")
        return found[0]

    return _with(kept, work, alone=True)


def delete(kept: str | None, user: User) -> None:
    """Delete everything personal of a user."""

    async def work(database: Database) -> None:
        await erase_user(database, user.id, now_ms())

    _with(kept, work, alone=True)


def give_password(kept: str | None, user: User, password: str) -> None:
    """Another password; every session of the user ends, and every token is revoked."""

    async def work(database: Database) -> None:
        hashed = await Passwords().hashed(password)
        async with database.write() as write:
            await people.set_password(write.db, user.id, hashed)
            await people.end_sessions(write.db, user.id)
            await people.delete_tokens(write.db, user.id)
            write.tell(USER_TOPIC + user.id)

    _with(kept, work, alone=True)


def resume(kept: str | None, table_id: str) -> None:
    """Let a paused game go on; raises `BadOption`. An open house finds it due by itself."""

    async def work(database: Database) -> None:
        async with database.write() as write:
            if not await bot_failures.resume(write, table_id, now_ms()):
                raise BadOption(f"No game is paused at a table {table_id!r}; the log names those that are.")

    _with(kept, work)


def _with(
    kept: str | None, work: Callable[[Database], Awaitable[Result]], *, alone: bool = False, new: bool = False
) -> Result:
    """Work on the database. `alone`: not while a house is open on the file, which would not hear of the change.

    Unless it may be `new`, a file that is not there is a mistake: nobody wants the backup of a house that never was.
    """

    async def run() -> Result:
        async with _opened(kept, alone, new) as database:
            return await work(database)

    return asyncio.run(run())


@asynccontextmanager
async def _opened(kept: str | None, alone: bool, new: bool) -> AsyncIterator[Database]:
    database = Database(database_url(kept))
    if not (new or database.is_postgres or Path(database.shown).exists()):
        raise BadOption(f"No house keeps its games in {database.shown}: say where with --database or {ENVIRONMENT}.")
    with single_server(database.shown if alone and not database.is_postgres else None):
        await database.start()
        try:
            yield database
        finally:
            await database.stop()
