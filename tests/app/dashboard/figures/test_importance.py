"""Figures of an importance: the numbers of the answer, in points, each unit in its colour, and nothing made up."""

import json
import re
from typing import Any

import plotly.graph_objects as go
import pytest

from routescope_app.api.schemas.base import MeasureName
from routescope_app.dashboard.components.plot import sent
from routescope_app.dashboard.figures import importance as figures
from routescope_app.dashboard.figures.steps import step_words, tick_names
from tests.app.dashboard.importances import SHAPLEY, UNITS, VALUES, importance


def traces(figure: go.Figure) -> dict[str, Any]:
    return {trace.name: trace for trace in figure.data if trace.name}


def test_use_and_effect_have_the_same_units_in_the_same_order() -> None:
    result = importance()
    use, effect = figures.usage(result), figures.effect(result)
    assert list(use.data[0].y) == list(UNITS)
    assert list(effect.layout.yaxis.ticktext) == list(UNITS)
    # From the top: the axis of categories turned around covers the same range as the one of numbers.
    assert use.layout.yaxis.autorange == "reversed" and list(effect.layout.yaxis.range) == [2.5, -0.5]
    assert [round(y) for y in effect.data[0].y] == [round(y) for y in effect.data[1].y] == [0, 1, 2]
    assert use.layout.margin == effect.layout.margin
    assert [list(row) for row in use.data[0].z] == [[0.6, 0.2], [0.3, 0.3], [0.1, 0.5]]
    assert list(use.data[0].x) == ["i1", "i2"]


def test_effects_are_in_points_with_their_intervals() -> None:
    shown = traces(figures.effect(importance()))
    bars = shown["Shapley value"]
    assert list(bars.x) == pytest.approx([100 * SHAPLEY[unit] for unit in UNITS])
    assert list(bars.error_x.array) == pytest.approx([2] * 3)
    alone = shown["accuracy lost without it alone"]
    lost = [100 * (VALUES[UNITS] - VALUES[tuple(u for u in UNITS if u != unit)]) for unit in UNITS]
    assert list(alone.x) == pytest.approx(lost) and lost[0] == pytest.approx(30)
    # The change lies within [change - 3, change + 2] points; turned around, the longer whisker points up.
    assert list(alone.error_x.array) == pytest.approx([3] * 3)
    assert list(alone.error_x.arrayminus) == pytest.approx([2] * 3)


def test_sampled_effects_have_the_interval_of_the_sampling() -> None:
    bars = traces(figures.effect(importance(exact=False)))["Shapley value"]
    assert list(bars.error_x.array) == list(bars.error_x.arrayminus) == pytest.approx([1.96] * 3)


def test_where_no_interval_is_known_there_is_no_whisker() -> None:
    result = importance(exact=False)
    some = [result.shapley[0], *(value.model_copy(update={"standard_error": None}) for value in result.shapley[1:])]
    bars = traces(figures.effect(result.model_copy(update={"shapley": some})))["Shapley value"]
    assert bars.error_x.array[0] == pytest.approx(1.96) and list(bars.error_x.array[1:]) == [None, None]
    first = [point.model_copy(update={"standard_error": None}) for point in result.convergence]
    for figure in (
        figures.effect(result.model_copy(update={"shapley": some[1:]})).data[0].error_x,
        figures.convergence(result.model_copy(update={"convergence": first})).data[0].error_y,
    ):
        assert figure.array is None


def test_ordered_curves_have_no_whiskers_as_their_sets_were_chosen_on_these_samples() -> None:
    shown = traces(figures.retention(importance()))
    assert {figures.ORDER_WORDS[point.order] for point in importance().retention} == set(shown)
    assert all(trace.error_y.array is None for trace in shown.values())


def test_a_unit_keeps_its_colour() -> None:
    shown = traces(figures.effect(importance()))
    colours = [f"var(--unit-{n})" for n in (1, 2, 3)]
    assert list(shown["Shapley value"].marker.color) == colours
    assert list(shown["accuracy lost without it alone"].marker.line.color) == colours
    assert [trace.line.color for trace in figures.convergence(importance(exact=False)).data] == colours


