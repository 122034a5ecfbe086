"""Traces: record the routing of a sample, fetch any field of it in any form."""

import asyncio
import math
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np
import xarray as xr
from fastapi import APIRouter, Query, Response

from routescope.routing.recording import DEFAULT_FIELDS
from routescope_app.api.common import BINARY, KEEP, AppServices, as_binary
from routescope_app.api.leaving import EndsWithItsClient
from routescope_app.api.schemas.base import FieldName, Format, TraceId
from routescope_app.api.schemas.catalogue import (
    DomainNumber,
    DomainPrediction,
    FieldValues,
    Grid,
    Token,
    TraceField,
    TraceInfo,
    TraceRequest,
)
from routescope_app.api.schemas.interventions import AppliedIntervention
from routescope_app.services.errors import NotAccepted
from routescope_app.services.measuring.snapshots import finite
from routescope_app.services.samples.tables import MAX_TEXT_VALUES
from routescope_app.services.traces.traces import StoredTrace, as_npz, field_array, numeric_fields

#: Fields of which one is enough for paths.
PATHS = {"compatibility", "messages", "read_in"}

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
    """What a trace holds, and the predictions of every head."""
    return to_schema(await services.traces.get(trace_id))


@router.get(
    "/{trace_id}/fields/{name}",
    response_model=FieldValues,
    responses={200: {"content": {BINARY: {"schema": {"type": "string", "format": "binary"}}}}},
)
async def get_field(
    trace_id: TraceId,
    name: FieldName,
    services: AppServices,
    form: Annotated[Format, Query(alias="format", description="JSON, little-endian numbers, or .npz.")] = "json",
) -> Any:
    """One field. Binary comes in C order with the headers X-Shape, X-Dims and X-Dtype."""
    recorded = await services.traces.get(trace_id)
    array, dims = field_array(recorded, name)
    if form == "json":
        if array.size > MAX_TEXT_VALUES:
            raise NotAccepted(
                f"JSON holds up to {MAX_TEXT_VALUES} numbers and this field has {array.size}; ask for format=binary."
            )
        return await asyncio.to_thread(_json, recorded, name, array, dims)
    if form == "npz":
        headers = KEEP | {"Content-Disposition": f'attachment; filename="{name}-{trace_id[:12]}.npz"'}
        return Response(await asyncio.to_thread(as_npz, name, array), media_type=BINARY, headers=headers)
    return as_binary(array, dims, KEEP)


@router.get(
    "/{trace_id}/file",
    response_class=Response,
    responses={200: {"content": {"application/x-netcdf": {}, "text/csv": {}}}},
)
async def get_file(
    trace_id: TraceId,
    services: AppServices,
    form: Annotated[
        Literal["netcdf", "csv"], Query(alias="format", description="The whole trace, or its paths as a table.")
    ] = "netcdf",
) -> Response:
    """The trace as a file that says its model, revision, seed and intervention; or the segments of its paths."""
    recorded = await services.traces.get(trace_id)
    stem = f"trace-{recorded.trace.dataset.attrs['model'] or 'model'}-{trace_id[:12]}"
    if form == "csv":
        if not PATHS & set(map(str, recorded.trace.dataset)):
            raise NotAccepted("Paths need the field compatibility, messages or read_in; create the trace with it.")
        segments = sum(recorded.trace[name].size for name in PATHS & set(map(str, recorded.trace.dataset)))
        if segments > MAX_TEXT_VALUES:
            raise NotAccepted(
                f"A table has up to {MAX_TEXT_VALUES} segments and these paths have {segments}; fetch the fields."
            )
        headers = {"Content-Disposition": f'attachment; filename="{stem}-paths.csv"'}
        return Response(await asyncio.to_thread(_csv, recorded), media_type="text/csv", headers=headers)
    headers = {"Content-Disposition": f'attachment; filename="{stem}.nc"'}
    return Response(await services.traces.file(recorded), media_type="application/x-netcdf", headers=headers)


