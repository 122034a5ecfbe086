"""ni-drop: accuracy of a Neural Interpreter for every subset of its functions (paper: Figure 5c, section 4.2).

The paper removes functions at random and plots the accuracy on each digit set; here every subset is scored, so that
nothing is drawn: the band of random drops is that of all subsets of a size, each as probable as the others. To drop a
function is to remove its signature and code: compatibilities (Eq. 3) are renormalised over the functions that stay.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from routescope.data.pictures.sets import PictureSet
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure, figure_of
from routescope.nn.network import Network
from routescope.routing.caused.intervals import wilson_interval
from routescope.routing.caused.scores import evaluate
from routescope.routing.intervention import Intervention

#: With more functions than this there are too many subsets to score every one.
MOST_FUNCTIONS = 12

PAPER_SAYS = "No number, only a curve: accuracy degrades gracefully on every set as functions are removed at random."


@dataclass(frozen=True)
class Settings:
    """``limit``: how many samples of each validation set are scored; None for all of them."""

    model: str = "ni-digits"
    limit: int | None = None


def run(context: Context) -> Outcome:
    """Score every subset of functions on every domain; raises ValueError for too many functions."""
    model = context.model(context.settings.model)
    if len(model.units) > MOST_FUNCTIONS:
        raise ValueError(
            f"{context.settings.model} has {len(model.units)} functions; every subset is scored, so up to"
            f" {MOST_FUNCTIONS} are accepted"
        )
    datasets = [context.data(domain, "validation", context.settings.limit) for domain in model.config.domains]
    dropped = list(subsets(model.units))
    context.expect(len(datasets) * len(dropped))
    figures: list[Figure] = []
    rows: list[Mapping[str, Any]] = []
    for dataset in datasets:
        scored = [measure(context, model, dataset, drop) for drop in dropped]
        rows += scored
        figures += summarise(dataset, scored)
    return Outcome(figures, {"subsets": rows})


def subsets(units: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield every subset of the units, from none to all."""
    for size in range(len(units) + 1):
        yield from combinations(units, size)


def measure(context: Context, model: Network, dataset: PictureSet, drop: tuple[str, ...]) -> dict[str, Any]:
    """Return accuracy with its 95 % Wilson interval, and loss (nats), with some functions dropped."""

    def make() -> dict[str, Any]:
        score = evaluate(model, dataset, Intervention(drop=drop))
        return {
            "domain": dataset.domain,
            "dropped": list(drop),
            "accuracy": score.accuracy,
            "low": score.interval[0],
            "high": score.interval[1],
            "loss": score.mean_loss,
            "count": score.count,
        }

    return context.measure(f"{dataset.domain}, {' '.join(drop) or 'nothing'} dropped", make)


def summarise(dataset: PictureSet, rows: Sequence[Mapping[str, Any]]) -> Iterator[Figure]:
    """Yield mean, least and most accuracy by number of dropped functions, and the band of random drops.

    The interval of the least and the most is that of the subset which attains it. That of the mean is Wilson's for the
    mean share of correct answers over the samples: wide enough, as a mean over subsets varies less than one answer. The
    band has 95 % of the subsets of its size.
    """
    for size in sorted({len(row["dropped"]) for row in rows}):
        same = [row for row in rows if len(row["dropped"]) == size]
        least, most = (choose(same, key=lambda row: row["accuracy"]) for choose in (min, max))
        mean = sum(row["accuracy"] for row in same) / len(same)
        count = same[0]["count"]
        low, high = wilson_interval(round(mean * count), count)
        band = np.quantile([row["accuracy"] for row in same], (0.025, 0.975)).tolist()
        where: dict[str, str | int] = {"domain": dataset.domain, "dropped": size, "subsets": len(same)}
        for name, value in (
            ("mean accuracy over subsets", (mean, min(low, mean), max(high, mean))),
            ("least accuracy of a subset", (least["accuracy"], least["low"], least["high"])),
            ("most accuracy of a subset", (most["accuracy"], most["low"], most["high"])),
            ("accuracy after random drops", (mean, min(band[0], mean), max(band[1], mean))),
        ):
            yield figure_of(name, where, value, count, [dataset], None, PAPER_SAYS)


EXPERIMENT = Experiment(
    id="ni-drop",
    title="Accuracy against functions dropped",
    paper_reference="Dynamic Inference with Neural Interpreters (NeurIPS 2021), Figure 5c and section 4.2",
    paper_figures=(PaperFigure("accuracy on the digit sets against dropped functions", None, PAPER_SAYS),),
    settings=Settings(),
    quick=Settings(limit=200),
    run=run,
)
