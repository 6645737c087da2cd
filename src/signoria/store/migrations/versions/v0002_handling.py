"""Whether somebody wants to be asked where there is no choice; whether a table allows hints."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Everybody as usual; hints at every table, as where nothing was agreed on."""
    op.add_column("users", sa.Column("unasked", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("tables", sa.Column("hints", sa.Text(), nullable=False, server_default="allowed"))
