"""Each experiment with small networks and few samples, and what holds of every record."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import torch

from routescope import assets
from routescope.data import known_datasets, load
from routescope.data.sequences import listops, reviews
from routescope.experiments import experiments, ni_digits, ni_pgm, ni_sweep, reproduce, smfr_algo, smfr_inspect
from routescope.experiments.shared.adaptation import FineTuning, LearningRateGrid, Tuning
from routescope.experiments.shared.block_grids import FNNSizes, GridTraining, SMFRSizes
from routescope.experiments.shared.frame import Experiment
from routescope.nn.baselines.vit import VisionTransformerConfig
from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.nn.registry import ARCHITECTURES
from routescope.training.cluster import NONE, VARIABLE
from routescope.training.recipes.blocks import BLOCK_RECIPES
from routescope.training.recipes.matrices import MATRIX_RECIPES
from routescope.training.recipes.networks import RECIPES
from routescope.training.recipes.points import POINT_RECIPES
from routescope.training.recipes.sequences import SEQUENCE_RECIPES
from routescope.training.settings import TrainingSettings
from routescope.training.tasks import pictures
from routescope.zoo import cards
from routescope.zoo.catalogue import UnknownModel
from tests.core.experiments.circuit_models import zoo

SAMPLES = 20
FEW: dict[str, int] = {"train": 64, "validation": 8, "test": 16}
CONFIG = NeuralInterpreterConfig(
    features=12, code_features=8, type_features=5, iterations=2, functions=3, heads=2, key_features=6,
    type_inference_width=8, position_features=6, tokenizer="convolutional", patch_size=16, domains=("mnist", "mnist-m"),
)  # fmt: skip
VIT = VisionTransformerConfig(
    features=8, layers=2, heads=2, head_features=4, ffn_hidden=8, tokenizer="convolutional", patch_size=16
)
ON_PROCESSOR: dict[str, Any] = {"precision": "32-true", "accelerator": "cpu", "devices": 1}
SHORT = FineTuning(epochs=1, batch_size=8)
GRID = LearningRateGrid(rates=(0.01, 0.001), samples=8, scored=SAMPLES)
#: What training measured of a block network, as a model's card has it.
COURSE = [
    {"step": step, "loss": loss, "sharpness": {"l1": sharp}, "gates": {"l1": {"mean": gate}}}
    for step, loss, sharp, gate in ((0, None, 0.2, 0.5), (9, 0.5, 0.8, 0.1))
]


def interpreter(**changes: Any) -> NeuralInterpreter:
    """Return an untrained network."""
    torch.manual_seed(5)
    network = NeuralInterpreter(replace(CONFIG, **changes)).eval().requires_grad_(False)
    network.id, network.revision = "ni-digits", "tiny"
    return network


def only(network: NeuralInterpreter) -> Callable[[str], NeuralInterpreter]:
    """Return a zoo that has this network alone, under the id of the bundled one."""

    def load_model(model_id: str) -> NeuralInterpreter:
        if model_id != "ni-digits":
            raise UnknownModel(f"unknown model {model_id!r}; there are ni-digits")
        return network

    return load_model


def regressor(_: str = "") -> NeuralInterpreter:
    """Return an untrained network of Boolean functions."""
    torch.manual_seed(3)
    config = replace(
        RECIPES["ni-boolean"].config, features=8, code_features=6, type_features=4, functions=2, key_features=4,
        type_inference_width=8, iterations=1, target_means=(0.5,) * 20,
    )  # fmt: skip
    network = NeuralInterpreter(config).eval()
    network.id, network.revision = "ni-boolean", "tiny"
    return network


def blocks(name: str) -> Any:
    """Return an untrained network with the task and architecture of a recipe."""
    recipe = BLOCK_RECIPES[name]
    small: dict[str, Any] = {"hidden": 8, "layers": 1} if hasattr(recipe.config, "hidden") else {"internal": 8}
    torch.manual_seed(len(name))
    model = ARCHITECTURES[recipe.architecture][1](replace(recipe.config, **small)).eval()
    model.id, model.revision = name, "0" * 16
    return model


Prepare = Callable[[pytest.MonkeyPatch], None]


def few(*names: str, **counts: int) -> Prepare:
    """Return what makes splits of data sets as small as ``counts``."""

    def prepare(patch: pytest.MonkeyPatch) -> None:
        for split, count in counts.items():
            for name in names:
                patch.setitem(known_datasets()[name].splits, split, count)
            for sizes in (listops.SIZES, reviews.SIZES):
                patch.setitem(sizes, split, count)

    return prepare


def beside(data: str) -> Prepare:
    """Return what makes circuits and Perceiver IOs small, and their data set too."""

    def prepare(patch: pytest.MonkeyPatch) -> None:
        few(data, **FEW)(patch)
        for recipes in (SEQUENCE_RECIPES, POINT_RECIPES):
            for name, recipe in recipes.items():
                patch.setitem(recipes, name, recipe._replace(config=replace(recipe.config, modules=16, layers=2)))

    return prepare


def small_matrices(patch: pytest.MonkeyPatch) -> None:
    few("pgm-small-extrapolation", "pgm-small-neutral", train=48, validation=16, test=24)(patch)
    for name in (ni_pgm.NI, ni_pgm.VIT, ni_pgm.WREN):
        recipe = MATRIX_RECIPES[name]
        patch.setitem(
            MATRIX_RECIPES, name, recipe._replace(config=replace(recipe.config, image_size=16, panel_width=4))
        )


def small_digits(patch: pytest.MonkeyPatch) -> None:
    interpreted = replace(CONFIG, features=8, code_features=6, type_features=4, key_features=4, position_features=4)
    for name in ni_digits.Settings().networks:
        recipe = RECIPES[name]
        config: Any = replace(interpreted, domains=recipe.config.domains)
        config = config if recipe.architecture == "neural_interpreter" else VIT
        settings = replace(recipe.settings, batch_size=8, minutes=0, **ON_PROCESSOR)
        patch.setitem(RECIPES, name, recipe._replace(config=config, settings=settings))
    for module in (pictures, cards):
        patch.setattr(module, "load", lambda name, split, *_, **__: load(name, split, limit=8))


def few_samples(patch: pytest.MonkeyPatch) -> None:
    def load_few(name: str, split: str, *_: Any, limit: int | None = None, **__: Any) -> Any:
        return load(name, split, limit=limit or SAMPLES)

    patch.setattr(pictures, "load", lambda name, split, *_, **__: load(name, split, limit=SAMPLES))
    patch.setattr("routescope.experiments.shared.frame.load", load_few)


@dataclass(frozen=True)
class Small:
    """Changes of an experiment's usual settings, its models, and what makes its data and recipes small."""

    changes: Mapping[str, Any]
    load_model: Callable[[str], Any] | None = None
    prepare: Prepare = lambda patch: None


