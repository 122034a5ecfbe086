"""Specialisation, pairs and likeness of experts, against loops over tokens and cases that are known."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.nn.experts import NO_EXPERT
from routescope.routing.observed.experts import alike, dead, joint, quantiles, specialised, taken, together

E = 4
quick = settings(max_examples=25, deadline=None)


def drawn(seed: int, tokens: int = 30, some_missing: bool = True) -> np.ndarray:
    """Two experts of four for each token; now and then one alone."""
    rng = np.random.default_rng(seed)
    found = np.stack([rng.permutation(E)[:2] for _ in range(tokens)])
    if some_missing:
        found[rng.random(tokens) < 0.2, 1] = NO_EXPERT
    return found.astype(np.int16)


@quick
@given(st.integers(0, 2**32))
def test_counts_are_those_of_a_loop_over_tokens(seed: int) -> None:
    experts, labels = drawn(seed), np.random.default_rng(seed).integers(0, 3, 30)
    own, pairs, by_label = np.zeros((30, E), bool), np.zeros((E, E)), np.zeros((E, int(labels.max()) + 1))
    for token, row in enumerate(experts.tolist()):
        chosen = [expert for expert in row if expert != NO_EXPERT]
        for expert in chosen:
            own[token, expert] = True
            by_label[expert, labels[token]] += 1
        for a, b in itertools.product(chosen, chosen):
            pairs[a, b] += 1
    assert np.array_equal(taken(experts, E), own)
    assert np.array_equal(joint(experts, labels, E), by_label)
    found = together(experts, np.arange(30) // 5, E, draws=20)
    assert np.array_equal(found.tokens, pairs)
    for a, b in itertools.combinations(range(E), 2):
        expected = pairs[a, b] / (pairs[a, a] * pairs[b, b] / 30)
        assert found.lift[a, b] == found.lift[b, a] == pytest.approx(expected)
    assert np.isnan(np.diagonal(found.lift)).all()


def test_lift_is_one_where_experts_are_independent_and_less_where_two_of_four_are_drawn() -> None:
    independent = np.array([[0, 1], [0, NO_EXPERT], [1, NO_EXPERT], [NO_EXPERT, NO_EXPERT]] * 10)
    found = together(independent, np.arange(40) // 4, 2)
    assert found.lift[0, 1] == found.low[0, 1] == found.high[0, 1] == 1.0, "every sample is alike"
    every = np.array(list(itertools.combinations(range(E), 2)))
    lift = together(every, np.zeros(6, int), E).lift
    assert lift[0, 1] == pytest.approx((2 - 1) * E / (2 * (E - 1)))


def test_an_interval_of_lift_holds_it_and_is_wider_of_fewer_samples() -> None:
    experts = drawn(3, 400)
    many, few = (together(experts, np.arange(400) // size, E, seed=1) for size in (4, 100))
    off = ~np.eye(E, dtype=bool)
    for found in (many, few):
        assert (found.low[off] <= found.lift[off]).all() and (found.lift[off] <= found.high[off]).all()
    once = np.array([[0, 1]] * 5 + [[2, 3]] * 5)  # samples of one kind alone: what is drawn decides
    wide = together(once, np.repeat([0, 1], 5), E, seed=1)
    assert wide.low[0, 1] < wide.high[0, 1] and wide.lift[0, 2] == 0.0
    assert np.isnan(together(np.array([[0, 1]]), np.zeros(1, int), E).lift[2, 3])


@pytest.mark.parametrize(
    ("labels", "value"),
    [([0, 0, 1, 1] * 20, 1.0), ([0, 1, 0, 1] * 20, 0.0)],
)
def test_specialisation_of_experts_that_a_label_decides_or_does_not(labels: list[int], value: float) -> None:
    experts = np.array([[0], [0], [1], [1]] * 20)
    found = specialised(experts, np.array(labels), 2, seed=4)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.beyond_chance == (value == 1.0)
    assert 0 <= found.null_low <= found.null <= found.null_high < 0.2


def test_many_labels_look_specialised_by_chance_and_no_more() -> None:
    rng = np.random.default_rng(0)
    experts, labels = drawn(1, 60), rng.integers(0, 40, 60)
    found = specialised(experts, labels, E, seed=2)
    assert found.value > 0.15 and found.null_low < found.value < found.null_high
    assert specialised(experts, labels, E, seed=2) == found
    assert specialised(experts, labels, E, seed=3) != found


def test_labels_of_samples_are_shuffled_between_samples() -> None:
    """Two samples of one label each, wholly apart: every shuffle is a renaming, so that nothing is beyond chance."""
    experts, labels = np.repeat([[0], [1]], 50, axis=0), np.repeat([0, 1], 50)
    by_token, by_sample = specialised(experts, labels, 2), specialised(experts, labels, 2, samples=labels)
    assert by_token.beyond_chance and not by_sample.beyond_chance
    assert by_sample.value == by_sample.null == by_sample.null_high == pytest.approx(1.0)
    with pytest.raises(ValueError, match="all tokens of a sample have one label"):
        specialised(experts, labels, 2, samples=np.zeros(100, int))
    with pytest.raises(ValueError, match="once or more, not 0"):
        specialised(experts, labels, 2, shuffles=0)
    with pytest.raises(ValueError, match="once or more, not 0"):
        together(experts, labels, 2, draws=0)


def test_experts_are_alike_that_take_the_same_kinds_of_tokens() -> None:
    experts = np.array([[0], [1], [0], [1], [2], [2]])
    labels = np.array([0, 0, 1, 1, 5, 5])
    found = alike(experts, labels, E)
    assert found[0, 1] == pytest.approx(1.0) and found[0, 2] == pytest.approx(0.0) and np.isnan(found[3]).all()
    half = alike(np.array([[0], [0], [1]]), np.array([0, 1, 0]), 2)[0, 1]
    bits = -(0.75 * math.log2(0.75) + 0.25 * math.log2(0.25)) - 0.5
    assert half == pytest.approx(1 - math.sqrt(bits))


def test_the_dead_have_a_share_and_an_interval_by_samples() -> None:
    found = dead(np.array([[0, 2], [2, NO_EXPERT]]), E, samples=8)
    assert (found.places, found.share) == ((1, 3), 0.5)
    assert found.samples_high == pytest.approx(1.96**2 / (8 + 1.96**2), abs=1e-4), "Wilson's of 0 of 8"
    assert dead(drawn(0), E, samples=8).places == ()


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
