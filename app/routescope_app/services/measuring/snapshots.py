"""What is known of an evaluation at one moment, as the API says it. Blocking, some milliseconds; nothing is NaN.

While samples are still scored, intervals of changes come from few resamples.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch

from routescope.data import BlockSet, LabelledSamples
from routescope.data.blocks.algo import Algo
from routescope.data.statements.sets import StatementSet
from routescope.routing import KINDS, Intervention
from routescope.routing.caused.distributions import DISTRIBUTIONS
from routescope.routing.caused.effects import drop_effect, effects_by
from routescope.routing.caused.intervals import RESAMPLES
from routescope.routing.caused.scores import Scores
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.interventions import WORDS
from routescope_app.services.measuring.order import ScoredSamples
from routescope_app.services.measuring.scope import Measured, SampleRange
from routescope_app.services.measuring.scoring import Run

#: Draws of the bootstrap while samples are still scored.
RUNNING_RESAMPLES = 200


def finite(value: Any) -> Any:
    """A number or nested lists of them, with None where one is not finite."""
    if isinstance(value, list):
        return [finite(entry) for entry in value]
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    return value


def measure_of(scores: Scores) -> dict[str, Any]:
    """What the figures of these scores are: accuracy, or what the heads of the model are measured by."""
    measure = scores.measure
    return {"name": measure.name, "unit": measure.unit, "higher_is_better": measure.higher_is_better}


def accuracy_of(scores: Scores) -> dict[str, Any]:
    """The figure with its 95 % interval."""
    low, high = scores.interval
    return {"value": scores.figure, "low": finite(low), "high": finite(high)}


def loss_of(scores: Scores) -> dict[str, Any]:
    """Mean cross-entropy with the normal 95 % interval of a mean."""
    count, mean = scores.count, scores.mean_loss
    half = 1.96 * float(scores.loss.std(ddof=1, dtype=np.float64)) / count**0.5 if count > 1 else None
    return {
        "value": mean,
        "low": None if half is None else mean - half,
        "high": None if half is None else mean + half,
    }


def figures(scores: Scores) -> dict[str, Any]:
    """Accuracy, loss and speed of what was scored; Nones of nothing."""
    if not scores.count:
        return {"accuracy": None, "loss": None, "samples_per_second": None}
    speed = finite(scores.samples_per_second)
    return {"accuracy": accuracy_of(scores), "loss": loss_of(scores), "samples_per_second": speed}


@dataclass(frozen=True)
class Pairs:
    """The samples that an intervention and its baseline have both scored, of all parts, each beside itself.

    Attributes:
        labels: what is right, after the iterations of the intervention where that depends on them.
        part: the position of each sample's data set.
        distribution: the name of the distribution of each sample.
        kind, kinds: the kind of reasoning, or the subtask, of each sample, and the names of these; -1 where a set has
            none.
    """

    own: Scores
    baseline: Scores
    labels: np.ndarray
    part: np.ndarray
    distribution: np.ndarray
    kind: np.ndarray
    kinds: list[str]


def paired(
    measured: Measured,
    own: Mapping[SampleRange, ScoredSamples],
    baseline: Mapping[SampleRange, ScoredSamples],
    iterations: int,
) -> Pairs:
    """The samples of both, which are the same ones.

    Args:
        iterations: after which labels are to be right, of samples whose label depends on it.
    """
    labels, kinds, numbers = [], list[str](), []
    for part, rows in ((part, each.rows) for part, each in own.items()):
        places = torch.from_numpy(rows)
        right = part.dataset.targets(places, iterations) if part.dataset.classes else part.dataset.labels[places]
        labels.append(right.numpy())
        found = _kinds_of(part.dataset)
        if found is None:
            numbers.append(np.full(len(rows), -1))
            continue
        names, kind = found
        kinds += [name for name in names if name not in kinds]
        numbers.append(np.array([kinds.index(name) for name in names])[kind[rows]])
    counts = [len(each.rows) for each in own.values()]
    return Pairs(
        own=Scores.join(each.scores for each in own.values()),
        baseline=Scores.join(baseline[part].scores for part in own),
        labels=np.concatenate(labels),
        part=np.repeat(np.arange(len(counts)), counts),
        distribution=np.concatenate([measured.distribution[part][each.rows] for part, each in own.items()]),
        kind=np.concatenate(numbers),
        kinds=kinds,
    )


def known(measured: Measured, own: Run, baseline: Run, intervention: Intervention) -> dict[str, Any]:
    """Figures of both, ``change`` and the groups, all over the samples of the rounds that both have scored.

    Before there is such a round, the figures of one alone, on what it has scored.
    """
    rounds = min(own.rounds, baseline.rounds)
    if not rounds:
        first, second = own.joined(), baseline.joined()
        alone = figures(first) | {"baseline": figures(second) if second.count and not first.count else None}
        alone["measure"] = measure_of(first if first.count else second)
        nothing: dict[str, Any] = {"by_label": [], "by_domain": [], "by_kind": [], "by_distribution": []}
        return alone | {"covered": first.count or second.count, "change": None, **nothing}
    iterations = measured.info.iterations if intervention.iterations is None else intervention.iterations
    pairs = paired(measured, own.scored(rounds), baseline.scored(rounds), iterations)
    resamples = RESAMPLES if rounds == measured.order.rounds else RUNNING_RESAMPLES
    pooled = _compared(pairs.own, pairs.baseline, resamples)
    names = [part.dataset.name for part in measured.parts]
    groups = partial(_groups_of, pairs, labels=measured.info.labels, sets=names, resamples=resamples)
    return {
        **pooled,
        "covered": pairs.own.count,
        "measure": measure_of(pairs.own),
        **groups(np.ones(pairs.own.count, dtype=bool)),
        "by_distribution": _by_distribution(pairs, pooled, groups, resamples),
    }


def chance_of(measured: Measured, iterations: int | None) -> dict[str, Any] | None:
    """What an answer without any reasoning is right at, and what that is; None where nothing is known of it.

    Of labels a guess, all as likely; of ALGO, whose variables mostly stay what they were, a copy of the best input.
    """
    tasks = [part.dataset.task if isinstance(part.dataset, BlockSet) else None for part in measured.parts]
    if all(isinstance(task, Algo) for task in tasks):
        wanted = measured.info.iterations if iterations is None else iterations
        shares = [task.copied(wanted) for task in tasks if isinstance(task, Algo)]
        return {"value": float(np.average(shares, weights=[part.limit for part in measured.parts])), "by": "copying"}
    labels = len(measured.info.labels)
    return {"value": 1 / labels, "by": "guessing"} if labels else None


def _compared(own: Scores, baseline: Scores, resamples: int) -> dict[str, Any]:
    """Figures of both and the change from one to the other."""
    effect = drop_effect(baseline, own, resamples=resamples)
    return {
        **figures(own),
        "baseline": figures(baseline),
        "change": {
            name: {"value": change.value, "low": change.low, "high": change.high}
            for name, change in (("accuracy", effect.figure), ("loss", effect.loss))
        },
    }


def _by_distribution(
    pairs: Pairs, pooled: dict[str, Any], groups: Callable[[np.ndarray], dict[str, Any]], resamples: int
) -> list[dict[str, Any]]:
    """The same figures of each distribution, with groups of its samples.

    Where all samples are of one, ``pooled``, and no groups besides those of all samples.
    """
    found = []
    for name in DISTRIBUTIONS:
        own = pairs.distribution == name
        if not own.any():
            continue
        of = pooled if own.all() else _compared(pairs.own.take(own), pairs.baseline.take(own), resamples)
        baseline = {key: of["baseline"][key] for key in ("accuracy", "loss")}
        told = {key: of[key] for key in ("accuracy", "loss", "change")} | {"baseline": baseline}
        found.append({"name": name, "count": int(own.sum()), **told, **({} if own.all() else groups(own))})
    return found


def _groups_of(
    pairs: Pairs, own: np.ndarray, *, labels: Sequence[str], sets: Sequence[str], resamples: int
) -> dict[str, Any]:
    """The figures of the samples in ``own`` by label, by data set and by kind."""
    of = partial(_groups, baseline=pairs.baseline.take(own), own=pairs.own.take(own), resamples=resamples)
    return {
        "by_label": of(pairs.labels[own], names=labels),
        "by_domain": of(pairs.part[own], names=sets),
        "by_kind": of(pairs.kind[own], names=pairs.kinds),
    }


def _kinds_of(dataset: LabelledSamples) -> tuple[Sequence[str], np.ndarray] | None:
    """Names of kinds of samples, and the number of each sample's; None where there are none.

    Of blocks: the output that is asked for where there are several, else the subtask.
    """
    if isinstance(dataset, StatementSet):
        return dataset.kinds, dataset.kind.numpy()
    if isinstance(dataset, BlockSet):
        outputs = dataset.task.outputs
        return (outputs, dataset.asked.numpy()) if len(outputs) > 1 else (dataset.subtasks, dataset.subtask.numpy())
    return None


def _groups(
    groups: np.ndarray, baseline: Scores, own: Scores, names: Sequence[str], resamples: int
) -> list[dict[str, Any]]:
    if not names:
        return []
    table = effects_by(groups, baseline, own, list(names), resamples=resamples)
    called = {"group": "name", own.measure.name: "accuracy"}
    columns = [called.get(column, column) for column in table.columns]
    rows = (dict(zip(columns, row, strict=True)) for row in table.itertuples(index=False, name=None))
    return [row for row in rows if row["count"]]


def kinds_of(info: ModelInfo, intervention: Intervention) -> list[dict[str, Any]]:
    """The kinds of ablation in use."""
    return [
        {"kind": kind, "words": words, "units": list(getattr(intervention, kind))}
        for kind, words in WORDS[info.unit_kind].items()
        if getattr(intervention, kind)
    ]


def control_of(
    measured: Measured, size: int, sets: Sequence[Intervention], scores: Sequence[Scores], exact: bool
) -> dict[str, Any] | None:
    """The control so far: ``scores`` of the first of ``sets``, over all samples, and apart by distribution."""
    if not sets:
        return None
    names = np.concatenate(list(measured.distribution.values()))
    apart = {name: names == name for name in DISTRIBUTIONS if (names == name).any()}
    accuracies = [each.figure for each in scores]
    by = {name: [each.take(own).figure for each in scores] for name, own in apart.items()}
    return {
        "size": size,
        "draws_done": len(accuracies),
        "draws": len(sets),
        "exact": exact,
        **_spread(accuracies),
        "by_distribution": [{"name": name, **_spread(found)} for name, found in by.items()],
        "sets": [
            {
                "units": sorted(unit for kind in KINDS for unit in getattr(each, kind)),
                "accuracy": accuracy,
                "by_distribution": {name: found[place] for name, found in by.items()},
            }
            for place, (each, accuracy) in enumerate(zip(sets, accuracies, strict=False))
        ],
    }


def _spread(accuracies: Sequence[float]) -> dict[str, float | None]:
    return {
        "mean": sum(accuracies) / len(accuracies) if accuracies else None,
        "least": min(accuracies, default=None),
        "most": max(accuracies, default=None),
    }
