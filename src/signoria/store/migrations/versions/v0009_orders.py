"""Sealed bids become orders, which also hold choices that a player has made before being asked."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """All sealed bids are kept. Nobody has chosen anything in advance yet."""
    op.create_table(
        "orders",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("most", sa.Text(), nullable=False),
        sa.Column("chosen", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_orders_table_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_orders_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "seat", name=op.f("pk_orders")),
    )
    op.create_index(op.f("ix_orders_user_id"), "orders", ["user_id"], unique=False)
    op.execute(
        "INSERT INTO orders (table_id, seat, user_id, round, most, chosen, note)"
        " SELECT table_id, seat, user_id, round, most, '{}', '' FROM sealed"
    )
    op.drop_table("sealed")
    op.add_column("tables", sa.Column("choosing", sa.Integer(), nullable=False, server_default="0"))
