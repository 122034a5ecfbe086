"""A kind of training data from outside: one class and one registration, and ``train`` and cards know it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from routescope.data import load
from routescope.training.fit import train
from routescope.training.recipes.networks import RECIPES
from routescope.training.settings import Recipe, TrainingSettings
from routescope.training.tasks.pictures import Classification
from routescope.training.tasks.registry import TASKS
from routescope.training.tasks.task import Learning, PeriodicMeasurement, Task
from routescope.zoo import checkpoint
from tests.core.training.test_resume import BRIEF, TINY


class Noise:
    """Pictures of noise, drawn anew for every step."""

    parts = (("Noise, drawn anew for every step", None),)
    count = None

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def __getitem__(self, step: int) -> Any:
        generator = torch.Generator().manual_seed(self.seed + step)
        images = torch.randint(0, 256, (4, 3, 32, 32), dtype=torch.uint8, generator=generator)
        return images, torch.arange(4), torch.zeros(4, dtype=torch.int64)


class Counting(PeriodicMeasurement):
    def on_train_batch_end(self, trainer: Any, *_: Any) -> None:
        self.history.append({"step": trainer.global_step})


class NoiseTask(Task[Any]):
    samples = "specks"
    started = 0

    def stream(self, config: Any, settings: TrainingSettings, sources: Mapping[str, str]) -> tuple[Noise, Any]:
        return Noise(settings.seed), config

    def learning(self, architecture: str, config: Any, settings: TrainingSettings) -> Learning:
        return Classification(architecture, config, settings)

    def measured(self, config: Any, settings: TrainingSettings, sources: Mapping[str, str]) -> PeriodicMeasurement:
        return Counting(1)

    def start(self, learning: Learning) -> None:
        self.started += 1

    def notes(self, config: Any, settings: TrainingSettings) -> list[str]:
        return ["There is nothing to learn."]

    def scored(self, config: Any, sources: Mapping[str, str]) -> list[tuple[str, Any]]:
        return [("Digits", load("mnist", "validation", limit=6))]

    def not_shown(self, config: Any, sources: Mapping[str, str]) -> str:
        return "Anything but noise."

    def left_out(self, data: Any) -> Any:
        return np.arange(len(data)) < 2


def test_a_kind_of_data_from_outside_is_trained_on_and_has_its_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = NoiseTask()
    monkeypatch.setitem(TASKS, "noise", kind)
    monkeypatch.setitem(RECIPES, "ni-noise", Recipe("neural_interpreter", TINY, BRIEF.for_steps(2), "noise"))
    for _ in range(2):  # the second one goes on from the last step
        folder = train("ni-noise", folder=tmp_path, progress=False)
    assert kind.started == 1
    assert checkpoint.load(folder / "model.safetensors").config == TINY
    card, text = json.loads((folder / "card.json").read_text()), (folder / "README.md").read_text()
    assert card["history"] == [{"step": 1}, {"step": 2}]
    assert [(each["data"], each["count"]) for each in card["accuracies"]] == [
        ("Digits", 6), ("Digits: combinations that training leaves out", 2),
    ]  # fmt: skip
    assert card["epochs"] is None
    for words in ("2 steps of 8 specks (drawn anew)", "There is nothing to learn.", "Anything but noise."):
        assert words in text
    assert "augmentation" not in text
