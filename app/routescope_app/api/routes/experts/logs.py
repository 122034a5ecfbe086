"""Routing logs: upload, list, read, compare, delete."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import FileResponse

from routescope.routing.logs import Ranks, Reading
from routescope_app.api.callers import Caller
from routescope_app.api.common import MOST_OFFSET, AppServices, Limit, Offset, content
from routescope_app.api.schemas import logs as schemas
from routescope_app.api.schemas.base import LONGEST_NAME
from routescope_app.api.schemas.logs import LogId
from routescope_app.services.logs.logs import Recording, StoredLog
from routescope_app.services.logs.parts import agreeing, facts_within
from routescope_app.services.owners import whose

router = APIRouter(prefix="/logs", tags=["logs"])
LARGEST = 2**15
MOST_TOKENS = 1_024
PARQUET = "application/vnd.apache.parquet"
Known = Annotated[int | None, Query(ge=1, le=LARGEST, description="If missing from the log.")]
Layers = Annotated[int, Query(ge=1, le=LARGEST, description="Largest number of layers.")]

#: OpenAPI description of a body that is a streamed file.
FILE_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


def to_schema(log: StoredLog, caller: str | None, *, whole: bool = True) -> schemas.RoutingLog:
    """Return the log as this caller sees it; layers and notes only if ``whole``."""
    facts = facts_within(log.facts, whole=whole)
    return schemas.RoutingLog.model_validate({**vars(log), "owner": whose(log.owner, caller), "facts": facts})


@router.get("", summary="List routing logs")
async def list_logs(
    services: AppServices, caller: Caller, limit: Limit = 50, offset: Offset = 0
) -> schemas.RoutingLogs:
    """Logs of the caller and of everybody, newest first, without layers and notes; `/logs/{log_id}` has them."""
    logs, total = await asyncio.to_thread(services.logs.find, caller, offset, limit)
    return schemas.RoutingLogs(items=[to_schema(log, caller, whole=False) for log in logs], total=total)


@router.post("", status_code=201, summary="Upload a routing log", openapi_extra=FILE_BODY)
async def add_log(
    request: Request,
    services: AppServices,
    caller: Caller,
    response: Response,
    name: Annotated[str | None, Query(max_length=LONGEST_NAME, description="Name of the file.")] = None,
    top_k: Known = None,
    layers: Known = None,
    experts: Known = None,
    start: Annotated[
        int | None, Query(ge=0, le=MOST_OFFSET, description="Tokens missing at the start of each response.")
    ] = None,
    ranks: Annotated[Ranks | None, Query(description="Meaning of the ranks that a log joins.")] = None,
) -> schemas.RoutingLog:
    """Send the file as the body. The format is detected automatically; `facts` list the assumptions made in reading.

    vLLM, SGLang, Megatron-core, CSV, arrays in npy, npz and safetensors, traces and logs of this project.
    """
    reading = Reading(top_k, layers, experts, start=start, ranks=ranks)
    log = await services.logs.add(request.stream(), name, reading, caller)
    response.headers["Location"] = f"/api/v1/logs/{log.id}"
    return to_schema(log, caller)


@router.post("/recordings", status_code=201, summary="Record a log of a model")
async def record_log(
    body: schemas.NewRecording, services: AppServices, caller: Caller, response: Response
) -> schemas.RoutingLog:
    """Run a mixture of experts on the validation texts of its data sets, in a precision, under an intervention."""
    log = await services.logs.record(Recording(**body.model_dump()), caller)
    response.headers["Location"] = f"/api/v1/logs/{log.id}"
    return to_schema(log, caller)


@router.get("/comparison", summary="Compare two routing logs")
async def compare_logs(services: AppServices, a: LogId, b: LogId) -> schemas.RoutingComparison:
    """Observed agreement by layer, where it ends, and by the router's margin."""
    comparison = await services.logs.compare(a, b)
    return schemas.RoutingComparison.model_validate(await asyncio.to_thread(comparison.as_json))


@router.get("/comparison/tokens", summary="Compare two routing logs in a text")
async def compare_tokens(
    services: AppServices,
    a: LogId,
    b: LogId,
    sequence: Annotated[
        int | None, Query(ge=0, le=MOST_OFFSET, description="Position in A; without it: the least agreeing one.")
    ] = None,
    limit: Limit = 200,
    offset: Offset = 0,
) -> schemas.ComparedTokens:
    """The tokens of one sequence."""
    comparison = await services.logs.compare(a, b)
    chosen, items, total = await asyncio.to_thread(agreeing, comparison, sequence, offset, limit)
    start = (await services.logs.log(a)).rows_of(chosen).start
    return schemas.ComparedTokens.model_validate(
        {"sequence": chosen, "name": comparison.sequences[chosen], "start": start, "items": items, "total": total}
    )


