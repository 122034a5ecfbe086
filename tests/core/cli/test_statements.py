"""The command line on networks that read statements: what is traced, what is scored by kind, what is refused."""

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from routescope.data import known_datasets, load
from routescope.nn.inputs.statements import Statements
from routescope.routing import Trace
from routescope.routing.caused.connectivity import by_connectivity
from routescope.routing.caused.intervals import wilson_interval
from routescope.routing.caused.scores import evaluate
from tests.core.cli.program import refused, run, run_json, save, saved, words_of
from tests.core.routing.small import small

CIRCUIT, PERCEIVER, IMAGES, BOXES = "untrained-judge", "untrained-reader", "untrained-looker", "untrained-boxes"
SIZES = {"image_size": 16, "domains": ("scenes",), "layers": 2, "modules": 6}


@pytest.fixture(scope="module", autouse=True)
def _models() -> None:
    for name, architecture, sizes in (
        (CIRCUIT, "conditional_nac", SIZES),
        (PERCEIVER, "statement_perceiver_io", SIZES),
        (BOXES, "conditional_nac", SIZES | {"pictures": 3, "domains": ("nlvr",)}),
        (IMAGES, "perceiver_io", {"image_size": 32, "domains": ("mnist", "mnist-m"), "classes": 10}),
    ):
        save(name, small(architecture, **sizes))


def test_models_and_data_sets_say_what_they_read() -> None:
    assert run_json("models", CIRCUIT)["inputs"] == run_json("models", PERCEIVER)["inputs"] == "statements"
    assert "a sentence about 2 pictures" in run("models", CIRCUIT).stdout
    assert "sentence" not in run("models", IMAGES).stdout
    sets = {entry["name"]: entry for entry in run_json("data")}
    assert list(sets) == list(known_datasets())
    assert (sets["scenes"]["inputs"], sets["scenes"]["stand_in_for"]) == ("statements", "NLVR2")
    assert all(entry["licence"] for entry in sets.values()) and sets["street-digits"]["stand_in_for"] == "SVHN"
    text = words_of("data")
    assert "stands in for NLVR2" in text and "stands in for SVHN" in text and "--data scenes=" not in text
    assert "read from where its user has it: --data nlvr2=FOLDER" in text
    assert "read the real set with --data images=SOURCE" in text


@pytest.mark.parametrize("name", [CIRCUIT, PERCEIVER])
def test_accuracy_is_told_by_kind(name: str) -> None:
    found = run_json("evaluate", name, "--limit", 36)
    data = load("scenes", limit=36, side=16)
    right = evaluate(saved(name), data).correct
    assert found["count"] == 36 and found["accuracy"] == right.mean()
    expected = {}
    for number, kind in enumerate(data.kinds):
        own = right[(data.kind == number).numpy()]
        if len(own):
            expected[kind] = (len(own), own.mean(), *wilson_interval(int(own.sum()), len(own)))
    rows = {each["kind"]: (each["count"], each["accuracy"], each["low"], each["high"]) for each in found["by_kind"]}
    assert rows == {kind: pytest.approx(row) for kind, row in expected.items()}
    assert all(kind in run("evaluate", name, "--limit", 36).stdout for kind in expected)


def test_what_is_changed_is_told_by_kind() -> None:
    gone = by_connectivity(saved(CIRCUIT))[:4]
    found = run_json("evaluate", CIRCUIT, "--limit", 36, "--least-connected", 4)
    assert found["intervention"]["drop"] == sorted(gone)
    whole = {each["kind"]: each["accuracy"] for each in run_json("evaluate", CIRCUIT, "--limit", 36)["by_kind"]}
    for row in found["by_kind"]:
        assert row["baseline"] == whole[row["kind"]]
        assert row["change"] == pytest.approx(row["accuracy"] - row["baseline"])
        assert row["change_low"] <= row["change"] <= row["change_high"]
    text = " ".join(run("evaluate", CIRCUIT, "--limit", 36, "--mute", "m1").stdout.partition("samples.")[2].split())
    assert "kind of statement" in text and "change, points" in text and "not independent" in text


def test_matrices_are_told_by_kind_and_are_no_statements() -> None:
    text = run("evaluate", "ni-pgm", "--limit", 16).stdout
    assert "consistent union" in text and "kind " in text
    assert "statement" not in text.lower() and "not independent" not in text


