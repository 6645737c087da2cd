"""The address of the database: accepts the forms that people write and returns what the drivers need.

No message contains a password.
"""

import os
from pathlib import Path

import platformdirs
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from signoria.kernel.errors import BadOption
from signoria.kernel.language import say, to_say

ENVIRONMENT = "SIGNORIA_DATABASE"
POSSIBLE = to_say("a file path, sqlite:///PATH or postgresql://USER:PASSWORD@HOST/DATABASE")
POSTGRES = {"postgresql", "postgres", "postgresql+asyncpg"}
SQLITE = {"sqlite", "sqlite+aiosqlite"}
QUERY = {"host": "host", "port": "port", "ssl": "ssl", "sslmode": "ssl"}
"""Parameters allowed after the question mark of a PostgreSQL address, with the driver's name for each."""


def database_url(given: str | None = None) -> str:
    """The address for the drivers: as given, or from SIGNORIA_DATABASE, or a file in the user's data folder."""
    said = given or os.environ.get(ENVIRONMENT)
    if not said:
        return _file_url(Path(platformdirs.user_data_dir("signoria", appauthor=False)) / "signoria.db")
    return driver_url(said).render_as_string(hide_password=False)


def driver_url(said: str) -> URL:
    """The address of a database in any form that people write; raises `BadOption` if it is not valid."""
    if "://" not in said:
        return make_url(_file_url(Path(said).expanduser()))
    try:
        url = make_url(said)
    except (ArgumentError, ValueError):
        raise BadOption(say("Invalid database address: give {possible}.", possible=say(POSSIBLE))) from None
    if url.drivername in SQLITE:
        if not url.database or url.database == ":memory:":
            raise BadOption(say("The database must be a file on disk: give {possible}.", possible=say(POSSIBLE)))
        return make_url(_file_url(Path(url.database).expanduser()))
    if url.drivername in POSTGRES:
        if unknown := sorted(set(url.query) - set(QUERY)):
            raise BadOption(
                say(
                    "Unknown parameter {least!r} in the database address; allowed are {query}.",
                    least=unknown[0],
                    query=", ".join(QUERY),
                )
            )
        if not url.database:
            raise BadOption(
                say("The database address names no database: give postgresql://USER:PASSWORD@HOST/DATABASE.")
            )
        query = {QUERY[key]: value for key, value in url.query.items()}
        return url.set(drivername="postgresql+asyncpg", query=query)
    raise BadOption(
        say(
            "Unknown kind of database {drivername!r}: give {possible}.",
            drivername=url.drivername,
            possible=say(POSSIBLE),
        )
    )


def shown(url: URL) -> str:
    """The address for people and logs: the file name, or the PostgreSQL address without its password."""
    if url.drivername in SQLITE:
        return str(url.database)
    return url.set(drivername="postgresql").render_as_string(hide_password=True)


def _file_url(path: Path) -> str:
    if path.name in ("", ".", "..", ":memory:"):
        raise BadOption(say("The database must be a file on disk: give {possible}.", possible=say(POSSIBLE)))
    return URL.create("sqlite+aiosqlite", database=str(path)).render_as_string()
