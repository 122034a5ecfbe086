"""Training on matrices: the right one of eight answers, by the cross-entropy of a softmax over their scores."""

from collections.abc import Mapping, Sequence
from typing import Any

import lightning as L
import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int64, UInt8
from lightning.pytorch.utilities import rank_zero_info
from torch import Tensor

from routescope.data import load
from routescope.data.cache import mapped
from routescope.data.matrices.rendering import SIDE
from routescope.data.matrices.sets import LAYOUT, MatrixSet
from routescope.data.samples import Samples
from routescope.nn.config import Config
from routescope.nn.inputs.matrices import Matrices
from routescope.nn.inputs.matrix_files import PANELS
from routescope.nn.network import Network
from routescope.nn.registry import ARCHITECTURES
from routescope.routing.caused.scores import evaluate
from routescope.training.batches import Stream
from routescope.training.settings import TrainingSettings, cosine, parameter_groups
from routescope.training.tasks.task import Learning, PeriodicMeasurement, Task

#: Matrices of each validation set that are scored on the way.
SCORED = 500
#: Matrices that are made into pictures at once.
RENDERED = 256

MatrixBatch = tuple[Float[Tensor, "B 16 side side"], Int64[Tensor, " B"], Int64[Tensor, " B"]]


def pictures_of(data: MatrixSet) -> UInt8[np.ndarray, "sample 16 side side"]:
    """Panels of all matrices of a set: those that were read as they are, those that were drawn on disk, made once."""
    if data.symbols is None:
        return data.pictures(slice(None))

    def fill(panels: np.ndarray) -> None:
        for start in range(0, len(data), RENDERED):
            panels[start : start + RENDERED] = data.pictures(slice(start, start + RENDERED))

    parameters = {"layout": LAYOUT, "name": data.name, "split": data.split, "count": len(data), "side": data.side}
    return mapped("matrix-panels", parameters, (len(data), PANELS, data.side, data.side), fill)


class ShuffledMatrices:
    """Batches of matrices of one or several sets: every matrix once an epoch, in an order of seed and epoch.

    Args:
        sets: one a head of the network, in the order of the heads.
    """

    def __init__(self, sets: Sequence[MatrixSet], batch_size: int, seed: int) -> None:
        self.pictures = [pictures_of(data) for data in sets]
        self.labels = torch.cat([data.labels for data in sets])
        self.heads = torch.cat([torch.full((len(data),), head) for head, data in enumerate(sets)])
        self.places = torch.cat([torch.arange(len(data)) for data in sets])
        self.batch_size, self.seed = min(batch_size, len(self.labels)), seed
        self.parts: tuple[tuple[str, int | None], ...] = tuple(
            (f"{data.title}, {data.split}", len(data)) for data in sets
        )
        self.count: int | None = len(self.labels)

    def __getitem__(self, step: int) -> MatrixBatch:
        """Greys of panels, right answers, and heads."""
        epoch, place = divmod(step, len(self.labels) // self.batch_size)
        rows = self.order(epoch)[place * self.batch_size : (place + 1) * self.batch_size]
        heads, places = self.heads[rows], self.places[rows]
        panels = [self.pictures[head][at] for head, at in zip(heads.tolist(), places.tolist(), strict=True)]
        return torch.from_numpy(np.stack(panels)).float() / 255, self.labels[rows], heads

    def order(self, epoch: int) -> Int64[Tensor, " sample"]:
        """All matrices as they come in an epoch, counted from 0."""
        return torch.randperm(len(self.labels), generator=torch.Generator().manual_seed(self.seed * 1_000_003 + epoch))


class AnswerTraining(Learning):
    """The cross-entropy of the softmax over the scores of the eight answers; RAdam, as Table 7 has it, or AdamW."""

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
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: cosine(step, self.settings))
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": schedule, "interval": "step"}}


class Chosen(PeriodicMeasurement):
    """Accuracy on the way: entries have ``step`` and the accuracy on every validation set."""

    def __init__(self, sets: Sequence[MatrixSet], every: int) -> None:
        super().__init__(every)
        self.sets = sets

    def on_train_batch_end(self, trainer: L.Trainer, task: L.LightningModule, *_: Any) -> None:
        step = trainer.global_step
        if step % self.every or not trainer.is_global_zero:
            return
        assert isinstance(task, Learning)
        task.model.eval()
        found = {data.domain: evaluate(task.model, data).accuracy for data in self.sets}
        task.model.train()
        self.history.append({"step": step, **found})
        rank_zero_info(f"step {step}: " + ", ".join(f"{name} {value:.3f}" for name, value in found.items()))


class MatricesTask(Task[Config]):
    """Matrices: the domains of a network that chooses among answers, drawn or read from published files."""

    samples = "matrices"

    def sets(
        self,
        config: Config,
        sources: Mapping[str, str],
        split: str,
        limit: int | None = None,
        side: int | None = None,
    ) -> list[MatrixSet]:
        """One a domain.

        Args:
            side: of the panels in pixels; None: as they are kept, and as everybody scores them: the network brings
                them to its own.

        Raises:
            TypeError: a domain that is no set of matrices.
        """
        found = [load(name, split, sources.get(name), limit, side=side) for name in config.domains]
        sets = [data for data in found if isinstance(data, MatrixSet)]
        if len(sets) < len(found):
            raise TypeError(f"a network of matrices is trained on them; {', '.join(config.domains)} are not all such")
        return sets

    def stream(
        self, config: Config, settings: TrainingSettings, sources: Mapping[str, str], given: Any = None
    ) -> tuple[Stream[Any], Config]:
        if given is not None:
            return given, config
        sets = self.sets(config, sources, "train", side=config.picture_side)
        return ShuffledMatrices(sets, settings.batch_size, settings.seed), config

    def learning(self, architecture: str, config: Config, settings: TrainingSettings) -> Learning:
        return AnswerTraining(ARCHITECTURES[architecture].network(config), settings)

    def measured(self, config: Config, settings: TrainingSettings, sources: Mapping[str, str]) -> PeriodicMeasurement:
        return Chosen(self.sets(config, sources, "validation", SCORED), settings.validate_every)

    def notes(self, config: Config, settings: TrainingSettings) -> list[str]:
        said = ["An eighth of the answers is right by chance."]
        if config.picture_side != SIDE:
            said.append(f"Panels have {config.picture_side} pixels a side; the paper's have {SIDE}.")
        if any(name.startswith("pgm-small-") for name in config.domains):
            said.append(
                "The matrices have fewer rules than the paper's: progression and consistent union of sizes, colours "
                "and the number of shapes, and of the colours of lines, one or two a matrix; nothing distracts."
            )
        return said

    def scored(self, config: Config, sources: Mapping[str, str]) -> list[tuple[str, Samples]]:
        """Validation, which is like training, and test, which shows what the regime holds out."""
        return [
            (f"{data.title}, {data.split}", data)
            for split in ("validation", "test")
            for data in self.sets(config, sources, split)
        ]

    def not_shown(self, config: Config, sources: Mapping[str, str]) -> str:
        return "The validation and test splits, and what the regime holds out for testing."
