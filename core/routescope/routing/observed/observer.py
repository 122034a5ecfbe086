"""Observed routing of a network over data: use of units, balance, specialisation, consistency.

Nothing here says how much a unit matters; :mod:`routescope.routing.caused.importance` does. Measures are defined in
:mod:`routescope.routing.observed.measures`, and are per step unless their name says otherwise.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Self

import numpy as np
import xarray as xr
from jaxtyping import Float32, Int, Int64, UInt8
from torch import Tensor

from routescope.assets import require
from routescope.data import check_limit
from routescope.data.pictures.sets import PictureSet
from routescope.data.samples import Samples
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import Network
from routescope.routing.intervention import Intervention
from routescope.routing.observed.result import (
    Observation,
    Variables,
    alike,
    consistency,
    exemplars,
    specialisation,
    use,
)
from routescope.routing.observed.tally import Exemplars, Tally, TallyShape
from routescope.routing.progress import PieceRunner, Progress, at_once, in_turns
from routescope.routing.running import Routed, routed

#: Groups are found on the patches of so many samples, spread evenly over the data sets.
FITTED_SAMPLES = 100
COUNTING, BASELINES = "Counting which units take which tokens", "Computing the shuffled baseline"
#: Seconds between the first counts, which follow the first batch, and the next; then twice as long each time.
SECOND_COUNTS = 0.5


@dataclass(frozen=True, eq=False)
class PatchGroups:
    """k-means groups of the pixels of patches.

    Attributes:
        centres: the mean patch of each group, pixels in [0, 1].
        grid: rows and columns of patches in an image.
        tokens: positions of the patches among the model's tokens, row by row; ``count`` tokens in all.
    """

    centres: Float32[np.ndarray, "group pixel"]
    grid: tuple[int, int]
    tokens: Int[np.ndarray, " patch"]
    count: int

    @classmethod
    def fit(
        cls, model: Network, datasets: Sequence[Samples], counts: Sequence[int], groups: int, seed: int = 0
    ) -> Self | None:
        """Group the patches of the first ``counts`` samples; None where tokens are no grid of patches of images."""
        tokens = np.array([i for i, token in enumerate(model.tokens) if token.startswith("patch:")], np.int64)
        rows, columns = model.config.grid
        shown = [dataset for dataset in datasets if isinstance(dataset, PictureSet)]
        if not len(tokens) or len(tokens) != rows * columns or len(shown) < len(datasets):
            return None
        share = -(-FITTED_SAMPLES // len(shown))
        chosen = [
            dataset.images[np.unique(np.linspace(0, count - 1, min(count, share)).astype(int))]
            for dataset, count in zip(shown, counts, strict=True)
            if count
        ]
        patches = np.concatenate([cut(images, (rows, columns)) for images in chosen])
        pixels = patches.reshape(-1, patches.shape[-1])
        distinct = len(np.unique(pixels, axis=0))
        if min(groups, distinct) < 2:
            return None
        require("sklearn")
        from sklearn.cluster import KMeans

        fitted = KMeans(min(groups, distinct), n_init=1, random_state=seed).fit(pixels)
        return cls(fitted.cluster_centers_.astype(np.float32), (rows, columns), tokens, len(model.tokens))

    def of(self, images: UInt8[Tensor, "sample 3 side side"]) -> Int[np.ndarray, "sample token"]:
        """Return the group of every token; -1 for tokens that are no patches."""
        patches = cut(images, self.grid)
        near = patches @ self.centres.T - (self.centres**2).sum(axis=1) / 2  # largest where the centre is nearest
        groups = np.full((len(images), self.count), -1, np.int64)
        groups[:, self.tokens] = near.argmax(axis=-1)
        return groups


def cut(
    images: UInt8[Tensor, "sample 3 side side"], grid: tuple[int, int]
) -> Float32[np.ndarray, "sample patch pixel"]:
    """Return the patches of images in 0..255, row by row, pixels in [0, 1]."""
    pixels = images.numpy().astype(np.float32) / 255
    B, c, height, width = pixels.shape
    rows, columns = grid
    parts = pixels.reshape(B, c, rows, height // rows, columns, width // columns)
    return parts.transpose(0, 2, 4, 1, 3, 5).reshape(B, rows * columns, -1)


#: Outputs of units are kept for at most so many (sample, token) rows, of samples spread evenly over all.
SIMILARITY_ROWS = 2048
#: Distances between samples are measured on this many pairs, among at most so many samples spread evenly over all.
SAMPLE_PAIRS, PAIRED_SAMPLES = 2000, 256


def spread(count: int, most: int) -> Int64[np.ndarray, " place"]:
    """Return at most ``most`` of ``count`` positions, evenly spread."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).astype(np.int64))


