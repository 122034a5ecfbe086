"""smfr-addmul: how much of the addition is left when the training turns to multiplication (paper: Tables 1, 4 and 5).

Networks are trained on the preparation data until they have a share of them right (the threshold), then 2,000 steps on
the interference data; what they still have right of the additions that only preparation showed is the
*preparation-data accuracy*. One preparation of a trial serves all of its thresholds: a copy of the network, with its
Adam, turns to interference wherever a threshold is passed first (the paper does not say whether it trained each anew).

The threshold is of the accuracy on the batches of the training: the mean of the last four, of 32 samples each, before
they are learned from. The paper does not say of what; a window of four was fixed before any run that is reported.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import torch

from routescope.data.blocks.tasks import ADDMUL
from routescope.experiments.shared.block_grids import (
    REFERENCE,
    FNNSizes,
    GridTraining,
    Progressing,
    Rows,
    SMFRSizes,
    beside,
    mean_and_error,
    mean_figure,
    measure_groups,
)
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure
from routescope.experiments.shared.tables import (
    BLOCKS_RATIOS,
    BLOCKS_TABLE_1,
    BLOCKS_TABLE_4,
    BLOCKS_TABLE_5,
    FNN,
    GUMBEL,
    SOFTMAX,
)
from routescope.training.grids.many import Group
from routescope.training.grids.trials import Lessons, Trial, accuracy, group_of, samples

NAME = "preparation-data accuracy"
#: What the paper does not say and a reader of the numbers should know; a record has it.
NOTES = (
    "A threshold is passed by the mean accuracy of the last four batches of training, each before it is learned from.",
    "All thresholds of a trial share one preparation: a copy of the network turns wherever one is passed first.",
)
SAYS_1 = "Table 1: means over 90 trials of FNNs and 63 architectures of each kind of SMFR"
SAYS_4 = "Table 4: FNNs are better at higher sizes, SMFRs better than them at smaller ones"
SAYS_5 = "Table 5: more hidden layers are better, with diminishing returns at 3"


@dataclass(frozen=True)
class Settings:
    """A grid of trials and how they are trained.

    Attributes:
        fnn_trials: trials of each feed-forward network (paper: 90 of 9); of each SMFR there is one.
        seeds: how often the whole grid is trained, each time with new first weights and samples.
        window: batches whose mean accuracy passes a threshold.
        preparation: most steps of the preparation; what has not passed a threshold by then is left out there.
        interference: steps (paper: 2,000).
    """

    smfr: tuple[SMFRSizes, ...]
    fnn: FNNSizes = FNNSizes()
    fnn_trials: int = 10
    thresholds: tuple[float, ...] = (0.7, 0.8, 0.9, 0.95, 1.0)
    seeds: int = 1
    window: int = 4
    preparation: int = 10_000
    interference: int = 2_000
    training: GridTraining = GridTraining()


#: The printed grid: 63 architectures of each kind of SMFR (A.2.1).
PRINTED = Settings((SMFRSizes(depth=(1, 2, 3), width=(1, 2, 3, 4, 5, 6, 7), layers=(1, 2, 3)),))
#: A part of it for two cores: depth 2, 9 architectures of each kind, one trial of each feed-forward network.
PART = Settings((SMFRSizes(depth=(2,), width=(2, 4, 7), layers=(1, 2, 3)),), fnn_trials=1)
QUICK = Settings(
    (SMFRSizes(depth=(1,), width=(2, 4)),),
    FNNSizes((100,), (2,)),
    fnn_trials=2,
    thresholds=(0.7, 1.0),
    preparation=1_500,
    interference=200,
)


def run(context: Context) -> Outcome:
    """Train every trial of the grid, turn at every threshold, and compare kinds, sizes and hidden layers."""
    chosen: Settings = context.settings
    context.seeds["first trial"] = 0
    tested = context.data(ADDMUL.name, "test")
    smfrs = [trial for sizes in chosen.smfr for trial in sizes.trials()]
    rows = measure_groups(
        context,
        smfrs + chosen.fnn.trials(chosen.fnn_trials),
        chosen.seeds,
        chosen.training.together,
        lambda group, progress: measure(chosen, group, progress),
    )
    figures = list(summarise(chosen, rows, tested.title))
    notes = [{"note": note} for note in NOTES]
    return Outcome(figures, {"trials": rows, "table 1": table_1(chosen, rows), "notes": notes})


def measure(chosen: Settings, trials: Sequence[Trial], progress: Progressing) -> Rows:
    """Train a group; return a row for each trial and threshold, without accuracies if it was not reached."""
    branches, places = prepare(chosen, trials, progress)
    after: dict[tuple[int, float], dict[str, float]] = {}
    if branches:
        after = dict(zip(places, interfere(chosen, trials, branches, places, progress), strict=True))
    counts = [sum(p.numel() for p in trial.network(ADDMUL.name).parameters()) for trial in trials]
    return [
        {**trial.row, "parameters": count, "size": size_class(count), "threshold": threshold, **after.get(key, NEVER)}
        for index, (trial, count) in enumerate(zip(trials, counts, strict=True))
        for threshold in chosen.thresholds
        for key in [(index, threshold)]
    ]


#: What a trial has at a threshold that it never passed.
NEVER: dict[str, Any] = {"prepared_for": None, "preparation_data": None, "interference_data": None}


def prepare(
    chosen: Settings, trials: Sequence[Trial], progress: Progressing
) -> tuple[list[Group], list[tuple[int, float]]]:
    """Train on the preparation data until all thresholds are passed.

    Returns:
        Copies of the networks as they passed thresholds, and of each in turn which trial it is of, and which threshold.
    """
    group = group_of(trials, ADDMUL.name, **chosen.training.of_group)
    lessons = Lessons(ADDMUL, trials, chosen.training.batch_size, stage="preparation")
    recent = torch.zeros(chosen.window, len(trials), dtype=torch.float64)
    left = {index: sorted(chosen.thresholds) for index in range(len(trials))}
    branches: list[Group] = []
    places: list[tuple[int, float]] = []
    for step in range(1, chosen.preparation + 1):
        batch = lessons.next()
        recent[step % chosen.window] = accuracy(group, batch)
        group.step(*batch)
        going = list(left)
        passing: list[int] = []
        for at, reached in enumerate(recent.mean(dim=0).tolist() if step >= chosen.window else []):
            waiting = left[going[at]]
            while waiting and reached >= waiting[0]:
                passing.append(at)
                places.append((going[at], waiting.pop(0)))
        if passing:
            branches.append(group.take(passing))
            staying = [at for at, index in enumerate(going) if left[index]]
            left = {going[at]: left[going[at]] for at in staying}
            if not left:
                break
            if len(staying) < len(going):
                group, recent = group.take(staying), recent[:, staying]
                lessons.only(staying)
        if step % 100 == 0:
            progress.say("preparation", step, chosen.preparation)
    return branches, places


def interfere(
    chosen: Settings,
    trials: Sequence[Trial],
    branches: Sequence[Group],
    places: Sequence[tuple[int, float]],
    progress: Progressing,
) -> list[dict[str, float]]:
    """Train all branches together on the interference data; return their accuracies on both data sets after it."""
    group = reduce(lambda first, other: first.join(other), branches)
    steps = group.steps
    turned = [trials[index] for index, _ in places]
    lessons = Lessons(ADDMUL, turned, chosen.training.batch_size, stream=1, stage="interference")
    for step in range(1, chosen.interference + 1):
        group.step(*lessons.next())
        if step % 100 == 0:
            progress.say(f"interference of {len(places)}", step, chosen.interference)
    left = accuracy(group, samples(ADDMUL, ADDMUL.left_out(stage="interference"))).tolist()
    learned = accuracy(group, samples(ADDMUL, ADDMUL.seen(stage="interference"))).tolist()
    return [
        {"prepared_for": prepared, "preparation_data": first, "interference_data": other}
        for prepared, first, other in zip(steps, left, learned, strict=True)
    ]


def size_class(parameters: int) -> str:
    """Return the size class of Table 4: HIGH from 200,000 parameters, LOW below 50,000."""
    return "HIGH" if parameters >= 200_000 else "LOW" if parameters < 50_000 else "MID"


def accuracies(rows: Rows, **where: Any) -> list[float]:
    """Return the preparation-data accuracies of rows with these values, without thresholds never reached."""
    return [
        row["preparation_data"]
        for row in rows
        if row["preparation_data"] is not None and all(row[name] == value for name, value in where.items())
    ]


def table_1(chosen: Settings, rows: Rows) -> Rows:
    """Return means and standard errors beside the paper's, and the number of trials below the threshold."""
    table_rows = []
    for threshold in chosen.thresholds:
        for kind in (FNN, SOFTMAX, GUMBEL):
            values = accuracies(rows, kind=kind, threshold=threshold)
            trials = sum(row["kind"] == kind and row["threshold"] == threshold for row in rows)
            if not values:
                continue
            mean, error = mean_and_error(values)
            paper = BLOCKS_TABLE_1.get(threshold, {}).get(kind, (None, None))
            table_rows.append(
                {
                    "threshold": threshold,
                    "kind": kind,
                    "trials": len(values),
                    "never_passed": trials - len(values),
                    "mean": mean,
                    "standard_error": error,
                    "paper_mean": paper[0],
                    "paper_standard_error": paper[1],
                }
            )
    return table_rows


