"""Observed usage of units and of hidden blocks at every step, batch by batch: their mean share of routing weight.

Where tokens choose units, a unit's share is its part of the compatibilities (``compatibility``); where units read each
other, its part of the attention that all units pay (``messages``). A block's share is the mean weight with which the
blocks made of it read it (``multiplexer_weights``).
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from routescope.data.dataset import LabelledSamples
from routescope.nn.network import Network, ReroutableNetwork
from routescope.routing.intervention import Intervention
from routescope.routing.listening import names_along
from routescope.routing.progress import PieceRunner, Progress, at_once, in_turns
from routescope.routing.running import routed

#: Probes that say who is used, and the axis along which those who are used lie. The first that a network has counts.
USED = {"compatibility": "unit", "messages": "sender"}
#: Samples of each data set on which the use of units is observed, where rules name units by it.
SAMPLES_OF_RULES = 16
#: The probe that says who is read.
WEIGHTS = "multiplexer_weights"


def usage_field(model: Network) -> str:
    """Return the name of the probe for the use of units; raise ValueError without one."""
    fields = model.fields
    for name in USED:
        if name in fields:
            return name
    raise ValueError(f"usage needs {' or '.join(USED)}; this network records {', '.join(fields) or 'nothing'}")


class Usage:
    """Adds up routing weight; an iteration is one batch, in as many samples as the network computes at once.

    Args:
        datasets: each with a head of the model.

    Raises:
        ValueError: a network that does not report which units are used.
    """

    def __init__(
        self, model: Network, datasets: Sequence[LabelledSamples], intervention: Intervention | None = None
    ) -> None:
        self._model, self._datasets, self._intervention = model, datasets, intervention or Intervention()
        self._field = usage_field(model)
        field = model.fields[self._field]
        self._others = tuple(axis for axis, name in enumerate(field.dims) if name != USED[self._field])
        self.steps = names_along(model, field.along, self._intervention.iterations_on(model))
        self.units: tuple[str, ...] = tuple(model.coordinates()[USED[self._field]])
        self._sums = np.zeros((len(self.steps), len(self.units)))

    def __iter__(self) -> Iterator[int]:
        """Samples done."""
        done = 0
        for dataset in self._datasets:
            for batch in routed(self._model, dataset, len(dataset), self._intervention, (self._field,)):
                if batch is not None:
                    for step, weight in enumerate(batch.fields[self._field]):
                        self._sums[step] += weight.sum(axis=self._others, dtype=np.float64)
                    done += len(batch.rows)
                yield done

    @property
    def shares(self) -> np.ndarray:
        """Shares (step, unit); those of a step add up to 1 unless nothing was routed there."""
        whole = self._sums.sum(axis=1, keepdims=True)
        return np.divide(self._sums, whole, out=np.zeros_like(self._sums), where=whole > 0)

    def by_unit(self) -> dict[str, float]:
        """Return unit -> its mean share over the steps at which it can be used."""
        shares: dict[str, list[float]] = {unit: [] for unit in self._model.all_units}
        for row in self.table():
            shares[row["unit"]].append(row["share"])
        return {unit: float(np.mean(values)) if values else 0.0 for unit, values in shares.items()}

    def table(self) -> list[dict[str, Any]]:
        """Return rows of unit, step and share."""
        shares = self.shares
        return [
            {"unit": unit, "step": step, "share": float(shares[s, u])}
            for s, step in enumerate(self.steps)
            for u, unit in enumerate(self._model.groups[self._model.group_at(s, len(self.steps))])
        ]


class BlockUsage:
    """Adds up the weights of Multiplexers; an iteration is one batch, in as many samples as the network takes at once.

    A hidden block is read at the step that makes the level after its own. Its share there is its mean weight over
    samples and the blocks that are made; shares of a step add up to 1, those of dropped blocks are 0. Steps that read
    the input have no units.

    Args:
        datasets: of the network's task.

    Raises:
        ValueError: a network that routes no blocks.
    """

    def __init__(
        self, model: Network, datasets: Sequence[LabelledSamples], intervention: Intervention | None = None
    ) -> None:
        if not isinstance(model, ReroutableNetwork):
            raise ValueError("usage of blocks needs a network that routes blocks")
        self._model, self._datasets, self._intervention = model, datasets, intervention or Intervention()
        self._levels = model.levels
        self.steps = model.step_names(self._intervention.iterations_on(model))
        self._sums = np.zeros((len(self.steps), max(len(level) for level in self._levels)))
        self._done = 0

    def __iter__(self) -> Iterator[int]:
        """Samples done."""
        for dataset in self._datasets:
            for batch in routed(self._model, dataset, len(dataset), self._intervention, (WEIGHTS,)):
                if batch is not None:
                    for step, weights in enumerate(batch.fields[WEIGHTS]):  # (sample, source, block), NaN: not there
                        present = ~np.isnan(weights).all(axis=(0, 1))
                        shares = np.nan_to_num(weights[:, :, present]).mean(axis=2, dtype=np.float64)
                        self._sums[step] += shares.sum(axis=0)
                    self._done += len(batch.rows)
                yield self._done

    def table(self) -> list[dict[str, Any]]:
        """Return rows of unit, step and share."""
        levels, rows = self._levels, list[dict[str, Any]]()
        for at, step in enumerate(self.steps):
            read = at % (len(levels) - 1)
            if read:
                shares = self._sums[at] / max(1, self._done)
                rows += [
                    {"unit": unit, "step": step, "share": float(shares[position])}
                    for position, unit in enumerate(levels[read])
                ]
        return rows


def observe_usage(
    model: Network,
    datasets: Sequence[LabelledSamples],
    intervention: Intervention | None = None,
    *,
    turn: PieceRunner = at_once,
    progress: Progress | None = None,
) -> Usage | BlockUsage | None:
    """Return the use of units, or of blocks in a network that routes blocks; None where neither is reported.

    Args:
        turn: runs each batch.
        progress: called with (samples done, in all, what is done); an exception it raises cancels.
    """
    usage: Usage | BlockUsage
    if WEIGHTS in model.fields:
        usage = BlockUsage(model, datasets, intervention)
    elif set(USED) & set(model.fields):
        usage = Usage(model, datasets, intervention)
    else:
        return None
    for done in in_turns(usage, turn):
        if progress is not None:
            progress(done, sum(map(len, datasets)), "observing usage")
    return usage
