"""The command line on networks of pictures: lists, scores, importance, traces, trainings, and refusals in one line."""

import json
import socket
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from routescope.data.matrices.regimes import REGIMES
from routescope.experiments.shared import catalogue
from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.routing import KINDS, Trace
from routescope.training import fit as training
from routescope.training.recipes.networks import RECIPES
from routescope.training.settings import Recipe, TrainingSettings
from routescope.training.tasks import pictures
from routescope.zoo import checkpoint
from tests.core.cli.program import refused, run_json, save, words_of

MODEL = "untrained-tiny"
TINY = NeuralInterpreterConfig(
    features=16, code_features=16, type_features=8, iterations=3, functions=4, heads=2, key_features=8,
    type_inference_width=16, tokenizer="convolutional", patch_size=8,
)  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _model() -> None:
    torch.manual_seed(0)
    save(MODEL, NeuralInterpreter(TINY))


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    return run_json("evaluate", MODEL, "--data", "mnist", "--limit", 40)


def test_models_are_listed_with_their_facts() -> None:
    models = {model["id"]: model for model in run_json("models")}
    tiny, bundled = models[MODEL], models["ni-digits"]
    assert (tiny["family"], tiny["units"]) == ("Neural Interpreter", ["f1", "f2", "f3", "f4"])
    assert tiny["parameters"] > 0 and tiny["accuracies"] == [] and run_json("models", MODEL) == tiny
    assert MODEL in words_of("models")
    assert {entry["domain"] for entry in bundled["accuracies"]} == set(bundled["domains"])
    for entry in bundled["accuracies"]:
        assert 0 <= entry["low"] < entry["accuracy"] < entry["high"] <= 1 and entry["count"] > 0
        assert isinstance(entry["stand_in"], bool)


def test_evaluate_scores_the_whole_model(whole: dict[str, Any]) -> None:
    low, high = whole["interval"]
    assert whole["count"] == 40 and low <= whole["accuracy"] <= high and whole["seconds"] > 0
    assert whole["accuracy"] * 40 == pytest.approx(round(whole["accuracy"] * 40))
    assert whole["intervention"] == {"drop": [], "mute": [], "iterations": None} and "change" not in whole
    text = words_of("evaluate", MODEL, "--data", "street-digits", "--limit", 20)
    assert "street-digits validation, a stand-in" in text and "20 samples" in text


@pytest.mark.parametrize("kind", KINDS)
def test_evaluate_scores_an_intervention_beside_the_whole_model(kind: str, whole: dict[str, Any]) -> None:
    changed = run_json("evaluate", MODEL, "--limit", 40, f"--{kind}", "f3, f1,f3", "--iterations", 2)
    asked = {"drop": [], "mute": [], "iterations": 2} | {kind: ["f1", "f3"]}
    assert changed["intervention"] == asked and changed["loss"] != whole["loss"]
    assert changed["baseline"] == {name: whole[name] for name in ("accuracy", "interval", "loss")}
    for name, change in changed["change"].items():
        assert change["value"] == pytest.approx(changed[name] - whole[name], abs=1e-6)
        assert change["low"] <= change["value"] <= change["high"] and change["count"] == 40
    assert "Paired bootstrap" in words_of("evaluate", MODEL, "--limit", 20, f"--{kind}", "f1")
    assert run_json("evaluate", MODEL, "--limit", 40)["loss"] == whole["loss"], "the shared model was changed"


def test_evaluate_refuses_sequences_that_are_longer_than_a_model_reads(tmp_path: Path) -> None:
    long = "( " * 110 + "[MAX" + " 2 )" * 110 + " ] )"
    (tmp_path / "test_d20s.tsv").write_text(f"9\t( ( ( [MAX 2 ) 9 ) ] )\n2\t{long}\n")
    arguments = ("evaluate", "nac-listops", "--data", f"listops-short={tmp_path}", "--split", "test")
    assert "up to 112 symbols" in refused(*arguments)


@pytest.mark.slow
def test_importance_of_every_unit() -> None:
    result = run_json("importance", MODEL, "--data", "mnist,street-digits", "--limit", 10, "--kind", "mean")
    assert [entry["name"] for entry in result["data"]] == ["mnist", "street-digits"]
    assert (result["count"], result["kind"], result["exact"]) == (20, "mean", True)
    assert [row["unit"] for row in result["shapley"]] == ["f1", "f2", "f3", "f4"]
    assert sum(row["value"] for row in result["shapley"]) == pytest.approx(result["total"])
    assert [len(result[table]) for table in ("interactions", "single", "retention")] == [6, 4, 5 * 5]
    scores = [
        run_json("evaluate", MODEL, "--data", entry["name"], "--limit", 10, "--mean", "f2") for entry in result["data"]
    ]
    change = sum(score["change"]["accuracy"]["value"] for score in scores) / 2
    assert result["single"][1]["change"] == pytest.approx(change)


