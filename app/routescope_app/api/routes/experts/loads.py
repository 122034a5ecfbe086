"""How tokens of texts spread over experts. Observed, nothing caused."""

import asyncio
import json

from fastapi import APIRouter, Response

from routescope_app.api.common import AppServices
from routescope_app.api.routes.jobs import submitted
from routescope_app.api.schemas.base import JobId
from routescope_app.api.schemas.jobs import Job, LoadRequest
from routescope_app.api.schemas.loads import ExpertLoad

router = APIRouter(prefix="/expert-loads", tags=["observations"])


@router.post("", status_code=202, responses={200: {"model": Job}}, summary="Observe which experts tokens take")
async def create_load(body: LoadRequest, services: AppServices, response: Response) -> Job:
    """Starts a job that counts load, entropy, dead experts, which data set and which token uses which, co-activation,
    which experts are alike, and exemplars.

    200 when the same was observed before. The same request is the same job. Only for models with experts.
    """
    return await submitted(services, "load", body.model_dump(), response)


@router.get("/{job_id}", summary="Read which experts tokens took")
async def get_load(job_id: JobId, services: AppServices) -> ExpertLoad:
    """Layer by layer, and the tokens that each expert has most weight for, in their texts."""
    folder = await services.jobs.result(job_id, "load")
    text = await asyncio.to_thread((folder / "load.json").read_text)
    return ExpertLoad.model_validate(json.loads(text))
