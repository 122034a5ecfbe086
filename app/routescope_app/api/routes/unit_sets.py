"""Sets of units: store one that is too long for an address, and read it."""

import asyncio
from collections.abc import Sequence

from fastapi import APIRouter, Response

from routescope.routing.rules import KEPT
from routescope_app.api.common import AppServices
from routescope_app.api.schemas.unit_sets import NewUnitSet, UnitSet, UnitSetId

router = APIRouter(prefix="/unit-sets", tags=["models"])


def to_schema(set_id: str, units: Sequence[str]) -> UnitSet:
    return UnitSet(id=set_id, name=KEPT + set_id, units=list(units))


@router.post("", status_code=201, summary="Store a set of units under a short id")
async def keep_units(new: NewUnitSet, services: AppServices, response: Response) -> UnitSet:
    """The same units always have the same id. A client that stores too many loses its oldest sets.

    A set stays while a client keeps it or a snapshot names it.
    """
    set_id = await asyncio.to_thread(services.unit_sets.keep, new.units)
    response.headers["Location"] = f"/api/v1/unit-sets/{set_id}"
    return to_schema(set_id, sorted(set(new.units)))


@router.get("/{set_id}", summary="Read a set of units")
async def read_units(set_id: UnitSetId, services: AppServices) -> UnitSet:
    """Everybody who has the id can read it."""
    return to_schema(set_id, await asyncio.to_thread(services.unit_sets.get, set_id))
