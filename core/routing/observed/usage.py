"""Observed usage of units at every step, batch by batch: their mean share of routing weight.

Where tokens choose units, a unit's share is its part of the compatibilities (``compatibility``); where units read each
other, its part of the attention that all units pay (``messages``).
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from core.data.dataset import LabelledSamples
from core.nn.probe import probes_of
from core.routing.intervention import Intervention
from core.routing.listening import names_along
from core.routing.running import routed

#: Probes that say who is used, and the axis along which those who are used lie. The first that a network has counts.
USED = {"compatibility": "unit", "messages": "sender"}


def usage_field(model: Any) -> str:
    """Name of the probe that says how much units are used; raises ValueError where there is none."""
    probes = probes_of(model)
    for name in USED:
        if name in probes:
            return name
    raise ValueError(f"usage needs {' or '.join(USED)}; this network records {', '.join(probes) or 'nothing'}")


class Usage:
    """Adds up routing weight; an iteration is one batch, in as many samples as the network computes at once.

    Args:
        datasets: each with a head of the model.

    Raises:
        ValueError: for a network that reports nothing of what is used.
    """

    def __init__(
        self, model: Any, datasets: Sequence[LabelledSamples], intervention: Intervention | None = None
    ) -> None:
        self._model, self._datasets, self._intervention = model, datasets, intervention or Intervention()
        self._field = usage_field(model)
        probe = probes_of(model)[self._field]
        self._others = tuple(axis for axis, name in enumerate(probe.dims) if name != USED[self._field])
        iterations = self._intervention.iterations
        self.steps = names_along(model, probe.along, model.config.iterations if iterations is None else iterations)
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

    def table(self) -> list[dict[str, Any]]:
        """Rows of unit, step and share."""
        shares = self.shares
        return [
            {"unit": _full_name(step, unit), "step": step, "share": float(shares[s, u])}
            for s, step in enumerate(self.steps)
            for u, unit in enumerate(self.units)
        ]


def _full_name(step: str, unit: str) -> str:
    """With several scripts a step ``s2.i1`` has the units of its script: ``s2.f1``."""
    script = step.rpartition(".")[0]
    return f"{script}.{unit}" if script else unit
