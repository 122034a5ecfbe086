"""Pictures of observations show the observation's numbers, in the colours of the units, for the named steps."""

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from routescope_app.api.addresses import images_of
from routescope_app.api.schemas.catalogue import Point, SampleTable
from routescope_app.api.schemas.results import Observation
from routescope_app.dashboard.components.exemplars import exemplars, path_address, pictures_of
from routescope_app.dashboard.components.plot import sent
from routescope_app.dashboard.figures import observation as charts
from routescope_app.dashboard.figures import observation_matrices as matrices
from routescope_app.dashboard.figures import observation_numbers as numbers
from routescope_app.dashboard.figures.observation_numbers import token_words
from routescope_app.dashboard.figures.observation_positions import positions, rows_of, short_names
from routescope_app.dashboard.figures.palette import unit_colours
from tests.app.dashboard.observations import LABELS, STEPS, TOKENS, UNITS, observed

FIGURES: list[Callable[[Observation], go.Figure]] = [
    charts.usage,
    charts.entropy,
    charts.balance,
    charts.specialisation,
    charts.consistency,
    matrices.matrix,
    matrices.between_labels,
    matrices.between_steps,
    matrices.coactivation,
    matrices.similarity,
    matrices.similarity_of_steps,
    positions,
]


@pytest.fixture
def found() -> Observation:
    return observed()


def rows(figure: go.Figure, key: str = "z") -> np.ndarray:
    """The cells of heatmaps that stand one below the other."""
    outcome = [trace[key] for trace in figure.data if trace.type == "heatmap"]
    return np.array([line for part in outcome for line in part])


def colours_in(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value} if value.startswith(("#", "rgb", "var(")) else set()
    if isinstance(value, dict):
        return set().union(*(colours_in(member) for key, member in value.items() if key != "customdata"), set())
    if isinstance(value, list):
        return set().union(*(colours_in(member) for member in value), set())
    return set()


@pytest.mark.parametrize("draw", FIGURES)
@pytest.mark.parametrize("drop", [[], ["f2", "f5"]])
def test_every_figure_is_plain_data_in_named_colours(draw: Callable[[Observation], go.Figure], drop: list[str]) -> None:
    plain = sent(draw(observed(*drop)))
    assert plain["data"]
    json.dumps(plain, allow_nan=False)
    assert {colour for colour in colours_in(plain) if not colour.startswith("var(--")} == set()


@pytest.mark.parametrize("steps", [[], ["i3"], ["i1", "i6"]])
def test_shares_of_a_label_are_the_joint_over_its_sum(found: Observation, steps: list[str]) -> None:
    joint = np.array(found.variables["joint"].values)
    taken = joint[[STEPS.index(step) for step in steps or STEPS]].mean(axis=0)
    figure, lift = matrices.matrix(found, steps), matrices.matrix(found, steps, "lift")
    shown = rows(figure)
    np.testing.assert_allclose(shown[:, :-1], taken / taken.sum(axis=0), rtol=1e-12)
    np.testing.assert_allclose(shown[:, -1], taken.sum(axis=1) / taken.sum(), rtol=1e-12)
    np.testing.assert_allclose(shown.sum(axis=0), 1, rtol=1e-12)
    words = np.array([[float(text.rstrip(" %")) / 100 for text in row] for row in rows(figure, "text")])
    np.testing.assert_allclose(words, shown, atol=6e-4)
    words = np.array([[float(text) for text in row] for row in rows(lift, "text")])
    np.testing.assert_allclose(words, 2 ** rows(lift), atol=6e-3)
    for drawn in (figure, lift):
        heat = [trace for trace in drawn.data if trace.type == "heatmap"]
        assert [trace.name for trace in heat] == UNITS
        for index, trace in enumerate(heat, start=1):
            assert trace.colorscale[-1][1].startswith(f"var(--unit-{index}/")