def test_interactions_are_symmetric_and_the_sure_ones_stand_out() -> None:
    figure = figures.interactions(importance())
    values = [list(row) for row in figure.data[0].z]
    for i in range(3):
        assert values[i][i] is None
        for j in range(3):
            assert values[i][j] == values[j][i]
    # f2 and f3 stand in for each other: without both 60 points are gone, without one only 10.
    assert values[1][2] == pytest.approx(100 * (0.3 - 0.9 + 0.1 + 0.1)) and values[1][2] < 0
    texts = [list(row) for row in figure.data[0].text]
    assert texts[1][2] == "<b>−40.0</b>" and "<b>" not in texts[0][1]
    assert figure.data[0].zmin == -figure.data[0].zmax == pytest.approx(-40)


def test_of_many_units_use_and_effect_have_rows_for_those_of_largest_effect() -> None:
    few = importance()
    units = [f"m{n}" for n in range(1, 61)]
    single = [few.single[0].model_copy(update={"unit": unit, "change": -n / 1000}) for n, unit in enumerate(units)]
    share = 1 / len(units)
    usage = [few.usage[0].model_copy(update={"unit": unit, "step": "l1", "share": share}) for unit in units]
    changes = {"units": units, "single": single, "shapley": [], "interactions": [], "usage": usage}
    result = few.model_copy(update=changes)
    largest = units[: -figures.MOST_ROWS - 1 : -1]
    assert figures.rows_of(result) == largest
    effect, use = figures.effect(result), figures.usage(result)
    (diamonds,) = effect.data
    assert sorted(diamonds.customdata, key=dict(zip(diamonds.customdata, diamonds.y, strict=True)).get) == largest
    assert max(diamonds.x) == pytest.approx(5.9) and effect.layout.xaxis.range[1] > 5.9
    assert list(use.data[0].y) == largest and use.data[0].texttemplate == "%{z:.1%}"
    assert figures.rows_of(few) == list(few.units)  # few keep the model's order
    assert figures.shown_rows(result) == f"the {figures.MOST_ROWS} largest of 60"


@pytest.mark.parametrize("changed", [0, 5, 23])
def test_an_effect_of_exactly_zero_is_never_among_the_largest(changed: int) -> None:
    few = importance()
    units = [f"m{n}" for n in range(1, 81)]
    single = [
        few.single[0].model_copy(update={"unit": unit, "change": -0.01 if n < changed else 0.0, "loss_change": n / 80})
        for n, unit in enumerate(units)
    ]
    result = few.model_copy(update={"units": units, "single": single, "shapley": [], "interactions": []})
    rows, words = figures.rows_of(result), figures.shown_rows(result)
    if not changed:
        assert rows == units[: -figures.MOST_ROWS - 1 : -1]
        assert words == "no drop of one unit changes the accuracy; 24 of 80 units are shown"
        return
    assert sorted(rows) == sorted(units[:changed])
    assert words == f"the {changed} of 80 units with an effect; the effect of the others is 0"


def test_retention_shows_every_order_and_the_band_of_the_random_ones() -> None:
    result = importance()
    figure = figures.retention(result)
    shown = traces(figure)
    assert set(shown) == {figures.ORDER_WORDS[point.order] for point in result.retention}
    assert list(shown["best kept"].x) == [3, 2, 1, 0]
    assert list(shown["best kept"].y) == pytest.approx([90, 80, 30, 10])
    band = [trace for trace in figure.data if not trace.name]
    assert list(band[0].y) == pytest.approx([90, 80, 50, 10])
    assert list(band[1].y) == pytest.approx([90, 60, 30, 10]) and band[1].fill == "tonexty"
    assert "yaxis2" not in figure.layout.to_plotly_json()


def test_the_second_axis() -> None:
    """FLOPs alone: the speeds of a retention were each measured at another moment."""
    name = "MFLOP per sample"
    figure = figures.retention(importance(), "flops")
    assert list(traces(figure)[name].y) == pytest.approx([3, 2.2, 1.4, 0.6])
    assert traces(figure)[name].yaxis == "y2"
    assert figure.layout.yaxis2.title.text == name and figure.layout.yaxis2.overlaying == "y"


