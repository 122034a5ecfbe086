"""Training circuits: what is decayed, the regulariser, signatures at the start, the ladder and its families."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from routescope.data import DataError, known_datasets, load
from routescope.routing import graphs
from routescope.training.fit import train
from routescope.training.recipes.networks import RECIPES
from routescope.training.settings import TrainingSettings, cosine, parameter_groups
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


def test_the_regulariser_is_a_mean_or_a_sum_over_pairs() -> None:
    made = {
        reduction: task("nac-planted-partition", replace(BRIEF, graph_reduction=reduction))
        for reduction in ("mean", "sum")
    }
    made["sum"].model.load_state_dict(made["mean"].model.state_dict())
    mean, total = (made[reduction].distance_to_prior() for reduction in ("mean", "sum"))
    torch.testing.assert_close(total, 10 * 9 * mean)


def test_where_signatures_and_filters_can_start() -> None:
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
    rungs = ("perceiver-io", "pio-modfc", "nac-frozen", "nac-erdos-renyi")
    assert [task(rung).prior is None for rung in rungs] == [True, True, True, False], "only learned links have a prior"
    for start, least, most in (("contrast", 0, 1e-6), (BRIEF.initial_filters, 1e-3, 1)):
        stem = task("perceiver-io", replace(BRIEF, initial_filters=start)).model.tokenizer.stem[0].weight
        assert least <= stem.mean(dim=(2, 3)).abs().max() < most, "filters can start without their mean"


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("rung", ["nac-ring-of-cliques", "perceiver-io"])
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
        found, plain = (graphs.distance_to_prior(P, P0, order) for order in (model.prior_order.numpy(), np.arange(10)))
        assert found <= plain


def photographs(folder: Path, names: tuple[str, ...], count: int, side: int = 64) -> str:
    """Pictures of noise in a folder for each class."""
    for seed in range(count):
        place = folder / names[seed % len(names)]
        place.mkdir(parents=True, exist_ok=True)
        pixels = np.random.default_rng(seed).integers(0, 256, (side, side, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(place / f"{seed}.png")
    return str(folder)


@pytest.mark.slow
def test_pictures_decide_classes_and_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routescope.assets.data_dir", lambda: tmp_path / "data")
    monkeypatch.setattr("routescope.data.cache.data_dir", lambda: tmp_path / "data")
    monkeypatch.setitem(known_datasets()["images"].splits, "train", 40)
    source = {"images": photographs(tmp_path / "pictures", ("class 0", "class 1", "class 2"), 15)}
    recipe = RECIPES["nac-erdos-renyi-images"]
    task = TASKS[recipe.data]
    stream, config = task.stream(recipe.config, recipe.settings, source)
    assert stream.mixture.images.shape == (12, 3, 64, 64) and (config.classes, config.image_size) == (3, 64)
    assert config.class_names == ("class 0", "class 1", "class 2")
    assert type(config).from_json(config.to_json()) == config
    assert config.domains == ("images",)  # the stand-in out of distribution has other classes
    ((words, data),) = task.scored(config, source)
    assert (words, len(data), data.stand_in) == ("Images, validation", 3, False)
    _, config = task.stream(recipe.config, recipe.settings, {})
    assert (config.classes, config.domains, config.held_out) == (10, ("images", "images-ood"), ("images-ood",))
    with pytest.raises(DataError, match="give images=FOLDER too"):
        task.stream(recipe.config, recipe.settings, {"images-ood": source["images"]})


def test_renditions_are_scored_whole_by_the_names_of_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routescope.data.cache.data_dir", lambda: tmp_path / "data")
    sources = {
        "images": photographs(tmp_path / "pictures", ("ant", "bee", "cat"), 10),
        "images-ood": photographs(tmp_path / "renditions", ("bee", "cat"), 10, side=40),
    }
    recipe = RECIPES["nac-erdos-renyi-images"]
    task = TASKS[recipe.data]
    _, config = task.stream(recipe.config, recipe.settings, sources)
    measured = task.measured(config, recipe.settings, sources)
    assert isinstance(measured, Validation)
    for within, outside in ([data for _, data in task.scored(config, sources)], measured.sets):
        assert (len(within), len(outside)) == (2, 10) and outside.images.shape == (10, 3, 64, 64)
        assert sorted(outside.labels.tolist()) == [1] * 5 + [2] * 5


def test_what_is_held_out_is_not_trained_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "digits_mixture", lambda sources, domains: domains)
    digits = pictures.DigitsTask()
    assert digits.mixture(RECIPES["nac-scale-free"].config, {})[0] == ("mnist", "street-digits")
    assert digits.mixture(RECIPES["ni-digits"].config, {})[0] == ("mnist", "mnist-m", "street-digits")