def summarise(chosen: Settings, rows: Rows, data: str) -> Iterator[Figure]:
    """Yield Tables 1, 4 and 5 as figures; none for a threshold that no trial reached.

    The paper's numbers stand beside those of the whole printed grid; beside those of a part they are in the words.
    """
    whole = is_printed(chosen)
    grid = part_in_words(chosen)
    for threshold in chosen.thresholds:
        at: dict[str, str | int] = {"threshold": str(threshold), "grid": grid}
        of_kind = {kind: accuracies(rows, kind=kind, threshold=threshold) for kind in (FNN, SOFTMAX, GUMBEL)}
        for kind, values in of_kind.items():
            if values:
                paper = BLOCKS_TABLE_1.get(threshold, {}).get(kind, (None,))[0]
                condition = {"table": 1, **at, "network": kind}
                yield mean_figure(NAME, condition, values, data, *beside(paper, whole, SAYS_1))
        if of_kind[SOFTMAX] and of_kind[FNN] and sum(of_kind[FNN]):
            yield ratio(at, of_kind[SOFTMAX], of_kind[FNN], data, *beside(BLOCKS_RATIOS.get(threshold), whole, SAYS_1))
        for kind in of_kind:
            for size in ("HIGH", "MID", "LOW"):
                values = accuracies(rows, kind=kind, threshold=threshold, size=size)
                if values:
                    paper = BLOCKS_TABLE_4.get(threshold, {}).get(kind, {}).get(size)
                    condition = {"table": 4, **at, "network": kind, "size": size}
                    yield mean_figure(NAME, condition, values, data, *beside(paper, whole, SAYS_4))
        smfrs = [row for row in rows if row["kind"] != FNN]
        for layers in sorted({row["layers"] for row in smfrs}):
            values = accuracies(smfrs, layers=layers, threshold=threshold)
            if values:
                paper = BLOCKS_TABLE_5.get(threshold, {}).get(layers)
                condition = {"table": 5, **at, "network": "SMFR", "hidden layers": layers}
                yield mean_figure(NAME, condition, values, data, *beside(paper, whole, SAYS_5))


