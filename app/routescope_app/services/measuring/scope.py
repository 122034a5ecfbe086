"""What is measured on what: a model, the first samples of some data sets, an intervention; checked, named by hash."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from jaxtyping import Bool, Shaped

from routescope import __version__
from routescope.data import DataError, LabelledSamples
from routescope.data.sharing import with_same_inputs
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
    """Fewer samples than data sets to take them from."""


@dataclass(frozen=True)
class SampleRange:
    """The first ``limit`` samples of a data set; ``content`` is the hash of the whole set."""

    dataset: LabelledSamples
    limit: int
    content: str

    def to_json(self, held_out: Collection[str] = ()) -> dict[str, Any]:
        """As the API names it; ``held_out`` are the domains that the model was never trained on."""
        return {
            "name": self.dataset.name,
            "title": self.dataset.title,
            "stand_in": self.dataset.stand_in,
            "held_out": self.dataset.domain in held_out,
            "count": self.limit,
        }

    def distribution(self, info: ModelInfo) -> Shaped[np.ndarray, " sample"]:
        """The distribution of each sample, as far as the model's card says it."""
        return distribution_of(self.dataset, info.trained_on, info.held_out, self.limit)


@dataclass(frozen=True)
class Measured:
    """A model and the samples it is measured on."""

    info: ModelInfo
    parts: tuple[SampleRange, ...]
    where: str
    """Device and precision, on which the last bits depend."""

    @property
    def count(self) -> int:
        return sum(part.limit for part in self.parts)

    @property
    def datasets(self) -> list[LabelledSamples]:
        """The samples themselves."""
        return [part.dataset.take(slice(part.limit)) for part in self.parts]

    @cached_property
    def order(self) -> Order:
        """In which order the samples are scored, whatever the intervention."""
        together = with_same_inputs([part.dataset for part in self.parts])
        return Order([part.content for part in self.parts], [part.limit for part in self.parts], together)

    @cached_property
    def distribution(self) -> dict[SampleRange, Shaped[np.ndarray, " sample"]]:
        """Of each part, the distribution of its samples."""
        return {part: part.distribution(self.info) for part in self.parts}

    def within(self, distribution: Distribution | None) -> "OfOne":
        """The same on samples of one distribution alone.

        Args:
            distribution: None: in, else unknown, else out.

        Raises:
            NotAccepted: no sample is of the distribution that is asked for.
        """
        try:
            chosen, positions, taken = choose_distribution(list(self.distribution.values()), distribution)
        except DataError as problem:
            raise NotAccepted(sentence(problem)) from None
        parts = tuple(self.parts[position] for position in positions)
        return OfOne(replace(self, parts=parts), chosen, taken)

    def data(self) -> list[dict[str, Any]]:
        return [part.to_json(self.info.held_out) for part in self.parts]

    def key(self, part: SampleRange, intervention: Intervention) -> str:
        """Hash of everything that the scores of one part depend on."""
        what = self.plain(intervention).to_json()
        facts = [__version__, self.where, self.info.revision, part.content, str(part.limit), what]
        return hashlib.sha256("\n".join(facts).encode()).hexdigest()

    def plain(self, intervention: Intervention) -> Intervention:
        """The same, where the model's own number of iterations, and all links, go without saying."""
        own = intervention.iterations == self.info.iterations
        whole = intervention.keep_edges == 1
        return replace(
            intervention,
            iterations=None if own else intervention.iterations,
            keep_edges=None if whole else intervention.keep_edges,
        )

    def digest(self, *further: str) -> str:
        """Hash of everything that a result depends on, 40 hexadecimal digits."""
        facts = [__version__, self.where, self.info.id, self.info.revision]
        facts += [f"{part.content} {part.limit}" for part in self.parts]
        return hashlib.sha256("\n".join([*facts, *further]).encode()).hexdigest()[:40]


