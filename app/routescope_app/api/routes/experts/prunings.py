"""Pruning of mixtures of experts: orders and their cost, keep-lists, pruned models."""

import asyncio
import json
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi.responses import StreamingResponse

from routescope_app.api.common import AppServices, content, result_file
from routescope_app.api.routes.jobs import STARTS_JOB, submitted
from routescope_app.api.schemas.base import JobId
from routescope_app.api.schemas.jobs import Job, PruningRequest
from routescope_app.api.schemas.prunings import KeepListFile, Pruning
from routescope_app.services.container import Services
from routescope_app.services.errors import NotFound
from routescope_app.services.measuring.prunings import FACTS

router = APIRouter(prefix="/prunings", tags=["prunings"])
Kept = Annotated[
    str,
    Query(
        pattern=r"^[0-9]{1,5}(,[0-9]{1,5}){0,1023}$",
        description="Experts to keep per layer, separated by commas, or one number for all layers.",
        examples=["6"],
    ),
]
ZIP = "application/zip"


@router.post("", **STARTS_JOB, summary="Prune experts")
async def create_pruning(body: PruningRequest, services: AppServices, response: Response) -> Job:
    """Start a job that finds an order of experts, then measures share after share beside random sets.

    The same request is the same job; 200 if its result exists. A cancelled job resumes where it stopped. Only for
    models with experts.
    """
    return await submitted(services, "pruning", body, response)


@router.get("/{job_id}", summary="Read a pruning")
async def get_pruning(job_id: JobId, services: AppServices) -> Pruning:
    """The order and the curves; partial results while the job runs or just after it was cancelled."""
    return Pruning.model_validate(await _pruning(services, job_id))


@router.get("/{job_id}/keep-list", summary="Read a keep-list", response_model_exclude_none=True)
async def get_keep_list(job_id: JobId, keep: Kept, services: AppServices, response: Response) -> KeepListFile:
    """The experts to keep, as a file; 422 if a layer would keep fewer experts than a token takes."""
    pruning = await _pruning(services, job_id)
    _, keep_list = await asyncio.to_thread(services.prunings.keep_list, pruning, _counts(keep))
    response.headers["Content-Disposition"] = f'attachment; filename="keep-list-{job_id[:12]}.json"'
    return KeepListFile.model_validate(keep_list.to_dict())


@router.get("/{job_id}/model", response_class=StreamingResponse, responses=content(ZIP), summary="The pruned model")
async def get_pruned_model(job_id: JobId, keep: Kept, services: AppServices) -> StreamingResponse:
    """The pruned model as a .zip with config, weights without the removed experts, and `keep-list.json`.

    A model of transformers is a folder that transformers opens. Its config has one number of experts, so every layer
    has to keep the same number; 422 lists the possible ones. Other models are a checkpoint of this project.
    """
    pruning = await _pruning(services, job_id)
    model, keep_list = await asyncio.to_thread(services.prunings.keep_list, pruning, _counts(keep))
    size, pieces = await services.pruned_models.archive(model, keep_list)
    name = f"{pruning['model']}-pruned-{job_id[:12]}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Content-Length": str(size)}
    return StreamingResponse(pieces, media_type=ZIP, headers=headers)


async def _pruning(services: Services, job_id: str) -> dict[str, Any]:
    """Return the result of a job, or its partial result."""
    if (partial_result := services.prunings.partial_result(job_id)) is not None:
        return partial_result
    try:
        pruning: dict[str, Any] = json.loads(await result_file(services, job_id, "pruning", FACTS))
    except FileNotFoundError as error:
        raise NotFound("There is no such result; it may no longer be kept. Ask for it with POST.") from error
    return pruning


def _counts(keep: str) -> list[int]:
    return [int(number) for number in keep.split(",")]
