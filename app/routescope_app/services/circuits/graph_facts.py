"""Description of a graph of links for the API; takes about half a minute for a thousand modules."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import torch

from routescope.nn.network import LinkedNetwork, Network
from routescope.routing.graphs import (
    GraphStatistics,
    components_by_share,
    distance_to_prior,
    edges_sorted,
    layout,
    matched,
    prior,
    statistics,
)
from routescope.routing.graphs.order import MANY_UNITS, prior_order
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.packed import finite

#: Version of the computation; cached files of other versions are ignored.
FORM = "graph-2"
#: Fields of ``described``.
FIELDS = frozenset({
    "form", "revision", "units", "links", "prior", "distance", "order", "ordered_by", "degrees", "connectivity",
    "communities", "layout", "statistics", "clusters", "edges", "readouts", "places",
})  # fmt: skip
#: Probability above which a link counts as present.
THRESHOLD = 0.5
#: Shares of kept links for which clusters are counted: steps of 5 %, then finer ones.
SHARES = (*np.linspace(1, 0.1, 19).round(2).tolist(), *np.linspace(0.09, 0, 10).round(2).tolist())
#: Number of sampled graphs, and for more than ``MANY_UNITS`` modules.
DRAWS, DRAWS_OF_MANY = 8, 3
#: Statistics of a graph by their names in ``routescope.routing.graphs``.
TITLES = {
    "mean_degree": "Mean number of links of a module",
    "degree_deviation": "Standard deviation of it over modules",
    "density": "Share of the pairs that are linked",
    "clustering": "Share of open triples that a third link closes",
    "path_length": "Mean links on a shortest path",
    "modularity": "Modularity Q of the best communities found",
    "components": "Parts that no link joins",
}
#: Fields of ``SampledFigure``.
Figure = dict[str, Any]


@dataclass(frozen=True, eq=False)
class LinkArrays:
    """Links of one model, as arrays of float64.

    Attributes:
        probability, readout_probability: link probabilities (unit, unit) and (readout, unit).
        signatures: (unit, signature_feature).
        connectivity: q_i (unit).
        order: matched node of the prior for each unit, as in traces; None without a prior.
    """

    probability: np.ndarray
    readout_probability: np.ndarray
    signatures: np.ndarray
    connectivity: np.ndarray
    order: np.ndarray | None


def links_of(model: Network) -> LinkArrays:
    """Return the links of a model; blocking."""
    assert isinstance(model, LinkedNetwork)
    with torch.no_grad():
        constants = {name: tensor.detach().double().cpu().numpy() for name, (_, tensor) in model.constants().items()}
        q = model.connectivity().double().cpu().numpy()
    P = constants["link_probability"]
    return LinkArrays(
        probability=(P + P.T) / 2,  # float32 products differ in their last bits
        readout_probability=constants["readout_link_probability"],
        signatures=constants["signatures"],
        connectivity=q,
        order=None if model.prior_graph is None else prior_order(model),
    )


def described(info: ModelInfo, links: LinkArrays, check: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Return the fields of ``Graph`` and ``places``; ``check``, called between parts, may raise to end the work."""
    P, nodes = links.probability, links.order
    name = None if nodes is None else info.config["prior"]
    draws = DRAWS if len(P) <= MANY_UNITS else DRAWS_OF_MANY
    learned = statistics(P, samples=draws)
    check()
    P0 = None if name is None or nodes is None else matched(prior(name, len(P)), nodes)
    xy = layout(links.signatures)
    check()
    table = list(_table(P, learned, name, draws))
    check()
    clusters = components_by_share(P, np.array(SHARES))
    # without a prior: by community, then by connectivity
    order = np.lexsort((-links.connectivity, learned.communities)) if nodes is None else np.argsort(nodes)
    return {
        "form": FORM,
        "revision": info.revision,
        "units": list(info.units),
        "links": info.config.get("links", "learned"),
        "prior": name,
        "distance": None if P0 is None else distance_to_prior(P, P0, np.arange(len(P))),
        "order": order.tolist(),
        "ordered_by": "communities" if nodes is None else "prior",
        "degrees": {
            "learned": learned.degree.tolist(),
            "prior": None if P0 is None else (P0.sum(axis=1) - P0.diagonal()).tolist(),
        },
        "connectivity": links.connectivity.tolist(),
        "communities": learned.communities.tolist(),
        "layout": xy.tolist(),
        "statistics": table,
        "clusters": [
            {"share": share, "clusters": int(count), "largest": float(largest)}
            for share, count, largest in zip(SHARES, clusters.components, clusters.largest, strict=True)
        ],
        "edges": len(edges_sorted(P)[2]),
        "readouts": len(links.readout_probability),
        "places": None if nodes is None else nodes.tolist(),
    }


def _table(P: np.ndarray, learned: GraphStatistics, prior_name: str | None, draws: int) -> Iterator[dict[str, Any]]:
    """Yield every figure beside the prior's: for expected links, for sampled graphs, for likely links."""
    of_prior = (None, None) if prior_name is None else _of_prior(prior_name, len(P), draws)
    expected, likely = (learned, of_prior[0]), (statistics(P, THRESHOLD), of_prior[1])
    for name, title in TITLES.items():
        if name not in {"components", "path_length"}:  # meaningless while every pair has some probability
            yield {"name": name, "title": title, "on": learned.of, **_pair(_value, expected, name)}
    for name, title in TITLES.items():
        on = f"{draws} graphs drawn from the link probabilities"
        yield {"name": name, "title": title, "on": on, **_pair(_sampled, expected, name)}
    for name, title in TITLES.items():
        yield {"name": name, "title": title, "on": likely[0].of, **_pair(_value, likely, name)}


@lru_cache(maxsize=16)
def _of_prior(name: str, units: int, draws: int) -> tuple[GraphStatistics, GraphStatistics]:
    """Return statistics of a prior's probabilities and of its likely links, for every model of that size."""
    P0 = prior(name, units)
    return statistics(P0, samples=draws), statistics(P0, THRESHOLD)


def _pair(
    read: Callable[[GraphStatistics, str], Figure], both: tuple[GraphStatistics, GraphStatistics | None], name: str
) -> dict[str, Figure | None]:
    learned, other = both
    return {"learned": read(learned, name), "prior": None if other is None else read(other, name)}


def _value(graph: GraphStatistics, name: str) -> Figure:
    return {"value": finite(float(getattr(graph, name)))}


def _sampled(graph: GraphStatistics, name: str) -> Figure:
    row = graph.sampled.loc[name].astype(float).to_dict()
    return {"value": finite(row["mean"]), "deviation": finite(row["deviation"])}


def prior_of(info: ModelInfo, facts: dict[str, Any]) -> np.ndarray | None:
    """Return the prior's link probabilities in the order of the model's units; None without a prior."""
    if facts["prior"] is None:
        return None
    probability = matched(prior(facts["prior"], len(info.units)), np.array(facts["places"]))
    return np.asarray(probability, dtype=np.float32)