@dataclass(frozen=True)
class OfOne:
    """What is measured on samples of one distribution.

    Attributes:
        measured: the data sets that hold any, of which all samples are scored.
        taken: which of these samples are of the distribution, part after part; None: all.
    """

    measured: Measured
    distribution: Distribution
    taken: Bool[np.ndarray, " sample"] | None

    @property
    def count(self) -> int:
        """Samples of the distribution."""
        return self.measured.count if self.taken is None else int(self.taken.sum())

    def of(self, scores: Scores) -> Scores:
        """The scores of the distribution, from those of all samples that are scored."""
        return scores if self.taken is None else scores.take(self.taken)

    def _apart(self) -> list[Bool[np.ndarray, " sample"]]:
        parts = self.measured.parts
        if self.taken is None:
            return [np.ones(part.limit, dtype=bool) for part in parts]
        return np.split(self.taken, np.cumsum([part.limit for part in parts])[:-1])

    @property
    def datasets(self) -> list[LabelledSamples]:
        """The samples of the distribution."""
        if self.taken is None:
            return self.measured.datasets
        return [
            part.dataset.take(np.flatnonzero(own).tolist())
            for part, own in zip(self.measured.parts, self._apart(), strict=True)
        ]

    def data(self) -> list[dict[str, Any]]:
        """The data sets, each with how many of its samples are of the distribution."""
        return [
            {**each, "count": int(own.sum())} for each, own in zip(self.measured.data(), self._apart(), strict=True)
        ]


class Measuring:
    """Turns names into what is measured, and refuses what is not there with what there is.

    Args:
        where: device and precision of what measures.
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
        """What is known of a model; raises NotFound."""
        return self._inference.info(model)

    def measured(self, model: str, data: Sequence[str], samples: int, *, once: bool = False) -> Measured:
        """Blocking: reads the model and the data sets where that was not done before.

        Args:
            data: names of the data sets; none: all that the model has.
            once: of all that the model has, one of those that have the same inputs, where what is asked for does not
                depend on what is right.

        Raises:
            NotFound: unknown model.
            NotAccepted: unknown data sets, more samples than are scored at once, or a model that does not read them.
        """
        most = self._settings.max_measured_samples
        if samples > most:
            raise NotAccepted(f"Up to {most} samples are scored at once.")
        info = self._inference.info(model)
        sets = self._gallery.sets()
        there = [name for name in sets if name in info.domains]
        unknown = sorted(set(data) - set(there))
        if unknown:
            raise NotAccepted(
                f"This model has no data set {', '.join(name[:40] for name in unknown[:5])}; "
                f"it has {', '.join(there) or 'none'}."
            )
        names = [name for name in there if not data or name in data]
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
        """The intervention that ``fields`` describe, which the model can take; see ``interventions.accepted``.

        Blocking: where a rule asks how much units are used, that is observed first.
        """
        use = partial(self._use, info)
        return accepted(self._inference.model(info), fields, use, self._sets.find)

    def _use(self, info: ModelInfo) -> dict[str, float]:
        return self._usages.of(info).shares

    def named(self, model: str, kind: str, rule: list[str], top_k: int | None) -> dict[str, Any]:
        """The units that rules and names stand for; blocking; raises as ``intervention`` and ``info``."""
        info = self.info(model)
        found = self.intervention(info, {kind: rule, "top_k": top_k})
        chosen = found.units
        observed = self._usages.of(info) if needs_use(rule) else None
        return {
            "model": info.id,
            "revision": info.revision,
            "rule": rule,
            "kind": kind,
            "units": [unit for unit in info.units if unit in chosen],
            "observed": observed,
        }

    def observed(self, model: str) -> dict[str, Any]:
        """How much every unit of a model is used; blocking; raises as ``Usages.of`` and ``info``."""
        info = self.info(model)
        found = self._usages.of(info)
        units = [{"unit": unit, "share": share} for unit, share in found.shares.items()]
        whose = {"model": info.id, "revision": info.revision}
        return {**whose, "data": found.data, "count": found.count, "units": units}
