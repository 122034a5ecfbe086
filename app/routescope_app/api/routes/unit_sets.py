"""Sets of units: keep one that is too long for an address, and read it."""

import asyncio
from collections.abc import Sequence

from fastapi import APIRouter, Response

from routescope.routing.rules import KEPT
from routescope_app.api.common import AppServices
from routescope_app.api.schemas.unit_sets import NewUnitSet, UnitSet, UnitSetId

router = APIRouter(prefix="/unit-sets", tags=["models"])


def to_schema(set_id: str, units: Sequence[str]) -> UnitSet:
    """The set as it goes out."""
    return UnitSet(id=set_id, name=KEPT + set_id, units=list(units))


@router.post("", status_code=201, summary="Keep a set of units under a short id")
async def keep_units(new: NewUnitSet, services: AppServices, response: Response) -> UnitSet:
    """The same units always have the same id. A client that keeps too many loses its own oldest ones.

    A set stays while anybody keeps it, and while a snapshot names it.
    """
    own = await asyncio.to_thread(services.unit_sets.keep, new.units)
    response.headers["Location"] = f"/api/v1/unit-sets/{own}"
    return to_schema(own, sorted(set(new.units)))


@router.get("/{set_id}", summary="Read a set of units")
async def read_units(set_id: UnitSetId, services: AppServices) -> UnitSet:
    """Whoever kept it: the id is known to whoever was given it."""
    return to_schema(set_id, await asyncio.to_thread(services.unit_sets.get, set_id))
