"""A data set run batch by batch under an intervention, with what the probes report on all units."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float32
from torch import Tensor

from core.data.dataset import LabelledSamples
from core.nn.probe import listening, probes_of
from core.routing.ablation import Ablation
from core.routing.intervention import Intervention
from core.routing.listening import by_step, names_along, on_all_units

#: Tokens that one batch holds where a model does not say.
CHUNK_TOKENS = 2048


@dataclass(frozen=True, eq=False)
class Routed:
    """One batch.

    Attributes:
        rows: places of the samples in their data set.
        fields: name of a probe -> one array for each name along its axis (one in all, where it reports once a forward),
            with the axes that the probe names. Axes of units have every unit of the step's script; those that do not
            compute have zeros.
        logits: of every domain's head.
    """

    rows: range
    fields: dict[str, list[np.ndarray]]
    logits: Float32[np.ndarray, "sample domain label"]


def step_count(model: Any, intervention: Intervention) -> int:
    """Steps of a run: script times iteration."""
    iterations = model.config.iterations if intervention.iterations is None else intervention.iterations
    return len(model.step_names(iterations))


def batch_size(model: Any) -> int:
    """Samples that the model computes in one pass."""
    return max(1, int(getattr(model, "chunk_tokens", CHUNK_TOKENS)) // len(model.tokens))


def routed(
    model: Any, dataset: LabelledSamples, count: int, intervention: Intervention, only: Sequence[str], seed: int = 0
) -> Iterator[Routed | None]:
    """The first ``count`` samples, one batch an item; None for work that prepares ``mean`` and ``resample``.

    Between two items no hook is registered anywhere. The data set itself is the reference of ``mean`` and ``resample``.

    Raises:
        IncompleteTrace: when a probe did not report every sample exactly once per step.
        InterventionError: for units that the model lacks.
        ValueError: a data set without a head.
    """
    if dataset.domain not in model.config.domains:
        raise ValueError(f"no head for {dataset.domain!r}; this model has {', '.join(model.config.domains)}")
    ablation = Ablation(model, intervention, dataset, seed)
    size = batch_size(model)
    for _ in ablation.prepare(size):
        yield None
    for start in range(0, count, size):
        rows = range(start, min(start + size, count))
        donated = ablation.donated(rows)
        with ablation.replaced(donated), listening(ablation.view, only) as captured:
            logits = ablation.run(dataset.inputs(slice(rows.start, rows.stop)))
        fields = {name: _arrays(ablation, name, parts, len(rows)) for name, parts in captured.items()}
        yield Routed(rows, fields, logits.float().cpu().numpy())


def _arrays(ablation: Ablation, name: str, parts: list[tuple[int, Tensor]], samples: int) -> list[np.ndarray]:
    view, probe = ablation.view, probes_of(ablation.view)[name]
    reported = by_step(name, parts, names_along(view, probe.along, ablation.iterations), probe.dims, samples)
    return [part.float().cpu().numpy() for part in on_all_units(view, reported, probe.dims)]
