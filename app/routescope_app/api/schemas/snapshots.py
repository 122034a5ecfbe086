"""Snapshots: saved views of the dashboard."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from routescope_app.api.schemas.base import LONGEST_NAME, Reply, Strict, Whose

SnapshotId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
#: Bounds that a schema must know; the settings narrow them.
LONGEST_NOTE = 100_000
LONGEST_ADDRESS = 100_000

SnapshotName = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_NAME)]
Note = Annotated[str, StringConstraints(max_length=LONGEST_NOTE)]
Address = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_ADDRESS)]


class Snapshot(Reply):
    """A saved view."""

    id: str
    name: str
    note: str
    address: str = Field(description="Path and query of a page of the dashboard.")
    created: datetime
    owner: Whose = Field(description="The owner, as the caller sees it. Everybody who has the id can read it.")


class Snapshots(Reply):
    items: list[Snapshot]
    total: int


class NewSnapshot(Strict):
    name: SnapshotName
    note: Note = ""
    address: Address = Field(description="A page of the dashboard, such as `/drop?model=ni-digits&units=f3`.")


class SnapshotChange(Strict):
    """Changes of a snapshot; null leaves a field as it is."""

    name: SnapshotName | None = None
    note: Note | None = None
    address: Address | None = None
