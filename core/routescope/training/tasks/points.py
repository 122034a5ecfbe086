"""Training on clouds of points with a class each: no augmentation, as the paper trains."""

from dataclasses import dataclass, replace
from typing import Any

import torch
from jaxtyping import Float32, Int64
from torch import Tensor

from routescope.data import DataError, load
from routescope.data.points.sets import CloudSet
from routescope.nn.circuit_config import NeuralAttentiveCircuitConfig
from routescope.training.batches import Stream
from routescope.training.settings import TrainingSettings
from routescope.training.tasks.pictures import SCORED, AsGiven, Shuffled
from routescope.training.tasks.task import (
    Learning,
    PeriodicMeasurement,
    Sources,
    Task,
    Titled,
    Validation,
    titled,
)


@dataclass(frozen=True)
class Clouds:
    """Clouds to train on; a batch is fetched whole."""

    points: Float32[Tensor, "N V 3"]
    labels: Int64[Tensor, " N"]
    parts: tuple[tuple[str, int], ...]

    def __len__(self) -> int:
        return len(self.labels)

    def __getitems__(self, indices: list[int]) -> tuple[Tensor, Tensor, Tensor]:
        """Return points, labels, and zeros: there is one domain."""
        rows = torch.tensor(indices)
        return self.points[rows], self.labels[rows], torch.zeros(len(rows), dtype=torch.int64)


class PointsTask(Task[NeuralAttentiveCircuitConfig]):
    """Clouds of points with classes, which decide the classes of a circuit."""

    samples = "clouds"

    def _set(
        self,
        config: NeuralAttentiveCircuitConfig,
        sources: Sources,
        split: str,
        limit: int | None = None,
    ) -> CloudSet:
        name = config.domains[0]
        data = load(name, split, sources.get(name), limit, classes=config.class_names)
        if not isinstance(data, CloudSet):
            raise DataError(f"a network of points is trained on clouds of points, and {name} holds others")
        return data

    def stream(
        self, config: NeuralAttentiveCircuitConfig, settings: TrainingSettings, sources: Sources
    ) -> tuple[Stream[Any], NeuralAttentiveCircuitConfig]:
        data = self._set(replace(config, class_names=()), sources, "train")
        config = replace(config, classes=len(data.classes), class_names=data.classes)
        words = f"{data.title} ({'stand-in' if data.stand_in else 'real'}, train)"
        clouds = Clouds(data.points[:, : config.max_length], data.labels, ((words, len(data)),))
        return Shuffled(clouds, settings.batch_size, settings.seed), config

    def learning(self, architecture: str, config: NeuralAttentiveCircuitConfig, settings: TrainingSettings) -> Learning:
        return AsGiven(architecture, config, settings)

    def measured(
        self, config: NeuralAttentiveCircuitConfig, settings: TrainingSettings, sources: Sources
    ) -> PeriodicMeasurement:
        return Validation([self._set(config, sources, "validation", SCORED)], settings.validate_every)

    def notes(self, config: NeuralAttentiveCircuitConfig, settings: TrainingSettings) -> list[str]:
        lines = [f"Of the 1,024 points of a cloud the network reads the first {config.max_length:,}; none is moved."]
        if settings.initial_signatures == "fitted" and config.prior is not None:
            lines.append(
                "Signatures started fitted to a graph sampled from the prior: a short training moves them little. What "
                "the learned graph has in common with the prior is therefore in part its start."
            )
        return lines

    def scored(self, config: NeuralAttentiveCircuitConfig, sources: Sources) -> Titled:
        """Return the validation split that pages show, and the test split."""
        splits = ("test",) if config.domains[0] in sources else ("validation", "test")  # ModelNet40 has the one
        return titled(self._set(config, sources, split) for split in splits)

    def not_shown(self, config: NeuralAttentiveCircuitConfig, sources: Sources) -> str:
        if config.domains[0] in sources:
            return "The test split. ModelNet40 has no validation split: the test split was looked at on the way."
        return "The validation and test splits: solids drawn beside those of training, from the same family."
