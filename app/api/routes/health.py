"""Whether the service is up."""

import asyncio

from fastapi import APIRouter

from app.api.common import AppServices
from app.api.schemas.catalogue import Health
from app.services.disk import Unhealthy, is_low
from core import __version__

router = APIRouter(tags=["health"])


@router.get("/health")
async def health(services: AppServices) -> Health:
    """Version, device and the models there are. Needs no token. A problem, 503, when the disk is nearly full."""
    if (low := await asyncio.to_thread(is_low, services.settings)) is not None:
        raise Unhealthy(low)
    models = await asyncio.to_thread(services.inference.models)
    names = [info.id for info in models]
    return Health(status="ok", version=__version__, device=str(services.inference.device), models=names)
