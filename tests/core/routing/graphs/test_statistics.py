"""Numbers about graphs against networkx and against graphs whose answers are known; clusters as edges are cut."""

import networkx as nx
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.nn.circuit.links import cut_smallest
from routescope.routing import graphs
from routescope.routing.graphs import components_by_share, prior, statistics


def ring(nodes: int) -> np.ndarray:
    neighbours = np.roll(np.eye(nodes), 1, axis=0)
    return np.maximum(np.maximum(neighbours, neighbours.T), np.eye(nodes))


def symmetric(nodes: int, seed: int, distinct: int = 0) -> np.ndarray:
    """Random link probabilities; of ``distinct`` values where that is not 0, so that there are ties."""
    rng = np.random.default_rng(seed)
    p = np.triu(rng.random((nodes, nodes)) if not distinct else rng.integers(0, distinct + 1, (nodes, nodes)) / 9, 1)
    return p + p.T + np.eye(nodes)


@given(st.integers(2, 30), st.floats(0.02, 0.98), st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_numbers_of_a_graph_are_networkx_s(nodes: int, threshold: float, seed: int) -> None:
    p = symmetric(nodes, seed)
    numbers = statistics(p, threshold=threshold)
    graph = nx.from_numpy_array((p > threshold) & ~np.eye(nodes, dtype=bool))
    degree = np.array([d for _, d in graph.degree()])
    assert np.array_equal(numbers.degree, degree)
    assert numbers.mean_degree == pytest.approx(degree.mean())
    assert numbers.degree_deviation == pytest.approx(degree.std())
    assert numbers.density == pytest.approx(nx.density(graph))
    assert numbers.components == nx.number_connected_components(graph)
    if (degree > 1).any():
        assert numbers.clustering == pytest.approx(nx.transitivity(graph))
    else:
        assert np.isnan(numbers.clustering)
    lengths = [
        d for first, present in nx.all_pairs_shortest_path_length(graph) for two, d in present.items() if first != two
    ]
    if lengths:
        assert numbers.path_length == pytest.approx(np.mean(lengths))
        parts = [set(np.flatnonzero(numbers.communities == c).tolist()) for c in range(numbers.communities.max() + 1)]
        assert numbers.modularity == pytest.approx(nx.community.modularity(graph, parts))
    else:
        assert np.isnan(numbers.path_length)
        assert np.isnan(numbers.modularity)


@given(st.integers(3, 25), st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_modularity_of_weights_is_networkx_s(nodes: int, seed: int) -> None:
    weights = symmetric(nodes, seed) - np.eye(nodes)
    labels = np.random.default_rng(seed).integers(0, 4, nodes)
    groups = np.unique(labels, return_inverse=True)[1]
    graph = nx.from_numpy_array(weights)
    parts = [set(np.flatnonzero(groups == c).tolist()) for c in range(groups.max() + 1)]
    assert graphs.modularity(weights, groups) == pytest.approx(nx.community.modularity(graph, parts))


def test_clustering_of_probabilities_is_that_of_graphs_drawn_from_them() -> None:
    p = prior("planted-partition", 60)
    numbers = statistics(p, samples=20, seed=1)
    for name in ("mean_degree", "density", "clustering"):
        mean, deviation, samples = numbers.sampled.loc[name, ["mean", "deviation", "samples"]].to_numpy(dtype=float)
        assert samples == 20
        assert getattr(numbers, name) == pytest.approx(mean, abs=5 * deviation / samples**0.5)
    assert numbers.mean_degree == pytest.approx(2 * graphs.expected_edges(p) / 60)
    assert np.isnan(numbers.path_length), "probabilities have no paths"
    assert numbers.sampled.equals(statistics(p, samples=20, seed=1).sampled)


@pytest.mark.parametrize("nodes", [40, 320])
def test_the_modularity_of_a_planted_partition_is_the_known_one(nodes: int) -> None:
    size = nodes // 10
    within = 0.9 * (size - 1)
    expected_by_key = within / (within + 0.05 * (nodes - size)) - 1 / 10
    numbers = statistics(prior("planted-partition", nodes), samples=2)
    assert numbers.modularity == pytest.approx(expected_by_key)
    block = np.arange(nodes) // size
    assert np.array_equal(numbers.communities[:, None] == numbers.communities, block[:, None] == block)
    drawn = numbers.sampled.loc["modularity", "mean"]
    if nodes == 320:
        assert drawn == pytest.approx(expected_by_key, abs=0.02)


def test_a_ring_and_a_graph_without_links() -> None:
    numbers = statistics(ring(10), threshold=0.5)
    assert (numbers.degree == 2).all()
    assert (numbers.clustering, numbers.components) == (0, 1)
    assert numbers.path_length == pytest.approx((1 + 1 + 2 + 2 + 3 + 3 + 4 + 4 + 5) / 9)
    empty = statistics(np.eye(4), threshold=0.5)
    assert (empty.mean_degree, empty.density, empty.components) == (0, 0, 4)
    assert np.array_equal(empty.communities, np.arange(4))
    alone = statistics(np.ones((1, 1)), samples=2)
    assert (alone.mean_degree, alone.components) == (0, 1)
    for wrong, words in ((np.triu(np.ones((4, 4))), "symmetric"), (np.ones((4, 3)), "square")):
        with pytest.raises(ValueError, match=words):
            statistics(wrong)


def test_communities_are_numbered_from_the_largest() -> None:
    sizes = (3, 7, 5)
    block = np.repeat(np.arange(3), sizes)
    weights = (block[:, None] == block).astype(float)
    np.fill_diagonal(weights, 0)
    assert np.bincount(graphs.louvain(weights)).tolist() == [7, 5, 3]


@given(st.integers(1, 20), st.floats(0, 1), st.integers(0, 1000), st.sampled_from([0, 4]))
@settings(max_examples=30, deadline=None)
def test_edges_come_strongest_first_and_each_pair_once(nodes: int, least: float, seed: int, distinct: int) -> None:
    p = symmetric(nodes, seed, distinct)
    i, j, links = graphs.edges_sorted(p, least)
    assert (i < j).all()
    assert np.array_equal(links, p[i, j])
    assert (np.diff(links) <= 0).all()
    expected = {(a, b) for b in range(nodes) for a in range(b) if p[a, b] >= least and p[a, b] > 0}
    assert len(i) == len(expected)
    assert set(zip(i.tolist(), j.tolist(), strict=True)) == expected


@given(st.integers(2, 20), st.lists(st.floats(0, 1), min_size=1, max_size=6), st.integers(0, 1000))
@settings(max_examples=30, deadline=None)
def test_what_is_cut_is_what_the_network_cuts(nodes: int, shares: list[float], seed: int) -> None:
    p = symmetric(nodes, seed, distinct=5)
    i, j, _ = graphs.edges_sorted(p)
    clusters = components_by_share(p, np.array(shares))
    for row, share in enumerate(shares):
        kept = cut_smallest(torch.from_numpy(p).log(), share).exp().numpy()
        graph = nx.from_numpy_array((kept > 0) & ~np.eye(nodes, dtype=bool))
        count = clusters.edges[row]
        assert {(min(e), max(e)) for e in graph.edges} == set(zip(i[:count].tolist(), j[:count].tolist(), strict=True))
        parts = sorted(nx.connected_components(graph), key=len, reverse=True)
        assert clusters.components[row] == len(parts)
        assert clusters.largest[row] == pytest.approx(len(parts[0]) / nodes)
        assert clusters.isolated[row] == nx.number_of_isolates(graph)
        assert set(np.flatnonzero(clusters.labels[row] == 0)) in [set(part) for part in parts]
        assert (clusters.labels[row] == 0).sum() == len(parts[0])


def test_cutting_a_planted_partition_leaves_its_blocks() -> None:
    p = prior("planted-partition", 80)
    within = 10 * 8 * 7 / 2 / (80 * 79 / 2)
    clusters = components_by_share(p, np.array([1, 0.5, within, 0]))
    assert clusters.components.tolist() == [1, 1, 10, 80]
    assert clusters.isolated.tolist() == [0, 0, 0, 80]
    assert clusters.largest.tolist() == [1, 1, 0.1, 1 / 80]
    assert clusters.weakest[:3].tolist() == [0.05, 0.05, 0.9]
    assert np.isnan(clusters.weakest[3])
    block = np.arange(80) // 8
    assert np.array_equal(clusters.labels[2][:, None] == clusters.labels[2], block[:, None] == block)
    assert clusters.table().shape == (4, 6)
    pair = np.eye(4)
    pair[0, 1] = pair[1, 0] = 0.5
    assert components_by_share(pair, np.array([1.0])).components.tolist() == [3], "links that are 0 join nothing"
    with pytest.raises(ValueError, match="between 0 and 1"):
        components_by_share(p, np.array([1.5]))


@pytest.mark.usefixtures("figures")
def test_pictures_show_the_numbers() -> None:
    p = prior("scale-free", 40)
    numbers, other = statistics(p, samples=2), statistics(graphs.sample_graph(p, 0).astype(float), 0.5)
    axes = numbers.plot(beside=other)
    assert [line.get_ydata().tolist() for line in axes.lines] == [
        sorted(first.degree.tolist(), reverse=True) for first in (numbers, other)
    ]
    assert len(numbers.plot().lines) == 1
    clusters = components_by_share(p, np.linspace(1, 0, 5))
    parts = clusters.plot().lines[0]
    assert np.array_equal(parts.get_ydata(), clusters.components)
