"""Observations: the routing of a model over data."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from routescope.routing.observed.result import NAMES
from routescope_app.api.common import CSV, NETCDF, AppServices, content, file_answer, result_file
from routescope_app.api.routes.jobs import STARTS_JOB, submitted
from routescope_app.api.schemas.base import FieldName, JobId
from routescope_app.api.schemas.jobs import Job, ObservationRequest
from routescope_app.api.schemas.results import Observation
from routescope_app.services.errors import NotAccepted
from routescope_app.services.measuring import observations as service

router = APIRouter(prefix="/observations", tags=["observations"])


@router.post("", **STARTS_JOB, summary="Observe routing over data")
async def create_observation(body: ObservationRequest, services: AppServices, response: Response) -> Job:
    """Start a job that measures usage, entropy, balance, specialisation, consistency, co-activation and similarity.

    The same request is the same job; 200 if its result exists.
    """
    return await submitted(services, "observation", body, response)


@router.get(
    "/{job_id}",
    response_model=Observation,
    responses=content(CSV, NETCDF) | {204: {"description": "Of a job that runs: nothing is counted yet."}},
    summary="Read an observation",
)
async def get_observation(
    job_id: JobId,
    services: AppServices,
    form: Annotated[Literal["json", "csv", "netcdf"], Query(alias="format")] = "json",
    table: Annotated[FieldName, Query(description="Table for csv; the JSON answer lists them.")] = "usage",
    running: Annotated[bool, Query(description="Of a job that runs: its counts so far, without baselines.")] = False,
) -> Any:
    """All quantities with named axes; one table; or a NetCDF file."""
    if running:
        counts = await services.jobs.file_so_far(job_id, "observation", service.COUNTS)
        return Response(status_code=204) if counts is None else Observation.model_validate_json(counts)
    stem = f"observation-{job_id[:12]}"
    if form == "csv":
        folder = await services.jobs.result(job_id, "observation")
        if table not in NAMES:
            raise NotAccepted(f"There is no such table; there are {', '.join(NAMES)}.")
        return file_answer(await asyncio.to_thread(service.table, folder, table), CSV, f"{stem}-{table}.csv")
    if form == "netcdf":
        body = await result_file(services, job_id, "observation", service.FILE)
        return file_answer(body, NETCDF, f"{stem}.nc")
    return Observation.model_validate_json(await result_file(services, job_id, "observation", service.FACTS))
