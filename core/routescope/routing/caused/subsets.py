"""Subsets of units: the order in which subsets are scored, and the scores of every subset."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import xarray as xr
from jaxtyping import Num

from routescope.nn.measures import ACCURACY, Measure
from routescope.routing.caused.scores import Scores
from routescope.routing.options import Kind

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: v of game theory: the units that are kept -> scores, always on the same samples.
Value = Callable[[frozenset[str]], Scores]

#: With more units than this there are too many subsets to score every one.
MOST_UNITS_EXACT = 10
#: With more units than this there are too many pairs, and too many orders, to score unless somebody asks for it.
MOST_UNITS_PAIRS = 20


def direction(measure: Measure) -> int:
    """Return 1 where a larger figure is better, else -1: the factor that turns a figure into a value of a game."""
    return 1 if measure.higher_is_better else -1


def values_of(scores: Scores) -> Num[np.ndarray, " sample"]:
    """Return the values whose mean, by the scores' weights, is the figure: right (1) or wrong (0), or another value."""
    return scores.value.astype(np.int64 if scores.measure.share else np.float64)


def for_each_subset(units: Sequence[str], most_dropped: int | None = None) -> Iterator[frozenset[str]]:
    """Yield the units kept: all, none, all but one, but two, the rest, with up to ``most_dropped`` dropped."""
    everything = frozenset(units)
    yield everything
    if everything:
        yield frozenset()
    for dropped in range(1, len(units) if most_dropped is None else min(most_dropped + 1, len(units))):
        yield from (everything - set(gone) for gone in combinations(units, dropped))


@dataclass(frozen=True, eq=False)
class Subsets:
    """Scores for every subset of units, all on the same samples.

    ``dataset`` holds correct (subset, sample), loss (subset, sample) in nats, predicted (subset, sample), seconds
    (subset), kept (subset, unit) and, where they were counted, flops (subset) of one sample. By a measure that is no
    share, value (subset, sample) stands in the place of correct, with weight (sample).
    """

    units: tuple[str, ...]
    kind: Kind
    dataset: xr.Dataset
    measure: Measure = ACCURACY

    @classmethod
    def from_scores(
        cls,
        units: Sequence[str],
        kind: Kind,
        scores: Mapping[frozenset[str], Scores],
        flops: Mapping[frozenset[str], int] | None = None,
        attrs: Mapping[str, Any] | None = None,
    ) -> Self:
        """Join the scores by the units kept; raises ValueError for a missing subset, or other numbers of samples."""
        order = list(for_each_subset(units))
        missing = sum(kept not in scores for kept in order)
        if missing:
            raise ValueError(f"every subset of {len(units)} units is needed; {missing} of {len(order)} are missing")
        counts = sorted({scores[kept].count for kept in order})
        if len(counts) != 1:
            raise ValueError(f"every subset is scored on the same samples; the numbers of samples are {counts}")
        by_subset, whole = ("subset", "sample"), scores[order[0]]
        variables: dict[str, Any] = {
            _values(whole.measure): (by_subset, np.stack([scores[kept].value for kept in order])),
            "loss": (by_subset, np.stack([scores[kept].loss for kept in order])),
            "predicted": (by_subset, np.stack([scores[kept].predicted for kept in order])),
            "seconds": ("subset", np.array([scores[kept].seconds for kept in order])),
            "kept": (("subset", "unit"), np.array([[unit in kept for unit in units] for kept in order], dtype=bool)),
        }
        if whole.weight is not None:
            variables["weight"] = ("sample", whole.weight)
        if flops is not None:
            variables["flops"] = ("subset", np.array([flops[kept] for kept in order], dtype=np.int64))
        dataset = xr.Dataset(variables, {"unit": np.array(units, dtype=str)}, {"kind": kind, **(attrs or {})})
        return cls(tuple(units), kind, dataset, whole.measure)

    def row(self, kept: frozenset[str]) -> int:
        """Return the position of a subset along the axis ``subset``; raise ValueError for unknown units."""
        unknown = sorted(kept - set(self.units))
        if unknown:
            raise ValueError(f"unknown units {', '.join(unknown)}; there are {', '.join(self.units)}")
        wanted = np.array([unit in kept for unit in self.units], dtype=bool)
        return int(np.flatnonzero((self.dataset["kept"].values == wanted).all(axis=1))[0])

    def value(self, kept: frozenset[str]) -> Scores:
        """Return the scores with these units kept."""
        at, data = self.row(kept), self.dataset
        names = (_values(self.measure), "loss", "predicted")
        value, loss, predicted = (data[name].values[at] for name in names)
        return Scores(value, loss, predicted, float(data["seconds"].values[at]), self.weight, self.measure)

    @property
    def weight(self) -> Num[np.ndarray, " sample"] | None:
        """The samples' weights in the figure; None: all equal."""
        return self.dataset["weight"].values if "weight" in self.dataset else None

    @property
    def values(self) -> Num[np.ndarray, "subset sample"]:
        """The values whose mean over samples, by ``weight``, is the figure of a subset."""
        return self.dataset[_values(self.measure)].values

    def flops(self, kept: frozenset[str]) -> int | None:
        """Return the operations of one sample with these units kept, where they were counted."""
        return int(self.dataset["flops"].values[self.row(kept)]) if "flops" in self.dataset else None

    def plot(self, axes: "Axes | None" = None) -> "Axes":
        """Draw the figure of every subset against the number of dropped units."""
        from routescope.plots.caused import draw_subsets

        return draw_subsets(self, axes)


def _values(measure: Measure) -> str:
    """Return the name of the variable that holds the value of each sample."""
    return "correct" if measure.share else "value"
