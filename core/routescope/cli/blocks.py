"""What ``routescope trace`` takes and tells of networks of blocks: digits and subtasks, answers and their making."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from routescope.api import names
from routescope.cli.console import fail
from routescope.nn.shown import percent

if TYPE_CHECKING:
    from routescope.data.blocks.sets import BlockSet
    from routescope.data.blocks.tasks import BlockTask
    from routescope.nn.blocks.network import BlockModel
    from routescope.routing import Intervention, Trace

#: Sources of a block are told down to this share.
FAINTEST = 0.05


def read_program(task: "BlockTask", text: str | None) -> tuple[int, ...]:
    """``"1,4"`` or names of subtasks as numbers from 0; ends with one line for any other."""
    from routescope.data.blocks.rules import MOST_PROGRAM

    numbers = []
    for part in names(text):
        if part in task.subtasks:
            numbers.append(task.subtasks.index(part))
        elif part.isdecimal() and 1 <= int(part) <= len(task.subtasks):
            numbers.append(int(part) - 1)
        else:
            every = ", ".join(f"{number} ({name})" for number, name in enumerate(task.subtasks, start=1))
            fail(f"{part!r} is no subtask of {task.name}; there are {every}.")
    if len(numbers) > MOST_PROGRAM:
        fail(f"a program has up to {MOST_PROGRAM} subtasks, not {len(numbers)}.")
    if task.iterations == 1 and len(numbers) > 1:
        fail(f"{task.name} has one subtask, not {len(numbers)}.")
    return tuple(numbers)


def read_digits(task: "BlockTask", text: str) -> tuple[int, ...]:
    """``"3,1,4"`` or ``"314"`` as the values of a task; ends with one line for anything else."""
    parts = names(text) if "," in text else tuple(text.strip())
    if len(parts) != len(task.values) or not all(part in "0123456789" and len(part) == 1 for part in parts):
        fail(f"{task.name} takes {len(task.values)} digits from 0 to 9, for {', '.join(task.values)}: --digits 1,2,...")
    return tuple(int(part) for part in parts)


def given(name: str, digits: str | None, program: str | None) -> "BlockSet":
    """One sample of what a person gives, as a set; the subtasks where nothing is said are the first one."""
    import torch

    from routescope.data import load
    from routescope.data.blocks.tasks import DIGIT_TASKS, TASKS

    task = TASKS[name]
    if name not in DIGIT_TASKS or digits is None:
        fail(f"{name} shows digits in strips: give --index, and --program for their permutation.")
    values = torch.tensor([read_digits(task, digits)])
    subtasks = torch.tensor([read_program(task, program) or (0,)])
    return _with(cast("BlockSet", load(name, limit=1)), values, subtasks)


def with_program(sample: "BlockSet", program: str | None) -> "BlockSet":
    """The same digits, or the same picture, with another program."""
    import torch

    subtasks = read_program(sample.task, program)
    if not subtasks:
        return sample
    return _with(sample, sample.digits, torch.tensor([subtasks]))


def _with(sample: "BlockSet", digits: Any, program: Any) -> "BlockSet":
    from dataclasses import replace

    changed = replace(sample, digits=digits, program=program)
    right = right_answers(changed, (sample.task.iterations,))
    asked = sample.asked if digits is None else sample.asked * 0
    labels = sample.labels if right is None else sample.labels.new_tensor([right[0][int(asked[0])]])
    return replace(changed, asked=asked, labels=labels)


def right_answers(sample: "BlockSet", iterations: Sequence[int]) -> list[tuple[int, ...]] | None:
    """The right digit of every output after each number of iterations, by the task's rule; None of pictures."""
    import torch

    from routescope.data.blocks.tasks import DIGIT_TASKS

    if sample.digits is None or sample.name not in DIGIT_TASKS:
        return None
    found = []
    for count in iterations:
        repeated = sample.program[:, torch.arange(count) % sample.program.shape[1]]
        task = DIGIT_TASKS[sample.name]
        answers = task.answer(sample.digits, repeated) if count else sample.digits
        found.append(tuple(answers[0].tolist()))
    return found


def answers(network: "BlockModel", sample: "BlockSet", intervention: "Intervention") -> list[dict[str, Any]]:
    """What the network's output blocks say after every iteration, and what would be right."""
    import torch

    from routescope.nn.blocks.network import BlockModel

    view, config = intervention.apply(network), network.config
    assert isinstance(view, BlockModel)
    most = config.iterations if intervention.iterations is None else intervention.iterations
    counts = range(1, most + 1)
    right = right_answers(sample, counts)
    if right is None:
        right = [(int(sample.labels[0]),)] * len(counts)
    rows = []
    for iteration, correct in zip(counts, right, strict=True):
        with torch.no_grad():
            blocks = view.run(sample.inputs([0]).to(view.device), iteration)[0]
        found = blocks[:, : config.classes].argmax(dim=-1).tolist()
        subtask = int(sample.program[0, (iteration - 1) % sample.program.shape[1]])
        rows.append(
            {
                "iteration": iteration,
                "subtask": sample.task.subtasks[subtask],
                "digits": dict(zip(config.outputs, found, strict=True)),
                "right": dict(zip(config.outputs, correct, strict=True)),
            }
        )
    return rows


def made_of(found: "Trace") -> dict[str, list[dict[str, Any]]]:
    """For each step, every block of the first sample that is there: its gate, and its sources, the largest first."""
    if not {"multiplexer_weights", "gates"} <= set(found.dataset):
        return {}
    from routescope.routing.blocks.making import making

    table = making(found)
    result: dict[str, list[dict[str, Any]]] = {}
    for (step, block), rows in table.groupby(["step", "block"], sort=False):
        sources = {source: round(float(weight), 6) for source, weight in zip(rows.source, rows.weight, strict=True)}
        gate = round(float(rows.gate.iloc[0]), 6)
        result.setdefault(str(step), []).append({"block": block, "gate": gate, "sources": sources})
    return result


def in_words(row: dict[str, Any]) -> str:
    """What a block is: computed, copied, or something of both."""
    from routescope.routing.blocks.indicators import COMPUTED_ABOVE, COPIED_BELOW

    routed = " + ".join(f"{source} {percent(share)}" for source, share in row["sources"].items() if share >= FAINTEST)
    if row["gate"] > COMPUTED_ABOVE:
        return f"computed (gate {row['gate']:.2f})"
    if row["gate"] < COPIED_BELOW:
        return f"routed from {routed or 'nothing'} (gate {row['gate']:.2f})"
    return f"computed at a gate of {row['gate']:.2f}, else routed from {routed or 'nothing'}"
