"""Figures of an importance: the numbers of the answer, in points, each unit in its colour, and nothing made up."""

import json
import re
from typing import Any

import plotly.graph_objects as go
import pytest

from routescope_app.api.schemas.base import MeasureName
from routescope_app.api.schemas.results import Importance
from routescope_app.dashboard.components.plot import sent
from routescope_app.dashboard.figures import importance as figures
from routescope_app.dashboard.figures.importance import step_words, tick_names
from tests.app.dashboard.importances import SHAPLEY, UNITS, VALUES, importance


def traces(figure: go.Figure) -> dict[str, Any]:
    return {trace.name: trace for trace in figure.data if trace.name}


def test_use_and_effect_have_the_same_units_in_the_same_order() -> None:
    result = importance()
    use, effect = figures.usage(result), figures.effect(result)
    assert list(use.data[0].y) == list(effect.layout.yaxis.ticktext) == list(UNITS) == figures.rows_of(result)
    # From the top: the axis of categories turned around covers the same range as the one of numbers.
    assert use.layout.yaxis.autorange == "reversed" and list(effect.layout.yaxis.range) == [2.5, -0.5]
    assert [round(y) for y in effect.data[0].y] == [round(y) for y in effect.data[1].y] == [0, 1, 2]
    assert use.layout.margin == effect.layout.margin
    assert [list(row) for row in use.data[0].z] == [[0.6, 0.2], [0.3, 0.3], [0.1, 0.5]]
    assert list(use.data[0].x) == ["i1", "i2"] and use.layout.xaxis.labelalias == tick_names(["i1", "i2"])
    assert figures.usage(importance(usage=False)).data == ()


def test_effects_are_in_points_with_their_intervals_and_colours() -> None:
    shown = traces(figures.effect(importance()))
    bars, alone = shown["Shapley value"], shown["accuracy lost without it alone"]
    assert list(bars.x) == pytest.approx([100 * SHAPLEY[unit] for unit in UNITS])
    assert list(bars.error_x.array) == pytest.approx([2] * 3)
    lost = [100 * (VALUES[UNITS] - VALUES[tuple(u for u in UNITS if u != unit)]) for unit in UNITS]
    assert list(alone.x) == pytest.approx(lost) and lost[0] == pytest.approx(30)
    # The change lies within [change - 3, change + 2] points; turned around, the longer whisker points up.
    assert list(alone.error_x.array) == pytest.approx([3] * 3)
    assert list(alone.error_x.arrayminus) == pytest.approx([2] * 3)
    colours = [f"var(--unit-{n})" for n in (1, 2, 3)]
    assert list(bars.marker.color) == list(alone.marker.line.color) == colours
    assert [trace.line.color for trace in figures.convergence(importance(exact=False)).data] == colours


def test_sampled_effects_have_the_interval_of_the_sampling_where_one_is_known() -> None:
    result = importance(exact=False)
    bars = traces(figures.effect(result))["Shapley value"]
    assert list(bars.error_x.array) == list(bars.error_x.arrayminus) == pytest.approx([1.96] * 3)
    some = [result.shapley[0], *(value.model_copy(update={"standard_error": None}) for value in result.shapley[1:])]
    bars = traces(figures.effect(result.model_copy(update={"shapley": some})))["Shapley value"]
    assert bars.error_x.array[0] == pytest.approx(1.96) and list(bars.error_x.array[1:]) == [None, None]
    sampled = figures.convergence(result)
    assert list(sampled.data[0].x) == [2, 4, 8]
    assert sampled.data[0].error_y.array[0] == pytest.approx(1.96 * 100 * 0.05 / 2**0.5)
    first = [point.model_copy(update={"standard_error": None}) for point in result.convergence]
    for whiskers in (
        figures.effect(result.model_copy(update={"shapley": some[1:]})).data[0].error_x,
        figures.convergence(result.model_copy(update={"convergence": first})).data[0].error_y,
    ):
        assert whiskers.array is None
    exact = figures.convergence(importance()).data
    assert len(exact) == len(UNITS) and not any(len(trace.x or ()) for trace in exact), "of sampled orders alone"


def test_interactions_are_symmetric_and_the_sure_ones_stand_out() -> None:
    (heat,) = figures.interactions(importance()).data
    values = [list(row) for row in heat.z]
    assert values == [list(column) for column in zip(*values, strict=True)]
    assert [values[at][at] for at in range(3)] == [None] * 3
    # f2 and f3 stand in for each other: without both 60 points are gone, without one only 10.
    assert values[1][2] == pytest.approx(100 * (0.3 - 0.9 + 0.1 + 0.1)) and values[1][2] < 0
    assert heat.text[1][2] == "<b>\N{MINUS SIGN}40.0</b>" and "<b>" not in heat.text[0][1]
    assert heat.zmin == -heat.zmax == pytest.approx(-40)


