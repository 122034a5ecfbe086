"""Importances: what leaving out units changes, from every subset or from sampled orders."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from routescope_app.api.common import AppServices
from routescope_app.api.routes.jobs import submitted
from routescope_app.api.schemas.base import JobId
from routescope_app.api.schemas.jobs import ImportanceRequest, Job
from routescope_app.api.schemas.results import Importance
from routescope_app.services.measuring import importance_tables

router = APIRouter(prefix="/importances", tags=["importances"])
Table = Literal["shapley", "single", "interactions", "retention", "anytime", "convergence", "usage", "subsets"]


@router.post("", status_code=202, responses={200: {"model": Job}}, summary="Measure the importance of every unit")
async def create_importance(body: ImportanceRequest, services: AppServices, response: Response) -> Job:
    """Starts a job: all subsets for up to ten units, sampled orders above.

    200 when the same was measured before. The same request is the same job; one that was cancelled goes on where it
    stopped.
    """
    return await submitted(services, "importance", body.model_dump(), response)


@router.get(
    "/{job_id}",
    response_model=Importance,
    responses={200: {"content": {"text/csv": {}}}},
    summary="Read an importance",
)
async def get_importance(
    job_id: JobId,
    services: AppServices,
    form: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
    table: Annotated[Table, Query(description="Which table, as csv.")] = "shapley",
) -> Any:
    """Shapley values, single effects, interactions, retention and anytime curves; the observed usage beside them."""
    folder = await services.jobs.result(job_id, "importance")
    if form == "csv":
        content = await asyncio.to_thread(importance_tables.as_csv, folder, table, services.inference.info)
        headers = {"Content-Disposition": f'attachment; filename="importance-{table}-{job_id[:12]}.csv"'}
        return Response(content, media_type="text/csv", headers=headers)
    return Importance.model_validate(await asyncio.to_thread(importance_tables.read, folder, services.inference.info))