def ratio(
    at: dict[str, str | int],
    values: Sequence[float],
    other: Sequence[float],
    data: str,
    paper: float | None,
    paper_says: str,
) -> Figure:
    """Return the ratio of two means, as in the last column of Table 1; it prints no interval."""
    times = mean_and_error(values)[0] / mean_and_error(other)[0]
    if times < 1:
        paper_says = f"Here the order is the other way round: the FNNs keep more. {paper_says}"
    return Figure(
        name="SMFR softmax / FNN",
        where={"table": 1, **at},
        value=times,
        unit="times",
        count=len(values) + len(other),
        data=data,
        paper=paper,
        paper_says=paper_says,
    )


def is_printed(chosen: Settings) -> bool:
    """Return whether the grid is the paper's, trained any number of times."""
    return replace(chosen, seeds=1) == PRINTED


def part_in_words(chosen: Settings) -> str:
    """Return the grid in words: "printed", or the sizes of a part."""
    if is_printed(chosen):
        return "printed"
    parts = [
        f"SMFR depth {numbers(sizes.depth)}, width {numbers(sizes.width)}, hidden layers {numbers(sizes.layers)}"
        for sizes in chosen.smfr
    ]
    fnn = f"FNN width {numbers(chosen.fnn.hidden)}, hidden layers {numbers(chosen.fnn.layers)}"
    fnn = f"{fnn}, {chosen.fnn_trials} of each"
    return "; ".join([*parts, fnn])


def numbers(values: Sequence[int]) -> str:
    """Return numbers with commas between them."""
    return ", ".join(map(str, values))


EXPERIMENT = Experiment(
    id="smfr-addmul",
    title="Negative interference between addition and multiplication",
    paper_reference=f"{REFERENCE}, section 5.1 and A.2.1, Tables 1, 4 and 5",
    paper_figures=(
        PaperFigure(
            "SMFR softmax, threshold 0.7", 0.142, "Preparation-data accuracy after 2,000 steps of interference"
        ),
        PaperFigure("SMFR softmax / FNN, threshold 0.7", 4.44, "The difference is larger for smaller thresholds"),
        PaperFigure("SMFR softmax / FNN, threshold 1.0", 1.24, "SMFR softmax performs best at every threshold"),
        PaperFigure("sizes of networks", None, SAYS_4),
        PaperFigure("hidden layers of contained FNNs", None, SAYS_5),
    ),
    settings=PART,
    quick=QUICK,
    run=run,
    full=PRINTED,
)
