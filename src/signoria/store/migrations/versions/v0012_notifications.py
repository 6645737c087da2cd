"""Adds notifications, e-mail addresses and invitations by name."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Nobody has an address, notification settings or an invitation yet."""
    _add_addresses()
    _add_outbox()
    op.create_table(
        "invitations",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("by_id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_invitations_table_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_invitations_user_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["by_id"], ["users.id"], name=op.f("fk_invitations_by_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "user_id", name=op.f("pk_invitations")),
    )
    op.create_index(op.f("ix_invitations_by_id"), "invitations", ["by_id"], unique=False)
    op.create_index("ix_invitations_user", "invitations", ["user_id", "created_at", "table_id"], unique=False)


def _add_addresses() -> None:
    op.create_table(
        "emails",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("address_key", sa.Text(), nullable=False),
        sa.Column("confirmed_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_emails_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_emails")),
    )
    op.create_index(op.f("ix_emails_address_key"), "emails", ["address_key"], unique=False)
    op.create_table(
        "email_tokens",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_email_tokens_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_email_tokens")),
    )
    op.create_index(op.f("ix_email_tokens_user_id"), "email_tokens", ["user_id"], unique=False)
    op.create_index(op.f("ix_email_tokens_expires_at"), "email_tokens", ["expires_at"], unique=False)
    op.create_table(
        "push_subscriptions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("p256dh", sa.Text(), nullable=False),
        sa.Column("auth", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("session", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_push_subscriptions_user_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["session"], ["sessions.hash"], name=op.f("fk_push_subscriptions_session"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_push_subscriptions")),
        sa.UniqueConstraint("endpoint", name=op.f("uq_push_subscriptions_endpoint")),
    )
    op.create_index(op.f("ix_push_subscriptions_user_id"), "push_subscriptions", ["user_id"], unique=False)
    op.create_index(op.f("ix_push_subscriptions_session"), "push_subscriptions", ["session"], unique=False)
    op.create_table(
        "notification_settings",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("switches", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False, server_default="UTC"),
        sa.Column("quiet_from", sa.Integer(), nullable=True),
        sa.Column("quiet_until", sa.Integer(), nullable=True),
        sa.Column("digest", sa.Integer(), nullable=False, server_default="60"),
        sa.Column("unsubscribe", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("mailed_at", sa.BigInteger(), nullable=True),
        sa.Column("mailed_day", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("mailed_count", sa.Integer(), nullable=False, server_default="0"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_notification_settings_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_notification_settings")),
        sa.UniqueConstraint("unsubscribe", name=op.f("uq_notification_settings_unsubscribe")),
    )


def _add_outbox() -> None:
    op.create_table(
        "deliveries",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("dead_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_deliveries_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "target", name=op.f("pk_deliveries")),
    )
    for name, column, condition in (
        ("ix_deliveries_due", "due_at", sa.text("dead_at IS NULL")),
        ("ix_deliveries_dead", "dead_at", sa.text("dead_at IS NOT NULL")),
    ):
        op.create_index(name, "deliveries", [column], unique=False, sqlite_where=condition, postgresql_where=condition)
    op.create_table(
        "notices",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id", "target"],
            ["deliveries.user_id", "deliveries.target"],
            name=op.f("fk_notices_user_id_target"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", "target", "kind", "subject", name=op.f("pk_notices")),
    )
    op.create_index("ix_notices_subject", "notices", ["user_id", "subject"], unique=False)