BESIDE: dict[str, Any] = {"seeds": 2, "steps": 2, "lengths": (64, 128), "rounds": 2, "batch": 1}
ADAPTED: dict[str, Any] = {"seeds": 2, "scored": 30, "grid": GRID, "tuning": SHORT}
SWEPT = replace(CONFIG, features=8, key_features=4, position_features=4, domains=("mnist", "street-digits"))
SMALL: Mapping[str, Small] = {
    "nac-bytes": Small(BESIDE, prepare=beside("reviews")),
    "nac-drop": Small(
        {
            "rungs": ("nac-scale-free", "perceiver-io"), "shares": (0.0, 0.5, 0.95), "draws": 2, "limit": SAMPLES,
            "seconds": 0.0, "rounds": 2,
        },
        zoo(),
    ),
    "nac-edges": Small({"rungs": ("nac-planted-partition",), "shares": (0.0, 0.5, 0.9), "limit": SAMPLES}, zoo()),
    "nac-fewshot": Small(
        {
            "shots": (1, 2), "ways": (2,), "ways_of_shots": 3, "shots_of_ways": 2, "seeds": 2, "queries": 3,
            "tuning": Tuning(steps=2),
        },
        zoo(),
    ),
    "nac-images": Small({"limit": SAMPLES}, zoo()),
    "nac-listops": Small(BESIDE, prepare=beside("listops-short")),
    "nac-nlvr2": Small({"limit": 24}, zoo()),
    "nac-points": Small(BESIDE, prepare=beside("clouds")),
    "nac-sentences": Small({"sets": ("scenes",), "method": "pca", "graphs": 6, "pairs": 20}, zoo()),
    "ni-adapt": Small(
        ADAPTED | {"samples": (4, 8, 9000)}, only(interpreter()), few("kmnist", train=200, validation=100)
    ),
    "ni-anytime": Small({"limit": SAMPLES}, only(interpreter())),
    "ni-boolean": Small(
        {"functions": 2, "points": 64, "epochs": 2, "learning_rate": 1e-2, "batch_size": 32}, regressor
    ),
    "ni-digits": Small({"seeds": 2, "steps": 3, "street": 30, "samples": 12}, prepare=small_digits),
    "ni-drop": Small({"limit": SAMPLES}, only(interpreter())),
    "ni-extend": Small(
        ADAPTED | {"added": (0, 2), "samples": 8, "reading": SHORT, "tuning": replace(SHORT, optimizer="shampoo")},
        only(interpreter()),
        few("kmnist", train=200, validation=100),
    ),
    "ni-pgm": Small({"regimes": ("extrapolation",), "seeds": 2, "steps": 2, "doubled": False}, prepare=small_matrices),
    "ni-sweep": Small(
        {
            "network": SWEPT, "training": replace(ni_sweep.PART.training, steps=2, batch_size=8), "trials": 3,
            "street": 20, "limit": 20,
        },
        prepare=lambda patch: patch.setenv(VARIABLE, NONE),
    ),
    "ni-types": Small(
        {
            "config": replace(CONFIG, scripts=2, iterations=2),
            "training": TrainingSettings(
                steps=4, batch_size=8, learning_rate=1e-2, minutes=5, validate_every=4, **ON_PROCESSOR
            ),
            "train_limit": 40, "samples": 12, "shuffles": 10, "map_samples": 4,
        },
        prepare=few_samples,
    ),
    "smfr-addmul": Small(
        {
            "smfr": (SMFRSizes(depth=(1,), width=(1, 2)),), "fnn": FNNSizes((100,), (2,)), "fnn_trials": 2,
            "seeds": 2, "thresholds": (0.0, 0.12, 1.0), "preparation": 40, "interference": 6,
            "training": GridTraining(batch_size=8),
        }
    ),
    "smfr-algo": Small(
        {**vars(smfr_algo.EXPERIMENT.quick), "widths": (2, 3), "steps": 2, "batch_size": 4, "samples": SAMPLES}
    ),
    "smfr-bpmnist": Small({"limit": 40}, blocks),
    "smfr-double": Small(
        {
            "smfr": (SMFRSizes(("softmax",), (1,), (1, 8), (1,)),), "fnn": FNNSizes((20,), (1,)), "fnn_splits": 1,
            "seeds": 2, "steps": 6, "every": 2, "training": GridTraining(batch_size=8),
        }
    ),
    "smfr-inspect": Small(
        {"limit": 40}, blocks, lambda patch: patch.setattr(smfr_inspect, "history_of", lambda _: COURSE)
    ),
}  # fmt: skip
#: Experiments of which a small run has data and sizes that the paper prints numbers of.
BESIDE_THE_PAPER = ("smfr-algo", "smfr-bpmnist", "smfr-double")


