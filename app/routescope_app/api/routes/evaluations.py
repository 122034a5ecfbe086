"""Evaluations: what a model is worth without some of its units."""

import math
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import ValidationError

from routescope_app.api import problems
from routescope_app.api.common import AppServices
from routescope_app.api.leaving import EndsWithItsClient
from routescope_app.api.schemas.base import MOST_DRAWS, MOST_SAMPLES, ModelId
from routescope_app.api.schemas.evaluations import Against, Evaluation, EvaluationRequest, Timing, TimingRequest
from routescope_app.services.errors import NotAccepted

router = APIRouter(prefix="/evaluations", tags=["evaluations"], route_class=EndsWithItsClient)

#: Characters of names, separated by commas, as a query has them: m1 to m1024 are 5,036.
LONGEST_LIST = 8_192
SetList = Annotated[
    str,
    Query(pattern=r"^([a-z0-9-]{1,40}(,[a-z0-9-]{1,40})*)?$", max_length=LONGEST_LIST, description="Data sets: a,b."),
]


def list_of_units(what: str) -> Any:
    return Query(max_length=LONGEST_LIST, description=f"Units to {what}: f1,f2.")


def list_of_routes(what: str) -> Any:
    return Query(max_length=LONGEST_LIST, description=f"Routes {what}: A>1.3,1.3>2.1.")


def names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def gates_of(text: str) -> dict[str, float]:
    """Gates by block, of a text such as ``1.3:0.5,E:1``; raises NotAccepted for anything else."""
    gates: dict[str, float] = {}
    for entry in names(text):
        block, _, number = entry.rpartition(":")
        try:
            gate = float(number)
        except ValueError:
            gate = math.nan
        if not block or not 0 <= gate <= 1:
            raise NotAccepted("Gates are named with a number from 0 to 1 each: 1.3:0.5,E:1.")
        if block in gates:
            raise NotAccepted("A gate is fixed once.")
        gates[block] = gate
    return gates


def against_of(text: str) -> dict[str, Any] | None:
    """What a query says an evaluation is compared with; raises NotAccepted for what is not of that form."""
    if not text:
        return None
    try:
        return Against.model_validate_json(text).model_dump()
    except ValidationError as error:
        places = ", ".join(sorted({".".join(map(str, each["loc"])) or "all" for each in error.errors()}))
        raise NotAccepted(
            f"What it is compared with is a model and an intervention, as JSON; not accepted: {places[:120]}."
        ) from None


@router.post("", summary="Evaluate an intervention and wait for the result")
async def create_evaluation(body: EvaluationRequest, services: AppServices) -> Evaluation:
    """Accuracy and loss of a model under an intervention, beside the model as it is on the same samples.

    Scores are kept by content: what was computed before is answered at once. `against` names another evaluation that
    it is compared with, sample by sample.
    """
    return Evaluation.model_validate(await services.evaluations.evaluate(body.model_dump()))


@router.post("/timing", summary="Time an intervention and the model as it is, in turn")
async def time_evaluation(body: TimingRequest, services: AppServices) -> Timing:
    """How many times as fast the model is under an intervention. Several rounds, in each of which both compute the same
    batch of the first data set, so that what else the machine does slows both alike.
    """
    return Timing.model_validate(await services.evaluations.time(body.model_dump()))


@router.get(
    "/stream", response_class=EventSourceResponse, summary="Evaluate an intervention as it becomes more precise"
)
async def stream_evaluation(
    services: AppServices,
    model: ModelId,
    data: SetList = "",
    samples: Annotated[int, Query(ge=1, le=MOST_SAMPLES, description="In all, split evenly over the sets.")] = 1_000,
    drop: Annotated[str, list_of_units("remove, renormalising the others")] = "",
    mute: Annotated[str, list_of_units("silence after normalisation")] = "",
    mean: Annotated[str, list_of_units("replace by their mean contribution")] = "",
    resample: Annotated[str, list_of_units("replace by their contribution for another sample")] = "",
    iterations: Annotated[int | None, Query(ge=0, le=1_000, description="Without it: as configured.")] = None,
    keep_edges: Annotated[
        float | None, Query(ge=0, le=1, description="Share of the links kept; without it: all.")
    ] = None,
    top_k: Annotated[
        int | None, Query(ge=1, le=1_024, description="Experts a token takes; without it: as trained.")
    ] = None,
    mute_routes: Annotated[str, list_of_routes("of which the weight becomes 0")] = "",
    copy_routes: Annotated[str, list_of_routes("that make a block a copy of its source")] = "",
    gates: Annotated[str, Query(max_length=LONGEST_LIST, description="Gates that are fixed: 1.3:0.5,E:1.")] = "",
    controls: Annotated[int, Query(ge=0, le=MOST_DRAWS, description="Random sets to compare with.")] = 10,
    against: Annotated[
        str,
        Query(
            max_length=2 * LONGEST_LIST,
            description='A, of which this is B, as `POST /evaluations` takes it: {"model": "m", "intervention": {}}. '
            "Why the two cannot be compared is said in `comparison`, and the evaluation goes on.",
        ),
    ] = "",
) -> AsyncIterator[Any]:
    """Server-sent events named `evaluation`; the last one has the state `done`. What cannot be done ends the stream
    with an event `problem`. Closing the connection stops the computing at its next batch.
    """
    units = {"drop": names(drop), "mute": names(mute), "mean": names(mean), "resample": names(resample)}
    routes = {"mute_routes": names(mute_routes), "copy_routes": names(copy_routes)}
    try:
        for named in units.values():
            if any(len(name) > 40 for name in named):
                raise NotAccepted("The name of a unit has up to 40 characters.")
        change = {**units, **routes, "gates": gates_of(gates), "iterations": iterations, "keep_edges": keep_edges}
        change["top_k"] = top_k
        request = {
            "model": model,
            "data": names(data),
            "samples": samples,
            "intervention": change,
            "controls": controls,
            "against": against_of(against),
        }
        async with aclosing(services.evaluations.stream(request)) as states:
            async for state in states:
                yield ServerSentEvent(event="evaluation", raw_data=Evaluation.model_validate(state).model_dump_json())
    except Exception as error:
        yield problems.as_event(error)
