"""Retention curves against a literal account of who goes when; the anytime curve of a toy that needs three steps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.routing import Intervention, Scores, score
from routescope.routing.caused.retention import MOST_SIZES, ORDERS, anytime, retention, thinned_sizes
from routescope.routing.caused.scoring import KeptUnits, ModelScorer
from routescope.routing.caused.subsets import for_each_subset
from routescope.routing.compute import flops_per_sample
from tests.core.routing.caused.test_importance import Table, games, tables
from tests.core.routing.toys import ENOUGH, Toy, balanced, labelled

quick = settings(max_examples=25, deadline=None)


@quick
@given(games())
def test_orders_give_up_units_as_they_say(game: tuple[tuple[str, ...], Table]) -> None:
    units, table = game
    everything, M = frozenset(units), len(units)
    result = retention(units, table.__getitem__, draws=3, flops=lambda kept: 7 * len(kept))
    metric = table[everything].measure.name
    assert result["order"].unique().tolist() == list(ORDERS) and result.columns[3] == metric
    for order, rows in result.groupby("order", sort=False):
        assert rows["dropped"].tolist() == list(range(M + 1))
        assert rows["share_kept"].tolist() == [(M - n) / M for n in range(M + 1)]
        assert rows["flops"].tolist() == [7 * (M - n) for n in range(M + 1)]
        assert rows[metric].iloc[0] == pytest.approx(table[everything].figure)
        assert rows[metric].iloc[-1] == pytest.approx(table[frozenset()].figure)
        assert (rows["low"] <= rows[metric]).all() and (rows[metric] <= rows["high"]).all()
        if order == "random":
            continue
        pick = max if "best" in str(order) else min
        kept = everything
        for row in rows.to_dict("records"):
            assert frozenset(row["kept"]) == kept
            assert row[metric] == table[kept].figure
            assert (row["low"], row["high"]) == table[kept].interval
            if not kept:
                break
            base = kept if "greedy" in str(order) else everything
            left = [unit for unit in units if unit in kept]
            kept -= {pick(left, key=lambda unit: (table[base - {unit}].worth, -table[base - {unit}].mean_loss))}


@quick
@given(tables(most_units=4), st.integers(1, 8), st.integers(0, 9))
def test_random_sets_are_a_band(game: tuple[tuple[str, ...], Table], draws: int, seed: int) -> None:
    units, table = game
    result = retention(units, table.__getitem__, draws=draws, seed=seed, greedy=False)
    assert set(result["order"]) == {"best first", "worst first", "random"}
    for row in result[result["order"] == "random"].itertuples():
        every = [table[kept].accuracy for kept in for_each_subset(units) if len(kept) == len(units) - row.dropped]
        assert row.draws == min(draws, len(every))
        assert min(every) - 1e-12 <= row.low <= row.accuracy + 1e-12
        assert row.accuracy - 1e-12 <= row.high <= max(every) + 1e-12
        if row.draws == len(every):
            assert (row.low, row.high) == (min(every), max(every))
            assert row.accuracy == pytest.approx(np.mean(every))


def test_units_go_together_between_two_sizes() -> None:
    asked = []
    model = Toy(np.eye(6).tolist())
    data = labelled([0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4], classes=6)  # f1 matters most, f6 not at all
    value = KeptUnits.of(model, [data])

    def remembered(kept: frozenset[str]) -> Scores:
        asked.append(kept)
        return value(kept)

    result = retention(model.units, remembered, sizes=(2, 4), draws=1).set_index(["order", "dropped"])["kept"]
    assert result["best first", 2] == result["greedy best", 2] == ("f1", "f2", "f3", "f4")
    assert result["best first", 4] == result["greedy best", 4] == ("f1", "f2")
    assert result["worst first", 4] == result["greedy worst", 4] == ("f5", "f6")
    assert result["worst first", 0] == model.units
    assert len(asked) == len(set(asked)), "every set is scored once"
    with pytest.raises(ValueError, match="from 0 to 6"):
        retention(model.units, value, sizes=(7,))


@quick
@given(tables(most_units=4), st.randoms(use_true_random=False))
def test_given_orders_say_who_goes_first(game: tuple[tuple[str, ...], Table], random) -> None:
    units, table = game
    order = list(units)
    random.shuffle(order)
    result = retention(units, table.__getitem__, ranked=False, orders={"mine": order, "back": order[::-1]}, draws=1)
    assert result["order"].unique().tolist() == ["mine", "back", "random"]
    for name, going in (("mine", order), ("back", order[::-1])):
        for row in result[result["order"] == name].itertuples():
            kept = frozenset(going[row.dropped :])
            assert frozenset(row.kept) == kept and len(row.kept) == len(units) - row.dropped
            assert (row.accuracy, row.low, row.high) == (table[kept].accuracy, *table[kept].interval)
    for name, wrong in (("mine", order[1:]), ("mine", [*order, order[0]]), ("random", order), ("best first", order)):
        with pytest.raises(ValueError, match="each of the"):
            retention(units, table.__getitem__, orders={name: wrong})


@given(st.integers(0, 2000))
def test_sizes_of_many_units_are_even_steps(units: int) -> None:
    sizes = thinned_sizes(units)
    assert sizes == tuple(sorted(set(sizes)))
    assert (sizes[0], sizes[-1]) == (0, units)
    if units <= MOST_SIZES:
        assert sizes == tuple(range(units + 1))
    else:
        assert len(sizes) == MOST_SIZES + 1
        assert np.ptp(np.diff(sizes)) <= 1
    assert thinned_sizes(80) == tuple(range(0, 81, 4))


def test_anytime_is_a_run_for_every_number_of_iterations() -> None:
    model, data = Toy(np.eye(4).tolist(), domains=("one", "two")), [balanced(domain="one"), balanced(domain="two")]
    reports: list[tuple[int, int]] = []
    result = anytime(
        ModelScorer(model, data, 8), range(ENOUGH + 2), progress=lambda done, total, _: reports.append((done, total))
    )
    assert result["accuracy"].tolist() == [0.0] * ENOUGH + [1.0] * 2
    assert reports == [(n, ENOUGH + 2) for n in range(1, ENOUGH + 3)]
    for row in result.itertuples():
        parts = [score(model, item, Intervention(iterations=row.iterations), 8) for item in data]
        assert row.loss == Scores.join(parts).mean_loss
        assert (row.low, row.high) == Scores.join(parts).interval
        assert row.flops == flops_per_sample(model, Intervention(iterations=row.iterations))
        assert row.samples_per_second > 0
