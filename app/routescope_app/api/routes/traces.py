"""Traces: record the routing of a sample, read any field of it in any format."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import xarray as xr
from fastapi import APIRouter, Query, Response

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
from routescope_app.api.schemas.catalogue import FieldValues, Token, TraceInfo, TraceRequest
from routescope_app.services.errors import NotAccepted
from routescope_app.services.packed import finite
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
    coordinates = {dim: names for dim in dims if (names := _names(recorded.trace.dataset, dim))}
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
    trace, dataset = recorded.trace, recorded.trace.dataset
    units, steps = _names(dataset, "unit"), _names(dataset, "step")
    by_step = _units_by_step(dataset, units, steps)
    all_units = units if by_step is None else list(dict.fromkeys(unit for names in by_step for unit in names))
    tokens = _tokens(dataset)
    has_labels = "logits" in dataset and dataset["logits"].dims == ("sample", "domain", "label")
    predictions = trace.predictions()[0] if has_labels else {}
    return TraceInfo.model_validate(
        {
            "id": recorded.id,
            "model": str(dataset.attrs["model"]),
            "revision": str(dataset.attrs["revision"]),
            "sample": recorded.sample,
            "intervention": trace.intervention.structural.to_dict(),
            "seed": None if dataset.attrs["seed"] == "" else int(dataset.attrs["seed"]),
            "units": units,
            "units_by_step": by_step,
            "kept": [unit for unit in all_units if unit not in trace.intervention.drop],
            "steps": steps,
            "tokens": tokens,
            "grid": {
                "rows": 1 + max((token.row for token in tokens if token.row is not None), default=-1),
                "columns": 1 + max((token.column for token in tokens if token.column is not None), default=-1),
            },
            "domains": _names(dataset, "domain"),
            "predictions": [
                {
                    "domain": domain,
                    "label": int(probabilities.argmax()),
                    "probabilities": probabilities.tolist(),
                    "labels": _names(dataset, "label"),
                }
                for domain, probabilities in predictions.items()
            ],
            "numbers": [{"domain": domain, "value": finite(value)} for domain, value in trace.numbers()[0].items()],
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


def _names(dataset: xr.Dataset, axis: str) -> list[str]:
    """Return the names along an axis; none if it has no names."""
    return [str(name) for name in dataset[axis].values] if axis in dataset.coords else []


def _units_by_step(dataset: xr.Dataset, units: list[str], steps: list[str]) -> list[list[str]] | None:
    """Return the units of each step, named by their layer or script; None if all steps have the same units."""
    if "kept" in dataset and dataset["kept"].dims == ("step", "unit"):
        return [[f"{step}.{unit}" for unit in units] for step in steps]
    if dataset.sizes.get("script", 1) > 1:
        return [[f"{step.partition('.')[0]}.{unit}" for unit in units] for step in steps]
    return None


def _tokens(dataset: xr.Dataset) -> list[Token]:
    names = _names(dataset, "token")
    if any(name.startswith("panel:") for name in names):
        return _panel_tokens(names)
    if "token_text" in dataset:
        texts = dataset["token_text"].values[0]  # of the one sample
        return [
            Token(name=name, kind="text", row=None, column=None, text=str(text))
            for name, text in zip(names, texts, strict=True)
        ]
    numbers = [name for name in names if name.startswith("number:")]
    return [_token(name, numbers) for name in names]


def _panel_tokens(names: Sequence[str]) -> list[Token]:
    """Return the tokens of a sample of panels; names end with the number of the answer in the gap."""
    tokens = []
    for name in names:
        rest, _, candidate = name.rpartition(":")
        kind, _, position = rest.partition(":")
        row, column = map(int, position.split(",")) if kind == "panel" else (None, None)
        tokens.append(
            Token(name=name, kind="cls" if kind == "cls" else "panel", row=row, column=column, candidate=int(candidate))
        )
    gap = max(token.row for token in tokens if token.row is not None)
    return [
        token.model_copy(update={"row": gap, "column": gap}) if token.name.startswith("answer:") else token
        for token in tokens
    ]


def _token(name: str, numbers: Sequence[str]) -> Token:
    kind, _, position = name.partition(":")
    row, column = None, None
    if kind == "patch":
        row, column = map(int, position.split(","))
    elif kind == "number":
        row, column = 0, numbers.index(name)
    elif kind not in ("token", "point"):
        kind = "cls"
    return Token.model_validate({"name": name, "kind": kind, "row": row, "column": column})


def _paths_csv(recorded: StoredTrace) -> str:
    """Return the segments as a table, below comment lines about the trace."""
    attributes = recorded.trace.dataset.attrs
    head = "".join(f"# {key}: {attributes[key]}\n" for key in ("model", "revision", "intervention", "seed", "versions"))
    return head + str(recorded.trace.paths().segments.to_csv(index=False, lineterminator="\n"))
