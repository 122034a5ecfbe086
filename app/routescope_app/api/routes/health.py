"""Health and readiness of the service."""

import asyncio
import logging
from functools import partial

from fastapi import APIRouter

from routescope import __version__
from routescope_app.api.common import AppServices
from routescope_app.api.schemas.catalogue import Health, Ready
from routescope_app.services.disk import Unhealthy, is_low
from routescope_app.services.errors import Refusal

log = logging.getLogger(__name__)
router = APIRouter(tags=["health"])
#: Seconds within which the database has to answer.
DATABASE_SECONDS = 5.0
FULL = "The disk of the database is full; free some space."


class NotReady(Refusal):
    kind, title, status = "not-ready", "Not ready", 503


@router.get("/health")
async def health(services: AppServices) -> Health:
    """Version, device and models. Needs no token. 503 if a disk is full."""
    if (low := await asyncio.to_thread(is_low, services.settings)) is not None:
        raise Unhealthy(low)
    if await asyncio.to_thread(services.store.is_full):
        raise Unhealthy(FULL)
    models, _ = await asyncio.to_thread(partial(services.inference.listed, wait=False))
    names = [info.id for info in models]
    return Health(status="ok", version=__version__, device=str(services.inference.device), models=names)


@router.get("/ready")
async def ready(services: AppServices) -> Ready:
    """Ready for requests: database and storage answer, the disk has room, there are models. Needs no token.

    503 names what is missing. If `/health` answers while this does not, a restart would not help.
    """
    problems = await asyncio.gather(_database(services), _storage(services), _disk(services), _models(services))
    if any(problems):
        raise NotReady(" ".join(filter(None, problems)))
    return Ready(status="ready")


async def _database(services: AppServices) -> str | None:
    try:
        async with asyncio.timeout(DATABASE_SECONDS):
            await asyncio.to_thread(services.store.ping)
    except Exception as error:  # whatever a driver raises
        log.warning("the database does not answer: %s", type(error).__name__)
        return "The database does not answer."
    return None


async def _storage(services: AppServices) -> str | None:
    try:
        await asyncio.to_thread(services.storage.answers)
    except Refusal:
        return "The storage of samples and results does not answer."
    return None


async def _disk(services: AppServices) -> str | None:
    low = await asyncio.to_thread(is_low, services.settings)
    return FULL if low is None and await asyncio.to_thread(services.store.is_full) else low


async def _models(services: AppServices) -> str | None:
    models, _ = await asyncio.to_thread(partial(services.inference.listed, wait=False))
    return None if models else "There is no model that can be read."
