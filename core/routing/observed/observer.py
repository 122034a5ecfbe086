"""What is observed of a network's routing over data: who is used, how evenly, for what, how steadily.

All of it is observed; nothing here says what a unit matters for (see :mod:`core.routing.caused.importance` for that).
Definitions are those of :mod:`core.routing.observed.measures`; every number is per step unless its name says otherwise.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd
import xarray as xr

from core.data import Dataset, check_limit
from core.routing.intervention import Intervention
from core.routing.observed.patch_groups import PatchGroups
from core.routing.observed.tally import Exemplars, Shape, Tally
from core.routing.running import Routed, routed, step_count

#: Outputs of units are kept for at most so many (sample, token) rows, of samples spread evenly over all.
SIMILARITY_ROWS = 2048
#: Distances between samples are measured on this many pairs, among at most so many samples spread evenly over all.
SAMPLE_PAIRS, PAIRED_SAMPLES = 2000, 256

#: Tables and the variables in them, which share their axes.
TABLES: dict[str, tuple[str, ...]] = {
    "steps": (
        "entropy", "entropy_share", "effective_units", "balance_cv", "balance_max_over_mean", "balance_gini",
        "collapse_worst", "collapse_average", "mutual_information", "specialisation", "specialisation_null",
        "specialisation_null_high", "specialisation_position", "specialisation_feature", "jsd_samples", "repeat_rate",
        "repeat_chance", "unmatched", "units_taking_part", "cka_rows",
    ),
    "usage": ("usage",),
    "labels": ("joint", "label_share"),
    "specialisation_shuffled": ("specialisation_null_draws",),
    "positions": ("by_position",),
    "label_distances": ("jsd_labels",),
    "step_distances": ("jsd_steps", "cka_steps"),
    "coactivation": ("coactivation", "coactivation_expected"),
    "similarity": ("cka", "cosine"),
    "similarity_by_step": ("cka_by_step", "cosine_by_step"),
    "exemplars": ("exemplar_set", "exemplar_sample", "exemplar_token", "exemplar_step", "exemplar_weight"),
}  # fmt: skip
NAMES = tuple(TABLES)


@dataclass(frozen=True)
class Observation:
    """Observed measures of a model over data sets.

    ``dataset`` has coordinates step, unit (place in its script), label, token, rank and shuffle, and (dims in
    brackets):

    * usage (step, unit): p(m), the unit's share of routing weight; 0 for units that are dropped.
    * joint (step, unit, label): p(m, k); label_share: p(k | m), NaN for a unit that is not used.
      by_position (step, unit, token): p(m, token).
    * entropy, entropy_share, effective_units (step): means over tokens of H, H / ln M and exp(H), M the units that
      take part in the step (``units_taking_part``).
    * balance_cv, balance_max_over_mean, balance_gini, collapse_worst, collapse_average (step): of p(m), over M.
    * mutual_information, specialisation (step): I(unit; label) in nats, and over min(H(unit), H(label)).
      specialisation_null_draws (shuffle, step): with labels shuffled between samples, alike for all steps;
      specialisation_null, specialisation_null_high (step): their mean and 95th percentile. For means over steps,
      whose percentile is not the mean of these, there is ``null_over``. Controls of the same form:
      specialisation_position, by token; specialisation_feature, by what a patch looks like (k-means groups of pixels,
      as many as labels; CLS tokens left out).
    * jsd_samples (step): mean Jensen-Shannon distance (base 2, 0 to 1) between two samples' shares at one token.
      jsd_labels (step, label, label_other): between p(m | k). jsd_steps (step, step_other): mean over tokens; within
      a script.
    * repeat_rate, repeat_chance (step): share of tokens whose dominant unit is that of the step before; by chance.
    * coactivation, coactivation_expected (step, unit, other): P(i and j) and P(i) P(j), a unit being active on a
      token where its compatibility is above 0.
    * cka_by_step, cosine_by_step (step, unit, other): debiased linear CKA and mean cosine of what two units
      contribute to the same tokens, on ``cka_rows`` (step) of them. Contributions are weighted by compatibility, so
      routing enters; they are not the units' raw outputs. cka, cosine (unit, other): means over steps.
      cka_steps (step, step_other): CKA of all units' contributions side by side, on the tokens that both compute.
    * unmatched (step): share of tokens that match no unit. They have no routing and count nowhere else but in P(i).
    * exemplar_set, exemplar_sample, exemplar_token, exemplar_step (unit, rank): positions in ``attrs["data"]``, in
      that data set, in ``token`` and in ``step``; -1 where there is none. exemplar_weight: the compatibility.

    With several scripts, ``unit`` f2 stands for s1.f2 at the steps of the first script and for s2.f2 at those of the
    second. What is per step is of one unit; cka, cosine and exemplars pool the units that share a place.

    NaN stands where a measure is not defined. Attributes: model, revision, intervention, data (JSON), count, seed.
    """

    dataset: xr.Dataset

    def __getitem__(self, name: str) -> xr.DataArray:
        return self.dataset[name]

    def table(self, name: str) -> pd.DataFrame:
        """One of ``TABLES``, a row for each combination of its axes."""
        if name not in TABLES:
            raise ValueError(f"there is no table {name!r}; there are {', '.join(TABLES)}")
        return self.dataset[list(TABLES[name])].to_dataframe().reset_index()

    def null_over(self, steps: Sequence[str] | None = None) -> tuple[float, float]:
        """Mean and 95th percentile, over shuffles, of the mean specialisation over ``steps`` (None: all of them).

        What the mean over these steps of ``specialisation`` stands beside; NaN where no step has a number.
        """
        draws = self["specialisation_null_draws"]
        means = draws.sel(step=draws["step"].values if steps is None else list(steps)).mean("step", skipna=True)
        return float(means.mean()), float(np.quantile(means, 0.95))

    def plot(self, name: str, axes: Any = None) -> Any:
        """Draw one variable: lines over steps, a matrix, or a matrix a step. Returns the array of matplotlib axes."""
        from core.plots.observed import plot

        return plot(self, name, axes)

    def save(self, path: str | Path) -> Path:
        """Write one NetCDF file."""
        self.dataset.to_netcdf(path, engine="h5netcdf")
        return Path(path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a file that ``save`` wrote."""
        with xr.open_dataset(path, engine="h5netcdf") as dataset:
            return cls(dataset.load())


