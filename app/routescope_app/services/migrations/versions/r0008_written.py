"""Samples that people write are of any kind of input, and may be put to a data set."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("texts", sa.Column("inputs", sa.String(40), nullable=False, server_default="text"))
    op.add_column("texts", sa.Column("data", sa.String(40), nullable=True))
    op.create_index("ix_texts_inputs", "texts", ["inputs"])


def downgrade() -> None:
    op.drop_index("ix_texts_inputs", "texts")
    op.drop_column("texts", "data")
    op.drop_column("texts", "inputs")
