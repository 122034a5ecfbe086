"""What the API says of a graph of links, as plain data; seconds of work for a thousand modules."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from core.routing.graphs import match, matched, prior
from core.zoo import ModelInfo

#: Changes with what is computed here, so that files of an earlier form are not used.
FORM = "graph-1"


@dataclass(frozen=True, eq=False)
class Links:
    """Of one model, as float64 arrays: link probabilities (unit, unit) and (readout, unit), signatures."""

    probability: np.ndarray
    readout_probability: np.ndarray
    signatures: np.ndarray
    connectivity: np.ndarray


def links_of(model: Any) -> Links:
    """Read from a model; blocking."""
    constants = {name: tensor.detach().double().cpu().numpy() for name, (_, tensor) in model.constants().items()}
    with torch.no_grad():
        q = model.connectivity().double().cpu().numpy()
    return Links(constants["link_probability"], constants["readout_link_probability"], constants["signatures"], q)


def edges_sorted(p: np.ndarray, least: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    i, j = np.triu_indices(len(p), 1)
    values = p[i, j]
    order = np.argsort(-values, kind="stable")
    order = order[values[order] > least]
    return i[order], j[order], values[order]


def described(info: ModelInfo, links: Links) -> dict[str, Any]:
    """Fields of the schema ``Graph`` but the model's name."""
    P, units = links.probability, len(info.units)
    name = info.config.get("prior")
    P0, place = None, None
    if name is not None:
        P0 = prior(name, units)
        place = match(P, P0)
        P0 = matched(P0, place)
    communities = np.zeros(units, int)
    order = np.argsort(place) if place is not None else np.lexsort((-links.connectivity, communities))
    centred = links.signatures - links.signatures.mean(axis=0)
    xy = np.linalg.svd(centred, full_matrices=False)[0][:, :2]
    xy = xy / max(np.abs(xy).max(), 1e-9)
    return {
        "revision": info.revision,
        "units": list(info.units),
        "links": info.config["links"],
        "prior": name,
        "distance": None,
        "order": order.tolist(),
        "ordered_by": "communities" if place is None else "prior",
        "degrees": {"learned": degrees(P), "prior": None if P0 is None else degrees(P0)},
        "connectivity": links.connectivity.tolist(),
        "communities": communities.tolist(),
        "layout": xy.tolist(),
        "stress": None,
        "statistics": [],
        "clusters": [],
        "edges": int((np.triu(P, 1) > 0).sum()),
        "readouts": len(links.readout_probability),
        "places": None if place is None else place.tolist(),
    }


def degrees(P: np.ndarray) -> list[float]:
    """Expected number of links to others."""
    found: list[float] = (P.sum(axis=1) - P.diagonal()).tolist()
    return found


def prior_of(info: ModelInfo, facts: dict[str, Any]) -> np.ndarray | None:
    """The prior's link probabilities in the order of the model's units."""
    if facts["prior"] is None:
        return None
    found: np.ndarray = matched(prior(facts["prior"], len(info.units)), np.array(facts["places"])).astype(np.float32)
    return found
