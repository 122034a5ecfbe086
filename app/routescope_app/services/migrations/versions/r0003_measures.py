"""Scores by measures that do not say which samples are right: a value and a weight for each."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("scores", sa.Column("measure", sa.String(100), nullable=True))
    op.add_column("scores", sa.Column("value", sa.LargeBinary, nullable=True))
    op.add_column("scores", sa.Column("weight", sa.LargeBinary, nullable=True))


def downgrade() -> None:
    op.execute("DELETE FROM scores WHERE measure IS NOT NULL")
    for column in ("weight", "value", "measure"):
        op.drop_column("scores", column)
