"""The models that are there: what is known of each architecture without running it, and their cards."""

import json
import os
import time
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import torch

from routescope import assets, zoo
from routescope.data import NoSplit
from routescope.nn.probe import probes_of
from routescope.nn.registry import ARCHITECTURES
from routescope.routing.trace import constants_of
from routescope.training.recipes.blocks import sizes_of
from routescope.training.settings import TrainingSettings
from routescope.training.tasks import pictures
from routescope.training.tasks.registry import TASKS
from routescope.zoo import cards, catalogue, checkpoint
from tests.core.routing.small import BLOCKWISE, LAYERED, NAMES, READERS, noise, small

FACTS = {
    "settings": {
        "steps": 1000,
        "batch_size": 8,
        "learning_rate": 0.003,
        "least_learning_rate": 3e-5,
        "precision": "32-true",
        "seed": 0,
        "augment": True,
        "graph_weight": 0.1,
        "routing_weight": 0.0,
        "initial_signatures": "normal",
        "optimizer": "adamw",
        "weight_decay": 0.05,
    },
    "epochs": 1.5,
    "training_data": [{"what": "Noise (made)", "count": 12345}],
    "notes": ["It says so."],
}


MATRICES = ("matrix_interpreter", "matrix_transformer", "wren")
#: Those without domains to hold out.
NEVER_HELD_OUT = ("neural_interpreter", *MATRICES, *LAYERED, *BLOCKWISE)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path))
    return assets.data_dir() / "checkpoints"


def saved(folder: Path, architecture: str, name: str = "mine", **changes: Any) -> Any:
    model = small(architecture, **changes)
    checkpoint.save(model, folder / name / "model.safetensors")
    return model


#: Words of the card of each architecture beside circuits, whose modules are counted.
SIZES_IN_WORDS = {
    "neural_interpreter": "4 functions",
    "matrix_interpreter": "3 functions, 2 script(s)",
    "matrix_transformer": "3 layers, 12 features, 2 heads, 8 hidden units. Revision",
    "wren": "relations of 3 layers, 9 hidden units a layer, 12 features, 7 features a relation. Revision",
    "smfr": "2 hidden levels, levels of 5 blocks",
    "block_fnn": "2 layers, 9 hidden units a layer",
    "block_transformer": "internal dimension 7",
    "vision_transformer": "3 layers, 12 features, 2 heads, 8 hidden units",
}
INPUTS = dict.fromkeys(BLOCKWISE, "blocks") | dict.fromkeys(READERS, "statements") | dict.fromkeys(MATRICES, "matrices")


