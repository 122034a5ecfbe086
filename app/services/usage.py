"""Observed usage of units at every step, batch by batch: the mean share of routing weight."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from core.data import Dataset
from core.routing import Intervention, record

BATCH = 64


class Usage:
    """Adds up compatibilities; an iteration is one batch."""

    def __init__(self, model: Any, datasets: Sequence[Dataset], intervention: Intervention) -> None:
        self._model = model
        self._datasets = datasets
        self._intervention = intervention
        self._sums: np.ndarray | None = None
        self._steps: list[str] = []
        self._units: list[str] = []

    def __iter__(self) -> Iterator[int]:
        """Samples done."""
        device, done = next(self._model.parameters()).device, 0
        for dataset in self._datasets:
            for start in range(0, len(dataset), BATCH):
                images = dataset.images[start : start + BATCH].to(device).float() / 255
                field = record(self._model, images, ("compatibility",), self._intervention)["compatibility"]
                total = field.transpose("step", "unit", "sample", "token").values.sum(axis=(2, 3), dtype=np.float64)
                self._sums = total if self._sums is None else self._sums + total
                self._steps, self._units = list(field["step"].values), list(field["unit"].values)
                done += len(images)
                yield done

    def table(self) -> list[dict[str, Any]]:
        """unit, step, share; the shares of a step add up to 1 unless nothing was routed there."""
        if self._sums is None:
            return []
        whole = self._sums.sum(axis=1, keepdims=True)
        shares = np.divide(self._sums, whole, out=np.zeros_like(self._sums), where=whole > 0)
        return [
            {"unit": _full_name(str(step), str(unit)), "step": str(step), "share": float(shares[s, u])}
            for s, step in enumerate(self._steps)
            for u, unit in enumerate(self._units)
        ]


def _full_name(step: str, unit: str) -> str:
    """With several scripts a step ``s2.i1`` has the units of its script: ``s2.f1``."""
    script = step.rpartition(".")[0]
    return f"{script}.{unit}" if script else unit
