"""A trial of a sweep: plain data that says all of one short training, and what its network is then worth."""

import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, Self

import lightning as L
import torch
from lightning.pytorch.callbacks import Callback

from routescope.data import Dataset
from routescope.nn.config import Config
from routescope.nn.registry import ARCHITECTURES
from routescope.routing.caused.scores import evaluate
from routescope.training.batches import Batches
from routescope.training.settings import TrainingSettings
from routescope.training.tasks.mixture import Mixture
from routescope.training.tasks.pictures import Classification, Shuffled

#: Told (steps done, steps in all) on the way.
Look = Callable[[int, int], None]


@dataclass(frozen=True)
class SweepTrial:
    """One training of a sweep as JSON data; it is the same on every machine that runs it.

    Attributes:
        number: its place in the sweep.
        drawn: the hyper-parameters that the sweep varies, by their names in the config.
        architecture: name in the registry.
        config: every size of the network, drawn ones included.
        settings: how it is trained; its ``seed`` is of first weights, order of samples and augmentation.
        threads: of the processor. Sums of other numbers of threads may differ in their last bit.
    """

    number: int
    drawn: Mapping[str, float | int | bool]
    architecture: str
    config: Mapping[str, Any]
    settings: Mapping[str, Any]
    threads: int = 1

    @property
    def name(self) -> str:
        """The trial's number and hyper-parameters in words."""
        values = (
            f"{key} {value:.3f}" if isinstance(value, float) else f"{key} {value}" for key, value in self.drawn.items()
        )
        return f"trial {self.number + 1}: {', '.join(values)}"

    @property
    def as_data(self) -> dict[str, Any]:
        """The trial as plain data for ``from_data``."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the trial of ``as_data``, also after a conversion to JSON and back."""
        return cls(**data)

    @property
    def network_config(self) -> Config:
        """The config of the network."""
        config: Config = ARCHITECTURES[self.architecture].config.from_json(json.dumps(self.config))
        return config

    @property
    def training(self) -> TrainingSettings:
        """The settings of the training."""
        return TrainingSettings(**{name: _tuples(value) for name, value in self.settings.items()})


@dataclass(frozen=True, eq=False)
class SweepData:
    """The data that every trial of a sweep is trained on, and the sets that its network is scored on."""

    mixture: Mixture
    sets: tuple[Dataset, ...]


def train_trial(trial: SweepTrial, data: SweepData, look: Look | None = None) -> dict[str, Any]:
    """Train a trial's network and score it.

    Returns:
        Plain data: ``accuracy`` by domain (share of samples), ``right`` and ``count`` by domain, ``parameters`` and
        how many of them are ``learned``, the mean training ``loss`` (nats) over the last tenth of the steps (None where
        it is no finite number), and ``seconds``.
    """
    started, settings = time.perf_counter(), trial.training
    watch = _Watch(settings.steps, look)
    with torch.random.fork_rng(), _threads(trial.threads), _quiet():
        torch.manual_seed(settings.seed)
        learning = Classification(trial.architecture, trial.network_config, settings)
        trainer = L.Trainer(
            max_steps=settings.steps,
            precision=settings.precision,  # type: ignore[arg-type]
            accelerator=settings.accelerator,
            devices=settings.devices,
            gradient_clip_val=settings.gradient_clipping,
            callbacks=[watch],
            enable_progress_bar=False,
            enable_model_summary=False,
            enable_checkpointing=False,
            logger=False,
            use_distributed_sampler=False,
        )
        stream = Shuffled(data.mixture, settings.batch_size, settings.seed)
        trainer.fit(learning, Batches(stream, settings, trainer))
        model = learning.model.eval()
        scores = {dataset.domain: evaluate(model, dataset) for dataset in data.sets}
    sizes = [(parameter.numel(), parameter.requires_grad) for parameter in model.parameters()]
    return {
        "accuracy": {domain: score.accuracy for domain, score in scores.items()},
        "right": {domain: int(score.correct.sum()) for domain, score in scores.items()},
        "count": {domain: score.count for domain, score in scores.items()},
        "parameters": sum(size for size, _ in sizes),
        "learned": sum(size for size, learns in sizes if learns),
        "loss": watch.loss,
        "seconds": round(time.perf_counter() - started, 3),
    }


class _Watch(Callback):
    """Report the progress of a training, and keep the losses of its last tenth."""

    def __init__(self, steps: int, look: Look | None) -> None:
        self.steps, self.look = steps, look
        self.losses: list[float] = []

    @property
    def loss(self) -> float | None:
        """The mean of the losses; None if it is not finite."""
        mean = sum(self.losses) / len(self.losses)
        return mean if abs(mean) < float("inf") else None

    def on_train_batch_end(self, trainer: L.Trainer, pl_module: L.LightningModule, outputs: Any, *_: Any) -> None:
        if trainer.global_step > 0.9 * self.steps - 1:
            self.losses.append(float(outputs["loss"]))
        if self.look is not None:
            self.look(trainer.global_step, self.steps)


@contextmanager
def _threads(count: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress the lines that Lightning logs at the start and end of a training."""
    log = logging.getLogger("lightning.pytorch")
    before = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(before)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
