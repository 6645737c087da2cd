"""Renames the easiest bot: its old name is also the name of a role in a game."""

from alembic import op

revision = "0010"
down_revision = "0009"

COLUMNS = (("tables", "stand_in"), ("seats", "bot"), ("ratings", "who"))


def upgrade() -> None:
    """Tables keep their bots, and the bot keeps its ratings."""
    for table, column in COLUMNS:
        op.execute(f"UPDATE {table} SET {column} = 'garzone' WHERE {column} = 'apprendista'")
