"""smfr-inspect: how SMFRs route, over their training and in the end (paper: A.2.4 and A.4).

Sharpness, fairness, the difference between permutations and the use of gates (``routescope.routing.blocks.indicators``)
come from the measurements that every training leaves in its model card, and are taken once more of the network as it
is. Fairness on block-permuted MNIST is between the strips of a digit, wherever a permutation puts them. The trainings
of the bundled networks took it between places, which says nothing of strips: there it is of the network as it is alone.
The same goes for the difference between the last four permutations, which these trainings did not take.

Of the digit tasks, the paper's two statements of A.4 are measured: that double addition reads the pair that is asked
for and not the other one, and that the algorithmic task passes on what it should not alter. For the second one, copies
are followed through all levels: a block may be copied by the last MFNNR and yet have been computed by the one before.
All of this is observed; what changes when a route is muted or a gate is fixed is another question.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from routescope import zoo
from routescope.data import BlockSet
from routescope.data.blocks.tasks import ALGO, BPMNIST, DOUBLE
from routescope.experiments.shared.block_grids import REFERENCE
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure, figure_of
from routescope.nn.network import Network
from routescope.routing.blocks.indicators import copied_shares, indicators_of_splits, routing_of
from routescope.routing.caused.intervals import bootstrap_interval
from routescope.routing.recording import record

SAYS = {
    "sharpness": "no number: good runs on block-permuted MNIST had high sharpness",
    "difference": "no number: good runs learned to undo permutations",
    "fairness": "no number: the best runs learned not to throw away the outer strips",
    "gate": "no number: several gates approached zero as training progressed, on double addition",
}
SAYS_PAIR = "irrelevant inputs correctly got a weight of 0, the important ones 0.5 each (a network of depth 1, width 2)"
SAYS_UNALTERED = "SMFRs can pass blocks through without altering them, and alter only those that need to be"
QUICK_LIMIT = 100
#: Where a block of the algorithmic task comes from, and what that is called.
MADE_OF = {
    "own value": "copied from its own value",
    "others": "copied from other variables or the task block",
    "computed": "computed",
}
#: Which permutations of block-permuted MNIST a difference is between.
BETWEEN = {"difference": "the first four", "difference_test": "the last four"}


@dataclass(frozen=True)
class Settings:
    """``limit``: how many samples of a split the networks are run on: validation, of bpmnist also test."""

    models: tuple[str, ...] = (
        "smfr-bpmnist",
        "smfr-bpmnist-bias",
        "smfr-bpmnist-no-context",
        "smfr-double",
        "smfr-algo",
        "smfr-addmul",
    )
    limit: int = 512


def run(context: Context) -> Outcome:
    """Return the indicators of every network at the start and end of its training and now, and their course."""
    chosen: Settings = context.settings
    models = {name: context.model(name) for name in chosen.models}
    data = {
        task: [context.data(task, split, chosen.limit) for split in splits_of(task)]
        for task in dict.fromkeys(model.config.domains[0] for model in models.values())
    }
    context.expect(len(models))
    figures: list[Figure] = []
    rows: list[dict[str, Any]] = []
    for name, model in models.items():
        sets = data[model.config.domains[0]]
        course = [{"model": name, **flat(entry)} for entry in history_of(name)]
        now = context.measure(name, partial(measure, model, sets))
        rows += course
        figures += over_training(name, course, flat(now["indicators"]), sets)
        figures += by_role(name, now, sets[0])
    return Outcome(figures, {"course": rows})


def splits_of(task: str) -> tuple[str, ...]:
    """Return the splits that are measured: both halves of the permutations of block-permuted MNIST."""
    return ("validation", "test") if task == BPMNIST.name else ("validation",)


def history_of(model_id: str) -> Sequence[Mapping[str, Any]]:
    """Return what was measured during a model's training; empty if its card does not say."""
    history: Sequence[Mapping[str, Any]] = zoo.info(model_id).card.get("history", [])
    return history


