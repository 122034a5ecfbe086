"""Parts that routes share: the services of the app, query parameters of lists, files and arrays as answers."""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy as np
from fastapi import Depends, Query, Request, Response

from routescope_app.api.schemas.base import FieldName, Find, Format, JobId
from routescope_app.api.schemas.catalogue import FieldValues
from routescope_app.services.container import Services
from routescope_app.services.packed import nested_list
from routescope_app.services.samples.samples import SampleFilters
from routescope_app.services.traces.traces import as_npz
from routescope_app.settings import MAX_PAGE

#: Headers of answers that never change; only the browser that asked may keep them.
KEEP = {"Cache-Control": "private, max-age=86400, immutable"}
BINARY, CSV, NETCDF, PNG = "application/octet-stream", "text/csv", "application/x-netcdf", "image/png"
MOST_OFFSET = 10_000_000

#: Query parameters of lists and searches.
Limit = Annotated[int, Query(ge=0, le=MAX_PAGE)]
Offset = Annotated[int, Query(ge=0, le=MOST_OFFSET)]
Label = Annotated[int | None, Query(ge=0, le=2**31 - 1)]
Wrong = Annotated[bool | None, Query(description="true: samples that the model labels wrongly; false: correctly.")]


def sample_filters(label: Label = None, wrong: Wrong = None, find: Find = None) -> SampleFilters:
    """Return the filters in the query of a list of samples."""
    return SampleFilters(label, wrong, find)


Filters = Annotated[SampleFilters, Depends(sample_filters)]
#: Format of an array.
ArrayFormat = Annotated[Format, Query(alias="format", description="JSON, little-endian numbers, or .npz.")]

Responses = dict[int | str, dict[str, Any]]


def services_of(request: Request) -> Services:
    """Return the services of the app that answers this request."""
    services: Services = request.app.state.services
    return services


AppServices = Annotated[Services, Depends(services_of)]


def content(*media_types: str) -> Responses:
    """Return the `responses` of a route that may answer with files of these types."""
    return {200: {"content": dict.fromkeys(media_types, {"schema": {"type": "string", "format": "binary"}})}}


#: The `responses` of a route whose answers have an ETag.
UNCHANGED: Responses = {304: {"description": "The client's copy is current."}}


def tagged(body: bytes) -> dict[str, str]:
    """Return headers by which a browser keeps an answer until its content changes."""
    return {"Cache-Control": "private, no-cache", "ETag": f'"{hashlib.sha256(body).hexdigest()[:32]}"'}


def is_current(request: Request, headers: Mapping[str, str]) -> bool:
    """Return whether the client's copy is current."""
    return headers["ETag"] in request.headers.get("if-none-match", "")


def file_answer(body: bytes | str, media_type: str, name: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return a file that browsers save under a name."""
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(body, media_type=media_type, headers={**(headers or {}), **disposition})


async def result_file(services: Services, job_id: JobId, kind: str, name: str) -> bytes:
    """Return a file of a job's result; raises NotFound."""
    folder = await services.jobs.result(job_id, kind)
    return await asyncio.to_thread((folder / name).read_bytes)


def binary_answer(array: np.ndarray, dims: Sequence[str], headers: Mapping[str, str]) -> Response:
    """Return little-endian numbers in C order, with the headers X-Shape, X-Dims and X-Dtype."""
    plain = array.astype(np.uint8) if array.dtype == bool else array
    little = np.ascontiguousarray(plain, dtype=plain.dtype.newbyteorder("<"))
    described = {
        "X-Shape": ",".join(map(str, array.shape)),
        "X-Dims": ",".join(dims),
        "X-Dtype": str(plain.dtype),
    }
    return Response(little.tobytes(), media_type=BINARY, headers={**headers, **described})


async def array_answer(
    array: np.ndarray,
    dims: Sequence[str],
    form: Format,
    name: FieldName,
    owner_id: str,
    coordinates: Mapping[str, list[str]],
) -> Response | FieldValues:
    """Return an array in the format that was asked for.

    Args:
        name: of the array.
        owner_id: id of the trace or job that it belongs to, for the name of a file.
        coordinates: names along the axes that have them.
    """
    if form == "binary":
        return binary_answer(array, dims, KEEP)
    if form == "npz":
        return file_answer(await asyncio.to_thread(as_npz, name, array), BINARY, f"{name}-{owner_id[:12]}.npz", KEEP)
    return FieldValues(
        name=name,
        dims=list(dims),
        shape=list(array.shape),
        dtype=str(array.dtype),
        coordinates=dict(coordinates),
        values=await asyncio.to_thread(nested_list, array),
    )
