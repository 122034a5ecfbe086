"""Training on fuzzy Boolean functions: all are regressed at once at every point (Neural Interpreters, section 4.1)."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import lightning as L
import torch
import torch.nn.functional as F
from jaxtyping import Float
from lightning.pytorch.utilities import rank_zero_info
from torch import Tensor

from routescope.data.numbers.sets import NumberSet
from routescope.nn.inputs.numbers import Numbers
from routescope.nn.interpreter.config import NeuralInterpreterConfig
from routescope.nn.network import Network
from routescope.nn.registry import ARCHITECTURES
from routescope.training.batches import Stream
from routescope.training.settings import TrainingSettings
from routescope.training.tasks.task import (
    Learning,
    PeriodicMeasurement,
    Sources,
    Task,
    Titled,
    counted,
    shuffled,
    titled,
)

#: In the last steps one state in so many is looked at, of which the best is kept.
LAST, LOOK = 1024, 16
#: Points of each function that a card tells of.
SCORED = 4096

PointBatch = tuple[Float[Tensor, "B N"], Float[Tensor, "B D"]]


class PointBatches:
    """Batches of points with the values of every function; seed and epoch decide the order of each epoch.

    Args:
        sets: one a function, of the same points.

    Raises:
        ValueError: sets of different points.
    """

    def __init__(self, sets: Sequence[NumberSet], batch_size: int, seed: int) -> None:
        first = sets[0]
        if any(not torch.equal(data.values, first.values) for data in sets):
            raise ValueError("functions that are regressed at once have the same points")
        self.values, self.targets = first.values, torch.stack([data.truth for data in sets], dim=1)
        self.batch_size, self.seed = min(batch_size, len(first)), seed
        self.parts = counted(sets)
        self.count: int | None = len(first)

    def __getitem__(self, step: int) -> PointBatch:
        """Return the values of the variables and of every function."""
        epoch, batch = divmod(step, len(self.values) // self.batch_size)
        rows = shuffled(len(self.values), self.seed, epoch)[batch * self.batch_size : (batch + 1) * self.batch_size]
        return self.values[rows], self.targets[rows]


class Regression(Learning):
    """Train by the mean squared error of every function at every point, with RAdam (Table 3)."""

    def __init__(self, model: Network, settings: TrainingSettings) -> None:
        super().__init__()
        self.model, self.settings = model, settings

    def training_step(self, batch: PointBatch, _: int) -> Tensor:
        values, targets = batch
        answers = self.model(Numbers(values))[..., 0].float()
        loss = F.mse_loss(answers, targets)
        self.log("loss", loss, prog_bar=True)
        return loss

    def configure_optimizers(self) -> Any:
        learned = [parameter for parameter in self.parameters() if parameter.requires_grad]
        optimizer = torch.optim.RAdam(learned, lr=self.settings.learning_rate)
        return self.scheduled(optimizer)


def explained(model: Network, sets: Sequence[NumberSet], batch: int = 1024) -> dict[str, float]:
    """Return R2 of each function and its variance over the points, which all ``sets``, one a head, share."""
    with torch.no_grad():
        answers = torch.cat([model(Numbers(part))[..., 0].float() for part in sets[0].values.split(batch)])
    by_domain = {}
    for data in sets:
        truth = data.truth.to(answers.device)
        errors = ((answers[:, model.head_of(data.domain)] - truth) ** 2).double().sum()
        by_domain[data.domain] = float(1 - errors / ((truth - truth.mean()) ** 2).double().sum())
    return by_domain


class Explained(PeriodicMeasurement):
    """Measure R2 during the training: entries have ``step`` and the R2 of every function.

    The printed learning rate is constant to the end, and R2 goes up and down from step to step. So states are looked at
    more often in the last steps, and the one with the best mean R2 on these points is what the training gives.
    """

    def __init__(self, sets: Sequence[NumberSet], every: int) -> None:
        super().__init__(every)
        self.sets, self.looks = sets, 0
        self.best: dict[str, Tensor] = {}
        self.best_step, self.best_mean = 0, -math.inf

    def state_dict(self) -> dict[str, Any]:
        best = {"step": self.best_step, "mean": self.best_mean, "weights": self.best} if self.best else None
        return {**super().state_dict(), "looks": self.looks, "best": best}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        super().load_state_dict(state_dict)
        self.looks = state_dict.get("looks", 0)
        if best := state_dict.get("best"):
            self.best_step, self.best_mean, self.best = best["step"], best["mean"], best["weights"]

    def on_train_batch_end(self, trainer: L.Trainer, task: L.LightningModule, *_: Any) -> None:
        step = trainer.global_step
        looked = step > trainer.max_steps - LAST and step % LOOK == 0
        if not (looked or step % self.every == 0) or not trainer.is_global_zero or not self.sets:
            return
        assert isinstance(task, Learning)
        task.model.eval()
        by_domain = explained(task.model, self.sets)
        task.model.train()
        mean, least = sum(by_domain.values()) / len(by_domain), min(by_domain.values())
        if step % self.every == 0:
            self.history.append({"step": step, **by_domain})
            rank_zero_info(f"step {step}: R2 {mean:.4f} over {len(by_domain)} functions, least {least:.4f}")
        if looked:
            self.looks += 1
            if mean > self.best_mean:
                weights = {name: value.detach().clone() for name, value in task.model.state_dict().items()}
                self.best_step, self.best_mean, self.best = step, mean, weights

    def choose(self, model: Network) -> list[str]:
        if not self.best:
            return []
        model.load_state_dict(self.best)
        return [
            f"With the learning rate constant to the end R2 goes up and down: of {self.looks} states in the last "
            f"{LAST:,} steps, one in {LOOK}, this is the one with the best mean R2 on the validation points "
            f"({self.best_mean:.4f}), after step {self.best_step:,}."
        ]


class NumbersTask(Task[NeuralInterpreterConfig]):
    """Fuzzy Boolean functions: the domains of a Neural Interpreter that reads numbers, which have no other source."""

    samples = "points"

    def stream(
        self, config: NeuralInterpreterConfig, settings: TrainingSettings, sources: Sources
    ) -> tuple[Stream[Any], NeuralInterpreterConfig]:
        sets = self.sets_of_kind(NumberSet, config, sources, "train")
        config = replace(config, target_means=tuple(float(data.truth.double().mean()) for data in sets))
        return PointBatches(sets, settings.batch_size, settings.seed), config

    def learning(self, architecture: str, config: NeuralInterpreterConfig, settings: TrainingSettings) -> Learning:
        return Regression(ARCHITECTURES[architecture].network(config), settings)

    def measured(
        self, config: NeuralInterpreterConfig, settings: TrainingSettings, sources: Sources
    ) -> PeriodicMeasurement:
        return Explained(self.sets_of_kind(NumberSet, config, sources, "validation"), settings.validate_every)

    def notes(self, config: NeuralInterpreterConfig, settings: TrainingSettings) -> list[str]:
        return [
            "Every point is shown with the values of all functions at once, as the paper trains. R2 counts the "
            "variance of a function from its mean over the points of training."
        ]

    def scored(self, config: NeuralInterpreterConfig, sources: Sources) -> Titled:
        """Return points of every function: the test split, and the validation split that pages show.

        All 32,768 points of the test split, which the paper calls validation, are scored by the experiment ni-boolean.
        """
        splits = (self.sets_of_kind(NumberSet, config, sources, split, SCORED) for split in ("test", "validation"))
        return titled(chain.from_iterable(splits))

    def not_shown(self, config: NeuralInterpreterConfig, sources: Sources) -> str:
        return (
            "The validation and test splits: points drawn beside those of training, from the same uniform "
            "distribution. The ten functions that are kept for adaptation."
        )