def test_no_hover_compares_speeds_of_different_moments() -> None:
    for made in (figures.retention(importance(), "flops"), figures.anytime(importance())):
        assert "per second" not in made.to_json()


def test_steps_are_named_in_words_and_keep_their_codes_for_clicks() -> None:
    assert step_words("i1.l2") == "iteration 1, layer 2" and step_words("s2.i3") == "script 2, iteration 3"
    assert [step_words(member) for member in ("i4", "l12", "read-in", "", "images", "f1")] == [
        "iteration 4", "layer 12", "read-in", "", "images", "f1",
    ]  # fmt: skip
    use = figures.usage(importance())
    steps = [point.step for point in importance().usage]
    assert set(use.data[0].x) == set(steps)
    assert use.layout.xaxis.labelalias == tick_names(steps) and use.layout.xaxis.tickangle == 0


@pytest.mark.parametrize(
    ("steps", "names"),
    [
        (["i1", "i2", "i3"], ["1<br>iteration", "2", "3"]),
        (["read-in", "l1", "l2"], ["read-in", "1<br>layer", "2"]),
        (["i1.l1", "i1.l2"], ["1<br>1<br>iteration<br>layer", "1<br>2"]),
        (["f1", ""], ["f1", ""]),
    ],
)
def test_ticks_are_narrow_enough_to_stand_upright(steps: list[str], names: list[str]) -> None:
    assert list(tick_names(steps).values()) == names


def test_accuracy_against_iterations() -> None:
    figure = figures.anytime(importance())
    assert list(figure.data[0].x) == [1, 2, 3]
    assert list(figure.data[0].y) == pytest.approx([30, 40, 50])
    assert list(figure.data[0].error_y.array) == pytest.approx([5] * 3)


def test_convergence_is_drawn_only_from_sampled_orders() -> None:
    assert len(figures.convergence(importance()).data) == len(UNITS)
    assert not any(len(trace.x or ()) for trace in figures.convergence(importance()).data)
    sampled = figures.convergence(importance(exact=False))
    assert list(sampled.data[0].x) == [2, 4, 8]
    assert sampled.data[0].error_y.array[0] == pytest.approx(1.96 * 100 * 0.05 / 2**0.5)


def test_without_an_observation_of_use_nothing_is_drawn() -> None:
    assert figures.usage(importance(usage=False)).data == ()


@pytest.mark.parametrize(
    "make", [figures.usage, figures.effect, figures.interactions, figures.retention, figures.anytime]
)
def test_what_is_sent_is_plain_and_without_colours_of_one_scheme(make: Any) -> None:
    plain = json.dumps(sent(make(importance())))
    assert "template" not in json.loads(plain)["layout"]
    assert "#" not in plain and "rgb" not in plain


def test_other_measures_are_in_their_own_unit() -> None:
    bits = MeasureName(name="bits a symbol", unit="bits", higher_is_better=False)
    result = importance().model_copy(update={"measure": bits})
    shown = traces(figures.effect(result))
    assert list(shown["Shapley value"].x) == pytest.approx([SHAPLEY[unit] for unit in UNITS])
    assert list(shown["Shapley value"].error_x.array) == pytest.approx([0.02] * 3)
    made = [figures.effect, figures.retention, figures.anytime, figures.convergence, figures.interactions]
    reply = json.dumps([sent(make(result)) for make in made]).replace("95 %", "")
    assert "bits a symbol, bits" in reply and "accuracy" not in reply and "points" not in reply
    assert not re.search(r" %[^{]", reply)
    (best,) = [line for line in figures.retention(result).data if line.name == "best kept"]
    (shares,) = [line for line in figures.retention(importance()).data if line.name == "best kept"]
    assert [100 * y for y in best.y] == pytest.approx(list(shares.y))
    assert figures.retention(result).layout.yaxis.range is None
