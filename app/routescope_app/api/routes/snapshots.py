"""Snapshots: keep a view of the dashboard under a name, list, rename, delete."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Response

from routescope_app.api.callers import Caller
from routescope_app.api.common import AppServices
from routescope_app.api.schemas.snapshots import NewSnapshot, Snapshot, SnapshotChange, SnapshotId, Snapshots
from routescope_app.services.errors import NotAccepted
from routescope_app.services.owners import whose
from routescope_app.services.store import SnapshotRow
from routescope_app.settings import MAX_PAGE

router = APIRouter(prefix="/snapshots", tags=["snapshots"])
MOST_OFFSET = 10_000_000


def to_schema(row: SnapshotRow, caller: str | None) -> Snapshot:
    """The snapshot as it goes out to this caller."""
    said = {name: getattr(row, name) for name in ("id", "name", "note", "address", "created")}
    return Snapshot(owner=whose(row.owner, caller), **said)


@router.get("", summary="Snapshots, newest first")
async def list_snapshots(
    services: AppServices,
    caller: Caller,
    limit: Annotated[int, Query(ge=0, le=1_000)] = 50,
    offset: Annotated[int, Query(ge=0, le=MOST_OFFSET)] = 0,
) -> Snapshots:
    """The caller's own ones, and those that were kept without a browser."""
    if limit > MAX_PAGE:
        raise NotAccepted(f"One page has up to {MAX_PAGE} snapshots; ask for further ones by offset.")
    rows, total = await asyncio.to_thread(services.snapshots.find, caller, offset, limit)
    return Snapshots(items=[to_schema(row, caller) for row in rows], total=total)


@router.post("", status_code=201, summary="Keep a view")
async def add_snapshot(new: NewSnapshot, services: AppServices, caller: Caller, response: Response) -> Snapshot:
    """It is the address of a page, which says what the page shows."""
    row = await asyncio.to_thread(services.snapshots.add, new.name, new.note, new.address, caller)
    response.headers["Location"] = f"/api/v1/snapshots/{row.id}"
    return to_schema(row, caller)


@router.get("/{snapshot_id}", summary="One snapshot")
async def get_snapshot(snapshot_id: SnapshotId, services: AppServices, caller: Caller) -> Snapshot:
    """Whosever it is: the id is known to whoever was given it."""
    return to_schema(await asyncio.to_thread(services.snapshots.get, snapshot_id), caller)


@router.patch("/{snapshot_id}", summary="Change a snapshot")
async def change_snapshot(
    snapshot_id: SnapshotId, change: SnapshotChange, services: AppServices, caller: Caller
) -> Snapshot:
    """Its name, its note or its address; what is not named stays."""
    changes = change.model_dump(exclude_none=True)
    return to_schema(await asyncio.to_thread(services.snapshots.change, snapshot_id, changes, caller), caller)


@router.delete("/{snapshot_id}", status_code=204, summary="Delete a snapshot")
async def delete_snapshot(snapshot_id: SnapshotId, services: AppServices, caller: Caller) -> Response:
    """The address that it kept opens its view all the same."""
    await asyncio.to_thread(services.snapshots.delete, snapshot_id, caller)
    return Response(status_code=204)
