"""Whose room samples, texts, snapshots, sets of units and jobs take; of those with an owner it is the owner's.

Jobs know when a worker left them, and their turns follow from that instead of a priority.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None
TABLES = ("samples", "texts", "snapshots", "unit_sets", "jobs")


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column("account", sa.String(64), nullable=True))
        if table != "unit_sets":
            op.execute(f"UPDATE {table} SET account = owner")
    op.add_column("jobs", sa.Column("ended", sa.DateTime(timezone=True), nullable=True))
    op.drop_column("jobs", "priority")


def downgrade() -> None:
    op.add_column("jobs", sa.Column("priority", sa.BigInteger, nullable=False, server_default="0"))
    op.drop_column("jobs", "ended")
    for table in TABLES:
        op.drop_column(table, "account")
