"""Routing logs: bring one, list, look into one, compare two, delete."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import FileResponse

from routescope.routing.logs import Ranks, Reading
from routescope_app.api.callers import Caller
from routescope_app.api.common import AppServices
from routescope_app.api.schemas import logs as schemas
from routescope_app.api.schemas.base import LONGEST_NAME
from routescope_app.api.schemas.logs import LogId
from routescope_app.services.errors import NotAccepted
from routescope_app.services.logs.logs import Recording, StoredLog
from routescope_app.services.logs.parts import agreeing, facts_within
from routescope_app.services.owners import whose
from routescope_app.settings import MAX_PAGE

router = APIRouter(prefix="/logs", tags=["logs"])
MOST_OFFSET = 10_000_000
LARGEST = 2**15
MOST_TOKENS = 1_024
PARQUET = "application/vnd.apache.parquet"
Known = Annotated[int | None, Query(ge=1, le=LARGEST, description="Where the log does not say.")]
Limit = Annotated[int, Query(ge=0, le=1_000)]
Layers = Annotated[int, Query(ge=1, le=LARGEST, description="How many layers at most.")]
Offset = Annotated[int, Query(ge=0, le=MOST_OFFSET)]

#: Of a route whose body is a file, streamed.
FILE = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


def to_schema(log: StoredLog, caller: str | None, *, whole: bool = True) -> schemas.RoutingLog:
    """The log as it goes out to this caller.

    Args:
        whole: whether facts have layers and sentences; those of lists, and beside other answers, have not.
    """
    return schemas.RoutingLog(
        id=log.id,
        name=log.name,
        created=log.created,
        owner=whose(log.owner, caller),
        bytes=log.bytes,
        facts=schemas.LogFacts.model_validate(facts_within(log.facts, whole=whole)),
    )


def _check_page(services: AppServices, limit: int) -> None:
    if limit > MAX_PAGE:
        raise NotAccepted(f"One page has up to {MAX_PAGE} entries; ask for further ones by offset.")


@router.get("", summary="Routing logs, newest first")
async def list_logs(
    services: AppServices, caller: Caller, limit: Limit = 50, offset: Offset = 0
) -> schemas.RoutingLogs:
    """The caller's own ones, and those that were brought without a browser; their facts are without layers and notes.

    One log has all of them.
    """
    _check_page(services, limit)
    found, total = await asyncio.to_thread(services.logs.find, caller, offset, limit)
    return schemas.RoutingLogs(items=[to_schema(log, caller, whole=False) for log in found], total=total)


@router.post("", status_code=201, summary="Bring a routing log", openapi_extra=FILE)
async def add_log(
    request: Request,
    services: AppServices,
    caller: Caller,
    response: Response,
    name: Annotated[str | None, Query(max_length=LONGEST_NAME, description="Of the file.")] = None,
    top_k: Known = None,
    layers: Known = None,
    experts: Known = None,
    start: Annotated[
        int | None,
        Query(ge=0, le=MOST_OFFSET, description="How many tokens at the start of each response are not in the log."),
    ] = None,
    ranks: Annotated[Ranks | None, Query(description="What the ranks are that a log joins.")] = None,
) -> schemas.RoutingLog:
    """Send the file as the body. Its format is detected by its content; `facts` say what was assumed in reading it.

    vLLM, SGLang, Megatron-core, CSV, arrays in npy, npz and safetensors, traces and logs of our own.
    """
    said = Reading(top_k, layers, experts, start=start, ranks=ranks)
    log = await services.logs.add(request.stream(), name, said, caller)
    response.headers["Location"] = f"/api/v1/logs/{log.id}"
    return to_schema(log, caller)


@router.post("/recordings", status_code=201, summary="Record a log of a model")
async def record_log(
    asked: schemas.NewRecording, services: AppServices, caller: Caller, response: Response
) -> schemas.RoutingLog:
    """Of a mixture of experts, on the validation texts of its data sets, in a precision, under an intervention."""
    recording = Recording(asked.model, asked.precision, tuple(asked.drop), tuple(asked.mute), asked.texts, asked.top_k)
    log = await services.logs.record(recording, caller)
    response.headers["Location"] = f"/api/v1/logs/{log.id}"
    return to_schema(log, caller)


@router.get("/comparison", summary="Two routing logs compared")
async def compare_logs(services: AppServices, a: LogId, b: LogId) -> schemas.RoutingComparison:
    """Agreement by layer, where it ends, and by the router's margin. All of it is observed."""
    found = await services.logs.compare(a, b)
    return schemas.RoutingComparison.model_validate(await asyncio.to_thread(found.as_json))


