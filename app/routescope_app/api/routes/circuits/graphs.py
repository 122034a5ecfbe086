"""Graphs of models whose units are linked: statistics, links, files, and one module."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from routescope_app.api.common import BINARY, UNCHANGED, AppServices, binary_answer, content, file_answer, is_current
from routescope_app.api.queries import LONGEST_LIST, names
from routescope_app.api.schemas.base import MOST_SAMPLES, ModelId, SampleId, UnitName
from routescope_app.api.schemas.graphs import Graph, GraphModule
from routescope_app.services.circuits.graph_files import network_of, written
from routescope_app.services.circuits.graphs import MAX_FILE_LINKS, edges
from routescope_app.services.circuits.graphs import Graph as ServedGraph
from routescope_app.services.errors import NotFound

router = APIRouter(prefix="/models/{model_id}/graph", tags=["graphs"])

#: Bound of the number of links in a query.
MOST_EDGES = 2**31 - 1
#: Media types of graph files.
XML = {"graphml": "application/graphml+xml", "gexf": "application/gexf+xml"}
ARRAY: dict[int | str, dict[str, Any]] = content(BINARY) | UNCHANGED

Which = Annotated[Literal["learned", "prior"], Query(description="The model's own links, or its matched prior's.")]
Least = Annotated[float, Query(ge=0, le=1, description="Least link probability.")]
Most = Annotated[int | None, Query(ge=0, le=MOST_EDGES, description="Largest number of links.")]


def cache_headers(graph: ServedGraph, what: str) -> dict[str, str]:
    """Return headers by which a browser keeps an array until its graph changes."""
    return {"Cache-Control": "private, no-cache", "ETag": f'"{graph.key[:32]}-{what}"'}


@router.get("", summary="Read the statistics of the links")
async def get_graph(model_id: ModelId, services: AppServices) -> Graph:
    """Statistics beside the prior's; `/graph/edges` and `/graph/matrix` have the link probabilities.

    Computed once per revision of a model, which takes seconds for a thousand modules.
    """
    return Graph.model_validate((await services.graphs.graph(model_id)).facts)


@router.get("/edges", response_class=Response, responses=ARRAY, summary="Links, most probable first")
async def get_edges(
    model_id: ModelId, services: AppServices, request: Request, least: Least = 0.0, most: Most = None
) -> Response:
    """Little-endian: all i (uint16), all j (uint16), all p (float32), i < j. Positions are those in `units`.

    X-Count is the number of links sent, X-Total the number with a probability above 0.
    """
    graph = await services.graphs.graph(model_id)
    body, count, total = edges(graph, least, most)
    headers = cache_headers(graph, f"edges-{count}") | {"X-Count": str(count), "X-Total": str(total)}
    if is_current(request, headers):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=BINARY, headers=headers)


@router.get("/matrix", response_class=Response, responses=ARRAY, summary="Link probabilities of all pairs")
async def get_matrix(model_id: ModelId, services: AppServices, request: Request, which: Which = "learned") -> Response:
    """Little-endian float32 in C order, in the order of `units`, with the headers X-Shape, X-Dims and X-Dtype."""
    graph = await services.graphs.graph(model_id)
    matrix = graph.probability if which == "learned" else graph.prior
    if matrix is None:
        raise NotFound("This model was made without a prior; its own links are at which=learned.")
    headers = cache_headers(graph, which)
    if is_current(request, headers):
        return Response(status_code=304, headers=headers)
    return binary_answer(matrix, ("unit", "sender"), headers)


@router.get("/file", response_class=Response, responses=content(*XML.values()), summary="The graph as a file")
async def get_graph_file(
    model_id: ModelId,
    services: AppServices,
    format: Annotated[Literal["graphml", "gexf"], Query()] = "graphml",
    which: Which = "learned",
    least: Least = 0.0,
    most: Most = None,
    drop: Annotated[str, Query(max_length=LONGEST_LIST, description="Units to mark as left out: f1,f2.")] = "",
    keep_edges: Annotated[float | None, Query(ge=0, le=1, description="Share of the links not marked as cut.")] = None,
) -> Response:
    """Modules with connectivity, community, expected links and position; the most probable links with their weight.

    Modules and links that are left out or cut stay in the file with `kept` false. Attributes of the graph (in GEXF: of
    every module) name model and revision.
    """
    graph = await services.graphs.graph(model_id)
    most_links = MAX_FILE_LINKS if most is None else min(most, MAX_FILE_LINKS)

    def make() -> bytes:
        network = network_of(graph, which, least=least, most=most_links, drop=names(drop), keep_edges=keep_edges)
        return written(network, format)

    return file_answer(await asyncio.to_thread(make), XML[format], f"graph.{format}")


@router.get("/modules/{unit}", summary="Read one module")
async def get_module(
    model_id: ModelId,
    unit: UnitName,
    services: AppServices,
    sample: Annotated[SampleId | None, Query(description="Sample for the read-in; without it: no read-in.")] = None,
    samples: Annotated[
        int, Query(ge=1, le=MOST_SAMPLES, description="Samples of the evaluation that has the drop effect.")
    ] = 1_000,
) -> GraphModule:
    """The strongest links of a module; for a sample also its read-in and its share of the output.

    The drop effect is given if it was evaluated before on all data sets of the model.
    """
    return GraphModule.model_validate(await services.modules.module(model_id, unit, sample, samples))
