"""Paired changes, groups, outcomes and random sets; intervals of shares and means: against literal resampling."""

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from routescope.nn.measures import BITS_A_BYTE, R2
from routescope.routing import Scores
from routescope.routing.caused import intervals
from routescope.routing.caused.effects import (
    accuracy_by_confidence,
    by_kind,
    drop_effect,
    effects_by,
    outcomes,
    paired_change,
    random_control,
)
from routescope.routing.caused.intervals import weighted_mean, wilson_interval
from tests.core.routing.small import noise, small
from tests.core.routing.toys import balanced

quick = settings(max_examples=30, deadline=None)


def scores(correct: np.ndarray, loss: np.ndarray | None = None) -> Scores:
    correct = np.asarray(correct, dtype=bool)
    loss = np.zeros(len(correct), np.float32) if loss is None else np.asarray(loss, np.float32)
    return Scores(correct, loss, np.zeros(len(correct), np.int16), 1.0)


@st.composite
def both(draw: st.DrawFn) -> tuple[Scores, Scores]:
    count = draw(st.integers(1, 40))
    drawn = [
        (
            draw(st.lists(st.booleans(), min_size=count, max_size=count)),
            draw(st.lists(st.floats(0, 9, width=32), min_size=count, max_size=count)),
        )
        for _ in range(2)
    ]
    return scores(*drawn[0]), scores(*drawn[1])


def literal_interval(before: np.ndarray, after: np.ndarray, draws: int = 4000) -> tuple[float, float]:
    """Draw samples one by one, with replacement, each with its before and its after."""
    rng, changes = np.random.default_rng(99), []
    for _ in range(draws):
        rows = rng.integers(0, len(before), len(before))
        changes.append(after[rows].mean() - before[rows].mean())
    return float(np.quantile(changes, 0.025)), float(np.quantile(changes, 0.975))


@pytest.mark.parametrize("kind", ["right and wrong", "losses"])
@pytest.mark.parametrize("count", [60, 400])
def test_the_interval_is_that_of_resampling_pairs(kind: str, count: int) -> None:
    rng = np.random.default_rng(count)
    if kind == "losses":
        before = rng.gamma(1.0, 1.0, count).astype(np.float32)
        after = (before + rng.normal(0.1, 0.3, count)).astype(np.float32)
        grain = 0.0
    else:
        before = rng.random(count) < 0.9
        after = before & (rng.random(count) < 0.8)
        grain = 1 / count
    change = paired_change(before, after)
    low, high = literal_interval(before.astype(float), after.astype(float))
    width = high - low
    assert change.low == pytest.approx(low, abs=0.08 * width + grain)
    assert change.high == pytest.approx(high, abs=0.08 * width + grain)


@quick
@given(both(), st.booleans())
def test_an_effect_is_the_mean_of_paired_differences(pair: tuple[Scores, Scores], mirrored: bool) -> None:
    """It lies in its interval. With A and B exchanged, signs change and intervals are mirrored to the last bit."""
    a, b = pair
    effect, back = drop_effect(a, b, mirrored=mirrored), drop_effect(b, a, mirrored=not mirrored)
    right = [int(after) - int(before) for before, after in zip(a.value.tolist(), b.value.tolist(), strict=True)]
    loss = [after - before for before, after in zip(a.loss.tolist(), b.loss.tolist(), strict=True)]
    for change, mirror, differences in ((effect.figure, back.figure, right), (effect.loss, back.loss, loss)):
        assert change.value == pytest.approx(sum(differences) / len(a), abs=1e-6) and change.count == len(a)
        assert change.low <= change.value <= change.high
        assert (change.value, change.low, change.high) == (-mirror.value, -mirror.high, -mirror.low)
    assert effect.accuracy == effect.figure == drop_effect(a, b, mirrored=mirrored).figure, "seeded"
    nothing = drop_effect(a, a, mirrored=mirrored)
    for change in (nothing.figure, nothing.loss):
        numbers = [change.value, change.low, change.high]
        assert numbers == [0, 0, 0] and not any(np.signbit(numbers)), "nothing says -0"
    unknown = paired_change(np.zeros(0), np.zeros(0))
    assert np.isnan([unknown.value, unknown.low, unknown.high]).all() and unknown.count == 0


