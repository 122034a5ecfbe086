"""The tables of version 0.6: samples, traces, scores, jobs, snapshots, sets of units, predictions, tokens, logins."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = None
branch_labels = None
depends_on = None


def moment(name: str, nullable: bool = False) -> sa.Column[object]:
    """A column of moments with their zone."""
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


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
        moment("created"),
        sa.Column("owner", sa.String(64), nullable=True),
    )
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
        moment("created"),
        moment("used"),
    )
    op.create_table(
        "scores",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("correct", sa.LargeBinary, nullable=False),
        sa.Column("loss", sa.LargeBinary, nullable=False),
        sa.Column("predicted", sa.LargeBinary, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        moment("used"),
        sa.Column("measure", sa.String(100), nullable=True),
        sa.Column("value", sa.LargeBinary, nullable=True),
        sa.Column("weight", sa.LargeBinary, nullable=True),
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("done", sa.BigInteger, nullable=False),
        sa.Column("total", sa.BigInteger, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("problem", sa.Text, nullable=True),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        moment("created"),
        moment("queued"),
        moment("used"),
        sa.Column("owner", sa.String(64), nullable=True),
        sa.Column("kept", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("worker", sa.String(64), nullable=True),
        moment("lease", nullable=True),
        moment("begun", nullable=True),
        sa.Column("priority", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("cancelling", sa.Text, nullable=True),
        moment("read", nullable=True),
        sa.Column("askers", sa.Integer, nullable=False, server_default="1"),
        sa.Column("owners", sa.Text, nullable=False, server_default="[]"),
    )
    op.create_table(
        "snapshots",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(400), nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("owner", sa.String(64), nullable=True),
        moment("created"),
    )
    op.create_table(
        "texts",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("name", sa.String(400), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        moment("created"),
        sa.Column("owner", sa.String(64), nullable=True),
        sa.Column("inputs", sa.String(40), nullable=False, server_default="text"),
        sa.Column("data", sa.String(40), nullable=True),
    )
    op.create_table(
        "unit_sets",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("units", sa.LargeBinary, nullable=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        moment("used"),
    )
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
    op.create_table(
        "tokens",
        sa.Column("name", sa.String(58), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        moment("created"),
    )
    op.create_table("ended_logins", sa.Column("digest", sa.String(64), primary_key=True), moment("until"))
    for table, columns in {
        "samples": ("origin", "picture", "image", "created", "owner"),
        "traces": ("sample", "used"),
        "jobs": ("used",),
        "snapshots": ("created",),
        "texts": ("created", "owner", "inputs"),
        "unit_sets": ("used",),
        "predictions": ("image",),
    }.items():
        for column in columns:
            op.create_index(f"ix_{table}_{column}", table, [column])
    op.create_index("ix_scores_used_bytes", "scores", ["used", "bytes"])
    op.create_index("ix_jobs_state_queued", "jobs", ["state", "queued"])
