"""Snapshots: views of the dashboard that people keep."""

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
    """A view that somebody keeps."""

    id: str
    name: str
    note: str
    address: str = Field(description="Of a page of the dashboard, without the host: its path and its query.")
    created: datetime
    owner: Whose = Field(description="Whose it is to who asks. Everybody who has its id can read it.")


class Snapshots(Reply):
    items: list[Snapshot]
    total: int = Field(description="How many of them there are in all.")


class NewSnapshot(Strict):
    name: SnapshotName
    note: Note = ""
    address: Address = Field(description="Of a page of the dashboard, such as `/drop?model=ni-digits&units=f3`.")


class SnapshotChange(Strict):
    """What is not named stays."""

    name: SnapshotName | None = None
    note: Note | None = None
    address: Address | None = None
