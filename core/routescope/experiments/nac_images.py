"""nac-images: from Perceiver IO to circuits, in and out of distribution (paper: Table 1, section 4.1).

By default the ladder is that of the digit domains: MNIST and street digits in distribution, MNIST-M held out. With
``--data images=FOLDER --data images-ood=FOLDER`` it is the one trained on those pictures (``routescope train
nac-images-printed --data images=FOLDER`` for the paper's sizes).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from routescope.data import Dataset
from routescope.experiments.shared import circuits
from routescope.experiments.shared.circuits import PIO, TITLES
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure
from routescope.nn.network import Network

QUICK_LIMIT = 200

#: Table 1, in per cent: IID Acc@1 and Acc@5 (Tiny-ImageNet), OOD Acc@1 and Acc@5 (Tiny-ImageNet-R).
TABLE_1 = {
    "perceiver-io": (58.89, 80.09, 17.57, 37.16),
    "pio-modfc": (58.91, 79.43, 18.01, 37.05),
    "nac-frozen": (58.31, 80.06, 18.50, 37.92),
    "nac-scale-free": (60.76, 80.86, 19.52, 38.52),
    "nac-planted-partition": (60.71, 81.34, 19.42, 39.84),
    "nac-ring-of-cliques": (60.54, 81.18, 20.03, 40.44),
    "nac-erdos-renyi": (60.33, 81.08, 19.83, 39.32),
}
SETS = {"IID": ("Tiny-ImageNet", 0), "OOD": ("Tiny-ImageNet-R", 2)}


@dataclass(frozen=True)
class Settings:
    """``limit``: how many samples of each validation set are scored; None for all of them."""

    rungs: tuple[str, ...] = tuple(TITLES)
    limit: int | None = None


def run(context: Context) -> Outcome:
    """Score every rung in and out of distribution, and compare it with the first sample by sample."""
    models = circuits.load_rungs(context, context.settings.rungs)
    first = next(iter(models.values()))
    within, outside = circuits.load_sets(context, first, context.settings.limit)
    context.expect(len(models))
    scored = {rung: measure(context, rung, model, [*within, *outside]) for rung, model in models.items()}
    figures: list[Figure] = []
    for rung, answers in scored.items():
        figures += summarise(context, rung, answers, scored.get(PIO), within, "IID")
        if outside:
            figures += summarise(context, rung, answers, scored.get(PIO), outside, "OOD")
    rows = [
        {
            "model": rung,
            "set": data.name,
            "distribution": "OOD" if data in outside else "IID",
            "accuracy": float(circuits.answers(answers, [data]).mean()),
            "count": len(data),
        }
        for rung, answers in scored.items()
        for data in [*within, *outside]
    ]
    return Outcome(figures, {"accuracies": rows})


def measure(context: Context, rung: str, model: Network, sets: Sequence[Dataset]) -> dict[str, str]:
    """Return which samples of each set a rung labels right."""
    return context.measure(rung, lambda: circuits.score(model, sets))


def summarise(
    context: Context,
    rung: str,
    scored: dict[str, str],
    reference: dict[str, str] | None,
    sets: Sequence[Dataset],
    distribution: str,
) -> Iterator[Figure]:
    """Yield the accuracy on each set and on all, and the difference to Perceiver IO."""
    name, column = SETS[distribution]
    printed, top_5 = TABLE_1[rung][column] / 100, TABLE_1[rung][column + 1] / 100
    says = f"{name}: Acc@1 {printed:.2%}, Acc@5 {top_5:.2%}"
    where: dict[str, str | int] = {"model": TITLES[rung], "distribution": distribution}
    comparable = circuits.is_papers(context, sets)
    right = circuits.answers(scored, sets)
    yield circuits.accuracy_figure("accuracy", where, right, sets, printed if comparable else None, says)
    if len(sets) > 1:
        for data in sets:
            correct = circuits.answers(scored, [data])
            yield circuits.accuracy_figure("accuracy", {**where, "set": data.name}, correct, [data], None, says)
    if reference is not None and rung != PIO:
        base: np.ndarray = circuits.answers(reference, sets)
        gain = printed - TABLE_1[PIO][column] / 100
        yield circuits.difference_figure(
            "more than Perceiver IO",
            where,
            right,
            base,
            sets,
            gain if comparable else None,
            f"{name}: {100 * gain:+.2f} points",
        )


def _paper_figures() -> Iterator[PaperFigure]:
    for rung, row in TABLE_1.items():
        for name, column in SETS.values():
            yield PaperFigure(
                f"{name}, {TITLES[rung]}: Acc@1",
                row[column] / 100,
                f"{row[column]:.2f} % (Acc@5 {row[column + 1]:.2f} %), sizes of Table 4",
            )


EXPERIMENT = Experiment(
    id="nac-images",
    title="From Perceiver IO to circuits: accuracy in and out of distribution",
    paper_reference=f"{circuits.REFERENCE}, Table 1 and section 4.1",
    paper_figures=tuple(_paper_figures()),
    settings=Settings(),
    quick=Settings(limit=QUICK_LIMIT),
    run=run,
)
