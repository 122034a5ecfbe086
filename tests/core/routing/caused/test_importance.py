"""Shapley values, interactions and single effects: literal oracles and the axioms."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations, permutations
from math import comb
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.nn.measures import BitsASymbol
from routescope.routing import Scores, score
from routescope.routing.caused.importance import importance, interactions, single_effects
from routescope.routing.caused.scoring import KeptUnits, ModelScorer, all_subsets
from routescope.routing.caused.shapley import shapley_exact, shapley_sampled
from routescope.routing.caused.subsets import Subsets, for_each_subset
from tests.core.routing.toys import balanced, duplicated, labelled, one_hot, uniform

Table = dict[frozenset[str], Scores]


@st.composite
def tables(draw: st.DrawFn, most_units: int = 4, samples: int = 12) -> tuple[tuple[str, ...], Table]:
    """Any game at all: scores of every subset of a few units, drawn at random."""
    units = tuple(f"u{i}" for i in range(draw(st.integers(1, most_units))))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    return units, {kept: random_scores(rng, samples) for kept in for_each_subset(units)}


@st.composite
def games(draw: st.DrawFn) -> tuple[tuple[str, ...], Table]:
    """The same by accuracy, or by bits a symbol, where less is better and samples have weights."""
    units, table = draw(tables())
    if draw(st.booleans()):
        return units, table
    weight = np.arange(1, 13, dtype=np.float32)
    return units, {
        kept: replace(scores, value=scores.loss, weight=weight, measure=BitsASymbol()) for kept, scores in table.items()
    }


def random_scores(rng: np.random.Generator, samples: int) -> Scores:
    correct = rng.random(samples) < rng.random()
    loss = rng.gamma(1.0, 1.0, samples).astype(np.float32)
    return Scores(correct, loss, rng.integers(0, 3, samples).astype(np.int16), rng.random() + 0.1)


def literal_shapley(units: tuple[str, ...], table: Mapping[frozenset[str], Scores]) -> dict[str, float]:
    """What each unit adds when it joins, averaged over every order of joining."""
    total = dict.fromkeys(units, 0.0)
    orders = list(permutations(units))
    for order in orders:
        for position, unit in enumerate(order):
            before, after = table[frozenset(order[:position])], table[frozenset(order[: position + 1])]
            total[unit] += after.worth - before.worth
    return {unit: item / len(orders) for unit, item in total.items()}


quick = settings(max_examples=25, deadline=None)


@quick
@given(games())
def test_exact_values_are_the_average_over_all_orders(game: tuple[tuple[str, ...], Table]) -> None:
    units, table = game
    subsets = Subsets.from_scores(units, "drop", table)
    everything, nothing = table[frozenset(units)], table[frozenset()]
    shapley = shapley_exact(subsets)
    assert shapley["unit"].tolist() == list(units)
    assert dict(zip(units, shapley["value"], strict=True)) == pytest.approx(literal_shapley(units, table), abs=1e-9)
    assert (shapley["low"] <= shapley["value"]).all()
    assert (shapley["value"] <= shapley["high"]).all()
    difference = everything.worth - nothing.worth
    assert shapley["value"].sum() == pytest.approx(difference, abs=1e-9), "efficiency"
    assert shapley.attrs["total"] == pytest.approx(difference)


@quick
@given(tables(most_units=3), st.integers(0, 3))
def test_a_dummy_has_exactly_no_value_and_twins_have_the_same(game: tuple[tuple[str, ...], Table], twin: int) -> None:
    """A unit that never changes anything; a unit that may stand in for another wherever it is missing."""
    units, table = game
    model, stand_in = units[twin % len(units)], "twin"

    def without_dummy(kept: frozenset[str]) -> Scores:
        core = kept - {"dummy", stand_in}
        return table[core | {model}] if stand_in in kept else table[core]

    wider = (*units, "dummy", stand_in)
    scores = {kept: without_dummy(kept) for kept in for_each_subset(wider)}
    shapley = shapley_exact(Subsets.from_scores(wider, "drop", scores)).set_index("unit")
    assert shapley.loc["dummy"].tolist() == [0.0, 0.0, 0.0]
    assert shapley["value"][model] == pytest.approx(shapley["value"][stand_in], abs=1e-12)
    single = single_effects(wider, scores.__getitem__).set_index("unit")
    for unit in ("dummy", model, stand_in):
        assert (single.loc[unit] == 0).all(), "there is always the other one"


@pytest.mark.slow
@settings(quick)
@given(tables(most_units=4), st.integers(0, 99))
def test_sampled_values_sum_up_and_converge(game: tuple[tuple[str, ...], Table], seed: int) -> None:
    units, table = game
    """In 400 orders of four units none of the 24 is missed: that happens once in ten million games."""
    reported: list[tuple[int, int]] = []
    shapley = shapley_sampled(units, table.__getitem__, 400, seed, progress=lambda *done: reported.append(done))
    wanted = literal_shapley(units, table)
    assert reported == [(n, 400) for n in range(2, 401, 2)]
    assert shapley.total == table[frozenset(units)].accuracy - table[frozenset()].accuracy
    assert shapley.table["value"].sum() == pytest.approx(shapley.total, abs=1e-9)
    for row in shapley.table.itertuples():
        assert abs(row.value - wanted[row.unit]) <= 6 * row.standard_error + 1e-9
    assert shapley.convergence["permutations"].unique().tolist() == list(range(2, 401, 2))
    last = shapley.convergence[shapley.convergence["permutations"] == 400]
    assert last["value"].tolist() == shapley.table["value"].tolist()
    assert shapley.convergence.head(len(units))["standard_error"].isna().all(), "one pair has no spread"
    again = shapley_sampled(units, table.__getitem__, 400, seed)
    assert again.table.equals(shapley.table)
    half = shapley_sampled(units, table.__getitem__, 20, seed)
    early = shapley.convergence[shapley.convergence["permutations"] == 20]
    assert half.table["value"].tolist() == early["value"].tolist(), "going on does not begin anew"


@pytest.mark.slow
def test_the_standard_error_is_what_values_scatter_by() -> None:
    rng = np.random.default_rng(3)
    units = tuple(f"u{i}" for i in range(5))
    table = {kept: random_scores(rng, 40) for kept in for_each_subset(units)}
    runs = [shapley_sampled(units, table.__getitem__, 16, seed).table for seed in range(300)]
    scatter = np.std([run["value"] for run in runs], axis=0, ddof=1)
    stated = np.mean([run["standard_error"] ** 2 for run in runs], axis=0) ** 0.5
    np.testing.assert_allclose(stated, scatter, rtol=0.15)
    mean = np.mean([run["value"] for run in runs], axis=0)
    wanted = list(literal_shapley(units, table).values())
    np.testing.assert_allclose(mean, wanted, atol=4 * scatter.max() / 300**0.5)


@pytest.mark.parametrize("count", [0, 2, 3, 5, -4])
def test_permutations_come_in_pairs(count: int) -> None:
    with pytest.raises(ValueError, match="even number"):
        shapley_sampled(("u0",), lambda kept: Scores.join([]), count)


@quick
@given(games())
def test_interactions_are_pairs_minus_singles(game: tuple[tuple[str, ...], Table]) -> None:
    units, table = game
    result, everything = interactions(units, table.__getitem__), frozenset(units)
    whole = table[everything].worth
    for u, w in combinations(units, 2):
        pair = table[everything - {u, w}].worth - whole
        singles = sum(table[everything - {unit}].worth - whole for unit in (u, w))
        for a, b in ((u, w), (w, u)):
            at = result.sel(unit=a, other=b)
            assert float(at["value"]) == pytest.approx(pair - singles, abs=1e-6)
            assert at["low"] <= at["value"] <= at["high"]
    assert all(np.isnan(result[name].sel(unit=u, other=u)) for name in result for u in units)


@given(st.integers(0, 7), st.none() | st.integers(0, 8))
def test_subsets_come_once_and_in_the_order_that_pays(count: int, most: int | None) -> None:
    units = [f"u{i}" for i in range(count)]
    order = list(for_each_subset(units, most))
    assert len(order) == len(set(order))
    assert order[0] == frozenset(units)
    if most is None:
        assert len(order) == 2**count
    else:
        assert set(order) - {frozenset()} == {
            frozenset(units) - set(gone) for n in range(min(most, count) + 1) for gone in combinations(units, n)
        } - {frozenset()}
    dropped = [count - len(kept) for kept in order[2:]]
    assert dropped == sorted(dropped)
    assert not count or order[1] == frozenset()


def test_subsets_are_put_together_whole_or_not_at_all() -> None:
    rng = np.random.default_rng(0)
    units = ("a", "b")
    table = {kept: random_scores(rng, 5) for kept in for_each_subset(units)}
    result = Subsets.from_scores(units, "mute", table, {kept: 10 * len(kept) for kept in table})
    for kept, scores in table.items():
        again = result.value(kept)
        assert again.correct.tolist() == scores.correct.tolist()
        assert again.loss.tolist() == scores.loss.tolist()
        assert again.predicted.tolist() == scores.predicted.tolist()
        assert again.seconds == scores.seconds
        assert result.flops(kept) == 10 * len(kept)
    with pytest.raises(ValueError, match="unknown units c; there are a, b"):
        result.value(frozenset({"c"}))
    with pytest.raises(ValueError, match="1 of 4 are missing"):
        Subsets.from_scores(units, "mute", {kept: table[kept] for kept in table if kept})
    with pytest.raises(ValueError, match="same samples"):
        Subsets.from_scores(units, "mute", table | {frozenset(): random_scores(rng, 6)})


# ------------------------------------------------------------------------------------------------- all together


def test_everything_at_once_over_two_data_sets() -> None:
    model = one_hot(domains=("one", "two"))
    data = [balanced(each=3, domain="one"), labelled([0, 0, 1], domain="two")]
    reports: list[tuple[int, int]] = []
    result = importance(model, data, limit=10, progress=lambda done, total, _: reports.append((done, total)))
    assert reports == [(n, 16) for n in (*range(1, 17), 16)]
    assert result.exact
    assert result.convergence is None
    assert result.baseline.count == 13
    labels = np.concatenate([data[0].labels[:10], data[1].labels])
    wanted = [-(labels == k).mean() for k in range(4)]
    np.testing.assert_allclose(result.single["change"], wanted)
    np.testing.assert_allclose(result.shapley["value"], np.negative(wanted))
    assert '"count": 10' in result.attrs["data"]
    assert '"count": 3' in result.attrs["data"]


def test_many_units_are_sampled() -> None:
    model, data = one_hot(labels=12), balanced(each=1, labels=12)
    with pytest.raises(ValueError, match="up to 10"):
        all_subsets(KeptUnits.of(model, [data]))
    reports: list[tuple[int, int]] = []
    result = importance(
        model, [data], permutations=4, draws=2, progress=lambda done, total, _: reports.append((done, total))
    )
    assert not result.exact
    np.testing.assert_allclose(result.shapley["value"], 1 / 12)
    assert result.shapley["standard_error"].max() < 1e-12
    assert result.convergence is not None
    assert reports[-1][0] == reports[-1][1]
    assert all(0 < done <= total for done, total in reports)
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)


def test_progress_may_cancel() -> None:
    class Cancelled(Exception):
        pass

    def cancel(done: int, total: int, what: str) -> None:
        if done == 3:
            raise Cancelled

    model, data = uniform(), balanced(each=1)
    before = score(model, data)
    with pytest.raises(Cancelled):
        importance(model, [data], progress=cancel)
    assert score(model, data).loss.tobytes() == before.loss.tobytes()


def test_subsets_survive_a_file(tmp_path: Path) -> None:
    result = all_subsets(KeptUnits.of(duplicated(), [balanced(each=1)]))
    assert result.dataset.attrs["kind"] == "drop"
    result.dataset.to_netcdf(tmp_path / "subsets.nc", engine="h5netcdf")
    with xr.open_dataset(tmp_path / "subsets.nc", engine="h5netcdf") as again:
        copy = Subsets(result.units, result.kind, again.load())
    assert shapley_exact(copy).equals(shapley_exact(result))


@pytest.fixture
def _no_screen() -> Iterator[None]:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    yield
    plt.close("all")


@pytest.mark.usefixtures("_no_screen")
def test_figures_show_the_numbers() -> None:
    from routescope.plots.caused import draw_anytime, draw_shapley
    from routescope.routing.caused.retention import anytime

    model, data = duplicated(), balanced(each=2)
    result = importance(model, [data])
    figure = result.plot()
    bars, single, heat, curves = figure.axes[:4]
    assert [bar.get_height() for bar in bars.patches] == result.shapley["value"].tolist()
    assert [bar.get_height() for bar in single.patches] == result.single["change"].tolist()
    assert np.array_equal(
        heat.images[0].get_array().filled(np.nan), result.interactions["value"].values, equal_nan=True
    )
    assert {line.get_label() for line in curves.lines} == set(result.retention["order"])
    sampled = shapley_sampled(model.units, KeptUnits.of(model, [data]), 8)
    assert len(sampled.plot().lines) == len(model.units)
    assert "standard error" in draw_shapley(sampled.table).get_title()
    subsets = all_subsets(KeptUnits.of(model, [data]))
    assert len(subsets.plot().lines[0].get_xdata()) == sum(comb(3, n) for n in range(4))
    assert draw_anytime(anytime(ModelScorer(model, [data]), (1, 3))).lines[0].get_ydata().tolist() == [0.0, 1.0]
