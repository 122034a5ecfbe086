"""Adapting a trained network to other classes: new heads, and all of it, or some of its parts, fine-tuned."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int64
from scipy import stats
from torch import Tensor, nn

from routescope.data import DataError, Dataset
from routescope.experiments.shared.frame import Context
from routescope.nn.network import AdaptableNetwork, ExtensibleNetwork, Network
from routescope.training.settings import parameter_groups
from routescope.training.tasks.pictures import shampoo

#: Images of one side, their labels, and the learning rate of the step.
Batch = tuple[Float[Tensor, "B 3 side side"], Int64[Tensor, " B"], float]


@dataclass(frozen=True)
class Tuning:
    """How a model is fine-tuned: AdamW, the learning rate falling linearly to 0."""

    steps: int = 40
    batch_size: int = 32
    learning_rate: float = 1e-3
    weight_decay: float = 0.05


@dataclass(frozen=True)
class Episode:
    """Some classes, numbered anew from 0, with few samples of each to learn from and others to be tested on."""

    classes: tuple[int, ...]
    support: Int64[Tensor, " shot"]
    support_labels: Int64[Tensor, " shot"]
    query: Int64[Tensor, " sample"]
    query_labels: Int64[Tensor, " sample"]


def draw_episode(train: Dataset, test: Dataset, ways: int, shots: int, queries: int, seed: int) -> Episode:
    """Classes and samples drawn with a seed: with more shots, or for another model, the classes are the same.

    Raises:
        DataError: fewer classes than ways, or fewer samples of one of them than shots; it says how many there are.
    """
    random = np.random.default_rng((seed, ways))
    labels, held = train.labels.numpy(), test.labels.numpy()
    there = np.array(sorted(set(labels.tolist()) & set(held.tolist())))
    if len(there) < ways:
        raise DataError(f"{train.title} has {len(there)} classes; {ways} are asked for")
    classes = tuple(random.permutation(there)[:ways].tolist())
    support, query = [], []
    for label in classes:
        own = random.permutation(np.flatnonzero(labels == label))
        if len(own) < shots:
            raise DataError(
                f"{train.title} has {len(own)} samples of class {train.classes[label]}; {shots} are asked for"
            )
        support.append(own[:shots])
        query.append(random.permutation(np.flatnonzero(held == label))[:queries])
    return Episode(
        classes=classes,
        support=torch.from_numpy(np.concatenate(support)),
        support_labels=torch.arange(ways).repeat_interleave(shots),
        query=torch.from_numpy(np.concatenate(query)),
        query_labels=torch.cat([torch.full((len(each),), k) for k, each in enumerate(query)]),
    )


def adapt(model: Network, train: Dataset, episode: Episode, tuning: Tuning, seed: int) -> Network:
    """A copy of the model with a new head, fine-tuned on an episode's support; frozen signatures stay frozen.

    Links are sampled as in training. The random numbers of other computations are left alone.
    """
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        own = adaptable(model).with_heads((train.domain,), len(episode.classes)).train()
        optimizer = torch.optim.AdamW(
            parameter_groups(own.named_parameters(), tuning.weight_decay), lr=tuning.learning_rate
        )
        images = train.images[episode.support].float() / 255

        def batches() -> Iterator[Batch]:
            for step in range(tuning.steps):
                rows = torch.randperm(len(images))[: tuning.batch_size]
                yield images[rows], episode.support_labels[rows], tuning.learning_rate * (1 - step / tuning.steps)

        learn(own, batches(), optimizer)
    return own.eval().requires_grad_(False)


def right(model: Network, test: Dataset, episode: Episode) -> int:
    """How many queries of an episode an adapted model labels right."""
    with torch.no_grad():
        logits = model(test.images[episode.query].float() / 255)[:, 0]
    return int((logits.argmax(dim=-1) == episode.query_labels).sum())


@dataclass(frozen=True)
class FineTuning:
    """How Neural Interpreters are fine-tuned (C.2.2): some epochs at a constant learning rate, found by a grid search.

    Attributes:
        optimizer: of the printed two, RAdam where the whole network learns and Shampoo where functions alone do.
    """

    epochs: int = 10
    batch_size: int = 128
    optimizer: Literal["radam", "shampoo"] = "radam"


def fine_tune(
    own: Network, train: Dataset, rows: Int64[Tensor, " sample"], tuning: FineTuning, rate: float, parts: Sequence[str]
) -> Network:
    """Fine-tune a network with one head, in place, on some samples of a set.

    Args:
        own: what ``with_heads`` gave, or that with functions added.
        rows: the samples, each shown once an epoch in an order drawn from torch's global generator.
        rate: the learning rate.
        parts: which learn (see ``AdaptableNetwork.parts``); none: all that the network's config does not freeze.

    Returns:
        The same network in evaluation mode, in which nothing learns any more.

    Raises:
        ValueError: a part that the network has not.
    """
    there = adaptable(own).parts()
    if unknown := sorted(set(parts) - set(there)):
        raise ValueError(f"unknown parts {', '.join(unknown)}; this {own.family} has {', '.join(there)}")
    for name, parameters in there.items():
        for parameter in parameters:
            parameter.requires_grad_(name in parts if parts else parameter.requires_grad)
    learned = [parameter for parameter in own.parameters() if parameter.requires_grad]
    optimizer = shampoo(learned, rate) if tuning.optimizer == "shampoo" else torch.optim.RAdam(learned, lr=rate)

    def batches() -> Iterator[Batch]:
        for _ in range(tuning.epochs):
            for batch in rows[torch.randperm(len(rows))].split(tuning.batch_size):
                yield train.inputs(batch), train.targets(batch), rate

    learn(own.train(), batches(), optimizer)
    return own.eval().requires_grad_(False)


def learn(own: Network, batches: Iterable[Batch], optimizer: torch.optim.Optimizer) -> None:
    """A step for each batch: cross-entropy at the first head.

    All gradients together have at most the norm 1.
    """
    with torch.enable_grad():
        for images, labels, rate in batches:
            for group in optimizer.param_groups:
                group["lr"] = rate
            loss = F.cross_entropy(own(images)[:, 0], labels)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(own.parameters(), 1.0)
            optimizer.step()


@dataclass(frozen=True)
class Target:
    """A set that networks are adapted to: samples to learn from, and others to be scored on."""

    train: Dataset
    test: Dataset

    @property
    def domain(self) -> str:
        """The name of the domain that a network gets a head for."""
        return self.train.domain


def targets(context: Context, names: Sequence[str], models: Sequence[Network], scored: int | None) -> list[Target]:
    """Those of the named sets that a source was given for; else the first of them, a stand-in.

    Args:
        models: what will be adapted; they decide the side of the pictures.
        scored: at most so many samples are scored.

    Raises:
        DataError: a set that one of the models was trained on, or a source that cannot be read.
    """
    chosen = [name for name in names if name in context.sources] or list(names[:1])
    for model in models:
        for name in set(chosen) & set(model.config.domains):
            others = ", ".join(each for each in names if each not in model.config.domains)
            raise DataError(f"{model.id} was trained on {name}, and is adapted to other data: give {others}")
    side = models[0].config.picture_side
    return [
        Target(
            train=context.data(name, "train", side=side),
            test=context.data(name, "validation", limit=scored, side=side),
        )
        for name in chosen
    ]


#: Seed of the samples that learning rates are tried on.
GRID_SEED = 1000


@dataclass(frozen=True)
class LearningRateGrid:
    """A grid search for a learning rate: so many training samples to learn from, others of them to compare on."""

    rates: tuple[float, ...] = (0.05, 0.03, 0.01, 0.003, 0.001)
    samples: int = 512
    scored: int = 1000

    def rows(self, target: Target) -> tuple[Int64[Tensor, " sample"], Dataset]:
        """Which training samples are learned from, and those that are compared on; none is of the test set."""
        count = min(self.samples, len(target.train) // 2)
        order = subset(len(target.train), count + self.scored, GRID_SEED)
        return order[:count], target.train.take(order[count:])

    def best(self, accuracies: Sequence[float]) -> float:
        """The rate of the highest accuracy; of several the first."""
        return self.rates[int(np.argmax(accuracies))]


def subset(count: int, samples: int, seed: int) -> Int64[Tensor, " sample"]:
    """Places of some samples out of ``count``, drawn with a seed; with more samples, the same ones and others."""
    return torch.from_numpy(np.random.default_rng(seed).permutation(count)[:samples])


def adaptable(model: Network) -> AdaptableNetwork:
    """The same network, if it can get new heads.

    Raises:
        ValueError: it cannot.
    """
    if not isinstance(model, AdaptableNetwork):
        raise ValueError(f"{model.id or 'this network'}, a {model.family}, has no heads that other domains can get")
    return model


def extensible(model: Network) -> ExtensibleNetwork:
    """The same network, if functions can be added to it and drawn anew.

    Raises:
        ValueError: they cannot.
    """
    if not isinstance(model, ExtensibleNetwork):
        raise ValueError(
            f"{model.id or 'this network'}, a {model.family}, has no functions that are signatures and codes"
        )
    return model


def mean_interval(values: Sequence[float] | Float[np.ndarray, " n"]) -> tuple[float, float | None, float | None]:
    """The mean over episodes, or seeds, with Student's 95 % interval; none for a single one."""
    mean = float(np.mean(values))
    if len(values) < 2:
        return mean, None, None
    half = float(stats.t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / np.sqrt(len(values)))
    return mean, mean - half, mean + half


def share_interval(values: Sequence[float]) -> tuple[float, float | None, float | None]:
    """As ``mean_interval``, of shares: its ends are shares too."""
    mean, low, high = mean_interval(values)
    low, high = (None if end is None else min(max(end, 0.0), 1.0) for end in (low, high))
    return mean, low, high
