"""Figures of what units cause and of a sweep: what is drawn is what the tables hold."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.container import BarContainer

from routescope.nn.measures import ACCURACY
from routescope.plots import caused, sweep

pytestmark = pytest.mark.usefixtures("figures")


def effects(units: int, metric: str = ACCURACY.name) -> pd.DataFrame:
    """A change for each unit, the third one the largest, with an interval that is wider above than below."""
    change = np.roll(np.linspace(0.3, -0.2, units), 2)
    names = [f"e{place + 1}" for place in range(units)]
    table = pd.DataFrame({"unit": names, "change": change, "low": change - 0.01, "high": change + 0.03})
    table.attrs["metric"] = metric
    return table


def bars(axes: Axes) -> tuple[list[float], np.ndarray]:
    """Heights of the bars; and the lower and the upper end of each error."""
    (drawn,) = (each for each in axes.containers if isinstance(each, BarContainer))
    assert drawn.errorbar is not None
    (lines,) = drawn.errorbar.lines[2]
    return [bar.get_height() for bar in drawn.patches], np.array([ends[:, 1] for ends in lines.get_segments()])


def test_few_units_are_named_in_their_order_and_many_stand_by_value_without_names() -> None:
    table, given = effects(caused.MOST_NAMED), plt.subplots()[1]
    axes = caused.draw_single(table, given, kind="mute")
    assert axes is given
    heights, ends = bars(axes)
    assert heights == pytest.approx(table["change"].tolist())
    np.testing.assert_allclose(ends, table[["low", "high"]])
    assert [label.get_text() for label in axes.get_xticklabels()] == table["unit"].tolist()
    assert axes.get_ylabel() == "change in accuracy" and "muted" in axes.get_title()
    by_value = effects(caused.MOST_NAMED + 1).sort_values("change", ascending=False)
    axes = caused.draw_single(effects(caused.MOST_NAMED + 1))
    heights, ends = bars(axes)
    assert heights == pytest.approx(by_value["change"].tolist())
    np.testing.assert_allclose(ends, by_value[["low", "high"]])
    assert axes.get_xlabel() == "25 units, by value"


def test_shapley_values_say_which_uncertainty_theirs_is() -> None:
    exact = effects(4).rename(columns={"change": "value"})
    axes = caused.draw_shapley(exact)
    np.testing.assert_allclose(bars(axes)[1], exact[["low", "high"]])
    assert axes.get_ylabel() == "Shapley value, share of accuracy" and "bootstrap over samples" in axes.get_title()
    sampled = exact[["unit", "value"]].assign(standard_error=[0.01, 0.02, 0.03, 0.04])
    sampled.attrs["metric"] = "bits per byte"
    axes = caused.draw_shapley(sampled)
    widths = np.ptp(bars(axes)[1], axis=1)
    np.testing.assert_allclose(widths, 4 * sampled["standard_error"])  # two to either side
    assert axes.get_ylabel() == "Shapley value, bits per byte" and "two standard errors" in axes.get_title()


def test_interactions_have_one_scale_to_both_sides_and_their_numbers() -> None:
    values = np.array([[np.nan, 0.02, -0.1], [0.02, np.nan, 0.05], [-0.1, 0.05, np.nan]])
    found = xr.Dataset(
        {"value": (("unit", "other"), values)}, {"unit": ["f1", "f2", "f3"]}, attrs={"metric": "accuracy"}
    )
    axes = caused.draw_interactions(found)
    assert axes.images[0].get_clim() == (-0.1, 0.1)
    assert sorted(each.get_text() for each in axes.texts) == sorted(["+0.020", "-0.100", "+0.050"] * 2)
    colours = {each.get_text(): each.get_color() for each in axes.texts}
    assert colours == {"+0.020": "black", "-0.100": "white", "+0.050": "black"}
    nothing = found.assign(value=(("unit", "other"), np.full((3, 3), np.nan)))
    assert caused.draw_interactions(nothing).images[0].get_clim() == (-1, 1)


@pytest.mark.parametrize(("metric", "limits"), [("accuracy", (0, 1)), ("bits per byte", None)])
def test_retention_has_a_line_for_each_order_and_a_band_of_random_sets(
    metric: str, limits: tuple[float, float] | None
) -> None:
    orders, shares = ("best first", "random", "by use", "by weight"), [0.0, 0.5, 1.0]
    rows = [
        {"order": order, "share_kept": share, metric: 2 * share + at, "low": share, "high": 3 * share + at}
        for at, order in enumerate(orders)
        for share in shares
    ]
    table = pd.DataFrame(rows)
    table.attrs["metric"] = metric
    axes = caused.draw_retention(table)
    assert [line.get_label() for line in axes.lines] == list(orders)
    assert [line.get_ydata().tolist() for line in axes.lines] == [[at, at + 1, at + 2] for at in range(4)]
    assert len({(line.get_color(), line.get_linestyle()) for line in axes.lines}) == len(orders)
    assert len(axes.collections) == 1, "the band of random sets alone"
    assert axes.get_ylabel() == metric and (limits is None) == (axes.get_ylim() != (0, 1))


def test_bands_of_convergence_are_two_standard_errors_wide() -> None:
    table = pd.DataFrame(
        {"unit": ["a", "b"] * 2, "permutations": [2, 2, 4, 4], "value": [0.1, 0.2, 0.3, 0.4], "standard_error": 0.05}
    )
    axes = caused.draw_convergence(table)
    assert [line.get_ydata().tolist() for line in axes.lines] == [[0.1, 0.3], [0.2, 0.4]]
    for band, first in zip(axes.collections, (0.1, 0.2), strict=True):
        places = band.get_paths()[0].vertices
        assert isinstance(places, np.ndarray)
        np.testing.assert_allclose(sorted(set(places[places[:, 0] == 2, 1].round(9))), [first - 0.1, first + 0.1])


def test_a_line_for_every_density_and_a_label_for_every_value() -> None:
    density = [0.0, 1.0, 3.0, 1.0, 0.0]
    common = {"hyper-parameter": "functions", "domain": "mnist", "from": 0.0, "to": 1.0}
    rows = [{**common, "value": 1, "runs": 4, "density": density}, {**common, "value": 2, "runs": 1, "density": None}]
    axes = sweep.draw_densities(rows)
    (first, second) = axes.lines
    np.testing.assert_array_equal(first.get_xdata(), [0, 0.25, 0.5, 0.75, 1])
    np.testing.assert_array_equal(first.get_ydata(), density)
    assert len(np.asarray(second.get_xdata())) == 0
    assert [line.get_label() for line in axes.lines] == ["$n_f$ = 1 (4 runs)", "$n_f$ = 2 (1 runs)"]
    assert axes.get_title() == "mnist" and axes.get_xlim() == (0, 1)


def test_a_map_has_its_density_and_the_best_runs_as_points() -> None:
    density = np.outer([0.0, 1.0, 0.0], [0.0, 2.0, 1.0, 0.0]).tolist()
    row = {"domain": "mnist", "runs": 2, "trials": [2, 3], "tau": [0.7, 1.7], "type_features": [8, 48]}
    trials = [{"trial": at + 1, "tau": 0.8 + at / 10, "type_features": 8 * (at + 1)} for at in range(4)]
    axes = sweep.draw_map({**row, "density": density}, trials)
    (points,) = axes.lines
    np.testing.assert_allclose(np.asarray(points.get_xdata()), [0.9, 1.0])
    np.testing.assert_allclose(np.asarray(points.get_ydata()), [16, 24])
    assert axes.get_xlim() == (0.7, 1.7) and axes.get_ylim() == (8, 48) and len(axes.collections) == 1
    assert not sweep.draw_map({**row, "density": None}, trials).collections, "too few runs for a density"


def test_boxes_have_the_records_quartiles_and_whiskers_and_leave_out_what_no_run_has() -> None:
    common = {"of": "best tenth", "hyper-parameter": "frozen_codes", "domain": "mnist"}
    box = {"count": 5, "low": 0.1, "q1": 0.2, "median": 0.3, "q3": 0.5, "high": 0.9, "beyond": [0.95]}
    nothing = {"count": 0, "low": None, "q1": None, "median": None, "q3": None, "high": None, "beyond": []}
    axes = sweep.draw_boxes([{**common, "value": False, **box}, {**common, "value": True, **nothing}])
    (patch,) = axes.patches
    heights = np.asarray(patch.get_path().vertices)[:, 1]
    assert (heights.min(), heights.max()) == (0.2, 0.5)
    drawn = sorted({float(y) for line in axes.lines for y in np.asarray(line.get_ydata())})
    assert drawn == [0.1, 0.2, 0.3, 0.5, 0.9, 0.95]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["learned\n(5)"]
    assert axes.get_title() == "frozen codes, best tenth"
    assert not list(sweep.draw_boxes([{**common, "value": True, **nothing}]).patches)
