"""Shapley values, interactions and single effects: oracles, axioms, known answers; of experts; of distributions."""

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope import zoo
from routescope.data import DataError, load
from routescope.data.text.sets import own_texts
from routescope.nn.experts import RoutedLayer
from routescope.nn.measures import BitsASymbol
from routescope.routing import Intervention, InterventionError, Scores, score
from routescope.routing.caused.connectivity import by_connectivity
from routescope.routing.caused.distributions import choose_distribution, distribution_of
from routescope.routing.caused.effects import effects_by
from routescope.routing.caused.importance import (
    Importance,
    described,
    importance,
    interactions,
    orders_by_links,
    single_effects,
)
from routescope.routing.caused.importance_plan import NoPlan, Plan
from routescope.routing.caused.retention import thinned_sizes
from routescope.routing.caused.scoring import KeptUnits, ModelScorer, all_subsets
from routescope.routing.caused.shapley import shapley_exact, shapley_sampled
from routescope.routing.caused.subsets import MOST_UNITS_PAIRS, Subsets, for_each_subset
from routescope.routing.compute import flops_per_sample
from routescope.routing.options import KINDS
from tests.core.routing.small import noise, small
from tests.core.routing.toy_circuit import star
from tests.core.routing.toys import balanced, duplicated, labelled, one_hot, uniform, with_dead

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


@settings(max_examples=8, deadline=None)
@given(tables(most_units=4), st.integers(0, 99))
def test_sampled_values_sum_up_and_converge(game: tuple[tuple[str, ...], Table], seed: int) -> None:
    """In 200 orders of four units hardly any of the 24 is missed."""
    units, table = game
    reported: list[tuple[int, int]] = []
    shapley = shapley_sampled(units, table.__getitem__, 200, seed, progress=lambda *done: reported.append(done))
    wanted = literal_shapley(units, table)
    assert reported == [(n, 200) for n in range(2, 201, 2)]
    assert shapley.total == table[frozenset(units)].accuracy - table[frozenset()].accuracy
    assert shapley.table["value"].sum() == pytest.approx(shapley.total, abs=1e-9)
    for row in shapley.table.itertuples():
        assert abs(row.value - wanted[row.unit]) <= 6 * row.standard_error + 1e-9
    assert shapley.convergence["permutations"].unique().tolist() == list(range(2, 201, 2))
    last = shapley.convergence[shapley.convergence["permutations"] == 200]
    assert last["value"].tolist() == shapley.table["value"].tolist()
    assert shapley.convergence.head(len(units))["standard_error"].isna().all(), "one pair has no spread"
    part, same = (shapley_sampled(units, table.__getitem__, 20, seed) for _ in range(2))
    assert part.table.equals(same.table)
    early = shapley.convergence[shapley.convergence["permutations"] == 20]
    assert part.table["value"].tolist() == early["value"].tolist(), "going on does not begin anew"


def test_the_standard_error_is_what_values_scatter_by() -> None:
    rng = np.random.default_rng(3)
    units = tuple(f"u{i}" for i in range(5))
    table = {kept: random_scores(rng, 40) for kept in for_each_subset(units)}
    runs = [shapley_sampled(units, table.__getitem__, 16, seed).table for seed in range(200)]
    scatter = np.std([run["value"] for run in runs], axis=0, ddof=1)
    stated = np.mean([run["standard_error"] ** 2 for run in runs], axis=0) ** 0.5
    np.testing.assert_allclose(stated, scatter, rtol=0.15)
    mean = np.mean([run["value"] for run in runs], axis=0)
    wanted = list(literal_shapley(units, table).values())
    np.testing.assert_allclose(mean, wanted, atol=4 * scatter.max() / 200**0.5)


def test_permutations_come_in_pairs() -> None:
    for count in (0, 2, 3, 5, -4):
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


@pytest.mark.usefixtures("figures")
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


def test_1_a_uniform_router_has_equal_values() -> None:
    model, data = uniform(5), [balanced()]
    for kind in KINDS:
        result = shapley_exact(all_subsets(KeptUnits.of(model, data, kind=kind)))
        np.testing.assert_allclose(result["value"], result.attrs["total"] / 5, rtol=1e-12)
    dropped = shapley_exact(all_subsets(KeptUnits.of(model, data)))
    np.testing.assert_allclose(dropped["value"], 1 / 5, rtol=1e-12)
    assert (single_effects(model.units, KeptUnits.of(model, data))["change"] == 0).all(), "the others take over"


