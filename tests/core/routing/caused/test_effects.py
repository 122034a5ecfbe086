"""Paired changes against literal resampling; groups; random sets."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from routescope.routing import Scores
from routescope.routing.caused.effects import drop_effect, effects_by, paired_change, random_control
from routescope.routing.caused.intervals import wilson_interval


def scores(correct: np.ndarray, loss: np.ndarray | None = None) -> Scores:
    correct = np.asarray(correct, dtype=bool)
    loss = np.zeros(len(correct), np.float32) if loss is None else np.asarray(loss, np.float32)
    return Scores(correct, loss, np.zeros(len(correct), np.int16), 1.0)


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
    found = paired_change(before, after)
    low, high = literal_interval(before.astype(float), after.astype(float))
    assert found.value == pytest.approx(after.mean() - before.mean(), abs=1e-6)
    assert found.count == count
    width = high - low
    assert found.low == pytest.approx(low, abs=0.08 * width + grain)
    assert found.high == pytest.approx(high, abs=0.08 * width + grain)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60))
def test_a_change_lies_in_its_interval(pairs: list[tuple[bool, bool]]) -> None:
    before, after = np.array(pairs).T
    found = paired_change(before, after, resamples=200)
    assert -1 <= found.low <= found.value <= found.high <= 1
    assert found.value == pytest.approx(after.mean() - before.mean(), abs=1e-12)
    assert found == paired_change(before, after, resamples=200), "seeded"
    back = paired_change(after, before, resamples=200)
    assert back.value == pytest.approx(-found.value)


@given(st.lists(st.floats(0, 50, width=32), min_size=1, max_size=60))
def test_where_nothing_changes_the_change_is_exactly_nothing(losses: list[float]) -> None:
    values = np.array(losses, dtype=np.float32)
    found = paired_change(values, values.copy())
    assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)


def test_of_no_samples_nothing_is_known_and_pairs_must_match() -> None:
    found = paired_change(np.zeros(0), np.zeros(0))
    assert np.isnan([found.value, found.low, found.high]).all()
    assert found.count == 0
    with pytest.raises(ValueError, match="same samples"):
        paired_change(np.zeros(3), np.zeros(4))


def test_an_effect_has_accuracy_and_loss() -> None:
    before = scores([1, 1, 1, 0], [0.1, 0.2, 0.3, 2.0])
    after = scores([1, 0, 1, 0], [0.1, 1.2, 0.3, 2.0])
    effect = drop_effect(before, after)
    assert effect.accuracy.value == -0.25
    assert effect.loss.value == pytest.approx(0.25)
    assert effect.loss.low >= 0


def test_groups_are_scored_apart() -> None:
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 3, 90)
    before, after = scores(rng.random(90) < 0.9), scores(rng.random(90) < 0.6)
    table = effects_by(groups, before, after, ["one", "two", "three", "nobody"])
    assert list(table.columns) == [
        "group", "count", "baseline", "accuracy", "low", "high", "change", "change_low", "change_high",
    ]  # fmt: skip
    assert table["group"].tolist() == ["one", "two", "three", "nobody"]
    for index, row in enumerate(table.head(3).itertuples()):
        own = groups == index
        assert row.count == own.sum()
        assert row.baseline == before.correct[own].mean()
        assert row.accuracy == after.correct[own].mean()
        assert (row.low, row.high) == wilson_interval(int(after.correct[own].sum()), int(own.sum()))
        assert row.change == pytest.approx(row.accuracy - row.baseline)
        assert row.change_low <= row.change <= row.change_high
    nobody = table.iloc[3]
    assert nobody["count"] == 0
    assert np.isnan(nobody[["baseline", "accuracy", "low", "change", "change_high"]].to_numpy(dtype=float)).all()


@given(st.integers(0, 8), st.integers(0, 8), st.integers(1, 20), st.integers(0, 9))
def test_control_sets_are_distinct_and_complete_where_they_can_be(count: int, size: int, draws: int, seed: int) -> None:
    units = [f"u{i}" for i in range(count)]
    found = random_control(units, size, draws, seed)
    assert len(found) == len(set(found)) == min(draws, comb(count, size))
    assert all(len(each) == size and set(each) <= set(units) and list(each) == sorted(each) for each in found)
    assert found == random_control(units, size, draws, seed)
    if comb(count, size) <= draws:
        assert found == list(combinations(units, size))


def test_control_sets_follow_the_seed() -> None:
    units = [f"u{i:02}" for i in range(20)]
    drawn = {tuple(random_control(units, 7, 5, seed)) for seed in range(5)}
    assert len(drawn) == 5
