"""Statistics of a graph over modules: degrees, clustering, paths, communities, and clusters as its edges are cut."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from routescope.assets import require
from routescope.routing.graphs.priors import Probability, sample_graph

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EXPECTED = "link probabilities"
#: Columns of the statistics of sampled graphs.
SAMPLED = ("mean_degree", "degree_deviation", "density", "clustering", "path_length", "modularity", "components")


@dataclass(frozen=True)
class GraphStatistics:
    """Statistics of a graph with weights w_ij: probabilities, or 1 where there is a link. No w_ii counts.

    Attributes:
        of: kind of the weights: "link probabilities", "links with P > 0.5", ...
        degree: (U,) sum_j w_ij of each module; expected links where w is a probability.
        mean_degree, degree_deviation: its mean and standard deviation over modules.
        density: mean weight over pairs.
        clustering: sum of w_ij w_jk w_ki over sum of w_ij w_jk, i, j and k different: the share of open triples that a
            third link closes (for probabilities: expected triangles over expected triples). NaN without any triple.
        path_length: mean number of links on the shortest path between two modules that are joined by one. NaN without
            any link, and for probabilities: there see ``sampled``.
        modularity: Q of ``communities`` (Newman and Girvan 2004): the share of weight within them, less that of random
            links between modules of these degrees. NaN without any link.
        communities: (U,) found by the Louvain method (Blondel et al. 2008), the largest being 0.
        components: parts that no link (no weight above 0) joins.
        sampled: for probabilities, mean and deviation of each number over graphs drawn from them, with ``SAMPLED`` as
            index and ``samples`` as third column; empty for a graph that is not random.
    """

    of: str
    degree: Float[np.ndarray, " module"]
    mean_degree: float
    degree_deviation: float
    density: float
    clustering: float
    path_length: float
    modularity: float
    communities: Int[np.ndarray, " module"]
    components: int
    sampled: pd.DataFrame

    def plot(self, axes: "Axes | None" = None, beside: "GraphStatistics | None" = None) -> "Axes":
        """Draw degrees, largest first, here and beside those of another graph such as the prior."""
        from routescope.plots.graphs import draw_degrees

        return draw_degrees(self, axes, beside)


def statistics(p: Probability, threshold: float | None = None, seed: int = 0, samples: int = 8) -> GraphStatistics:
    """Return statistics of link probabilities, or of the graph of links that are likelier than ``threshold``.

    Args:
        p: (U, U), symmetric.
        threshold: None for the probabilities themselves, together with ``samples`` graphs drawn from them.
        seed: of the drawn graphs and of the Louvain method.

    Raises:
        ValueError: a matrix that is not square and symmetric.
    """
    weights = _weights(p)
    if threshold is not None:
        graph = (weights > threshold).astype(np.float64)
        return GraphStatistics(
            of=f"links with P > {threshold:g}", sampled=pd.DataFrame(), **_numbers(graph, seed, paths=True)
        )
    drawn = [
        _numbers(_weights(sample_graph(p, seed + draw).astype(np.float64)), seed, paths=True) for draw in range(samples)
    ]
    table = pd.DataFrame([{name: numbers[name] for name in SAMPLED} for numbers in drawn], columns=list(SAMPLED))
    sampled = pd.DataFrame({"mean": table.mean(), "deviation": table.std(), "samples": table.count()})
    return GraphStatistics(of=EXPECTED, sampled=sampled, **_numbers(weights, seed, paths=False))


def _weights(p: Probability) -> np.ndarray:
    if p.ndim != 2 or p.shape[0] != p.shape[1]:
        raise ValueError(f"link probabilities are a square matrix, not of shape {p.shape}")
    weights = p.astype(np.float64)
    if not np.allclose(weights, weights.T, atol=1e-5):
        raise ValueError("link probabilities are symmetric: P_ij = P_ji")
    np.fill_diagonal(weights, 0)
    return weights


def _numbers(weights: np.ndarray, seed: int, *, paths: bool) -> dict:
    require("scipy")
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components, shortest_path

    nodes, path_length = len(weights), float("nan")
    if paths and weights.any():
        lengths = shortest_path(csr_array(weights > 0), unweighted=True)
        path_length = float(lengths[np.isfinite(lengths) & (lengths > 0)].mean())
    degree = weights.sum(axis=1)
    triples = float((degree**2).sum() - (weights**2).sum())
    triangles = float(((weights @ weights) * weights).sum())
    communities = louvain(weights, seed)
    return {
        "degree": degree,
        "mean_degree": float(degree.mean()),
        "degree_deviation": float(degree.std()),
        "density": float(degree.sum()) / max(nodes * (nodes - 1), 1),
        "clustering": triangles / triples if triples > 0 else float("nan"),
        "path_length": path_length,
        "modularity": modularity(weights, communities),
        "communities": communities,
        "components": int(connected_components(csr_array(weights > 0), directed=False)[0]),
    }


def louvain(weights: Probability, seed: int = 0) -> Int[np.ndarray, " module"]:
    """Return the communities (U,) of the Louvain method, numbered from the largest; without links each module is its
    own."""
    require("scipy", "sknetwork")
    from scipy.sparse import csr_matrix
    from sknetwork.clustering import Louvain

    if not weights.any():
        return np.arange(len(weights))
    return _by_size(Louvain(random_state=seed, shuffle_nodes=True).fit_predict(csr_matrix(weights)))


def modularity(weights: Probability, communities: Int[np.ndarray, " module"]) -> float:
    """Return Q = sum_c (e_c - a_c^2), e_c the share of all weight within c, a_c that of degrees; NaN without any
    weight."""
    total = float(weights.sum())
    if total == 0:
        return float("nan")
    member = np.eye(int(communities.max()) + 1)[communities]
    within = np.einsum("ic,ij,jc->c", member, weights, member, optimize=True) / total
    ends = member.T @ weights.sum(axis=1) / total
    return float((within - ends**2).sum())


def _by_size(labels: np.ndarray) -> Int[np.ndarray, " module"]:
    """Number the groups 0, 1, ... from the largest, equal ones by their first member."""
    _, first, group, size = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
    rank = np.empty(len(size), dtype=np.int64)
    rank[np.lexsort((first, -size))] = np.arange(len(size))
    return rank[group]


def edges_sorted(
    p: Probability, least: float = 0.0
) -> tuple[Int[np.ndarray, " edge"], Int[np.ndarray, " edge"], Float[np.ndarray, " edge"]]:
    """Return the links, pairs of different modules with P_ij above 0 and at least ``least``, strongest first.

    The first k of them are those that stay when all but k links are cut: equal ones are cut in the order of their
    modules.

    Returns:
        i, j with i < j, and P_ij.
    """
    j, i = np.tril_indices(len(p), -1)
    links = p[j, i]
    strongest = np.argsort(links, kind="stable")[::-1]
    strongest = strongest[: int(((links > 0) & (links >= least)).sum())]
    return i[strongest], j[strongest], links[strongest]


@dataclass(frozen=True)
class Clusters:
    """Connected parts of the graph when only a share of the links is kept, strongest first.

    Attributes:
        shares: (S,) share of the links, pairs of modules with P above 0, that are kept.
        edges: (S,) number of these links.
        weakest: (S,) the least P among them; NaN where there is none.
        components: (S,) number of parts, modules without any link among them.
        largest: (S,) share of the modules in the largest part.
        isolated: (S,) modules without any link.
        labels: (S, U) part of each module, 0 being the largest.
    """

    shares: Float[np.ndarray, " share"]
    edges: Int[np.ndarray, " share"]
    weakest: Float[np.ndarray, " share"]
    components: Int[np.ndarray, " share"]
    largest: Float[np.ndarray, " share"]
    isolated: Int[np.ndarray, " share"]
    labels: Int[np.ndarray, "share module"]

    def table(self) -> pd.DataFrame:
        """Return a row for each share, without the labels."""
        names = ("shares", "edges", "weakest", "components", "largest", "isolated")
        return pd.DataFrame({name: getattr(self, name) for name in names})

    def plot(self, axes: "Axes | None" = None) -> "Axes":
        """Draw the number of parts and the share of modules in the largest, against the share of links that are cut."""
        from routescope.plots.graphs import draw_clusters

        return draw_clusters(self, axes)


def components_by_share(p: Probability, shares: Float[np.ndarray, " share"]) -> Clusters:
    """Return the connected parts when the links are cut to each share of them, weakest first.

    Cuts the links that ``Intervention(keep_edges=share)`` cuts.

    Raises:
        ValueError: shares outside 0..1.
    """
    require("scipy")
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    shares = np.asarray(shares, dtype=np.float64)
    if not ((shares >= 0) & (shares <= 1)).all():
        raise ValueError("shares of the links that are kept lie between 0 and 1")
    i, j, links = edges_sorted(p)
    nodes, count = len(p), len(links)
    kept = np.array([count - round((1 - float(share)) * count) for share in shares], dtype=np.int64)
    labels = np.empty((len(shares), nodes), dtype=np.int64)
    isolated = np.empty(len(shares), dtype=np.int64)
    for row, k in enumerate(kept):
        ends = (i[:k], j[:k])
        graph = csr_array((np.ones(len(ends[0]), dtype=bool), ends), shape=(nodes, nodes))
        labels[row] = _by_size(connected_components(graph, directed=False)[1])
        isolated[row] = nodes - len(np.union1d(*ends))
    return Clusters(
        shares=shares,
        edges=kept,
        weakest=np.array([links[k - 1] if k else np.nan for k in kept]),
        components=labels.max(axis=1) + 1,
        largest=(labels == 0).mean(axis=1),
        isolated=isolated,
        labels=labels,
    )