@pytest.mark.parametrize("kind", ["drop", "mute"])
def test_2_a_unit_tied_to_a_label_hurts_that_label_alone(kind) -> None:
    model, data = one_hot(), balanced(each=5)
    baseline = score(model, data)
    for k, unit in enumerate(model.units):
        table = effects_by(
            data.labels.numpy(), baseline, score(model, data, Intervention().ablating(kind, [unit])), data.classes
        )
        assert table["change"].tolist() == [-1.0 if label == k else 0.0 for label in range(4)]
        assert table[["change_low", "change_high"]].to_numpy().tolist() == [[c, c] for c in table["change"]]
    shapley = shapley_exact(all_subsets(KeptUnits.of(model, [data], kind=kind)))
    np.testing.assert_allclose(shapley["value"], 1 / 4, rtol=1e-12)
    values = interactions(model.units, KeptUnits.of(model, [data], kind=kind))["value"].values
    np.testing.assert_allclose(values[~np.eye(4, dtype=bool)], 0, atol=1e-12)


def test_3_a_copy_may_go_but_not_both() -> None:
    model, data = duplicated(), balanced(each=10)
    baseline = score(model, data)
    for copy in ("f1", "f2"):
        without = score(model, data, Intervention(drop=(copy,)))
        assert without.loss.tobytes() == baseline.loss.tobytes(), "the other copy takes over, to the last bit"
    muted = score(model, data, Intervention(mute=("f1",)))
    assert muted.accuracy == 0.25, "muting renormalises nothing: half of the evidence is not enough"
    result = importance(model, [data])
    single = result.single.set_index("unit")
    assert single.loc[["f1", "f2"], ["change", "low", "high", "loss_change"]].to_numpy().tolist() == [[0.0] * 4] * 2
    assert single["change"]["f3"] == -0.25
    pair = result.interactions.sel(unit="f1", other="f2")
    assert float(pair["value"]) == -0.75
    assert pair["high"] < 0
    assert float(result.interactions["value"].sel(unit="f1", other="f3")) == 0
    np.testing.assert_allclose(result.shapley["value"], [0.375, 0.375, 0.25], rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_4_a_dead_unit_has_exactly_no_effect(kind) -> None:
    model, data = with_dead(), labelled([0, 1, 2, 3, 3, 3, 1])
    baseline, without = score(model, data), score(model, data, Intervention().ablating(kind, ["f2"]))
    assert without.loss.tobytes() == baseline.loss.tobytes()
    assert without.correct.tobytes() == baseline.correct.tobytes()
    result = importance(model, [data], kind=kind)
    assert result.shapley.set_index("unit").loc["f2"].tolist() == [0.0, 0.0, 0.0]
    assert (result.single.set_index("unit").loc["f2"] == 0).all()
    assert (result.interactions["value"].sel(unit="f2").drop_sel(other="f2") == 0).all()


MANY = MOST_UNITS_PAIRS + 2


@pytest.fixture(scope="module")
def many() -> Any:
    return small("neural_attentive_circuit", modules=MANY, layers=1)


@pytest.fixture(scope="module")
def measured(many: Any) -> Importance:
    reports: list[tuple[int, int]] = []
    result = importance(
        many,
        [noise(many, 6)],
        draws=2,
        base=Intervention(keep_edges=0.5),
        progress=lambda done, total, _: reports.append((done, total)),
    )
    assert reports[-1][0] == reports[-1][1] == max(done for done, _ in reports)
    assert len({total for _, total in reports}) == 1
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)
    return result


@pytest.mark.usefixtures("figures")
def test_single_effects_and_curves_remain(many: Any, measured: Importance) -> None:
    assert measured.single["unit"].tolist() == list(many.units)
    assert len(measured.shapley) == 0 and measured.convergence is None and not measured.exact
    assert measured.interactions.sizes["unit"] == 0
    whole, none = (score(many, noise(many, 6), Intervention(drop=gone, keep_edges=0.5)) for gone in ((), many.units))
    assert measured.baseline.loss.tobytes() == whole.loss.tobytes()
    assert measured.shapley.attrs["total"] == whole.accuracy - none.accuracy
    assert measured.attrs["keep_edges"] == 0.5
    orders = ["best first", "worst first", "least connected first", "most connected first", "random"]
    assert measured.retention["order"].unique().tolist() == orders
    for _, rows in measured.retention.groupby("order"):
        assert tuple(rows["dropped"]) == thinned_sizes(MANY)
    titles = [axes.get_title() for axes in measured.plot().axes]
    assert "Shapley values: not scored" in titles and "Pairs: not scored" in titles


