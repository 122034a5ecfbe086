"""What models make of uploaded and drawn samples."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "predictions",
        sa.Column("model", sa.String(100), primary_key=True),
        sa.Column("revision", sa.String(100), primary_key=True),
        sa.Column("precision", sa.String(16), primary_key=True),
        sa.Column("asked", sa.String(40), primary_key=True),
        sa.Column("image", sa.String(64), primary_key=True),
        sa.Column("label", sa.Integer, nullable=False),
        sa.Column("probability", sa.Float, nullable=False),
        sa.Column("domain", sa.String(40), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_predictions_image", "predictions", ["image"])


def downgrade() -> None:
    op.drop_index("ix_predictions_image", "predictions")
    op.drop_table("predictions")
