"""Jobs know who runs them and until when, whose turn is next, who wants to stop them and when they were last read."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

ADDED = ("worker", "lease", "begun", "priority", "cancelling", "read", "askers", "owners")


def upgrade() -> None:
    op.add_column("jobs", sa.Column("worker", sa.String(64), nullable=True))
    op.add_column("jobs", sa.Column("lease", sa.DateTime(timezone=True), nullable=True))
    op.add_column("jobs", sa.Column("begun", sa.DateTime(timezone=True), nullable=True))
    op.add_column("jobs", sa.Column("priority", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("jobs", sa.Column("cancelling", sa.Text, nullable=True))
    op.add_column("jobs", sa.Column("read", sa.DateTime(timezone=True), nullable=True))
    op.add_column("jobs", sa.Column("askers", sa.Integer, nullable=False, server_default="1"))
    op.add_column("jobs", sa.Column("owners", sa.Text, nullable=False, server_default="[]"))


def downgrade() -> None:
    for name in reversed(ADDED):
        op.drop_column("jobs", name)
