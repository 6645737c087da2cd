"""Adds an index for each list in its order: public tables, a person's games, tables to close, due tables, rankings."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

DROPPED = (
    ("ix_tables_state_touched_at", "tables"),
    ("ix_tables_host_id", "tables"),
    ("ix_tables_due_at", "tables"),
    ("ix_seats_user_id", "seats"),
    ("ix_users_seen_at", "users"),
    ("ix_messages_user_id", "messages"),
)
PUBLIC = "coalesce(invitation, '') = ''"


def upgrade() -> None:
    """Copies the state and end of tables to their seats, and computes the ordinal of ratings."""
    for name, table in DROPPED:  # first, so that filling the new columns does not maintain them
        op.drop_index(op.f(name), table)
    op.add_column("seats", sa.Column("state", sa.Text(), nullable=False, server_default="open"))
    op.add_column("seats", sa.Column("ended_at", sa.BigInteger()))
    op.add_column("ratings", sa.Column("ordinal", sa.Float(), nullable=False, server_default="0"))
    op.execute("UPDATE tables SET ended_at = touched_at WHERE state = 'over' AND ended_at IS NULL")
    op.execute(
        "UPDATE seats SET state = tables.state, ended_at = tables.ended_at FROM tables WHERE tables.id = seats.table_id"
    )
    op.execute("UPDATE ratings SET ordinal = mu - 3 * sigma")
    _index("ix_tables_public", "tables", ["state", "touched_at", "id"], PUBLIC)
    _index("ix_tables_public_game", "tables", ["state", "game", "touched_at", "id"], PUBLIC)
    _index("ix_tables_host", "tables", ["host_id", "state", "ended_at", "id"])
    _index("ix_tables_open", "tables", ["touched_at", "id"], "state = 'open'")
    _index("ix_tables_over", "tables", ["ended_at", "id"], "state = 'over'")
    _index("ix_tables_due", "tables", ["due_at"], "state = 'playing'")
    _index("ix_seats_player", "seats", ["user_id", "state", "ended_at", "table_id"])
    _index("ix_ratings_ordinal", "ratings", ["game", "ordinal", "who"])
    _index("ix_users_guests", "users", ["seen_at", "id"], "password IS NULL")
    _index("ix_messages_user", "messages", ["user_id", "id"], "user_id IS NOT NULL")
    _index("ix_messages_house", "messages", ["table_id", "id"], "user_id IS NULL")


def _index(name: str, table: str, columns: list[str], where: str | None = None) -> None:
    condition = None if where is None else sa.text(where)
    op.create_index(name, table, columns, sqlite_where=condition, postgresql_where=condition)