def test_curves_by_links_are_those_of_the_graph(many: Any, measured: Importance) -> None:
    least = by_connectivity(many)
    rows = measured.retention[measured.retention["order"] == "least connected first"]
    for row in rows.itertuples():
        assert set(row.kept) == set(least[row.dropped :])
        change = Intervention(drop=least[: row.dropped], keep_edges=0.5)
        assert row.accuracy == score(many, noise(many, 6), change).accuracy
        assert row.flops == flops_per_sample(many, change)
    assert rows["flops"].is_monotonic_decreasing and rows["flops"].iloc[0] > rows["flops"].iloc[-1]


def test_what_is_asked_for_is_scored(many: Any) -> None:
    few = importance(star(), [balanced(1)], draws=1)
    assert few.exact and few.interactions.sizes["unit"] == 5
    assert set(few.retention["order"]) >= {"greedy best", "least connected first", "most connected first"}
    asked = importance(
        small("perceiver_io", modules=12, layers=1), [noise(many, 3)], draws=1, permutations=4, pairs=False
    )
    assert len(asked.shapley) == 12 and asked.interactions.sizes["unit"] == 0
    assert asked.shapley["value"].sum() == pytest.approx(asked.shapley.attrs["total"])
    assert not any("connected" in order for order in asked.retention["order"])
    assert orders_by_links(uniform()) == {}


BYTES = zoo.load("moe-bytes")
SETS = [load(name, "validation").take(slice(1)) for name in ("sums", "python")]


@pytest.mark.parametrize("top_k", [None, 1])
def test_of_every_expert_alone_there_is_the_effect_of_its_drop_and_nothing_else(top_k: int | None) -> None:
    reports: list[tuple[int, int]] = []
    result = importance(
        BYTES, SETS, base=Intervention(top_k=top_k), progress=lambda done, total, _: reports.append((done, total))
    )
    assert reports == [*((n, 33) for n in range(1, 34)), (33, 33)]
    whole = Scores.join(score(BYTES, item, Intervention(top_k=top_k)) for item in SETS)
    assert result.baseline.loss.tobytes() == whole.loss.tobytes()
    assert result.single["unit"].tolist() == list(BYTES.units)
    for unit in ("l1.e1", "l3.e8"):
        gone = Scores.join(score(BYTES, entry, Intervention(drop=(unit,), top_k=top_k)) for entry in SETS)
        change = result.single.set_index("unit").loc[unit, "change"]
        assert change == pytest.approx(gone.figure - whole.figure)
    assert (len(result.shapley), len(result.retention), result.interactions.sizes["unit"]) == (0, 0, 0)
    assert np.isnan(result.total) and result.attrs.get("top_k") == top_k and "layer" not in result.attrs
    assert len(result.plot().axes) == 4


def test_what_cannot_be_scored_is_refused_with_what_can() -> None:
    for asked in ({"layer": "l2"}, {"permutations": 4}, {"pairs": True}):
        with pytest.raises(NoPlan, match="mute them, or replace"):
            importance(BYTES, SETS, **asked)
    with pytest.raises(NoPlan, match="no layer that routes is called l9; there are l1, l2, l3, l4"):
        importance(BYTES, SETS, kind="mute", layer="l9")
    with pytest.raises(NoPlan, match="routed to no experts"):
        Plan.of(("f1", "f2"), (), "l1")
    with pytest.raises(NoPlan, match="there are l1, l2, l3 to l48"):
        Plan.of((), [RoutedLayer(f"l{n}", n - 1, 4, 2) for n in range(1, 49)], "l0", "mute")
    with pytest.raises(InterventionError, match="needs 8 experts"):
        importance(BYTES, SETS, base=Intervention(top_k=8))
    with pytest.raises(NoPlan, match="leave drop, mute, mean and resample out"):
        importance(BYTES, SETS, base=Intervention(mute=("l1.e1",)))


