"""Whether a table shows what everybody could have remembered."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Every table does, as it did before."""
    op.add_column("tables", sa.Column("aid", sa.Boolean(), nullable=False, server_default=sa.true()))
