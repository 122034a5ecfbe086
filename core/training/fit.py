"""Training on Lightning: progress, checkpoints, resume, mixed precision, several devices."""

from collections.abc import Mapping, Sized
from dataclasses import asdict, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import lightning as L
from lightning.pytorch.callbacks import Callback, ModelCheckpoint, RichProgressBar
from lightning.pytorch.utilities import rank_zero_info
from torch.utils.data import DataLoader

from core import assets
from core.data import DataError, load, options_for
from core.routing.caused.scores import evaluate
from core.training.recipes.networks import FAMILIES, LADDER, RECIPES, named
from core.training.settings import Recipe, TrainingSettings, cosine
from core.training.state import SafetensorsCheckpointIO, seed_everywhere
from core.training.tasks import blocks as training_blocks
from core.training.tasks.blocks import BlockLearning, BlockStream
from core.training.tasks.grounding import ground
from core.training.tasks.mixture import Mixture, digits_mixture, pictures_mixture
from core.training.tasks.pictures import Classification, routing_information
from core.training.tasks.statements import Judgement, StatementStream, batches, stream_of
from core.zoo import cards, checkpoint

__all__ = [
    "FAMILIES",
    "LADDER",
    "RECIPES",
    "Classification",
    "Recipe",
    "TrainingSettings",
    "Validation",
    "cosine",
    "named",
    "routing_information",
    "train",
]


class Validation(Callback):
    """Scores the validation sets every so many steps and keeps the figures."""

    def __init__(self, config: Any, every: int, limit: int = 500, sources: Mapping[str, str] | None = None) -> None:
        there = sources or {}
        self.sets = [
            load(domain, "validation", there.get(domain), limit, **options_for(config, domain))
            for domain in config.domains
        ]
        self.every = every
        self.history: list[dict[str, float]] = []

    def on_train_batch_end(self, trainer: L.Trainer, task: L.LightningModule, *_: Any) -> None:
        if trainer.global_step % self.every == 0 and trainer.is_global_zero:
            assert isinstance(task, Classification)
            task.model.eval()
            scores = {data.domain: evaluate(task.model, data).accuracy for data in self.sets}
            task.model.train()
            self.history.append({"step": trainer.global_step, **scores})
            rank_zero_info(f"step {trainer.global_step}: " + ", ".join(f"{k} {v:.2%}" for k, v in scores.items()))


def mixture_of(recipe: Recipe, config: Any, sources: Mapping[str, str]) -> tuple[Mixture, Any]:
    """The training data of a recipe, and the config with the classes and the size of the pictures where these decide.

    Domains that the config holds out are left out.

    Raises:
        DataError: pictures out of distribution without those that are trained on.
    """
    if recipe.data == "digits":
        held_out = getattr(config, "held_out", ())
        return digits_mixture(sources, tuple(domain for domain in config.domains if domain not in held_out)), config
    if "images-ood" in sources and "images" not in sources:
        raise DataError("images-ood is held out from images of the same classes: give images=FOLDER too")
    mixture, classes = pictures_mixture(sources)
    sizes = {"classes": len(classes), "class_names": classes, "image_size": mixture.images.shape[-1]}
    if "images" in sources and "images-ood" not in sources:  # the stand-in has other classes than the pictures given
        return mixture, replace(config, domains=("images",), held_out=(), **sizes)
    return mixture, replace(config, **sizes)


def notes(config: Any, settings: TrainingSettings) -> list[str]:
    """Sentences for the model card on what a training does otherwise than the paper of Neural Attentive Circuits."""
    found = []
    if settings.initial_filters == "contrast" and getattr(config, "tokenizer", None) == "convnext":
        found.append(
            "The filters of the tokenizer's first convolution started without their means and doubled, so that short "
            "trainings get further; the paper says nothing of their start."
        )
    if settings.initial_signatures == "fitted" and getattr(config, "prior", None) is not None:
        found.append(
            "Signatures started fitted to a graph sampled from the prior: a short training moves them little. What the "
            "learned graph has in common with the prior is therefore in part its start."
        )
    if settings.grounding_steps:
        found.append(
            f"The picture tokenizer first learned, in {settings.grounding_steps:,} steps of its own, to name colour, "
            "shape and size of what lies in each patch of a scene; the paper's circuits read frozen CLIP features."
        )
    if settings.lessons:
        found.append(
            f"The first {settings.lessons[-1]:,} steps were lessons: statements that there is a thing of a colour, "
            "then of a shape, then of both. Statements of all kinds came after them."
        )
    if "nlvr" in config.domains:
        found.append(
            "NLVR shows every picture in six orders of its boxes, all with one label: statements are not independent, "
            "and intervals narrower than they would be of different pictures. Where no file is for training, it "
            "learned from four fifths of the development sentences; the others are the validation split."
        )
    sees = getattr(config, "sees", "both")
    if sees != "both":
        hidden = "every picture" if sees == "sentence" else "every sentence"
        found.append(
            f"A control: {hidden} is blank to it. Statements come in quadruples in which neither words nor pictures "
            "alone tell true from false, so that it can be right half of the time only."
        )
    return found


