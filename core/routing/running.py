"""The one loop in which samples run through a network: batch by batch, under an intervention, listening to probes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Float32
from torch import Tensor

from core.data.dataset import LabelledSamples
from core.nn.probe import listening, probes_of
from core.routing.ablation import Ablation
from core.routing.intervention import Intervention
from core.routing.listening import by_step, names_along, on_all_units

#: Samples of the first piece, so that the first figure comes soon, and of the others: one pass of the bundled model.
FIRST_BATCH = 32
BATCH = 107
#: Tokens that one batch holds where a model does not say.
CHUNK_TOKENS = 2048


@dataclass(frozen=True, eq=False)
class Ran:
    """One batch that ran.

    Attributes:
        rows: places of its samples among all.
        logits: what the network answered, on its device.
        fields: name of a probe -> one tensor for each name along its axis (one in all, where it reports once a
            forward), with the axes that the probe names. Axes of units have every unit of the step's script; those that
            do not compute have zeros.
    """

    rows: range
    logits: Tensor
    fields: dict[str, list[Tensor]]


def run(
    ablation: Ablation,
    inputs: Callable[[range], Any],
    grid: Iterable[range],
    only: Sequence[str] = (),
    batch_size: int = BATCH,
) -> Iterator[Ran | None]:
    """Run samples under an intervention, one batch an item; None for work that prepares ``mean`` and ``resample``.

    Between two items no hook is registered anywhere: an iteration may be left at any time, and others may compute on
    the network meanwhile.

    Args:
        inputs: what the network takes of the samples at these places.
        grid: the places of each batch.
        only: names of the probes to listen to.
        batch_size: reference samples that run at once to find means.

    Raises:
        IncompleteTrace: when a probe did not report every sample exactly once per step.
        ValueError: for probes that the network has not.
    """
    for _ in ablation.prepare(batch_size):
        yield None
    for rows in grid:
        donated = ablation.donated(rows)
        if donated:
            yield None
        with ablation.replaced(donated), listening(ablation.view, only) as captured:
            logits = ablation.run(inputs(rows))
        yield Ran(rows, logits, {name: _heard(ablation, name, parts, len(rows)) for name, parts in captured.items()})


def _heard(ablation: Ablation, name: str, parts: list[tuple[int, Tensor]], samples: int) -> list[Tensor]:
    view, probe = ablation.view, probes_of(ablation.view)[name]
    reported = by_step(name, parts, names_along(view, probe.along, ablation.iterations), probe.dims, samples)
    return on_all_units(view, reported, probe.dims)


def pieces(count: int, first: int, size: int) -> Iterator[range]:
    """Places of every piece of so many samples: a first one of at most ``first``, then at most ``size`` each."""
    start, stop = 0, min(count, first, size)
    while start < stop:
        yield range(start, stop)
        start, stop = stop, min(stop + size, count)


def inputs_of(dataset: LabelledSamples) -> Callable[[range], Any]:
    """What a network takes of the samples at some places of a data set."""
    return lambda rows: dataset.inputs(slice(rows.start, rows.stop))


def head_of(model: Any, dataset: LabelledSamples) -> int:
    """Place of the head that answers for a data set; raises ValueError where there is none."""
    domains: tuple[str, ...] = model.config.domains
    if dataset.domain not in domains:
        raise ValueError(f"no head for {dataset.domain!r}; this model has {', '.join(domains)}")
    return domains.index(dataset.domain)


def step_count(model: Any, intervention: Intervention) -> int:
    """Steps of a run: script times iteration."""
    iterations = model.config.iterations if intervention.iterations is None else intervention.iterations
    return len(model.step_names(iterations))


def batch_size(model: Any) -> int:
    """Samples that the model computes in one pass."""
    return max(1, int(getattr(model, "chunk_tokens", CHUNK_TOKENS)) // len(model.tokens))


@dataclass(frozen=True, eq=False)
class Routed:
    """One batch of a data set, as arrays.

    Attributes:
        rows: places of the samples in their data set.
        fields: name of a probe -> arrays, as ``Ran`` has them.
        logits: of every domain's head.
    """

    rows: range
    fields: dict[str, list[np.ndarray]]
    logits: Float32[np.ndarray, "sample domain label"]


def routed(
    model: Any, dataset: LabelledSamples, count: int, intervention: Intervention, only: Sequence[str], seed: int = 0
) -> Iterator[Routed | None]:
    """The first ``count`` samples of a data set, in as many at once as the network computes in one pass: see ``run``.

    The data set itself is the reference of ``mean`` and ``resample``.

    Raises:
        IncompleteTrace: when a probe did not report every sample exactly once per step.
        InterventionError: for units that the model lacks.
        ValueError: a data set without a head.
    """
    head_of(model, dataset)
    ablation = Ablation(model, intervention, dataset, seed)
    size = batch_size(model)
    for batch in run(ablation, inputs_of(dataset), pieces(count, size, size), only, size):
        if batch is None:
            yield None
            continue
        fields = {name: [_array(part) for part in parts] for name, parts in batch.fields.items()}
        yield Routed(batch.rows, fields, _array(batch.logits))


def _array(tensor: Tensor) -> np.ndarray:
    return tensor.to(torch.float32).cpu().numpy()