def test_lift_is_one_where_units_know_nothing_of_labels_and_their_number_where_they_know_all(
    found: Observation,
) -> None:
    usage, label = np.array([0.1, 0.2, 0.3, 0.25, 0.15]), np.linspace(1, 2, len(LABELS)) / 15
    found.variables["joint"].values = [np.outer(usage, label).tolist()] * len(STEPS)
    matrix = numbers.label_matrix(found)
    np.testing.assert_allclose(matrix.lift, 1, rtol=1e-12)
    np.testing.assert_allclose(matrix.share, np.repeat(usage[:, None], len(LABELS), axis=1), rtol=1e-12)
    np.testing.assert_allclose(rows(matrices.matrix(found, (), "lift")), 0, atol=1e-12)
    joint = np.arange(len(LABELS)) % len(UNITS) == np.arange(len(UNITS))[:, None]
    found.variables["joint"].values = [(joint / len(LABELS)).tolist()] * len(STEPS)
    np.testing.assert_allclose(numbers.label_matrix(found).lift, len(UNITS) * joint)
    gone = observed("f2")
    assert not any(rows(matrices.matrix(gone, (), "lift"), "text")[1]), "no number for what was dropped"
    place = [trace for trace in positions(gone).data if trace.name == "f2"]
    assert place and all(value is None or math.isnan(value) for trace in place for row in trace.z for value in row)


def test_which_steps_are_shown_is_said(found: Observation) -> None:
    stacked = found.model_copy(update={"steps": [f"s{script}.i{step}" for script in (1, 2) for step in (1, 2, 3)]})
    every = "mean over iteration 1 to iteration 6"
    for words_of, outcome, steps, words in (
        (numbers.step_words, found, ["i3"], "iteration 3"),
        (numbers.step_words, found, ["i6", "i1"], "mean over iteration 1; iteration 6"),
        (numbers.step_words, found, [], every),
        (numbers.step_words, found, ["none such"], every),
        (numbers.brief_steps, found, ["i2"], "iteration 2"),
        (numbers.brief_steps, stacked, [], "mean over s1.i1 to s2.i3"),
        (numbers.brief_steps, stacked, ["s1.i2"], "s1.i2"),
        (numbers.brief_steps, stacked, ["s1.i2", "s2.i1"], "mean over s1.i2, s2.i1"),
    ):
        assert words_of(outcome, steps) == words
    for draw in (matrices.matrix, matrices.between_labels, matrices.coactivation):
        assert "iteration 4" in draw(found, ["i4"]).layout.xaxis.title.text
    shaded = charts.specialisation(found, ["i2", "i5"]).layout.shapes
    assert [(shape.x0, shape.x1) for shape in shaded] == [(0.5, 1.5), (3.5, 4.5)]
    assert not charts.specialisation(found, []).layout.shapes


def test_usage_and_balance_have_the_numbers_of_every_step(found: Observation) -> None:
    bars = charts.usage(found).data
    stacked = np.array([bar.y for bar in bars])
    np.testing.assert_allclose(stacked, np.array(found.variables["usage"].values).T, rtol=1e-12)
    np.testing.assert_allclose(stacked.sum(axis=0), 1, atol=0.01)  # but for tokens that match no unit
    assert [bar.marker.color for bar in bars] == [f"var(--unit-{index})" for index in range(1, 6)]
    figure = charts.balance(found)
    for trace in figure.data:
        axis = figure.layout[trace.yaxis.replace("y", "yaxis")]
        assert axis.range[0] <= min(trace.y) and max(trace.y) <= axis.range[1]
    found.variables["jsd_samples"].values = [None, 0.2, 0.4, None, None, None]
    assert numbers.over_steps(found, "jsd_samples", []) == pytest.approx(0.3), "without what is missing"
    assert np.isnan(numbers.over_steps(found, "jsd_samples", ["i1"]))
    del found.variables["usage"]
    with pytest.raises(KeyError, match="no variable 'usage'; it has by_position"):
        charts.usage(found)


