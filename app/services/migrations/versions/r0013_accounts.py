"""Whose room samples, texts, snapshots, sets of units and jobs take; of those with an owner it is the owner's."""

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


def downgrade() -> None:
    for table in TABLES:
        op.drop_column(table, "account")