@pytest.mark.parametrize("architecture", NAMES)
def test_every_architecture_is_known_and_has_a_card(
    folder: Path, architecture: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    held_out = () if architecture in NEVER_HELD_OUT else ("there",)
    model = saved(folder, architecture, **({"held_out": held_out} if held_out else {}))
    info, family = zoo.info("mine"), ARCHITECTURES[architecture].family
    assert family and (info.id, info.architecture, info.family) == ("mine", architecture, family)
    assert (info.units, info.steps, info.held_out) == (model.all_units, model.steps, held_out)
    assert (info.fields, info.constants) == (tuple(probes_of(model)), tuple(constants_of(model)))
    assert (info.iterations, info.most_iterations) == (model.config.iterations, model.most_iterations)
    assert info.inputs == INPUTS.get(architecture, "images")
    assert info.parameters == sum(p.numel() for p in model.parameters())
    assert info.revision == checkpoint.revision(folder / "mine" / "model.safetensors")
    assert info.config == json.loads(model.config.to_json())
    assert info.mute_refusal is None and info.unverified_routing is None
    assert "mine" in [each.id for each in zoo.models()]

    def load(name: str, split: str, *_: Any, **__: Any) -> Any:
        if split != "validation":
            assert architecture in (*READERS, *BLOCKWISE) and split == "test"
            raise NoSplit("there is no such split")
        return noise(model, 4, name)

    monkeypatch.setattr(cards, "load", load)
    monkeypatch.setattr(pictures, "load", load)
    kind = "statements" if architecture in READERS else "blocks" if architecture in BLOCKWISE else "digits"
    card = json.loads(json.dumps(cards.write(folder / "mine", "mine", {}, FACTS, TASKS[kind])))
    assert json.loads((folder / "mine" / "card.json").read_text()) == card
    assert zoo.info("mine").accuracies == card["accuracies"] and card["architecture"] == architecture
    assert [each["held_out"] for each in card["accuracies"]] == [False, bool(held_out)][: len(model.config.domains)]
    assert ("Noise" in card["not_trained_on"]) == bool(held_out)
    kinds = [[each["kind"] for each in scored.get("by_kind", ())] for scored in card["accuracies"]]
    of = dict.fromkeys(READERS, ["short", "long"]) | dict.fromkeys(MATRICES, ["rules unknown"])
    assert kinds == [of.get(architecture, [])] * len(model.config.domains), "kinds without a sample are left out"
    text = (folder / "mine" / "README.md").read_text()
    article = "An" if architecture == "smfr" else "A"
    for words in (
        f"{article} {family} with {card['parameters']:,} parameters",
        SIZES_IN_WORDS.get(architecture, f"{len(model.coordinates()['unit'])} modules"),
        *("AdamW", "weight decay 0.05", "Graph Structure Regularizer in the objective 0.1", "It says so."),
    ):
        assert words in text
    assert "mutual information" not in text and "signatures normal" not in text
    assert ("held out" in text) == bool(held_out)


def test_weights_that_nobody_asked_for_leave_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known of their models stays, and they are read again as they were."""
    now = {"seconds": time.monotonic()}
    monkeypatch.setattr(catalogue.time, "monotonic", lambda: now["seconds"])
    for name in ("asked-for", "left-alone"):
        saved(folder, "neural_interpreter", name)
    asked, left, known = zoo.load("asked-for"), zoo.load("left-alone"), zoo.info("left-alone")
    now["seconds"] += 60
    assert zoo.load("asked-for") is asked
    assert zoo.forget_unused(60) >= 1
    assert zoo.load("asked-for") is asked and zoo.info("left-alone") is known
    again = zoo.load("left-alone")
    assert again is not left and again.revision == left.revision
    for name, weights in left.state_dict().items():
        assert torch.equal(again.state_dict()[name], weights)


def test_a_new_file_and_a_new_card_are_seen(folder: Path) -> None:
    saved(folder, "perceiver_io")
    first = zoo.info("mine")
    assert (first.card, first.accuracies) == ({}, [])
    assert zoo.info("mine") == first
    card = folder / "mine" / "card.json"
    card.write_text(json.dumps({"data": ["Noise"], "accuracies": [{"accuracy": 0.5}]}))
    assert zoo.info("mine").data == ["Noise"]
    card.write_text(json.dumps({"data": ["More noise"]}))
    os.utime(card, (1, 1))
    assert zoo.info("mine").data == ["More noise"]
    saved(folder, "neural_attentive_circuit")
    os.utime(folder / "mine" / "model.safetensors", (2, 2))
    assert zoo.info("mine").architecture == "neural_attentive_circuit"
    with pytest.raises(zoo.UnknownModel, match="mine"):
        zoo.info("yours")


def test_domains_are_trained_on_where_the_card_of_these_weights_says_it(folder: Path) -> None:
    model = saved(folder, "neural_attentive_circuit", held_out=("there",))
    card = folder / "mine" / "card.json"
    revision = zoo.load("mine").revision
    assert zoo.info("mine").trained_on == zoo.load("mine").trained_on == ()
    for number, (content, expected) in enumerate(
        (
            ({"data": ["Noise"], "revision": revision}, ("here",)),
            ({"data": ["Noise"], "revision": "of other weights"}, ()),
            ({"data": [], "revision": revision}, ()),
            ({}, ()),
        ),
        start=1,
    ):
        card.write_text(json.dumps(content))
        os.utime(card, (number, number))
        assert zoo.info("mine").trained_on == zoo.load("mine").trained_on == expected
    assert model.config.domains == ("here", "there")


@pytest.mark.slow
def test_the_card_of_every_bundled_model_says_what_was_trained_on(folder: Path) -> None:
    for name in zoo.ids():  # no others are in the folder
        network = zoo.load(name)
        assert set(network.trained_on) == set(network.config.domains) - set(network.config.held_out), name


@pytest.mark.parametrize(
    ("augment", "words"), [(True, "augmentation on"), (False, "augmentation off"), ("randaugment", "RandAugment")]
)
def test_a_card_says_what_pictures_went_through(
    folder: Path, augment: Any, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = saved(folder, "vision_transformer")
    for module in (cards, pictures):
        monkeypatch.setattr(module, "load", lambda name, *_, **__: noise(model, 4, name))
    facts = {**FACTS, "settings": {**FACTS["settings"], "augment": augment}}
    cards.write(folder / "mine", "mine", {}, facts, TASKS["digits"])
    assert f"seed 0, {words}, " in (folder / "mine" / "README.md").read_text()


@pytest.mark.parametrize("task", ["algo", "double", "bpmnist"])
def test_cards_of_networks_of_blocks_tell_what_was_left_out(folder: Path, task: str) -> None:
    """Right answers are counted again here, on the data sets themselves."""
    model = saved(folder, "block_fnn", **sizes_of(task))
    card = cards.write(folder / "mine", "mine", {}, FACTS, TASKS["blocks"])
    found = {each["data"]: each for each in card["accuracies"]}
    validation, test = (cards.load(task, split) for split in ("validation", "test"))
    whole, marked = f"{test.title}, test", test.held_out.numpy()
    assert [found[f"{each.title}, {each.split}"]["count"] for each in (validation, test)] == [
        len(validation),
        len(test),
    ]
    with torch.no_grad():
        logits = model(test.inputs(slice(None)))
        right = (logits[:, 0].argmax(-1) == test.labels).numpy()
        assert found[whole]["accuracy"] == pytest.approx(right.mean())
        assert found[whole]["held_out"] == (task == "double")
        parts = {each: row for each, row in found.items() if each.startswith(whole) and each != whole}
        if task == "bpmnist":
            (left_out,) = parts.values()
            assert left_out["accuracy"] == pytest.approx(right[marked].mean())
            assert left_out["count"] == marked.sum() < len(test)
        elif task == "algo":
            for iterations in (1, 9):
                row = parts.pop(f"{whole}, {iterations} iteration{'s' * (iterations > 1)}")
                ran = model(test.inputs(slice(None)), iterations)[:, 0].argmax(-1)
                assert row["accuracy"] == pytest.approx((ran == test.labels_at(iterations)).float().mean().item())
                assert row["held_out"]
        assert task == "bpmnist" or not parts
    text = (folder / "mine" / "README.md").read_text()
    assert "samples" in text and "augmentation" not in text


def test_what_training_had_in_view_beside_its_task_is_told_in_words() -> None:
    assert catalogue.objectives({}) == ()
    settings = {"routing_weight": 0.08, "graph_weight": 0.0, "steps": 10}
    told = catalogue.objectives({"settings": settings})
    assert told == ("routing that tells tokens apart was rewarded (weight 0.08)",)
    weights = dict.fromkeys(catalogue.OBJECTIVES, 0.5)
    assert len(catalogue.objectives({"settings": weights})) == len(weights)
    assert all(weight in {each.name for each in fields(TrainingSettings)} for weight in weights)