@router.get("/comparison/token", summary="Compare two routing logs on one token")
async def compare_token(
    services: AppServices,
    a: LogId,
    b: LogId,
    token: Annotated[int, Query(ge=0, le=MOST_OFFSET, description="Position in A, from 0.")],
) -> schemas.ComparedDecision:
    """The experts of a token in both logs, layer by layer, with their shares and the routers' margins."""
    return schemas.ComparedDecision.model_validate(await services.logs.decision(a, b, token))


@router.get("/{log_id}", summary="Read a routing log")
async def get_log(log_id: LogId, services: AppServices, caller: Caller) -> schemas.RoutingLog:
    """Facts about the log, with layers and notes."""
    return to_schema(await asyncio.to_thread(services.logs.get, log_id), caller)


@router.get("/{log_id}/usage", summary="Count the tokens of experts")
async def get_usage(
    log_id: LogId, services: AppServices, limit: Layers = 1_000, offset: Offset = 0
) -> schemas.LogUsage:
    """Counts by layer and expert from a layer on; with very many experts fewer layers than asked for."""
    return schemas.LogUsage.model_validate(await services.logs.usage(log_id, offset, limit))


@router.get("/{log_id}/tokens", summary="List tokens and their experts")
async def get_tokens(log_id: LogId, services: AppServices, limit: Limit = 50, offset: Offset = 0) -> schemas.LogTokens:
    """In the order of the log."""
    items, total = await services.logs.tokens(log_id, offset, limit)
    return schemas.LogTokens.model_validate({"items": items, "total": total})


@router.get("/{log_id}/file", response_class=FileResponse, responses=content(PARQUET), summary="Download a routing log")
async def get_file(log_id: LogId, services: AppServices) -> FileResponse:
    """Parquet, which `routescope import`, `routescope compare` and `routescope.routing.logs.read_log` read."""
    path = await asyncio.to_thread(services.logs.file, log_id)
    return FileResponse(path, media_type=PARQUET, filename=f"log-{log_id[:12]}.parquet")


@router.get("/{log_id}/sequences", summary="List sequences of a routing log")
async def get_sequences(
    log_id: LogId, services: AppServices, limit: Limit = 50, offset: Offset = 0
) -> schemas.LogSequences:
    """Texts or requests, in the order of the log."""
    items, total = await services.logs.sequences(log_id, offset, limit)
    return schemas.LogSequences.model_validate({"items": items, "total": total})


@router.get("/{log_id}/path", summary="Read the path of tokens of a routing log")
async def get_path(
    log_id: LogId,
    services: AppServices,
    caller: Caller,
    sequence: Offset = 0,
    start: Offset = 0,
    tokens: Annotated[int, Query(ge=1, le=MOST_TOKENS, description="Largest number of tokens.")] = 256,
) -> schemas.LogPath:
    """Their experts layer by layer, with shares and margins if the log has them."""
    log = to_schema(await asyncio.to_thread(services.logs.get, log_id), caller, whole=False)
    return schemas.LogPath(log=log, **await services.logs.path(log_id, sequence, start, tokens))


@router.get("/{log_id}/load", summary="Read the load of experts in a routing log")
async def get_load(
    log_id: LogId,
    services: AppServices,
    caller: Caller,
    layer: Annotated[
        str | None,
        Query(max_length=LONGEST_NAME, description="Layer to detail if the details of all are too many."),
    ] = None,
) -> schemas.LogLoad:
    """Load, evenness, experts without tokens, pairs, tokens in their texts: as far as the log's fields allow."""
    log = to_schema(await asyncio.to_thread(services.logs.get, log_id), caller, whole=False)
    return schemas.LogLoad(log=log, **await services.logs.load(log_id, layer))


@router.delete("/{log_id}", status_code=204, summary="Delete a routing log")
async def delete_log(log_id: LogId, services: AppServices, caller: Caller) -> Response:
    """Delete a log of the caller or of everybody."""
    await asyncio.to_thread(services.logs.delete, log_id, caller)
    return Response(status_code=204)
