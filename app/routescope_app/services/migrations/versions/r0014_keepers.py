"""Add the owners of kept sets of units, and the sets in addresses of snapshots."""

import re
from urllib.parse import unquote

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None
_NAMED = re.compile(r"set:([0-9a-f]{16})(?![0-9a-f])")


def upgrade() -> None:
    op.drop_index("ix_unit_sets_used", "unit_sets")
    op.create_index("ix_unit_sets_used_bytes", "unit_sets", ["used", "bytes"])
    keepers = op.create_table(
        "unit_set_keepers",
        sa.Column("account", sa.String(64), primary_key=True),
        sa.Column("set_id", sa.String(16), sa.ForeignKey("unit_sets.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_unit_set_keepers_set_id", "unit_set_keepers", ["set_id"])
    named = op.create_table(
        "snapshot_sets",
        sa.Column("snapshot", sa.String(32), sa.ForeignKey("snapshots.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("set_id", sa.String(16), primary_key=True),
        sa.Column("account", sa.String(64), nullable=True),
    )
    op.create_index("ix_snapshot_sets_set_id", "snapshot_sets", ["set_id"])
    if not op.get_context().as_sql:
        _fill(op.get_bind(), keepers, named)
    op.drop_column("unit_sets", "account")


def _fill(connection: sa.Connection, keepers: sa.Table, named: sa.Table) -> None:
    """Write down who keeps the sets that there are, and which of them snapshots name."""
    sizes = {row[0]: row[1] for row in connection.execute(sa.text("SELECT id, bytes FROM unit_sets"))}
    who = {tuple(row) for row in connection.execute(sa.text("SELECT account, id FROM unit_sets WHERE account <> ''"))}
    for snapshot, address, account in connection.execute(sa.text("SELECT id, address, account FROM snapshots")).all():
        for set_id in set(_NAMED.findall(unquote(address))):
            connection.execute(named.insert().values(snapshot=snapshot, set_id=set_id, account=account))
            who |= {(account, set_id)} if account and set_id in sizes else set()
    for account, set_id in who:
        connection.execute(keepers.insert().values(account=account, set_id=set_id, bytes=sizes[set_id]))


def downgrade() -> None:
    op.drop_index("ix_unit_sets_used_bytes", "unit_sets")
    op.create_index("ix_unit_sets_used", "unit_sets", ["used"])
    op.add_column("unit_sets", sa.Column("account", sa.String(64), nullable=True))
    op.drop_table("snapshot_sets")
    op.drop_table("unit_set_keepers")
