"""Two evaluations on the same samples: which two may be compared, and what is known of their difference."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np

from routescope.routing import Intervention
from routescope.routing.caused.comparing import difference, differences_by, outcomes
from routescope.routing.caused.distributions import DISTRIBUTIONS
from routescope.routing.caused.intervals import RESAMPLES
from routescope.routing.caused.scores import Scores
from routescope_app.services.errors import NotAccepted
from routescope_app.services.measuring.scope import Measured
from routescope_app.services.measuring.scoring import Run
from routescope_app.services.measuring.snapshots import RUNNING_RESAMPLES, Pairs, accuracy_of, loss_of, paired


def check_comparable(a: Measured, b: Measured) -> None:
    """Whether the two say of the same samples how well they are answered.

    Raises:
        NotAccepted: other samples, labels or measures.
    """
    if [(part.content, part.limit) for part in a.parts] != [(part.content, part.limit) for part in b.parts]:
        raise NotAccepted(f"{a.info.id} and {b.info.id} are not measured on the same samples.")
    if tuple(a.info.labels) != tuple(b.info.labels):
        raise NotAccepted(
            f"{a.info.id} answers with other labels than {b.info.id}: their answers are not right or wrong alike."
        )


@dataclass(frozen=True)
class Sides:
    """A and B: what each is measured on, which is the same, what is done to each, and its run."""

    measured: Measured
    runs: tuple[Run, Run]
    iterations: int
    turned: bool

    @classmethod
    def of(cls, a: tuple[Measured, Run], b: tuple[Measured, Run]) -> Self:
        """Put A and B beside each other; what either training left out is out, what both showed is in."""
        (first, one), (second, other) = a, b
        shown = tuple(domain for domain in second.info.trained_on if domain in first.info.trained_on)
        beyond = tuple({*first.info.held_out, *second.info.held_out})
        info = replace(second.info, held_out=beyond, trained_on=shown)
        iterations = other.intervention.iterations
        return cls(
            measured=replace(second, info=info),
            runs=(one, other),
            iterations=second.info.iterations if iterations is None else iterations,
            turned=_name(first, one) > _name(second, other),
        )

    @property
    def rounds(self) -> int:
        """Rounds of the order that both have scored."""
        return min(run.rounds for run in self.runs)

    def known(self) -> dict[str, Any]:
        """B minus A over the samples of the rounds that both have scored, apart by distribution."""
        rounds, of = self.rounds, {"total": self.measured.count}
        if not rounds:
            return {"covered": 0, **of, "by_distribution": []}
        a, b = self.runs
        pairs = paired(self.measured, b.scored(rounds), a.scored(rounds), self.iterations)
        measures = pairs.baseline.measure.name, pairs.own.measure.name
        if measures[0] != measures[1]:
            words = "A is measured by {} and B by {}, which have no difference.".format(*measures)
            return {"problem": words, "covered": 0, **of, "by_distribution": []}
        resamples = RESAMPLES if rounds == self.measured.order.rounds else RUNNING_RESAMPLES
        found = []
        for name in DISTRIBUTIONS:
            own = pairs.distribution == name
            if own.any():
                found.append({"name": name, **self._of_one(pairs, own, resamples)})
        return {"covered": pairs.own.count, **of, "by_distribution": found}

    def _of_one(self, pairs: Pairs, own: np.ndarray, resamples: int) -> dict[str, Any]:
        a, b = pairs.baseline.take(own), pairs.own.take(own)
        effect = difference(a, b, turned=self.turned, resamples=resamples)
        groups = partial(_groups, a=a, b=b, turned=self.turned, resamples=resamples)
        return {
            "count": len(b),
            "a": {"accuracy": accuracy_of(a), "loss": loss_of(a)},
            "b": {"accuracy": accuracy_of(b), "loss": loss_of(b)},
            "difference": {
                name: {"value": change.value, "low": change.low, "high": change.high}
                for name, change in (("accuracy", effect.figure), ("loss", effect.loss))
            },
            "outcomes": outcomes(a, b) if b.measure.share else None,
            "by_label": groups(pairs.labels[own], names=self.measured.info.labels),
            "by_domain": groups(pairs.part[own], names=[part.dataset.name for part in self.measured.parts]),
            "by_kind": groups(pairs.kind[own], names=pairs.kinds),
        }


def _name(measured: Measured, run: Run) -> tuple[bool, str, str, str]:
    """What puts two in order, whichever is A: the model as it is comes first, as in the change of an evaluation."""
    plain = measured.plain(run.intervention)
    return plain != Intervention(), measured.info.id, measured.info.revision, plain.to_json()


def _groups(groups: np.ndarray, a: Scores, b: Scores, names: Any, turned: bool, resamples: int) -> list[dict[str, Any]]:
    table = differences_by(groups, a, b, list(names), turned=turned, resamples=resamples)
    table = table.rename(columns={"group": "name"})
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]
