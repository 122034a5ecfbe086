"""Add the confidence of every answer to scores."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("scores", sa.Column("confidence", sa.LargeBinary, nullable=True))


def downgrade() -> None:
    op.drop_column("scores", "confidence")
