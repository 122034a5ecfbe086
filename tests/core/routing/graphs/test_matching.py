"""Matching to a prior and its regulariser: nought for every relabelling, and never worse than the printed method."""

from itertools import permutations

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from routescope.routing.graphs import (
    PRIORS,
    distance_to_prior,
    match,
    matched,
    prior,
    structure_loss,
)

names = st.sampled_from(sorted(PRIORS))


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
