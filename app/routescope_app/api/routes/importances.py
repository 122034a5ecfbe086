"""Importances: the effects of leaving out units, from all subsets or from sampled orders."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from routescope_app.api.common import CSV, AppServices, content, file_answer
from routescope_app.api.routes.jobs import STARTS_JOB, submitted
from routescope_app.api.schemas.base import JobId
from routescope_app.api.schemas.jobs import ImportanceRequest, Job
from routescope_app.api.schemas.results import Importance
from routescope_app.services.measuring import importance_tables

router = APIRouter(prefix="/importances", tags=["importances"])
Table = Literal["shapley", "single", "interactions", "retention", "anytime", "convergence", "usage", "subsets"]


@router.post("", **STARTS_JOB, summary="Measure the importance of every unit")
async def create_importance(body: ImportanceRequest, services: AppServices, response: Response) -> Job:
    """Start a job that scores all subsets of up to ten units, or sampled orders of more units.

    The same request is the same job; 200 if its result exists. A cancelled job resumes where it stopped.
    """
    return await submitted(services, "importance", body, response)


@router.get("/{job_id}", response_model=Importance, responses=content(CSV), summary="Read an importance")
async def get_importance(
    job_id: JobId,
    services: AppServices,
    form: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
    table: Annotated[Table, Query(description="Table for csv.")] = "shapley",
) -> Any:
    """Shapley values, single effects, interactions, retention and anytime curves, beside the observed usage."""
    folder = await services.jobs.result(job_id, "importance")
    if form == "csv":
        text = await asyncio.to_thread(importance_tables.as_csv, folder, table, services.inference.info)
        return file_answer(text, CSV, f"importance-{table}-{job_id[:12]}.csv")
    return Importance.model_validate(await asyncio.to_thread(importance_tables.read, folder, services.inference.info))
