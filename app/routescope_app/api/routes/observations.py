"""Observations: how a model routes samples. Observed, nothing caused."""

import asyncio
import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from routescope.routing.observed.result import NAMES
from routescope_app.api.common import AppServices
from routescope_app.api.routes.jobs import submitted
from routescope_app.api.schemas.base import FieldName, JobId
from routescope_app.api.schemas.jobs import Job, ObservationRequest
from routescope_app.api.schemas.results import Observation
from routescope_app.services.errors import NotAccepted
from routescope_app.services.measuring import observations as service

router = APIRouter(prefix="/observations", tags=["observations"])


@router.post("", status_code=202, responses={200: {"model": Job}}, summary="Observe routing over data")
async def create_observation(body: ObservationRequest, services: AppServices, response: Response) -> Job:
    """Starts a job that counts usage, entropy, balance, specialisation, consistency, co-activation and similarity.

    200 when the same was observed before. The same request is the same job.
    """
    return await submitted(services, "observation", body.model_dump(), response)


@router.get(
    "/{job_id}",
    response_model=Observation,
    responses={200: {"content": {"text/csv": {}, "application/x-netcdf": {}}}},
    summary="Read an observation",
)
async def get_observation(
    job_id: JobId,
    services: AppServices,
    form: Annotated[Literal["json", "csv", "netcdf"], Query(alias="format")] = "json",
    table: Annotated[FieldName, Query(description="Which table, as csv; the answer in JSON lists them.")] = "usage",
) -> Any:
    """Everything that was observed, with named axes; one table of it; or all of it as a NetCDF file."""
    folder = await services.jobs.result(job_id, "observation")
    stem = f"observation-{job_id[:12]}"
    if form == "csv":
        if table not in NAMES:
            raise NotAccepted(f"There is no such table; there are {', '.join(NAMES)}.")
        content = await asyncio.to_thread(service.table, folder, table)
        headers = {"Content-Disposition": f'attachment; filename="{stem}-{table}.csv"'}
        return Response(content, media_type="text/csv", headers=headers)
    if form == "netcdf":
        file = await asyncio.to_thread((folder / "observation.nc").read_bytes)
        headers = {"Content-Disposition": f'attachment; filename="{stem}.nc"'}
        return Response(file, media_type="application/x-netcdf", headers=headers)
    text = await asyncio.to_thread((folder / "observation.json").read_text)
    return Observation.model_validate(json.loads(text))
