"""Measures of shares and of similar outputs against literal definitions, and the properties that name them."""

from collections import Counter
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import jensenshannon

from routescope.routing.observed import measures
from routescope.routing.observed.result import centred_parts, cka, cosine, hsic

quick = settings(max_examples=30, deadline=None)
weights = st.integers(2, 6).flatmap(lambda m: arrays(np.float64, m, elements=st.floats(0, 1, width=16))).filter(np.any)
tables = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.floats(0, 1, width=16))
).filter(np.any)  # fmt: skip


@given(weights)
@quick
def test_shares_of_one_thing(given_weights: np.ndarray) -> None:
    p = measures.shares(given_weights)
    M = len(p)
    assert p.sum() == pytest.approx(1)
    assert measures.entropy(p) == pytest.approx(-sum(x * log(x) for x in p if x > 0), abs=1e-12)
    assert -1e-12 <= measures.entropy(p) <= log(M) + 1e-12
    cv, highest, gini = measures.balance(p)
    mean = sum(p) / M
    assert cv == pytest.approx((sum((x - mean) ** 2 for x in p) / M) ** 0.5 / mean)
    assert highest == pytest.approx(max(p) * M)
    assert gini == pytest.approx(sum(abs(x - y) for x in p for y in p) / (2 * M * M * mean))
    worst, average = measures.collapse(p)
    assert worst == pytest.approx(1 - M * min(p))
    assert average == pytest.approx(M / (M - 1) * sum(max(0, 1 / M - x) for x in p))
    assert -1e-9 <= average <= worst + 1e-9 <= 1 + 2e-9


def test_what_is_not_defined_is_nan() -> None:
    nothing = np.zeros(3)
    assert np.isnan(
        [*measures.balance(nothing), *measures.collapse(nothing), *measures.repeats(np.zeros((3, 3)))]
    ).all()
    worst, average = measures.collapse(np.ones(1))
    assert worst == 0
    assert np.isnan(average)
    assert np.isnan(measures.specialisation(np.array([[0.5, 0.5]]))), "one unit cannot specialise"
    assert np.isnan(measures.js_distance(nothing, np.eye(3)[0]))


@given(tables)
@quick
def test_mutual_information_is_the_divergence_from_independence(table: np.ndarray) -> None:
    joint = measures.shares(table, axes=2)
    rows, columns = joint.sum(axis=1), joint.sum(axis=0)
    literal = sum(
        joint[i, j] * log(joint[i, j] / (rows[i] * columns[j]))
        for i in range(len(rows))
        for j in range(len(columns))
        if joint[i, j] > 0
    )
    assert measures.mutual_information(joint) == pytest.approx(literal, abs=1e-9)
    assert measures.mutual_information(joint.T) == pytest.approx(literal, abs=1e-9)
    share = measures.specialisation(joint)
    assert np.isnan(share) or 0 <= share <= 1
    least = min(measures.entropy(rows), measures.entropy(columns))
    if least > 1e-9:
        assert share == pytest.approx(literal / least, abs=1e-6)


@given(weights, st.integers(0, 1000))
@quick
def test_js_distance_is_scipy_s(given_weights: np.ndarray, seed: int) -> None:
    p = measures.shares(given_weights)
    q = measures.shares(np.random.default_rng(seed).random(len(p)))
    # roundings of the divergence, about 1e-16, are 1e-8 of a distance near 0
    assert measures.js_distance(p, q) == pytest.approx(jensenshannon(p, q, base=2), abs=1e-7)
    assert measures.js_distance(p, p) == pytest.approx(0, abs=1e-7)
    assert measures.js_distance(np.eye(2)[0], np.eye(2)[1]) == pytest.approx(1)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40))
@quick
def test_repeats_and_their_chance(pairs: list[tuple[int, int]]) -> None:
    table = np.zeros((4, 4))
    for before, now in pairs:
        table[before, now] += 1
    rate, chance = measures.repeats(table)
    assert rate == pytest.approx(sum(a == b for a, b in pairs) / len(pairs))
    before, now = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    assert chance == pytest.approx(sum(before[u] * now[u] for u in range(4)) / len(pairs) ** 2)


def test_the_null_shuffles_labels_between_samples() -> None:
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(4), 50)
    tied, free = np.eye(4)[labels], rng.dirichlet(np.ones(4), len(labels))
    both = np.stack([tied, free], axis=1)  # (sample, step, unit): the first step follows the label, the second none
    null = measures.specialisation_null(both, labels, 4, 200, np.random.default_rng(1))
    assert null.shape == (200, 2)
    real = [measures.specialisation(measures.shares(np.eye(4)[labels].T @ both[:, s], axes=2)) for s in (0, 1)]
    assert real[0] == pytest.approx(1)
    assert null[:, 0].max() < 0.15
    assert null[:, 1].min() <= real[1] <= null[:, 1].max()
    assert np.array_equal(null, measures.specialisation_null(both, labels, 4, 200, np.random.default_rng(1)))


def literal_hsic(x: np.ndarray, y: np.ndarray) -> float:
    """Song et al. 2012, Equation 5, with n x n matrices."""
    n, first = len(x), np.ones(len(x))
    K, L = x @ x.T, y @ y.T
    np.fill_diagonal(K, 0)
    np.fill_diagonal(L, 0)
    both = (first @ K @ first) * (first @ L @ first) / ((n - 1) * (n - 2))
    return float((np.trace(K @ L) + both - 2 / (n - 2) * (first @ K @ L @ first)) / (n * (n - 3)))


@given(st.integers(4, 12), st.integers(1, 4), st.integers(1, 4), st.integers(0, 10_000))
@quick
def test_hsic_is_the_estimator_written_out(n: int, d: int, e: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(3, 1, (n, d)), rng.normal(-1, 2, (n, e))  # centring changes nothing
    assert hsic(centred_parts(x), centred_parts(y)) == pytest.approx(literal_hsic(x, y), rel=1e-8, abs=1e-8)


@given(st.integers(0, 10_000))
@quick
def test_cka_sees_neither_rotation_nor_scale_nor_offset(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((2, 30, 4))
    y = y + x
    rotation, _ = np.linalg.qr(rng.standard_normal((4, 4)))
    result = cka(np.stack([x, y, 3 * x @ rotation + 5]))
    assert result[0, 2] == pytest.approx(1)
    assert result[1, 2] == pytest.approx(result[0, 1])
    np.testing.assert_allclose(result, result.T)
    np.testing.assert_allclose(np.diag(result), 1)
    expected = literal_hsic(x, y) / np.sqrt(literal_hsic(x, x) * literal_hsic(y, y))
    assert result[0, 1] == pytest.approx(expected)


def test_outputs_that_do_not_vary_have_no_cka() -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((20, 3))
    result = cka(np.stack([x, np.zeros((20, 3)), np.full((20, 3), 0.1)]))
    assert np.isnan(result[1:]).all()
    assert result[0, 0] == 1
    assert np.isnan(cka(np.stack([x[:3], x[:3]]))).all()


@given(st.integers(0, 10_000))
@quick
def test_cosine_is_the_mean_over_inputs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    outputs = rng.standard_normal((3, 6, 4)) * (rng.random((3, 6, 1)) > 0.3)
    result = cosine(outputs)
    for i in range(3):
        for j in range(3):
            cosines = [
                a @ b / np.linalg.norm(a) / np.linalg.norm(b)
                for a, b in zip(outputs[i], outputs[j], strict=True)
                if a.any() and b.any()
            ]
            assert result[i, j] == pytest.approx(np.mean(cosines)) if cosines else np.isnan(result[i, j])
