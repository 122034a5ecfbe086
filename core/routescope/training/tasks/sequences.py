"""Training on sequences with a label each: ListOps expressions and their values, reviews and their sentiment."""

from dataclasses import replace
from typing import Any

import torch
from jaxtyping import Int64
from torch import Tensor

from routescope.data import DataError, SequenceSet
from routescope.nn.circuit_config import NeuralAttentiveCircuitConfig
from routescope.nn.inputs.sequences import Sequences
from routescope.training.batches import Stream
from routescope.training.settings import TrainingSettings
from routescope.training.tasks.pictures import SCORED, AsGiven
from routescope.training.tasks.task import (
    Learning,
    PeriodicMeasurement,
    Sources,
    Task,
    Titled,
    Validation,
    counted,
    titled,
)

#: Batches whose samples are put in the order of their lengths together, so that a batch has little padding.
POOL = 50

SequenceBatch = tuple[Int64[Tensor, "B V"], Int64[Tensor, " B"], Int64[Tensor, " B"]]


class ByLength:
    """Batches of sequences of nearly equal length: every sample once an epoch, by seed and epoch.

    Samples of ``POOL`` batches, drawn by chance, are sorted by length and cut into batches, which come in an order of
    chance; the last samples of an epoch, too few for a batch, are left out.
    """

    def __init__(self, data: SequenceSet[Sequences], batch_size: int, seed: int) -> None:
        self.data, self.batch_size, self.seed = data, min(batch_size, len(data)), seed
        self.parts = counted([data])
        self.count: int | None = len(data)
        self._epoch, self._batches = -1, torch.empty(0, 0, dtype=torch.int64)

    def __getitem__(self, step: int) -> SequenceBatch:
        """Return symbols with padding, labels, and the position of the domain, which is 0."""
        epoch, batch = divmod(step, len(self.data) // self.batch_size)
        if epoch != self._epoch:
            self._epoch, self._batches = epoch, self.batches(epoch)
        rows = self._batches[batch]
        return self.data.inputs(rows).values, self.data.labels[rows], torch.zeros_like(rows)

    def batches(self, epoch: int) -> Int64[Tensor, "batch B"]:
        """Return the positions of the samples of every batch of an epoch, counted from 0."""
        draws = torch.Generator().manual_seed(self.seed * 1_000_003 + epoch)
        order = torch.randperm(len(self.data), generator=draws)
        order = order[: len(order) // self.batch_size * self.batch_size]
        lengths = self.data.lengths
        pools = order.split(POOL * self.batch_size)
        batches = torch.cat([pool[lengths[pool].argsort(stable=True)].view(-1, self.batch_size) for pool in pools])
        return batches[torch.randperm(len(batches), generator=draws)]


class SequencesTask(Task[NeuralAttentiveCircuitConfig]):
    """The set of sequences that is a circuit's domain."""

    samples = "sequences"

    def sets(
        self, config: NeuralAttentiveCircuitConfig, sources: Sources, split: str, limit: int | None = None
    ) -> list[SequenceSet[Sequences]]:
        """Return a set for every domain.

        Raises:
            TypeError: a domain that is no set of sequences.
            DataError: sequences that are longer than the network reads.
        """
        sets = self.sets_of_kind(SequenceSet, config, sources, split, limit)
        for data in sets:
            if (longest := int(data.lengths.max())) > config.max_length:
                raise DataError(
                    f"{data.title}, {data.split}, has sequences of {longest:,} symbols; max_length is "
                    f"{config.max_length:,}"
                )
        return sets

    def stream(
        self, config: NeuralAttentiveCircuitConfig, settings: TrainingSettings, sources: Sources
    ) -> tuple[Stream[Any], NeuralAttentiveCircuitConfig]:
        (data,) = self.sets(config, sources, "train")
        return ByLength(data, settings.batch_size, settings.seed), replace(config, class_names=data.classes)

    def learning(self, architecture: str, config: NeuralAttentiveCircuitConfig, settings: TrainingSettings) -> Learning:
        return AsGiven(architecture, config, settings)

    def measured(
        self, config: NeuralAttentiveCircuitConfig, settings: TrainingSettings, sources: Sources
    ) -> PeriodicMeasurement:
        return Validation(self.sets(config, sources, "validation", SCORED), settings.validate_every)

    def notes(self, config: NeuralAttentiveCircuitConfig, settings: TrainingSettings) -> list[str]:
        sentences = [
            "A batch has sequences of nearly the same length. The paper prints no settings for sequences: sizes and "
            "rates are this project's, chosen for two processor cores.",
            f"Up to {config.max_length:,} symbols are read; positions behind the longest sequence of training stay as "
            "they were drawn.",
        ]
        if settings.initial_signatures == "fitted" and config.prior is not None:
            sentences.append("Signatures started fitted to a graph sampled from the prior.")
        return sentences

    def scored(self, config: NeuralAttentiveCircuitConfig, sources: Sources) -> Titled:
        """Return the test split, and the validation split that pages show."""
        return titled(data for split in ("test", "validation") for data in self.sets(config, sources, split))

    def not_shown(self, config: NeuralAttentiveCircuitConfig, sources: Sources) -> str:
        if sources:
            return "The validation and test splits, as their files cut them."
        return "The validation and test splits: no sequence of one split is in another."
