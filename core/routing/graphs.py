"""Graphs over modules: priors, the regulariser that pulls link probabilities towards one, and what a graph looks like.

This is the door; what is behind it is in ``graph_priors`` and ``graph_matching``.
"""

from core.routing.graph_matching import WEIGHT, Order, distance_to_prior, match, matched, structure_loss
from core.routing.graph_priors import (
    PRIORS,
    Graph,
    Probability,
    expected_edges,
    fit_signatures,
    prior,
    sample_graph,
)

__all__ = [
    "PRIORS",
    "WEIGHT",
    "Graph",
    "Order",
    "Probability",
    "distance_to_prior",
    "expected_edges",
    "fit_signatures",
    "match",
    "matched",
    "prior",
    "sample_graph",
    "structure_loss",
]
