"""Graphs of models as GraphML and GEXF files, written by networkx."""

from collections.abc import Collection
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from routescope.routing.graphs import edges_sorted
from routescope_app.services.circuits.graphs import Graph
from routescope_app.services.errors import NotFound

if TYPE_CHECKING:
    import networkx as nx

Format = Literal["graphml", "gexf"]
Which = Literal["learned", "prior"]


def network_of(
    graph: Graph,
    which: Which = "learned",
    *,
    least: float = 0.0,
    most: int,
    drop: Collection[str] = (),
    keep_edges: float | None = None,
) -> "nx.Graph[str]":
    """Return the modules and links of a model as a networkx graph; attributes are texts, numbers and booleans.

    Args:
        which: the model's own links, or its matched prior's.
        least, most: least link probability, and largest number of links.
        drop: modules to mark, with their links, as not kept.
        keep_edges: share of the links between the other modules that is kept; the rest is marked too.

    Returns:
        Nodes have connectivity, community, expected_links, x, y and kept; edges weight (the probability) and kept. The
        graph has model, revision, links (learned or prior), links_in_all, and prior if there is one.

    Raises:
        NotFound: the model has no prior, or no such units.
    """
    import networkx as nx

    facts, units = graph.facts, graph.info.units
    dropped = np.zeros(len(units), dtype=bool)
    dropped[[graph.position(unit) for unit in drop]] = True
    if which == "prior":
        if graph.prior is None:
            raise NotFound("This model was made without a prior; its own links are at which=learned.")
        i, j, p = edges_sorted(graph.prior)
    else:
        i, j, p = graph.i, graph.j, graph.p
    attributes: dict[str, Any] = {"model": graph.info.id, "revision": graph.info.revision, "links": which}
    attributes |= {"links_in_all": len(p)} | ({"prior": facts["prior"]} if facts["prior"] else {})
    network: nx.Graph[str] = nx.Graph(**attributes)
    for row, unit in enumerate(units):
        network.add_node(
            unit,
            connectivity=float(facts["connectivity"][row]),
            community=int(facts["communities"][row]),
            expected_links=float(facts["degrees"][which][row]),
            x=float(facts["layout"][row][0]),
            y=float(facts["layout"][row][1]),
            kept=not dropped[row],
        )
    kept = _kept(dropped, i, j, keep_edges)
    for link in range(min(most, int(np.searchsorted(-p, -least, side="right")))):
        ends = units[int(i[link])], units[int(j[link])]
        network.add_edge(*ends, weight=float(p[link]), kept=bool(kept[link]))
    return network


def _kept(dropped: np.ndarray, i: np.ndarray, j: np.ndarray, keep_edges: float | None) -> np.ndarray:
    """Return for each link, most probable first, whether it stays (``routescope.nn.circuit.links.cut_smallest``)."""
    stays = ~(dropped[i] | dropped[j])
    links = int(stays.sum())
    most = links if keep_edges is None else links - round((1 - keep_edges) * links)
    return stays & (np.cumsum(stays) <= most)


def written(network: "nx.Graph[str]", form: Format) -> bytes:
    """Return a file. GEXF has no attributes of a whole graph, so every node has the model and revision there."""
    import networkx as nx

    content = BytesIO()
    if form == "graphml":
        nx.write_graphml_xml(network, content, encoding="utf-8")
        return content.getvalue()
    facts = {name: network.graph[name] for name in ("model", "revision", "links")}
    for _, node in network.nodes(data=True):
        node |= {**facts, "viz": {"position": {"x": node["x"], "y": node["y"], "z": 0.0}}}
    nx.write_gexf(network, content, encoding="utf-8")
    return content.getvalue()
