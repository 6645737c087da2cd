"""When the server was last alive; how much of its turn the seat that was asked before has used."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Nobody knows yet when the server was last alive; a step taken back in this moment gives a full clock."""
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.Column("ballast", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_heartbeat")),
    )
    op.add_column("tables", sa.Column("used_before", sa.BigInteger(), nullable=False, server_default="0"))
