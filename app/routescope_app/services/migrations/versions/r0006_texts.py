"""Texts that people bring as samples."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "texts",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("name", sa.String(400), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("owner", sa.String(64), nullable=True),
    )
    op.create_index("ix_texts_created", "texts", ["created"])
    op.create_index("ix_texts_owner", "texts", ["owner"])


def downgrade() -> None:
    op.drop_index("ix_texts_owner", "texts")
    op.drop_index("ix_texts_created", "texts")
    op.drop_table("texts")
