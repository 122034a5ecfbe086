"""Shared parts of experiments that train grids of block networks: sizes of grids, measuring by groups, figures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import stats

from routescope.experiments.shared.frame import Context, Figure
from routescope.training.grids.trials import Trial, in_groups, numbered, trials_of

REFERENCE = "Block-Operations: Using Modular Routing to Improve Compositional Generalization"

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class SMFRSizes:
    """A grid of SMFRs: every combination of these."""

    attention: tuple[str, ...] = ("softmax", "gumbel")
    depth: tuple[int, ...] = (1,)
    width: tuple[int, ...] = (8,)
    layers: tuple[int, ...] = (1,)

    def trials(self, seeds: int = 1, options: Sequence[Mapping[str, bool | str]] = ({},)) -> list[Trial]:
        """Return trials of every architecture with seeds 0, 1, ... and all options."""
        axes: dict[str, Sequence[int | str]] = {
            "attention": self.attention,
            "depth": self.depth,
            "layers": self.layers,
            "width": self.width,
        }
        return trials_of("smfr", axes, range(seeds), options)


@dataclass(frozen=True)
class FNNSizes:
    """A grid of feed-forward networks."""

    hidden: tuple[int, ...] = (100, 200, 300)
    layers: tuple[int, ...] = (2, 3, 4)

    def trials(self, seeds: int = 1, options: Sequence[Mapping[str, bool | str]] = ({},)) -> list[Trial]:
        """Return trials of every architecture with seeds 0, 1, ... and all options."""
        return trials_of("block_fnn", {"layers": self.layers, "hidden": self.hidden}, range(seeds), options)


@dataclass(frozen=True)
class GridTraining:
    """Settings of all trials of a grid; Adam, its learning rate and the clipping are the paper's (A.2).

    Attributes:
        batch_size: samples of a step: not printed, found by trying.
        together: at most so many trials are one group.
    """

    batch_size: int = 32
    together: int = 12
    learning_rate: float = 3e-4
    clip: float = 0.1
    loss: str = "mse"

    @property
    def of_group(self) -> dict[str, Any]:
        """The settings as keyword arguments of ``Group``."""
        return {"learning_rate": self.learning_rate, "clip": self.clip, "loss": self.loss}


@dataclass(frozen=True)
class Progressing:
    """Reports the step of a group in the run's progress."""

    context: Context
    name: str

    def say(self, stage: str, step: int, of: int) -> None:
        """Report the step of a stage of the training."""
        self.context.underway(f"{self.name}: {stage}, step {step:,} of {of:,}")


#: Trains a group, says how far it is, and gives a table's rows.
Make = Callable[[Sequence[Trial], Progressing], Rows]


def measure_groups(
    context: Context,
    trials: Sequence[Trial],
    seeds: int,
    together: int,
    make: Make,
) -> Rows:
    """Return the rows that ``make`` gives for every group of the grid; each group is one measurement.

    The grid is trained ``seeds`` times, one time after the other; no two trials share first weights or samples.
    Progress counts groups; ``make`` says through its second argument which step it is at.
    """
    repeated = numbered([*trials] * seeds)
    grids = [repeated[start : start + len(trials)] for start in range(0, len(repeated), len(trials))]
    groups = [group for grid in grids for group in in_groups(grid, together)]
    context.expect(len(groups))
    rows: Rows = []
    for group in groups:
        first = group[0]
        fixed = [f"{name} {value}" for name, value in first.sizes if name not in ("width", "attention")]
        name = f"{first.kind}, {', '.join(fixed)} ({len(group)} networks, first seed {first.seed})"
        rows += context.measure(name, partial(_made, make, group, Progressing(context, name)))["rows"]
    return rows


def _made(make: Make, group: Sequence[Trial], progressing: Progressing) -> dict[str, Any]:
    return {"rows": make(group, progressing)}


def mean_and_error(values: Sequence[float]) -> tuple[float, float | None]:
    """Return the mean and its standard error; None for the error of a single value."""
    error = float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else None
    return float(np.mean(values)), error


def beside(paper: float | None, whole: bool, says: str) -> tuple[float | None, str]:
    """Return the paper's number and its words for a figure; for a part of a grid the words contain the number."""
    if paper is None or whole:
        return paper, says
    return None, f"The paper has {paper} over its whole grid. {says}"


def mean_figure(
    name: str,
    where: Mapping[str, str | int],
    values: Sequence[float],
    data: str,
    paper: float | None,
    paper_says: str,
) -> Figure:
    """Return the mean over trials with Student's 95 % interval, kept within 0 and 1; none for a single trial.

    Of a single trial the figure says that it is one.
    """
    if len(values) == 1:
        paper_says = f"One network alone here. {paper_says}"
    mean, error = mean_and_error(values)
    half = None if error is None else float(stats.t.ppf(0.975, len(values) - 1)) * error
    return Figure(
        name=name,
        where=where,
        value=mean,
        low=None if half is None else max(0.0, mean - half),
        high=None if half is None else min(1.0, mean + half),
        unit="share of samples, mean over trials",
        count=len(values),
        data=data,
        paper=paper,
        paper_says=paper_says,
    )
