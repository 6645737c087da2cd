"""Adds people whom one follows or mutes, reports, and moderation."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Nobody follows, mutes or has reported anyone yet, and there are no moderators."""
    op.add_column("users", sa.Column("moderator", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("users", sa.Column("muted_until", sa.BigInteger(), nullable=True))
    op.add_column("users", sa.Column("banned_at", sa.BigInteger(), nullable=True))
    op.create_table(
        "ties",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("other_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_ties_user_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["other_id"], ["users.id"], name=op.f("fk_ties_other_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "other_id", "kind", name=op.f("pk_ties")),
    )
    op.create_index(op.f("ix_ties_other_id"), "ties", ["other_id"], unique=False)
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer(), nullable=False, autoincrement=True),
        sa.Column("by_id", sa.Text(), nullable=False),
        sa.Column("about_id", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("quoted", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["by_id"], ["users.id"], name=op.f("fk_reports_by_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["about_id"], ["users.id"], name=op.f("fk_reports_about_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_reports_table_id"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_reports_about_id"), "reports", ["about_id"], unique=False)
    op.create_index(op.f("ix_reports_table_id"), "reports", ["table_id"], unique=False)
    op.create_index("ix_reports_by", "reports", ["by_id", "at"], unique=False)
    still_open = sa.text("closed_at IS NULL")
    op.create_index(
        "ix_reports_open", "reports", ["id"], unique=False, sqlite_where=still_open, postgresql_where=still_open
    )
    op.create_table(
        "moderation_log",
        sa.Column("id", sa.Integer(), nullable=False, autoincrement=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("by_id", sa.Text(), nullable=True),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("about_id", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["by_id"], ["users.id"], name=op.f("fk_moderation_log_by_id"), ondelete="SET NULL"),
        sa.ForeignKeyConstraint(
            ["about_id"], ["users.id"], name=op.f("fk_moderation_log_about_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_moderation_log")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_moderation_log_by_id"), "moderation_log", ["by_id"], unique=False)
    op.create_index(op.f("ix_moderation_log_about_id"), "moderation_log", ["about_id"], unique=False)
