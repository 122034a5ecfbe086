"""nac-images: from Perceiver IO to circuits, in and out of distribution (paper: Table 1, section 4.1).

By default the ladder is that of the digit domains: MNIST and street digits in distribution, MNIST-M held out. With
``--data images=FOLDER --data images-ood=FOLDER`` it is the one trained on those pictures (``routescope train
nac-images-printed --data images=FOLDER`` for the paper's sizes). ``--seeds N`` scores N trainings of each rung: the
model itself, and the models with ``-seed-1``, ``-seed-2``, ... after its id (``routescope train ... --seed 1``).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch

from routescope.data.pictures.sets import PictureSet
from routescope.experiments.results.circuits import PIO, RUNGS, SETS, TABLE_1
from routescope.experiments.shared import circuits
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure, text_of
from routescope.nn.network import Network
from routescope.routing.running import BATCH, inputs_of, pieces, rows_of
from routescope.zoo.catalogue import with_seed

QUICK_LIMIT = 200
#: What is scored -> how many of the likeliest labels may hold the right one.
LABELS = {"accuracy": 1, "top-5 accuracy": 5}


@dataclass(frozen=True)
class Settings:
    """``seeds``: trainings of each rung; ``limit``: samples of each validation set that are scored, None for all."""

    rungs: tuple[str, ...] = tuple(RUNGS)
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
            **{name: float(circuits.answers(answers[name], [data]).mean()) for name in LABELS},
            "count": len(data),
        }
        for rung, trainings in scored.items()
        for seed, answers in enumerate(trainings)
        for data in sets
    ]
    return Outcome(figures, {"accuracies": rows})


#: Name of ``LABELS`` -> data set -> which samples are right, as a text for the journal.
Scored = Mapping[str, Mapping[str, str]]


def measure(context: Context, rung: str, seed: int, model: Network, sets: Sequence[PictureSet]) -> Scored:
    """Return which samples of each set a training labels right, with one label and with five."""

    def make() -> dict[str, dict[str, str]]:
        by_set = {data.name: ranks(model, data) for data in sets}
        return {
            name: {key: text_of(rank < labels for rank in of_set) for key, of_set in by_set.items()}
            for name, labels in LABELS.items()
        }

    return context.measure(with_seed(rung, seed), make)


@torch.inference_mode()
def ranks(model: Network, data: PictureSet) -> list[int]:
    """Return for each sample how many labels stand before the right one, by logit; of equal ones the first."""
    head, inputs, places = model.head_of(data.domain), inputs_of(model, data), list[int]()
    for rows in pieces(len(data), BATCH, BATCH):
        order = model(inputs(rows))[:, head].argsort(dim=1, descending=True, stable=True).cpu()
        places += (order == data.labels[rows_of(rows), None]).int().argmax(dim=1).tolist()
    return places


def summarise(
    context: Context,
    rung: str,
    trainings: Sequence[Scored],
    reference: Sequence[Scored] | None,
    sets: Sequence[PictureSet],
    distribution: str,
) -> Iterator[Figure]:
    """Yield both accuracies on each set and on all, and the difference to Perceiver IO: means over trainings."""
    on, _, first = SETS[distribution]
    where: dict[str, str | int] = {"model": RUNGS[rung], "distribution": distribution}
    comparable = circuits.is_papers(context, sets)
    for column, name in enumerate(LABELS, first):
        printed, words = TABLE_1[rung][column], "more than Perceiver IO"
        says = f"{on}: {printed:.2%}"
        answers = [scored[name] for scored in trainings]
        right = circuits.mean_answers(answers, sets)
        yield circuits.accuracy_figure(name, where, right, sets, printed if comparable else None, says)
        if len(sets) > 1:
            for data in sets:
                correct = circuits.mean_answers(answers, [data])
                yield circuits.accuracy_figure(name, {**where, "set": data.name}, correct, [data], None, says)
        if reference is not None and rung != PIO:
            gain = printed - TABLE_1[PIO][column]
            yield circuits.difference_figure(
                words if name == "accuracy" else f"{name}: {words}",
                where,
                right,
                circuits.mean_answers([scored[name] for scored in reference], sets),
                sets,
                gain if comparable else None,
                f"{on}: {100 * gain:+.2f} points",
            )


def _paper_figures() -> Iterator[PaperFigure]:
    for rung, row in TABLE_1.items():
        for on, _, column in SETS.values():
            yield PaperFigure(
                f"{on}, {RUNGS[rung]}: Acc@1",
                row[column],
                f"{100 * row[column]:.2f} % (Acc@5 {100 * row[column + 1]:.2f} %), sizes of Table 4",
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
