"""Graphs over modules: priors, the regulariser that pulls link probabilities towards one, and what a graph looks like.

This is the door; what is behind it is in ``priors``, ``matching``, ``statistics`` and ``layout``.
"""

from routescope.routing.graphs.layout import layout
from routescope.routing.graphs.matching import WEIGHT, Order, distance_to_prior, match, matched, structure_loss
from routescope.routing.graphs.priors import (
    PRIORS,
    Graph,
    Probability,
    expected_edges,
    fit_signatures,
    prior,
    sample_graph,
)
from routescope.routing.graphs.statistics import (
    Clusters,
    GraphStatistics,
    components_by_share,
    edges_sorted,
    louvain,
    modularity,
    statistics,
)

__all__ = [
    "PRIORS",
    "WEIGHT",
    "Clusters",
    "Graph",
    "GraphStatistics",
    "Order",
    "Probability",
    "components_by_share",
    "distance_to_prior",
    "edges_sorted",
    "expected_edges",
    "fit_signatures",
    "layout",
    "louvain",
    "match",
    "matched",
    "modularity",
    "prior",
    "sample_graph",
    "statistics",
    "structure_loss",
]
