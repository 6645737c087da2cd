"""Adds the language that a person has chosen, and what a message of the server says as data."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Nobody has chosen a language yet, and earlier messages of the server stay English."""
    op.add_column("users", sa.Column("language", sa.Text()))
    op.add_column("messages", sa.Column("said", sa.Text()))
