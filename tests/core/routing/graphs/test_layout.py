"""Places of modules: the same every time, like signatures together, blocks apart."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import silhouette_score

from routescope.routing.graphs import fit_signatures, layout, prior, sample_graph
from routescope.routing.graphs.layout import ROOM, parted


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
    signatures = torch.randn(20, 5, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    longer = (signatures * 2.0 ** torch.arange(20)[:, None]).requires_grad_()
    assert layout(longer) == pytest.approx(layout(signatures.numpy()), abs=1e-6)


def test_blocks_of_modules_stand_apart() -> None:
    block = np.arange(80) // 8
    signatures = fit_signatures(sample_graph(prior("planted-partition", 80), 0), 32)
    assert silhouette_score(layout(signatures), block) > 0.4


def test_the_like_are_nearer_than_the_unlike() -> None:
    signatures = fit_signatures(sample_graph(prior("ring-of-cliques", 80), 1), 32).numpy()
    unit = signatures / np.linalg.norm(signatures, axis=1, keepdims=True)
    places = layout(signatures)
    i, j = np.triu_indices(80, 1)
    cosine, apart = (unit @ unit.T)[i, j], np.linalg.norm(places[i] - places[j], axis=1)
    assert np.median(apart[cosine > 0.4]) < 0.5 * np.median(apart[cosine < 0.1])


@pytest.mark.parametrize(
    "signatures",
    [np.ones((12, 4)), np.eye(12), -np.eye(12), np.zeros((12, 4)), np.vstack([np.ones((6, 3)), -np.ones((6, 3))])],
    ids=["equal", "orthogonal", "negative", "zero", "opposite"],
)
def test_odd_signatures_have_places_all_the_same(signatures: np.ndarray) -> None:
    places = layout(signatures)
    assert np.isfinite(places).all()
    assert len(np.unique(places.round(9), axis=0)) == len(signatures)


def test_signatures_that_are_not_finite_are_refused() -> None:
    with pytest.raises(ValueError, match="not finite"):
        layout(np.full((3, 2), np.nan))


def test_parted_pushes_heaps_apart_and_leaves_the_shape() -> None:
    heap = np.concatenate([np.random.default_rng(0).normal(0, 1e-4, (20, 2)), [[1.0, 0.0], [-1.0, 0.0]]])
    places = parted(heap)
    distance = np.linalg.norm(places[:, None] - places, axis=-1)[np.triu_indices(22, 1)]
    assert distance.min() > 0.6 * ROOM / 22**0.5
    assert places[20, 0] > 0.9 and places[21, 0] < -0.9
    np.testing.assert_array_equal(places, parted(heap))


def test_parted_leaves_those_alone_that_have_room() -> None:
    corners = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    np.testing.assert_allclose(parted(corners), corners, atol=1e-4)
