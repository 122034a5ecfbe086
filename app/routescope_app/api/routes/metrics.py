"""The address that Prometheus reads."""

import asyncio
from functools import partial

from fastapi import APIRouter, FastAPI
from starlette.requests import Request
from starlette.responses import Response

from routescope_app.api.metrics import MEDIA_TYPE, Metrics
from routescope_app.api.probes import METRICS
from routescope_app.api.problems import nothing_here
from routescope_app.services.container import Services
from routescope_app.services.gauges import gauges
from routescope_app.settings import Settings


def install(app: FastAPI, settings: Settings, metrics: Metrics) -> None:
    """Add the route."""
    router = APIRouter(include_in_schema=False)

    @router.get(METRICS)
    async def read(request: Request) -> Response:
        if settings.metrics == "off":
            return nothing_here()
        services: Services | None = getattr(request.app.state, "services", None)
        told = await asyncio.to_thread(metrics.told, None if services is None else partial(gauges, services))
        return Response(told, media_type=MEDIA_TYPE, headers={"Cache-Control": "no-store"})

    app.include_router(router)
