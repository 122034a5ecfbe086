"""Training on Lightning: progress, checkpoints, resume, mixed precision, several devices."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import lightning as L
import torch
import torch.nn.functional as F
from jaxtyping import Float
from lightning.pytorch.callbacks import Callback, ModelCheckpoint, RichProgressBar
from lightning.pytorch.utilities import rank_zero_info
from torch import Tensor
from torch.utils.data import DataLoader

from core import assets, cards, checkpoint
from core.data import load
from core.nn.neural_interpreter import NeuralInterpreter, NeuralInterpreterConfig
from core.routing.metrics import evaluate
from core.training_data import Mixture, augment, digits_mixture
from core.training_state import SafetensorsCheckpointIO, seed_everywhere


@dataclass(frozen=True)
class TrainingSettings:
    """How a network is trained. The learning rate falls by a cosine over ``decay_share`` of the steps.

    ``routing_weight`` is the share of ``routing_information`` in the objective; the paper has none of it (0).
    ``precision`` and ``devices`` are Lightning's; ``minutes`` between two checkpoints.
    """

    steps: int = 25_000
    batch_size: int = 128
    learning_rate: float = 3e-3
    least_learning_rate: float = 3e-5
    decay_share: float = 0.9
    augment: bool = True
    routing_weight: float = 0.0
    seed: int = 0
    precision: str = "bf16-mixed"
    devices: int | str = "auto"
    accelerator: str = "auto"
    minutes: float = 3.0
    validate_every: int = 1000


#: The bundled model's size, chosen so that two CPU cores score 1,000 images in about a second.
NI_DIGITS = NeuralInterpreterConfig(
    features=64,
    code_features=64,
    type_features=16,
    iterations=6,
    functions=5,
    heads=2,
    key_features=32,
    type_inference_width=64,
    position_features=32,
    tau=1.2,
    tokenizer="convolutional",
    patch_size=8,
)

#: Table 4 of the paper, with the linear tokenizer; decay over 120,000 steps.
NI_DIGITS_PRINTED = NeuralInterpreterConfig()
PRINTED_SETTINGS = TrainingSettings(
    steps=150_000, learning_rate=8e-4, least_learning_rate=1e-6, decay_share=0.8, precision="32-true"
)

#: What ``routescope train`` knows: name -> (config, settings).
RECIPES: dict[str, tuple[NeuralInterpreterConfig, TrainingSettings]] = {
    "ni-digits": (NI_DIGITS, TrainingSettings(steps=10_000, routing_weight=0.08)),
    "ni-digits-printed": (NI_DIGITS_PRINTED, PRINTED_SETTINGS),
}


def cosine(step: int, settings: TrainingSettings) -> float:
    """Share of the maximal learning rate at a step: a cosine without warm-up, then its minimum (A.1.5)."""
    least = settings.least_learning_rate / settings.learning_rate
    done = min(1.0, step / max(1, settings.decay_share * settings.steps))
    return least + (1 - least) * 0.5 * (1 + torch.cos(torch.tensor(done * torch.pi)).item())


def routing_information(compatibility: Float[Tensor, "U B V"]) -> Float[Tensor, ""]:
    """Mutual information, in nats, of unit and token at one step: H(mean share) - mean H(share), 0 to ln U.

    It is large where every token goes to few functions and all functions are used.
    """
    share = compatibility.float() / (compatibility.float().sum(dim=0) + 1e-6)
    usage = share.mean(dim=(1, 2))
    conditional = -(share * (share + 1e-6).log()).sum(dim=0).mean()
    return -(usage * (usage + 1e-6).log()).sum() - conditional


class DigitsTask(L.LightningModule):
    """Cross-entropy of every sample at the head of the domain that it comes from.

    With ``settings.routing_weight``, routing that tells tokens apart is rewarded.
    """

    def __init__(self, config: NeuralInterpreterConfig, settings: TrainingSettings) -> None:
        super().__init__()
        self.settings = settings
        self.model = NeuralInterpreter(config)
        self._information: list[Tensor] = []
        if settings.routing_weight:
            self.model.probes.compatibility.register_forward_hook(
                lambda _module, _inputs, C: (
                    self._information.append(routing_information(C)) if C.requires_grad else None
                )
            )

    def training_step(self, batch: tuple[Tensor, Tensor, Tensor], _: int) -> Tensor:
        images, labels, domain = batch
        x = images.float() / 255
        logits = self.model(augment(x) if self.settings.augment else x)
        own = logits[torch.arange(len(labels), device=labels.device), domain].float()
        loss = F.cross_entropy(own, labels)
        self.log("loss", loss, prog_bar=True)
        if self._information:
            information = torch.stack(self._information).mean()
            self._information.clear()
            self.log("routing", information, prog_bar=True)
            loss = loss - self.settings.routing_weight * information
        self.log("accuracy", (own.argmax(-1) == labels).float().mean(), prog_bar=True)
        return loss

    def configure_optimizers(self) -> Any:
        parameters = [p for p in self.parameters() if p.requires_grad]
        optimizer = torch.optim.RAdam(parameters, lr=self.settings.learning_rate)
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: cosine(step, self.settings))
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": schedule, "interval": "step"}}


class Validation(Callback):
    """Scores the validation sets every so many steps and keeps the figures."""

    def __init__(self, domains: tuple[str, ...], every: int, limit: int = 1000) -> None:
        self.sets = [load(domain, "validation", limit=limit) for domain in domains]
        self.every = every
        self.history: list[dict[str, float]] = []

    def on_train_batch_end(self, trainer: L.Trainer, task: L.LightningModule, *_: Any) -> None:
        if trainer.global_step % self.every == 0 and trainer.is_global_zero:
            assert isinstance(task, DigitsTask)
            task.model.eval()
            scores = {data.domain: evaluate(task.model, data).accuracy for data in self.sets}
            task.model.train()
            self.history.append({"step": trainer.global_step, **scores})
            rank_zero_info(f"step {trainer.global_step}: " + ", ".join(f"{k} {v:.2%}" for k, v in scores.items()))


def train(
    name: str = "ni-digits",
    sources: Mapping[str, str] | None = None,
    settings: TrainingSettings | None = None,
    config: NeuralInterpreterConfig | None = None,
    folder: str | Path | None = None,
    resume: bool = True,
    progress: bool = True,
    mixture: Mixture | None = None,
) -> Path:
    """Train a recipe and write its checkpoint and model card.

    Args:
        name: one of ``RECIPES``; the model's id.
        sources: real data sets by name, each a folder of parquet, a file or a hub name.
        settings, config: instead of the recipe's.
        folder: where ``model.safetensors``, the card and the training state go; the user's data folder when None.
        resume: go on from the folder's training state when there is one.
        mixture: the training data, instead of the one made from ``sources``.

    Returns:
        The folder.
    """
    if name not in RECIPES:
        raise ValueError(f"unknown recipe {name!r}; there are {', '.join(RECIPES)}")
    config, settings = config or RECIPES[name][0], settings or RECIPES[name][1]
    folder = Path(folder) if folder is not None else assets.data_dir() / "checkpoints" / name
    state = folder / "training" / "last.ckpt"
    generator = seed_everywhere(settings.seed)
    mixture = mixture or digits_mixture(sources or {}, config.domains)
    validation = Validation(config.domains, settings.validate_every)
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
        gradient_clip_val=1.0,
        callbacks=[keeper, validation, *([RichProgressBar(refresh_rate=20)] if progress else [])],
        enable_progress_bar=progress,
        enable_model_summary=False,
        logger=False,
        plugins=[SafetensorsCheckpointIO()],
        default_root_dir=folder,
    )
    loader = DataLoader(
        mixture,
        batch_size=settings.batch_size,
        shuffle=True,
        drop_last=len(mixture) >= settings.batch_size,
        generator=generator,
        collate_fn=lambda batch: batch,
    )
    task = DigitsTask(config, settings)
    resumed = resume and state.is_file()
    if resumed:
        generator.manual_seed(settings.seed + hash(state.stat().st_mtime_ns) % 2**31)
    trainer.fit(task, loader, ckpt_path=str(state) if resumed else None, weights_only=True)
    if trainer.global_step < settings.steps:
        return folder  # interrupted: the training state is kept, nothing is published
    if trainer.is_global_zero:
        model = task.model.eval()
        checkpoint.save(model, folder / "model.safetensors", {"name": name})
        facts = {
            "settings": asdict(replace(settings)),
            "epochs": round(settings.steps * settings.batch_size / len(mixture), 2),
            "training_data": [{"what": what, "count": count} for what, count in mixture.parts],
            "history": validation.history,
        }
        cards.write(folder, name, sources or {}, facts)
    return folder
