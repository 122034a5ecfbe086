"""Mean and resample ablation: what a unit contributes is replaced while a view of the network runs.

A unit's contribution to a step is what the probe ``contributions`` reports: what a function adds to every token, before
the sum over functions; a module's state as other modules read it. *Mean* ablation puts its mean over reference samples
there, for each step (and token); *resample* ablation the contribution that the unit makes for another sample (Chan et
al., "Causal scrubbing", 2022). Both take the replacement from runs of the
same view, with the same units dropped and muted and the same iterations, in which nothing is replaced.

Hooks sit on the view, never on the model, and only while a forward runs.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.data.dataset import LabelledSamples
from core.nn.probe import listening, probes_of
from core.routing.intervention import Intervention, InterventionError
from core.routing.listening import by_step, names_along

#: Means are over so many first samples of the reference.
MEAN_SAMPLES = 200

#: (step, unit) -> what replaces the contribution: its axes but unit and sample for every sample alike, or sample first.
Replacements = Mapping[tuple[int, str], Tensor]


def donors(count: int, seed: int) -> np.ndarray:
    """For each of ``count`` samples another one, as a random cycle through all of them (Sattolo 1986)."""
    order = np.random.default_rng(seed).permutation(count)
    partner = np.empty(count, dtype=np.int64)
    partner[order] = np.roll(order, -1)
    return partner


def units_at(view: Any, step: int, steps: int) -> tuple[str, ...]:
    """Names of the units along the unit axis of what a step reports."""
    in_one_script = len(view.coordinates()["unit"])
    scripts = len(view.all_units) // in_one_script if in_one_script else 1
    first = step * scripts // steps * in_one_script
    return tuple(view.all_units[first + place] for place in view.computing(step, steps))


@contextmanager
def replacing(view: Any, replacements: Replacements, iterations: int) -> Iterator[None]:
    """Replace contributions while the view runs. No hook is left behind, also after an exception.

    Args:
        view: a view of the network that nobody else uses.
        replacements: by the step's index and the unit's name; a sample's own row where they have rows.
        iterations: how many the run has.
    """
    probe = probes_of(view)["contributions"]
    steps, seen = len(names_along(view, probe.along, iterations)), Counter[int]()

    def hook(_: Any, __: Any, kwargs: dict[str, Any], contributions: Tensor) -> Tensor:
        step, replaced = kwargs["step"], contributions.clone()
        by_unit = _units_first(replaced, probe.dims)
        count = by_unit.shape[1]
        first, seen[step] = seen[step], seen[step] + count  # large batches run in chunks
        for place, unit in enumerate(units_at(view, step, steps)):
            new = replacements.get((step, unit))
            if new is not None:
                own = by_unit[place]
                own.copy_(new if new.dim() < own.dim() else new[first : first + count])
        return replaced

    handle = probe.register_forward_hook(hook, with_kwargs=True)
    try:
        yield
    finally:
        handle.remove()


def _units_first(contributions: Tensor, dims: tuple[str, ...]) -> Tensor:
    """The same numbers with the axes unit, sample, and then the others."""
    return contributions.movedim((dims.index("unit"), dims.index("sample")), (0, 1))


class Ablation:
    """One intervention on one model, and the reference samples that ``mean`` and ``resample`` take from.

    Call ``prepare`` until it ends; then run ``view`` within ``replaced``.

    Args:
        model: it gets no hooks; ``view`` does.
        reference: samples in whose means, and among which, replacements are found.
        seed: of the assignment of donors.

    Raises:
        InterventionError: for units that the model lacks, and for networks that report no contributions.
        IncompleteTrace: while it runs, when contributions are not reported exactly once per step.
    """

    def __init__(
        self, model: Any, intervention: Intervention, reference: LabelledSamples | None, seed: int = 0
    ) -> None:
        intervention.validate(model)
        self.view = intervention.structural.apply(model)
        self.iterations = self.view.config.iterations if intervention.iterations is None else intervention.iterations
        self._mean, self._resample, self._reference = intervention.mean, intervention.resample, reference
        self._means: dict[tuple[int, str], Tensor] = {}
        self._donors = np.empty(0, dtype=np.int64)
        if not self.replaces:
            return
        if reference is None or not len(reference):
            raise InterventionError("mean and resample need reference samples: give a data set as reference")
        if "contributions" not in probes_of(self.view):
            raise InterventionError("mean and resample need a network with the probe contributions; drop or mute here")
        self._donors = donors(len(reference), seed)

    @property
    def replaces(self) -> bool:
        """Whether any contribution is replaced."""
        return bool(self._mean or self._resample)

    def run(self, inputs: Any) -> Tensor:
        """Logits (sample, domain, label) of the view; inputs as the network takes them, on any device."""
        with torch.no_grad():
            there = inputs.to(next(self.view.parameters()).device)
            logits: Tensor = self.view(there, iterations=self.iterations)
        return logits

    def prepare(self, batch_size: int) -> Iterator[None]:
        """Compute the means, if any are needed, at most ``batch_size`` samples between two items."""
        if not self._mean or self._reference is None:
            return
        sums: dict[tuple[int, str], Tensor] = {}
        count = min(MEAN_SAMPLES, len(self._reference))
        for start in range(0, count, batch_size):
            inputs = self._reference.inputs(slice(start, min(start + batch_size, count)))
            for key, rows in self._contributions(inputs, self._mean).items():
                total = rows.sum(dim=0, dtype=torch.float64)
                sums[key] = sums[key] + total if key in sums else total
            yield
        self._means = {key: (total / count).float() for key, total in sums.items()}

    def donated(self, positions: Sequence[int]) -> dict[tuple[int, str], Tensor]:
        """What the donors of the samples at these positions contribute: one run of as many samples."""
        if not self._resample or self._reference is None:
            return {}
        chosen = torch.from_numpy(self._donors[np.asarray(positions) % len(self._donors)])
        return self._contributions(self._reference.inputs(chosen), self._resample)

    @contextmanager
    def replaced(self, donated: Replacements) -> Iterator[None]:
        """The view runs with replaced contributions meanwhile."""
        if not self.replaces:
            yield
            return
        with replacing(self.view, {**self._means, **donated}, self.iterations):
            yield

    def _contributions(self, inputs: Any, units: Sequence[str]) -> dict[tuple[int, str], Tensor]:
        """(step, unit) -> contribution, samples first, of a run in which nothing is replaced."""
        with listening(self.view, ("contributions",)) as captured:
            self.run(inputs)
        probe, wanted = probes_of(self.view)["contributions"], set(units)
        steps = names_along(self.view, probe.along, self.iterations)
        reported = by_step("contributions", captured["contributions"], steps, probe.dims, len(inputs))
        return {
            (step, unit): _units_first(contributions, probe.dims)[place]
            for step, contributions in enumerate(reported)
            for place, unit in enumerate(units_at(self.view, step, len(steps)))
            if unit in wanted
        }
