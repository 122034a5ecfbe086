"""Intervals of shares and means, over samples, weighted samples and groups that are not independent."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from routescope.routing.caused.effects import by_kind
from routescope.routing.caused.intervals import (
    bootstrap_interval,
    cluster_interval,
    share_interval,
    weighted_interval,
    weighted_mean,
    wilson_interval,
)
from tests.core.routing.small import noise, small
from tests.core.routing.toys import balanced

counted = st.integers(1, 5000).flatmap(lambda count: st.tuples(st.integers(0, count), st.just(count)))


@given(counted, st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.999]))
def test_the_wilson_interval_is_scipys(pair: tuple[int, int], level: float) -> None:
    correct, count = pair
    theirs = binomtest(correct, count).proportion_ci(level, method="wilson")
    low, high = wilson_interval(correct, count, level)
    assert (low, high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert 0 <= low <= correct / count <= high <= 1


def test_of_nothing_nothing_is_known() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("correct", "count"), [(-1, 5), (6, 5), (1, 0)])
def test_impossible_counts_are_refused(correct: int, count: int) -> None:
    with pytest.raises(ValueError, match="from 0 to count"):
        wilson_interval(correct, count)


@given(st.lists(st.tuples(st.integers(-1, 1), st.integers(0, 5)), min_size=1, max_size=40))
def test_the_mean_is_that_over_samples_and_within_its_interval(drawn: list[tuple[int, int]]) -> None:
    values, groups = np.array(drawn).T
    mean, low, high = cluster_interval(values, groups, resamples=50)
    assert mean == pytest.approx(values.mean())
    assert low <= mean <= high


def test_groups_of_one_are_samples() -> None:
    values = (np.random.default_rng(0).random(300) < 0.7).astype(np.int64)
    first, other = cluster_interval(values, np.arange(300)), bootstrap_interval(values)
    np.testing.assert_allclose(first, other, atol=0.01)


def test_equal_samples_of_a_group_count_once() -> None:
    """Four copies of each sample tell no more than one: the interval is twice as wide as if they were independent."""
    values = (np.random.default_rng(1).random(400) < 0.5).astype(np.int64)
    copies, groups = np.repeat(values, 4), np.repeat(np.arange(400), 4)
    _, low, high = cluster_interval(copies, groups)
    _, near, far = bootstrap_interval(copies)
    assert (high - low) / (far - near) == pytest.approx(2, rel=0.1)
    np.testing.assert_allclose((low, high), bootstrap_interval(values)[1:], atol=0.01)


def test_what_is_right_of_two_in_every_four_has_no_other_accuracy() -> None:
    right, groups = np.tile([1, 0, 0, 1], 30), np.repeat(np.arange(30), 4)
    assert share_interval(right, groups) == (0.5, 0.5)
    assert share_interval(right) == wilson_interval(60, 120)


def test_where_all_are_alike_there_are_as_many_samples_as_groups() -> None:
    groups = np.repeat(np.arange(30), 4)
    assert share_interval(np.ones(120), groups) == wilson_interval(30, 30)
    assert share_interval(np.zeros(120), groups) == wilson_interval(0, 30)


def test_every_sample_has_a_group() -> None:
    with pytest.raises((ValueError, TypeError)):  # a TypeError where types are checked
        cluster_interval(np.zeros(3), np.zeros(2, np.int64))


def test_kinds_are_told_apart_with_what_has_changed() -> None:
    data = noise(small("conditional_nac"), 40)
    rng = np.random.default_rng(3)
    right, before = (rng.random(len(data)) < 0.6 for _ in range(2))
    rows = by_kind(data, right, before)
    assert sum(row["count"] for row in rows) == len(data)
    for row in rows:
        part = np.array([data.kinds[number] == row["kind"] for number in data.kind.tolist()])
        assert row["accuracy"] == right[part].mean()
        assert (row["low"], row["high"]) == wilson_interval(int(right[part].sum()), int(part.sum()))
        assert row["change"] == pytest.approx(right[part].mean() - before[part].mean())
        assert row["change_low"] <= row["change"] <= row["change_high"]
    assert by_kind(balanced(), right) == [], "pictures are of no kind"


@given(st.lists(st.tuples(st.floats(-5, 5), st.integers(0, 4)), min_size=1, max_size=40))
def test_a_weighted_mean_is_that_of_samples_drawn_so_often(drawn: list[tuple[float, int]]) -> None:
    values, weights = (np.array(item) for item in zip(*drawn, strict=True))
    mean, low, high = weighted_interval(values, weights, resamples=50)
    if not weights.any():
        assert np.isnan([mean, low, high, weighted_mean(values, weights)]).all()
        return
    assert mean == pytest.approx(np.repeat(values, weights).mean(), abs=1e-12) == weighted_mean(values, weights)
    present = values[weights > 0]
    assert present.min() - 1e-12 <= low <= mean <= high <= present.max() + 1e-12


def test_equal_weights_change_nothing() -> None:
    values = np.random.default_rng(2).random(100)
    wanted = bootstrap_interval(values)
    assert weighted_interval(values, np.full(100, 3.5)) == weighted_interval(values) == wanted
    assert weighted_mean(values) == wanted[0]
    assert np.isnan(weighted_interval(np.zeros(0), np.zeros(0))).all() and np.isnan(weighted_mean(np.zeros(0)))


def test_a_weighted_interval_is_as_wide_as_that_of_a_ratio() -> None:
    """Of 1,000 samples: the standard error of a ratio estimator, in its usual linear approximation."""
    rng = np.random.default_rng(3)
    values, weights = rng.standard_normal(1000), rng.exponential(size=1000)
    mean, low, high = weighted_interval(values, weights)
    error = np.sqrt(((weights * (values - mean)) ** 2).sum()) / weights.sum()
    assert (high - low) / (2 * 1.96 * error) == pytest.approx(1, rel=0.1)
