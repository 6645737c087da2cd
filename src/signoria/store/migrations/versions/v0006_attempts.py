"""Adds how often a process died while doing what is due at a table."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """No process has died yet."""
    op.add_column("tables", sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"))
