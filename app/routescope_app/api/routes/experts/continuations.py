"""Continuations: a text written on by a model, token by token, with the path of each new token."""

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.sse import EventSourceResponse, ServerSentEvent

from routescope.routing.continuing import NewToken
from routescope_app.api import problems
from routescope_app.api.common import AppServices
from routescope_app.api.queries import intervention_query
from routescope_app.api.schemas.base import ModelId, SampleId
from routescope_app.api.schemas.continuations import Continuation, ContinuationRequest, ContinuedToken
from routescope_app.api.schemas.interventions import OF_EXPERTS

router = APIRouter(prefix="/continuations", tags=["traces"])


@router.post("", summary="Continue a text and wait for all of it")
async def create_continuation(body: ContinuationRequest, services: AppServices) -> Continuation:
    """The tokens that a model writes after a text, each with its path through the experts."""
    async with aclosing(services.continuing.stream(body.model_dump())) as found:
        return Continuation(tokens=[ContinuedToken.of(at, token) async for at, token in enumerated(found)])


async def enumerated(found: AsyncIterator[NewToken]) -> AsyncIterator[tuple[int, NewToken]]:
    """Each with its place, from 0."""
    at = 0
    async for each in found:
        yield at, each
        at += 1


@router.get("/stream", response_class=EventSourceResponse, summary="Continue a text, token by token")
async def stream_continuation(
    services: AppServices,
    model: ModelId,
    sample: SampleId,
    change: Annotated[Callable[[], dict[str, Any]], intervention_query(OF_EXPERTS)],
    tokens: Annotated[int, Query(ge=1, le=4_096, description="How many are written.")] = 48,
    among: Annotated[
        int, Query(ge=1, le=256, description="Drawn from so many most probable ones; 1: always the most probable.")
    ] = 1,
    seed: Annotated[int, Query(ge=0, le=2**31 - 1, description="Of what is drawn.")] = 0,
) -> AsyncIterator[Any]:
    """Server-sent events named `token`, each sent once the model has read the token, so that its path is known; the
    last event is `done`. What cannot be done ends the stream with an event `problem`. Closing the connection stops it.
    """
    request = {
        "model": model,
        "sample": sample,
        "tokens": tokens,
        "among": among,
        "seed": seed,
        "intervention": change(),
    }
    try:
        async with aclosing(services.continuing.stream(request)) as found:
            async for at, token in enumerated(found):
                yield ServerSentEvent(event="token", raw_data=ContinuedToken.of(at, token).model_dump_json())
        yield ServerSentEvent(event="done", raw_data="{}")
    except Exception as error:
        yield problems.as_event(error)
