"""Lets each channel of the outbox be read by itself, in the order in which its messages are due."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Replace the index of messages that are due."""
    alive = sa.text("dead_at IS NULL")
    op.drop_index("ix_deliveries_due", "deliveries")
    op.create_index(
        "ix_deliveries_due", "deliveries", ["channel", "due_at"], sqlite_where=alive, postgresql_where=alive
    )
