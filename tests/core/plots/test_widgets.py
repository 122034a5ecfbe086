"""Interactive figures in a kernel: what notebooks keep of them, and how choices are answered."""

import base64
import threading
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

import routescope as rs
from routescope.plots import widgets
from routescope.plots.widgets import data
from routescope.plots.widgets.kernel import FigureWidget
from routescope.routing.interactive import Choice, InteractiveFigure, Report

VIEW = "application/vnd.jupyter.widget-view+json"
CELLS = (
    "import routescope as rs\nrs.load_of('moe-bytes', 'python', limit=1, shuffles=2)",
    "rs.record('ni-digits', 'mnist', limit=2)",
    "rs.score('ni-digits', 'mnist', limit=8, mute='f1')",
)


class Watched(FigureWidget):
    """A widget with an event for the first state of its data that a test waits for."""

    def wait_for(self, **wanted: Any) -> None:
        reached = threading.Event()

        def look(_: object = None) -> None:
            if all(self.data.get(name) == value for name, value in wanted.items()):
                reached.set()

        self.observe(look, "data")
        look()
        assert reached.wait(120), self.data


@pytest.mark.slow
def test_a_notebook_keeps_figures_beside_their_tables() -> None:
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    NotebookClient(book, kernel_name="python3").execute()
    states = book.metadata["widgets"]["application/vnd.jupyter.widget-state+json"]["state"]
    figures = []
    for cell in book.cells:
        (output,) = cell.outputs
        assert output.data["text/html"].startswith("<div><strong>") and "(" in output.data["text/plain"]
        figures.append(states[output.data[VIEW]["model_id"]]["state"])
    load, trace, score = figures
    assert [layer["name"] for layer in load["data"]["layers"]] == ["l1", "l2", "l3", "l4"]
    assert [sample["name"] for sample in trace["data"]["samples"]] == ["mnist.validation.0", "mnist.validation.1"]
    assert score["choice"]["mute"] == ["f1"] and score["data"]["live"]
    assert all("from" not in figure["_esm"].split("export")[0].split("\n")[0] for figure in figures)


def test_a_score_answers_choices_as_score_does() -> None:
    net = rs.open("moe-bytes")
    widget = Watched(rs.score(net, "python", limit=2).interactive_figure())
    assert widget.data["change"] is None and widget.data["units"] == list(net.all_units)
    widget.choice = {"drop": ["l1.e2"], "mute": ["l2.e1"]}
    expected = rs.score(net, "python", limit=2, drop="l1.e2", mute="l2.e1")
    widget.wait_for(words=expected.intervention.words, busy="")
    assert widget.data["score"]["value"] == expected.figure and widget.data["change"]["value"] == expected.change.value
    # A layer needs as many experts as a token takes: words, and the last figures stay.
    widget.choice = {"drop": [f"l1.e{n}" for n in range(1, 8)], "mute": []}
    with pytest.raises(ValueError) as refused:
        rs.score(net, "python", limit=2, drop=widget.choice["drop"])
    widget.wait_for(problem=str(refused.value), busy="")
    assert widget.data["score"]["value"] == expected.figure
    widget.choice = {"drop": [], "mute": []}
    widget.wait_for(change=None, problem="", busy="")


def test_the_newest_choice_wins_and_a_defect_is_said() -> None:
    started, go_on, answered = threading.Event(), threading.Event(), []

    def answer(choice: Choice, report: Report) -> dict[str, Any]:
        if choice["n"] == 1:
            started.set()
            assert go_on.wait(120)
        report(0, 2)
        if choice["n"] == 3:
            raise KeyError("lost")
        answered.append(choice["n"])
        return {"n": choice["n"]}

    widget = Watched(InteractiveFigure("drop", "", {"n": 0}, {"n": 0}, answer))
    widget.choice = {"n": 1}
    assert started.wait(120)
    widget.choice = {"n": 2}
    go_on.set()
    widget.wait_for(n=2, busy="")
    assert answered == [2]
    widget.choice = {"n": 3}
    widget.wait_for(problem="The kernel could not compute this. KeyError: 'lost'", busy="")


@pytest.mark.slow
def test_importance_is_above_zero_where_a_unit_helps_and_keeps_the_largest(monkeypatch: pytest.MonkeyPatch) -> None:
    net = rs.open("moe-bytes")
    importance = rs.importance(net, "python", limit=4, layer="l1", kind="mute")
    figure = importance.interactive_figure()
    single = importance.single.set_index("unit")["change"]
    rows = {row["unit"]: row for row in figure.data["rows"]}
    assert figure.data["left_out"] == 0 and list(rows) == list(importance.single["unit"])
    # Bits a byte: more of them are a loss, so that a positive change is a positive loss.
    assert all(
        row["lost"] == single[unit] and row["lost_low"] <= row["lost"] <= row["lost_high"] for unit, row in rows.items()
    )
    monkeypatch.setattr(data, "MOST_UNITS", 3)
    fewer = importance.interactive_figure().data
    sizes = {unit: abs(row["lost"] if row["value"] is None else row["value"]) for unit, row in rows.items()}
    assert {row["unit"] for row in fewer["rows"]} == set(sorted(sizes, key=lambda unit: -sizes[unit])[:3])
    assert fewer["left_out"] == len(rows) - 3
    digits = rs.importance("ni-digits", "mnist", limit=20)
    for row in digits.interactive_figure().data["rows"]:
        assert row["lost"] == -digits.single.set_index("unit")["change"][row["unit"]]
        assert row["value"] == digits.shapley.set_index("unit")["value"][row["unit"]]


