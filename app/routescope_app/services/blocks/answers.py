"""What the output blocks of a network say, beside what the rule of the task says."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from routescope.data.blocks.rules import DigitTask
from routescope.data.blocks.tasks import ALGO, ROLES
from routescope_app.services.blocks.inputs import Given
from routescope_app.services.packed import packed


def answers_of(sample: Given, outputs: np.ndarray, scale: float) -> list[dict[str, Any]]:
    """Answers after every iteration, as the API says them.

    Args:
        outputs: output blocks (iteration, output, number).
        scale: what numbers are multiplied with to be logits.
    """
    task = sample.task
    logits = scale * outputs[..., : task.classes].astype(np.float64)
    digits = logits.argmax(-1)
    probabilities = np.exp(logits - logits.max(-1, keepdims=True))
    probabilities /= probabilities.sum(-1, keepdims=True)
    known = _by_rule(task, sample, digits) if isinstance(task, DigitTask) else _by_label(sample, len(digits))
    return [
        {
            "iteration": at + 1,
            "subtask": task.subtasks[sample.subtask(at)],
            "digits": own,
            "true": true,
            "right": [None if right is None else mine == right for mine, right in zip(own, true, strict=True)],
            "follows": None if expected is None else own == expected,
            "explanation": sentence if own == expected else None,
            "probabilities": packed(probabilities[at]),
        }
        for at, (own, (true, expected, sentence)) in enumerate(zip(digits.tolist(), known, strict=True))
    ]


def first_wrong(sample: Given, answers: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """The first iteration, and the first output of it, that is known to be wrong."""
    for answer in answers:
        for name, right in zip(sample.task.outputs, answer["right"], strict=True):
            if right is False:
                return {"iteration": answer["iteration"], "output": name}
    return None


#: (true from the beginning on, what the rule gives for what the model had before, that in words).
Known = tuple[list[int | None], list[int] | None, str | None]


def _by_rule(task: DigitTask, sample: Given, digits: np.ndarray) -> list[Known]:
    """For every iteration; ``digits`` (iteration, output) are the model's own."""
    assert sample.digits is not None
    program = [sample.subtask(at) for at in range(len(digits))]
    before = [list(sample.digits), *digits[:-1].tolist()]
    expected = task.answer(torch.tensor(before), torch.tensor(program)[:, None]).tolist()
    found: list[Known] = []
    true = list(sample.digits)
    for at, subtask in enumerate(program):
        same = before[at] == true
        true = expected[at] if same else task.answer(torch.tensor([true]), torch.tensor([[subtask]]))[0].tolist()
        sentence = task.explain(tuple(before[at]), subtask, expected[at][_asked(task, subtask)])
        found.append(([int(each) for each in true], expected[at], sentence))
    return found


def _asked(task: DigitTask, subtask: int) -> int:
    """Which output a subtask is about."""
    return task.outputs.index(ROLES[subtask][-1]) if task is ALGO else 0


def _by_label(sample: Given, iterations: int) -> list[Known]:
    """Of pictures, whose rule nobody can write down."""
    expected = None if sample.label is None else [sample.label]
    return [([sample.label], expected, None)] * iterations