class Observer:
    """Accumulates over batches; ``result`` then returns the measures.

    Memory does not grow with the number of samples, except 4 bytes x steps x units a sample for the shuffled null.
    Outputs of units are kept for ``SIMILARITY_ROWS`` rows, compatibilities for ``PAIRED_SAMPLES`` samples.

    Args:
        datasets: each with a head of the model.
        intervention: None: nothing is ablated.
        limit: the first so many samples of each data set; None: all.
        exemplars: number for each unit.
        shuffles: of labels, for the null.
        seed: of shuffles, pairs of samples, groups of patches and donors of ``resample``.

    Raises:
        ValueError: a mixture of experts, no data set, no sample, no iteration, no exemplar or no shuffle.
    """

    def __init__(
        self,
        model: Network,
        datasets: Sequence[Samples],
        *,
        intervention: Intervention | None = None,
        limit: int | None = None,
        exemplars: int = 12,
        shuffles: int = 200,
        seed: int = 0,
    ) -> None:
        check_limit(limit)
        if isinstance(model, RoutedNetwork):
            raise ValueError("the tokens of this model are routed to experts: count their load with LoadObserver")
        if not datasets or exemplars < 1 or shuffles < 1:
            raise ValueError("observe at least one data set, with at least one exemplar and one shuffle")
        self.model, self.datasets, self.seed, self.shuffles = model, list(datasets), seed, shuffles
        self.intervention = intervention or Intervention()
        view = self.intervention.structural.apply(model)
        S, names = len(model.step_names(self.intervention.iterations_on(model))), view.coordinates()
        self.counts = [len(dataset) if limit is None else min(limit, len(dataset)) for dataset in self.datasets]
        self.total = sum(self.counts)
        if not S or not self.total:
            raise ValueError("observe at least one sample for at least one iteration")
        for dataset in self.datasets:
            model.head_of(dataset.domain)
        M, V = len(names["unit"]), len(model.tokens)
        self.taking_part = np.array([[u in view.computing(s, S) for u in range(M)] for s in range(S)])
        self.groups: PatchGroups | None = None
        self.tally = Tally(TallyShape(S, M, V, len(names["label"]), 0, len(model.all_units) // M))
        self.exemplars = Exemplars(M, exemplars)
        self.of_input = np.array([i for i, token in enumerate(model.tokens) if not token.startswith("cls:")], np.int64)
        self._similar = spread(self.total, max(1, SIMILARITY_ROWS // V))
        self._paired = spread(self.total, PAIRED_SAMPLES)
        self._only = ("compatibility", *(["contributions"] if "contributions" in model.fields else []))
        self._outputs: list[list[np.ndarray]] = [[] for _ in range(S)]
        self._compatibilities: list[np.ndarray] = []
        self._ungrouped: tuple[Samples, Routed] | None = None  # the first batch, until patches are grouped
        self.done = 0

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """(samples done, samples in all), one batch a step; between two steps no hook is registered."""
        for dataset, count in zip(self.datasets, self.counts, strict=True):
            for batch in routed(self.model, dataset, count, self.intervention, self._only, self.seed):
                if batch is not None:
                    self._add(dataset, batch)
                yield self.done, self.total

    def group_patches(self) -> None:
        """Fit the groups of patches, which takes a second or two; at the second batch unless it was done before."""
        if self._ungrouped is None:
            return
        shape, (dataset, batch) = self.tally.shape, self._ungrouped
        self._ungrouped = None
        self.groups = PatchGroups.fit(self.model, self.datasets, self.counts, groups=shape.labels, seed=self.seed)
        if self.groups is not None:
            self.tally.shape = replace(shape, groups=len(self.groups.centres))
            self.tally.by_group = np.zeros((shape.steps, shape.units, self.tally.shape.groups))
            groups = self._groups_of(dataset, batch)
            if groups is not None:
                self.tally.add_groups(_compatibilities(batch), groups)

    def _groups_of(self, dataset: Samples, batch: Routed) -> Int[np.ndarray, "sample token"] | None:
        if self.groups is None or not isinstance(dataset, PictureSet):
            return None
        return self.groups.of(dataset.images[batch.rows.start : batch.rows.stop])

    def _add(self, dataset: Samples, batch: Routed) -> None:
        if self.done:
            self.group_patches()
        else:
            self._ungrouped = dataset, batch
        C = _compatibilities(batch)
        rows = slice(batch.rows.start, batch.rows.stop)
        labels = dataset.labels[rows].numpy() if self.tally.shape.labels else None
        self.tally.add(C, labels, self._groups_of(dataset, batch), batch.there)
        self.exemplars.add(C, self.done, self.of_input)
        here = np.arange(self.done, self.done + len(C))
        self._compatibilities.append(C[np.isin(here, self._paired)])
        similar = np.isin(here, self._similar)
        if "contributions" in batch.fields:
            for kept, outputs in zip(self._outputs, batch.fields["contributions"], strict=True):
                kept.append(outputs[:, similar])
        self.done += len(C)

    def counted(self) -> Observation:
        """Return what is counted so far, after any batch: use, shares of labels and exemplars, without baselines,
        distances and similarity."""
        counts: Variables = {
            **use(self.tally, self.taking_part),
            "joint": (("step", "unit", "label"), self.tally.joint),
            **exemplars(self.exemplars, self.counts),
        }
        return self._observation(counts)

    def result(self) -> Observation:
        """Return all measures, after the last batch; nulls and similarity take about a second."""
        self.group_patches()
        outputs = [np.concatenate(parts, axis=1) for parts in self._outputs if parts]
        rng = np.random.default_rng(self.seed)
        variables: Variables = {
            **use(self.tally, self.taking_part),
            **specialisation(self.tally, self.shuffles, rng),
            **consistency(self.tally, np.concatenate(self._compatibilities), SAMPLE_PAIRS, rng),
            **alike(outputs, self.taking_part),
            **exemplars(self.exemplars, self.counts),
        }
        return self._observation(variables)

    def _observation(self, variables: Variables) -> Observation:
        coordinates = {name: (name, np.array(values)) for name, values in self._coordinates().items()}
        return Observation(xr.Dataset(variables, coords=coordinates, attrs=self._attributes()))

    def _coordinates(self) -> dict[str, Any]:
        names, shape = self.model.coordinates(), self.tally.shape
        coordinates = {
            "step": self.model.step_names(shape.steps // shape.scripts),
            "unit": names["unit"],
            "label": names["label"],
            "token": self.model.tokens,
            "rank": np.arange(1, self.exemplars.most + 1),
            "shuffle": np.arange(1, self.shuffles + 1),
        }
        return (
            coordinates | {f"{name}_other": coordinates[name] for name in ("step", "label")} | {"other": names["unit"]}
        )

    def _attributes(self) -> dict[str, Any]:
        data = [
            {"name": dataset.name, "title": dataset.title, "split": dataset.split, "count": count}
            for dataset, count in zip(self.datasets, self.counts, strict=True)
        ]
        return {
            "model": self.model.id,
            "revision": self.model.revision,
            "intervention": self.intervention.to_json(),
            "data": json.dumps(data),
            "count": self.done,
            "seed": self.seed,
            "shuffles": self.shuffles,
        }


def _compatibilities(batch: Routed) -> Float32[np.ndarray, "sample step unit token"]:
    return np.stack(batch.fields["compatibility"]).transpose(2, 0, 1, 3)


def observe(
    model: Network,
    datasets: Sequence[Samples],
    *,
    limit: int | None = None,
    progress: Progress | None = None,
    turn: PieceRunner = at_once,
    counted: Callable[[Observation], None] | None = None,
    **options: Any,
) -> Observation:
    """Return the observed measures of a network over data.

    Args:
        limit, options: as of :class:`Observer`.
        progress: called with (samples done, samples in all, what is done); an exception it raises cancels.
        turn: runs each batch.
        counted: called with what is counted so far (:meth:`Observer.counted`), after the first batch, then more and
            more rarely, and after the last batch; baselines and similarity come later.
    """
    report = progress or (lambda done, total, what: None)
    observer = Observer(model, datasets, limit=limit, **options)
    report(0, observer.total, COUNTING)
    begun, pause = monotonic(), 0.0
    for done, total in in_turns(observer, turn):
        if counted and done and (done == total or monotonic() - begun >= pause):
            counted(observer.counted())
            pause = max(SECOND_COUNTS, 2 * pause)
        report(done, total, COUNTING)
        observer.group_patches()
    report(observer.total, observer.total, BASELINES)
    return observer.result()
