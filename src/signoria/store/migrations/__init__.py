"""The schema's history, and how a database is brought to its newest version."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from signoria.store.errors import StoreError
from signoria.store.schema import metadata

PLACE = Path(__file__).parent
LOCK = 0x5160_0814  # any number; whoever migrates a PostgreSQL database holds it


def newest() -> str:
    """The schema version that this Signoria writes."""
    head = _scripts().get_current_head()
    assert head is not None
    return head


def current(connection: Connection) -> str | None:
    """The schema version of a database; None where it has none yet."""
    return MigrationContext.configure(connection).get_current_revision()


def known(revision: str) -> bool:
    """Whether this Signoria knows a schema version: one that it does not know is newer."""
    return revision in {script.revision for script in _scripts().walk_revisions()}


def migrate(connection: Connection, version: str = "head") -> None:
    """The newest schema, or the one asked for, in the transaction of this connection; processes that start at once wait for each other."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    before = current(connection)
    if before == newest():
        return
    if before is None and (strangers := sorted(set(inspect(connection).get_table_names()) & set(metadata.tables))):
        raise StoreError(f"The database holds a table {strangers[0]!r} that is not Signoria's: give an empty one.")
    command.upgrade(config(connection), version)


def check(connection: Connection) -> bool:
    """Whether the schema is the newest; StoreError where a newer Signoria wrote it."""
    revision = current(connection)
    if revision is not None and not known(revision):
        raise StoreError(
            f"The database was written by a newer Signoria (schema {revision}; this one knows up to {newest()}): "
            "install the newer one, or restore a backup into an empty database."
        )
    return revision == newest()


def config(connection: Connection | None = None) -> Config:
    """Alembic's configuration, made here: there is no ini file."""
    made = Config()
    made.set_main_option("script_location", str(PLACE).replace("%", "%%"))
    made.attributes["connection"] = connection
    return made


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(config())
