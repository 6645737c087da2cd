"""Adds total times with an increment, and vacations."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Every table keeps its clock per move, and nobody is on vacation."""
    op.add_column("users", sa.Column("vacation_until", sa.BigInteger(), nullable=True))
    op.add_column("users", sa.Column("vacation_year", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("users", sa.Column("vacation_used", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("total_time", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("increment", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("time_left", sa.BigInteger(), nullable=True))
