"""Continuations: a text written on by a model, token by token, with the path of each new token."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.sse import EventSourceResponse, ServerSentEvent

from routescope_app.api import problems
from routescope_app.api.common import AppServices
from routescope_app.api.queries import intervention_query
from routescope_app.api.schemas.base import ModelId, SampleId
from routescope_app.api.schemas.continuations import Continuation, ContinuationRequest, ContinuedToken
from routescope_app.api.schemas.interventions import OF_EXPERTS
from routescope_app.services.container import Services

router = APIRouter(prefix="/continuations", tags=["traces"])


@router.post("", summary="Continue a text and wait for all of it")
async def create_continuation(body: ContinuationRequest, services: AppServices) -> Continuation:
    """The tokens that a model writes after a text, each with its path through the experts."""
    return Continuation(tokens=[token async for token in _written(services, body.model_dump())])


@router.get("/stream", response_class=EventSourceResponse, summary="Continue a text, token by token")
async def stream_continuation(
    services: AppServices,
    model: ModelId,
    sample: SampleId,
    change: Annotated[Callable[[], dict[str, Any]], intervention_query(OF_EXPERTS)],
    tokens: Annotated[int, Query(ge=1, le=4_096, description="Number of tokens to write.")] = 48,
    among: Annotated[
        int, Query(ge=1, le=256, description="Draw from this many most probable tokens; 1: take the most probable.")
    ] = 1,
    seed: Annotated[int, Query(ge=0, le=2**31 - 1, description="Seed of the draws.")] = 0,
) -> AsyncIterator[Any]:
    """Server-sent events named `token`, each sent once the model has read the token, so that its path is known.

    The last event is `done`; an error ends the stream with an event `problem`. Closing the connection stops it.
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
        async with aclosing(_written(services, request)) as written:
            async for token in written:
                yield ServerSentEvent(event="token", raw_data=token.model_dump_json())
        yield ServerSentEvent(event="done", raw_data="{}")
    except Exception as error:
        yield problems.as_event(error)


async def _written(services: Services, request: dict[str, Any]) -> AsyncGenerator[ContinuedToken, None]:
    """Yield each new token with its position."""
    position = 0
    async with aclosing(services.continuations.stream(request)) as tokens:
        async for token in tokens:
            yield ContinuedToken.of(position, token)
            position += 1