@pytest.mark.parametrize("asked", [(), ("--no-pairs",)])
def test_importance_says_whether_pairs_were_left_out(asked: tuple[str, ...]) -> None:
    text = words_of("importance", MODEL, "--limit", 1, "--draws", 1, *asked)
    assert all(word in text for word in ("Shapley", "Retention", "greedy worst", "f4"))
    assert "distribution unknown" in text and "in distribution" not in text, "the model has no card"
    closing = text[text.index("Intervals of changes") :]
    assert ("--pairs" in closing) == bool(asked)
    assert "--permutations" not in closing and "they sum to" in text


def test_trace_writes_what_it_prints(tmp_path: Path) -> None:
    file = tmp_path / "trace.nc"
    printed = run_json("trace", MODEL, "--data", "mnist-m", "--index", 3, "-o", file)
    trace = Trace.load(file)
    assert printed["sample"] == "mnist-m.validation.3" == str(trace.dataset["sample"].item())
    assert (printed["model"], printed["revision"]) == (MODEL, trace.dataset.attrs["revision"])
    for row in printed["predictions"]:
        recorded = trace.predictions()[0][row["domain"]]
        np.testing.assert_allclose(row["probabilities"], recorded, atol=1e-6)
        assert row["label"] == int(np.argmax(recorded))
    tokens, steps = trace.dataset.sizes["token"], trace.dataset.sizes["step"]
    assert [sum(counts.values()) for counts in printed["dominant"].values()] == [tokens] * steps
    run_json("trace", MODEL, "--fields", "compatibility,attention", "-o", file)
    assert "attention" in Trace.load(file).dataset and "types" not in Trace.load(file).dataset
    emptied = run_json("trace", MODEL, "--drop", "f1,f2,f3,f4")
    assert all(set(counts) == {"none"} for counts in emptied["dominant"].values())


def test_trace_takes_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "picture.webp"
    pixels = np.random.default_rng(0).integers(0, 255, (40, 30, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(file)
    printed = run_json("trace", MODEL, "--image", file)
    assert (printed["sample"], printed["label"]) == (file.name, None)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["evaluate", MODEL, "--drop", "f9"], ["f9", "f1, f2, f3, f4"]),
        (["evaluate", MODEL, "--data", "mnyst"], ["mnist", "street-digits"]),
        (["evaluate", MODEL, "--split", "exam"], ["exam", "train", "validation"]),
        (["importance", MODEL, "--kind", "quench"], ["quench", "drop, mute, mean, resample"]),
        (["importance", MODEL, "--permutations", 5], ["even"]),
        (["trace", MODEL, "--fields", "colours"], ["colours", "compatibility"]),
        (["trace", MODEL, "--image", __file__], ["PNG, JPEG, WebP"]),
        (["train", "nothing"], ["ni-digits", "ni-digits-printed"]),
        (["train", "ni-digits", "--data", "mnist"], ["NAME=SOURCE"]),
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
    assert all(words in line for words in said)


def test_serve_refuses_an_open_door_and_a_port_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
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
    settings = found["settings"]
    assert (found["folder"], settings["steps"], settings["batch_size"]) == (str(folder), 2, 4)
    assert {entry["domain"] for entry in found["accuracies"]} == set(TINY.domains)
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
    settings = replace(original.settings, model=MODEL, limit=8)
    small = replace(original, settings=settings, quick=settings)
    monkeypatch.setattr(catalogue, "find", lambda _: small)
    found = run_json("reproduce", "ni-drop", "--quick", "-o", tmp_path)
    (file,) = tmp_path.glob("*.json")
    assert found.pop("file") == str(file)
    assert json.loads(file.read_text()) == found
    assert found["quick"] is True
    text = words_of("reproduce", "ni-drop", "-o", tmp_path)
    assert "a stand-in" in text
    assert f"{found['figures'][0]['value']:.4g}" in text
    parts = {entry["id"]: entry["parts"] for entry in run_json("reproduce", "--list")}
    assert parts["ni-drop"] == [] and parts["ni-pgm"] == [*REGIMES, "figure-8"]
    listed = words_of("reproduce", "--list")
    assert "ni-drop" in listed and f"parts: {', '.join(REGIMES)}, figure-8" in listed
