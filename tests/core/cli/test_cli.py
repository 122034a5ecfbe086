"""The command line, run in this process: what it prints, what it writes, and how it says no."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from typer.testing import CliRunner

from routescope import assets
from routescope.api import names
from routescope.cli import build
from routescope.data.matrices.regimes import REGIMES
from routescope.experiments.shared import catalogue
from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.routing import Trace
from routescope.training import fit as training
from routescope.training.recipes.networks import RECIPES
from routescope.training.settings import Recipe, TrainingSettings
from routescope.training.tasks import pictures
from routescope.zoo import checkpoint

CLI = build()
MODEL = "untrained-tiny"
TINY = NeuralInterpreterConfig(
    features=16,
    code_features=16,
    type_features=8,
    iterations=3,
    functions=4,
    heads=2,
    key_features=8,
    type_inference_width=16,
    tokenizer="convolutional",
    patch_size=8,
)


@pytest.fixture(scope="module", autouse=True)
def _model() -> None:
    """A small model of the user's own, so that nothing here waits for the bundled one."""
    torch.manual_seed(0)
    checkpoint.save(NeuralInterpreter(TINY), assets.data_dir() / "checkpoints" / MODEL / "model.safetensors")


def run(*arguments: object) -> Any:
    return CliRunner().invoke(CLI, [str(each) for each in arguments])


def run_json(*arguments: object) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def refused(*arguments: object) -> str:
    """The one line with which a mistake is answered."""
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    lines = [line for line in result.stderr.splitlines() if line.strip()]
    assert len(lines) == 1, result.stderr
    assert "Traceback" not in result.stderr
    return lines[0]


def test_help_lists_every_command_of_the_design() -> None:
    text = run("--help").stdout
    for command in ("serve", "models", "trace", "evaluate", "importance", "train", "reproduce", "data", "import"):
        assert f" {command} " in text


def test_models_lists_the_facts_of_each_model() -> None:
    found = {each["id"]: each for each in run_json("models")}
    assert {MODEL, "ni-digits"} <= set(found)
    assert found[MODEL]["family"] == "Neural Interpreter"
    assert found[MODEL]["parameters"] > 0
    assert found[MODEL]["units"] == ["f1", "f2", "f3", "f4"]
    assert found[MODEL]["accuracies"] == []
    assert MODEL in run("models").stdout
    assert run_json("models", MODEL)["id"] == MODEL


def test_the_bundled_model_says_how_well_it_does_and_on_what() -> None:
    card = run_json("models", "ni-digits")
    assert {each["domain"] for each in card["accuracies"]} == set(card["domains"])
    for each in card["accuracies"]:
        assert 0 <= each["low"] < each["accuracy"] < each["high"] <= 1
        assert isinstance(each["stand_in"], bool)
        assert each["count"] > 0


def test_data_names_licences_and_stand_ins() -> None:
    found = {each["name"]: each for each in run_json("data")}
    assert {"mnist", "mnist-m", "street-digits"} <= set(found)
    assert all(each["licence"] for each in found.values())
    assert found["street-digits"]["stand_in_for"] == "SVHN"
    assert "stands in for SVHN" in run("data").stdout


@pytest.mark.slow
def test_evaluate_counts_and_bounds() -> None:
    found = run_json("evaluate", MODEL, "--data", "mnist", "--limit", 40)
    low, high = found["interval"]
    assert found["count"] == 40
    assert low <= found["accuracy"] <= high
    assert (found["accuracy"] * 40) == pytest.approx(round(found["accuracy"] * 40))
    assert found["seconds"] > 0
    assert found["intervention"] == {"drop": [], "mute": [], "iterations": None}


