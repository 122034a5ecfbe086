"""Priors as SPEC reads them, graphs drawn from them, fitted signatures, places of modules, and matching to a prior."""

from itertools import permutations

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import silhouette_score

from routescope.routing.graphs import (
    PRIORS,
    distance_to_prior,
    expected_edges,
    fit_signatures,
    layout,
    match,
    matched,
    prior,
    sample_graph,
    structure_loss,
)
from routescope.routing.graphs.layout import ROOM, parted

names = st.sampled_from(sorted(PRIORS))


def off_diagonal(matrix: np.ndarray) -> np.ndarray:
    return matrix[~np.eye(len(matrix), dtype=bool)]


@given(names, st.integers(1, 70), st.integers(0, 1000))
@settings(deadline=None)
def test_priors_and_their_graphs_are_symmetric_and_come_back_with_their_seed(name: str, nodes: int, seed: int) -> None:
    p = prior(name, nodes)
    assert p.shape == (nodes, nodes)
    assert np.array_equal(p, p.T)
    assert (p.diagonal() == 1).all()
    assert ((p >= 0) & (p <= 1)).all()
    graph = sample_graph(p, seed)
    assert graph.dtype == bool
    assert np.array_equal(graph, graph.T)
    assert graph[p == 1].all() and not graph[p == 0].any()
    assert np.array_equal(graph, sample_graph(p, seed))


@given(st.integers(2, 200))
@settings(deadline=None)
def test_as_many_links_are_expected_of_erdos_and_renyi_as_of_the_scale_free_prior(nodes: int) -> None:
    p = prior("erdos-renyi", nodes)
    assert np.ptp(off_diagonal(p)) == 0
    assert expected_edges(p) == pytest.approx(expected_edges(prior("scale-free", nodes)))


