"""Traces: record the routing of a sample, read any field of it in any format."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from routescope.routing.describing import describe, names_along_axis
from routescope.routing.recording import DEFAULT_FIELDS
from routescope_app.api.common import (
    BINARY,
    CSV,
    NETCDF,
    AppServices,
    ArrayFormat,
    array_answer,
    content,
    file_answer,
)
from routescope_app.api.leaving import EndsWithItsClient
from routescope_app.api.schemas.base import FieldName, TraceId
from routescope_app.api.schemas.catalogue import FieldValues, TraceInfo, TraceRequest
from routescope_app.services.errors import NotAccepted
from routescope_app.services.samples.tables import MAX_TEXT_VALUES
from routescope_app.services.traces.traces import StoredTrace, field_array, numeric_fields

#: Fields that paths are made of.
PATH_FIELDS = {"compatibility", "messages", "read_in"}

router = APIRouter(prefix="/traces", tags=["traces"], route_class=EndsWithItsClient)


@router.post("", status_code=201)
async def create_trace(body: TraceRequest, services: AppServices, response: Response) -> TraceInfo:
    """Record the routing of a sample. The same request always gives the same id."""
    info = await asyncio.to_thread(services.inference.info, body.model)
    fields = [name for name in DEFAULT_FIELDS if name in info.fields] if body.fields is None else body.fields
    recorded = await services.traces.create(info, body.sample, body.intervention.model_dump(), fields)
    response.headers["Location"] = f"/api/v1/traces/{recorded.id}"
    return to_schema(recorded)


@router.get("/{trace_id}")
async def get_trace(trace_id: TraceId, services: AppServices) -> TraceInfo:
    """The fields of a trace, and the predictions of every head."""
    return to_schema(await services.traces.get(trace_id))


@router.get("/{trace_id}/fields/{name}", response_model=FieldValues, responses=content(BINARY))
async def get_field(trace_id: TraceId, name: FieldName, services: AppServices, form: ArrayFormat = "json") -> Any:
    """One field. Binary is in C order with the headers X-Shape, X-Dims and X-Dtype."""
    recorded = await services.traces.get(trace_id)
    array, dims = field_array(recorded, name)
    if form == "json" and array.size > MAX_TEXT_VALUES:
        raise NotAccepted(
            f"JSON holds up to {MAX_TEXT_VALUES} numbers and this field has {array.size}; ask for format=binary."
        )
    coordinates = {dim: names for dim in dims if (names := names_along_axis(recorded.trace.dataset, dim))}
    return await array_answer(array, dims, form, name, trace_id, coordinates)


@router.get("/{trace_id}/file", response_class=Response, responses=content(NETCDF, CSV))
async def get_file(
    trace_id: TraceId,
    services: AppServices,
    form: Annotated[
        Literal["netcdf", "csv"], Query(alias="format", description="The whole trace, or its paths as a table.")
    ] = "netcdf",
) -> Response:
    """The trace as a file with its model, revision, seed and intervention; or the segments of its paths."""
    recorded = await services.traces.get(trace_id)
    dataset = recorded.trace.dataset
    stem = f"trace-{dataset.attrs['model'] or 'model'}-{trace_id[:12]}"
    if form == "netcdf":
        return file_answer(await services.traces.file(recorded), NETCDF, f"{stem}.nc")
    fields = PATH_FIELDS & set(map(str, dataset))
    if not fields:
        raise NotAccepted("Paths need the field compatibility, messages or read_in; create the trace with it.")
    segments = sum(dataset[name].size for name in fields)
    if segments > MAX_TEXT_VALUES:
        raise NotAccepted(
            f"A table has up to {MAX_TEXT_VALUES} segments and these paths have {segments}; fetch the fields."
        )
    return file_answer(await asyncio.to_thread(_paths_csv, recorded), CSV, f"{stem}-paths.csv")


def to_schema(recorded: StoredTrace) -> TraceInfo:
    """Return the description of a trace of one sample."""
    dataset = recorded.trace.dataset
    return TraceInfo.model_validate(
        {
            **describe(recorded.trace),
            "id": recorded.id,
            "sample": recorded.sample,
            **{
                name: int(dataset[name].values[0])
                for name in ("tokens_left_out", "bytes_left_out")
                if name in dataset.coords
            },
            "fields": [
                {
                    "name": name,
                    "dims": list(map(str, dataset[name].dims)),
                    "shape": list(dataset[name].shape),
                    "dtype": str(dataset[name].dtype),
                }
                for name in numeric_fields(recorded)
            ],
            "seconds": recorded.seconds,
            "cached": recorded.cached,
        }
    )


def _paths_csv(recorded: StoredTrace) -> str:
    """Return the segments as a table, below comment lines about the trace."""
    attributes = recorded.trace.dataset.attrs
    head = "".join(f"# {key}: {attributes[key]}\n" for key in ("model", "revision", "intervention", "seed", "versions"))
    return head + str(recorded.trace.paths().segments.to_csv(index=False, lineterminator="\n"))
