"""Figures of a sweep: what is drawn is what the record's tables hold."""

from collections.abc import Iterator

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

from routescope.plots import sweep

mpl.use("Agg")


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    plt.close("all")


def test_a_line_for_every_density_and_a_place_in_the_legend_for_every_value() -> None:
    density = [0.0, 1.0, 3.0, 1.0, 0.0]
    common = {"hyper-parameter": "functions", "domain": "mnist", "from": 0.0, "to": 1.0}
    rows = [{**common, "value": 1, "runs": 4, "density": density}, {**common, "value": 2, "runs": 1, "density": None}]
    axes = sweep.draw_densities(rows)
    (first, second) = axes.lines
    np.testing.assert_array_equal(first.get_xdata(), [0, 0.25, 0.5, 0.75, 1])
    np.testing.assert_array_equal(first.get_ydata(), density)
    assert len(np.asarray(second.get_xdata())) == 0
    legend = axes.get_legend()
    assert legend is not None
    assert [each.get_text() for each in legend.get_texts()] == ["$n_f$ = 1 (4 runs)", "$n_f$ = 2 (1 runs)"]
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
