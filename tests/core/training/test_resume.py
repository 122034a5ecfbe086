"""Going on from a training state: bit for bit where nothing is missing."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.utils.data import DataLoader

from routescope.data import load
from routescope.nn.interpreter.config import NeuralInterpreterConfig
from routescope.training import fit
from routescope.training.batches import Batches
from routescope.training.fit import train
from routescope.training.recipes.blocks import BlockTrainingSettings
from routescope.training.recipes.networks import RECIPES
from routescope.training.settings import TrainingSettings
from routescope.training.tasks import pictures, statements
from routescope.training.tasks.mixture import Mixture
from routescope.training.tasks.pictures import Shuffled
from routescope.zoo import cards, checkpoint
from tests.core.experiments.circuit_models import TINY as TINY_CIRCUIT
from tests.core.training.tasks.test_statements import TINY as TINY_STATEMENTS

TINY = NeuralInterpreterConfig(
    features=4, code_features=4, type_features=2, iterations=1, functions=2, heads=1, key_features=2,
    type_inference_width=4, position_features=2, tokenizer="convolutional", patch_size=16,
)  # fmt: skip
BRIEF = TrainingSettings(
    steps=12, batch_size=8, precision="32-true", accelerator="cpu", devices=1, minutes=0, validate_every=100
)
#: Five batches an epoch, and three samples that none has.
COUNT = 43


class Interrupted(Exception):
    pass


def noise(domains: tuple[str, ...], count: int = COUNT) -> Mixture:
    generator = torch.Generator().manual_seed(3)
    images = torch.randint(0, 256, (count, 3, 32, 32), dtype=torch.uint8, generator=generator)
    numbers = torch.arange(count)
    return Mixture(images, numbers % 10, numbers % len(domains), domains, (("noise", count),))


SEVEN = replace(BRIEF, steps=7, validate_every=2)
SEVEN_OF_BLOCKS = BlockTrainingSettings(
    steps=7, batch_size=8, learning_rate=1e-2, accelerator="cpu", devices=1, minutes=0, validate_every=2
)
PLAIN = replace(SEVEN, optimizer="adamw", augment=False)
BLOCKS = {"depth": 1, "width": 3, "hidden": 8}


def smaller(recipe: str, sizes: dict[str, Any]) -> Any:
    return replace(RECIPES[recipe].config, **sizes)


#: Kinds of trainings with random numbers of their own in every step, seven steps long: recipe, settings, config, data.
TRAININGS: dict[str, tuple[str, Any, Any, Mixture | None]] = {
    "augmented pictures": ("ni-digits", SEVEN, TINY, noise(TINY.domains)),
    "RandAugment and Shampoo": (
        "ni-digits", replace(SEVEN, augment="randaugment", optimizer="shampoo"), TINY, noise(TINY.domains),
    ),
    "sampled links": (
        "nac-ring-of-cliques", replace(PLAIN, graph_weight=0.1, learning_rate=1e-2),
        smaller("nac-ring-of-cliques", TINY_CIRCUIT), noise(("mnist", "street-digits")),
    ),
    "blocks with noise": (
        "smfr-double", SEVEN_OF_BLOCKS, smaller("smfr-double", BLOCKS | {"attention": "gumbel"}), None,
    ),
    "blocks with a bias that ends": (
        "smfr-bpmnist-bias", replace(SEVEN_OF_BLOCKS, bias_steps=4, bias=5.0),
        smaller("smfr-bpmnist-bias", BLOCKS), None,
    ),
    "statements": ("nac-scenes", PLAIN, smaller("nac-scenes", TINY_STATEMENTS), None),
}  # fmt: skip


def few(name: str, split: str, *_: Any, **options: Any) -> Any:
    """Whatever is measured is a few samples."""
    side = {"side": options["side"]} if name == "scenes" else {}
    return load(name, split, limit=8, **side)


@pytest.fixture
def histories(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What cards would tell of the course of each training that came to its end; nothing is scored for them."""
    found: list[Any] = []

    def told(folder: Path, name: str, sources: Mapping[str, str], facts: Mapping[str, Any], kind: Any) -> None:
        found.append(facts["history"])

    monkeypatch.setattr(cards, "write", told)
    for module in (pictures, cards, statements):
        monkeypatch.setattr(module, "load", few)
    return found


def interrupted_at(steps: list[int], monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Fails, once each, when the batches of ``steps`` are asked for; gives all that are asked for."""
    asked: list[int] = []

    class Failing:
        def __init__(self, stream: Any) -> None:
            self.stream = stream

        def __getitem__(self, step: int) -> Any:
            asked.append(step)
            if step in steps:
                steps.remove(step)
                raise Interrupted
            return self.stream[step]

    monkeypatch.setattr(fit, "Batches", lambda stream, *more: Batches(Failing(stream), *more))
    return asked


@pytest.mark.parametrize("kind", TRAININGS)
def test_a_training_interrupted_twice_ends_in_the_same_bits(
    kind: str, tmp_path: Path, histories: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of an epoch, and between two."""
    name, chosen, config, mixture = TRAININGS[kind]
    how: dict[str, Any] = {"settings": chosen, "config": config, "mixture": mixture}
    train(name, folder=tmp_path / "whole", progress=False, **how)
    asked = interrupted_at([3, 5], monkeypatch)
    for _ in range(2):
        with pytest.raises(Interrupted):
            train(name, folder=tmp_path / "again", progress=False, **how)
        assert not (tmp_path / "again" / "model.safetensors").exists()
        torch.rand(5)  # another process has drawn other numbers before
    train(name, folder=tmp_path / "again", progress=False, **how)
    assert asked == [0, 1, 2, 3, 3, 4, 5, 5, 6]
    whole, again = (checkpoint.load(tmp_path / each / "model.safetensors") for each in ("whole", "again"))
    for parameter, other in zip(whole.parameters(), again.parameters(), strict=True):
        assert torch.equal(parameter, other)
    assert whole.revision == again.revision
    assert histories[0] == histories[1]
    assert [entry["step"] for entry in histories[0] if entry["step"] % 2 == 0 < entry["step"]] == [2, 4, 6]


@pytest.mark.parametrize(("count", "batch_size"), [(43, 8), (40, 8), (5, 8)])
def test_orders_are_those_of_a_loader_that_shuffles(count: int, batch_size: int) -> None:
    mixture = noise(("mnist",), count)
    generator = torch.Generator().manual_seed(11)
    loader = DataLoader(
        mixture, batch_size, shuffle=True, drop_last=count >= batch_size, generator=generator, collate_fn=lambda b: b
    )
    expected = []
    for _ in range(3):
        batches = iter(loader)
        expected += [next(batches) for _ in range(len(loader))]
    stream = Shuffled(mixture, batch_size, seed=11)
    assert stream.count == count and stream.parts == mixture.parts
    assert len(expected) == 3 * stream.batches
    for step in (2 * stream.batches, *range(3 * stream.batches)):  # in whatever order they are asked for
        for found, wanted in zip(stream[step], expected[step], strict=True):
            assert torch.equal(found, wanted)
