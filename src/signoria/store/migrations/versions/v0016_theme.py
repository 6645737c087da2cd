"""Adds the theme that a person has chosen."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Nobody has chosen light or dark pages yet."""
    op.add_column("users", sa.Column("theme", sa.Text(), nullable=True))
