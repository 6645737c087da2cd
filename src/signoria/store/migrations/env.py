"""Run by Alembic: migrates on the given connection, in its transaction."""

from alembic import context

from signoria.store.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=connection.dialect.name == "sqlite")
context.run_migrations()
