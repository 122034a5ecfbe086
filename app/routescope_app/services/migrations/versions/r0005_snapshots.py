"""Views of the dashboard that people keep: a name, a note and an address."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "snapshots",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(400), nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("owner", sa.String(64), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_snapshots_created", "snapshots", ["created"])


def downgrade() -> None:
    op.drop_index("ix_snapshots_created", "snapshots")
    op.drop_table("snapshots")
