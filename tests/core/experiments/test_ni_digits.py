"""ni-digits: networks trained side by side, going on after an interruption, and figures that follow from the rows."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routescope import assets
from routescope.data import load
from routescope.experiments import ni_digits, reproduce
from routescope.experiments.ni_digits import EXPERIMENT, PRINTED, Settings
from routescope.experiments.shared.frame import Extent
from routescope.nn.baselines.vit import VisionTransformerConfig
from routescope.nn.interpreter.config import NeuralInterpreterConfig
from routescope.training.recipes.networks import RECIPES
from routescope.training.tasks import pictures
from routescope.training.tasks.mixture import Mixture
from routescope.zoo import cards, checkpoint

NI = NeuralInterpreterConfig(
    features=8, code_features=6, type_features=4, iterations=2, functions=3, heads=2, key_features=4,
    type_inference_width=8, position_features=4, tokenizer="convolutional", patch_size=16,
)  # fmt: skip
VIT = VisionTransformerConfig(
    features=8, layers=2, heads=2, head_features=4, ffn_hidden=8, tokenizer="convolutional", patch_size=16
)
DOMAINS = ("mnist", "mnist-m", "street-digits")
TINY = replace(EXPERIMENT, settings=Settings(seeds=2, steps=3, street=30, samples=12))
KINDS = {"Neural Interpreter": 3, "Neural Interpreter, routing rewarded (0.08)": 3, "Vision Transformer": 2}


class Interrupted(Exception):
    pass


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recipes of tiny networks, few samples for cards, and a data folder of its own."""
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path / "data")
    for name in Settings().networks:
        recipe = RECIPES[name]
        config = NI if recipe.architecture == "neural_interpreter" else VIT
        brief = replace(recipe.settings, batch_size=8, precision="32-true", accelerator="cpu", devices=1, minutes=0)
        monkeypatch.setitem(RECIPES, name, recipe._replace(config=config, settings=brief))
    for module in (pictures, cards):
        monkeypatch.setattr(module, "load", lambda name, split, *_, **__: load(name, split, limit=8))


def only(record: dict[str, Any], name: str, **where: Any) -> Iterator[dict[str, Any]]:
    yield from (each for each in record["figures"] if each["name"] == name and where.items() <= each["where"].items())


def count_batches(monkeypatch: pytest.MonkeyPatch, fails_at: int) -> list[int]:
    """Sizes of the batches that trainings take, as they come; the one of this number, from 1, fails."""
    found: list[int] = []
    plain = Mixture.__getitems__

    def counted(self: Mixture, indices: list[int]) -> Any:
        found.append(len(indices))
        if len(found) == fails_at:
            raise Interrupted
        return plain(self, indices)

    monkeypatch.setattr(Mixture, "__getitems__", counted)
    return found


