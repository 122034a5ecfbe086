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

from routescope.data import DataError
from routescope.data.pictures.sets import PictureSet
from routescope.experiments.shared.frame import Context, Interval
from routescope.nn.network import AdaptableNetwork, ExtensibleNetwork, Network
from routescope.training.settings import parameter_groups
from routescope.training.tasks.pictures import shampoo

#: Images of one side, their labels, and the learning rate of the step.
Batch = tuple[Float[Tensor, "B 3 side side"], Int64[Tensor, " B"], float]


@dataclass(frozen=True)
class Tuning:
    """Settings of fine-tuning: AdamW, with a learning rate that falls linearly to 0."""

    steps: int = 40
    batch_size: int = 32
    learning_rate: float = 1e-3
    weight_decay: float = 0.05


@dataclass(frozen=True)
class Episode:
    """Some classes, renumbered from 0, with few samples of each to learn from and other samples for the test."""

    classes: tuple[int, ...]
    support: Int64[Tensor, " shot"]
    support_labels: Int64[Tensor, " shot"]
    query: Int64[Tensor, " sample"]
    query_labels: Int64[Tensor, " sample"]


def draw_episode(train: PictureSet, test: PictureSet, ways: int, shots: int, queries: int, seed: int) -> Episode:
    """Draw classes and samples; the same seed draws the same classes for any number of shots and any model.

    Raises:
        DataError: fewer classes than ways, or fewer samples of one of them than shots; it says how many there are.
    """
    random = np.random.default_rng((seed, ways))
    labels, held = train.labels.numpy(), test.labels.numpy()
    available = np.array(sorted(set(labels.tolist()) & set(held.tolist())))
    if len(available) < ways:
        raise DataError(f"{train.title} has {len(available)} classes; {ways} are asked for")
    classes = tuple(random.permutation(available)[:ways].tolist())
    support, query = [], []
    for label in classes:
        rows = random.permutation(np.flatnonzero(labels == label))
        if len(rows) < shots:
            raise DataError(
                f"{train.title} has {len(rows)} samples of class {train.classes[label]}; {shots} are asked for"
            )
        support.append(rows[:shots])
        query.append(random.permutation(np.flatnonzero(held == label))[:queries])
    return Episode(
        classes=classes,
        support=torch.from_numpy(np.concatenate(support)),
        support_labels=torch.arange(ways).repeat_interleave(shots),
        query=torch.from_numpy(np.concatenate(query)),
        query_labels=torch.cat([torch.full((len(samples),), k) for k, samples in enumerate(query)]),
    )


def adapt(model: Network, train: PictureSet, episode: Episode, tuning: Tuning, seed: int) -> Network:
    """Return a copy of the model with a new head, fine-tuned on an episode; frozen signatures stay frozen.

    Links are sampled as in training. The random numbers of other computations are left alone.
    """
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = adaptable(model).with_heads((train.domain,), len(episode.classes)).train()
        optimizer = torch.optim.AdamW(
            parameter_groups(network.named_parameters(), tuning.weight_decay), lr=tuning.learning_rate
        )
        images = train.images[episode.support].float() / 255

        def batches() -> Iterator[Batch]:
            for step in range(tuning.steps):
                rows = torch.randperm(len(images))[: tuning.batch_size]
                yield images[rows], episode.support_labels[rows], tuning.learning_rate * (1 - step / tuning.steps)

        learn(network, batches(), optimizer)
    return network.eval().requires_grad_(False)


def right(model: Network, test: PictureSet, episode: Episode) -> int:
    """Return how many queries of an episode an adapted model labels right."""
    with torch.no_grad():
        logits = model(test.images[episode.query].float() / 255)[:, 0]
    return int((logits.argmax(dim=-1) == episode.query_labels).sum())


@dataclass(frozen=True)
class FineTuning:
    """Settings of fine-tuning Neural Interpreters (C.2.2): some epochs at a constant learning rate.

    Attributes:
        optimizer: of the printed two, RAdam where the whole network learns and Shampoo where functions alone do.
    """

    epochs: int = 10
    batch_size: int = 128
    optimizer: Literal["radam", "shampoo"] = "radam"


