"""Training of networks of blocks: batches by the number of their step, a step's loss, indicators on the way.

*Block-Operations* (2024), A.2: Adam at 3e-4, gradients clipped at 0.1, the regularisation loss of A.3 always. The paper
prints no objective for the output blocks; see ``BlockTrainingSettings.objective``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import lightning as L
import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int64
from lightning.pytorch.utilities import rank_zero_info
from torch import Tensor

from routescope.data import known_datasets
from routescope.data.blocks.permuted import STRIPS, PermutedTraining, encode, training_digits
from routescope.data.blocks.rules import DigitTask
from routescope.data.blocks.sets import BlockSet
from routescope.data.blocks.tasks import DIGIT_TASKS
from routescope.data.samples import Samples
from routescope.nn.blocks.config import BlockTaskConfig, SMFRConfig
from routescope.nn.blocks.network import BlockModel
from routescope.nn.blocks.operations import Passed, regularisation
from routescope.nn.inputs.blocks import Blocks
from routescope.nn.network import Network, ReroutableNetwork
from routescope.nn.registry import ARCHITECTURES
from routescope.routing.blocks.indicators import ORDER, indicators_of_splits
from routescope.training.batches import Stream
from routescope.training.recipes.blocks import BlockTrainingSettings
from routescope.training.settings import TrainingSettings
from routescope.training.tasks.task import (
    Learning,
    PeriodicMeasurement,
    Sources,
    Task,
    Titled,
    titled,
)
from routescope.zoo.cards import held_back

#: Samples of each split that are scored on the way.
SCORED = 1_000
#: Seeds are so far apart (an odd number, so that no two of 2**32 fall together).
SPREAD = 2_654_435_761
#: Samples that indicators are taken of.
INDICATED = 512
#: Iterations that a network is scored after, beside those that it was trained with, where it runs any number.
BEYOND = (1, 9)


class BlockBatch(NamedTuple):
    """The data of one step: inputs, and the right digit of every output block."""

    inputs: Blocks
    answers: Int64[Tensor, "B N"]


def generator_of(seed: int, step: int) -> torch.Generator:
    """Return the random generator of a step, which earlier draws do not change; its seed has 32 bits."""
    return torch.Generator().manual_seed((seed * SPREAD + step) % 2**32)


def noise_seed(seed: int, number: int) -> int:
    """Return the seed of a network's own noise for a number of step and device below 2**31; all differ.

    None of them seeds what is drawn at a step of the same training, see ``generator_of``.
    """
    return (seed * SPREAD + 2**31 + number) % 2**32


@dataclass(frozen=True)
class DrawnDigits:
    """Samples of a digit task's training distribution, drawn anew for every step."""

    task: DigitTask
    settings: BlockTrainingSettings
    count: None = None

    @property
    def parts(self) -> tuple[tuple[str, int | None], ...]:
        """The training data in words, with the number of samples (None: drawn without end)."""
        return ((f"{self.task.title}: samples of the training distribution, drawn anew for every step", None),)

    def __getitem__(self, step: int) -> BlockBatch:
        generator, settings = generator_of(self.settings.seed, step), self.settings
        options: dict[str, dict[str, Any]] = {
            "addmul": {"stage": "preparation" if step < settings.preparation_steps else "interference"},
            "double": {"alternate": settings.alternate},
            "algo": {"program": settings.program},
        }
        digits, program = self.task.training(generator, settings.batch_size, **options[self.task.name])
        return BlockBatch(self.task.encode(digits, program), self.task.answer(digits, program))


@dataclass(frozen=True, eq=False)
class DrawnStrips:
    """Digits of block-permuted MNIST under permutations, drawn anew for every step."""

    title: str
    digits: PermutedTraining
    settings: BlockTrainingSettings
    count: None = None

    @property
    def parts(self) -> tuple[tuple[str, int | None], ...]:
        """The training data in words, with the number of samples (None: drawn without end)."""
        count = len(self.digits.labels)
        return ((f"{self.title}: digits drawn anew for every step, under eight permutations in strips", count),)

    def __getitem__(self, step: int) -> BlockBatch:
        generator = generator_of(self.settings.seed, step)
        images, labels, permutation = self.digits.draw(generator, self.settings.batch_size)
        return BlockBatch(encode(images, permutation), labels[:, None])


