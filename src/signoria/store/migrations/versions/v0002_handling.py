"""Adds whether forced moves are played for a user, and whether a table allows hints."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Existing users and tables get the defaults: forced moves are played, hints are allowed."""
    op.add_column("users", sa.Column("unasked", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("tables", sa.Column("hints", sa.Text(), nullable=False, server_default="allowed"))