def test_evaluate_takes_interventions() -> None:
    whole = run_json("evaluate", MODEL, "--limit", 40)
    changed = run_json("evaluate", MODEL, "--limit", 40, "--drop", "f2, f4,f2", "--mute", "f1", "--iterations", 2)
    assert changed["intervention"] == {"drop": ["f2", "f4"], "mute": ["f1"], "iterations": 2}
    assert changed["loss"] != whole["loss"]
    again = run_json("evaluate", MODEL, "--limit", 40)
    assert again["loss"] == whole["loss"], "an intervention stayed in the shared model"


@pytest.mark.parametrize("kind", ["drop", "mute", "mean", "resample"])
def test_evaluate_tells_the_change_on_the_same_samples(kind: str) -> None:
    whole = run_json("evaluate", MODEL, "--limit", 40)
    assert "change" not in whole
    changed = run_json("evaluate", MODEL, "--limit", 40, f"--{kind}", "f1,f3")
    assert changed["intervention"][kind] == ["f1", "f3"]
    assert changed["baseline"] == {name: whole[name] for name in ("accuracy", "interval", "loss")}
    for name, difference in (
        ("accuracy", changed["accuracy"] - whole["accuracy"]),
        ("loss", changed["loss"] - whole["loss"]),
    ):
        change = changed["change"][name]
        assert change["value"] == pytest.approx(difference, abs=1e-6)
        assert change["low"] <= change["value"] <= change["high"]
        assert change["count"] == 40
    assert changed["loss"] != whole["loss"]
    text = " ".join(run("evaluate", MODEL, "--limit", 20, f"--{kind}", "f1").stdout.split())
    assert "Paired bootstrap" in text


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["drop", "mean"])
def test_importance_of_every_unit(kind: str) -> None:
    found = run_json("importance", MODEL, "--data", "mnist,street-digits", "--limit", 10, "--kind", kind)
    assert [each["name"] for each in found["data"]] == ["mnist", "street-digits"]
    assert (found["count"], found["kind"], found["exact"]) == (20, kind, True)
    assert [each["unit"] for each in found["shapley"]] == ["f1", "f2", "f3", "f4"]
    assert sum(each["value"] for each in found["shapley"]) == pytest.approx(found["total"])
    assert len(found["interactions"]) == 6
    assert len(found["single"]) == 4
    assert len(found["retention"]) == 5 * 5
    dropped = run_json("evaluate", MODEL, "--limit", 10, f"--{kind}", "f2")
    other = run_json("evaluate", MODEL, "--data", "street-digits", "--limit", 10, f"--{kind}", "f2")
    change = (dropped["change"]["accuracy"]["value"] + other["change"]["accuracy"]["value"]) / 2
    assert found["single"][1]["change"] == pytest.approx(change)
    text = run("importance", MODEL, "--limit", 10, "--kind", kind).stdout
    for word in ("Shapley", "Retention", "greedy worst", "f4"):
        assert word in text


@pytest.mark.parametrize("asked", [(), ("--no-pairs",)])
def test_importance_says_whether_pairs_were_left_out(asked: tuple[str, ...]) -> None:
    text = " ".join(run("importance", MODEL, "--limit", 1, "--draws", 1, *asked).stdout.split())
    assert "distribution unknown" in text and "in distribution" not in text, "the model has no card"
    closing = text[text.index("Intervals of changes") :]
    assert ("--pairs" in closing) == bool(asked)
    assert "--permutations" not in closing and "they sum to" in text


def test_evaluate_says_where_sequences_are_longer_than_a_model_reads(tmp_path: Path) -> None:
    long = "( " * 110 + "[MAX" + " 2 )" * 110 + " ] )"
    (tmp_path / "test_d20s.tsv").write_text(f"9\t( ( ( [MAX 2 ) 9 ) ] )\n2\t{long}\n")
    result = run("evaluate", "nac-listops", "--data", f"listops-short={tmp_path}", "--split", "test")
    assert result.exit_code == 2 and "up to 112 symbols" in result.stderr, result.stderr


def test_evaluate_says_what_it_scored() -> None:
    text = run("evaluate", MODEL, "--data", "street-digits", "--limit", 20).stdout
    assert "street-digits validation, a stand-in" in text
    assert "20 samples" in text


