"""What output blocks say beside the rule: right, followed, explained, and where it first goes wrong."""

import base64
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.data.blocks.tasks import ALGO, BPMNIST, DIGIT_TASKS, DigitTask
from routescope_app.services.blocks import inputs as block_inputs
from routescope_app.services.blocks.inputs import BlockSample
from routescope_app.services.blocks.runs import answers_of, first_wrong
from routescope_app.services.errors import NotAccepted

NO_SAMPLES: Any = None
DIGIT = st.integers(0, 9)


@st.composite
def asked(draw: st.DrawFn) -> tuple[DigitTask, BlockSample, int]:
    """A task, a sample of it, and a number of iterations."""
    task = draw(st.sampled_from(list(DIGIT_TASKS.values())))
    most = 6 if task is ALGO else 1
    digits = draw(st.lists(DIGIT, min_size=len(task.values), max_size=len(task.values)))
    program = draw(st.lists(st.integers(0, len(task.subtasks) - 1), min_size=1, max_size=most))
    sample = block_inputs.block_sample(NO_SAMPLES, task, {"digits": digits, "program": program}, most)
    return task, sample, draw(st.integers(1, most))


def by_rule(task: DigitTask, sample: BlockSample, iterations: int) -> np.ndarray:
    """The right digits (iteration, output), each from all iterations before it at once."""
    assert sample.digits is not None
    found = []
    for count in range(1, iterations + 1):
        program = [sample.program[at % len(sample.program)] for at in range(count)]
        found.append(task.answer(torch.tensor([sample.digits]), torch.tensor([program]))[0].tolist())
    return np.array(found)


def one_hot(digits: np.ndarray) -> np.ndarray:
    return np.eye(10, dtype=np.float32)[digits]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(asked())
def test_who_follows_the_rule_is_right_throughout(case: tuple[DigitTask, BlockSample, int]) -> None:
    task, sample, iterations = case
    right = by_rule(task, sample, iterations)
    answers = answers_of(sample, one_hot(right), 10.0)
    assert [answer["digits"] for answer in answers] == [answer["true"] for answer in answers] == right.tolist()
    assert all(all(answer["right"]) and answer["follows"] and answer["explanation"] for answer in answers)
    assert first_wrong(sample, answers) is None
    for at, answer in enumerate(answers):
        assert answer["subtask"] == task.subtasks[sample.program[at % len(sample.program)]]
        packed = answer["probabilities"]
        chances = np.frombuffer(base64.b64decode(packed["data"]), "<f4").reshape(packed["shape"])
        np.testing.assert_allclose(chances.sum(-1), 1, atol=1e-5)
        np.testing.assert_array_equal(chances.argmax(-1), answer["digits"])


@settings(max_examples=60, deadline=None, derandomize=True)
@given(asked(), st.data())
def test_one_wrong_digit_is_found(case: tuple[DigitTask, BlockSample, int], data: st.DataObject) -> None:
    """Whatever comes after it, the first that is wrong is named, and not said to follow the rule."""
    task, sample, iterations = case
    right = by_rule(task, sample, iterations)
    at, output = data.draw(st.integers(0, iterations - 1)), data.draw(st.integers(0, len(task.outputs) - 1))
    said, shape = right.copy(), right[at:].shape
    said[at:] = np.reshape(data.draw(st.lists(DIGIT, min_size=right[at:].size, max_size=right[at:].size)), shape)
    said[at, :output] = right[at, :output]
    said[at, output] = (right[at, output] + data.draw(st.integers(1, 9))) % 10
    answers = answers_of(sample, one_hot(said), 10.0)
    assert first_wrong(sample, answers) == {"iteration": at + 1, "output": task.outputs[output]}
    assert answers[at]["follows"] is False and answers[at]["explanation"] is None
    assert all(answer["follows"] for answer in answers[:at])


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(DIGIT, min_size=5, max_size=5), st.lists(DIGIT, min_size=5, max_size=5), st.integers(0, 4))
def test_what_was_wrong_before_is_not_held_against_an_iteration(
    digits: list[int], wrong: list[int], subtask: int
) -> None:
    """Its sentence is about what the network had itself."""
    sample = block_inputs.block_sample(NO_SAMPLES, ALGO, {"digits": digits, "program": [subtask]}, 2)
    then = ALGO.step(torch.tensor([wrong]), torch.tensor([subtask]))[0].numpy()
    first, second = answers_of(sample, one_hot(np.stack([wrong, then])), 10.0)
    assert second["follows"] and second["explanation"] is not None
    assigned = ALGO.outputs.index(ALGO.subtasks[subtask][-1])
    assert second["explanation"] == ALGO.explain(tuple(wrong), subtask, int(then[assigned]))
    assert first["right"] == [a == b for a, b in zip(wrong, first["true"], strict=True)]


@pytest.mark.parametrize("label", [7, None])
def test_pictures_have_labels_and_no_sentence(label: int | None) -> None:
    blocks: Any = None
    sample = BlockSample(BPMNIST, "k", blocks, (2,), label=label)
    outputs = np.zeros((1, 1, 196), np.float32)
    outputs[0, 0, [3, 50]] = 1, 9  # beyond the classes nothing counts
    (answer,) = answers_of(sample, outputs, 10.0)
    assert answer["digits"] == [3] and answer["true"] == [label] and answer["explanation"] is None
    assert answer["right"] == [None if label is None else False]
    assert answer["follows"] is (None if label is None else False)
    wrong = first_wrong(sample, [answer])
    assert wrong == (None if label is None else {"iteration": 1, "output": "digit"})


def test_what_is_no_sample_of_a_task() -> None:
    for task, most in ((task, 20 if task is ALGO else 1) for task in DIGIT_TASKS.values()):
        digits = [1] * len(task.values)
        for bad in (
            {"digits": digits[1:], "program": [0]},
            {"digits": [*digits, 1], "program": [0]},
            {"digits": digits, "program": [len(task.subtasks)]},
            {"digits": digits, "program": [0] * (most + 1)},
            {"sample": "mnist.validation.1", "permutation": 0},
        ):
            with pytest.raises(NotAccepted):
                block_inputs.block_sample(NO_SAMPLES, task, bad, 20)
    with pytest.raises(NotAccepted, match="picture"):
        block_inputs.block_sample(NO_SAMPLES, BPMNIST, {"digits": [1], "program": [0]}, 20)