def spread(count: int, most: int) -> np.ndarray:
    """At most ``most`` of ``count`` places, evenly spread."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).astype(np.int64))


class Observer:
    """Accumulates over batches; then ``result``.

    Memory does not grow with the number of samples, but for 4 bytes x steps x units a sample, which the shuffled null
    needs. Outputs of units are kept for ``SIMILARITY_ROWS`` rows, compatibilities for ``PAIRED_SAMPLES`` samples.

    Args:
        datasets: each with a head of the model.
        intervention: what is ablated and how, and how many iterations run.
        limit: the first so many samples of each data set; all when None.
        exemplars: how many for each unit.
        shuffles: of labels, for the null.
        seed: of shuffles, pairs of samples, groups of patches and donors of ``resample``.
    """

    def __init__(
        self,
        model: Any,
        datasets: Sequence[Dataset],
        *,
        intervention: Intervention | None = None,
        limit: int | None = None,
        exemplars: int = 12,
        shuffles: int = 200,
        seed: int = 0,
    ) -> None:
        check_limit(limit)
        if not datasets or exemplars < 1 or shuffles < 1:
            raise ValueError("observe at least one data set, with at least one exemplar and one shuffle")
        self.model, self.datasets, self.seed, self.shuffles = model, list(datasets), seed, shuffles
        self.intervention = intervention or Intervention()
        view = self.intervention.structural.apply(model)
        S, names = step_count(model, self.intervention), view.coordinates()
        self.counts = [len(dataset) if limit is None else min(limit, len(dataset)) for dataset in self.datasets]
        self.total = sum(self.counts)
        if not S or not self.total:
            raise ValueError("observe at least one sample for at least one iteration")
        for dataset in self.datasets:
            if dataset.domain not in model.config.domains:
                raise ValueError(f"no head for {dataset.domain!r}; this model has {', '.join(model.config.domains)}")
        M, V = len(names["unit"]), len(model.tokens)
        self.taking_part = np.array([[u in view.computing(s, S) for u in range(M)] for s in range(S)])
        self.groups = PatchGroups.fit(model, self.datasets, self.counts, groups=len(names["label"]), seed=seed)
        groups = 0 if self.groups is None else len(self.groups.centres)
        self.tally = Tally(Shape(S, M, V, len(names["label"]), groups, len(model.all_units) // M))
        self.exemplars = Exemplars(M, exemplars)
        self.patches = np.array([i for i, token in enumerate(model.tokens) if token.startswith("patch:")], np.int64)
        self._similar = spread(self.total, max(1, SIMILARITY_ROWS // V))
        self._paired = spread(self.total, PAIRED_SAMPLES)
        self._outputs: list[list[np.ndarray]] = [[] for _ in range(S)]
        self._compatibilities: list[np.ndarray] = []
        self.done = 0

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """(samples done, samples in all), one batch a step; between two steps no hook is registered."""
        for dataset, count in zip(self.datasets, self.counts, strict=True):
            only = ("compatibility", "contributions")
            for batch in routed(self.model, dataset, count, self.intervention, only, self.seed):
                if batch is not None:
                    self._add(dataset, batch)
                yield self.done, self.total

    def _add(self, dataset: Dataset, batch: Routed) -> None:
        C = np.stack(batch.fields["compatibility"]).transpose(2, 0, 1, 3)  # (sample, step, unit, token)
        rows = slice(batch.rows.start, batch.rows.stop)
        groups = None if self.groups is None else self.groups.of(dataset.images[rows])
        self.tally.add(C, dataset.labels[rows].numpy(), groups)
        self.exemplars.add(C, self.done, self.patches)
        here = np.arange(self.done, self.done + len(C))
        self._compatibilities.append(C[np.isin(here, self._paired)])
        similar = np.isin(here, self._similar)
        for kept, outputs in zip(self._outputs, batch.fields["contributions"], strict=True):
            kept.append(outputs[:, similar])
        self.done += len(C)

    def result(self) -> Observation:
        """All measures; nulls and similarity take about a second.

        Raises:
            RuntimeError: before all batches were seen.
        """
        if self.done != self.total:
            raise RuntimeError(f"{self.done} of {self.total} samples were observed: iterate to the end first")
        from core.routing.observed.result import assemble

        outputs = [np.concatenate(parts, axis=1) for parts in self._outputs]
        return Observation(assemble(self, outputs, np.concatenate(self._compatibilities)))


def observe(
    model: Any,
    datasets: Sequence[Dataset],
    *,
    intervention: Intervention | None = None,
    limit: int | None = None,
    exemplars: int = 12,
    shuffles: int = 200,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Observation:
    """All of an :class:`Observer` at once; ``progress`` gets (samples done, in all), an exception it raises cancels."""
    observer = Observer(
        model,
        datasets,
        intervention=intervention,
        limit=limit,
        exemplars=exemplars,
        shuffles=shuffles,
        seed=seed,
    )
    for done, total in observer:
        if progress is not None:
            progress(done, total)
    return observer.result()
