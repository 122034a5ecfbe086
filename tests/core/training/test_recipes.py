"""Recipes: the printed ones are the papers' tables, the others of a family differ in what they compare alone."""

from dataclasses import replace
from typing import Any

import pytest
import torch

from routescope.data.blocks.tasks import BPMNIST, TASKS
from routescope.nn.inputs.blocks import Blocks
from routescope.nn.registry import ARCHITECTURES
from routescope.training.fit import train
from routescope.training.recipes.blocks import BLOCK_RECIPES, BlockTrainingSettings
from routescope.training.recipes.networks import FAMILIES, LADDER, RECIPES, named
from routescope.training.settings import TrainingSettings, cosine

#: Recipe -> the paper's sizes and its settings.
PRINTED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "ni-digits-printed": (  # table 4
        {"features": 192, "iterations": 8, "functions": 5, "heads": 4, "key_features": 128, "tau": 1.4,
         "type_features": 24, "tokenizer": "linear"},
        {"learning_rate": 8e-4, "least_learning_rate": 1e-6, "batch_size": 128, "optimizer": "radam",
         "augment": "randaugment"},
    ),
    "vit-digits-printed": (  # table 5
        {"features": 192, "ffn_hidden": 192, "layers": 8, "heads": 3, "head_features": 64}, {},
    ),
    "nac-scale-free-printed": (  # table 4
        {"features": 384, "layers": 8, "modules": 320, "heads": 6, "ffn_hidden": 1536, "readouts": 64,
         "signature_features": 64, "code_features": 384, "temperature": 0.5, "bandwidth": 1.0, "alpha": 0.1,
         "image_size": 64},
        {"batch_size": 1024, "epochs": 400, "warmup_epochs": 25, "weight_decay": 0.05, "learning_rate": 2 * 3e-4},
    ),
    "nac-scale-free-imagenet": (  # table 5
        {"features": 512, "layers": 8, "modules": 960, "heads": 8, "ffn_hidden": 1024, "readouts": 64,
         "signature_features": 64, "code_features": 512},
        {"epochs": 110, "warmup_epochs": 25, "augment": "randaugment", "mixup": 0.8, "cutmix": 1.0},
    ),
    "perceiver-io-printed": ({}, {"learning_rate": 2 * 5e-4}),
    "nac-nlvr2-clip": (  # appendix G
        {"text": "clip", "image_encoder": "clip", "domains": ("nlvr2",), "features": 384, "code_features": 384,
         "signature_features": 64, "generator_features": 384, "prior": None},
        {"graph_weight": 0, "augment": False},
    ),
    "moe-bytes": ({"layers": 4, "experts": 8, "top_k": 2, "domains": ("python", "manual", "sums", "listops")}, {}),
}  # fmt: skip


def fields(of: Any, names: Any) -> dict[str, Any]:
    return {name: getattr(of, name) for name in names}


@pytest.mark.parametrize("name", PRINTED)
def test_a_printed_recipe_is_the_papers(name: str) -> None:
    sizes, settings = PRINTED[name]
    assert fields(RECIPES[name].config, sizes) == sizes and fields(RECIPES[name].settings, settings) == settings


def test_the_sweep_draws_all_of_table_8_and_keeps_the_number_of_steps() -> None:
    configs = [RECIPES[name].config for name in FAMILIES["ni-pgm-sweep"]]
    printed = RECIPES["ni-pgm-neutral-printed"]
    drawn = ("tau", "type_features", "frozen_signatures", "scripts", "iterations")
    assert all(replace(config, **fields(printed.config, drawn)) == printed.config for config in configs)
    assert {(config.scripts, config.iterations) for config in configs} == {(1, 16), (2, 8), (4, 4)}
    assert {config.type_features for config in configs} == {20, 24, 28, 32, 36, 40}
    assert {config.frozen_signatures for config in configs} == {True, False}
    taus = [config.tau for config in configs]
    assert min(taus) >= 1.3 and max(taus) <= 1.7 and len(set(taus)) == len(taus)


