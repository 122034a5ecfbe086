"""Graphs of models whose units are linked: the whole, its links, and one module."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from routescope_app.api.common import BINARY, AppServices, as_binary
from routescope_app.api.queries import LONGEST_LIST, names
from routescope_app.api.schemas.base import MOST_SAMPLES, ModelId, SampleId, UnitName
from routescope_app.api.schemas.graphs import Graph, GraphModule
from routescope_app.services.circuits.graph_files import network_of, written
from routescope_app.services.circuits.graphs import MAX_FILE_LINKS, edges
from routescope_app.services.circuits.graphs import Graph as ServedGraph
from routescope_app.services.errors import NotFound

router = APIRouter(prefix="/models/{model_id}/graph", tags=["graphs"])

#: Pairs of as many modules as links can name.
MOST_EDGES = 2**31 - 1
#: What browsers and servers call these formats.
XML = {"graphml": "application/graphml+xml", "gexf": "application/gexf+xml"}
FILE: dict[int | str, dict[str, Any]] = {200: {"content": {kind: {} for kind in XML.values()}}}
ARRAY: dict[int | str, dict[str, Any]] = {
    200: {"content": {BINARY: {"schema": {"type": "string", "format": "binary"}}}},
    304: {"description": "As the client has it."},
}


def kept(graph: ServedGraph, what: str) -> dict[str, str]:
    """Headers of what changes with its graph alone: kept by the browser, which asks whether it still holds."""
    return {"Cache-Control": "private, no-cache", "ETag": f'"{graph.key[:32]}-{what}"'}


def is_known(request: Request, headers: dict[str, str]) -> bool:
    """Whether the client has it already."""
    return headers["ETag"] in request.headers.get("if-none-match", "")


@router.get("", summary="The links of a model, beside its prior's")
async def get_graph(model_id: ModelId, services: AppServices) -> Graph:
    """Link probabilities come from `/graph/edges` or `/graph/matrix`; here is what they amount to.

    Computed once for each revision of a model, which takes seconds for a thousand modules.
    """
    return Graph.model_validate((await services.graphs.graph(model_id)).facts)


@router.get("/edges", response_class=Response, responses=ARRAY, summary="Links, the most probable first")
async def get_edges(
    model_id: ModelId,
    services: AppServices,
    request: Request,
    least: Annotated[float, Query(ge=0, le=1, description="Leave out less probable links.")] = 0.0,
    most: Annotated[int | None, Query(ge=0, le=MOST_EDGES, description="Send so many at most.")] = None,
) -> Response:
    """Little-endian: all i (uint16), all j (uint16), all p (float32), i < j. X-Count says how many were sent, X-Total
    how many there are with a probability above 0. Positions are those in `units`.
    """
    graph = await services.graphs.graph(model_id)
    content, count, total = edges(graph, least, most)
    headers = kept(graph, f"edges-{count}") | {"X-Count": str(count), "X-Total": str(total)}
    if is_known(request, headers):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=BINARY, headers=headers)


@router.get("/matrix", response_class=Response, responses=ARRAY, summary="Link probabilities of all pairs")
async def get_matrix(
    model_id: ModelId,
    services: AppServices,
    request: Request,
    which: Annotated[
        Literal["learned", "prior"], Query(description="The model's own, or its prior's as it was matched.")
    ] = "learned",
) -> Response:
    """Little-endian float32 in C order, in the order of `units`, with the headers X-Shape, X-Dims and X-Dtype."""
    graph = await services.graphs.graph(model_id)
    matrix = graph.probability if which == "learned" else graph.prior
    if matrix is None:
        raise NotFound("This model was made without a prior; its own links are at which=learned.")
    headers = kept(graph, which)
    if is_known(request, headers):
        return Response(status_code=304, headers=headers)
    return as_binary(matrix, ("unit", "sender"), headers)


@router.get("/file", response_class=Response, responses=FILE, summary="The graph as GraphML or GEXF")
async def get_graph_file(
    model_id: ModelId,
    services: AppServices,
    format: Annotated[Literal["graphml", "gexf"], Query(description="Which other programs read it.")] = "graphml",
    which: Annotated[
        Literal["learned", "prior"], Query(description="The model's own, or its prior's as it was matched.")
    ] = "learned",
    least: Annotated[float, Query(ge=0, le=1, description="Leave out less probable links.")] = 0.0,
    most: Annotated[int | None, Query(ge=0, le=MOST_EDGES, description="Write so many at most.")] = None,
    drop: Annotated[str, Query(max_length=LONGEST_LIST, description="Units to mark as left out: f1,f2.")] = "",
    keep_edges: Annotated[float | None, Query(ge=0, le=1, description="Share of the links not marked as cut.")] = None,
) -> Response:
    """Modules with connectivity, community, expected links and place; links with their probability as weight, the most
    probable first, up to as many as the service writes into one file. What is left out or cut stays, marked `kept`
    false. Attributes of the whole graph, in GEXF of every module, name model and revision.
    """
    graph = await services.graphs.graph(model_id)
    most_links = MAX_FILE_LINKS if most is None else min(most, MAX_FILE_LINKS)

    def made() -> bytes:
        network = network_of(graph, which, least=least, most=most_links, drop=names(drop), keep_edges=keep_edges)
        return written(network, format)

    content = await asyncio.to_thread(made)
    disposition = {"Content-Disposition": f'attachment; filename="graph.{format}"'}
    return Response(content, media_type=XML[format], headers=disposition)


@router.get("/modules/{unit}", summary="One module and what it does to a sample")
async def get_module(
    model_id: ModelId,
    unit: UnitName,
    services: AppServices,
    sample: Annotated[SampleId | None, Query(description="Whose tokens it reads; without it: no read-in.")] = None,
    samples: Annotated[
        int, Query(ge=1, le=MOST_SAMPLES, description="Of the evaluation in which the drop effect is looked up.")
    ] = 1_000,
) -> GraphModule:
    """Its strongest links; for a sample also where it reads and its share of the output; its drop effect where it was
    evaluated before on all data sets of the model.
    """
    return GraphModule.model_validate(await services.modules.module(model_id, unit, sample, samples))
