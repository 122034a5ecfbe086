"""Scope of a measurement: a model, the first samples of data sets, an intervention; checked and hashed."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from jaxtyping import Bool, Shaped

from routescope import __version__
from routescope.data import DataError, Samples
from routescope.data.catalogue import with_same_inputs
from routescope.routing import Intervention
from routescope.routing.caused.distributions import Distribution, choose_distribution, distribution_of
from routescope.routing.caused.scores import Scores
from routescope.routing.rules import needs_use
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.engine.inference import Inference
from routescope_app.services.errors import NotAccepted, NotFound, sentence
from routescope_app.services.interventions import accepted
from routescope_app.services.measuring.order import Order
from routescope_app.services.measuring.usages import Usages
from routescope_app.services.reading import check_reads_set
from routescope_app.services.samples.gallery import Gallery
from routescope_app.services.unit_sets import UnitSets
from routescope_app.settings import Settings


class TooFewSamples(NotAccepted):
    """Fewer samples than data sets were asked for."""


@dataclass(frozen=True)
class SampleRange:
    """The first ``limit`` samples of a data set; ``content`` is the hash of the whole set."""

    dataset: Samples
    limit: int
    content: str

    def sample_id(self, row: int) -> str:
        """Return the id of a sample by its position."""
        return f"{self.dataset.name}.{self.dataset.split}.{row}"

    def to_json(self, held_out: Collection[str] = ()) -> dict[str, Any]:
        """Return the fields of ``MeasuredSet``; ``held_out`` are the domains that the model was never trained on."""
        return {
            "name": self.dataset.name,
            "title": self.dataset.title,
            "stand_in": self.dataset.stand_in,
            "held_out": self.dataset.domain in held_out,
            "count": self.limit,
        }

    def distribution(self, info: ModelInfo) -> Shaped[np.ndarray, " sample"]:
        """Return the distribution of each sample, by the model's card."""
        return distribution_of(self.dataset, info.trained_on, info.held_out, self.limit)


@dataclass(frozen=True)
class Measured:
    """A model and the samples it is measured on.

    Attributes:
        where: device and precision, on which the last bits depend.
    """

    info: ModelInfo
    parts: tuple[SampleRange, ...]
    where: str

    @property
    def count(self) -> int:
        """Number of samples."""
        return sum(part.limit for part in self.parts)

    @property
    def datasets(self) -> list[Samples]:
        """The samples of each part."""
        return [part.dataset.take(slice(part.limit)) for part in self.parts]

    @cached_property
    def order(self) -> Order:
        """Scoring order of the samples, the same for all interventions."""
        together = with_same_inputs([part.dataset for part in self.parts])
        return Order([part.content for part in self.parts], [part.limit for part in self.parts], together)

    @cached_property
    def distribution(self) -> dict[SampleRange, Shaped[np.ndarray, " sample"]]:
        """Distribution of each sample, by part."""
        return {part: part.distribution(self.info) for part in self.parts}

    def within(self, distribution: Distribution | None) -> "DistributionSubset":
        """Return the samples of a distribution, None: in, else unknown, else out; raises NotAccepted if it is empty."""
        try:
            chosen, positions, taken = choose_distribution(list(self.distribution.values()), distribution)
        except DataError as problem:
            raise NotAccepted(sentence(problem)) from None
        parts = tuple(self.parts[position] for position in positions)
        return DistributionSubset(replace(self, parts=parts), chosen, taken)

    def data(self) -> list[dict[str, Any]]:
        """Return the data sets as ``MeasuredSet``."""
        return [part.to_json(self.info.held_out) for part in self.parts]

    def facts(self, job_id: str) -> dict[str, Any]:
        """Return the fields that the results of all jobs have."""
        return {"id": job_id, "model": self.info.id, "revision": self.info.revision, "data": self.data()}

    def key(self, part: SampleRange, intervention: Intervention) -> str:
        """Return a hash of everything that the scores of one part depend on."""
        what = self.plain(intervention).to_json()
        facts = [__version__, self.where, self.info.revision, part.content, str(part.limit), what]
        return hashlib.sha256("\n".join(facts).encode()).hexdigest()

    def plain(self, intervention: Intervention) -> Intervention:
        """Return the intervention without the model's own number of iterations, and without keeping all links."""
        iterations, keep_edges = intervention.iterations, intervention.keep_edges
        return replace(
            intervention,
            iterations=None if iterations == self.info.iterations else iterations,
            keep_edges=None if keep_edges == 1 else keep_edges,
        )

    def digest(self, *further: str) -> str:
        """Return a hash of everything that a result depends on, 40 hexadecimal digits."""
        facts = [__version__, self.where, self.info.id, self.info.revision]
        facts += [f"{part.content} {part.limit}" for part in self.parts]
        return hashlib.sha256("\n".join([*facts, *further]).encode()).hexdigest()[:40]