def permutation_of(inputs: Blocks) -> Int64[Tensor, " B"]:
    """Return the permutation that the task block of each sample of block-permuted MNIST names."""
    return inputs.tasks[:, 0].argmax(dim=-1)


def undoing_bias(permutation: Int64[Tensor, " B"], width: int, strength: float) -> Float[Tensor, "B M w"]:
    """Return what is added to the first Multiplexer's logits to put the strips into their own order."""
    places = torch.from_numpy(np.argsort(ORDER, axis=1)).to(permutation.device)[permutation]
    blocks = min(width, STRIPS)
    bias = torch.zeros(len(permutation), STRIPS + 1, width, device=permutation.device)
    bias[:, :, :blocks].scatter_(1, places[:, None, :blocks], strength)
    return bias


def objective(
    made: Float[Tensor, "B N s"],
    answers: Int64[Tensor, "B N"],
    config: BlockTaskConfig,
    settings: BlockTrainingSettings,
) -> Float[Tensor, ""]:
    """Return the objective over output blocks: cross-entropy of digits, or mean squared distance to one-hot blocks."""
    digits = made[..., : config.classes].float()
    if settings.objective == "cross-entropy":
        return F.cross_entropy(config.logit_scale * digits.flatten(0, 1), answers.flatten())
    return F.mse_loss(digits, F.one_hot(answers, config.classes).float())


class BlockLearning(Learning):
    """The objective of a step and the regularisation of A.3; draws depend only on the seed and the step."""

    settings: BlockTrainingSettings
    model: BlockModel

    def __init__(self, architecture: str, config: BlockTaskConfig, settings: TrainingSettings) -> None:
        super().__init__()
        self.settings = checked(settings)
        self.model = cast(BlockModel, ARCHITECTURES[architecture].network(config))

    def training_step(self, batch: BlockBatch, _: int) -> Tensor:
        settings, config = self.settings, self.model.config
        if isinstance(config, SMFRConfig) and config.attention == "gumbel":  # the only noise there is
            number = self.global_step * self.trainer.world_size + self.global_rank
            torch.manual_seed(noise_seed(settings.seed, number))
        bias = None
        if self.global_step < settings.bias_steps:
            assert isinstance(config, SMFRConfig)
            width = config.width if config.depth else len(config.outputs)
            bias = undoing_bias(permutation_of(batch.inputs), width, settings.bias)
        seen: list[Passed] = []
        made = self.model.run(batch.inputs, bias=bias, seen=seen)
        loss = objective(made, batch.answers, config, settings)
        self.log("loss", loss, prog_bar=True, batch_size=len(batch.answers))
        return loss + regularisation(seen) if seen else loss

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.Adam(self.parameters(), lr=self.settings.learning_rate, fused=not self._scaled)

    def configure_gradient_clipping(
        self,
        optimizer: torch.optim.Optimizer,
        gradient_clip_val: int | float | None = None,
        gradient_clip_algorithm: str | None = None,
    ) -> None:
        """Clip the norm of all gradients. Lightning's own clipping does not support a fused optimiser."""
        if self._scaled:
            self.clip_gradients(optimizer, gradient_clip_val, gradient_clip_algorithm)
        elif gradient_clip_val:
            torch.nn.utils.clip_grad_norm_(self.parameters(), gradient_clip_val)

    @property
    def _scaled(self) -> bool:
        """Whether losses are scaled for half precision: the optimiser must then not be fused."""
        return self.settings.precision == "16-mixed"


