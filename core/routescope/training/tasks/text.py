"""Training a mixture of experts on texts: batches of several domains, the loss of the next byte, balanced experts."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Int64
from torch import Tensor

from routescope.data import TextSet, load
from routescope.data.text.sets import SCORED
from routescope.nn.inputs.text import Text
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork, RouterOutput, balance
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
    titled,
)

#: Texts of each domain that are scored on the way.
LOOKED_AT = 32


class TextBatch(NamedTuple):
    """Tokens of texts, and which of them are not padding."""

    ids: Int64[Tensor, "B V"]
    there: Bool[Tensor, "B V"]


class Drawn:
    """Batches with equally many texts of each domain, drawn with replacement by seed and step."""

    def __init__(self, sets: Sequence[TextSet], config: MixtureConfig, batch_size: int, seed: int) -> None:
        self.sets, self.batch_size, self.seed = tuple(sets), batch_size, seed
        self._reads = MixtureNetwork(config)  # only its tokens are asked for

    @property
    def parts(self) -> tuple[tuple[str, int | None], ...]:
        """The training data in words, with the number of texts."""
        return tuple((f"{data.title} (train)", len(data)) for data in self.sets)

    @property
    def count(self) -> int:
        """The number of texts."""
        return sum(map(len, self.sets))

    def texts(self, step: int) -> tuple[str, ...]:
        """Return the texts of a step, one domain after another in turn."""
        draws = torch.Generator().manual_seed(self.seed * 1_000_003 + step)
        drawn = []
        for position in range(self.batch_size):
            data = self.sets[position % len(self.sets)]
            drawn.append(data.texts[int(torch.randint(len(data), (), generator=draws))])
        return tuple(drawn)

    def __getitem__(self, step: int) -> TextBatch:
        return TextBatch(*self._reads.batch_of(self._reads.ids_of(Text(self.texts(step)))))


class NextByte(Learning):
    """Train by the cross-entropy of the next byte, and the load-balancing loss of every layer."""

    def __init__(self, architecture: str, config: MixtureConfig, settings: TrainingSettings) -> None:
        super().__init__()
        self.settings = settings
        model = ARCHITECTURES[architecture].network(config)
        assert isinstance(model, MixtureNetwork)
        self.model: MixtureNetwork = model

    def training_step(self, batch: TextBatch, _: int) -> Tensor:
        choices: list[RouterOutput] = []
        logits = self.model.logits(batch.ids, choices=choices)[:, :-1]
        present = batch.there[:, 1:]
        nats = F.cross_entropy(logits[present].float(), batch.ids[:, 1:][present])
        uneven = balance(choices, batch.there.flatten())
        self.log("bits", nats / math.log(2), prog_bar=True)
        self.log("balance", uneven, prog_bar=True)
        return nats + self.settings.balance_weight * uneven

    def configure_optimizers(self) -> Any:
        groups = parameter_groups(self.named_parameters(), self.settings.weight_decay)
        optimizer = torch.optim.AdamW(groups, lr=self.settings.learning_rate, betas=(0.9, 0.95))
        return self.scheduled(optimizer)


class TextTask(Task[MixtureConfig]):
    """Texts of a mixture's domains; their only sources are this Python's files and generators."""

    samples = "texts"

    def stream(
        self, config: MixtureConfig, settings: TrainingSettings, sources: Sources
    ) -> tuple[Stream[Any], MixtureConfig]:
        texts = self.sets_of_kind(TextSet, config, sources, "train")
        return Drawn(texts, config, settings.batch_size, settings.seed), config

    def learning(self, architecture: str, config: MixtureConfig, settings: TrainingSettings) -> Learning:
        return NextByte(architecture, config, settings)

    def measured(self, config: MixtureConfig, settings: TrainingSettings, sources: Sources) -> PeriodicMeasurement:
        sets = self.sets_of_kind(TextSet, config, sources, "validation", LOOKED_AT)
        return Validation(sets, settings.validate_every)

    def notes(self, config: MixtureConfig, settings: TrainingSettings) -> list[str]:
        return ["Every batch has as many texts of each domain, drawn with replacement."]

    def scored(self, config: MixtureConfig, sources: Sources) -> Titled:
        """Return the test split of every domain, for its quality, and the validation split, which pages show."""
        return titled(load(name, split, sources.get(name)) for name in config.domains for split in reversed(SCORED))

    def not_shown(self, config: MixtureConfig, sources: Sources) -> str:
        return (
            "The validation and test splits: of modules and help topics of a scored text nothing was trained on, nor "
            "any text that shares a line of 32 characters with one; every sum and every ListOps expression belongs "
            "to one split."
        )

    def on_intervals(self, config: MixtureConfig) -> str | None:
        return (
            "Two texts of `python` are of one module, and texts of `manual` of six topics or fewer: these are less "
            "independent than the intervals take them to be, which speak of texts of these modules and topics."
        )