def test_networks_that_are_compared_are_trained_alike() -> None:
    assert RECIPES["vit-digits-printed"].settings == RECIPES["ni-digits-printed"].settings
    printed = RECIPES["ni-digits-printed"].settings
    assert printed.decay_share * printed.steps == 120_000
    assert RECIPES["nac-scale-free-printed"].settings.for_data(100_000).steps == 400 * 98
    rewarded, plain, layers = (RECIPES[name] for name in ("ni-digits", "ni-digits-unrewarded", "vit-digits"))
    assert rewarded.config == plain.config and rewarded.settings.routing_weight == 0.08
    assert replace(rewarded.settings, routing_weight=0.0) == plain.settings == layers.settings
    same = ("features", "iterations", "heads", "tokenizer", "patch_size", "domains")
    assert fields(layers.config, same) == fields(plain.config, same)
    circuit, perceiver = RECIPES["nac-points"], RECIPES["pio-points"]
    same = ("steps", "batch_size", "learning_rate", "optimizer", "weight_decay", "augment", "seed")
    assert fields(circuit.settings, same) == fields(perceiver.settings, same) and not circuit.settings.augment
    same = ("features", "modules", "readouts", "layers", "heads", "head_features", "ffn_hidden", "max_length")
    assert fields(circuit.config, same) == fields(perceiver.config, same)
    whole, other = RECIPES["nac-scenes"], RECIPES["pio-scenes"]
    for name, sees in (("nac-scenes-words-only", "sentence"), ("nac-scenes-pictures-only", "pictures")):
        settings = replace(whole.settings, steps=RECIPES[name].settings.steps)
        assert RECIPES[name] == whole._replace(config=replace(whole.config, sees=sees), settings=settings)
    assert whole.config.sees == "both" and (other.settings, other.data) == (whole.settings, whole.data)


def test_the_ladder_has_equal_budgets_and_holds_a_domain_out() -> None:
    for suffix in ("", "-images"):
        settings = [RECIPES[rung + suffix].settings for rung in LADDER]
        assert (
            len(
                {
                    replace(each, initial_signatures="normal", graph_weight=0, graph_reduction="mean")
                    for each in settings
                }
            )
            == 1
        )
    rungs = [RECIPES[rung].config for rung in LADDER]
    assert {(rung.held_out, rung.modules) for rung in rungs} == {(("mnist-m",), 80)}
    assert [rung.modulation for rung in rungs] == ["none", *["codes"] * 6]
    assert [rung.links for rung in rungs] == ["complete", "complete", "frozen", *["learned"] * 4]


def test_families() -> None:
    assert named("nac-images") == FAMILIES["nac-images"] == tuple(LADDER)
    assert named("nac-images", {"images": "folder"}) == tuple(f"{rung}-images" for rung in LADDER)
    assert named("nac-images-printed") == tuple(f"{rung}-printed" for rung in LADDER)
    assert named("block-operations") == tuple(BLOCK_RECIPES) and named("ni-digits") == ("ni-digits",)
    with pytest.raises(ValueError, match="nac-images-printed, nac-nlvr2, block-operations, ni-pgm-sweep, ni-digits"):
        named("nothing")
    with pytest.raises(ValueError, match="ni-digits"):
        train("nothing")


@pytest.mark.parametrize("name", BLOCK_RECIPES)
def test_every_recipe_of_blocks_answers_its_task(name: str) -> None:
    recipe = BLOCK_RECIPES[name]
    model, task = ARCHITECTURES[recipe.architecture][1](recipe.config), TASKS[recipe.config.task]
    zeros = torch.zeros(2, 1 + len(task.values), task.block_size)
    made = model.run(Blocks(zeros[:, 1:], zeros[:, :1], torch.zeros(2, dtype=torch.int64)))
    assert made.shape == (2, len(task.outputs), task.block_size)
    assert isinstance(recipe.settings, BlockTrainingSettings) and recipe.data == "blocks"
    assert (recipe.settings.learning_rate, recipe.settings.gradient_clipping) == (3e-4, 0.1)
    if task is BPMNIST:
        assert sum(parameter.numel() for parameter in model.parameters()) == pytest.approx(4e6, rel=0.05)
        assert recipe.settings.steps == 25_000


def test_shorter_trainings_have_shorter_stages() -> None:
    whole = BLOCK_RECIPES["smfr-addmul"].settings
    interference = whole.steps - whole.preparation_steps
    short, long = whole.for_steps(whole.steps // 10), whole.for_steps(2 * whole.steps)
    assert short.steps - short.preparation_steps == interference // 10
    assert long.steps - long.preparation_steps == interference and whole.for_steps(whole.steps) == whole
    assert BLOCK_RECIPES["smfr-double"].settings.for_steps(10).preparation_steps == 0
    settings = TrainingSettings(steps=1_000, warmup_steps=80, grounding_steps=300, lessons=(100, 250))
    short = settings.for_steps(100)
    assert (short.grounding_steps, short.lessons, short.warmup_steps) == (30, (10, 25), 80)
    assert settings.for_steps(4_000) == replace(settings, steps=4_000) and settings.for_steps(1).grounding_steps == 0
    printed = RECIPES["nac-scale-free-printed"].settings.for_steps(160).for_data(100_000)
    assert (printed.steps, printed.warmup_steps) == (160, 10) and cosine(159, printed) < 0.1
    small = RECIPES["nac-scale-free"].settings
    assert small.for_steps(40).warmup_steps == 40 and replace(small.for_steps(2000), steps=3000) == small