@pytest.mark.parametrize("drop", [[], ["f2", "f5"]])
def test_both_axes_of_entropy_are_one_scale(drop: list[str]) -> None:
    outcome = observed(*drop)
    left = len(UNITS) - len(drop)
    figure = charts.entropy(outcome)
    nats, share = figure.layout.yaxis.range, figure.layout.yaxis2.range
    assert nats[1] == pytest.approx(share[1] * math.log(left))
    np.testing.assert_allclose(np.array(figure.data[0].y) / math.log(left), figure.data[1].y, rtol=1e-9)
    assert [shape.y0 for shape in figure.layout.shapes] == pytest.approx([math.log(left), left])


def test_specialisation_and_its_null_stand_on_one_log_scale(found: Observation) -> None:
    found.variables["specialisation"].values = [0.0, 0.2, 0.1, 1e-9, 0.3, 0.4]
    figure = charts.specialisation(found)
    drawn = {trace.name: trace for trace in figure.data}
    assert set(drawn) == {"label", "shuffled", "position", "features"}
    assert list(drawn["label"].customdata) == found.variables["specialisation"].values
    assert list(drawn["label"].y) == [charts.LEAST, 0.2, 0.1, charts.LEAST, 0.3, 0.4]
    np.testing.assert_allclose(drawn["shuffled"].y, found.variables["specialisation_null_high"].values)


def test_coactivation_over_independence(found: Observation) -> None:
    together = np.array(found.variables["coactivation"].values)[2]
    alone = np.array(found.variables["coactivation_expected"].values)[2]
    shown = rows(matrices.coactivation(found, ["i3"]))
    off = ~np.eye(len(UNITS), dtype=bool)
    np.testing.assert_allclose(2 ** shown[off], (together / alone)[off], rtol=1e-9)
    assert np.isnan(shown[~off].astype(float)).all()


def test_similarity_by_either_measure(found: Observation) -> None:
    found.variables["cka_rows"].values = [2033] * 5 + [321]
    for measure in ("cka", "cosine"):
        by_step = np.array(found.variables[f"{measure}_by_step"].values)
        np.testing.assert_allclose(rows(matrices.similarity(found, (), measure)), by_step.mean(axis=0), rtol=1e-12)
        last = matrices.similarity(found, ["i6"], measure)
        np.testing.assert_allclose(rows(last), by_step[5], rtol=1e-12)
        assert "n = 321" in last.layout.xaxis.title.text
    assert "n = 321 to 2,033" in matrices.similarity(found).layout.xaxis.title.text


def test_patches_lie_where_they_are_in_the_image(found: Observation) -> None:
    assert rows_of(TOKENS) == [[3, 4, 5, 6], [7, 8, 9, 10], [11, 12, 13, 14], [15, 16, 17, 18], [0, 1, 2, None]]
    joint = np.array(found.variables["by_position"].values)[1]
    share = joint / joint.sum(axis=0)
    figure = positions(found, ["i2"])
    for unit, name in enumerate(UNITS):
        image, below = [trace.z for trace in figure.data if trace.name == name]
        np.testing.assert_allclose(np.array(image).ravel(), share[unit, 3:], rtol=1e-12)
        np.testing.assert_allclose(np.array(below[0][:3]), share[unit, :3], rtol=1e-12)


NUMBERS = ["cls:boolean-08", "cls:boolean-09", "cls:boolean-10", *(f"number:{name}" for name in "abcde"), "cls:other"]


def test_tokens_that_are_no_patches_stand_in_rows_with_their_names() -> None:
    assert rows_of(NUMBERS) == [[3, 4, 5, 6, 7], [0, 1, 2, 8, None]]
    assert short_names(NUMBERS[:8]) == ["08", "09", "10", "a", "b", "c", "d", "e"]
    assert short_names(["cls:only", "number:a"]) == ["only", "a"]
    outcome = observed()
    taken = [row[:, :8] for row in np.array(outcome.variables["by_position"].values)]
    outcome.variables["by_position"].values = np.array(taken).tolist()
    figure = positions(outcome.model_copy(update={"tokens": NUMBERS[:8]}), ["i2"])
    share = taken[1] / taken[1].sum(axis=0)
    (trace,) = [trace for trace in figure.data if trace.name == "f3"]
    np.testing.assert_allclose(np.array(trace.z)[0], share[2, 3:], rtol=1e-12)
    assert trace.text[1][0] == f"08<br>{100 * share[2, 0]:.0f}" and trace.hovertext[0][1] == "number b"