def said_of_grounding(step: int, loss: float) -> None:
    """A line every so often."""
    if step % 500 == 0:
        rank_zero_info(f"grounding {step}: loss {loss:.3f}")


def train(
    name: str = "ni-digits",
    sources: Mapping[str, str] | None = None,
    settings: TrainingSettings | None = None,
    config: Any | None = None,
    folder: str | Path | None = None,
    resume: bool = True,
    progress: bool = True,
    mixture: Mixture | BlockStream | None = None,
) -> Path:
    """Train a recipe and write its checkpoint and model card.

    Args:
        name: one of ``RECIPES``; the model's id.
        sources: real data sets by name, each a folder of parquet, a file or a hub name.
        settings, config: instead of the recipe's.
        folder: where ``model.safetensors``, the card and the training state go; the user's data folder when None.
        resume: go on from the folder's training state when there is one.
        mixture: the training data, instead of the one made from ``sources``; not of statements.

    Returns:
        The folder.
    """
    if name not in RECIPES:
        raise ValueError(f"unknown recipe {name!r}; there are {', '.join(RECIPES)}")
    recipe = RECIPES[name]
    config, settings = config or recipe.config, settings or recipe.settings
    folder = Path(folder) if folder is not None else assets.data_dir() / "checkpoints" / name
    state = folder / "training" / "last.ckpt"
    generator = seed_everywhere(settings.seed)
    learned: Mixture | StatementStream | BlockStream
    if recipe.data == "statements":
        learned, config = stream_of(config, settings, sources or {})
    elif mixture is not None:
        learned = mixture
    elif recipe.data == "blocks":
        learned = training_blocks.stream_of(config, settings, sources or {})
    else:
        learned, config = mixture_of(recipe, config, sources or {})
    count = len(learned) if isinstance(learned, Sized) else None
    settings = settings.for_data(count or 1)
    scored = {} if recipe.data == "digits" else (sources or {})
    validation: Validation | training_blocks.History
    if recipe.data == "blocks":
        validation = training_blocks.history_of(config, settings)
    else:
        validation = Validation(config, settings.validate_every, sources=scored)
    keeper = ModelCheckpoint(
        folder / "training",
        filename="last",
        train_time_interval=timedelta(minutes=settings.minutes),
        save_on_train_epoch_end=True,
        enable_version_counter=False,
    )
    trainer = L.Trainer(
        max_steps=settings.steps,
        precision=settings.precision,  # type: ignore[arg-type]
        accelerator=settings.accelerator,
        devices=settings.devices,
        gradient_clip_val=settings.gradient_clipping,
        callbacks=[keeper, validation, *([RichProgressBar(refresh_rate=20)] if progress else [])],
        enable_progress_bar=progress,
        enable_model_summary=False,
        logger=False,
        plugins=[SafetensorsCheckpointIO()],
        use_distributed_sampler=recipe.data not in ("statements", "blocks"),
        default_root_dir=folder,
    )
    task: Classification | BlockLearning
    if isinstance(learned, Mixture):
        loader: Any = DataLoader(
            learned,
            batch_size=settings.batch_size,
            shuffle=True,
            drop_last=len(learned) >= settings.batch_size,
            generator=generator,
            collate_fn=lambda batch: batch,
        )
        task = Classification(recipe.architecture, config, settings)
    else:
        loader = batches(learned, settings, trainer)
        learns = BlockLearning if recipe.data == "blocks" else Judgement
        task = learns(recipe.architecture, config, settings)
    resumed = resume and state.is_file()
    if resumed:
        generator.manual_seed(settings.seed + hash(state.stat().st_mtime_ns) % 2**31)
    elif settings.grounding_steps:
        ground(task.model, settings.grounding_steps, settings.batch_size, settings.seed, said_of_grounding)
    trainer.fit(task, loader, ckpt_path=str(state) if resumed else None, weights_only=True)
    if trainer.global_step < settings.steps:
        return folder  # interrupted: the training state is kept, nothing is published
    if trainer.is_global_zero:
        said = notes(config, settings)
        if isinstance(task, Classification):
            task.note_order()
        model = task.model.eval()
        if isinstance(validation, training_blocks.History):
            said = [*training_blocks.notes(config, settings), *validation.choose(model)]
        checkpoint.save(training_blocks.stored(model, settings), folder / "model.safetensors", {"name": name})
        facts = {
            "settings": asdict(settings),
            "epochs": round(settings.steps * settings.batch_size / count, 2) if count else None,
            "training_data": [{"what": what, "count": number} for what, number in learned.parts],
            "history": validation.history,
            "notes": said,
        }
        cards.write(folder, name, sources or {}, facts)
    return folder
