"""Snapshots: save a view of the dashboard under a name, list, change and delete snapshots."""

import asyncio

from fastapi import APIRouter, Response

from routescope_app.api.callers import Caller
from routescope_app.api.common import AppServices, Limit, Offset
from routescope_app.api.schemas.snapshots import NewSnapshot, Snapshot, SnapshotChange, SnapshotId, Snapshots
from routescope_app.services.owners import whose
from routescope_app.services.store import SnapshotRow

router = APIRouter(prefix="/snapshots", tags=["snapshots"])


def to_schema(row: SnapshotRow, caller: str | None) -> Snapshot:
    """Return the snapshot as this caller sees it."""
    return Snapshot.model_validate({**vars(row), "owner": whose(row.owner, caller)})


@router.get("", summary="List snapshots")
async def list_snapshots(services: AppServices, caller: Caller, limit: Limit = 50, offset: Offset = 0) -> Snapshots:
    """Snapshots of the caller and of everybody, newest first."""
    rows, total = await asyncio.to_thread(services.snapshots.find, caller, offset, limit)
    return Snapshots(items=[to_schema(row, caller) for row in rows], total=total)


@router.post("", status_code=201, summary="Save a view")
async def add_snapshot(new: NewSnapshot, services: AppServices, caller: Caller, response: Response) -> Snapshot:
    """Save the address of a page, which contains the state of the page."""
    row = await asyncio.to_thread(services.snapshots.add, new.name, new.note, new.address, caller)
    response.headers["Location"] = f"/api/v1/snapshots/{row.id}"
    return to_schema(row, caller)


@router.get("/{snapshot_id}", summary="Read a snapshot")
async def get_snapshot(snapshot_id: SnapshotId, services: AppServices, caller: Caller) -> Snapshot:
    """Everybody who has the id can read it."""
    return to_schema(await asyncio.to_thread(services.snapshots.get, snapshot_id), caller)


@router.patch("/{snapshot_id}", summary="Change a snapshot")
async def change_snapshot(
    snapshot_id: SnapshotId, change: SnapshotChange, services: AppServices, caller: Caller
) -> Snapshot:
    """Change its name, note or address; other fields stay."""
    changes = change.model_dump(exclude_none=True)
    return to_schema(await asyncio.to_thread(services.snapshots.change, snapshot_id, changes, caller), caller)


@router.delete("/{snapshot_id}", status_code=204, summary="Delete a snapshot")
async def delete_snapshot(snapshot_id: SnapshotId, services: AppServices, caller: Caller) -> Response:
    """The address itself still opens the view."""
    await asyncio.to_thread(services.snapshots.delete, snapshot_id, caller)
    return Response(status_code=204)
