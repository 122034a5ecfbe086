"""Training a recipe on Lightning, interrupted or not, on one device or several; then its checkpoint and its card."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any

import lightning as L
import torch
from lightning.pytorch.callbacks import ModelCheckpoint, RichProgressBar

from routescope import assets
from routescope.training.batches import Batches, Stream
from routescope.training.recipes.networks import RECIPES
from routescope.training.settings import ROUNDED, TrainingSettings
from routescope.training.state import Randomness, SafetensorsCheckpointIO
from routescope.training.tasks.mixture import Mixture
from routescope.training.tasks.pictures import Shuffled
from routescope.training.tasks.registry import TASKS
from routescope.training.tasks.task import Learning, PeriodicMeasurement
from routescope.zoo import cards, checkpoint


def train(
    name: str = "ni-digits",
    sources: Mapping[str, str] | None = None,
    settings: TrainingSettings | None = None,
    config: Any | None = None,
    folder: str | Path | None = None,
    resume: bool = True,
    progress: bool = True,
    mixture: Mixture | Stream[Any] | None = None,
) -> Path:
    """Train a recipe and write its checkpoint and model card.

    A training that goes on from its state ends, on the same machine, in the same bits as one that was not interrupted.

    Args:
        name: one of ``RECIPES``; the model's id.
        sources: real data sets by name, each a folder of parquet, a file or a hub name.
        settings, config: instead of the recipe's.
        folder: where ``model.safetensors``, the card and the training state go; the user's data folder when None.
        resume: go on from the folder's training state when there is one.
        mixture: the training data, instead of the data made from ``sources``.

    Returns:
        The folder.

    Raises:
        ValueError: an unknown name. DataError: a source that cannot be read.
    """
    if name not in RECIPES:
        raise ValueError(f"unknown recipe {name!r}; there are {', '.join(RECIPES)}")
    recipe, sources = RECIPES[name], sources or {}
    task = TASKS[recipe.data]
    config, settings = config or recipe.config, settings or recipe.settings
    folder = Path(folder) if folder is not None else assets.data_dir() / "checkpoints" / name
    torch.manual_seed(settings.seed)
    stream: Stream[Any]
    if mixture is None:
        stream, config = task.stream(config, settings, sources)
    else:
        stream = Shuffled(mixture, settings.batch_size, settings.seed) if isinstance(mixture, Mixture) else mixture
    settings = settings.for_data(stream.count or 1)
    measured = task.measured(config, settings, sources)
    learning = task.learning(recipe.architecture, config, settings)
    if not (resume and state_of(folder).is_file()):
        task.start(learning)
    if not fit(learning, stream, settings, folder, measured, resume, progress):
        return folder  # interrupted: the training state is kept, nothing is published
    learning.finished()
    model = learning.model.eval()
    sentences = [*task.notes(config, settings), *measured.choose(model)]
    sentences += [ROUNDED[settings.stored]] if settings.stored in ROUNDED else []
    checkpoint.save(model, folder / "model.safetensors", {"name": name}, settings.stored)
    facts = {
        "settings": asdict(settings),
        "epochs": round(settings.steps * settings.batch_size / stream.count, 2) if stream.count else None,
        "training_data": [{"what": what, "count": number} for what, number in stream.parts],
        "history": measured.history,
        "notes": sentences,
    }
    cards.write(folder, name, sources, facts, task)
    return folder


def state_of(folder: Path) -> Path:
    """Return the file of a folder's training state."""
    return folder / "training" / "last.ckpt"


def fit(
    learning: Learning,
    stream: Stream[Any],
    settings: TrainingSettings,
    folder: Path,
    measured: PeriodicMeasurement,
    resume: bool = True,
    progress: bool = True,
) -> bool:
    """Take the remaining steps of a training, from the state in ``folder`` if there is one.

    Args:
        settings: with ``steps``, not epochs.

    Returns:
        Whether this process is to publish what was learned: all steps are done, and it is the first process.
    """
    trainer, state = trainer_of(settings, folder, measured, progress), state_of(folder)
    ckpt_path = str(state) if resume and state.is_file() else None
    trainer.fit(learning, Batches(stream, settings, trainer), ckpt_path=ckpt_path, weights_only=True)
    return trainer.global_step >= settings.steps and trainer.is_global_zero


def trainer_of(settings: TrainingSettings, folder: Path, measured: PeriodicMeasurement, progress: bool) -> L.Trainer:
    """Return a trainer that measures, and saves its state in ``folder/training`` every ``settings.minutes``."""
    keeper = ModelCheckpoint(
        folder / "training",
        filename="last",
        train_time_interval=timedelta(minutes=settings.minutes),
        save_on_train_epoch_end=True,
        enable_version_counter=False,
    )
    shown = [RichProgressBar(refresh_rate=20)] if progress else []
    return L.Trainer(
        max_steps=settings.steps,
        precision=settings.precision,  # type: ignore[arg-type]
        accelerator=settings.accelerator,
        devices=settings.devices,
        gradient_clip_val=settings.gradient_clipping,
        callbacks=[keeper, measured, Randomness(settings.seed), *shown],
        enable_progress_bar=progress,
        enable_model_summary=False,
        logger=False,
        plugins=[SafetensorsCheckpointIO()],
        use_distributed_sampler=False,  # every process takes the steps that are its own
        default_root_dir=folder,
    )