def small(name: str, **changes: Any) -> Experiment:
    """Return an experiment with its small settings, some of them changed."""
    experiment = experiments()[name]
    return replace(experiment, settings=replace(experiment.settings, **{**SMALL[name].changes, **changes}))


@dataclass(frozen=True)
class Made:
    """A record, all words of its run's progress, and the folder of its run."""

    record: dict[str, Any]
    said: list[str]
    folder: Path

    def figures(self, name: str, **where: Any) -> list[dict[str, Any]]:
        """Return the figures of that name at these coordinates; a coordinate of None must be missing."""
        return [
            figure
            for figure in self.record["figures"]
            if figure["name"] == name and all(figure["where"].get(key) == value for key, value in where.items())
        ]

    def figure(self, name: str, **where: Any) -> dict[str, Any]:
        (figure,) = self.figures(name, **where)
        return figure

    def rows(self, table: str, **where: Any) -> list[dict[str, Any]]:
        return [row for row in self.record["tables"][table] if where.items() <= row.items()]


class Interrupted(Exception):
    pass


def reproduced(name: str, folder: Path) -> Made:
    """Run an experiment that is interrupted after its first measurement and continued, and check its record."""
    chosen, said, counts = SMALL[name], [], []

    def interrupt(done: int, total: int, words: str) -> None:
        if done:
            raise Interrupted

    def listen(done: int, total: int, words: str) -> None:
        said.append(words)
        counts.append((done, total))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assets, "data_dir", lambda: folder / "data")
        chosen.prepare(patch)
        with pytest.raises(Interrupted):
            reproduce(small(name), folder=folder / "results", load_model=chosen.load_model, progress=interrupt)
        assert not list((folder / "results").iterdir())
        record, path = reproduce(small(name), folder=folder / "results", load_model=chosen.load_model, progress=listen)
    assert json.loads(path.read_text()) == json.loads(json.dumps(record, allow_nan=False))
    assert record["measurements"] == {"all": counts[-1][1], "from_an_interrupted_run": 1}
    assert counts[-1][0] == counts[-1][1] and not list(folder.rglob("*.jsonl")), "partial results are deleted"
    assert record["id"] == name and record["paper_figures"] and record["figures"] and record["data"]
    assert all(len(data["fingerprint"]) == 16 for data in record["data"])
    for figure in record["figures"]:
        assert figure["data"] and figure["count"] > 0
        assert (figure["unit"] and figure["paper_says"]) or not name.startswith("smfr")
        assert figure["low"] is None or figure["low"] <= figure["value"] <= figure["high"]
        assert figure["paper"] is None or (name in BESIDE_THE_PAPER and not figure["stand_in"])
        if figure["unit"] == "share of samples":
            assert -1 <= figure["value"] <= 1
    return Made(record, said, folder)