def fine_tune(
    network: Network,
    train: PictureSet,
    rows: Int64[Tensor, " sample"],
    tuning: FineTuning,
    rate: float,
    parts: Sequence[str],
) -> Network:
    """Fine-tune a network with one head, in place, on samples of a set; raises ValueError for an unknown part.

    Args:
        network: what ``with_heads`` gave, or that with functions added.
        rows: the samples, each shown once an epoch in an order drawn from torch's global generator.
        rate: the learning rate.
        parts: which learn (see ``AdaptableNetwork.parts``); none: all that the network's config does not freeze.

    Returns:
        The same network in evaluation mode, in which nothing learns any more.
    """
    available = adaptable(network).parts()
    if unknown := sorted(set(parts) - set(available)):
        raise ValueError(f"unknown parts {', '.join(unknown)}; this {network.family} has {', '.join(available)}")
    for name, parameters in available.items():
        for parameter in parameters:
            parameter.requires_grad_(name in parts if parts else parameter.requires_grad)
    learned = [parameter for parameter in network.parameters() if parameter.requires_grad]
    optimizer = shampoo(learned, rate) if tuning.optimizer == "shampoo" else torch.optim.RAdam(learned, lr=rate)

    def batches() -> Iterator[Batch]:
        for _ in range(tuning.epochs):
            for batch in rows[torch.randperm(len(rows))].split(tuning.batch_size):
                yield train.inputs(batch), train.targets(batch), rate

    learn(network.train(), batches(), optimizer)
    return network.eval().requires_grad_(False)


def learn(network: Network, batches: Iterable[Batch], optimizer: torch.optim.Optimizer) -> None:
    """Take a step for each batch: cross-entropy at the first head.

    All gradients together have at most the norm 1.
    """
    with torch.enable_grad():
        for images, labels, rate in batches:
            for group in optimizer.param_groups:
                group["lr"] = rate
            loss = F.cross_entropy(network(images)[:, 0], labels)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()


@dataclass(frozen=True)
class Target:
    """A data set that networks are adapted to: samples to learn from, and others for the test."""

    train: PictureSet
    test: PictureSet

    @property
    def domain(self) -> str:
        """The domain that a network gets a head for."""
        return self.train.domain


def targets(context: Context, names: Sequence[str], models: Sequence[Network], scored: int | None) -> list[Target]:
    """Return the named sets with a source; without any source the first one, a stand-in.

    Args:
        models: what will be adapted; they decide the side of the pictures.
        scored: at most so many samples are scored.

    Raises:
        DataError: a set that one of the models was trained on, or a source that cannot be read.
    """
    chosen = [name for name in names if name in context.sources] or list(names[:1])
    for model in models:
        for name in set(chosen) & set(model.config.domains):
            others = ", ".join(name_of_set for name_of_set in names if name_of_set not in model.config.domains)
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
    """A grid search for a learning rate, on a part of the training samples."""

    rates: tuple[float, ...] = (0.05, 0.03, 0.01, 0.003, 0.001)
    samples: int = 512
    scored: int = 1000

    def rows(self, target: Target) -> tuple[Int64[Tensor, " sample"], PictureSet]:
        """Return the training samples to learn from, and others to compare on; none is of the test set."""
        count = min(self.samples, len(target.train) // 2)
        order = subset(len(target.train), count + self.scored, GRID_SEED)
        return order[:count], target.train.take(order[count:])

    def best(self, accuracies: Sequence[float]) -> float:
        """Return the rate of the highest accuracy; the first of equal ones."""
        return self.rates[int(np.argmax(accuracies))]


def subset(count: int, samples: int, seed: int) -> Int64[Tensor, " sample"]:
    """Draw positions of samples out of ``count``; with more samples, the same positions and others."""
    return torch.from_numpy(np.random.default_rng(seed).permutation(count)[:samples])


def adaptable(model: Network) -> AdaptableNetwork:
    """Return the network; raises ValueError if it cannot get new heads."""
    if not isinstance(model, AdaptableNetwork):
        raise ValueError(f"{model.id or 'this network'}, a {model.family}, has no heads that other domains can get")
    return model


def extensible(model: Network) -> ExtensibleNetwork:
    """Return the network; raises ValueError if functions cannot be added to it and drawn anew."""
    if not isinstance(model, ExtensibleNetwork):
        raise ValueError(
            f"{model.id or 'this network'}, a {model.family}, has no functions that are signatures and codes"
        )
    return model


def mean_interval(values: Sequence[float] | Float[np.ndarray, " n"]) -> Interval:
    """Return the mean over episodes or seeds, with Student's 95 % interval; no interval for a single value."""
    mean = float(np.mean(values))
    if len(values) < 2:
        return mean, None, None
    half = float(stats.t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / np.sqrt(len(values)))
    return mean, mean - half, mean + half


def share_interval(values: Sequence[float], most: float = 1.0) -> Interval:
    """Return ``mean_interval`` with ends between 0 and ``most``."""
    mean, low, high = mean_interval(values)
    low, high = (None if end is None else min(max(end, 0.0), most) for end in (low, high))
    return mean, low, high