@dataclass(frozen=True)
class DistributionSubset:
    """Samples of one distribution.

    Attributes:
        measured: data sets with such samples; all of their samples are scored.
        taken: mask of the samples of the distribution, part after part; None: all.
    """

    measured: Measured
    distribution: Distribution
    taken: Bool[np.ndarray, " sample"] | None

    @property
    def count(self) -> int:
        """Number of samples."""
        return self.measured.count if self.taken is None else int(self.taken.sum())

    def of(self, scores: Scores) -> Scores:
        """Return the scores of the subset, from those of all scored samples."""
        return scores if self.taken is None else scores.take(self.taken)

    def _masks(self) -> list[Bool[np.ndarray, " sample"]]:
        """Return the mask of each part."""
        parts = self.measured.parts
        if self.taken is None:
            return [np.ones(part.limit, dtype=bool) for part in parts]
        return np.split(self.taken, np.cumsum([part.limit for part in parts])[:-1])

    @property
    def datasets(self) -> list[Samples]:
        """The samples of each part."""
        if self.taken is None:
            return self.measured.datasets
        return [
            part.dataset.take(np.flatnonzero(mask).tolist())
            for part, mask in zip(self.measured.parts, self._masks(), strict=True)
        ]

    def data(self) -> list[dict[str, Any]]:
        """Return the data sets as ``MeasuredSet``, with the numbers of samples of the subset."""
        pairs = zip(self.measured.data(), self._masks(), strict=True)
        return [described | {"count": int(mask.sum())} for described, mask in pairs]


class Measuring:
    """Resolves names of models, data sets and units, and refuses unknown ones.

    Args:
        where: device and precision of measurements.
    """

    def __init__(
        self, settings: Settings, inference: Inference, gallery: Gallery, usages: Usages, sets: UnitSets, where: str
    ) -> None:
        self._settings = settings
        self._inference = inference
        self._gallery = gallery
        self._usages = usages
        self._sets = sets
        self._where = where

    def info(self, model: str) -> ModelInfo:
        """Return the description of a model; raises NotFound."""
        return self._inference.info(model)

    def measured(self, model: str, data: Sequence[str], samples: int, *, once: bool = False) -> Measured:
        """Return a model and the samples it is measured on; blocking, reads both on first use.

        Args:
            data: names of the data sets; none: all of the model.
            once: without ``data``, take one of several data sets with the same inputs.

        Raises:
            NotFound: unknown model.
            NotAccepted: unknown data sets, too many samples, or data that the model does not read.
        """
        most = self._settings.max_measured_samples
        if samples > most:
            raise NotAccepted(f"Up to {most} samples are scored at once.")
        info = self._inference.info(model)
        sets = self._gallery.sets()
        available = [name for name in sets if name in info.domains]
        unknown = sorted(set(data) - set(available))
        if unknown:
            raise NotAccepted(
                f"This model has no data set {', '.join(name[:40] for name in unknown[:5])}; "
                f"it has {', '.join(available) or 'none'}."
            )
        names = [name for name in available if not data or name in data]
        if once and not data:
            first = {sets[name].inputs_of or name: name for name in reversed(names)}
            names = [name for name in names if name in first.values()]
        if not names:
            raise NotFound("There is no data set for the domains of this model.")
        if samples < len(names):
            raise TooFewSamples(f"At least one sample for each of {len(names)} data sets is needed.")
        share, over = divmod(samples, len(names))
        parts = []
        for position, name in enumerate(names):
            dataset = self._gallery.dataset(name)
            check_reads_set(info, dataset)
            limit = min(len(dataset), share + (position < over))
            parts.append(SampleRange(dataset, limit, self._gallery.content(name)))
        return Measured(info, tuple(parts), self._where)

    def intervention(self, info: ModelInfo, fields: dict[str, Any]) -> Intervention:
        """Return the intervention of a request; see ``interventions.accepted``.

        Blocking: observes the use of units first if a rule depends on it.
        """
        use = partial(self._use, info)
        return accepted(self._inference.model(info), fields, use, self._sets.find)

    def _use(self, info: ModelInfo) -> dict[str, float]:
        return self._usages.of(info).shares

    def named(self, model: str, kind: str, rule: list[str], top_k: int | None) -> dict[str, Any]:
        """Return the units that rules and names stand for; blocking; raises as ``intervention`` and ``info``."""
        info = self.info(model)
        units = self.intervention(info, {kind: rule, "top_k": top_k}).units
        return {
            "model": info.id,
            "revision": info.revision,
            "rule": rule,
            "kind": kind,
            "units": [unit for unit in info.units if unit in units],
            "observed": self._usages.of(info) if needs_use(rule) else None,
        }

    def observed(self, model: str) -> dict[str, Any]:
        """Return the use of every unit of a model; blocking; raises as ``Usages.of`` and ``info``."""
        info = self.info(model)
        usage = self._usages.of(info)
        units = [{"unit": unit, "share": share} for unit, share in usage.shares.items()]
        return {"model": info.id, "revision": info.revision, "data": usage.data, "count": usage.count, "units": units}
