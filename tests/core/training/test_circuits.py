"""Training circuits: what is decayed, the regulariser, signatures at the start, the ladder and its families."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from routescope.data import DataError, known_datasets, load
from routescope.routing import graphs
from routescope.training.fit import train
from routescope.training.recipes.blocks import BLOCK_RECIPES
from routescope.training.recipes.networks import FAMILIES, LADDER, RECIPES, named
from routescope.training.settings import TrainingSettings, cosine, parameter_groups
from routescope.training.state import flatten, unflatten
from routescope.training.tasks import pictures
from routescope.training.tasks.mixture import Mixture
from routescope.training.tasks.pictures import Classification
from routescope.training.tasks.registry import TASKS
from routescope.training.tasks.task import Validation
from routescope.zoo import checkpoint
from tests.core.experiments.circuit_models import TINY, tiny

BRIEF = TrainingSettings(
    steps=3, batch_size=8, precision="32-true", accelerator="cpu", devices=1, minutes=0, validate_every=3,
    optimizer="adamw", weight_decay=0.05, warmup_steps=1, graph_weight=0.1, learning_rate=1e-2, augment=False,
)  # fmt: skip


def task(recipe: str, settings: TrainingSettings = BRIEF, **changes: Any) -> Classification:
    torch.manual_seed(0)
    made = Classification(
        RECIPES[recipe].architecture, replace(RECIPES[recipe].config, **{**TINY, **changes}), settings
    )
    made.log = lambda *_, **__: None  # type: ignore[method-assign,assignment]
    return made


def batch(count: int = 8) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(1)
    images = torch.randint(0, 256, (count, 3, 32, 32), dtype=torch.uint8, generator=generator)
    return images, torch.arange(count) % 10, torch.zeros(count, dtype=torch.int64)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "load", lambda name, split, *_, **__: load(name, split, limit=5))


def test_nothing_of_one_dimension_no_code_and_no_signature_is_decayed() -> None:
    model = tiny("nac-scale-free").requires_grad_(True)
    decayed, others = parameter_groups(model.named_parameters(), 0.05)
    assert (decayed["weight_decay"], others["weight_decay"]) == (0.05, 0.0)
    undecayed = {id(p) for p in others["params"]}
    for name, parameter in model.named_parameters():
        kept = parameter.ndim <= 1 or "codes" in name or "signatures" in name
        assert (id(parameter) in undecayed) == kept, name
    assert len(decayed["params"]) + len(others["params"]) == len(list(model.parameters()))


@pytest.mark.parametrize(("warmup", "decay_share"), [(10, 1.0), (10, 0.8), (0, 0.8)])
def test_the_learning_rate_rises_falls_by_a_cosine_and_stays(warmup: int, decay_share: float) -> None:
    settings = TrainingSettings(
        steps=100, learning_rate=1e-2, least_learning_rate=1e-4, decay_share=decay_share, warmup_steps=warmup,
        warmup_learning_rate=1e-3,
    )  # fmt: skip
    rates = [1e-2 * cosine(step, settings) for step in range(101)]
    end = round(100 * decay_share)
    assert rates[:warmup] == pytest.approx([1e-3 + 9e-3 * (step + 1) / 10 for step in range(warmup)])
    falling = np.linspace(0, np.pi, end - warmup + 1)
    assert rates[warmup : end + 1] == pytest.approx(1e-4 + (1e-2 - 1e-4) * (1 + np.cos(falling)) / 2)
    assert rates[end:] == pytest.approx([1e-4] * (101 - end))


@pytest.mark.parametrize(
    ("count", "batch_size", "steps", "warmup"), [(1000, 100, 40, 5), (65, 32, 12, 2), (10, 32, 4, 0)]
)
def test_epochs_become_steps(count: int, batch_size: int, steps: int, warmup: int) -> None:
    found = TrainingSettings(epochs=4, warmup_epochs=0.5, batch_size=batch_size).for_data(count)
    assert (found.steps, found.warmup_steps) == (steps, warmup)
    assert found.epochs is None
    assert found.for_data(7) == found


def test_steps_decide_the_warm_up_too() -> None:
    printed = RECIPES["nac-scale-free-printed"].settings.for_steps(160).for_data(100_000)
    assert (printed.steps, printed.warmup_steps) == (160, 10)
    assert cosine(159, printed) < 0.1
    small = RECIPES["nac-scale-free"].settings
    assert small.for_steps(40).warmup_steps == 40
    assert replace(small.for_steps(2000), steps=3000) == small


@pytest.mark.slow
def test_the_regulariser_pulls_links_towards_the_prior() -> None:
    distances = {}
    for weight in (0.0, 100.0):
        made = task("nac-planted-partition", replace(BRIEF, graph_weight=weight, initial_signatures="normal"))
        optimizer = made.configure_optimizers()["optimizer"]
        for group in optimizer.param_groups:
            group["lr"] = 0.02
        for _ in range(25):
            optimizer.zero_grad()
            made.training_step(batch(), 0).backward()
            optimizer.step()
        made.finished()
        P = made.model.link_probability().detach().double().numpy()
        order = made.model.prior_order.numpy()
        assert sorted(order.tolist()) == list(range(10))
        distances[weight] = graphs.distance_to_prior(P, graphs.prior("planted-partition", 10), order)
    assert distances[100.0] < distances[0.0] - 0.02


def test_the_order_of_the_last_step_stays_in_the_training_state() -> None:
    made, state = task("nac-ring-of-cliques"), dict[str, Any]()
    made.on_save_checkpoint(state)
    assert state == {}, "there is none before the first step"
    made.training_step(batch(), 0)
    made.order = np.roll(made.order, 3)
    made.on_save_checkpoint(state)
    tensors = dict[str, torch.Tensor]()
    again = task("nac-ring-of-cliques")
    again.on_load_checkpoint(unflatten(json.loads(json.dumps(flatten(state, tensors))), tensors))
    assert again.order.tolist() == made.order.tolist()
    again.on_load_checkpoint({})
    assert again.order.tolist() == made.order.tolist(), "a state before the first step has no order"


@pytest.mark.parametrize("rung", ["perceiver-io", "pio-modfc", "nac-frozen"])
def test_what_learns_no_links_is_not_regularised(rung: str) -> None:
    assert task(rung).prior is None
    assert task("nac-erdos-renyi").prior is not None


def test_signatures_can_start_at_a_graph_of_the_prior() -> None:
    wide = {"modules": 20, "signature_features": 24}
    made = task("nac-frozen", replace(BRIEF, initial_signatures="fitted"), **wide)
    graph = graphs.sample_graph(graphs.prior("scale-free", 20), BRIEF.seed)
    P = made.model.link_probability().detach().numpy()
    assert ((np.exp(-0.8) < P) == graph).mean() > 0.98
    before = made.model.processor.signatures.clone()
    optimizer = made.configure_optimizers()["optimizer"]
    made.training_step(batch(), 0).backward()
    optimizer.step()
    assert made.model.processor.signatures.equal(before)


def test_filters_can_start_without_their_mean() -> None:
    filters = task("perceiver-io", replace(BRIEF, initial_filters="contrast")).model.tokenizer.stem[0].weight
    assert filters.mean(dim=(2, 3)).abs().max() < 1e-6
    assert task("perceiver-io").model.tokenizer.stem[0].weight.mean(dim=(2, 3)).abs().max() > 1e-3


def test_the_ladder_has_equal_budgets_and_holds_a_domain_out() -> None:
    for suffix in ("", "-images"):
        budgets = {
            replace(RECIPES[rung + suffix].settings, initial_signatures="normal", graph_weight=0) for rung in LADDER
        }
        assert len(budgets) == 1
    for rung in LADDER:
        assert RECIPES[rung].config.held_out == ("mnist-m",)
        assert RECIPES[rung].config.modules == 80
    modulations = [RECIPES[rung].config.modulation for rung in LADDER]
    assert modulations == ["none", *["codes"] * 6]
    links = [RECIPES[rung].config.links for rung in LADDER]
    assert links == ["complete", "complete", "frozen", *["learned"] * 4]


def test_the_printed_recipes_are_table_4() -> None:
    config, settings = RECIPES["nac-scale-free-printed"].config, RECIPES["nac-scale-free-printed"].settings
    assert (config.features, config.layers, config.modules, config.heads) == (384, 8, 320, 6)
    assert (config.ffn_hidden, config.readouts, config.signature_features, config.code_features) == (1536, 64, 64, 384)
    assert (config.temperature, config.bandwidth, config.alpha, config.image_size) == (0.5, 1.0, 0.1, 64)
    assert (settings.batch_size, settings.epochs, settings.warmup_epochs, settings.weight_decay) == (
        1024,
        400,
        25,
        0.05,
    )
    assert settings.learning_rate == 2 * 3e-4
    assert RECIPES["perceiver-io-printed"].settings.learning_rate == 2 * 5e-4
    assert settings.for_data(100_000).steps == 400 * 98


def test_families() -> None:
    assert named("nac-images") == FAMILIES["nac-images"] == tuple(LADDER)
    assert named("nac-images", {"images": "folder"}) == tuple(f"{rung}-images" for rung in LADDER)
    assert named("nac-images-printed") == tuple(f"{rung}-printed" for rung in LADDER)
    assert named("block-operations") == tuple(BLOCK_RECIPES)
    assert named("ni-digits") == ("ni-digits",)
    with pytest.raises(ValueError, match="nac-images, nac-images-printed, nac-nlvr2, block-operations, ni-digits"):
        named("nothing")


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("rung", ["nac-ring-of-cliques", "nac-frozen", "perceiver-io"])
def test_training_writes_a_circuit_with_its_order_and_a_card(tmp_path: Path, rung: str) -> None:
    images, labels, domain = batch(64)
    mixture = Mixture(images, labels, domain, ("mnist", "street-digits"), (("noise", 64),))
    config = replace(RECIPES[rung].config, **TINY)
    folder = train(rung, settings=BRIEF, config=config, folder=tmp_path, progress=False, mixture=mixture)
    model, card = checkpoint.load(folder / "model.safetensors"), json.loads((folder / "card.json").read_text())
    assert model.config == config
    assert card["architecture"] == RECIPES[rung].architecture
    assert {a["domain"]: a["held_out"] for a in card["accuracies"]} == {
        "mnist": False, "mnist-m": True, "street-digits": False
    }  # fmt: skip
    assert "held out" in card["not_trained_on"]
    if model.config.prior:
        P0 = graphs.prior(model.config.prior, 10)
        P = model.link_probability().numpy().astype(np.float64)
        assert graphs.distance_to_prior(P, P0, model.prior_order.numpy()) <= graphs.distance_to_prior(
            P, P0, np.arange(10)
        )


@pytest.mark.slow
def test_pictures_decide_classes_and_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from PIL import Image

    monkeypatch.setattr("routescope.assets.data_dir", lambda: tmp_path / "data")
    monkeypatch.setattr("routescope.data.cache.data_dir", lambda: tmp_path / "data")
    monkeypatch.setitem(known_datasets()["images"].splits, "train", 40)
    for seed in range(15):
        folder = tmp_path / "pictures" / f"class {seed % 3}"
        folder.mkdir(parents=True, exist_ok=True)
        pixels = np.random.default_rng(seed).integers(0, 256, (64, 64, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(folder / f"{seed}.png")
    recipe = RECIPES["nac-erdos-renyi-images"]
    task = TASKS[recipe.data]
    stream, config = task.stream(recipe.config, recipe.settings, {"images": str(tmp_path / "pictures")})
    assert stream.mixture.images.shape == (12, 3, 64, 64)
    assert (config.classes, config.image_size) == (3, 64)
    assert config.class_names == ("class 0", "class 1", "class 2")
    assert type(config).from_json(config.to_json()) == config
    assert config.domains == ("images",)  # the stand-in out of distribution has other classes
    ((words, data),) = task.scored(config, {"images": str(tmp_path / "pictures")})
    assert words == "Images, validation"
    assert (len(data), data.stand_in) == (3, False)
    _, config = task.stream(recipe.config, recipe.settings, {})
    assert (config.classes, config.domains, config.held_out) == (10, ("images", "images-ood"), ("images-ood",))
    with pytest.raises(DataError, match="give images=FOLDER too"):
        task.stream(recipe.config, recipe.settings, {"images-ood": str(tmp_path / "pictures")})


def test_renditions_are_scored_whole_by_the_names_of_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from PIL import Image

    monkeypatch.setattr("routescope.data.cache.data_dir", lambda: tmp_path / "data")
    for place, names, side in (("pictures", ("ant", "bee", "cat"), 64), ("renditions", ("bee", "cat"), 40)):
        for seed in range(10):
            folder = tmp_path / place / names[seed % len(names)]
            folder.mkdir(parents=True, exist_ok=True)
            pixels = np.random.default_rng(seed).integers(0, 256, (side, side, 3), dtype=np.uint8)
            Image.fromarray(pixels).save(folder / f"{seed}.png")
    sources = {"images": str(tmp_path / "pictures"), "images-ood": str(tmp_path / "renditions")}
    recipe = RECIPES["nac-erdos-renyi-images"]
    task = TASKS[recipe.data]
    _, config = task.stream(recipe.config, recipe.settings, sources)
    measured = task.measured(config, recipe.settings, sources)
    assert isinstance(measured, Validation)
    for sets in ([data for _, data in task.scored(config, sources)], measured.sets):
        within, outside = sets
        assert (len(within), len(outside)) == (2, 10)
        assert outside.images.shape == (10, 3, 64, 64)
        assert sorted(outside.labels.tolist()) == [1] * 5 + [2] * 5


def test_what_is_held_out_is_not_trained_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "digits_mixture", lambda sources, domains: domains)
    digits = pictures.DigitsTask()
    assert digits.mixture(RECIPES["nac-scale-free"].config, {})[0] == ("mnist", "street-digits")
    assert digits.mixture(RECIPES["ni-digits"].config, {})[0] == ("mnist", "mnist-m", "street-digits")
