"""Maps of types: made by jobs, read as descriptions, arrays or tables."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response

from routescope_app.api.common import (
    BINARY,
    CSV,
    AppServices,
    ArrayFormat,
    array_answer,
    content,
    file_answer,
    result_file,
)
from routescope_app.api.routes.jobs import STARTS_JOB, submitted
from routescope_app.api.schemas.base import JobId
from routescope_app.api.schemas.catalogue import FieldValues
from routescope_app.api.schemas.jobs import EmbeddingRequest, Job
from routescope_app.api.schemas.results import Embedding
from routescope_app.services.errors import NotFound
from routescope_app.services.measuring import maps as service

router = APIRouter(prefix="/embeddings", tags=["embeddings"])
ArrayName = Annotated[str, Path(pattern=r"^[a-z][a-z_]{0,39}$")]


@router.post("", **STARTS_JOB, summary="Make a map of types")
async def create_embedding(body: EmbeddingRequest, services: AppServices, response: Response) -> Job:
    """Start a job that maps the types of tokens by PCA, t-SNE or UMAP, with one fit over all steps.

    The same request is the same job; 200 if its result exists.
    """
    return await submitted(services, "embedding", body, response)


@router.get("/{job_id}", response_model=Embedding, responses=content(CSV), summary="Read a map")
async def get_embedding(
    job_id: JobId,
    services: AppServices,
    form: Annotated[Literal["json", "csv"], Query(alias="format", description="csv has one line per point.")] = "json",
) -> Any:
    """Description of a map and its trustworthiness; the points are arrays, or one table."""
    if form == "csv":
        folder = await services.jobs.result(job_id, "embedding")
        return file_answer(await asyncio.to_thread(service.table, folder), CSV, f"types-{job_id[:12]}.csv")
    return Embedding.model_validate_json(await result_file(services, job_id, "embedding", service.FACTS))


@router.get(
    "/{job_id}/arrays/{name}", response_model=FieldValues, responses=content(BINARY), summary="Read an array of a map"
)
async def get_array(job_id: JobId, name: ArrayName, services: AppServices, form: ArrayFormat = "json") -> Any:
    """One array, a row per point or unit. Binary is in C order with the headers X-Shape, X-Dims and X-Dtype."""
    folder = await services.jobs.result(job_id, "embedding")
    if name not in service.ARRAYS:
        raise NotFound(f"A map has no such array; it has {', '.join(service.ARRAYS)}.")
    dims = service.ARRAYS[name]
    coordinates = {"axis": ["x", "y"]} if "axis" in dims else {}
    array = await asyncio.to_thread(service.read_array, folder, name)
    return await array_answer(array, dims, form, name, job_id, coordinates)