@pytest.mark.slow
def test_a_statement_of_the_data_is_traced(tmp_path: Path) -> None:
    data, file = load("scenes", side=16, limit=8), tmp_path / "trace.nc"
    found = run_json("trace", CIRCUIT, "--index", 5, "-o", file, "--fields", "read_in,link_probability,text_attention")
    assert (found["sample"], found["sentence"]) == ("scenes.validation.5", data.sentences[5])
    assert found["label"] == int(data.labels[5])
    trace = Trace.load(file)
    assert trace["link_probability"].shape == (1, 6, 6)
    with torch.no_grad():
        expected = saved(CIRCUIT)(data.inputs([5])).softmax(-1)[0, 0]
    assert found["predictions"][0]["probabilities"] == pytest.approx(expected.tolist(), abs=1e-5)
    other = run_json("trace", CIRCUIT, "--index", 5, "--sentence", "The picture has many stars.")
    assert (other["sentence"], other["label"]) == ("The picture has many stars.", None)
    assert other["predictions"] != found["predictions"]
    text = run("trace", CIRCUIT, "--index", 5).stdout
    assert data.sentences[5] in " ".join(text.split()) and f"labelled {['false', 'true'][found['label']]}" in text


def test_pictures_of_a_persons_own_are_traced(tmp_path: Path) -> None:
    files = [tmp_path / "a.png", tmp_path / "b.png"]
    drawn = np.random.default_rng(0).integers(0, 256, (2, 16, 16, 3), dtype=np.uint8)
    for file, pixels in zip(files, drawn, strict=True):
        Image.fromarray(pixels).save(file)
    asked = ("--left", files[0], "--right", files[1], "--sentence", "One has a few.")
    images = torch.from_numpy(drawn).permute(0, 3, 1, 2)[None].float() / 255
    with torch.no_grad():
        expected = saved(CIRCUIT)(Statements(images, ("One has a few.",))).softmax(-1)[0, 0]
    found = run_json("trace", CIRCUIT, *asked)
    assert found["predictions"][0]["probabilities"] == pytest.approx(expected.tolist(), abs=1e-5)
    assert found["sample"] == "a.png, b.png"
    wide = Image.new("RGBA", (40, 10))  # nothing on it: the ground is all there is to see
    wide.save(files[0])
    Image.new("RGB", (3, 3), "#b0b0b0").save(files[1])
    flat = run_json("trace", CIRCUIT, *asked)["predictions"]
    wide.save(files[1])
    assert run_json("trace", CIRCUIT, *asked)["predictions"] == flat


def test_labels_are_those_that_the_network_was_trained_on(tmp_path: Path) -> None:
    for name in ("bee", "cat"):
        (tmp_path / name).mkdir()
        Image.new("RGB", (32, 32)).save(tmp_path / name / "a.png")
    sizes = {"domains": ("images-ood",), "held_out": ("images-ood",), "image_size": 32, "layers": 1, "modules": 3}
    save("of-three", small("perceiver_io", **sizes, classes=3, class_names=("ant", "bee", "cat")))
    data = ("--data", f"images-ood={tmp_path}")
    labels = {run_json("trace", "of-three", *data, "--index", index)["label"] for index in (0, 1)}
    assert labels == {1, 2}
    assert [row["domain"] for row in run_json("trace", IMAGES)["predictions"]] == ["mnist", "mnist-m"]
    assert run("trace", IMAGES).stdout.count("mnist, mnist-m") == 1, "heads that answer alike are told once"
    assert run_json("importance", "of-three", *data, "--draws", 1)["count"] == 2
    save("of-two", small("neural_attentive_circuit", **sizes, classes=2, class_names=("ant", "bee")))
    assert "classes that training did not: cat" in refused("evaluate", "of-two", *data)
    assert "other classes than training (ant, bee, cat" in refused("importance", "of-three", "--data", "images-ood")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("trace", CIRCUIT, "--image", "a.png"), "--left FILE"),
        (("trace", IMAGES, "--sentence", "A star."), "reads images, not --sentence: give --image FILE"),
        (("trace", CIRCUIT, "--left", "a.png", "--sentence", "A star."), "all three"),
        (("trace", BOXES, "--left", "a.png", "--right", "a.png", "--sentence", "A star."), "3 pictures"),
        (("trace", CIRCUIT, "--left", "no.png", "--right", "no.png", "--sentence", "A star."), "no.png does not exist"),
        (("evaluate", BOXES), "nlvr=FOLDER"),
        (("train", "nac-nlvr", "--steps", 1), "nlvr=FOLDER"),
        (("train", "nac-scenes", "--steps", 1, "--batch-size", 6), "fours"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(arguments: tuple[object, ...], words: str) -> None:
    assert words in refused(*arguments)