def test_the_distribution_of_samples_is_what_the_card_says_or_unknown() -> None:
    circuit = small("neural_attentive_circuit")
    data = noise(circuit, 5)
    (domain,) = {data.domain}
    sums = replace(load("addmul", "validation", limit=4), held_out=torch.tensor([False, True, True, False]))
    for dataset, trained_on, held_out, limit, expected in (
        (data, (), (), None, ["unknown"] * 5),
        (data, ("other",), (), 9, ["unknown"] * 5),
        (data, (domain,), (), 3, ["in"] * 3),
        (data, (), (domain,), 3, ["out"] * 3),
        (sums, ("addmul",), (), 3, ["in", "out", "out"]),
        (sums, (), (), 3, ["unknown"] * 3),
        (sums, ("addmul",), ("addmul",), 3, ["out"] * 3),
        (own_texts("a text", "python"), ("python",), (), None, ["unknown"]),
    ):
        assert distribution_of(dataset, trained_on, held_out, limit).tolist() == expected


def test_one_distribution_is_chosen() -> None:
    mixed, whole, away = np.array(["in", "out", "in"]), np.full(2, "in"), np.full(2, "out")
    unknown = np.full(2, "unknown")

    def chosen(*arguments: object) -> tuple[str, list[int], list[bool] | None]:
        name, positions, taken = choose_distribution(*arguments)  # type: ignore[arg-type]
        return name, positions, None if taken is None else taken.tolist()

    assert chosen([mixed, whole, away]) == ("in", [0, 1], [True, False, True, True, True])
    assert chosen([mixed, whole, away], "out") == ("out", [0, 2], [False, True, False, True, True])
    assert chosen([whole]) == chosen([whole], "in") == ("in", [0], None)
    assert chosen([away]) == chosen([away], "out") == ("out", [0], None)
    assert chosen([]) == ("unknown", [], None)
    assert chosen([np.empty(0, "<U7")], "in") == ("in", [0], None)
    assert chosen([unknown]) == ("unknown", [0], None)
    assert chosen([unknown, whole]) == ("in", [1], None)
    with pytest.raises(DataError, match="is in distribution; all are distribution unknown"):
        choose_distribution([unknown], "in")
    with pytest.raises(DataError, match="no sample of these data sets is out of distribution; all are in distribution"):
        choose_distribution([whole], "out")


def test_importance_never_pools_a_domain_that_is_held_out() -> None:
    """Of both domains it is what it is of the one that training showed; of the other alone that is what it is of."""
    model = small("neural_attentive_circuit", modules=3, held_out=("there",))
    model.trained_on = ("here",)
    here, there = noise(model, 7, "here"), noise(model, 6, "there", seed=1)
    for asked, alone, name in ((None, here, "in"), ("in", here, "in"), ("out", there, "out")):
        result = importance(model, [here, there], 5, distribution=asked)  # type: ignore[arg-type]
        part = importance(model, [alone], 5)
        assert result.attrs["distribution"] == name == part.attrs["distribution"] and result.baseline.count == 5
        assert [(item["name"], item["count"]) for item in json.loads(result.attrs["data"])] == [(alone.name, 5)]
        for table in ("shapley", "single"):
            assert getattr(result, table).equals(getattr(part, table)), table
        timed = ["samples_per_second"]  # of another moment
        assert result.retention.drop(columns=timed).equals(part.retention.drop(columns=timed))
    with pytest.raises(DataError, match="out of distribution"):
        importance(model, [here], distribution="out")


def test_samples_that_are_taken_alone_count() -> None:
    """All subsets of the units are scored on some samples of a set."""
    model = small("neural_attentive_circuit", modules=3)
    data, taken = noise(model, 12), np.arange(12) % 3 == 0
    subsets = all_subsets(KeptUnits.of(model, [data], taken=taken), described(model, [data], None, None, taken))
    for kept in for_each_subset(model.units):
        gone = tuple(unit for unit in model.units if unit not in kept)
        right = score(model, data, Intervention(drop=gone)).correct
        assert subsets.value(kept).correct.tolist() == right[[0, 3, 6, 9]].tolist()
    assert [item["count"] for item in json.loads(subsets.dataset.attrs["data"])] == [4]
