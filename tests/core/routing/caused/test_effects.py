"""Paired changes against literal resampling, whichever of two evaluations is A; groups; outcomes; random sets."""

from collections.abc import Callable
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.nn.measures import BITS_A_BYTE, R2
from routescope.routing import Scores
from routescope.routing.caused.effects import drop_effect, effects_by, outcomes, paired_change, random_control
from routescope.routing.caused.intervals import wilson_interval

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


@quick
@given(both(), st.booleans())
def test_where_nothing_changes_the_change_is_exactly_nothing(pair: tuple[Scores, Scores], mirrored: bool) -> None:
    a, _ = pair
    effect = drop_effect(a, a, mirrored=mirrored)
    for change in (effect.figure, effect.loss):
        assert (change.value, change.low, change.high) == (0, 0, 0)
        assert not any(np.signbit([change.value, change.low, change.high]))  # nothing says "-0"


def test_of_no_samples_nothing_is_known() -> None:
    change = paired_change(np.zeros(0), np.zeros(0))
    assert np.isnan([change.value, change.low, change.high]).all() and change.count == 0


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


def test_control_sets_follow_the_seed() -> None:
    units = [f"u{i:02}" for i in range(20)]
    drawn = {tuple(random_control(units, 7, 5, seed)) for seed in range(5)}
    assert len(drawn) == 5
