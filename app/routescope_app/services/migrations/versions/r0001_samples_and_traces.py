"""Samples and traces."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "samples",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("origin", sa.String(16), nullable=False),
        sa.Column("name", sa.String(400), nullable=False),
        sa.Column("label", sa.Integer, nullable=True),
        sa.Column("width", sa.Integer, nullable=False),
        sa.Column("height", sa.Integer, nullable=False),
        sa.Column("picture", sa.String(64), nullable=False),
        sa.Column("image", sa.String(64), nullable=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
    )
    for column in ("origin", "picture", "image", "created"):
        op.create_index(f"ix_samples_{column}", "samples", [column])
    op.create_table(
        "traces",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("model", sa.String(100), nullable=False),
        sa.Column("revision", sa.String(100), nullable=False),
        sa.Column("sample", sa.String(100), nullable=False),
        sa.Column("content", sa.String(64), nullable=False),
        sa.Column("intervention", sa.Text, nullable=False),
        sa.Column("fields", sa.Text, nullable=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used", sa.DateTime(timezone=True), nullable=False),
    )
    for column in ("sample", "used"):
        op.create_index(f"ix_traces_{column}", "traces", [column])


def downgrade() -> None:
    op.drop_table("traces")
    op.drop_table("samples")
