"""Adds whether a table has the card tracker."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Existing tables have it, as before."""
    op.add_column("tables", sa.Column("aid", sa.Boolean(), nullable=False, server_default=sa.true()))
