"""What the API says of a graph of links, as plain data; about half a minute of work for a thousand modules."""

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
from routescope_app.services.measuring.snapshots import finite

#: Changes with what is computed here, so that files of an earlier form are not used.
FORM = "graph-2"
#: What ``described`` tells.
FIELDS = frozenset({
    "form", "revision", "units", "links", "prior", "distance", "order", "ordered_by", "degrees", "connectivity",
    "communities", "layout", "statistics", "clusters", "edges", "readouts", "places",
})  # fmt: skip
#: A link is there, where one must say so, above this probability.
THRESHOLD = 0.5
#: Shares of the links that are kept for which clusters are counted: in steps of 5 %, then in finer ones.
SHARES = (*np.linspace(1, 0.1, 19).round(2).tolist(), *np.linspace(0.09, 0, 10).round(2).tolist())
#: Graphs that are drawn, and of more than ``MANY_UNITS`` modules.
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


#: A number, with its deviation where graphs were drawn.
Figure = dict[str, Any]


@dataclass(frozen=True, eq=False)
class LinkArrays:
    """Of one model, as arrays of float64.

    Attributes:
        probability, readout_probability: link probabilities (unit, unit) and (readout, unit).
        signatures: (unit, signature_feature).
        connectivity: q_i (unit).
        order: the node of the prior that each unit plays, as traces have it; None without a prior.
    """

    probability: np.ndarray
    readout_probability: np.ndarray
    signatures: np.ndarray
    connectivity: np.ndarray
    order: np.ndarray | None


def links_of(model: Network) -> LinkArrays:
    """Read from a model that has links; blocking."""
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


def described(info: ModelInfo, links: LinkArrays, going: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Fields of the schema ``Graph`` but the model's name, and ``places``: the node of the prior that each unit is.

    Args:
        going: called between two parts of the work; an exception that it raises ends it.
    """
    P, places = links.probability, links.order
    name = None if places is None else info.config["prior"]
    draws = DRAWS if len(P) <= MANY_UNITS else DRAWS_OF_MANY
    own = statistics(P, samples=draws)
    going()
    P0 = None if name is None or places is None else matched(prior(name, len(P)), places)
    xy = layout(links.signatures)
    going()
    table = list(_table(P, own, name, draws))
    going()
    clusters = components_by_share(P, np.array(SHARES))
    # stable: modules of one community stay together, the best connected of it first
    order = np.lexsort((-links.connectivity, own.communities)) if places is None else np.argsort(places)
    return {
        "form": FORM,
        "revision": info.revision,
        "units": list(info.units),
        "links": info.config.get("links", "learned"),
        "prior": name,
        "distance": None if P0 is None else distance_to_prior(P, P0, np.arange(len(P))),
        "order": order.tolist(),
        "ordered_by": "communities" if places is None else "prior",
        "degrees": {
            "learned": own.degree.tolist(),
            "prior": None if P0 is None else (P0.sum(axis=1) - P0.diagonal()).tolist(),
        },
        "connectivity": links.connectivity.tolist(),
        "communities": own.communities.tolist(),
        "layout": xy.tolist(),
        "statistics": table,
        "clusters": [
            {"share": share, "clusters": int(count), "largest": float(largest)}
            for share, count, largest in zip(SHARES, clusters.components, clusters.largest, strict=True)
        ],
        "edges": len(edges_above(P)[2]),
        "readouts": len(links.readout_probability),
        "places": None if places is None else places.tolist(),
    }


def _table(P: np.ndarray, own: GraphStatistics, prior_name: str | None, draws: int) -> Iterator[dict[str, Any]]:
    """Every figure of the learned graph beside the prior's: of expected links, of drawn graphs, of likely links."""
    theirs = (None, None) if prior_name is None else _of_prior(prior_name, len(P), draws)
    expected, likely = (own, theirs[0]), (statistics(P, THRESHOLD), theirs[1])
    for name, title in TITLES.items():
        if name not in {"components", "path_length"}:  # every pair has some probability: neither means anything yet
            yield {"name": name, "title": title, "on": own.of, **_pair(_value, expected, name)}
    for name, title in TITLES.items():
        on = f"{draws} graphs drawn from the link probabilities"
        yield {"name": name, "title": title, "on": on, **_pair(_drawn, expected, name)}
    for name, title in TITLES.items():
        yield {"name": name, "title": title, "on": likely[0].of, **_pair(_value, likely, name)}


@lru_cache(maxsize=16)
def _of_prior(name: str, units: int, draws: int) -> tuple[GraphStatistics, GraphStatistics]:
    """Of the probabilities of a prior, and of its likely links: the same for every model of that size."""
    P0 = prior(name, units)
    return statistics(P0, samples=draws), statistics(P0, THRESHOLD)


def _pair(
    read: Callable[[GraphStatistics, str], Figure], both: tuple[GraphStatistics, GraphStatistics | None], name: str
) -> dict[str, Figure | None]:
    learned, other = both
    return {"learned": read(learned, name), "prior": None if other is None else read(other, name)}


def _value(one: GraphStatistics, name: str) -> Figure:
    return {"value": finite(float(getattr(one, name)))}


def _drawn(one: GraphStatistics, name: str) -> Figure:
    row = one.sampled.loc[name].astype(float).to_dict()
    return {"value": finite(row["mean"]), "deviation": finite(row["deviation"])}


def edges_above(P: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(i, j, p) of the pairs i < j whose link probability is above 0, the most probable first."""
    i, j, p = edges_sorted(P)
    count = int((p > 0).sum())
    return i[:count], j[:count], p[:count]


def prior_of(info: ModelInfo, facts: dict[str, Any]) -> np.ndarray | None:
    """The prior's link probabilities in the order of the model's units."""
    if facts["prior"] is None:
        return None
    found: np.ndarray = matched(prior(facts["prior"], len(info.units)), np.array(facts["places"])).astype(np.float32)
    return found