def to_schema(recorded: StoredTrace) -> TraceInfo:
    """The description of a trace of one sample."""
    dataset = recorded.trace.dataset
    intervention = recorded.trace.intervention
    units = [str(unit) for unit in dataset["unit"].values] if "unit" in dataset.coords else []
    steps = [str(step) for step in dataset["step"].values] if "step" in dataset.coords else []
    by_step = _units_by_step(dataset, units, steps)
    named = units if by_step is None else list(dict.fromkeys(unit for names in by_step for unit in names))
    tokens = _tokens(dataset)
    places = [token for token in tokens if token.row is not None]
    labels = "logits" in dataset and dataset["logits"].dims == (
        "sample",
        "domain",
        "label",
    )  # else heads answer with something else
    predictions = recorded.trace.predictions()[0] if labels else {}
    called = [str(label) for label in dataset["label"].values] if labels else []
    return TraceInfo(
        id=recorded.id,
        model=str(dataset.attrs["model"]),
        revision=str(dataset.attrs["revision"]),
        sample=recorded.sample,
        intervention=AppliedIntervention.model_validate(intervention.to_dict()),
        seed=None if dataset.attrs["seed"] == "" else int(dataset.attrs["seed"]),
        units=units,
        units_by_step=by_step,
        kept=[unit for unit in named if unit not in intervention.drop],
        steps=steps,
        tokens=tokens,
        grid=Grid(
            rows=1 + max((token.row or 0 for token in places), default=-1),
            columns=1 + max((token.column or 0 for token in places), default=-1),
        ),
        domains=[str(name) for name in dataset["domain"].values],
        predictions=[
            DomainPrediction(domain=domain, label=int(p.argmax()), probabilities=[float(x) for x in p], labels=called)
            for domain, p in predictions.items()
        ],
        numbers=[
            DomainNumber(domain=domain, value=value if math.isfinite(value) else None)
            for domain, value in recorded.trace.numbers()[0].items()
        ],
        tokens_left_out=_left_out(dataset, "tokens_left_out"),
        bytes_left_out=_left_out(dataset, "bytes_left_out"),
        fields=[
            TraceField(
                name=name,
                dims=[str(d) for d in dataset[name].dims],
                shape=list(dataset[name].shape),
                dtype=str(dataset[name].dtype),
            )
            for name in numeric_fields(recorded)
        ],
        seconds=recorded.seconds,
        cached=recorded.cached,
    )


def _left_out(dataset: xr.Dataset, name: str) -> int | None:
    """How much of the one sample, a text, is left out; None where samples are no texts."""
    return int(dataset[name].values[0]) if name in dataset.coords else None


def _units_by_step(dataset: xr.Dataset, units: list[str], steps: list[str]) -> list[list[str]] | None:
    """Names of the units of every step, where steps have units of their own: those of its layer, or of its script."""
    if "kept" in dataset and dataset["kept"].dims == ("step", "unit"):
        return [[f"{step}.{unit}" for unit in units] for step in steps]
    if dataset.sizes.get("script", 1) > 1:
        return [[f"{step.partition('.')[0]}.{unit}" for unit in units] for step in steps]
    return None


def _tokens(dataset: xr.Dataset) -> list[Token]:
    names = [str(name) for name in dataset["token"].values] if "token" in dataset.coords else []
    if any(name.startswith("panel:") for name in names):
        return _panels(names)
    if "token_text" not in dataset:
        numbers = [name for name in names if name.startswith("number:")]
        return [_token(name, numbers) for name in names]
    texts = dataset["token_text"].values[0]  # of the one sample
    return [
        Token(name=name, kind="text", row=None, column=None, text=str(text))
        for name, text in zip(names, texts, strict=True)
    ]


def _panels(names: Sequence[str]) -> list[Token]:
    """Tokens of a sample of panels with a gap, read once with each answer in it: their names end with its number."""
    found = []
    for name in names:
        rest, _, candidate = name.rpartition(":")
        kind, _, place = rest.partition(":")
        row, column = map(int, place.split(",")) if kind == "panel" else (None, None)
        of = "cls" if kind == "cls" else "panel"
        found.append(Token(name=name, kind=of, row=row, column=column, candidate=int(candidate)))
    last = max(token.row for token in found if token.row is not None)
    return [
        token.model_copy(update={"row": last, "column": last}) if token.name.startswith("answer:") else token
        for token in found
    ]


def _token(name: str, numbers: Sequence[str]) -> Token:
    kind, _, place = name.partition(":")
    if kind == "patch":
        row, column = place.split(",")
        return Token(name=name, kind="patch", row=int(row), column=int(column))
    if kind == "number":
        return Token(name=name, kind="number", row=0, column=numbers.index(name))
    if kind in ("token", "point"):
        return Token(name=name, kind="token" if kind == "token" else "point", row=None, column=None)
    return Token(name=name, kind="cls", row=None, column=None)


def _json(recorded: StoredTrace, name: str, array: np.ndarray, dims: tuple[str, ...]) -> FieldValues:
    coords = recorded.trace.dataset.coords
    return FieldValues(
        name=name,
        dims=list(dims),
        shape=list(array.shape),
        dtype=str(array.dtype),
        coordinates={d: [str(value) for value in coords[d].values] for d in dims if d in coords},
        values=finite(array.tolist()) if array.dtype.kind == "f" and not np.isfinite(array).all() else array.tolist(),
    )


def _csv(recorded: StoredTrace) -> str:
    """Segments as a table, below lines that say where they come from."""
    attributes = recorded.trace.dataset.attrs
    head = "".join(f"# {key}: {attributes[key]}\n" for key in ("model", "revision", "intervention", "seed", "versions"))
    return head + str(recorded.trace.paths().segments.to_csv(index=False, lineterminator="\n"))
