"""Scorers: they compute the scores that an analysis needs, here and now or through a cache, a queue, a cluster."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

import numpy as np
from jaxtyping import Bool

from routescope.data.samples import Samples
from routescope.nn.network import Network
from routescope.routing.caused.scores import Scores, score
from routescope.routing.caused.subsets import MOST_UNITS_EXACT, Subsets, for_each_subset
from routescope.routing.compute import flops_per_sample
from routescope.routing.intervention import Intervention
from routescope.routing.options import Kind
from routescope.routing.progress import Progress


class Scorer(Protocol):
    """Scores interventions on one network, always on the same samples.

    ``scores`` gives all samples of the data sets, one set after the other; ``flops`` gives the floating-point
    operations of one sample.
    """

    def scores(self, intervention: Intervention) -> Scores: ...

    def flops(self, intervention: Intervention) -> int: ...


@dataclass(frozen=True)
class ModelScorer:
    """Scorer that runs the network in the calling thread.

    Attributes:
        limit: score only the first so many samples of each data set.
        seed: of the donors of ``resample``.
    """

    model: Network
    datasets: Sequence[Samples]
    limit: int | None = None
    seed: int = 0

    def scores(self, intervention: Intervention) -> Scores:
        """Score every data set; raises as ``score``."""
        model, limit, seed = self.model, self.limit, self.seed
        return Scores.join(score(model, dataset, intervention, limit, seed=seed) for dataset in self.datasets)

    def flops(self, intervention: Intervention) -> int:
        """Return the operations of one sample; raises as ``flops_per_sample``."""
        return flops_per_sample(self.model, intervention)


@dataclass(eq=False)
class KeptUnits:
    """v of game theory: scores by the units that are kept, each set of units scored only once.

    Attributes:
        units: the players; all other units of the network stay.
        kind: how the units that are not kept are ablated.
        base: what else is changed in every score.
        taken: which of the scored samples count; None: all.
        scored: the scores so far, in the order in which they were asked for.
        most: number of sets that will be scored at most, for ``progress``.
        progress: called with (sets scored, ``most``, ``what``) after each; an exception it raises cancels.
        what: purpose of the scores, in words.
    """

    scorer: Scorer
    units: Sequence[str]
    kind: Kind = "drop"
    base: Intervention = Intervention()
    taken: Bool[np.ndarray, " sample"] | None = None
    most: int = 0
    progress: Progress | None = None
    what: str = "scoring subsets"
    scored: dict[frozenset[str], Scores] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        model: Network,
        datasets: Sequence[Samples],
        limit: int | None = None,
        *,
        seed: int = 0,
        units: Sequence[str] | None = None,
        **options: Any,
    ) -> Self:
        """Return the value of the units of a network (None: all) that runs it here and now.

        Args:
            limit, seed: as of ``ModelScorer``.
            options: further attributes, such as ``kind`` and ``base``.
        """
        return cls(ModelScorer(model, datasets, limit, seed), model.units if units is None else units, **options)

    def without(self, kept: frozenset[str]) -> Intervention:
        """Return the intervention that leaves these units alone."""
        return self.base.ablating(self.kind, (unit for unit in self.units if unit not in kept))

    def __call__(self, kept: frozenset[str]) -> Scores:
        if kept not in self.scored:
            scores = self.scorer.scores(self.without(kept))
            self.scored[kept] = scores if self.taken is None else scores.take(self.taken)
            if self.progress is not None:
                self.progress(min(len(self.scored), self.most), self.most, self.what)
        return self.scored[kept]

    def flops(self, kept: frozenset[str]) -> int:
        """Return the operations of one sample with these units kept; kinds that replace save none."""
        return self.scorer.flops(self.without(kept))


def all_subsets(value: KeptUnits, attrs: Mapping[str, Any] | None = None) -> Subsets:
    """Score every subset of the units, in the order of ``for_each_subset``.

    Args:
        value: its ``most`` is the number of subsets.
        attrs: facts for files.

    Raises:
        ValueError: for more than ``MOST_UNITS_EXACT`` units.
    """
    units = tuple(value.units)
    if len(units) > MOST_UNITS_EXACT:
        raise ValueError(
            f"every subset is scored for up to {MOST_UNITS_EXACT} units; these are {len(units)}: sample instead"
        )
    scores, flops = dict[frozenset[str], Scores](), dict[frozenset[str], int]()
    for kept in for_each_subset(units):
        dropped = len(units) - len(kept)
        value.what = (
            f"scoring subsets: {dropped} of {len(units)} units dropped" if dropped else "scoring the whole network"
        )
        scores[kept], flops[kept] = value(kept), value.flops(kept)
    return Subsets.from_scores(units, value.kind, scores, flops, attrs)