@pytest.mark.parametrize("compare", [drop_effect, outcomes])
def test_pairs_must_match(compare: Callable[..., object]) -> None:
    with pytest.raises(ValueError, match="same samples"):
        compare(scores([True]), scores([True, False]))
    values = np.zeros(1, np.float32)
    other = Scores(values, values, np.full(1, -1, np.int16), 1.0, np.ones(1, np.float32), R2((0.5,)))
    with pytest.raises(ValueError, match="R2"):
        compare(scores([True]), other)


@quick
@given(both())
def test_outcomes_count_every_sample_once(pair: tuple[Scores, Scores]) -> None:
    a, b = pair
    counts = {"both": 0, "only_a": 0, "only_b": 0, "neither": 0}
    for first, second in zip(a.value, b.value, strict=True):
        name = "both" if first and second else "only_a" if first else "only_b" if second else "neither"
        counts[name] += 1
    assert outcomes(a, b) == counts
    assert (counts["only_b"] - counts["only_a"]) / len(a) == pytest.approx(drop_effect(a, b).figure.value)


@pytest.mark.parametrize("mirrored", [False, True])
def test_groups_are_scored_apart(mirrored: bool) -> None:
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 3, 90)
    before, after = scores(rng.random(90) < 0.9), scores(rng.random(90) < 0.6)
    table = effects_by(groups, before, after, ["one", "two", "three", "nobody"], mirrored=mirrored)
    assert list(table.columns) == [
        "group", "count", "baseline", "accuracy", "low", "high", "change", "change_low", "change_high",
    ]  # fmt: skip
    assert table["group"].tolist() == ["one", "two", "three", "nobody"]
    for index, row in enumerate(table.head(3).itertuples()):
        rows = groups == index
        assert row.count == rows.sum()
        assert row.baseline == before.correct[rows].mean()
        assert row.accuracy == after.correct[rows].mean()
        assert (row.low, row.high) == wilson_interval(int(after.correct[rows].sum()), int(rows.sum()))
        alone = drop_effect(before.take(rows), after.take(rows), mirrored=mirrored).figure
        assert (row.change, row.change_low, row.change_high) == (alone.value, alone.low, alone.high)
    bits = [
        Scores(rng.random(90).astype(np.float32), *[np.zeros(90, np.float32)] * 2, 1.0, None, BITS_A_BYTE) for _ in "ab"
    ]
    one = effects_by(np.zeros(90, int), *bits, ["all"], mirrored=mirrored).iloc[0]
    alone = drop_effect(*bits, mirrored=mirrored).figure
    assert (one.change, one.change_low, one.change_high) == (alone.value, alone.low, alone.high)
    nobody = table.iloc[3]
    assert nobody["count"] == 0
    assert np.isnan(nobody[["baseline", "accuracy", "low", "change", "change_high"]].to_numpy(dtype=float)).all()


@given(st.integers(0, 8), st.integers(0, 8), st.integers(1, 20), st.integers(0, 9))
def test_control_sets_are_distinct_and_complete_where_they_can_be(count: int, size: int, draws: int, seed: int) -> None:
    units = [f"u{i}" for i in range(count)]
    sets = random_control(units, size, draws, seed)
    assert len(sets) == len(set(sets)) == min(draws, comb(count, size))
    assert all(len(chosen) == size and set(chosen) <= set(units) and list(chosen) == sorted(chosen) for chosen in sets)
    assert sets == random_control(units, size, draws, seed)
    if comb(count, size) <= draws:
        assert sets == list(combinations(units, size))
    many = [f"u{i:02}" for i in range(20)]
    assert len({tuple(random_control(many, 7, 5, other)) for other in range(5)}) == 5, "sets follow the seed"


counted = st.integers(1, 5000).flatmap(lambda count: st.tuples(st.integers(0, count), st.just(count)))


@given(counted, st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.999]))
def test_the_wilson_interval_is_scipys(pair: tuple[int, int], level: float) -> None:
    correct, count = pair
    theirs = binomtest(correct, count).proportion_ci(level, method="wilson")
    low, high = wilson_interval(correct, count, level)
    assert (low, high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert 0 <= low <= correct / count <= high <= 1


def test_of_nothing_nothing_is_known_and_impossible_counts_are_refused() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)
    for correct, count in ((-1, 5), (6, 5), (1, 0)):
        with pytest.raises(ValueError, match="from 0 to count"):
            wilson_interval(correct, count)