@pytest.mark.parametrize("nodes", [80, 320, 1024])
def test_the_scale_free_prior_is_equation_8_with_the_index(nodes: int) -> None:
    p = prior("scale-free", nodes)
    for i, j in ((0, 1), (0, nodes - 1), (3, 17), (nodes - 2, nodes - 1)):
        assert p[i, j] == pytest.approx(min(1, nodes**0.5 / 16 * (i + 1) ** -0.5 * (j + 1) ** -0.5))
    degree = p.sum(axis=1) - 1
    assert (np.diff(degree) < 1e-12).all(), "the first modules are the hubs"
    assert degree[0] > 5 * np.median(degree)
    middle = slice(nodes // 20, nodes // 2)  # away from what is clipped and left out: degree ~ rank^-0.5
    slope = np.polyfit(np.log(np.arange(1, nodes + 1)[middle]), np.log(degree[middle]), 1)[0]
    assert slope == pytest.approx(-0.5, abs=0.02)


@pytest.mark.parametrize("nodes", [40, 320])
def test_the_planted_partition_has_ten_equal_blocks(nodes: int) -> None:
    p = prior("planted-partition", nodes)
    size = nodes // 10
    block = np.arange(nodes) // size
    same = (block[:, None] == block) & ~np.eye(nodes, dtype=bool)
    assert (p[same] == 0.9).all()
    assert (p[block[:, None] != block] == 0.05).all()
    assert expected_edges(p) == pytest.approx(10 * 0.9 * size * (size - 1) / 2 + 0.05 * 45 * size**2)
    for uneven in range(1, 71):  # blocks differ by one node at most
        within = prior("planted-partition", uneven) > 0.5
        assert np.ptp(within.sum(axis=1)) <= 1 and len(np.unique(within, axis=0)) == min(10, uneven)


@pytest.mark.parametrize("nodes", [40, 320])
def test_a_ring_of_cliques_is_a_partition_whose_gateways_serve_two_cliques(nodes: int) -> None:
    ring, partition = prior("ring-of-cliques", nodes), prior("planted-partition", nodes)
    size = nodes // 10
    gateways = np.arange(0, nodes, size)
    others = np.setdiff1d(np.arange(nodes), gateways)
    assert np.array_equal(ring[np.ix_(others, others)], partition[np.ix_(others, others)])
    for k, gateway in enumerate(gateways):
        certain = np.flatnonzero(ring[gateway] == 1)
        part, after, before = (set(range(c * size, (c + 1) * size)) for c in (k, (k + 1) % 10, (k - 1) % 10))
        assert set(certain) == part | after | {min(before)}
        left = np.setdiff1d(np.arange(nodes), certain)
        assert (ring[gateway, left] == 0.05).all()


def test_unknown_priors_and_no_modules_are_refused() -> None:
    with pytest.raises(ValueError, match="scale-free, planted-partition, ring-of-cliques, erdos-renyi"):
        prior("small-world", 10)
    with pytest.raises(ValueError, match="at least one"):
        prior("scale-free", 0)


@pytest.mark.parametrize("name", sorted(PRIORS))
def test_links_are_drawn_as_often_as_they_are_probable(name: str) -> None:
    p, draws = prior(name, 40), 200
    share = np.mean([sample_graph(p, seed) for seed in range(draws)], axis=0)
    z = off_diagonal((share - p) / np.sqrt(np.maximum(p * (1 - p), 1e-9) / draws))
    assert np.abs(z).max() < 5
    upper = np.triu_indices(40, 1)
    assert ((share - p)[upper]).mean() == pytest.approx(0, abs=0.005)


@pytest.mark.parametrize("name", sorted(PRIORS))
def test_fitted_signatures_are_near_exactly_where_there_is_a_link(name: str) -> None:
    graph = sample_graph(prior(name, 80), 3)
    signatures = fit_signatures(graph, features=32, seed=0)
    unit = F.normalize(signatures, dim=1)
    near = (1 - unit @ unit.T < 0.8).numpy()
    links, others = graph & ~np.eye(80, dtype=bool), ~graph
    assert near[links].mean() > 0.97
    assert near[others].mean() < 0.03
    before = F.normalize(torch.randn(80, 32, generator=torch.Generator().manual_seed(0)), dim=1)
    assert (1 - before @ before.T < 0.8).numpy()[links].mean() < 0.3, "random signatures do not know the graph"


def test_fitting_is_repeatable_leaves_no_gradient_and_works_where_gradients_are_off() -> None:
    graph = sample_graph(prior("planted-partition", 30), 0)
    first = fit_signatures(graph, 16, seed=4, steps=20)
    with torch.no_grad():
        two = fit_signatures(graph, 16, seed=4, steps=20)
    assert torch.equal(first, two)
    assert not first.requires_grad
    assert not torch.equal(first, fit_signatures(graph, 16, seed=5, steps=20))


def test_complete_and_empty_graphs_can_be_fitted() -> None:
    for graph in (np.ones((6, 6), dtype=bool), np.eye(6, dtype=bool), np.ones((1, 1), dtype=bool)):
        unit = F.normalize(fit_signatures(graph, 8, seed=1), dim=1)
        near = (1 - unit @ unit.T < 0.8).numpy()
        assert np.array_equal(off_diagonal(near), off_diagonal(graph))


@given(st.integers(1, 40), st.integers(1, 8), st.integers(0, 1000))
@settings(max_examples=25, deadline=None)
def test_places_fill_the_unit_disk_and_are_the_same_each_time(nodes: int, features: int, seed: int) -> None:
    signatures = np.random.default_rng(seed).standard_normal((nodes, features))
    places = layout(signatures, seed=seed)
    assert places.shape == (nodes, 2)
    assert np.array_equal(places, layout(signatures.copy(), seed=seed))
    assert places.mean(axis=0) == pytest.approx(0, abs=1e-9)
    assert np.linalg.norm(places, axis=1).max() == pytest.approx(1 if nodes > 1 else 0)
    assert len(np.unique(places.round(9), axis=0)) == nodes, "no two modules hide each other"


def test_lengths_of_signatures_do_not_matter_and_tensors_may_need_a_gradient() -> None:
    with pytest.raises(ValueError, match="not finite"):
        layout(np.full((3, 2), np.nan))
    signatures = torch.randn(20, 5, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    longer = (signatures * 2.0 ** torch.arange(20)[:, None]).requires_grad_()
    assert layout(longer) == pytest.approx(layout(signatures.numpy()), abs=1e-6)


def test_blocks_of_modules_stand_apart() -> None:
    block = np.arange(80) // 8
    signatures = fit_signatures(sample_graph(prior("planted-partition", 80), 0), 32)
    assert silhouette_score(layout(signatures), block) > 0.4


@pytest.mark.parametrize(
    "signatures",
    [np.ones((12, 4)), np.eye(12), -np.eye(12), np.zeros((12, 4)), np.vstack([np.ones((6, 3)), -np.ones((6, 3))])],
    ids=["equal", "orthogonal", "negative", "zero", "opposite"],
)
def test_odd_signatures_have_places_all_the_same(signatures: np.ndarray) -> None:
    places = layout(signatures)
    assert np.isfinite(places).all()
    assert len(np.unique(places.round(9), axis=0)) == len(signatures)


def test_parted_pushes_heaps_apart_and_leaves_the_shape() -> None:
    heap = np.concatenate([np.random.default_rng(0).normal(0, 1e-4, (20, 2)), [[1.0, 0.0], [-1.0, 0.0]]])
    places = parted(heap)
    distance = np.linalg.norm(places[:, None] - places, axis=-1)[np.triu_indices(22, 1)]
    assert distance.min() > 0.6 * ROOM / 22**0.5
    assert places[20, 0] > 0.9 and places[21, 0] < -0.9
    corners = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    np.testing.assert_allclose(parted(corners), corners, atol=1e-4, err_msg="they have room")


def equation_6(p: np.ndarray, p0: np.ndarray, order: np.ndarray) -> float:
    """As printed, entry by entry."""
    nodes = len(p)
    return sum((p[i, j] - p0[order[i], order[j]]) ** 2 for i in range(nodes) for j in range(nodes) if i != j)


def as_printed(p: np.ndarray, p0: np.ndarray) -> np.ndarray:
    """One call of the Hungarian method on Equation 9."""
    return linear_sum_assignment(((p[:, None, :] - p0[None, :, :]) ** 2).sum(-1))[1]


def links_between(signatures: torch.Tensor) -> torch.Tensor:
    unit = F.normalize(signatures, dim=1)
    return (unit @ unit.T - 1).exp()


def random_links(nodes: int, seed: int) -> np.ndarray:
    return links_between(torch.randn(nodes, 8, generator=torch.Generator().manual_seed(seed)).double()).numpy()


@given(names, st.integers(1, 80), st.integers(0, 100_000))
@settings(max_examples=50, deadline=None)
def test_the_regulariser_is_nought_for_relabellings_of_the_prior(name: str, nodes: int, seed: int) -> None:
    p0 = prior(name, nodes)
    labels = np.random.default_rng(seed).permutation(nodes)
    p = p0[np.ix_(labels, labels)]
    order = match(p, p0)
    assert np.array_equal(np.sort(order), np.arange(nodes))
    assert np.array_equal(matched(p0, order), p), "exactly the same matrix, not one that is near"
    assert structure_loss(torch.from_numpy(p), p0, order).item() == distance_to_prior(p, p0, order) == 0


@pytest.mark.parametrize("name", ["planted-partition", "ring-of-cliques"])
def test_blocks_are_found_under_noise(name: str) -> None:
    rng = np.random.default_rng(1)
    p0, labels = prior(name, 80), rng.permutation(80)
    noise = rng.normal(0, 0.1, (80, 80))
    p = np.clip(p0[np.ix_(labels, labels)] + (noise + noise.T) / 2, 0, 1)
    np.fill_diagonal(p, 1)
    order = match(p, p0)
    assert equation_6(p, p0, order) <= equation_6(p, p0, labels) + 1e-9
    assert np.array_equal(matched(p0, order), p0[np.ix_(labels, labels)])


@given(names, st.integers(2, 30), st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_never_farther_than_the_printed_method_nor_than_where_it_starts(name: str, nodes: int, seed: int) -> None:
    p, p0 = random_links(nodes, seed), prior(name, nodes)
    start = np.random.default_rng(seed).permutation(nodes)
    printed = equation_6(p, p0, as_printed(p, p0))
    warm, cold = match(p, p0, start=start), match(p, p0)
    for order in (warm, cold):
        assert np.array_equal(np.sort(order), np.arange(nodes))
        assert equation_6(p, p0, order) <= printed + 1e-9
    assert equation_6(p, p0, warm) <= equation_6(p, p0, start) + 1e-9


@given(names, st.integers(0, 10_000))
@settings(max_examples=10, deadline=None)
def test_no_swap_of_two_modules_would_be_nearer(name: str, seed: int) -> None:
    p, p0 = random_links(12, seed), prior(name, 12)
    order = match(p, p0, swaps=1000)
    value = equation_6(p, p0, order)
    for r in range(12):
        for s in range(r):
            other = order.copy()
            other[[r, s]] = other[[s, r]]
            assert equation_6(p, p0, other) >= value - 1e-9


@pytest.mark.parametrize("name", ["scale-free", "ring-of-cliques"])
def test_close_to_the_best_of_all_orders_of_six_modules(name: str) -> None:
    p0 = prior(name, 6) if name == "scale-free" else prior(name, 18)[3:9, 3:9]
    for seed in range(5):
        p = random_links(6, seed)
        values = sorted(equation_6(p, p0, np.array(order)) for order in permutations(range(6)))
        value = equation_6(p, p0, match(p, p0))
        assert values[0] - 1e-9 <= value <= values[len(values) // 50] + 1e-9


@given(names, st.integers(2, 25), st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_the_loss_is_the_mean_of_equation_6(name: str, nodes: int, seed: int) -> None:
    p, p0 = random_links(nodes, seed), prior(name, nodes)
    order = np.random.default_rng(seed).permutation(nodes)
    mean = equation_6(p, p0, order) / (nodes * (nodes - 1))
    assert structure_loss(torch.from_numpy(p), p0, order).item() == pytest.approx(mean)
    assert structure_loss(torch.from_numpy(p), torch.from_numpy(p0), order).item() == pytest.approx(mean)
    total = structure_loss(torch.from_numpy(p), p0, order, "sum").item()
    assert total == pytest.approx(mean * len(p) * (len(p) - 1))
    assert distance_to_prior(p, p0, order) == pytest.approx(mean**0.5)


def test_matching_carries_no_gradient_and_takes_tensors_on_their_own_type() -> None:
    p0 = prior("scale-free", 20)
    p = links_between(torch.randn(20, 8, generator=torch.Generator().manual_seed(0)).requires_grad_())
    order = match(p, torch.from_numpy(p0))
    assert np.array_equal(order, match(p.detach().numpy(), p0))
    loss = structure_loss(p, p0, order)
    assert loss.dtype == torch.float32
    assert loss.requires_grad


def test_what_cannot_be_matched_is_refused() -> None:
    p0 = prior("scale-free", 5)
    with pytest.raises(ValueError, match="5 modules, the prior about 4"):
        match(p0, prior("scale-free", 4))
    with pytest.raises(ValueError, match="square"):
        match(p0[:3], p0)
    with pytest.raises(ValueError, match="not finite"):
        match(np.where(np.eye(5), 1, np.nan), p0)
    for start in (np.zeros(5, dtype=int), np.arange(4), np.arange(1, 6)):
        with pytest.raises(ValueError, match=r"0\.\.4 once"):
            match(p0, p0, start=start)
