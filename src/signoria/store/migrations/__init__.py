"""Updates a database to the newest schema."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from signoria.kernel.language import say
from signoria.store.errors import StoreError
from signoria.store.schema import metadata

PLACE = Path(__file__).parent
LOCK = 0x5160_0814  # any number; the process that migrates a PostgreSQL database holds this lock


def newest() -> str:
    """The newest schema version that this program knows."""
    head = _scripts().get_current_head()
    assert head is not None
    return head


def current(connection: Connection) -> str | None:
    """The schema version of a database; None if it has none yet."""
    return MigrationContext.configure(connection).get_current_revision()


def known(revision: str) -> bool:
    """Whether this program knows a schema version; unknown versions are newer."""
    return revision in {script.revision for script in _scripts().walk_revisions()}


def migrate(connection: Connection, version: str = "head") -> None:
    """Migrate to the newest schema, or to the given one, in this connection's transaction.

    Processes that start at the same time wait for each other.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    before = current(connection)
    if before == newest():
        return
    if before is None and (strangers := sorted(set(inspect(connection).get_table_names()) & set(metadata.tables))):
        raise StoreError(
            say(
                "The database has a table {value!r} that is not Signoria's: give an empty database.", value=strangers[0]
            )
        )
    command.upgrade(config(connection), version)


def check(connection: Connection) -> bool:
    """Whether the schema is the newest; raises `StoreError` if a newer Signoria wrote it."""
    revision = current(connection)
    if revision is not None and not known(revision):
        raise StoreError(
            say(
                "The database was written by a newer Signoria (schema {revision}; this one knows up to {newest}): install the newer one, or restore a backup into an empty database.",
                revision=revision,
                newest=newest(),
            )
        )
    return revision == newest()


def config(connection: Connection | None = None) -> Config:
    """Alembic's configuration; there is no ini file."""
    made = Config()
    made.set_main_option("script_location", str(PLACE).replace("%", "%%"))
    made.attributes["connection"] = connection
    return made


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(config())
