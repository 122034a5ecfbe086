"""Adapting a trained circuit to other classes with few samples: a new head, and every weight fine-tuned."""

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Int64
from torch import Tensor, nn

from core.data import DataError, Dataset
from core.nn.circuit.network import NeuralAttentiveCircuit
from core.nn.network import Network
from core.training.settings import parameter_groups


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
        own = _copy(model, len(episode.classes)).train()
        optimizer = torch.optim.AdamW(
            parameter_groups(own.named_parameters(), tuning.weight_decay), lr=tuning.learning_rate
        )
        images = train.images[episode.support].float() / 255
        with torch.enable_grad():
            for step in range(tuning.steps):
                for group in optimizer.param_groups:
                    group["lr"] = tuning.learning_rate * (1 - step / tuning.steps)
                rows = torch.randperm(len(images))[: tuning.batch_size]
                loss = F.cross_entropy(own(images[rows])[:, 0], episode.support_labels[rows])
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(own.parameters(), 1.0)
                optimizer.step()
    return own.eval().requires_grad_(False)


def _copy(model: Network, classes: int) -> Network:
    assert isinstance(model, NeuralAttentiveCircuit)
    own = type(model)(model.config)
    own.load_state_dict(model.state_dict())
    own.logits = nn.Linear(model.config.features, classes)
    return own


def right(model: Network, test: Dataset, episode: Episode) -> int:
    """How many of an episode's queries the model labels right."""
    with torch.no_grad():
        logits = model(test.images[episode.query].float() / 255)[:, 0]
    return int((logits.argmax(dim=-1) == episode.query_labels).sum())