def test_a_circuit_shows_its_links_beside_their_prior() -> None:
    trace = rs.record("nac-scale-free", "mnist", limit=1)
    figure = trace.interactive_figure()
    assert figure is not None and figure.module == "links" and figure.choice == {"order": "matched prior"}
    numbers = np.frombuffer(base64.b64decode(figure.data["f4"]), "<f4").reshape(2, 80, 80)
    np.testing.assert_array_equal(numbers[0], trace["link_probability"].values.astype(np.float32))
    np.testing.assert_array_equal(numbers[1], trace["prior_link_probability"].values.astype(np.float32))
    assert all(sorted(order) == list(range(80)) for order in figure.data["orders"].values())
    degrees = numbers[0].sum(axis=1)[figure.data["orders"]["connectivity"]]
    assert (np.diff(degrees) <= 0).all()


@pytest.mark.parametrize("model, domain", [("smfr-algo", "algo"), ("smfr-bpmnist", "bpmnist")])
def test_blocks_show_the_weights_and_gates_of_every_step(model: str, domain: str) -> None:
    trace = rs.record(model, domain, limit=2)
    figure = trace.interactive_figure()
    assert figure is not None and figure.module == "blocks"
    levels, (sources, blocks) = figure.data["levels"], figure.data["shape"]
    steps = figure.data["iterations"] * (len(levels) - 1)
    assert steps == trace.dataset.sizes["step"] and figure.choice == {
        "sample": f"{domain}.validation.0",
        "iteration": "1",
    }
    for at, sample in enumerate(figure.data["samples"]):
        weights = np.frombuffer(base64.b64decode(sample["weights"]), "<f4").reshape(steps, sources, blocks)
        gates = np.frombuffer(base64.b64decode(sample["gates"]), "<f4").reshape(steps, blocks)
        for step in range(steps):
            read, made = (levels[step % (len(levels) - 1) + further] for further in (0, 1))
            np.testing.assert_allclose(weights[step, : len(read), : len(made)].sum(axis=0), 1, atol=1e-5)
            assert np.isfinite(gates[step, : len(made)]).all() and np.isnan(gates[step, len(made) :]).all()
        np.testing.assert_array_equal(weights, trace["multiplexer_weights"].values[at])
    assert rs.record("fnn-algo", "algo", limit=1).interactive_figure() is None


def test_a_comparison_has_the_agreement_of_every_layer() -> None:
    net = rs.open("moe-bytes")
    comparison = rs.compare(net, net, "python", limit=2, interventions=(None, rs.Intervention(drop=("l1.e2",))))
    figure = comparison.interactive_figure().data
    by_layer = comparison.by_layer()
    assert [layer["layer"] for layer in figure["layers"]] == ["l1", "l2", "l3", "l4"]
    assert [layer["same"][0] for layer in figure["layers"]] == [layer.same for layer in by_layer]
    assert min(layer["same"][0] for layer in figure["layers"]) < 1 and figure["over"] == "sequences"


def test_without_anywidget_a_result_shows_its_table_and_how_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widgets, "find_spec", lambda name: None)
    trace = rs.record("ni-digits", "mnist", limit=1)
    shown = trace._repr_mimebundle_()
    assert shown["text/html"].startswith(trace._repr_html_()) and "pip install" in shown["text/html"]
    assert shown["text/plain"].splitlines() == [repr(trace), widgets.HINT]


def test_a_figure_has_as_many_samples_as_a_notebook_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = rs.record("ni-digits", "mnist", limit=3)
    a_sample = trace["compatibility"].nbytes // 3
    for room, shown in ((3 * a_sample, 3), (3 * a_sample - 1, 2)):
        monkeypatch.setattr(data, "MOST_BYTES", room)
        figure = trace.interactive_figure()
        assert figure is not None
        assert len(figure.data["samples"]) == shown and figure.data["left_out"] == 3 - shown
    monkeypatch.setattr(data, "MOST_BYTES", a_sample - 1)
    assert trace.interactive_figure() is None


def test_a_trace_without_compatibilities_shows_its_table_alone(tmp_path: Path) -> None:
    trace = rs.record("ni-digits", "mnist", limit=1, fields=["types"])
    assert set(trace._repr_mimebundle_()) == {"text/html", "text/plain"}
    with pytest.raises(ValueError, match="no interactive figure"):
        trace.to_html(tmp_path / "none.html")
