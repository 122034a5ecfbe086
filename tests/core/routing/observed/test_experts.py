"""Counts and likeness of experts, against loops over tokens and cases that are known."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.nn.experts import NO_EXPERT
from routescope.routing.observed.experts import alike, joint, quantiles

E = 4


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_counts_are_those_of_a_loop_over_tokens(seed: int) -> None:
    rng = np.random.default_rng(seed)
    experts, labels = np.stack([rng.permutation(E)[:2] for _ in range(30)]).astype(np.int16), rng.integers(0, 3, 30)
    experts[rng.random(30) < 0.2, 1] = NO_EXPERT
    counts = np.zeros((E, int(labels.max()) + 1))
    for token, row in enumerate(experts.tolist()):
        for expert in row:
            if expert != NO_EXPERT:
                counts[expert, labels[token]] += 1
    assert np.array_equal(joint(experts, labels, E), counts)


def test_experts_are_alike_that_take_the_same_kinds_of_tokens() -> None:
    experts = np.array([[0], [1], [0], [1], [2], [2]])
    labels = np.array([0, 0, 1, 1, 5, 5])
    likeness = alike(experts, labels, E)
    assert abs(likeness[0, 1] - 1) < 1e-12 and abs(likeness[0, 2]) < 1e-12 and np.isnan(likeness[3]).all()
    half = alike(np.array([[0], [0], [1]]), np.array([0, 1, 0]), 2)[0, 1]
    bits = -(0.75 * math.log2(0.75) + 0.25 * math.log2(0.25)) - 0.5
    assert abs(half - (1 - math.sqrt(bits))) < 1e-12


def test_ends_of_draws_leave_out_those_without_a_figure() -> None:
    drawn = np.random.default_rng(2).normal(size=(41, 5, 6))
    drawn[np.random.default_rng(3).random(drawn.shape) < 0.4] = np.nan
    drawn[1:, 0, 0] = drawn[:, 0, 1] = np.nan
    drawn[0, 0, 0] = 0.5
    low, high = quantiles(drawn)
    kept = ~np.isnan(drawn).all(axis=0)
    expected = np.nanquantile(drawn[:, kept], (0.025, 0.975), axis=0)
    np.testing.assert_allclose((low[kept], high[kept]), expected, rtol=1e-12)
    assert np.isnan(low[0, 1]) and np.isnan(high[0, 1]) and kept.sum() == 29