@given(st.lists(st.tuples(st.integers(-1, 1), st.integers(0, 5)), min_size=1, max_size=40))
def test_the_mean_is_that_over_samples_and_within_its_interval(drawn: list[tuple[int, int]]) -> None:
    values, groups = np.array(drawn).T
    mean, low, high = intervals.cluster_interval(values, groups, resamples=50)
    assert mean == pytest.approx(values.mean())
    assert low <= mean <= high


def test_equal_samples_of_a_group_count_once() -> None:
    """Four copies of each sample tell no more than one: the interval is twice as wide as if they were independent."""
    values = (np.random.default_rng(1).random(400) < 0.5).astype(np.int64)
    copies, groups = np.repeat(values, 4), np.repeat(np.arange(400), 4)
    _, low, high = intervals.cluster_interval(copies, groups)
    _, near, far = intervals.bootstrap_interval(copies)
    assert (high - low) / (far - near) == pytest.approx(2, rel=0.1)
    np.testing.assert_allclose((low, high), intervals.bootstrap_interval(values)[1:], atol=0.01)


def test_shares_of_groups() -> None:
    """What is right of two in every four has no other accuracy; where all are alike, groups count as samples."""
    right, groups = np.tile([1, 0, 0, 1], 30), np.repeat(np.arange(30), 4)
    assert intervals.share_interval(right, groups) == (0.5, 0.5)
    assert intervals.share_interval(right) == wilson_interval(60, 120)
    assert intervals.share_interval(np.ones(120), groups) == wilson_interval(30, 30)
    assert intervals.share_interval(np.zeros(120), groups) == wilson_interval(0, 30)
    with pytest.raises((ValueError, TypeError)):  # a TypeError where types are checked
        intervals.cluster_interval(np.zeros(3), np.zeros(2, np.int64))


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
    mean, low, high = intervals.weighted_interval(values, weights, resamples=50)
    if not weights.any():
        assert np.isnan([mean, low, high, weighted_mean(values, weights)]).all()
        return
    assert mean == pytest.approx(np.repeat(values, weights).mean(), abs=1e-12) == weighted_mean(values, weights)
    present = values[weights > 0]
    assert present.min() - 1e-12 <= low <= mean <= high <= present.max() + 1e-12


def test_equal_weights_change_nothing() -> None:
    values = np.random.default_rng(2).random(100)
    wanted = intervals.bootstrap_interval(values)
    assert intervals.weighted_interval(values, np.full(100, 3.5)) == intervals.weighted_interval(values) == wanted
    assert weighted_mean(values) == wanted[0]
    assert np.isnan(intervals.weighted_interval(np.zeros(0), np.zeros(0))).all() and np.isnan(
        weighted_mean(np.zeros(0))
    )


def test_a_weighted_interval_is_as_wide_as_that_of_a_ratio() -> None:
    """Of 1,000 samples: the standard error of a ratio estimator, in its usual linear approximation."""
    rng = np.random.default_rng(3)
    values, weights = rng.standard_normal(1000), rng.exponential(size=1000)
    mean, low, high = intervals.weighted_interval(values, weights)
    error = np.sqrt(((weights * (values - mean)) ** 2).sum()) / weights.sum()
    assert (high - low) / (2 * 1.96 * error) == pytest.approx(1, rel=0.1)


@given(st.lists(st.tuples(st.floats(0.0, 1.0, width=32), st.booleans()), min_size=1, max_size=40))
def test_every_answer_is_in_the_tenth_of_its_confidence(answers: list[tuple[float, bool]]) -> None:
    confidence, right = (np.array(column) for column in zip(*answers, strict=True))
    found = accuracy_by_confidence(replace(scores(right), confidence=confidence.astype(np.float32)))
    assert found["count"].sum() == len(answers)
    for row in found.to_dict("records"):
        last = row["to"] == 1.0
        inside = [
            (sure, is_right)
            for sure, is_right in answers
            if int(np.float32(sure) * np.float32(10)) == round(10 * row["from"]) or (last and sure == 1.0)
        ]
        assert row["count"] == len(inside)
        assert row["confidence"] == pytest.approx(np.mean([sure for sure, _ in inside]), abs=1e-6)
        assert row["accuracy"] == pytest.approx(np.mean([is_right for _, is_right in inside]))
        assert (row["low"], row["high"]) == wilson_interval(sum(is_right for _, is_right in inside), len(inside))


def test_answers_without_a_confidence_are_refused() -> None:
    with pytest.raises(ValueError, match="without a confidence"):
        accuracy_by_confidence(scores(np.array([True])))
