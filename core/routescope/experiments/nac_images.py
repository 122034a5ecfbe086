"""nac-images: from Perceiver IO to circuits, in and out of distribution (paper: Table 1, section 4.1).

By default the ladder is that of the digit domains: MNIST and street digits in distribution, MNIST-M held out. With
``--data images=FOLDER --data images-ood=FOLDER`` it is the one trained on those pictures (``routescope train
nac-images-printed --data images=FOLDER`` for the paper's sizes). ``--seeds N`` scores N trainings of each rung: the
model itself, and the models with ``-seed-1``, ``-seed-2``, ... after its id (``routescope train ... --seed 1``).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from routescope.data.pictures.sets import PictureSet
from routescope.experiments.shared import circuits
from routescope.experiments.shared.circuits import PIO, TITLES
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure
from routescope.nn.network import Network
from routescope.zoo.catalogue import with_seed

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
    """``seeds``: trainings of each rung; ``limit``: samples of each validation set that are scored, None for all."""

    rungs: tuple[str, ...] = tuple(TITLES)
    seeds: int = 1
    limit: int | None = None


def run(context: Context) -> Outcome:
    """Score every training of every rung in and out of distribution, and compare it with the first sample by sample."""
    chosen: Settings = context.settings
    trained = circuits.load_trainings(context, chosen.rungs, chosen.seeds)
    within, outside = circuits.load_sets(context, next(iter(trained[0].values())), chosen.limit)
    sets = [*within, *outside]
    context.expect(len(chosen.rungs) * chosen.seeds)
    scored = {
        rung: [measure(context, rung, seed, models[rung], sets) for seed, models in enumerate(trained)]
        for rung in chosen.rungs
    }
    figures: list[Figure] = []
    for rung, trainings in scored.items():
        figures += summarise(context, rung, trainings, scored.get(PIO), within, "IID")
        if outside:
            figures += summarise(context, rung, trainings, scored.get(PIO), outside, "OOD")
    rows = [
        {
            "model": rung,
            "seed": seed,
            "set": data.name,
            "distribution": "OOD" if data in outside else "IID",
            "accuracy": float(circuits.answers(answers, [data]).mean()),
            "count": len(data),
        }
        for rung, trainings in scored.items()
        for seed, answers in enumerate(trainings)
        for data in sets
    ]
    return Outcome(figures, {"accuracies": rows})


def measure(context: Context, rung: str, seed: int, model: Network, sets: Sequence[PictureSet]) -> dict[str, str]:
    """Return which samples of each set a training labels right."""
    return context.measure(with_seed(rung, seed), lambda: circuits.score(model, sets))


def summarise(
    context: Context,
    rung: str,
    trainings: Sequence[dict[str, str]],
    reference: Sequence[dict[str, str]] | None,
    sets: Sequence[PictureSet],
    distribution: str,
) -> Iterator[Figure]:
    """Yield the accuracy on each set and on all, and the difference to Perceiver IO: means over trainings."""
    name, column = SETS[distribution]
    printed, top_5 = TABLE_1[rung][column] / 100, TABLE_1[rung][column + 1] / 100
    says = f"{name}: Acc@1 {printed:.2%}, Acc@5 {top_5:.2%}"
    where: dict[str, str | int] = {"model": TITLES[rung], "distribution": distribution}
    comparable = circuits.is_papers(context, sets)
    right = circuits.mean_answers(trainings, sets)
    yield circuits.accuracy_figure("accuracy", where, right, sets, printed if comparable else None, says)
    if len(sets) > 1:
        for data in sets:
            correct = circuits.mean_answers(trainings, [data])
            yield circuits.accuracy_figure("accuracy", {**where, "set": data.name}, correct, [data], None, says)
    if reference is not None and rung != PIO:
        gain = printed - TABLE_1[PIO][column] / 100
        yield circuits.difference_figure(
            "more than Perceiver IO",
            where,
            right,
            circuits.mean_answers(reference, sets),
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
