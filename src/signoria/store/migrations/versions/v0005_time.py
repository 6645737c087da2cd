"""Adds the server's heartbeat, and how much time the previous seat has used for its turn."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """There is no heartbeat yet; an undo right after the migration gives a full clock."""
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.Column("ballast", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_heartbeat")),
    )
    op.add_column("tables", sa.Column("used_before", sa.BigInteger(), nullable=False, server_default="0"))
