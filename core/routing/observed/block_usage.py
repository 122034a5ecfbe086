"""Observed usage of hidden blocks at every step, batch by batch: the mean weight with which they are read."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from core.data.dataset import LabelledSamples
from core.routing.intervention import Intervention
from core.routing.running import routed

#: The probe that says who is read.
WEIGHTS = "multiplexer_weights"


class BlockUsage:
    """Adds up the weights of Multiplexers; an iteration is one batch, in as many samples as the network takes at once.

    A hidden block is read at the step that makes the level after its own. Its share there is its mean weight over the
    samples and the blocks that are made; shares of a step add up to 1, those of blocks that are dropped are 0. Steps
    that read what goes in have no units.

    Args:
        datasets: of the network's task.

    Raises:
        ValueError: for a network that routes no blocks.
    """

    def __init__(
        self, model: Any, datasets: Sequence[LabelledSamples], intervention: Intervention | None = None
    ) -> None:
        if getattr(model, "routes", None) is None:
            raise ValueError("usage of blocks needs a network that routes blocks")
        self._model, self._datasets, self._intervention = model, datasets, intervention or Intervention()
        iterations = self._intervention.iterations
        self.steps: tuple[str, ...] = tuple(
            model.step_names(model.config.iterations if iterations is None else iterations)
        )
        self._sums = np.zeros((len(self.steps), max(len(level) for level in model.levels)))
        self._done = 0

    def __iter__(self) -> Iterator[int]:
        """Samples done."""
        for dataset in self._datasets:
            for batch in routed(self._model, dataset, len(dataset), self._intervention, (WEIGHTS,)):
                if batch is not None:
                    for step, weights in enumerate(batch.fields[WEIGHTS]):  # (sample, source, block), NaN: not there
                        there = ~np.isnan(weights).all(axis=(0, 1))
                        shares = np.nan_to_num(weights[:, :, there]).mean(axis=2, dtype=np.float64)
                        self._sums[step] += shares.sum(axis=0)
                    self._done += len(batch.rows)
                yield self._done

    def table(self) -> list[dict[str, Any]]:
        """Rows of unit, step and share."""
        levels, rows = self._model.levels, []
        for at, step in enumerate(self.steps):
            read = at % (len(levels) - 1)
            if read:
                shares = self._sums[at] / max(1, self._done)
                rows += [
                    {"unit": unit, "step": step, "share": float(shares[place])}
                    for place, unit in enumerate(levels[read])
                ]
        return rows