@pytest.mark.parametrize("draw", FIGURES)
def test_every_figure_is_drawn_without_labels(draw: Callable[[Observation], go.Figure]) -> None:
    outcome = observed()
    for name in ("joint", "jsd_labels"):
        shape = outcome.variables[name].values
        outcome.variables[name].values = [[[] for _ in member] if name == "joint" else [] for member in shape]
    for name in ("specialisation", "specialisation_null", "specialisation_null_high", "specialisation_feature"):
        outcome.variables[name].values = [None] * len(STEPS)
    plain = sent(draw(outcome.model_copy(update={"labels": []})))
    json.dumps(plain, allow_nan=False)
    of_labels = draw in (matrices.matrix, matrices.between_labels)
    assert bool(plain["data"]) is not of_labels
    if draw is charts.specialisation:
        assert [data_set["name"] for data_set in plain["data"]] == ["position"]


def test_exemplars_link_to_their_path_under_the_same_intervention() -> None:
    outcome = observed("f2")
    first = outcome.exemplars[0]
    address = path_address(outcome, first)
    assert address == f"/paths?model=ni-digits&sample={first.sample}&drop=f2&step={STEPS.index(first.step) + 1}"
    columns = exemplars(outcome, (4, 4), [*unit_colours(UNITS).values()], 200)
    assert len(columns) == len(UNITS)
    text = json.dumps([column.to_plotly_json() for column in columns], default=lambda part: part.to_plotly_json())
    assert text.count('"exemplar-links"') == len(UNITS) - 1 and "dropped" in text
    assert token_words("patch:2,0") == "patch 3, 1" and token_words("cls:mnist") == "CLS mnist"


def test_exemplars_without_pictures_are_points_with_their_number_marked_or_names() -> None:
    point = Point(
        set="boolean-01", set_title="", value=0.5, expression="", products=[], functions=[],
        names=list("abcde"), values=[0.1, 0.2, 0.3, 0.4, 0.5],
    )  # fmt: skip
    table = SampleTable(
        id="boolean-01.validation.7", set="boolean-01", set_title="F", stand_in=False, inputs="numbers",
        label=0, label_name=None, columns=[], rows=[], total_rows=0, point=point,
    )  # fmt: skip
    first = observed().exemplars[0].model_copy(update={"sample": table.id, "token": "number:c", "weight": 0.625})
    outcome = observed().model_copy(update={"exemplars": [first]})

    def shown(sample: SampleTable) -> str:
        columns = exemplars(outcome, (0, 0), [*unit_colours(UNITS).values()], 200, {table.id: sample})
        return json.dumps([column.to_plotly_json() for column in columns], default=lambda part: part.to_plotly_json())

    text = shown(table)
    assert [text.count(f'"data-marked": "{marked}"') for marked in ("true", "false")] == [1, 4]
    assert '"height": "30%"}}, "type": "Span"' in text and "/samples?" not in text
    assert "number c, step" in text and '"0.62"' in text and "exemplar-picture" not in text
    text = shown(table.model_copy(update={"point": None}))
    assert "boolean-01 \\u00b7 7" in text and "data-marked" not in text


def test_exemplars_come_in_as_few_pictures_as_the_service_allows() -> None:
    outcome = observed()
    samples = list(dict.fromkeys(exemplar.sample for exemplar in outcome.exemplars))
    addresses = {picture.style["backgroundImage"] for picture in pictures_of(outcome, len(samples)).values()}
    assert addresses == {f'url("{images_of(samples)}")'}
    pictures = pictures_of(outcome, 16)
    assert list(pictures) == samples
    assert len({picture.style["backgroundImage"] for picture in pictures.values()}) == -(-len(samples) // 16)
    assert pictures[samples[17]].style["backgroundPosition"].startswith(f"{100 / 15:.6g}% ")