@router.get("/comparison/tokens", summary="Where two routing logs agree in a text")
async def compare_tokens(
    services: AppServices,
    a: LogId,
    b: LogId,
    sequence: Annotated[
        int | None, Query(ge=0, le=MOST_OFFSET, description="Its place in A; the one that agrees least.")
    ] = None,
    limit: Limit = 200,
    offset: Offset = 0,
) -> schemas.ComparedTokens:
    """The tokens of one sequence."""
    _check_page(services, limit)
    found = await services.logs.compare(a, b)
    chosen, items, total = await asyncio.to_thread(agreeing, found, sequence, offset, limit)
    tokens = [schemas.ComparedToken.model_validate(item) for item in items]
    start = (await services.logs.log(a)).rows_of(chosen).start
    return schemas.ComparedTokens(sequence=chosen, name=found.sequences[chosen], start=start, items=tokens, total=total)


@router.get("/comparison/token", summary="What one token took in two routing logs")
async def compare_token(
    services: AppServices,
    a: LogId,
    b: LogId,
    token: Annotated[int, Query(ge=0, le=MOST_OFFSET, description="Its place in A, from 0.")],
) -> schemas.ComparedDecision:
    """Its experts in both, layer by layer, with their shares and the routers' margins."""
    return schemas.ComparedDecision.model_validate(await services.logs.decision(a, b, token))


@router.get("/{log_id}", summary="One routing log")
async def get_log(log_id: LogId, services: AppServices, caller: Caller) -> schemas.RoutingLog:
    """What it is and what is in it."""
    return to_schema(await asyncio.to_thread(services.logs.get, log_id), caller)


@router.get("/{log_id}/usage", summary="How often experts were taken")
async def get_usage(
    log_id: LogId, services: AppServices, limit: Layers = 1_000, offset: Offset = 0
) -> schemas.LogUsage:
    """By layer and expert, from a layer on; of very many experts there are fewer layers than asked for."""
    return schemas.LogUsage.model_validate(await services.logs.usage(log_id, offset, limit))


@router.get("/{log_id}/tokens", summary="Tokens and their experts")
async def get_tokens(log_id: LogId, services: AppServices, limit: Limit = 50, offset: Offset = 0) -> schemas.LogTokens:
    """In the order of the log."""
    _check_page(services, limit)
    items, total = await services.logs.tokens(log_id, offset, limit)
    return schemas.LogTokens(items=[schemas.LogToken.model_validate(each) for each in items], total=total)


@router.get(
    "/{log_id}/file",
    response_class=FileResponse,
    responses={200: {"content": {PARQUET: {"schema": {"type": "string", "format": "binary"}}}}},
    summary="A routing log as a file",
)
async def get_file(log_id: LogId, services: AppServices) -> FileResponse:
    """Parquet, which `routescope import`, `routescope compare` and `routescope.routing.logs.read_log` read."""
    path = await asyncio.to_thread(services.logs.file, log_id)
    return FileResponse(path, media_type=PARQUET, filename=f"log-{log_id[:12]}.parquet")


@router.get("/{log_id}/sequences", summary="Sequences of a routing log")
async def get_sequences(
    log_id: LogId, services: AppServices, limit: Limit = 50, offset: Offset = 0
) -> schemas.LogSequences:
    """Texts or requests, in the order of the log."""
    _check_page(services, limit)
    items, total = await services.logs.sequences(log_id, offset, limit)
    return schemas.LogSequences(items=[schemas.LogSequence.model_validate(each) for each in items], total=total)


@router.get("/{log_id}/path", summary="The path of some tokens of a routing log")
async def get_path(
    log_id: LogId,
    services: AppServices,
    caller: Caller,
    sequence: Offset = 0,
    start: Offset = 0,
    tokens: Annotated[int, Query(ge=1, le=MOST_TOKENS, description="How many at most.")] = 256,
) -> schemas.LogPath:
    """Layer by layer the experts that they took, with their shares and margins where the log has them."""
    log = to_schema(await asyncio.to_thread(services.logs.get, log_id), caller, whole=False)
    found = await services.logs.path(log_id, sequence, start, tokens)
    return schemas.LogPath(log=log, **found)


@router.get("/{log_id}/load", summary="How tokens of a routing log spread over experts")
async def get_load(
    log_id: LogId,
    services: AppServices,
    caller: Caller,
    layer: Annotated[
        str | None,
        Query(max_length=LONGEST_NAME, description="Whose details are told where those of all are too many."),
    ] = None,
) -> schemas.LogLoad:
    """Load, evenness, experts that no token took, pairs, tokens in their texts: what the log's fields allow."""
    log = to_schema(await asyncio.to_thread(services.logs.get, log_id), caller, whole=False)
    return schemas.LogLoad(log=log, **await services.logs.load(log_id, layer))


@router.delete("/{log_id}", status_code=204, summary="Delete a routing log")
async def delete_log(log_id: LogId, services: AppServices, caller: Caller) -> Response:
    """One of one's own, or of everybody."""
    await asyncio.to_thread(services.logs.delete, log_id, caller)
    return Response(status_code=204)
