"""Batches by the number of their step: what every kind of training data is, and the loader that gives it to a training.

What is drawn at a step depends on the seed and on the step alone, so that a training that goes on from a saved step
gets the batches that an uninterrupted one gets, wherever in an epoch it stopped.
"""

from collections.abc import Iterator
from typing import Any, Protocol, TypeVar

import lightning as L
import torch
from torch.utils.data import DataLoader, Sampler

from routescope.training.settings import TrainingSettings

Batch_co = TypeVar("Batch_co", covariant=True)


class Stream(Protocol[Batch_co]):
    """Batches by step: the same step gives the same batch, in whatever order batches are asked for.

    ``parts`` says in words what each portion is and how many samples it has, None of what has no end. ``count`` is how
    many samples are shown before one comes again; None of what is drawn anew for every step.
    """

    @property
    def parts(self) -> tuple[tuple[str, int | None], ...]: ...

    @property
    def count(self) -> int | None: ...

    def __getitem__(self, step: int) -> Batch_co: ...


class FromStep(Sampler[int]):
    """The steps of this process, from the one that the training is at."""

    def __init__(self, trainer: L.Trainer, steps: int) -> None:
        self.trainer, self.steps = trainer, steps

    def __iter__(self) -> Iterator[int]:
        processes, rank = self.trainer.world_size, self.trainer.global_rank
        yield from (step * processes + rank for step in range(self.trainer.global_step, self.steps))

    def __len__(self) -> int:
        return self.steps


class Batches(DataLoader[Any]):
    """Batches of the remaining steps, made by ``settings.workers`` processes beside the training.

    It goes on where the trainer is; ``state_dict`` tells Lightning so, which warns of loaders that cannot.
    """

    def __init__(self, stream: Stream[Any], settings: TrainingSettings, trainer: L.Trainer) -> None:
        super().__init__(
            stream,  # type: ignore[arg-type]  # a stream has an item for every step, and no length
            batch_size=None,
            sampler=FromStep(trainer, settings.steps),
            collate_fn=_as_it_is,
            num_workers=settings.workers,
            prefetch_factor=4 if settings.workers else None,
            generator=torch.Generator(),  # or seeds of workers would be taken from the numbers of the training
        )
        self._trainer = trainer

    def state_dict(self) -> dict[str, int]:
        """Return the next step."""
        return {"step": self._trainer.global_step}

    def load_state_dict(self, state: dict[str, int]) -> None:
        """Do nothing: the trainer has the step."""


def _as_it_is(batch: Any) -> Any:
    return batch
