"""Circuits that sentences design, and maps of many sentences by their circuits."""

import asyncio
import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from routescope_app.api.common import BINARY, AppServices
from routescope_app.api.leaving import EndsWithItsClient
from routescope_app.api.routes.jobs import submitted
from routescope_app.api.schemas.base import JobId, ModelId
from routescope_app.api.schemas.designs import (
    Designs,
    DesignsRequest,
    Places,
    PlacesRequest,
    SentenceMap,
    SentenceMapRequest,
)
from routescope_app.api.schemas.jobs import Job
from routescope_app.services.circuits import sentence_maps as service

router = APIRouter(tags=["designs"], route_class=EndsWithItsClient)


@router.post("/models/{model_id}/designs", summary="The circuits that sentences design")
async def create_designs(model_id: ModelId, body: DesignsRequest, services: AppServices) -> Designs:
    """Link probabilities come from `/designs/links`; here is what they amount to and how they differ from the first."""
    return Designs.model_validate(await services.designs.designs(model_id, body.sentences, body.threshold))


@router.post(
    "/models/{model_id}/designs/links",
    response_class=Response,
    responses={200: {"content": {BINARY: {"schema": {"type": "string", "format": "binary"}}}}},
    summary="Link probabilities of the circuits that sentences design",
)
async def create_links(model_id: ModelId, body: DesignsRequest, services: AppServices) -> Response:
    """Little-endian float32, sentence after sentence the lower triangle row by row: (1, 0), (2, 0), (2, 1), (3, 0)...
    without the diagonal. X-Count says how many sentences, X-Units how many units.
    """
    lower, units = await services.designs.links(model_id, body.sentences)
    headers = {"X-Count": str(len(lower)), "X-Units": str(units)}
    return Response(lower.astype("<f4").tobytes(), media_type=BINARY, headers=headers)


@router.post("/sentence-maps", status_code=202, responses={200: {"model": Job}}, summary="Make a map of sentences")
async def create_sentence_map(body: SentenceMapRequest, services: AppServices, response: Response) -> Job:
    """Starts a job that maps the sentences of a set by the circuits that they design, and by the text encoder.

    200 when the same map was made before. The same request is the same job.
    """
    return await submitted(services, "sentence_map", body.model_dump(), response)


@router.get(
    "/sentence-maps/{job_id}",
    response_model=SentenceMap,
    responses={200: {"content": {"text/csv": {}}}},
    summary="Look at a map of sentences",
)
async def get_sentence_map(
    job_id: JobId,
    services: AppServices,
    form: Annotated[Literal["json", "csv"], Query(alias="format", description="csv has one line a sentence.")] = "json",
) -> Any:
    """Both maps, and how far each keeps kinds of reasoning, and objects, apart."""
    folder = await services.jobs.result(job_id, "sentence_map")
    if form == "csv":
        content = await asyncio.to_thread(service.table, folder)
        headers = {"Content-Disposition": f'attachment; filename="sentences-{job_id[:12]}.csv"'}
        return Response(content, media_type="text/csv", headers=headers)
    return SentenceMap.model_validate(json.loads(await asyncio.to_thread((folder / service.FACTS).read_text)))


@router.post("/sentence-maps/{job_id}/places", summary="Place further sentences on a map")
async def create_places(job_id: JobId, body: PlacesRequest, services: AppServices) -> Places:
    """Where sentences land on both maps, and which of the set are nearest."""
    folder = await services.jobs.result(job_id, "sentence_map")
    return Places.model_validate(await services.sentence_maps.places(folder, body.sentences))
