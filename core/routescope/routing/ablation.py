"""Mean and resample ablation: what a unit contributes is replaced while a view of the network runs.

A unit's contribution to a step is what the probe ``contributions`` reports: what a function adds to every token, before
the sum over functions; a module's state as other modules read it. *Mean* ablation puts its mean over reference samples
there, for each step (and token; where samples have different numbers of tokens, over all tokens that are no padding,
alike for each); *resample* ablation the contribution that the unit makes for another sample (Chan et al., "Causal
scrubbing", 2022). Both take the replacement from runs of the same view, with the same units dropped and muted and the
same iterations, in which nothing is replaced.

Hooks sit on the view, never on the model, and only while a forward runs.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Int64
from torch import Tensor

from routescope.data.samples import Samples
from routescope.nn.inputs.kind import Inputs
from routescope.nn.network import Network, Replacements, units_first
from routescope.routing.intervention import Intervention
from routescope.routing.listening import by_step, names_along, there_of, without_padding
from routescope.routing.options import InterventionError

#: Why contributions of units of a network cannot be replaced, and what to do.
NOT_REPLACEABLE = (
    "this model does not report what each unit adds, so that mean and resample have nothing to replace: drop or mute"
    " here (adapt reports it where experts=... is a module that is called with (tokens, expert ids, weights))"
)
#: Means are over so many first samples of the reference.
MEAN_SAMPLES = 200


def donors(count: int, seed: int) -> Int64[np.ndarray, " sample"]:
    """Return another sample for each of ``count`` samples, as a random cycle through all of them (Sattolo 1986)."""
    order = np.random.default_rng(seed).permutation(count)
    partner = np.empty(count, dtype=np.int64)
    partner[order] = np.roll(order, -1)
    return partner


def check_network(model: object) -> None:
    """Raise TypeError for something other than a network: a name, a path or a plain module."""
    if not isinstance(model, Network):
        raise TypeError(
            f"a network is needed, such as zoo.load('moe-bytes'), not of type {type(model).__name__}: adapt() "
            "and from_transformers() make networks of modules"
        )


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

    def __init__(self, model: Network, intervention: Intervention, reference: Samples | None, seed: int = 0) -> None:
        intervention.validate(model)
        self.view = intervention.structural.apply(model)
        self.iterations = intervention.iterations_on(self.view)
        self._mean, self._resample, self._reference = intervention.mean, intervention.resample, reference
        self._means: dict[tuple[int, str], Tensor] = {}
        self._donors = np.empty(0, dtype=np.int64)
        if not self.replaces:
            return
        if reference is None or not len(reference):
            raise InterventionError("mean and resample need reference samples: give a data set as reference")
        if not self.view.replaceable:
            raise InterventionError(NOT_REPLACEABLE)
        self._donors = donors(len(reference), seed)

    @property
    def replaces(self) -> bool:
        """Whether any contribution is replaced."""
        return bool(self._mean or self._resample)

    @property
    def resamples(self) -> bool:
        """Whether contributions are replaced by those for another sample."""
        return bool(self._resample)

    def run(self, inputs: Inputs) -> Tensor:
        """Return the view's answers, (sample, domain, ...); inputs as the network takes them, on any device."""
        with torch.no_grad():
            out: Tensor = self.view(inputs.to(self.view.device), iterations=self.iterations)
        return out

    def prepare(self, batch_size: int) -> Iterator[None]:
        """Compute the means, if any are needed and not known yet, at most ``batch_size`` samples between two items."""
        if not self._mean or self._reference is None or self._means:
            return
        sums: dict[tuple[int, str], _Sum] = {}
        count = min(MEAN_SAMPLES, len(self._reference))
        for start in range(0, count, batch_size):
            inputs = self.view.as_inputs(self._reference.inputs(slice(start, min(start + batch_size, count))))
            ragged = self._of_tokens and there_of(self.view, inputs) is not None
            for key, rows in self._contributions(inputs, self._mean, torch.nan).items():
                part = _Sum.of(rows, ragged)
                sums[key] = sums[key] + part if key in sums else part
            yield
        self._means = {key: (part.total / max(1, part.count)).float() for key, part in sums.items()}

    def donated(self, positions: Sequence[int]) -> dict[tuple[int, str], Tensor]:
        """Return the contributions of the donors of the samples at these positions, by step and unit: (sample, ...)
        each.

        They take one run of as many samples. Where samples have different numbers of tokens, a token that the donor
        lacks contributes nothing.
        """
        if not self._resample or self._reference is None:
            return {}
        chosen = torch.from_numpy(self._donors[np.asarray(positions) % len(self._donors)])
        return self._contributions(self.view.as_inputs(self._reference.inputs(chosen)), self._resample, 0.0)

    @contextmanager
    def replaced(self, donated: Replacements) -> Iterator[None]:
        """Run the view with replaced contributions meanwhile."""
        if not self.replaces:
            yield
            return
        with self.view.replacing({**self._means, **donated}, self.iterations):
            yield

    @property
    def _of_tokens(self) -> bool:
        """Whether contributions are made to tokens: (sample, token, feature), without the units."""
        dims = [name for name in self.view.fields["contributions"].dims if name != "unit"]
        return dims[:2] == ["sample", "token"]

    def _contributions(self, inputs: Inputs, units: Sequence[str], padding: float) -> dict[tuple[int, str], Tensor]:
        """Return (step, unit) -> contribution, samples first, of a run without replacements; ``padding`` fills missing
        tokens."""
        with self.view.capture(("contributions",)) as captured:
            self.run(inputs)
        field, wanted = self.view.fields["contributions"], set(units)
        present = there_of(self.view, inputs)
        steps = names_along(self.view, field.along, self.iterations)
        reported = by_step("contributions", captured["contributions"], steps, field.dims, len(inputs))
        return {
            (step, unit): units_first(without_padding(field.name, made, field.dims, present, padding), field.dims)[
                position
            ]
            for step, made in enumerate(reported)
            for position, unit in enumerate(self.view.units_at(step, len(steps)))
            if unit in wanted
        }


@dataclass(frozen=True, eq=False)
class _Sum:
    """Sum of a unit's contributions at a step, and the number of samples, or tokens, in it."""

    total: Tensor
    count: int

    def __add__(self, other: "_Sum") -> "_Sum":
        return _Sum(self.total + other.total, self.count + other.count)

    @classmethod
    def of(cls, rows: Tensor, ragged: bool) -> "_Sum":
        """Sum over samples; or over the tokens of ragged ones (sample, token, feature), where others are NaN."""
        if not ragged:
            return cls(rows.sum(dim=0, dtype=torch.float64), len(rows))
        return cls(rows.nansum(dim=(0, 1), dtype=torch.float64), int((~rows[..., 0].isnan()).sum()))
