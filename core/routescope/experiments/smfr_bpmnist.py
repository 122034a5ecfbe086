"""smfr-bpmnist: digits in four strips under eight permutations (paper: section 5.4, Table 3).

Trained networks are scored on digits that none of them was trained on: under the first four permutations, of which
training showed everything (validation), and under the last four, of each of which it never showed one digit (test).
Their accuracy on those left-out combinations alone is what the paper's text is about; it prints the one over all.

Networks that are not there are left out, and the record says so: the FNN, which has no routing to look at, is not
bundled, and ``routescope train fnn-bpmnist`` makes it. The others were trained 25,000 steps each; ``routescope train
smfr-bpmnist --steps 250000`` trains as long as the paper's second column. With ``--data bpmnist=FOLDER`` MNIST's own
test digits are scored. Not as printed: there is one network of each kind instead of the five best of a grid. The paper
does not say its batch size.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from routescope.data.blocks.permuted import PERMUTATIONS
from routescope.data.blocks.sets import BlockSet
from routescope.data.blocks.tasks import BPMNIST
from routescope.experiments.shared import circuits
from routescope.experiments.shared.block_grids import REFERENCE
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure, figure_of
from routescope.experiments.shared.tables import BLOCKS_TABLE_3, BPMNIST_TITLES
from routescope.routing.caused.intervals import bootstrap_interval, cluster_interval, share_interval

SMFR = "smfr-bpmnist"
SPLITS = ("validation", "test")
QUICK_LIMIT = 200


@dataclass(frozen=True)
class Settings:
    """``limit``: how many samples of each split are scored; None for all of them."""

    models: tuple[str, ...] = tuple(BPMNIST_TITLES)
    limit: int | None = None


def run(context: Context) -> Outcome:
    """Score every network on both splits; by permutation, on what was left out, and against the plain SMFR."""
    chosen: Settings = context.settings
    models, notes = context.models(chosen.models)
    data = {split: context.data(BPMNIST.name, split, chosen.limit) for split in SPLITS}
    context.expect(len(models) * len(SPLITS))
    scored = {
        (name, split): circuits.answers(
            context.measure(f"{name}, {split}", partial(circuits.score, model, [data[split]])), [data[split]]
        )
        for name, model in models.items()
        for split in SPLITS
    }
    figures: list[Figure] = []
    rows: list[dict[str, Any]] = []
    for (name, split), right in scored.items():
        parameters = sum(p.numel() for p in models[name].parameters())
        rows += [{"model": name, "parameters": parameters, "split": split, **row} for row in table(right, data[split])]
        figures += summarise(name, split, right, data[split])
        if split == "test" and name != SMFR and SMFR in models:
            figures.append(compared(name, right, scored[SMFR, split], data[split]))
    return Outcome(figures, {"permutations": rows}, notes)


def summarise(name: str, split: str, right: np.ndarray, data: BlockSet) -> Iterator[Figure]:
    """Yield the accuracy on a split, and on its shown and left-out combinations.

    ``right`` is (sample,), 1 or 0.
    """
    where: dict[str, str | int] = {"model": BPMNIST_TITLES.get(name, name), "split": split}
    short, long = BLOCKS_TABLE_3.get(name, (None, None))
    says = "Table 3 prints test accuracies only"
    if split == "test" and short is not None:
        says = f"Table 3, mean of the five best of a grid: {short:.3f} at 25k steps, {long:.3f} at 250k"
    yield share("accuracy", where, right, data, short if split == "test" else None, says)
    left_out = data.held_out.numpy()
    if left_out.any():
        for words, rows in (("left out of training", left_out), ("shown in training", ~left_out)):
            condition = {**where, "combinations": words}
            yield share("accuracy", condition, right[rows], data.take(np.flatnonzero(rows).tolist()), None, says)


def share(
    name: str, where: Mapping[str, str | int], right: np.ndarray, data: BlockSet, paper: float | None, says: str
) -> Figure:
    """Return a share of samples (sample,) with an interval over whole digits, which several permutations share."""
    groups = None if data.groups is None else data.groups.numpy()
    value = (float(right.mean()), *share_interval(right, groups))
    return figure_of(name, where, value, len(right), [data], paper, says)


def compared(name: str, right: np.ndarray, plain: np.ndarray, data: BlockSet) -> Figure:
    """Return how many more samples (sample,) the plain SMFR has right; the interval is over whole digits."""
    more, groups = plain - right, data.groups
    value = bootstrap_interval(more) if groups is None else cluster_interval(more, groups.numpy())
    where: dict[str, str | int] = {"model": BPMNIST_TITLES.get(name, name), "split": "test"}
    says = "at 25k steps the plain SMFR is behind all others, at 250k ahead of FNN and Transformer"
    return figure_of("SMFR: more than this model", where, value, len(right), [data], None, says)


def table(right: np.ndarray, data: BlockSet) -> Iterator[dict[str, Any]]:
    """Yield the accuracy under every permutation of a split, from right or wrong answers (sample,)."""
    left_out, permutation = data.held_out.numpy(), data.program[:, 0].numpy()
    for number in np.unique(permutation).tolist():
        shown = permutation == number
        yield {
            "permutation": " ".join(str(strip + 1) for strip in PERMUTATIONS[number]),
            "accuracy": float(right[shown].mean()),
            "count": int(shown.sum()),
            "left_out_accuracy": float(right[shown & left_out].mean()) if (shown & left_out).any() else None,
            "left_out_count": int((shown & left_out).sum()),
        }


EXPERIMENT = Experiment(
    id="smfr-bpmnist",
    title="Digits in strips under eight permutations",
    paper_reference=f"{REFERENCE}, section 5.4 and A.2.4",
    paper_figures=tuple(
        PaperFigure(
            f"test accuracy, {BPMNIST_TITLES[name]}", short, f"{short:.3f} at 25k steps, {long:.3f} at 250k (Table 3)"
        )
        for name, (short, long) in BLOCKS_TABLE_3.items()
    ),
    settings=Settings(),
    quick=Settings(limit=QUICK_LIMIT),
    run=run,
)