def flat(nested: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return nested numbers under names that are joined by dots."""
    numbers: dict[str, Any] = {}
    for name, value in nested.items():
        numbers |= flat(value, f"{before}{name}.") if isinstance(value, Mapping) else {f"{before}{name}": value}
    return numbers


def measure(model: Network, sets: Sequence[BlockSet]) -> dict[str, Any]:
    """Return the indicators of a network now, and for the digit tasks the quantities of A.4 by sample."""
    result: dict[str, Any] = {"indicators": indicators_of_splits(model, sets, max(map(len, sets)))}
    if sets[0].name == DOUBLE.name:
        result["on the asked pair"] = asked_pair(model, sets[0]).tolist()
    if sets[0].name == ALGO.name:
        made = made_of(model, sets[0])
        result |= {
            role: {source: values.tolist() for source, values in shares.items()} for role, shares in made.items()
        }
    return result


def asked_pair(model: Network, data: BlockSet) -> np.ndarray:
    """Return the share of the first Multiplexer's weight on the asked pair of double addition, (sample,)."""
    trace = record(model, data.inputs(range(len(data))), only=("multiplexer_weights",))
    first = next(iter(routing_of(trace, "multiplexer_weights").values()))
    pairs = first[:, :4].sum(axis=2).reshape(len(first), 2, 2).sum(axis=2)
    asked = np.take_along_axis(pairs, data.subtask.numpy()[:, None], axis=1)[:, 0]
    return np.asarray(asked / pairs.sum(axis=1))


def made_of(model: Network, data: BlockSet) -> dict[str, dict[str, np.ndarray]]:
    """Return what ALGO's output blocks are made of in its first iteration, as shares (sample,) that sum to 1.

    Returns:
        For the ``unaltered`` variables (the mean of the four) and the ``assigned`` one, the share that is a copy of
        the variable's ``own value`` along all routes from the input, of ``others`` (the task block is one), and the
        rest, which was ``computed`` at some level.
    """
    trace = record(model, data.inputs(range(len(data))), only=("multiplexer_weights", "gates"))
    weights, gates = (list(routing_of(trace, share, "i1").values()) for share in ("multiplexer_weights", "gates"))
    copies = copied_shares(weights, gates)
    count = len(ALGO.outputs)
    own_value, copied = np.diagonal(copies[:, :count], axis1=1, axis2=2), copies.sum(axis=1)
    assigned = data.subtask.numpy()[:, None] == np.arange(count)
    shares = {"own value": own_value, "others": copied - own_value, "computed": 1 - copied}
    return {
        role: {source: (share * chosen).sum(axis=1) / chosen.sum(axis=1) for source, share in shares.items()}
        for role, chosen in (("unaltered", ~assigned), ("assigned", assigned))
    }


def over_training(
    model: str, course: Sequence[Mapping[str, Any]], now: Mapping[str, Any], sets: Sequence[BlockSet]
) -> Iterator[Figure]:
    """Yield the indicators at the start and end of training, and of the network now."""
    moments = [(f"step {course[at]['step']:,}", course[at]) for at in (0, -1) if course]
    for words, entry in (*moments, ("the network as it is", now)):
        for key in sorted(now):
            value, kind = entry.get(key), key.partition(".")[0]
            if value is None or kind == "shares":
                continue
            where = {"model": model, "at": words}
            if kind in BETWEEN:
                kind, where = "difference", where | {"permutations": BETWEEN[kind]}
            says = SAYS["gate" if kind == "gates" else kind]
            unit = "share of gates" if key.endswith((".copied", ".computed")) else "0 to 1"
            data = sets[-1] if key == "difference_test" else sets[0]
            name = kind if kind == "difference" else key
            yield figure_of(name, where, float(value), len(data), [data], None, says, unit)


def by_role(name: str, measured: Mapping[str, Any], data: BlockSet) -> Iterator[Figure]:
    """Yield A.4's statements on double addition and on the algorithmic task."""
    if "on the asked pair" in measured:
        interval = bootstrap_interval(np.array(measured["on the asked pair"]))
        title, unit = "weight on the pair that is asked for", "share of the weight on values"
        yield figure_of(title, {"model": name}, interval, len(data), [data], None, SAYS_PAIR, unit)
    for role, title in (("unaltered", "variables that stay as they are"), ("assigned", "variable that is assigned")):
        for source, words in MADE_OF.items() if role in measured else ():
            interval, title_of_source = bootstrap_interval(np.array(measured[role][source])), f"{title}: {words}"
            where, unit = {"model": name}, "share of the block"
            yield figure_of(title_of_source, where, interval, len(data), [data], None, SAYS_UNALTERED, unit)


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
        PaperFigure("what blocks are made of on the algorithmic task", None, SAYS_UNALTERED),
    ),
    settings=Settings(),
    quick=Settings(limit=QUICK_LIMIT),
    run=run,
)
