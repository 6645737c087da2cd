"""Adds blocks and removals, and compares names by Unicode's list of lookalike letters."""

import sqlalchemy as sa
from alembic import op

from signoria.store.names import name_key

revision = "0008"
down_revision = "0007"

BATCH = 1_000  # users per batch of updates

users = sa.table("users", sa.column("id"), sa.column("name"), sa.column("name_key"), sa.column("created_at"))


def upgrade() -> None:
    """There are no blocks or removals yet; all users keep their names."""
    op.create_table(
        "blocks",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("blocked_id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_blocks_user_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["blocked_id"], ["users.id"], name=op.f("fk_blocks_blocked_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_blocks")),
        sa.UniqueConstraint("user_id", "blocked_id", name=op.f("uq_blocks_user_id_blocked_id")),
    )
    op.create_index(op.f("ix_blocks_blocked_id"), "blocks", ["blocked_id"], unique=False)
    op.create_table(
        "removals",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_removals_table_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_removals_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "user_id", name=op.f("pk_removals")),
    )
    op.create_index(op.f("ix_removals_user_id"), "removals", ["user_id"], unique=False)
    op.create_index(op.f("ix_users_name"), "users", ["name"], unique=False)
    _compute_keys_again(op.get_bind())


def _compute_keys_again(connection: sa.Connection) -> None:
    """Compute the keys again. Of names that look alike, the oldest account gets the key; the others get a unique one.

    A new key may be the old key of another user, so all keys that change are moved out of the way first.
    """
    rows = connection.execute(sa.select(users).order_by(users.c.created_at, users.c.id)).all()
    taken: set[str] = set()
    changed: dict[str, str] = {}
    for row in rows:
        key = name_key(row.name)
        if key in taken:
            key = f"{key}#{row.id}"
        taken.add(key)
        if key != row.name_key:
            changed[row.id] = key
    aside = [{"user_id": user_id, "key": f"#{user_id}"} for user_id in changed]
    final = [{"user_id": user_id, "key": key} for user_id, key in changed.items()]
    set_key = sa.update(users).where(users.c.id == sa.bindparam("user_id")).values(name_key=sa.bindparam("key"))
    for values in (aside, final):
        for first in range(0, len(values), BATCH):
            connection.execute(set_key, values[first : first + BATCH])
