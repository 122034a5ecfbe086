"""Sets of units that addresses name by an id."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "unit_sets",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("units", sa.LargeBinary, nullable=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.Column("used", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_unit_sets_used", "unit_sets", ["used"])


def downgrade() -> None:
    op.drop_index("ix_unit_sets_used", "unit_sets")
    op.drop_table("unit_sets")