def many(effects: list[float]) -> Importance:
    """An importance of as many units, with the effects of each alone and nothing else."""
    few = importance()
    units = [f"m{n}" for n in range(1, len(effects) + 1)]
    single = [
        few.single[0].model_copy(update={"unit": unit, "change": effect, "loss_change": n / 80})
        for n, (unit, effect) in enumerate(zip(units, effects, strict=True))
    ]
    usage = [few.usage[0].model_copy(update={"unit": unit, "step": "l1", "share": 1 / 60}) for unit in units]
    changes = {"units": units, "single": single, "shapley": [], "interactions": [], "usage": usage}
    return few.model_copy(update=changes)


def test_of_many_units_use_and_effect_have_rows_for_those_of_largest_effect() -> None:
    result = many([-n / 1000 for n in range(60)])
    largest = result.units[: -figures.MOST_ROWS - 1 : -1]
    assert figures.rows_of(result) == largest
    effect, use = figures.effect(result), figures.usage(result)
    (diamonds,) = effect.data
    assert sorted(diamonds.customdata, key=dict(zip(diamonds.customdata, diamonds.y, strict=True)).get) == largest
    assert max(diamonds.x) == pytest.approx(5.9) and effect.layout.xaxis.range[1] > 5.9
    assert list(use.data[0].y) == largest and use.data[0].texttemplate == "%{z:.1%}"
    assert figures.shown_rows(result) == f"the {figures.MOST_ROWS} largest of 60"


@pytest.mark.parametrize("changed", [0, 5, 23])
def test_an_effect_of_exactly_zero_is_never_among_the_largest(changed: int) -> None:
    result = many([-0.01] * changed + [0.0] * (80 - changed))
    rows, words = figures.rows_of(result), figures.shown_rows(result)
    if changed:
        assert sorted(rows) == sorted(result.units[:changed])
        assert words == f"the {changed} of 80 units with an effect; the effect of the others is 0"
    else:
        assert rows == result.units[: -figures.MOST_ROWS - 1 : -1]
        assert words == "no drop of one unit changes the accuracy; 24 of 80 units are shown"


def test_retention_shows_every_order_and_the_band_of_the_random_ones() -> None:
    """Orders have no whiskers, as their sets were chosen on these samples; no hover compares speeds of two moments."""
    result = importance()
    figure = figures.retention(result)
    shown = traces(figure)
    assert set(shown) == {figures.ORDER_WORDS[point.order] for point in result.retention}
    assert all(trace.error_y.array is None for trace in shown.values())
    assert list(shown["best kept"].x) == [3, 2, 1, 0]
    assert list(shown["best kept"].y) == pytest.approx([90, 80, 30, 10])
    band = [trace for trace in figure.data if not trace.name]
    assert list(band[0].y) == pytest.approx([90, 80, 50, 10])
    assert list(band[1].y) == pytest.approx([90, 60, 30, 10]) and band[1].fill == "tonexty"
    assert "yaxis2" not in figure.layout.to_plotly_json()
    name = "MFLOP per sample"
    figure = figures.retention(result, "flops")
    assert list(traces(figure)[name].y) == pytest.approx([3, 2.2, 1.4, 0.6]) and traces(figure)[name].yaxis == "y2"
    assert figure.layout.yaxis2.title.text == name and figure.layout.yaxis2.overlaying == "y"
    anytime = figures.anytime(result)
    assert "per second" not in figure.to_json() + anytime.to_json()
    assert list(anytime.data[0].x) == [1, 2, 3] and list(anytime.data[0].y) == pytest.approx([30, 40, 50])
    assert list(anytime.data[0].error_y.array) == pytest.approx([5] * 3)


def test_steps_are_named_in_words_and_narrowly_on_axes() -> None:
    words = {
        "i1.l2": "iteration 1, layer 2", "s2.i3": "script 2, iteration 3", "i4": "iteration 4", "l12": "layer 12",
        "read-in": "read-in", "": "", "images": "images", "f1": "f1",
    }  # fmt: skip
    assert {step: step_words(step) for step in words} == words
    for names in (
        {"i1": "1<br>iteration", "i2": "2", "i3": "3"},
        {"read-in": "read-in", "l1": "1<br>layer", "l2": "2"},
        {"i1.l1": "1<br>1<br>iteration<br>layer", "i1.l2": "1<br>2"},
        {"f1": "f1", "": ""},
    ):
        assert tick_names(list(names)) == names


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
