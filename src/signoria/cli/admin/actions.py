"""The work of `signoria admin` on a database. Imported only when needed, so that other commands start faster."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from signoria.cli.output import compiling, progress
from signoria.cli.simulate import open_records
from signoria.kernel.errors import BadOption
from signoria.server.people.account_deletion import erase_user
from signoria.server.people.accounts import replace_password
from signoria.server.people.passwords import Passwords
from signoria.server.people.sessions import USER_TOPIC, now_ms
from signoria.server.play import bot_failures
from signoria.server.play.replay import export_records
from signoria.server.run.lock import single_server
from signoria.store import moderation, people
from signoria.store.address import ENVIRONMENT
from signoria.store.backup import backup
from signoria.store.database import Database, database_url
from signoria.store.people import User
from signoria.store.restoring import restore

Result = TypeVar("Result")


def back_up(kept: str | None, file: Path) -> dict[str, int]:
    """Write a backup; return the number of rows per database table."""
    return _with(kept, lambda database: backup(database, file))


def bring_back(kept: str | None, file: Path) -> dict[str, int]:
    """Restore a backup into an empty database; return the number of rows per database table."""
    return _with(kept, lambda database: restore(database, file), alone=True, new=True)


def write_records(kept: str | None, file: str) -> tuple[int, dict[str, str]]:
    """Write the records of all finished games; return their number, and the reason for each table without a record."""

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
    """Find a user by name; raises `BadOption`."""
    return _with(kept, lambda database: _named(database, name), alone=True)


async def _named(database: Database, name: str) -> User:
    async with database.read() as db:
        found = await people.user_named(db, name)
    if found is None:
        raise BadOption(f"There is no user called {name!r}.")
    return found[0]


def set_moderator(kept: str | None, name: str, *, moderator: bool) -> User:
    """Make a user a moderator, or no longer; raises `BadOption`. The server may keep running."""

    async def work(database: Database) -> User:
        user = await _named(database, name)
        async with database.write() as write:
            await moderation.set_moderator(write.db, user.id, moderator=moderator)
        return user

    return _with(kept, work)


def delete(kept: str | None, user: User) -> None:
    """Delete all personal data of a user."""

    async def work(database: Database) -> None:
        await erase_user(database, user.id, now_ms())

    _with(kept, work, alone=True)


def give_password(kept: str | None, user: User, password: str) -> None:
    """Set a password, end all sessions of the user, revoke all their tokens, and void the links in e-mails."""

    async def work(database: Database) -> None:
        hashed = await Passwords().hashed(password)
        async with database.write() as write:
            await replace_password(write.db, user.id, hashed)
            write.tell(USER_TOPIC + user.id)

    _with(kept, work, alone=True)


def resume(kept: str | None, table_id: str) -> None:
    """Resume a paused game; raises `BadOption`. A running server notices this automatically."""

    async def work(database: Database) -> None:
        async with database.write() as write:
            if not await bot_failures.resume(write, table_id, now_ms()):
                raise BadOption(f"There is no paused game at table {table_id!r}. The log lists the paused games.")

    _with(kept, work)


def _with(
    kept: str | None, work: Callable[[Database], Awaitable[Result]], *, alone: bool = False, new: bool = False
) -> Result:
    """Open the database and do the work.

    `alone`: refuse while a server uses the SQLite file, because that server would not notice the change.
    `new`: the file may not exist yet. Otherwise a missing file is an error, most likely a typing error.
    """

    async def run() -> Result:
        async with _opened(kept, alone, new) as database:
            return await work(database)

    return asyncio.run(run())


@asynccontextmanager
async def _opened(kept: str | None, alone: bool, new: bool) -> AsyncIterator[Database]:
    database = Database(database_url(kept))
    if not (new or database.is_postgres or Path(database.shown).exists()):
        raise BadOption(f"There is no database at {database.shown}. Name it with --database or {ENVIRONMENT}.")
    with single_server(database.shown if alone and not database.is_postgres else None):
        await database.start()
        try:
            yield database
        finally:
            await database.stop()
