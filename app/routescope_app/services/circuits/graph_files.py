"""Graphs of models as files of other programs: GraphML and GEXF, as networkx writes them."""

from collections.abc import Collection
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from routescope_app.services.circuits.graph_facts import edges_above
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
    """The modules of a model and their links as a networkx graph; all attributes are texts, numbers and booleans.

    Args:
        which: the model's own links, or its prior's as it was matched.
        least, most: leave out links below a probability, and all but so many of the most probable.
        drop: modules that are left out: they and their links stay in the file and are marked.
        keep_edges: share of the links between the other modules that is kept; the rest is marked too.

    Returns:
        Nodes have connectivity, community, expected_links, x, y and kept; edges weight (the probability) and kept. The
        graph has model, revision, links (learned or prior), links_in_all, and prior where there is one.

    Raises:
        NotFound: a prior where the model has none, or units that it has not.
    """
    import networkx as nx

    facts, units = graph.facts, graph.info.units
    away = np.zeros(len(units), dtype=bool)
    away[[graph.place(unit) for unit in drop]] = True
    if which == "prior":
        if graph.prior is None:
            raise NotFound("This model was made without a prior; its own links are at which=learned.")
        i, j, p = edges_above(graph.prior)
    else:
        i, j, p = graph.i, graph.j, graph.p
    about: dict[str, Any] = {"model": graph.info.id, "revision": graph.info.revision, "links": which}
    about |= {"links_in_all": len(p)} | ({"prior": facts["prior"]} if facts["prior"] else {})
    network: nx.Graph[str] = nx.Graph(**about)
    for place, unit in enumerate(units):
        network.add_node(
            unit,
            connectivity=float(facts["connectivity"][place]),
            community=int(facts["communities"][place]),
            expected_links=float(facts["degrees"][which][place]),
            x=float(facts["layout"][place][0]),
            y=float(facts["layout"][place][1]),
            kept=not away[place],
        )
    kept = _kept(away, i, j, keep_edges)
    for link in range(min(most, int(np.searchsorted(-p, -least, side="right")))):
        ends = units[int(i[link])], units[int(j[link])]
        network.add_edge(*ends, weight=float(p[link]), kept=bool(kept[link]))
    return network


def _kept(away: np.ndarray, i: np.ndarray, j: np.ndarray, keep_edges: float | None) -> np.ndarray:
    """Say for each link, most probable first, whether it stays (``routescope.nn.circuit.links.cut_smallest``)."""
    stays = ~(away[i] | away[j])
    left = int((~away).sum())
    pairs = left * (left - 1) // 2
    most = pairs if keep_edges is None else pairs - round((1 - keep_edges) * pairs)
    return stays & (np.cumsum(stays) <= most)


def written(network: "nx.Graph[str]", form: Format) -> bytes:
    """The file of a network. GEXF has no attributes of a whole graph: there every node has the model and revision."""
    import networkx as nx

    content = BytesIO()
    if form == "graphml":
        nx.write_graphml_xml(network, content, encoding="utf-8")
        return content.getvalue()
    facts = {name: network.graph[name] for name in ("model", "revision", "links")}
    for _, about in network.nodes(data=True):
        about |= {**facts, "viz": {"position": {"x": about["x"], "y": about["y"], "z": 0.0}}}
    nx.write_gexf(network, content, encoding="utf-8")
    return content.getvalue()
