"""The command line on a circuit: links cut, the least connected dropped, messages told, units by the dozen."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from routescope import assets
from routescope.routing import Trace
from routescope.routing.caused.connectivity import by_connectivity
from routescope.zoo import checkpoint
from tests.core.cli.test_cli import refused, run, run_json
from tests.core.routing.small import small

MODEL, COMPLETE = "untrained-circuit", "untrained-perceiver"
DOMAINS = {"image_size": 32, "domains": ("mnist", "mnist-m"), "held_out": ("mnist-m",), "classes": 10}


@pytest.fixture(scope="module", autouse=True)
def _models() -> None:
    for name, architecture, modules in (
        (MODEL, "neural_attentive_circuit", 24),
        (COMPLETE, "perceiver_io", 7),
    ):
        model = small(architecture, modules=modules, layers=2, **DOMAINS)
        checkpoint.save(model, assets.data_dir() / "checkpoints" / name / "model.safetensors")


def test_models_are_listed_without_dozens_of_names() -> None:
    text = " ".join(run("models", MODEL).stdout.split())
    assert "Neural Attentive Circuit" in text
    assert "m1, m2, m3, ..., m24 (24); 3 steps" in text
    assert "never trained on: mnist-m" in text
    assert "messages" in text
    assert "Perceiver IO" in run("models", COMPLETE).stdout
    found = run_json("models", MODEL)
    assert len(found["units"]) == 24
    assert found["most_iterations"] == found["iterations"] == 2
    assert "link_probability" in found["constants"]


def test_evaluate_cuts_links_and_drops_the_least_connected() -> None:
    whole = run_json("evaluate", MODEL, "--limit", 10)
    cut = run_json("evaluate", MODEL, "--limit", 10, "--keep-edges", 0.1)
    assert cut["intervention"] == {"drop": [], "mute": [], "iterations": None, "keep_edges": 0.1}
    assert cut["loss"] != whole["loss"] == cut["baseline"]["loss"]
    least = by_connectivity(checkpoint.load(assets.data_dir() / "checkpoints" / MODEL / "model.safetensors"))
    dropped = run_json("evaluate", MODEL, "--limit", 10, "--least-connected", 20, "--drop", least[-1])
    assert dropped["intervention"]["drop"] == sorted({*least[:20], least[-1]})
    text = " ".join(run("evaluate", MODEL, "--limit", 4, "--least-connected", 20, "--keep-edges", 0.5).stdout.split())
    assert "(20), 50.0 % of the links kept" in text


def test_evaluate_tells_of_classes_that_training_did_not_have(tmp_path: Path) -> None:
    for name in ("bee", "cat"):
        (tmp_path / name).mkdir()
        Image.new("RGB", (32, 32)).save(tmp_path / name / "a.png")
    for names in (("ant", "bee", "cat"), ("ant", "bee")):
        sizes = {"domains": ("images-ood",), "held_out": ("images-ood",), "classes": len(names), "class_names": names}
        model = small("neural_attentive_circuit", modules=6, layers=2, image_size=32, **sizes)
        checkpoint.save(model, assets.data_dir() / "checkpoints" / f"of-{len(names)}" / "model.safetensors")
    data = ("--data", f"images-ood={tmp_path}")
    assert run_json("evaluate", "of-3", *data)["count"] == 2
    assert "classes that training did not: cat" in refused("evaluate", "of-2", *data)


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
    assert "attention that is on them" in run("trace", COMPLETE).stdout
    assert run_json("trace", MODEL, "--iterations", 0)["most_read"] == {}


@pytest.mark.slow
def test_importance_of_two_dozen_units_is_single_effects_and_curves() -> None:
    found = run_json("importance", MODEL, "--limit", 2, "--draws", 1)
    assert (len(found["single"]), found["shapley"], found["interactions"]) == (24, [], [])
    assert {each["order"] for each in found["retention"]} >= {"least connected first", "random", "best first"}
    assert {each["draws"] for each in found["retention"]} == {1}


@pytest.mark.slow
@pytest.mark.parametrize("asked", [(), ("--permutations", 4)])
def test_importance_tells_some_of_two_dozen_units_and_what_was_left_out(asked: tuple[object, ...]) -> None:
    text = " ".join(run("importance", MODEL, "--limit", 1, "--draws", 1, *asked).stdout.split())
    assert "the 20 of 24 whose loss counts most" in text
    closing = text[text.index("Intervals of changes") :]
    assert "--pairs" in closing
    assert ("--permutations" in closing) == ("--permutations" not in asked)
    assert ("they sum to" in text) == ("--permutations" in asked)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["evaluate", MODEL, "--keep-edges", 1.5], ["from 0 to 1"]),
        (["evaluate", COMPLETE, "--keep-edges", 0.5], ["no links"]),
        (["evaluate", COMPLETE, "--least-connected", 3], ["no links"]),
        (["evaluate", "ni-digits", "--keep-edges", 0.5], ["no links"]),
        (["evaluate", MODEL, "--least-connected", 25], ["24 units"]),
        (["evaluate", MODEL, "--iterations", 3], ["up to 2"]),
        (["evaluate", MODEL, "--drop", "f1"], ["f1", "m1, m2, m3, ..., m24 (24)"]),
        (["trace", COMPLETE, "--keep-edges", 0.5], ["no links"]),
        (["trace", MODEL, "--fields", "compatibility"], ["compatibility", "messages"]),
        (["importance", COMPLETE, "--keep-edges", 0.5], ["no links"]),
        (["importance", MODEL, "--permutations", 2], ["from 4 on"]),
    ],
)
def test_mistakes_are_answered_in_one_line_that_says_what_would_do(arguments: list[object], said: list[str]) -> None:
    line = refused(*arguments)
    for each in said:
        assert each in line
