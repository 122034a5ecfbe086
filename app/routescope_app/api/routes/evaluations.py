"""Evaluations: what a model is worth without some of its units."""

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import ValidationError

from routescope_app.api import problems
from routescope_app.api.common import AppServices
from routescope_app.api.leaving import EndsWithItsClient
from routescope_app.api.queries import LONGEST_LIST, intervention_query, names
from routescope_app.api.schemas.base import MOST_DRAWS, MOST_SAMPLES, ModelId
from routescope_app.api.schemas.evaluations import Against, Evaluation, EvaluationRequest, Timing, TimingRequest
from routescope_app.api.schemas.interventions import OPTIONS
from routescope_app.services.errors import NotAccepted

router = APIRouter(prefix="/evaluations", tags=["evaluations"], route_class=EndsWithItsClient)

SetList = Annotated[
    str,
    Query(pattern=r"^([a-z0-9-]{1,40}(,[a-z0-9-]{1,40})*)?$", max_length=LONGEST_LIST, description="Data sets: a,b."),
]


def against_of(text: str) -> dict[str, Any] | None:
    """Return the comparison that a query asks for; raises NotAccepted for another form."""
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
    change: Annotated[Callable[[], dict[str, Any]], intervention_query(OPTIONS)],
    data: SetList = "",
    samples: Annotated[int, Query(ge=1, le=MOST_SAMPLES, description="In all, split evenly over the sets.")] = 1_000,
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
    try:
        request = {
            "model": model,
            "data": names(data),
            "samples": samples,
            "intervention": change(),
            "controls": controls,
            "against": against_of(against),
        }
        async with aclosing(services.evaluations.stream(request)) as states:
            async for state in states:
                yield ServerSentEvent(event="evaluation", raw_data=Evaluation.model_validate(state).model_dump_json())
    except Exception as error:
        yield problems.as_event(error)
