"""smfr-inspect: how SMFRs route, over their training and in the end (paper: A.2.4 and A.4).

Sharpness, fairness, the difference between permutations and the use of gates (``core.routing.block_indicators``) come
from the measurements that every training leaves in its model card, and are taken once more of the network as it is. Of
the digit tasks, the paper's two statements of A.4 are measured: that double addition reads the pair that is asked for
and not the other one, and that the algorithmic task passes on what it should not alter. All of this is observed; what
changes when a route is muted or a gate is fixed is another question.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from core import zoo
from core.data import BlockSet
from core.data.block_tasks import ALGO, DOUBLE
from core.experiments.block_grids import REFERENCE
from core.experiments.frame import Context, Experiment, Figure, Outcome, PaperFigure
from core.routing.block_indicators import indicators, routing_of
from core.routing.intervals import bootstrap_interval
from core.routing.probe import record

SAYS = {
    "sharpness": "no number: good runs on block-permuted MNIST had high sharpness",
    "difference": "no number: good runs learned to undo permutations",
    "fairness": "no number: the best runs learned not to throw away the outer strips",
    "gate": "no number: several gates approached zero as training progressed, on double addition",
}
SAYS_PAIR = "irrelevant inputs correctly got a weight of 0, the important ones 0.5 each (a network of depth 1, width 2)"
SAYS_UNALTERED = "SMFRs can pass blocks through without altering them, and alter only those that need to be"
QUICK_LIMIT = 100


@dataclass(frozen=True)
class Settings:
    """``limit``: how many samples of the validation split the networks are run on."""

    models: tuple[str, ...] = (
        "smfr-bpmnist",
        "smfr-bpmnist-bias",
        "smfr-bpmnist-no-context",
        "smfr-double",
        "smfr-algo",
        "smfr-addmul",
    )
    limit: int = 512


def settings(quick: bool) -> Settings:
    """As many samples as were measured in training, or few."""
    return Settings(limit=QUICK_LIMIT) if quick else Settings()


def run(context: Context) -> Outcome:
    """Indicators of every network at the start and the end of its training and now; the whole course as a table."""
    chosen: Settings = context.settings
    models = {name: context.model(name) for name in chosen.models}
    data = {
        task: context.data(task, "validation", chosen.limit)
        for task in dict.fromkeys(model.config.task for model in models.values())
    }
    context.expect(len(models))
    figures: list[Figure] = []
    rows: list[dict[str, Any]] = []
    for name, model in models.items():
        own = data[model.config.task]
        course = [{"model": name, **flat(each)} for each in history_of(name)]
        now = context.measure(name, partial(measure, model, own))
        rows += course
        figures += over_training(name, course, flat(now["indicators"]), own)
        figures += by_role(name, now, own)
    return Outcome(figures, {"course": rows})


def history_of(model_id: str) -> Sequence[Mapping[str, Any]]:
    """What was measured while a model was trained; nothing where its card does not say."""
    found: Sequence[Mapping[str, Any]] = zoo.info(model_id).card.get("history", [])
    return found


def flat(nested: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Numbers within numbers, under names with dots between them."""
    found: dict[str, Any] = {}
    for name, value in nested.items():
        found |= flat(value, f"{before}{name}.") if isinstance(value, Mapping) else {f"{before}{name}": value}
    return found


def measure(model: Any, data: BlockSet) -> dict[str, Any]:
    """Indicators of a network as it is; of the digit tasks also what A.4 says of them, by sample."""
    found: dict[str, Any] = {"indicators": indicators(model, data, len(data))}
    if data.name == DOUBLE.name:
        found["on the asked pair"] = asked_pair(model, data).tolist()
    if data.name == ALGO.name:
        unaltered, assigned = output_gates(model, data)
        found |= {"unaltered": unaltered.tolist(), "assigned": assigned.tolist()}
    return found


def asked_pair(model: Any, data: BlockSet) -> np.ndarray:
    """Of double addition: the share of the first Multiplexer's weight on values that is on the pair asked for."""
    trace = record(model, data.inputs(range(len(data))), only=("multiplexer_weights",))
    first = next(iter(routing_of(trace, "multiplexer_weights").values()))
    pairs = first[:, :4].sum(axis=2).reshape(len(first), 2, 2).sum(axis=2)
    own = np.take_along_axis(pairs, data.subtask.numpy()[:, None], axis=1)[:, 0]
    return np.asarray(own / pairs.sum(axis=1))


def output_gates(model: Any, data: BlockSet) -> tuple[np.ndarray, np.ndarray]:
    """Of ALGO's first iteration: each sample's gates of output blocks, the mean of the four unaltered, the assigned."""
    trace = record(model, data.inputs(range(len(data))), only=("gates",))
    first = trace["gates"].sel(step=f"i1.l{len(model.levels) - 1}").values[:, : len(ALGO.outputs)]
    assigned = data.subtask.numpy()[:, None] == np.arange(len(ALGO.outputs))
    return (first * ~assigned).sum(axis=1) / (~assigned).sum(axis=1), (first * assigned).sum(axis=1)


def over_training(
    name: str, course: Sequence[Mapping[str, Any]], now: Mapping[str, Any], data: BlockSet
) -> Iterator[Figure]:
    """Indicators at the start and the end of training, and of the network as it is."""
    moments = [(f"step {course[at]['step']:,}", course[at]) for at in (0, -1) if course]
    for words, entry in (*moments, ("the network as it is", now)):
        for key in sorted(now):
            value, kind = entry.get(key), key.partition(".")[0]
            if value is None or kind == "shares":
                continue
            says = SAYS["gate" if kind == "gates" else kind]
            unit = "share of gates" if key.endswith((".copied", ".computed")) else "0 to 1"
            yield figure(key, {"model": name, "at": words}, (float(value), None, None), data, says, unit)


def by_role(name: str, found: Mapping[str, Any], data: BlockSet) -> Iterator[Figure]:
    """A.4's statements on double addition and on the algorithmic task."""
    for key, title, unit, says in (
        ("on the asked pair", "weight on the pair that is asked for", "share of the weight on values", SAYS_PAIR),
        ("unaltered", "gates of the four variables that stay as they are", "0 copied, 1 computed", SAYS_UNALTERED),
        ("assigned", "gate of the variable that is assigned", "0 copied, 1 computed", SAYS_UNALTERED),
    ):
        if key in found:
            yield figure(title, {"model": name}, bootstrap_interval(np.array(found[key])), data, says, unit)


def figure(
    name: str,
    where: Mapping[str, str | int],
    value: tuple[float, float | None, float | None],
    data: BlockSet,
    says: str,
    unit: str,
) -> Figure:
    """A figure that the paper has no number for: (number, low, high)."""
    return Figure(name, where, *value, unit, len(data), data.title, data.stand_in, None, says)


EXPERIMENT = Experiment(
    id="smfr-inspect",
    title="How networks of blocks route, over training",
    paper_reference=f"{REFERENCE}, A.2.4 and A.4",
    paper_figures=(
        PaperFigure("attention sharpness", None, SAYS["sharpness"]),
        PaperFigure("difference between permutations", None, SAYS["difference"]),
        PaperFigure("fairness of attention", None, SAYS["fairness"]),
        PaperFigure("gates on double addition", None, SAYS["gate"]),
        PaperFigure("weights on double addition", None, SAYS_PAIR),
        PaperFigure("gates on the algorithmic task", None, SAYS_UNALTERED),
    ),
    settings=settings,
    run=run,
)
