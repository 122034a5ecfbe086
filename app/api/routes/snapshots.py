"""Snapshots: keep a view of the dashboard under a name, list, rename, delete."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Response

from app.api.common import AppServices
from app.api.schemas.snapshots import NewSnapshot, Snapshot, SnapshotChange, SnapshotId, Snapshots
from app.services.errors import NotAccepted

router = APIRouter(prefix="/snapshots", tags=["snapshots"])
MOST_OFFSET = 10_000_000


@router.get("")
async def list_snapshots(
    services: AppServices,
    limit: Annotated[int, Query(ge=0, le=1_000)] = 50,
    offset: Annotated[int, Query(ge=0, le=MOST_OFFSET)] = 0,
) -> Snapshots:
    """Snapshots, newest first."""
    if limit > services.settings.max_page:
        raise NotAccepted(f"One page has up to {services.settings.max_page} snapshots; ask for further ones by offset.")
    rows, total = await asyncio.to_thread(services.snapshots.find, offset, limit)
    return Snapshots(items=[Snapshot.model_validate(row) for row in rows], total=total)


@router.post("", status_code=201)
async def add_snapshot(new: NewSnapshot, services: AppServices, response: Response) -> Snapshot:
    """Keep a view: the address of a page as it says what the page shows."""
    row = await asyncio.to_thread(services.snapshots.add, new.name, new.note, new.address)
    response.headers["Location"] = f"/api/v1/snapshots/{row.id}"
    return Snapshot.model_validate(row)


@router.get("/{snapshot_id}")
async def get_snapshot(snapshot_id: SnapshotId, services: AppServices) -> Snapshot:
    """One snapshot."""
    return Snapshot.model_validate(await asyncio.to_thread(services.snapshots.get, snapshot_id))


@router.patch("/{snapshot_id}")
async def change_snapshot(snapshot_id: SnapshotId, change: SnapshotChange, services: AppServices) -> Snapshot:
    """Rename a snapshot, or change its note or its address."""
    changes = change.model_dump(exclude_none=True)
    return Snapshot.model_validate(await asyncio.to_thread(services.snapshots.change, snapshot_id, changes))


@router.delete("/{snapshot_id}", status_code=204)
async def delete_snapshot(snapshot_id: SnapshotId, services: AppServices) -> Response:
    """Delete a snapshot; the address that it kept opens its view all the same."""
    await asyncio.to_thread(services.snapshots.delete, snapshot_id)
    return Response(status_code=204)
