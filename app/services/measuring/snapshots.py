"""What is known of an evaluation at one moment, as the API says it. Blocking, some milliseconds; nothing is NaN.

While samples are still scored, intervals of changes come from few resamples; ``known`` is told when to take them all.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from app.services.interventions import words_of
from app.services.measuring.scope import Measured, Part
from core.data import BlockSet, LabelledSamples
from core.data.statements.sets import StatementSet
from core.routing import KINDS, Intervention
from core.routing.caused.effects import drop_effect, effects_by
from core.routing.caused.intervals import RESAMPLES
from core.routing.caused.scores import Scores
from core.zoo.catalogue import ModelInfo

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


def paired(
    own: Mapping[Part, Scores], baseline: Mapping[Part, Scores], iterations: int
) -> tuple[Scores, Scores, np.ndarray, np.ndarray]:
    """(own, baseline, labels, positions of the sets) of the samples that both have scored.

    Args:
        iterations: after which labels are to be right, of samples whose label depends on it.
    """
    ours, theirs, labels, sets = [], [], [], []
    for position, part in enumerate(own):
        count = min(own[part].count, baseline[part].count)
        ours.append(own[part].take(slice(count)))
        theirs.append(baseline[part].take(slice(count)))
        right = part.dataset.targets(slice(count), iterations) if part.dataset.classes else part.dataset.labels[:count]
        labels.append(right.numpy())
        sets.append(np.full(count, position))
    return Scores.join(ours), Scores.join(theirs), np.concatenate(labels), np.concatenate(sets)


def known(
    measured: Measured,
    own: Mapping[Part, Scores],
    baseline: Mapping[Part, Scores],
    *,
    whole: bool,
    iterations: int | None = None,
) -> dict[str, Any]:
    """Figures of both, ``change``, ``by_label`` and ``by_domain``, all over the samples that both have scored.

    Before there is such a sample, the figures of one alone, on what it has scored.

    Args:
        whole: whether all samples are scored, so that these are the figures that stay.
        iterations: of the intervention; the model's own when None.
    """
    iterations = measured.info.iterations if iterations is None else iterations
    ours, theirs, labels, sets = paired(own, baseline, iterations)
    if not ours.count:
        first = Scores.join(own.values())
        second = Scores.join([] if first.count else baseline.values())
        alone = figures(first) | {"baseline": figures(second) if second.count else None}
        alone["measure"] = measure_of(first if first.count else Scores.join(baseline.values()))
        return alone | {"change": None, "by_label": [], "by_domain": [], "by_kind": []}
    resamples = RESAMPLES if whole else RUNNING_RESAMPLES
    effect = drop_effect(theirs, ours, resamples=resamples)
    names = [part.dataset.name for part in measured.parts]
    return {
        **figures(ours),
        "baseline": figures(theirs),
        "change": {
            name: {"value": change.value, "low": change.low, "high": change.high}
            for name, change in (("accuracy", effect.figure), ("loss", effect.loss))
        },
        "by_label": _groups(labels, theirs, ours, measured.info.labels, resamples),
        "measure": measure_of(ours),
        "by_domain": _groups(sets, theirs, ours, names, resamples),
        "by_kind": _by_kind(own, baseline, iterations, resamples),
    }


def _by_kind(
    own: Mapping[Part, Scores], baseline: Mapping[Part, Scores], iterations: int, resamples: int
) -> list[dict[str, Any]]:
    """By kind of reasoning, or by subtask, of those parts whose samples are statements or blocks."""
    sets = {part: found for part in own if (found := _kinds_of(part.dataset)) is not None}
    names = list(dict.fromkeys(name for each, _ in sets.values() for name in each))
    if not sets:
        return []
    ours, theirs, _, position = paired({part: own[part] for part in sets}, baseline, iterations)
    counts = np.bincount(position, minlength=len(sets))
    kinds = [
        np.array([names.index(name) for name in each])[kind[:count]]
        for (each, kind), count in zip(sets.values(), counts, strict=True)
    ]
    return _groups(np.concatenate(kinds), theirs, ours, names, resamples)


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
    table = effects_by(groups, baseline, own, list(names), resamples=resamples)
    table = table.rename(columns={"group": "name", own.measure.name: "accuracy"})
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records") if row["count"]]


def kinds_of(info: ModelInfo, intervention: Intervention) -> list[dict[str, Any]]:
    """The kinds of ablation in use."""
    return [
        {"kind": kind, "words": words, "units": list(getattr(intervention, kind))}
        for kind, words in words_of(info).items()
        if getattr(intervention, kind)
    ]


def control_of(
    size: int, sets: Sequence[Intervention], accuracies: Sequence[float], exact: bool
) -> dict[str, Any] | None:
    """The control so far: ``accuracies`` of the first of ``sets``."""
    if not sets:
        return None
    return {
        "size": size,
        "draws_done": len(accuracies),
        "draws": len(sets),
        "exact": exact,
        "mean": sum(accuracies) / len(accuracies) if accuracies else None,
        "least": min(accuracies, default=None),
        "most": max(accuracies, default=None),
        "sets": [
            {"units": sorted(unit for kind in KINDS for unit in getattr(each, kind)), "accuracy": accuracy}
            for each, accuracy in zip(sets, accuracies, strict=False)
        ],
    }