def checked(settings: TrainingSettings) -> BlockTrainingSettings:
    """Return the settings if they are of networks of blocks (else TypeError)."""
    if not isinstance(settings, BlockTrainingSettings):
        raise TypeError("a network of blocks is trained with BlockTrainingSettings")
    return settings


def stream_of(config: BlockTaskConfig, settings: TrainingSettings, sources: Sources) -> Stream[BlockBatch]:
    """Return the training data of a network's task; raises DataError for a source that cannot be read."""
    settings = checked(settings)
    if config.task in DIGIT_TASKS:
        return DrawnDigits(DIGIT_TASKS[config.task], settings)
    source = sources.get(config.task)
    info = known_datasets()[config.task]
    return DrawnStrips(info.real_title if source else info.title, training_digits(source), settings)


class History(PeriodicMeasurement):
    """Measure accuracies and routing every so many steps; the measurements stay in the training state.

    An entry has ``step``, ``loss`` (the mean over the steps since the one before; None at the start), ``accuracy`` by
    split, and what ``routescope.routing.blocks.indicators.indicators_of_splits`` says, where the network routes.

    Args:
        sets: of which samples are scored; accuracy on the first is what weights are chosen by.
        every: steps between measurements.
        chosen_from: the share of the steps, at the end, from whose measurements weights are chosen: a single step
            of Adam can lose for a moment what was learned.
    """

    def __init__(self, sets: Sequence[BlockSet], every: int, chosen_from: float = 0.0) -> None:
        super().__init__(every)
        self.sets, self.chosen_from = sets, chosen_from
        self._losses: list[float] = []
        self._best: dict[str, Any] = {}

    def state_dict(self) -> dict[str, Any]:
        return {"history": self.history, "losses": self._losses, "best": self._best}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.history, self._losses = list(state_dict["history"]), list(state_dict["losses"])
        self._best = dict(state_dict.get("best", {}))

    def on_train_start(self, trainer: L.Trainer, task: L.LightningModule) -> None:
        if not self.history:
            self._measure(trainer, task)

    def on_train_batch_end(self, trainer: L.Trainer, task: L.LightningModule, outputs: Any, *_: Any) -> None:
        self._losses.append(float(outputs["loss"]))
        if trainer.global_step % self.every == 0 or trainer.global_step == trainer.max_steps:
            self._measure(trainer, task)

    def _measure(self, trainer: L.Trainer, task: L.LightningModule) -> None:
        if not trainer.is_global_zero:
            return
        assert isinstance(task, BlockLearning)
        task.model.eval()
        loss = float(np.mean(self._losses)) if self._losses else None
        self._losses = []
        entry = {"step": trainer.global_step, "loss": loss, **measured(task.model, self.sets)}
        accuracy = next(iter(entry["accuracy"].values()), 0.0)
        late = trainer.global_step >= (1 - self.chosen_from) * trainer.max_steps
        if late and accuracy >= self._best.get("accuracy", 0.0):
            weights = {name: tensor.detach().cpu().clone() for name, tensor in task.model.state_dict().items()}
            self._best = {"step": trainer.global_step, "accuracy": accuracy, "weights": weights}
        task.model.train()
        self.history.append(entry)
        accuracies = ", ".join(f"{split} {value:.2%}" for split, value in entry["accuracy"].items())
        rank_zero_info(f"step {entry['step']}: {accuracies}")

    def choose(self, model: Network) -> list[str]:
        """Give a trained network the weights of its best measurement; return sentences for its card."""
        if not self._best:
            return []
        model.load_state_dict(self._best["weights"])
        if self._best["step"] == self.history[-1]["step"]:
            return []
        return [
            f"Its weights are those of step {self._best['step']:,}: of the measurements in the last "
            f"{self.chosen_from:.0%} of the steps, the accuracy on the first {SCORED:,} samples of the bundled "
            "validation split was best there."
        ]


