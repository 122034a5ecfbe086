"""Figures of an evaluation at one moment, as fields of ``Evaluation`` in the API. Blocking for some milliseconds.

While samples are still scored, intervals of changes use few resamples.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch

from routescope.data import Samples
from routescope.data.blocks.algo import Algo
from routescope.data.blocks.sets import BlockSet
from routescope.data.statements.sets import StatementSet
from routescope.routing import KINDS, Intervention
from routescope.routing.caused.distributions import DISTRIBUTIONS
from routescope.routing.caused.effects import DropEffect, accuracy_by_confidence, drop_effect, effects_by
from routescope.routing.caused.intervals import RESAMPLES
from routescope.routing.caused.scores import Scores
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.interventions import WORDS
from routescope_app.services.measuring.order import ScoredSamples
from routescope_app.services.measuring.scope import Measured, SampleRange
from routescope_app.services.measuring.scoring import Run
from routescope_app.services.packed import finite, interval

#: Bootstrap resamples while samples are still scored.
RUNNING_RESAMPLES = 200


def measure_of(scores: Scores) -> dict[str, Any]:
    """Return the measure of the figures of scores."""
    measure = scores.measure
    return {"name": measure.name, "unit": measure.unit, "higher_is_better": measure.higher_is_better}


def accuracy_of(scores: Scores) -> dict[str, Any]:
    """Return the figure with its 95 % interval."""
    return interval(scores.figure, *scores.interval)


def loss_of(scores: Scores) -> dict[str, Any]:
    """Return the mean cross-entropy with the normal 95 % interval of a mean."""
    count, mean = scores.count, scores.mean_loss
    if count < 2:
        return {"value": mean, "low": None, "high": None}
    half = 1.96 * float(scores.loss.std(ddof=1, dtype=np.float64)) / count**0.5
    return {"value": mean, "low": mean - half, "high": mean + half}


def change_of(effect: DropEffect) -> dict[str, Any]:
    """Return paired changes of accuracy and loss with their intervals."""
    changes = {"accuracy": effect.figure, "loss": effect.loss}
    return {name: {key: getattr(change, key) for key in ("value", "low", "high")} for name, change in changes.items()}


def figures(scores: Scores) -> dict[str, Any]:
    """Return accuracy, loss and speed; Nones without scores."""
    if not scores.count:
        return {"accuracy": None, "loss": None, "samples_per_second": None}
    speed = finite(scores.samples_per_second)
    return {"accuracy": accuracy_of(scores), "loss": loss_of(scores), "samples_per_second": speed}


@dataclass(frozen=True)
class Pairs:
    """The samples of all parts that both an intervention and its baseline have scored.

    Attributes:
        changed: scores under the intervention.
        labels: correct labels, after the iterations of the intervention where they depend on these.
        part: number of each sample's data set.
        distribution: distribution of each sample.
        kind, kinds: number of each sample's kind of reasoning or subtask (-1: none), and the names of kinds.
    """

    changed: Scores
    baseline: Scores
    labels: np.ndarray
    part: np.ndarray
    distribution: np.ndarray
    kind: np.ndarray
    kinds: list[str]


def paired(
    measured: Measured,
    changed: Mapping[SampleRange, ScoredSamples],
    baseline: Mapping[SampleRange, ScoredSamples],
    iterations: int,
) -> Pairs:
    """Return the samples of both, which are the same, with labels after ``iterations`` if they depend on it."""
    labels, kinds, numbers = [], list[str](), []
    for part, samples in changed.items():
        indices = torch.from_numpy(samples.rows)
        correct = part.dataset.targets(indices, iterations) if part.dataset.classes else part.dataset.labels[indices]
        labels.append(correct.numpy())
        names, kind = _kinds_of(part.dataset)
        kinds += [name for name in names if name not in kinds]
        numbers.append(np.array([*map(kinds.index, names), -1])[kind[samples.rows]])
    counts = [len(samples.rows) for samples in changed.values()]
    return Pairs(
        changed=Scores.join(samples.scores for samples in changed.values()),
        baseline=Scores.join(baseline[part].scores for part in changed),
        labels=np.concatenate(labels),
        part=np.repeat(np.arange(len(counts)), counts),
        distribution=np.concatenate([measured.distribution[part][samples.rows] for part, samples in changed.items()]),
        kind=np.concatenate(numbers),
        kinds=kinds,
    )


def known(measured: Measured, changed: Run, baseline: Run, intervention: Intervention) -> dict[str, Any]:
    """Return figures, ``change`` and groups over the samples of the rounds that both runs have completed.

    Before the first such round, the figures are those of one run.
    """
    rounds = min(changed.rounds, baseline.rounds)
    if not rounds:
        first, second = changed.joined(), baseline.joined()
        alone = figures(first) | {"baseline": figures(second) if second.count and not first.count else None}
        alone["measure"] = measure_of(first if first.count else second)
        nothing: dict[str, Any] = {"by_label": [], "by_domain": [], "by_kind": [], "by_distribution": []}
        return alone | {"covered": first.count or second.count, "change": None, **nothing}
    iterations = measured.info.iterations if intervention.iterations is None else intervention.iterations
    pairs = paired(measured, changed.scored(rounds), baseline.scored(rounds), iterations)
    resamples = RESAMPLES if rounds == measured.order.rounds else RUNNING_RESAMPLES
    pooled = _compared(pairs.changed, pairs.baseline, resamples)
    names = [part.dataset.name for part in measured.parts]
    groups = partial(_groups_of, pairs, labels=measured.info.labels, sets=names, resamples=resamples)
    return {
        **pooled,
        "covered": pairs.changed.count,
        "measure": measure_of(pairs.changed),
        **groups(np.ones(pairs.changed.count, dtype=bool)),
        "by_distribution": _by_distribution(pairs, pooled, groups, resamples),
    }


def chance_of(measured: Measured, iterations: int | None) -> dict[str, Any] | None:
    """Return the accuracy without reasoning: of guessing, or for ALGO of copying the best input; None: unknown."""
    tasks = [part.dataset.task if isinstance(part.dataset, BlockSet) else None for part in measured.parts]
    if all(isinstance(task, Algo) for task in tasks):
        passes = measured.info.iterations if iterations is None else iterations
        shares = [task.copied(passes) for task in tasks if isinstance(task, Algo)]
        return {"value": float(np.average(shares, weights=[part.limit for part in measured.parts])), "by": "copying"}
    labels = len(measured.info.labels)
    return {"value": 1 / labels, "by": "guessing"} if labels else None


def _compared(changed: Scores, baseline: Scores, resamples: int) -> dict[str, Any]:
    """Return the figures of both and their change."""
    change = change_of(drop_effect(baseline, changed, resamples=resamples))
    return {**figures(changed), "baseline": figures(baseline), "change": change}


def _by_distribution(
    pairs: Pairs, pooled: dict[str, Any], groups: Callable[[np.ndarray], dict[str, Any]], resamples: int
) -> list[dict[str, Any]]:
    """Return the figures of each distribution, with groups of its samples.

    With a single distribution these are ``pooled``, without groups.
    """
    described = []
    for name in DISTRIBUTIONS:
        mask = pairs.distribution == name
        if not mask.any():
            continue
        whole = mask.all()
        part = pooled if whole else _compared(pairs.changed.take(mask), pairs.baseline.take(mask), resamples)
        baseline = {key: part["baseline"][key] for key in ("accuracy", "loss")}
        fields = {key: part[key] for key in ("accuracy", "loss", "change")} | {"baseline": baseline}
        described.append({"name": name, "count": int(mask.sum()), **fields, **({} if whole else groups(mask))})
    return described


def _groups_of(
    pairs: Pairs, mask: np.ndarray, *, labels: Sequence[str], sets: Sequence[str], resamples: int
) -> dict[str, Any]:
    """Return the effects on the samples of a mask by label, by data set and by kind."""
    effects = partial(_effects, pairs.baseline.take(mask), pairs.changed.take(mask), resamples=resamples)
    return {
        "by_label": effects(pairs.labels[mask], labels),
        "by_domain": effects(pairs.part[mask], sets),
        "by_kind": effects(pairs.kind[mask], pairs.kinds),
        "by_confidence": by_confidence(pairs.baseline.take(mask), pairs.changed.take(mask)),
    }


def by_confidence(baseline: Scores, changed: Scores) -> dict[str, Any] | None:
    """Return the accuracy by tenths of confidence of both; None for answers without a confidence."""
    if baseline.confidence is None or changed.confidence is None:
        return None
    return {"baseline": _tenths(baseline), "changed": _tenths(changed)}


def _tenths(scores: Scores) -> list[dict[str, Any]]:
    return [
        {
            "least": row["from"],
            "count": int(row["count"]),
            "confidence": row["confidence"],
            "accuracy": interval(row["accuracy"], row["low"], row["high"]),
        }
        for row in accuracy_by_confidence(scores).to_dict("records")
    ]


def _kinds_of(dataset: Samples) -> tuple[Sequence[str], np.ndarray]:
    """Return the names of kinds of samples, and the number of each sample's kind (-1: none).

    Kinds of blocks are their outputs if there are several, else their subtasks.
    """
    if isinstance(dataset, StatementSet):
        return dataset.kinds, dataset.kind.numpy()
    if isinstance(dataset, BlockSet):
        outputs = dataset.task.outputs
        return (outputs, dataset.asked.numpy()) if len(outputs) > 1 else (dataset.subtasks, dataset.subtask.numpy())
    return (), np.full(len(dataset), -1)


def _effects(
    baseline: Scores, changed: Scores, groups: np.ndarray, names: Sequence[str], *, resamples: int
) -> list[dict[str, Any]]:
    if not names:
        return []
    table = effects_by(groups, baseline, changed, list(names), resamples=resamples)
    renamed = {"group": "name", changed.measure.name: "accuracy"}
    columns = [renamed.get(column, column) for column in table.columns]
    rows = (dict(zip(columns, row, strict=True)) for row in table.itertuples(index=False, name=None))
    return [row for row in rows if row["count"]]


def kinds_of(info: ModelInfo, intervention: Intervention) -> list[dict[str, Any]]:
    """Return the kinds of ablation in use."""
    return [
        {"kind": kind, "words": words, "units": list(getattr(intervention, kind))}
        for kind, words in WORDS[info.unit_kind].items()
        if getattr(intervention, kind)
    ]


def control_of(
    measured: Measured, size: int, sets: Sequence[Intervention], scores: Sequence[Scores], exact: bool
) -> dict[str, Any] | None:
    """Return the control so far: ``scores`` of the first ``sets``, pooled and by distribution; None without sets."""
    if not sets:
        return None
    names = np.concatenate(list(measured.distribution.values()))
    masks = {name: names == name for name in DISTRIBUTIONS if (names == name).any()}
    accuracies = [set_scores.figure for set_scores in scores]
    by_name = {name: [set_scores.take(mask).figure for set_scores in scores] for name, mask in masks.items()}
    return {
        "size": size,
        "draws_done": len(accuracies),
        "draws": len(sets),
        "exact": exact,
        **_summary(accuracies),
        "by_distribution": [{"name": name, **_summary(figures)} for name, figures in by_name.items()],
        "sets": [
            {
                "units": sorted(unit for kind in KINDS for unit in getattr(control, kind)),
                "accuracy": accuracy,
                "by_distribution": {name: figures[number] for name, figures in by_name.items()},
            }
            for number, (control, accuracy) in enumerate(zip(sets, accuracies, strict=False))
        ],
    }


def _summary(accuracies: Sequence[float]) -> dict[str, float | None]:
    return {
        "mean": sum(accuracies) / len(accuracies) if accuracies else None,
        "least": min(accuracies, default=None),
        "most": max(accuracies, default=None),
    }
