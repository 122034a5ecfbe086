"""The parts of a kind of training data: batches, the loss of a step, validation, and scored sets.

``routescope.training.fit.train`` asks for nothing else. A new kind is a :class:`Task` in a file of its own, and a line
in ``routescope.training.tasks.registry``.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import lightning as L
import numpy as np
import torch
from jaxtyping import Bool
from lightning.pytorch.callbacks import Callback
from lightning.pytorch.utilities import rank_zero_info

from routescope.data import load
from routescope.data.samples import Samples
from routescope.nn.config import Config
from routescope.nn.network import Network
from routescope.routing.caused.scores import evaluate
from routescope.training.batches import Stream
from routescope.training.settings import TrainingSettings, cosine

C = TypeVar("C", bound=Config)
D = TypeVar("D", bound=Samples)
#: Real data sets by name: a folder, a file, or a name on a hub.
Sources = Mapping[str, str]
#: Data sets that a card scores, each with a title.
Titled = list[tuple[str, Samples]]


class Learning(L.LightningModule):
    """A network with the loss of a step, its optimiser and the settings of its training."""

    model: Network
    settings: TrainingSettings

    def finished(self) -> None:
        """Store in the network what it keeps of its training; called once after the last step."""

    def scheduled(self, optimizer: torch.optim.Optimizer) -> dict[str, Any]:
        """Return an optimiser with the settings' learning rate by step, as Lightning takes both."""
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: cosine(step, self.settings))
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": schedule, "interval": "step"}}


class PeriodicMeasurement(Callback):
    """Measure a network every so many steps; ``history`` has an entry for each time and stays in the training state."""

    def __init__(self, every: int) -> None:
        self.every = every
        self.history: list[dict[str, Any]] = []

    def state_dict(self) -> dict[str, Any]:
        return {"history": self.history}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.history = list(state_dict["history"])

    def choose(self, model: Network) -> list[str]:
        """Give a trained network the weights that were measured as best; return sentences for its card."""
        return []


class Validation(PeriodicMeasurement):
    """Score data sets every so many steps: an entry has ``step`` and the figure of every domain."""

    def __init__(self, sets: Sequence[Samples], every: int) -> None:
        super().__init__(every)
        self.sets = sets

    def on_train_batch_end(self, trainer: L.Trainer, task: L.LightningModule, *_: Any) -> None:
        if trainer.global_step % self.every == 0 and trainer.is_global_zero:
            assert isinstance(task, Learning)
            task.model.eval()
            figures = {data.domain: evaluate(task.model, data).figure for data in self.sets}
            task.model.train()
            self.history.append({"step": trainer.global_step, **figures})
            rank_zero_info(f"step {trainer.global_step}: " + ", ".join(f"{k} {v:.4f}" for k, v in figures.items()))


class Task(ABC, Generic[C]):
    """One kind of training data, for networks with one class of config.

    ``routescope.zoo.cards.write`` uses it too, see ``routescope.zoo.cards.ScoredTask``.

    Attributes:
        samples: the word for samples on a card.
        augments: whether a card says if they were augmented.
    """

    samples: ClassVar[str]
    augments: ClassVar[bool] = False

    @abstractmethod
    def stream(self, config: C, settings: TrainingSettings, sources: Sources) -> tuple[Stream[Any], C]:
        """Return the training data, and the config with what the data decides: classes, sizes, words.

        Raises:
            DataError: a source that cannot be read, or one that is missing.
            TypeError: settings of another kind of training.
        """

    @abstractmethod
    def learning(self, architecture: str, config: C, settings: TrainingSettings) -> Learning:
        """Return a new network, drawn from torch's global generator, with the loss of a step."""

    @abstractmethod
    def measured(self, config: C, settings: TrainingSettings, sources: Sources) -> PeriodicMeasurement:
        """Return what measures the network during training; raises DataError for a source that cannot be read."""

    def start(self, learning: Learning) -> None:
        """Train in place before the first step; not called when a training is resumed."""

    def notes(self, config: C, settings: TrainingSettings) -> list[str]:
        """Return sentences for the card on differences from the paper, and on what the paper does not say."""
        return []

    @abstractmethod
    def scored(self, config: C, sources: Sources) -> Titled:
        """Return the data sets that a card scores, with titles."""

    @abstractmethod
    def not_shown(self, config: C, sources: Sources) -> str:
        """Describe the data that training did not show, apart from held-out domains."""

    def held_out(self, config: C) -> tuple[str, ...]:
        """Return the domains that training did not show."""
        return config.held_out

    def left_out(self, data: Samples) -> Bool[np.ndarray, " sample"]:
        """Return which samples are of combinations that training leaves out."""
        return np.zeros(len(data), bool)

    def beyond(self, config: C) -> tuple[int, ...]:
        """Return the numbers of iterations that the test split is scored after, beside the trained number."""
        return ()

    def on_intervals(self, config: C) -> str | None:
        """Return why the scored samples are less independent than the intervals assume; None if they are not."""
        return None

    def sets_of_kind(
        self, kind: type[D], config: C, sources: Sources, split: str, limit: int | None = None, **options: Any
    ) -> list[D]:
        """Load a split of every domain with ``options`` of ``data.load``; raises TypeError for another kind."""
        loaded = [load(name, split, sources.get(name), limit, **options) for name in config.domains]
        sets = [data for data in loaded if isinstance(data, kind)]
        if len(sets) < len(loaded):
            domains = ", ".join(config.domains)
            raise TypeError(f"this network is trained on {self.samples}; not all of {domains} are {self.samples}")
        return sets


def titled(sets: Iterable[Samples]) -> Titled:
    """Return data sets with their titles and splits."""
    return [(f"{data.title}, {data.split}", data) for data in sets]


def counted(sets: Iterable[Samples]) -> tuple[tuple[str, int | None], ...]:
    """Return the titles and splits of data sets with their numbers of samples: the ``parts`` of a stream."""
    return tuple((title, len(data)) for title, data in titled(sets))


def shuffled(count: int, seed: int, epoch: int) -> torch.Tensor:
    """Return the positions of ``count`` samples, (count,), in an order that the seed and the epoch decide."""
    return torch.randperm(count, generator=torch.Generator().manual_seed(seed * 1_000_003 + epoch))
