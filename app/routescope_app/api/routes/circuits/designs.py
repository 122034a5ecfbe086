"""Circuits that a model designs for sentences, and maps of sentences by their circuits."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from routescope_app.api.common import BINARY, CSV, AppServices, content, file_answer, result_file
from routescope_app.api.leaving import EndsWithItsClient
from routescope_app.api.routes.jobs import STARTS_JOB, submitted
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


@router.post("/models/{model_id}/designs", summary="Design circuits for sentences")
async def create_designs(model_id: ModelId, body: DesignsRequest, services: AppServices) -> Designs:
    """Statistics of each circuit and its difference from the first; `/designs/links` has the link probabilities."""
    return Designs.model_validate(await services.designs.designs(model_id, body.sentences, body.threshold))


@router.post(
    "/models/{model_id}/designs/links",
    response_class=Response,
    responses=content(BINARY),
    summary="Link probabilities of circuits for sentences",
)
async def create_links(model_id: ModelId, body: DesignsRequest, services: AppServices) -> Response:
    """Little-endian float32: for each sentence the lower triangle by rows, (1, 0), (2, 0), (2, 1), (3, 0)...

    The diagonal is left out. X-Count is the number of sentences, X-Units the number of units.
    """
    lower, units = await services.designs.links(model_id, body.sentences)
    headers = {"X-Count": str(len(lower)), "X-Units": str(units)}
    return Response(lower.astype("<f4").tobytes(), media_type=BINARY, headers=headers)


@router.post("/sentence-maps", **STARTS_JOB, summary="Make a map of sentences")
async def create_sentence_map(body: SentenceMapRequest, services: AppServices, response: Response) -> Job:
    """Start a job that maps the sentences of a set by their circuits and by the text encoder.

    The same request is the same job; 200 if its result exists.
    """
    return await submitted(services, "sentence_map", body, response)


@router.get(
    "/sentence-maps/{job_id}", response_model=SentenceMap, responses=content(CSV), summary="Read a map of sentences"
)
async def get_sentence_map(
    job_id: JobId,
    services: AppServices,
    form: Annotated[
        Literal["json", "csv"], Query(alias="format", description="csv has one line per sentence.")
    ] = "json",
) -> Any:
    """Both maps, and the separation of kinds of reasoning and of objects on each."""
    if form == "csv":
        folder = await services.jobs.result(job_id, "sentence_map")
        return file_answer(await asyncio.to_thread(service.table, folder), CSV, f"sentences-{job_id[:12]}.csv")
    return SentenceMap.model_validate_json(await result_file(services, job_id, "sentence_map", service.FACTS))


@router.post("/sentence-maps/{job_id}/places", summary="Place further sentences on a map")
async def create_places(job_id: JobId, body: PlacesRequest, services: AppServices) -> Places:
    """Positions of sentences on both maps, and their nearest sentences of the set."""
    folder = await services.jobs.result(job_id, "sentence_map")
    return Places.model_validate(await services.sentence_maps.places(folder, body.sentences))
