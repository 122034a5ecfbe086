"""CKA against the estimator written out, and what it must not be moved by."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.routing.observed.result import centred_parts, cka, cosine, hsic

quick = settings(max_examples=30, deadline=None)


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


def test_independent_outputs_are_not_called_similar_for_want_of_rows() -> None:
    """With more features than rows the plain estimator gives nearly 1 here."""
    rng = np.random.default_rng(0)
    result = [cka(rng.standard_normal((2, 20, 200)))[0, 1] for _ in range(40)]
    assert np.mean(result) == pytest.approx(0, abs=0.05)


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