@torch.no_grad()
def measured(model: Network, sets: Sequence[BlockSet]) -> dict[str, Any]:
    """Return the accuracy on some samples of each split, and indicators of the routing."""
    device, accuracy = model.device, {}
    for data in sets:
        some = range(min(SCORED, len(data)))
        logits = model(data.inputs(some).to(device))[:, 0].float().cpu()
        accuracy[data.split] = float((logits.argmax(-1) == data.labels[: len(some)]).float().mean())
    result: dict[str, Any] = {"accuracy": accuracy}
    if isinstance(model, ReroutableNetwork):
        result |= indicators_of_splits(model, sets, INDICATED)
    return result


class BlocksTask(Task[BlockTaskConfig]):
    """The task of a network of blocks: digits that are generated, or the pictures of block-permuted MNIST."""

    samples = "samples"

    def stream(
        self, config: BlockTaskConfig, settings: TrainingSettings, sources: Sources
    ) -> tuple[Stream[BlockBatch], BlockTaskConfig]:
        return stream_of(config, settings, sources), config

    def learning(self, architecture: str, config: BlockTaskConfig, settings: TrainingSettings) -> Learning:
        return BlockLearning(architecture, config, settings)

    def measured(self, config: BlockTaskConfig, settings: TrainingSettings, sources: Sources) -> PeriodicMeasurement:
        """Measure on the splits that the product shows, whatever the training data."""
        sets = [data for data in held_back(config.task, None) if isinstance(data, BlockSet)]
        return History(sets, settings.validate_every, checked(settings).chosen_from)

    def notes(self, config: BlockTaskConfig, settings: TrainingSettings) -> list[str]:
        return notes(config, checked(settings))

    def scored(self, config: BlockTaskConfig, sources: Sources) -> Titled:
        """Return the validation and test split of the task."""
        return titled(held_back(config.task, sources.get(config.task)))

    def not_shown(self, config: BlockTaskConfig, sources: Sources) -> str:
        return not_shown(config.task)

    def left_out(self, data: Samples) -> Bool[np.ndarray, " sample"]:
        return np.asarray(data.held_out, bool) if isinstance(data, BlockSet) else super().left_out(data)

    def beyond(self, config: BlockTaskConfig) -> tuple[int, ...]:
        return BEYOND if config.repeats else ()


def notes(config: BlockTaskConfig, settings: BlockTrainingSettings) -> list[str]:
    """Return sentences for the card on what the paper of Block-Operations leaves open, or what differs."""
    sentences = []
    if settings.objective == "cross-entropy":
        sentences.append("Learned by the cross-entropy of the digit; the paper prints no objective, nor a batch size.")
    else:
        sentences.append(
            "Learned by the mean squared distance of its output blocks to one-hot digits; the paper prints no "
            "objective, no batch size and no number of steps."
        )
    if config.task == "addmul":
        sentences.append(
            f"{settings.preparation_steps:,} steps of preparation, in which multiplication was limited, were followed "
            "by interference, in which addition was: what the test split holds, it was then shown no more."
        )
    if config.task == "algo" and settings.program == "drawn":
        sentences.append("Each of its two iterations had a subtask drawn of its own: the paper does not say.")
    if settings.bias_steps:
        sentences.append(
            f"In the first {settings.bias_steps:,} steps {settings.bias:g} was added to the logits of the first "
            "Multiplexer with which strips come into their own order; the paper does not print its bias."
        )
    return sentences


def not_shown(task: str) -> str:
    """Describe what the training of a network of blocks has not seen, by its task."""
    if task == "algo":
        return (
            "The splits that are scored above: they are drawn with seeds of their own. Whether a sample of them came "
            "by chance in training too was not looked at. Numbers of iterations other than the one it was trained with."
        )
    if task == "bpmnist":
        return (
            "The digits of the splits that are scored above; and under each of the last four permutations, which the "
            "test split shows, one digit."
        )
    held_out = "The combinations of values and subtask that the test split holds"
    seen = " since interference began; in preparation they were shown" if task == "addmul" else ""
    return f"{held_out}{seen}. The validation split holds all that training shows{' at its end' if seen else ''}."
