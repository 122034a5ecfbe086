"""The contract of a kind of training data: its batches, the loss of a step, what is measured on the way and scored.

``routescope.training.fit.train`` asks nothing else of it. A new kind is a :class:`Task` in a file of its own, and a
line in ``routescope.training.tasks.registry``.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar

import lightning as L
import numpy as np
from jaxtyping import Bool
from lightning.pytorch.callbacks import Callback

from routescope.data.samples import Samples
from routescope.nn.config import Config
from routescope.nn.network import Network
from routescope.training.batches import Stream
from routescope.training.settings import TrainingSettings

C = TypeVar("C", bound=Config)


class Learning(L.LightningModule):
    """A network with the loss of a step, its optimiser and the settings of its training."""

    model: Network
    settings: TrainingSettings

    def finished(self) -> None:
        """Called once when the last step is done: what the network keeps of its training."""


class PeriodicMeasurement(Callback):
    """Measures a network every so many steps; ``history``, an entry for each time, stays in the training state."""

    def __init__(self, every: int) -> None:
        self.every = every
        self.history: list[dict[str, Any]] = []

    def state_dict(self) -> dict[str, Any]:
        return {"history": self.history}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.history = list(state_dict["history"])

    def choose(self, model: Network) -> list[str]:
        """Give a network that is trained the weights that measurements speak for; sentences for its card."""
        return []


class Task(ABC, Generic[C]):
    """One kind of training data, for networks with a config of one kind.

    It is what ``routescope.zoo.cards.write`` asks for too, see ``routescope.zoo.cards.ScoredTask``.

    Attributes:
        samples: the word for samples on a card.
        augments: whether a card says if they were augmented.
    """

    samples: ClassVar[str]
    augments: ClassVar[bool] = False

    @abstractmethod
    def stream(
        self, config: C, settings: TrainingSettings, sources: Mapping[str, str], given: Any = None
    ) -> tuple[Stream[Any], C]:
        """The training data, and the config with what the data decides: classes, sizes, words.

        Args:
            sources: real data sets by name.
            given: training data that takes the place of that made from ``sources``, where a kind takes any.

        Raises:
            DataError: a source that cannot be read, or one that is missing.
            TypeError: settings of another kind of training.
        """

    @abstractmethod
    def learning(self, architecture: str, config: C, settings: TrainingSettings) -> Learning:
        """A network as it starts, drawn from torch's global generator, with the loss of a step."""

    @abstractmethod
    def measured(self, config: C, settings: TrainingSettings, sources: Mapping[str, str]) -> PeriodicMeasurement:
        """What is measured on the way.

        Raises:
            DataError: a source that cannot be read.
        """

    def start(self, learning: Learning) -> None:
        """What is learned before the first step, in place; not by a training that goes on."""

    def notes(self, config: C, settings: TrainingSettings) -> list[str]:
        """Sentences for the card on what a training does otherwise than the paper, or the paper does not say."""
        return []

    @abstractmethod
    def scored(self, config: C, sources: Mapping[str, str]) -> list[tuple[str, Samples]]:
        """What a card scores, with words for it."""

    @abstractmethod
    def not_shown(self, config: C, sources: Mapping[str, str]) -> str:
        """What training has not seen, but for domains that are held out."""

    def held_out(self, config: C) -> tuple[str, ...]:
        """Domains that training never saw."""
        return config.held_out

    def left_out(self, data: Samples) -> Bool[np.ndarray, " sample"]:
        """Which samples are of combinations that training leaves out."""
        return np.zeros(len(data), bool)

    def beyond(self, config: C) -> tuple[int, ...]:
        """Numbers of iterations that the test split is scored after too, beside the one of training."""
        return ()

    def on_intervals(self, config: C) -> str | None:
        """Why the samples that are scored are not as independent as intervals take them to be; None where they are."""
        return None
