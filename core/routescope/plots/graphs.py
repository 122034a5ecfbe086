"""Figures of graphs over modules, for notebooks."""

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

if TYPE_CHECKING:
    from routescope.routing.graphs.statistics import Clusters, GraphStatistics


def draw_degrees(graph: "GraphStatistics", axes: Axes | None = None, beside: "GraphStatistics | None" = None) -> Axes:
    """Degrees, largest first, here and beside those of another graph such as the prior."""
    if axes is None:
        axes = plt.subplots(figsize=(5, 3.5), layout="constrained")[1]
    for name, drawn in (("learned", graph), ("beside", beside)) if beside else ((graph.of, graph),):
        assert drawn is not None
        axes.plot(np.sort(drawn.degree)[::-1], label=f"{name}: mean {drawn.mean_degree:.1f}, Q {drawn.modularity:.2f}")
    axes.set(xlabel="module, most links first", ylabel=f"degree ({graph.of})", ylim=(0, None))
    axes.legend(fontsize="small")
    return axes


def draw_clusters(clusters: "Clusters", axes: Axes | None = None) -> Axes:
    """Parts and the share of modules in the largest, against the share of links that are cut."""
    if axes is None:
        axes = plt.subplots(figsize=(5, 3.5), layout="constrained")[1]
    cut = 100 * (1 - clusters.shares)
    (parts,) = axes.plot(cut, clusters.components, "C0-o", markersize=3, label="parts")
    (alone,) = axes.plot(cut, clusters.isolated, "C0:", label="modules without a link")
    axes.set(xlabel="links cut, weakest first (%)", ylabel="number", ylim=(0, None))
    other = axes.twinx()
    (most,) = other.plot(cut, 100 * clusters.largest, "C1-o", markersize=3, label="modules in the largest part (%)")
    other.set(ylabel="modules in the largest part (%)", ylim=(0, 105))
    axes.legend(handles=[parts, alone, most], fontsize="small")
    return axes
