"""Settings of a training as data, with the learning rate of each step and the groups of decayed parameters."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Self

from torch import nn

from routescope.nn.circuit.network import without_weight_decay
from routescope.zoo.checkpoint import Storage

#: What a card says of weights that were rounded, by what they were rounded to.
ROUNDED: dict[Storage, str] = {
    "float16": "Its weights were rounded to half precision when the training ended; it was scored after that.",
    "int8": "The numbers of its large matrices were rounded to 8 bits, with a scale for each row, when the training "
    "ended; it was scored after that.",
}


#: What pictures go through before each step: nothing, small random moves and colours, or RandAugment.
Augmentation = bool | Literal["randaugment"]


@dataclass(frozen=True)
class TrainingSettings:
    """Settings of a training. The learning rate falls by a cosine over ``decay_share`` of the steps.

    Attributes:
        epochs, warmup_epochs: where given, they decide ``steps`` and ``warmup_steps`` by the size of the data.
        optimizer: of the four, only AdamW has a weight decay. Adam is that of networks of blocks, whose learning rate
            stays as it is. Shampoo is of networks that label pictures, and of the extra ``train``.
        weight_decay: never on parameters of dimension <= 1, codes or signatures.
        warmup_steps: the learning rate rises linearly over them, from ``warmup_learning_rate``.
        augment: small random moves and colours of the pictures (True), none (False), or RandAugment, which is of the
            extra ``training``; they are not mirrored.
        mixup, cutmix: parameters of the Beta distributions from which the shares of two pictures in one are drawn; 0:
            never. Where neither is 0, each batch draws one of the two.
        routing_weight: share of ``routing_information`` in the objective; the paper has none of it (0).
        graph_weight: of the Graph Structure Regularizer, for networks with a prior whose links are learned.
        graph_reduction: mean of the squared distances, as in the authors' code, or their sum, as in Equation 6.
        balance_weight: of the load-balancing loss, for mixtures of experts.
        initial_signatures: standard normal, or fitted to a graph sampled from the prior.
        initial_filters: of the first convolution of a ``convnext`` tokenizer, as drawn, or each with its mean taken out
            and doubled ("contrast"): flat ground then says nothing at first, which makes short trainings faster.
        precision, devices, accelerator: Lightning's.
        minutes: between two checkpoints.
        grounding_steps: of statements about scenes: steps in which the picture tokenizer alone learns to name what lies
            in each patch (core/routescope/training/tasks/statements.py), before everything else.
        lessons: of statements about scenes: the steps at which the lessons of
        core/routescope/data/statements/lessons.py end, one
            after the other; then come statements of all kinds.
        workers: processes that make batches beside the training, where these are generated.
        gradient_clipping: largest norm of all gradients together.
        stored: what weights are rounded to when the training ends.
    """

    steps: int = 25_000
    batch_size: int = 128
    learning_rate: float = 3e-3
    least_learning_rate: float = 3e-5
    decay_share: float = 0.9
    augment: Augmentation = True
    mixup: float = 0.0
    cutmix: float = 0.0
    routing_weight: float = 0.0
    seed: int = 0
    precision: str = "bf16-mixed"
    devices: int | str = "auto"
    accelerator: str = "auto"
    minutes: float = 3.0
    validate_every: int = 1000
    optimizer: Literal["radam", "adamw", "adam", "shampoo"] = "radam"
    weight_decay: float = 0.0
    warmup_steps: int = 0
    warmup_learning_rate: float = 0.0
    graph_weight: float = 0.0
    graph_reduction: Literal["mean", "sum"] = "mean"
    balance_weight: float = 0.0
    initial_signatures: Literal["normal", "fitted"] = "normal"
    initial_filters: Literal["drawn", "contrast"] = "drawn"
    epochs: float | None = None
    warmup_epochs: float | None = None
    workers: int = 0
    grounding_steps: int = 0
    lessons: tuple[int, ...] = ()
    gradient_clipping: float = 1.0
    stored: Storage = "float32"

    def for_data(self, count: int) -> Self:
        """Return the settings with steps instead of epochs, for so many samples an epoch."""
        steps_of_epoch = max(1, math.ceil(count / self.batch_size))
        steps = self.steps if self.epochs is None else max(1, round(self.epochs * steps_of_epoch))
        warmup = self.warmup_steps if self.warmup_epochs is None else round(self.warmup_epochs * steps_of_epoch)
        return replace(self, steps=steps, warmup_steps=warmup, epochs=None, warmup_epochs=None)

    def for_steps(self, steps: int) -> Self:
        """Return the settings for so many steps instead of epochs; a warm-up keeps its share, or is cut.

        Grounding and lessons keep their shares of fewer steps, and their lengths in more.
        """
        warmup = min(self.warmup_steps, steps)
        if self.warmup_epochs is not None and self.epochs is not None:
            warmup = round(steps * self.warmup_epochs / self.epochs)
        share = min(1.0, steps / self.steps)
        return replace(
            self,
            steps=steps,
            warmup_steps=warmup,
            epochs=None,
            warmup_epochs=None,
            grounding_steps=round(share * self.grounding_steps),
            lessons=tuple(round(share * end) for end in self.lessons),
        )


class Recipe(NamedTuple):
    """One network and its training.

    ``data`` is what it learns from, a key of ``routescope.training.tasks.registry.TASKS``: the ``digits`` sets of its
    domains; pictures of any classes (``images``), which then decide the config's ``image_size`` and ``classes``;
    ``statements`` about pictures, whose words a config then knows; the task of a network of ``blocks``; ``text``;
    functions of ``numbers``, whose means a config then knows; ``matrices``; clouds of ``points`` with classes, which
    decide a config's ``classes``; or labelled ``sequences``.
    """

    architecture: str
    config: Any
    settings: TrainingSettings
    data: str = "digits"


def cosine(step: int, settings: TrainingSettings) -> float:
    """Return the share of the largest learning rate at a step: linear warm-up, cosine, minimum."""
    if step < settings.warmup_steps:
        first = settings.warmup_learning_rate / settings.learning_rate
        return first + (1 - first) * (step + 1) / settings.warmup_steps
    least = settings.least_learning_rate / settings.learning_rate
    falling = max(1, settings.decay_share * settings.steps - settings.warmup_steps)
    done = min(1.0, (step - settings.warmup_steps) / falling)
    return least + (1 - least) * 0.5 * (1 + math.cos(done * math.pi))


def parameter_groups(named: Iterable[tuple[str, nn.Parameter]], weight_decay: float) -> list[dict[str, Any]]:
    """Return the learned parameters in two groups: decayed, and not (dimension <= 1, codes, signatures)."""
    decayed: list[nn.Parameter] = []
    others: list[nn.Parameter] = []
    for name, parameter in named:
        if parameter.requires_grad:
            (others if without_weight_decay(name, parameter) else decayed).append(parameter)
    groups = ({"params": decayed, "weight_decay": weight_decay}, {"params": others, "weight_decay": 0.0})
    return [group for group in groups if group["params"]]