def test_trace_writes_what_it_prints(tmp_path: Path) -> None:
    file = tmp_path / "trace.nc"
    found = run_json("trace", MODEL, "--data", "mnist-m", "--index", 3, "-o", file)
    trace = Trace.load(file)
    assert found["sample"] == "mnist-m.validation.3"
    assert list(trace.dataset["sample"].values) == [found["sample"]]
    assert trace.dataset.attrs["model"] == MODEL
    assert trace.dataset.attrs["revision"] == found["revision"]
    for printed in found["predictions"]:
        recorded = trace.predictions()[0][printed["domain"]]
        np.testing.assert_allclose(printed["probabilities"], recorded, atol=1e-6)
        assert printed["label"] == int(np.argmax(recorded))
    tokens = trace.dataset.sizes["token"]
    assert [sum(counts.values()) for counts in found["dominant"].values()] == [tokens] * trace.dataset.sizes["step"]


def test_trace_records_the_fields_that_are_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "trace.nc"
    run_json("trace", MODEL, "--fields", "compatibility,attention", "-o", file)
    held = Trace.load(file).dataset
    assert "attention" in held
    assert "types" not in held


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_trace_takes_a_picture(tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"picture.{kind.lower()}"
    pixels = np.random.default_rng(0).integers(0, 255, (40, 30, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(file, kind)
    found = run_json("trace", MODEL, "--image", file)
    assert found["sample"] == file.name
    assert found["label"] is None


def test_trace_of_a_model_without_any_unit() -> None:
    found = run_json("trace", MODEL, "--drop", "f1,f2,f3,f4")
    assert all(set(counts) == {"none"} for counts in found["dominant"].values())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["evaluate", "nobody"], [MODEL, "ni-digits"]),
        (["models", "nobody"], [MODEL]),
        (["evaluate", MODEL, "--drop", "f9"], ["f9", "f1, f2, f3, f4"]),
        (["evaluate", MODEL, "--mute", "g1"], ["g1", "f1, f2, f3, f4"]),
        (["evaluate", MODEL, "--iterations", 900], ["64"]),
        (["evaluate", MODEL, "--data", "mnyst"], ["mnist", "street-digits"]),
        (["evaluate", MODEL, "--split", "exam"], ["exam", "train", "validation"]),
        (["evaluate", MODEL, "--data", "mnist=/no/such/folder"], ["/no/such/folder", "parquet"]),
        (["evaluate", MODEL, "--resample", "g1"], ["g1", "f1, f2, f3, f4"]),
        (["importance", MODEL, "--kind", "quench"], ["quench", "drop, mute, mean, resample"]),
        (["importance", MODEL, "--data", "mnist,mnyst"], ["mnyst", "street-digits"]),
        (["importance", MODEL, "--data", ","], ["mnist"]),
        (["importance", MODEL, "--permutations", 5], ["even"]),
        (["importance", MODEL, "--iterations", 900], ["64"]),
        (["trace", MODEL, "--index", 10**6], ["0 to 999"]),
        (["trace", MODEL, "--fields", "colours"], ["colours", "compatibility"]),
        (["trace", MODEL, "--image", "/no/such/picture.png"], ["/no/such/picture.png"]),
        (["trace", MODEL, "-o", "/no/such/folder/trace.nc"], ["/no/such/folder"]),
        (["trace", MODEL, "--image", __file__], ["PNG, JPEG, WebP"]),
        (["train", "nothing"], ["ni-digits", "ni-digits-printed"]),
        (["train", "ni-digits", "--data", "mnist"], ["NAME=SOURCE"]),
        (["reproduce", "nothing"], ["ni-drop"]),
        (["reproduce"], ["ni-drop"]),
        (["reproduce", "ni-drop", "--data", "digits=here"], ["mnist"]),
        (["reproduce", "ni-drop", "--part", "one"], ["ni-drop has no parts"]),
        (["reproduce", "ni-pgm", "--part", "easy"], ["easy", "neutral", "extrapolation"]),
        (["reproduce", "ni-pgm", "--full", "--part", "figure-8"], ["even number of iterations"]),
        (["reproduce", "ni-pgm", "--seeds", "0"], ["0 seeds", "one at least"]),
        (["reproduce", "ni-drop", "--seeds", "2"], ["ni-drop has no number of seeds"]),
    ],
)
def test_mistakes_are_answered_in_one_line_that_says_what_would_do(arguments: list[object], said: list[str]) -> None:
    line = refused(*arguments)
    for each in said:
        assert each in line