@pytest.mark.slow
def test_an_interrupted_run_ends_as_one_that_was_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted within a training, of which no step is made twice; what was measured is not measured again."""
    whole, _ = reproduce(TINY, folder=tmp_path / "whole")
    folders = list((tmp_path / "data" / "runs" / "ni-digits").iterdir())
    assert len(folders) == 1 and folders[0].is_dir(), "partial results are gone, and trained networks stay"
    assert not list(folders[0].glob("*/training")), "their training states do not"
    revisions = {row["recipe"]: set() for row in whole["tables"]["trainings"]}
    for row in whole["tables"]["trainings"]:
        model = checkpoint.load(folders[0] / f"{row['recipe']}-{row['seed']}" / "model.safetensors")
        assert model.revision == row["revision"] and row["steps"] == 3
        assert sum(parameter.numel() for parameter in model.parameters()) == row["parameters"]
        revisions[row["recipe"]].add(row["revision"])
    assert all(len(found) == 2 for found in revisions.values()), "seeds differ"
    assert len(set.union(*revisions.values())) == 6, "the reward is in the objective"

    shutil.rmtree(folders[0])
    fetched = count_batches(monkeypatch, fails_at=8)  # the second of three in the third training
    with pytest.raises(Interrupted):
        reproduce(TINY, folder=tmp_path / "again")
    again, _ = reproduce(TINY, folder=tmp_path / "again")
    assert again["measurements"] == {"all": 18, "from_an_interrupted_run": 6}
    assert len(fetched) == 18 + 1
    for name in ("figures", "tables", "data"):
        assert again[name] == whole[name]
    check_record(whole)
    check_figures(whole)


def check_record(record: dict[str, Any]) -> None:
    """It says what was trained on, and that street digits, and here MNIST-M, stand in for others."""
    training = [each for each in record["data"] if each["split"] == "train"]
    assert [each["count"] for each in training] == [8030]
    assert training[0]["stand_in"] and "SVHN" in training[0]["stand_in_for"]
    assert "Street digits (rendered; SVHN stand-in)" in training[0]["title"]
    assert {each["name"] for each in record["data"] if each["split"] == "validation"} == set(DOMAINS)
    assert record["settings"] == {
        "networks": Settings().networks, "seeds": 2, "steps": 3, "street": 30, "samples": 12,
    }  # fmt: skip
    assert {each["what"]: each["value"] for each in record["paper_figures"]} == {
        "SVHN, Neural Interpreter": 0.962, "MNIST-M, Neural Interpreter": 0.984, "MNIST, Neural Interpreter": 0.994,
        "SVHN, Vision Transformer": 0.963, "MNIST-M, Vision Transformer": 0.983, "MNIST, Vision Transformer": 0.996,
        "accuracy on the digit sets against dropped functions": None,
    }  # fmt: skip
    json.dumps(record, allow_nan=False)


def check_figures(record: dict[str, Any]) -> None:
    """Means over seeds of what the tables hold."""
    accuracies, subsets = record["tables"]["accuracies"], record["tables"]["subsets"]
    for kind, units in KINDS.items():
        for domain in DOMAINS:
            (figure,) = only(record, "accuracy", network=kind, domain=domain)
            own = [row["accuracy"] for row in accuracies if (row["network"], row["domain"]) == (kind, domain)]
            assert len(own) == figure["where"]["seeds"] == 2
            assert figure["value"] == pytest.approx(np.mean(own)) and figure["low"] <= figure["value"] <= figure["high"]
            assert figure["paper"] is None, "of no stand-in, and of no part of a test set"
            assert f"{PRINTED[accuracies[0]['architecture']][domain]:.1%}"[:2] in figure["paper_says"]
            (deviation,) = only(record, "accuracy, standard deviation over seeds", network=kind, domain=domain)
            assert deviation["value"] == pytest.approx(np.std(own, ddof=1))
            for size in range(units + 1):
                rows = [
                    row for row in subsets
                    if (row["network"], row["domain"], len(row["dropped"])) == (kind, domain, size)
                ]  # fmt: skip
                by_seed = [[row["accuracy"] for row in rows if row["seed"] == seed] for seed in (0, 1)]
                for name, choose in (("mean", np.mean), ("least", min), ("most", max)):
                    where = {"network": kind, "domain": domain, "dropped": size, "of": units}
                    (figure,) = only(record, f"{name} accuracy over subsets", **where)
                    assert figure["value"] == pytest.approx(np.mean([choose(values) for values in by_seed]))
                    assert figure["count"] == 12
    assert {row["network"] for row in record["tables"]["routing"]} == set(KINDS) - {"Vision Transformer"}
    for name, most in (("entropy of a token's routing", 1), ("functions that a token is spread over", 3)):
        found = list(only(record, name))
        assert len(found) == 2 and all(0 < each["value"] <= most * (1 + 1e-6) for each in found)


def test_a_stopped_training_is_said_and_nothing_is_kept_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ni_digits, "train", lambda *_, **__: None)
    with pytest.raises(RuntimeError, match="ni-digits-unrewarded, seed 0 was stopped; the same command goes on"):
        reproduce(TINY, folder=tmp_path)
    assert not list(tmp_path.glob("*.json"))


def test_full_settings_are_the_printed_sizes_and_quick_ones_few() -> None:
    full = EXPERIMENT.settings_of(Extent(full=True))
    assert full.steps is None and full.seeds == 3
    for name in full.networks:
        settings = RECIPES[name].settings
        assert (settings.steps, settings.batch_size, settings.learning_rate) == (150_000, 128, 8e-4)
        assert settings.routing_weight == 0
    assert RECIPES["ni-digits-printed"].config == NeuralInterpreterConfig()
    assert RECIPES["vit-digits-printed"].config == VisionTransformerConfig()
    assert EXPERIMENT.settings_of(Extent(quick=True)).steps < Settings().steps


def test_networks_of_other_domains_are_refused(tmp_path: Path) -> None:
    mixed = replace(EXPERIMENT, settings=Settings(networks=("ni-digits", "nac-frozen-images")))
    with pytest.raises(ValueError, match="same domains"):
        reproduce(mixed, folder=tmp_path)
