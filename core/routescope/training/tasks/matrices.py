"""Training on matrices: the right one of eight answers, by the cross-entropy of a softmax over their scores."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int64, UInt8
from torch import Tensor

from routescope.data import MatrixSet
from routescope.data.cache import mapped
from routescope.data.matrices.rendering import SIDE
from routescope.data.matrices.sets import LAYOUT
from routescope.nn.config import Config
from routescope.nn.inputs.matrices import PANELS, Matrices
from routescope.nn.network import Network
from routescope.nn.registry import ARCHITECTURES
from routescope.training.batches import Stream
from routescope.training.settings import TrainingSettings, parameter_groups
from routescope.training.tasks.task import (
    Learning,
    PeriodicMeasurement,
    Sources,
    Task,
    Titled,
    Validation,
    counted,
    shuffled,
    titled,
)

#: Matrices of each validation set that are scored during the training.
SCORED = 500
#: Matrices that are rendered at once.
RENDERED = 256

MatrixBatch = tuple[Float[Tensor, "B 16 side side"], Int64[Tensor, " B"], Int64[Tensor, " B"]]


def pictures_of(data: MatrixSet) -> UInt8[np.ndarray, "sample 16 side side"]:
    """Return the panels of all matrices of a set; drawn ones are rendered once and kept on disk."""
    if data.symbols is None:
        return data.pictures(slice(None))

    def fill(panels: np.ndarray) -> None:
        for start in range(0, len(data), RENDERED):
            panels[start : start + RENDERED] = data.pictures(slice(start, start + RENDERED))

    parameters = {"layout": LAYOUT, "name": data.name, "split": data.split, "count": len(data), "side": data.side}
    return mapped("matrix-panels", parameters, (len(data), PANELS, data.side, data.side), fill)


class ShuffledMatrices:
    """Batches of matrices of one or several sets; seed and epoch decide the order of each epoch.

    Args:
        sets: one a head of the network, in the order of the heads.
    """

    def __init__(self, sets: Sequence[MatrixSet], batch_size: int, seed: int) -> None:
        self.pictures = [pictures_of(data) for data in sets]
        self.labels = torch.cat([data.labels for data in sets])
        self.heads = torch.cat([torch.full((len(data),), head) for head, data in enumerate(sets)])
        self.places = torch.cat([torch.arange(len(data)) for data in sets])
        self.batch_size, self.seed = min(batch_size, len(self.labels)), seed
        self.parts = counted(sets)
        self.count: int | None = len(self.labels)

    def __getitem__(self, step: int) -> MatrixBatch:
        """Return the greys of panels, the right answers, and the heads."""
        epoch, batch = divmod(step, len(self.labels) // self.batch_size)
        rows = shuffled(len(self.labels), self.seed, epoch)[batch * self.batch_size : (batch + 1) * self.batch_size]
        heads, places = self.heads[rows], self.places[rows]
        panels = [self.pictures[head][at] for head, at in zip(heads.tolist(), places.tolist(), strict=True)]
        return torch.from_numpy(np.stack(panels)).float() / 255, self.labels[rows], heads


class AnswerTraining(Learning):
    """Train by the cross-entropy over the scores of the eight answers, with RAdam (Table 7) or AdamW."""

    def __init__(self, model: Network, settings: TrainingSettings) -> None:
        super().__init__()
        self.model, self.settings = model, settings

    def training_step(self, batch: MatrixBatch, _: int) -> Tensor:
        panels, labels, heads = batch
        scores = self.model(Matrices(panels))[torch.arange(len(labels)), heads].float()
        loss = F.cross_entropy(scores, labels)
        self.log("loss", loss, prog_bar=True)
        return loss

    def configure_optimizers(self) -> Any:
        groups = parameter_groups(self.model.named_parameters(), self.settings.weight_decay)
        optimizer: torch.optim.Optimizer
        if self.settings.optimizer == "adamw":
            optimizer = torch.optim.AdamW(groups, lr=self.settings.learning_rate)
        else:
            optimizer = torch.optim.RAdam(
                [parameter for group in groups for parameter in group["params"]], lr=self.settings.learning_rate
            )
        return self.scheduled(optimizer)


class MatricesTask(Task[Config]):
    """Matrices: the domains of a network that chooses among answers, drawn or read from published files."""

    samples = "matrices"

    def stream(self, config: Config, settings: TrainingSettings, sources: Sources) -> tuple[Stream[Any], Config]:
        sets = self.sets_of_kind(MatrixSet, config, sources, "train", side=config.picture_side)
        return ShuffledMatrices(sets, settings.batch_size, settings.seed), config

    def learning(self, architecture: str, config: Config, settings: TrainingSettings) -> Learning:
        return AnswerTraining(ARCHITECTURES[architecture].network(config), settings)

    def measured(self, config: Config, settings: TrainingSettings, sources: Sources) -> PeriodicMeasurement:
        sets = self.sets_of_kind(MatrixSet, config, sources, "validation", SCORED)
        return Validation(sets, settings.validate_every)

    def notes(self, config: Config, settings: TrainingSettings) -> list[str]:
        sentences = ["An eighth of the answers is right by chance."]
        if config.picture_side != SIDE:
            sentences.append(f"Panels have {config.picture_side} pixels a side; the paper's have {SIDE}.")
        if any(name.startswith("pgm-small-") for name in config.domains):
            sentences.append(
                "The matrices have fewer rules than the paper's: progression and consistent union of sizes, colours "
                "and the number of shapes, and of the colours of lines, one or two a matrix; nothing distracts."
            )
        return sentences

    def scored(self, config: Config, sources: Sources) -> Titled:
        """Return validation, which is like training, and test, which shows what the regime holds out."""
        splits = (self.sets_of_kind(MatrixSet, config, sources, split) for split in ("validation", "test"))
        return titled(chain.from_iterable(splits))

    def not_shown(self, config: Config, sources: Sources) -> str:
        return "The validation and test splits, and what the regime holds out for testing."
