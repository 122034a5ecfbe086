"""Results of ``score`` and ``prune``: figures with their baseline, and a pruned model that can be saved."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd

from routescope.api.data import Progress, without_words
from routescope.data.samples import Samples
from routescope.nn.measures import Measure
from routescope.nn.network import Network
from routescope.nn.shown import change_of, change_unit, figure, html, shortened
from routescope.routing.caused.effects import Change, DropEffect, by_kind, drop_effect
from routescope.routing.caused.pruning import KeepList, retained
from routescope.routing.caused.scores import Scores, evaluate
from routescope.routing.interactive import Choice, Interactive, InteractiveFigure, Report
from routescope.routing.intervention import Intervention
from routescope.zoo.pruning import export


@dataclass(frozen=True, eq=False)
class Score(Interactive):
    """The score of a network on a data set; with an intervention, also the paired change from the whole network.

    Attributes:
        model: the network's id.
        data: the samples.
        intervention: the changes to the routing.
        scores: the value and the loss of every sample.
        baseline: the scores of the whole network on the same samples; None without an intervention.
        network: the network, for units that a reader drops in a notebook; None: it shows its table alone.
    """

    model: str
    data: Samples
    intervention: Intervention
    scores: Scores
    baseline: Scores | None = None
    network: Network | None = field(default=None, repr=False)

    @property
    def measure(self) -> Measure:
        """The measure of the figure: accuracy, bits a byte, R2."""
        return self.scores.measure

    @property
    def figure(self) -> float:
        """The measure over all samples, in its unit."""
        return self.scores.figure

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the figure: Wilson's for a share, else a bootstrap over samples."""
        return self.scores.interval

    @property
    def effect(self) -> DropEffect | None:
        """The changes of the figure and of the loss, paired by sample; None without an intervention."""
        return None if self.baseline is None else drop_effect(self.baseline, self.scores)

    @property
    def change(self) -> Change | None:
        """The figure minus the baseline, with its 95 % paired bootstrap interval; None without an intervention."""
        return None if self.effect is None else self.effect.figure

    @property
    def data_words(self) -> str:
        """The name and split of the data set, or the title of your own data."""
        return self.data.title if self.data.split == "own" else f"{self.data.name} {self.data.split}"

    def by_kind(self) -> list[dict[str, Any]]:
        """Return accuracy and change for each kind of sample; empty for data without kinds and for other measures."""
        if not self.measure.share:
            return []
        return by_kind(self.data, self.scores.correct, None if self.baseline is None else self.baseline.correct)

    def _facts(self) -> dict[str, object]:
        measure, change = self.measure, self.change
        facts: dict[str, object] = {"model": self.model, "data": self.data_words, "samples": self.scores.count}
        facts[measure.name] = figure(measure, self.figure, *self.interval)
        if self.baseline is not None and change is not None:
            facts["baseline"] = figure(measure, self.baseline.figure, *self.baseline.interval)
            words = change_of(measure, change.value, change.low, change.high)
            facts["change"] = f"{words} {change_unit(measure)}"
        return facts

    def __repr__(self) -> str:
        """Return the figure, the baseline and the change, each with its 95 % interval."""
        return shortened("Score", self._facts())

    def _repr_html_(self) -> str:
        return html("Score, with 95 % intervals", self._facts())

    def interactive_figure(self) -> InteractiveFigure | None:
        """Return the units to drop or mute with the score; None for a network without units."""
        if self.network is None or not self.network.all_units:
            return None
        data = {
            "model": self.model,
            "data": self.data_words,
            "units": list(self.network.all_units),
            "measure": {"name": self.measure.name, "unit": self.measure.unit, "share": self.measure.share},
            **self._values(),
        }
        choice = {"kind": "drop", "drop": list(self.intervention.drop), "mute": list(self.intervention.mute)}
        return InteractiveFigure("drop", f"Score of {self.model}", data, choice, self._answer)

    def _values(self) -> dict[str, Any]:
        """Return the figure, the baseline and the change as values for JSON."""
        baseline = self.baseline or self.scores
        change = self.change
        return {
            "samples": self.scores.count,
            "score": _interval(self.figure, *self.interval),
            "baseline": _interval(baseline.figure, *baseline.interval),
            "change": None if change is None else _interval(change.value, change.low, change.high),
            "words": self.intervention.words,
        }

    def _answer(self, choice: Choice, report: Report) -> dict[str, Any]:
        """Score the network with other units dropped and muted."""
        assert self.network is not None
        change = replace(self.intervention, drop=tuple(choice["drop"]), mute=tuple(choice["mute"]))
        whole = self.baseline or (self.scores if self.intervention == Intervention() else None)
        if change == Intervention() and whole is not None:
            return replace(self, intervention=change, scores=whole, baseline=None)._values()
        change.validate(self.network)
        scores = evaluate(self.network, self.data, change, progress=report)
        return replace(self, intervention=change, scores=scores, baseline=whole)._values()


def _interval(value: float, low: float, high: float) -> dict[str, float | None]:
    """Return a value with the ends of its interval; None for numbers that are not finite."""
    parts = {"value": value, "low": low, "high": high}
    return {name: float(part) if math.isfinite(part) else None for name, part in parts.items()}


@dataclass(frozen=True, eq=False)
class Pruned:
    """The kept experts of a mixture, and the smaller model.

    Attributes:
        network: the whole model.
        keep: the kept experts of every layer.
        order: all experts, the first to drop first.
        measured: data sets for ``cost``: test samples if a data set has them.
    """

    network: Network
    keep: KeepList
    order: tuple[str, ...]
    measured: Sequence[Samples] = field(repr=False)

    @property
    def view(self) -> Network:
        """The pruned model as a view that shares the weights of the whole model."""
        return self.keep.view(self.network)

    def cost(self, draws: int = 8, progress: Progress | None = None) -> pd.DataFrame:
        """Score the pruned model by domain, paired with the whole model, beside random sets of the same size.

        Args:
            draws: random sets.
            progress: called with (sets scored, sets in all).

        Returns:
            The columns of ``routescope.routing.caused.pruning.retained``.
        """
        made: dict[str, Any] = {**self.keep.made}
        return retained(
            self.network,
            self.measured,
            {made["order"]: self.order},
            [made["keep"]],
            scope=made["scope"],
            draws=draws,
            seed=made["seed"],
            progress=without_words(progress),
        )

    def save(self, folder: str | Path) -> Path:
        """Write the pruned model and its keep-list to an empty or new folder, which ``routescope.open`` opens.

        Raises:
            PruningError: a folder that is not empty, or a set of experts that the model's format cannot hold.
        """
        return export(self.network, self.keep, Path(folder))

    def _facts(self) -> dict[str, object]:
        stay = sum(len(layer.kept) for layer in self.keep.layers)
        whole = sum(layer.experts for layer in self.keep.layers)
        facts = {"model": self.network.id, "order": self.keep.made.get("order", ""), "experts": f"{stay} of {whole}"}
        return {**facts, "share": self.keep.share}

    def __repr__(self) -> str:
        """Return the model, the order and how many experts stay."""
        return shortened("Pruned", self._facts())

    def _repr_html_(self) -> str:
        rows = (
            (layer.name, f"{len(layer.kept)} of {layer.experts}", ", ".join(layer.dropped))
            for layer in self.keep.layers
        )
        return html("Pruned", self._facts(), ("layer", "kept experts", "dropped experts"), rows)
