"""Maps of types: made by jobs, fetched as descriptions, arrays or tables."""

import asyncio
import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response

from routescope_app.api.common import BINARY, KEEP, AppServices, as_binary
from routescope_app.api.routes.jobs import submitted
from routescope_app.api.schemas.base import Format, JobId
from routescope_app.api.schemas.catalogue import FieldValues
from routescope_app.api.schemas.jobs import EmbeddingRequest, Job
from routescope_app.api.schemas.results import Embedding
from routescope_app.services.errors import NotFound
from routescope_app.services.measuring import maps as service
from routescope_app.services.traces.traces import as_npz

router = APIRouter(prefix="/embeddings", tags=["embeddings"])
ArrayName = Annotated[str, Path(pattern=r"^[a-z][a-z_]{0,39}$")]


@router.post("", status_code=202, responses={200: {"model": Job}}, summary="Make a map of types")
async def create_embedding(body: EmbeddingRequest, services: AppServices, response: Response) -> Job:
    """Starts a job that maps the types of tokens by PCA, t-SNE or UMAP, with one fit over all steps.

    200 when the same map was made before. The same request is the same job.
    """
    return await submitted(services, "embedding", body.model_dump(), response)


@router.get(
    "/{job_id}",
    response_model=Embedding,
    responses={200: {"content": {"text/csv": {}}}},
    summary="Look at a map",
)
async def get_embedding(
    job_id: JobId,
    services: AppServices,
    form: Annotated[Literal["json", "csv"], Query(alias="format", description="csv has one line a point.")] = "json",
) -> Any:
    """What a map shows and how far it can be trusted; its points are arrays, or all together a table."""
    folder = await services.jobs.result(job_id, "embedding")
    if form == "csv":
        content = await asyncio.to_thread(service.table, folder)
        headers = {"Content-Disposition": f'attachment; filename="types-{job_id[:12]}.csv"'}
        return Response(content, media_type="text/csv", headers=headers)
    text = await asyncio.to_thread((folder / "embedding.json").read_text)
    return Embedding.model_validate(json.loads(text))


@router.get(
    "/{job_id}/arrays/{name}",
    response_model=FieldValues,
    responses={200: {"content": {BINARY: {"schema": {"type": "string", "format": "binary"}}}}},
    summary="Fetch an array of a map",
)
async def get_array(
    job_id: JobId,
    name: ArrayName,
    services: AppServices,
    form: Annotated[Format, Query(alias="format", description="JSON, little-endian numbers, or .npz.")] = "json",
) -> Any:
    """One array, a row a point or a unit. Binary comes in C order with the headers X-Shape, X-Dims and X-Dtype."""
    folder = await services.jobs.result(job_id, "embedding")
    if name not in service.ARRAYS:
        raise NotFound(f"A map has no such array; it has {', '.join(service.ARRAYS)}.")
    array, dims = await asyncio.to_thread(service.read_array, folder, name), service.ARRAYS[name]
    if form == "binary":
        return as_binary(array, dims, KEEP)
    if form == "npz":
        headers = KEEP | {"Content-Disposition": f'attachment; filename="{name}-{job_id[:12]}.npz"'}
        return Response(await asyncio.to_thread(as_npz, name, array), media_type=BINARY, headers=headers)
    coordinates = {"axis": ["x", "y"]} if "axis" in dims else {}
    return FieldValues(
        name=name,
        dims=list(dims),
        shape=list(array.shape),
        dtype=str(array.dtype),
        coordinates=coordinates,
        values=array.tolist(),
    )
