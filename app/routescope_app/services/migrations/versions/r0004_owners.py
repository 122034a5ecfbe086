"""Samples and jobs know whose they are, and jobs whether they go on unread; what was there before is everybody's."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("samples", sa.Column("owner", sa.String(64), nullable=True))
    op.create_index("ix_samples_owner", "samples", ["owner"])
    op.add_column("jobs", sa.Column("owner", sa.String(64), nullable=True))
    op.add_column("jobs", sa.Column("kept", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("jobs", "kept")
    op.drop_column("jobs", "owner")
    op.drop_index("ix_samples_owner", "samples")
    op.drop_column("samples", "owner")
