"""Pruning of mixtures of experts: orders, what they cost, keep-lists and pruned models."""

import asyncio
import json
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi.responses import StreamingResponse

from routescope_app.api.common import AppServices
from routescope_app.api.routes.jobs import submitted
from routescope_app.api.schemas.base import JobId
from routescope_app.api.schemas.jobs import Job, PruningRequest
from routescope_app.api.schemas.prunings import KeepListFile, Pruning
from routescope_app.services.container import Services
from routescope_app.services.errors import NotFound
from routescope_app.services.measuring.prunings import FILE

router = APIRouter(prefix="/prunings", tags=["prunings"])
Kept = Annotated[
    str,
    Query(
        pattern=r"^[0-9]{1,5}(,[0-9]{1,5}){0,1023}$",
        description="How many experts each layer keeps, separated by commas, or one number for all.",
        examples=["6"],
    ),
]
ZIP = "application/zip"


@router.post("", status_code=202, responses={200: {"model": Job}}, summary="Prune experts")
async def create_pruning(body: PruningRequest, services: AppServices, response: Response) -> Job:
    """Starts a job that finds the order in which experts go, then measures share after share beside random sets.

    200 when the same was measured before. The same request is the same job; one that was cancelled goes on where it
    stopped. Only for models with experts.
    """
    return await submitted(services, "pruning", body.model_dump(), response)


@router.get("/{job_id}", summary="Read a pruning")
async def get_pruning(job_id: JobId, services: AppServices) -> Pruning:
    """The order and the curves; while the job runs, or where it was cancelled just now, what is known so far."""
    return Pruning.model_validate(await _found(services, job_id))


@router.get("/{job_id}/keep-list", summary="Which experts stay", response_model_exclude_none=True)
async def get_keep_list(job_id: JobId, keep: Kept, services: AppServices, response: Response) -> KeepListFile:
    """The keep-list along the order of a pruning, as a file; 422 where a layer would keep fewer than a token takes."""
    found = await _found(services, job_id)
    _, kept = await asyncio.to_thread(services.prunings.keep_list, found, _counts(keep))
    response.headers["Content-Disposition"] = f'attachment; filename="keep-list-{job_id[:12]}.json"'
    return KeepListFile.model_validate(kept.to_dict())


@router.get(
    "/{job_id}/model",
    response_class=StreamingResponse,
    responses={200: {"content": {ZIP: {"schema": {"type": "string", "format": "binary"}}}}},
    summary="The pruned model",
)
async def get_pruned_model(job_id: JobId, keep: Kept, services: AppServices) -> StreamingResponse:
    """The pruned model as a .zip: config and weights, which the other experts are cut out of, and `keep-list.json`.

    A model of transformers is a folder that transformers opens; as its config has one number of experts, every layer
    has to keep as many: 422 says which numbers would do. Others are a checkpoint of ours.
    """
    found = await _found(services, job_id)
    model, kept = await asyncio.to_thread(services.prunings.keep_list, found, _counts(keep))
    size, pieces = await services.pruned_models.archive(model, kept)
    name = f"{found['model']}-pruned-{job_id[:12]}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Content-Length": str(size)}
    return StreamingResponse(pieces, media_type=ZIP, headers=headers)


async def _found(services: Services, job_id: str) -> dict[str, Any]:
    known = services.prunings.known(job_id)
    if known is not None:
        return known
    folder = await services.jobs.result(job_id, "pruning")
    try:
        found: dict[str, Any] = json.loads(await asyncio.to_thread((folder / FILE).read_text))
    except FileNotFoundError as error:
        raise NotFound("There is no such result; it may no longer be kept. Ask for it with POST.") from error
    return found


def _counts(keep: str) -> list[int]:
    return [int(number) for number in keep.split(",")]
