"""Load of experts: how the tokens of texts spread over them."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from routescope_app.api.common import AppServices, result_file
from routescope_app.api.routes.jobs import STARTS_JOB, submitted
from routescope_app.api.schemas.base import JobId
from routescope_app.api.schemas.jobs import Job, LoadRequest
from routescope_app.api.schemas.loads import ExpertLoad
from routescope_app.services.measuring.loads import COUNTS, FACTS

router = APIRouter(prefix="/expert-loads", tags=["observations"])


@router.post("", **STARTS_JOB, summary="Observe the load of experts")
async def create_load(body: LoadRequest, services: AppServices, response: Response) -> Job:
    """Start a job that measures load, entropy, dead experts, specialisation, co-activation, similarity and exemplars.

    The same request is the same job; 200 if its result exists. Only for models with experts.
    """
    return await submitted(services, "load", body, response)


@router.get(
    "/{job_id}",
    response_model=ExpertLoad,
    responses={204: {"description": "Of a job that runs: nothing is counted yet."}},
    summary="Read the load of experts",
)
async def get_load(
    job_id: JobId,
    services: AppServices,
    running: Annotated[bool, Query(description="Of a job that runs: its counts so far, without baselines.")] = False,
) -> Any:
    """Load by layer, and the tokens with the largest weights for each expert, in their texts."""
    if running:
        counts = await services.jobs.file_so_far(job_id, "load", COUNTS)
        return Response(status_code=204) if counts is None else ExpertLoad.model_validate_json(counts)
    return ExpertLoad.model_validate_json(await result_file(services, job_id, "load", FACTS))
