"""The command line on a circuit: links cut, the least connected dropped, messages told, units by the dozen."""

from pathlib import Path

import numpy as np
import pytest

from routescope.routing import Trace
from routescope.routing.caused.connectivity import by_connectivity
from tests.core.cli.program import refused, run_json, save, saved, words_of
from tests.core.routing.small import small

MODEL, COMPLETE = "untrained-circuit", "untrained-perceiver"
DOMAINS = {"image_size": 32, "domains": ("mnist", "mnist-m"), "held_out": ("mnist-m",), "classes": 10}


@pytest.fixture(scope="module", autouse=True)
def _models() -> None:
    for name, architecture, modules in ((MODEL, "neural_attentive_circuit", 24), (COMPLETE, "perceiver_io", 7)):
        save(name, small(architecture, modules=modules, layers=2, **DOMAINS))


def test_models_are_listed_without_dozens_of_names() -> None:
    text = words_of("models", MODEL)
    assert "Neural Attentive Circuit" in text
    assert "m1, m2, m3, ..., m24 (24); 3 steps" in text
    assert "never trained on: mnist-m" in text
    assert "messages" in text
    assert "Perceiver IO" in words_of("models", COMPLETE)
    found = run_json("models", MODEL)
    assert len(found["units"]) == 24
    assert found["most_iterations"] == found["iterations"] == 2
    assert "link_probability" in found["constants"]


def test_evaluate_cuts_links_and_drops_the_least_connected() -> None:
    whole = run_json("evaluate", MODEL, "--limit", 10)
    cut = run_json("evaluate", MODEL, "--limit", 10, "--keep-edges", 0.1)
    assert cut["intervention"] == {"drop": [], "mute": [], "iterations": None, "keep_edges": 0.1}
    assert cut["loss"] != whole["loss"] == cut["baseline"]["loss"]
    least = by_connectivity(saved(MODEL))
    dropped = run_json("evaluate", MODEL, "--limit", 10, "--least-connected", 20, "--drop", least[-1])
    assert dropped["intervention"]["drop"] == sorted({*least[:20], least[-1]})
    text = words_of("evaluate", MODEL, "--limit", 4, "--least-connected", 20, "--keep-edges", 0.5)
    assert "(20), 50.0 % of the links kept" in text


def test_trace_tells_who_is_read_most(tmp_path: Path) -> None:
    file = tmp_path / "trace.nc"
    found = run_json("trace", MODEL, "--drop", "m3", "--keep-edges", 0.5, "-o", file)
    trace = Trace.load(file)
    assert set(found["fields"]) == {"read_in", "messages", "read_out", "confidence"}
    assert found["dominant"] == {}
    assert list(found["most_read"]) == ["l1", "l2"]
    for layer, shares in found["most_read"].items():
        mean = trace["messages"].sel(layer=layer).isel(sample=0).sum("unit")
        mean = mean / mean.sum()
        best = [str(unit) for unit in mean["sender"].values[np.argsort(-mean.values, kind="stable")[:5]]]
        assert list(shares) == best
        assert shares == pytest.approx({unit: float(mean.sel(sender=unit)) for unit in best}, abs=1e-5)
    assert "attention that is on them" in words_of("trace", COMPLETE)
    assert run_json("trace", MODEL, "--iterations", 0)["most_read"] == {}


@pytest.mark.slow
def test_importance_of_two_dozen_units_is_single_effects_and_curves() -> None:
    arguments = ("importance", MODEL, "--limit", 1, "--draws", 1)
    result = run_json(*arguments)
    assert (len(result["single"]), result["shapley"], result["interactions"]) == (24, [], [])
    assert {row["order"] for row in result["retention"]} >= {"least connected first", "random", "best first"}
    assert {row["draws"] for row in result["retention"]} == {1}
    for asked in ((), ("--permutations", 4)):
        text = words_of(*arguments, *asked)
        assert "the 20 of 24 whose loss counts most" in text
        closing = text[text.index("Intervals of changes") :]
        assert "--pairs" in closing and ("--permutations" in closing) == (not asked)
        assert ("they sum to" in text) == bool(asked)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["evaluate", COMPLETE, "--least-connected", 3], ["no links"]),
        (["evaluate", MODEL, "--least-connected", 25], ["24 units"]),
        (["evaluate", MODEL, "--drop", "f1"], ["f1", "m1, m2, m3, ..., m24 (24)"]),
        (["importance", MODEL, "--permutations", 2], ["from 4 on"]),
    ],
)
def test_mistakes_are_answered_in_one_line_that_says_what_would_do(arguments: list[object], said: list[str]) -> None:
    line = refused(*arguments)
    assert all(words in line for words in said)