def test_serve_refuses_an_open_door_and_a_port_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    monkeypatch.delenv("ROUTESCOPE_TOKEN", raising=False)
    for name in ("ROUTESCOPE_HOST", "ROUTESCOPE_PORT"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    assert "token" in refused("serve", "--host", "0.0.0.0", "--port", "0")
    monkeypatch.delenv("ROUTESCOPE_HOST", raising=False)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert "--port" in refused("serve", "--port", taken.getsockname()[1])
    assert "ROUTESCOPE_PORT" in refused("serve", "--port", "70000")


@pytest.mark.slow
def test_train_writes_a_model_that_the_others_find(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = Recipe("neural_interpreter", TINY, TrainingSettings(accelerator="cpu"))
    monkeypatch.setitem(RECIPES, "ni-digits", recipe)
    monkeypatch.setattr(pictures, "digits_mixture", partial(pictures.digits_mixture, street=256))
    folder = tmp_path / "mine"
    found = run_json("train", "ni-digits", "--steps", 2, "--batch-size", 4, "--precision", "32-true", "-o", folder)
    assert found["folder"] == str(folder)
    assert found["settings"]["steps"] == 2
    assert found["settings"]["batch_size"] == 4
    assert {each["domain"] for each in found["accuracies"]} == set(TINY.domains)
    assert checkpoint.load(folder / "model.safetensors").config == TINY


def test_train_says_when_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: Any, **__: Any) -> Path:
        raise SystemExit(1)

    monkeypatch.setattr(training, "train", stopped)
    assert "starts again" in refused("train", "ni-digits", "-o", tmp_path)
    (tmp_path / "training").mkdir()
    (tmp_path / "training" / "last.ckpt").touch()
    assert "continues from" in refused("train", "ni-digits", "-o", tmp_path)


@pytest.mark.slow
def test_reproduce_runs_an_experiment_and_leaves_its_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = catalogue.find("ni-drop")
    small = replace(original, settings=lambda quick: replace(original.settings(quick), model=MODEL, limit=8))
    monkeypatch.setattr(catalogue, "find", lambda _: small)
    found = run_json("reproduce", "ni-drop", "--quick", "-o", tmp_path)
    (file,) = tmp_path.glob("*.json")
    assert found.pop("file") == str(file)
    assert json.loads(file.read_text()) == found
    assert found["quick"] is True
    text = run("reproduce", "ni-drop", "-o", tmp_path).stdout
    assert "a stand-in" in text
    assert f"{found['figures'][0]['value']:.4g}" in text


def test_reproduce_lists_what_there_is() -> None:
    parts = {each["id"]: each["parts"] for each in run_json("reproduce", "--list")}
    assert parts["ni-drop"] == [] and parts["ni-pgm"] == [*REGIMES, "figure-8"]
    said = run("reproduce", "--list").stdout
    assert "ni-drop" in said and f"parts: {', '.join(REGIMES)}, figure-8" in " ".join(said.split())


@given(st.lists(st.from_regex(r"[a-z0-9.]{1,6}", fullmatch=True), max_size=6), st.sampled_from([",", ", ", " ,"]))
def test_unit_lists_are_read_as_they_are_written(units: list[str], comma: str) -> None:
    assert names(comma.join(units)) == tuple(units)
