"""Tasks of digits: answers against a literal reading, and what training shows and leaves out."""

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.data import DataError
from routescope.data.blocks.tasks import (
    ADDMUL,
    ALGO,
    BPMNIST,
    DIGIT_TASKS,
    DOUBLE,
    ROLES,
    STAGES,
    TASKS,
    DigitTask,
    Draws,
    Stage,
)
from tests.core.data.blocks import block_oracle

DIGIT = st.integers(0, 9)
ALTERNATE = (False, True)


def rows(draws: Draws) -> list[tuple[int, ...]]:
    """Samples as tuples of digits and program."""
    return [tuple(row) for row in torch.cat(draws, 1).tolist()]


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def whole(task: DigitTask) -> Draws:
    """Every sample of a task of one iteration."""
    samples = list(product(*[range(10)] * len(task.values), range(len(task.subtasks))))
    table = torch.tensor(samples)
    return Draws(table[:, :-1], table[:, -1:])


def test_tasks_have_the_words_of_their_names() -> None:
    assert list(TASKS) == ["addmul", "double", "algo", "bpmnist"]
    for name, task in TASKS.items():
        assert task.name == name
        assert task.inputs == (*task.values, "task")
        assert len(set(task.inputs)) == len(task.inputs)
        assert len(set(task.subtasks)) == len(task.subtasks) <= task.block_size
        assert task.block_size == (196 if task is BPMNIST else 10)
        assert task.iterations == (2 if task is ALGO else 1)
        assert not [each for each in (*task.inputs, *task.outputs) if ">" in each or "." in each]


@pytest.mark.parametrize(("task", "oracle"), [(ADDMUL, block_oracle.addmul), (DOUBLE, block_oracle.double)])
def test_sums_are_what_a_literal_reading_finds(task: DigitTask, oracle: Callable[..., int]) -> None:
    draws = whole(task)
    for (*digits, subtask), answer in zip(rows(draws), task.answer(*draws)[:, 0].tolist(), strict=True):
        assert answer == oracle(*digits, task.subtasks[subtask])


@given(st.lists(DIGIT, min_size=5, max_size=5), st.lists(st.integers(0, 4), min_size=1, max_size=12))
@settings(max_examples=60, deadline=None)
def test_states_of_a_program_are_single_iterations_one_after_the_other(digits: list[int], program: list[int]) -> None:
    states = ALGO.states(torch.tensor([digits]), torch.tensor([program]))[0]
    names = [ALGO.subtasks[number] for number in program]
    assert states.shape == (len(program) + 1, 5)
    for after, state in enumerate(states.tolist()):
        assert tuple(state) == block_oracle.algo(digits, names, after)
    for before, after, subtask in zip(states, states[1:], program, strict=False):
        assert torch.equal(ALGO.answer(before[None], torch.tensor([[subtask]]))[0], after)
        assert set((before != after).nonzero()[:, 0].tolist()) <= {subtask}
    assert torch.equal(ALGO.answer(torch.tensor([digits]), torch.tensor([program]))[0], states[-1])


def test_every_variable_has_every_role_in_exactly_one_subtask() -> None:
    assert [sorted(each) for each in ROLES] == [list("ABCDE")] * 5
    assert [sorted(each) for each in zip(*ROLES, strict=True)] == [list("ABCDE")] * 5
    assert [f"assign {roles[-1]}" for roles in ROLES] == list(ALGO.subtasks)


@pytest.mark.parametrize("task", DIGIT_TASKS.values(), ids=list(DIGIT_TASKS))
def test_what_is_encoded_can_be_read_back(task: DigitTask) -> None:
    draws, same, other = (task.training(generator(seed), 50) for seed in (3, 3, 4))
    assert rows(draws) == rows(same) != rows(other)
    asked = torch.arange(50) % len(task.outputs)
    blocks = task.encode(*draws, asked)
    assert blocks.values.shape == (50, len(task.values), task.block_size)
    assert torch.equal(blocks.values.argmax(-1), draws.digits)
    assert torch.equal(blocks.tasks.argmax(-1), draws.program)
    for part in (blocks.values, blocks.tasks):
        assert torch.equal(part.sum(-1), torch.ones(part.shape[:-1]))
        assert set(part.unique().tolist()) == {0.0, 1.0}
    assert torch.equal(blocks.asked, asked)
    assert torch.equal(task.encode(*draws).asked, torch.zeros(50, dtype=torch.int64))
    length = draws.program.shape[1]
    for iteration in range(5):
        assert torch.equal(blocks.task(iteration).argmax(-1), draws.program[:, iteration % length])


def of_two_classes(alternate: bool) -> set[tuple[int, int]]:
    """The 50 pairs that the limited data has: a low and a high digit, or an even and an odd one, in either order."""
    one, other = (range(0, 10, 2), range(1, 10, 2)) if alternate else (range(5), range(5, 10))
    return set(product(one, other)) | set(product(other, one))


def even(numbers: Sequence[int], count: int) -> None:
    """Each of ``count`` numbers comes as often as chance allows (five standard deviations)."""
    expected = len(numbers) / count
    assert set(numbers) == set(range(count))
    assert (torch.tensor(numbers).bincount() - expected).abs().max() < 5 * expected**0.5


@pytest.mark.parametrize("alternate", ALTERNATE)
@pytest.mark.parametrize("stage", STAGES)
def test_addmul_draws_all_of_what_a_stage_shows_and_nothing_else(stage: Stage, alternate: bool) -> None:
    drawn = rows(ADDMUL.training(generator(), 20_000, stage=stage, alternate=alternate))
    seen = set(rows(ADDMUL.seen(stage=stage, alternate=alternate)))
    left_out = set(rows(ADDMUL.left_out(stage=stage, alternate=alternate)))
    assert set(drawn) == seen
    assert not seen & left_out
    assert seen | left_out == set(rows(whole(ADDMUL)))
    limited = 1 if stage == "preparation" else 0
    assert {subtask for *_, subtask in left_out} == {limited}
    pairs = sorted(of_two_classes(alternate))
    assert sorted((a, b) for a, b, subtask in seen if subtask == limited) == pairs
    even([subtask for *_, subtask in drawn], 2)
    even([10 * a + b for a, b, subtask in drawn if subtask != limited], 100)
    even([pairs.index((a, b)) for a, b, subtask in drawn if subtask == limited], 50)


def test_preparation_data_are_additions_of_the_first_stage_alone() -> None:
    for alternate in ALTERNATE:
        preparation = set(rows(ADDMUL.left_out(alternate=alternate)))
        assert len(preparation) == 50
        assert preparation <= set(rows(ADDMUL.seen(stage="preparation", alternate=alternate)))
        assert not preparation & set(rows(ADDMUL.seen(stage="interference", alternate=alternate)))
        assert {subtask for *_, subtask in preparation} == {ADDMUL.subtasks.index("add")}


@pytest.mark.parametrize("alternate", ALTERNATE)
def test_double_draws_uniform_first_pairs_and_limited_second_ones(alternate: bool) -> None:
    drawn = rows(DOUBLE.training(generator(1), 30_000, alternate=alternate))
    pairs = sorted(of_two_classes(alternate))
    even([subtask for *_, subtask in drawn], 2)
    for asked in (0, 1):
        even([10 * a1 + b1 for a1, b1, *_, subtask in drawn if subtask == asked], 100)
        even([pairs.index((a2, b2)) for _, _, a2, b2, subtask in drawn if subtask == asked], 50)
    seen, left_out = set(rows(DOUBLE.seen(alternate=alternate))), set(rows(DOUBLE.left_out(alternate=alternate)))
    assert set(drawn) <= seen
    assert (len(seen), len(left_out)) == (10_000, 5_000) and not seen & left_out
    asked_for = {row for row in rows(whole(DOUBLE)) if row[-1] == 1}
    assert asked_for == (seen & asked_for) | left_out
    # The paper's reason for an accuracy of 0: with one number frozen, the sums that were seen are the other five.
    shown = {row[2:4] for row in seen}
    assert shown == of_two_classes(alternate)
    for a, b in {row[2:4] for row in left_out}:
        by_first = {(a + other) % 10 for first, other in shown if first == a}
        by_second = {(other + b) % 10 for other, second in shown if second == b}
        assert by_first | by_second and (a + b) % 10 not in by_first | by_second


def test_algo_draws_digits_and_subtasks_alike() -> None:
    drawn = ALGO.training(generator(2), 20_000)
    assert drawn.program.shape == (20_000, 2)
    for variable in drawn.digits.unbind(1):
        even(variable.tolist(), 10)
    even((drawn.program[:, 0] * 5 + drawn.program[:, 1]).tolist(), 25)
    longer = ALGO.training(generator(2), 100, iterations=7, program="same")
    assert longer.program.shape == (100, 7)
    assert torch.equal(longer.program, longer.program[:, :1].expand(-1, 7))
    assert set(longer.program[:, 0].tolist()) == set(range(5))
    assert len(ALGO.left_out().digits) == 0


@pytest.mark.parametrize(
    ("task", "digits", "subtask", "answer", "words"),
    [
        (ALGO, (3, 1, 4, 1, 5), 4, 4, "E = A + 1 because C > D: 3 + 1 = 4, and 4 > 1"),
        (ALGO, (3, 9, 1, 1, 5), 4, 0, "E = B + 1 because C ≤ D: 9 + 1 = 10, so 0, and 1 ≤ 1"),
        (ADDMUL, (7, 8), 0, 5, "answer = a + b, mod 10: 7 + 8 = 15, so 5"),
        (ADDMUL, (2, 3), 1, 6, "answer = a × b, mod 10: 2 × 3 = 6"),
        (DOUBLE, (1, 2, 6, 7), 1, 3, "answer = a2 + b2, mod 10: 6 + 7 = 13, so 3"),
    ],
)
def test_a_sentence_says_what_an_answer_amounts_to(
    task: DigitTask, digits: tuple[int, ...], subtask: int, answer: int, words: str
) -> None:
    assert task.explain(digits, subtask, answer) == words


@given(st.sampled_from(list(DIGIT_TASKS.values())), st.data())
@settings(max_examples=60, deadline=None)
def test_every_right_answer_has_a_sentence_and_no_wrong_one(task: DigitTask, data: st.DataObject) -> None:
    digits = tuple(data.draw(st.lists(DIGIT, min_size=len(task.values), max_size=len(task.values))))
    subtask = data.draw(st.integers(0, len(task.subtasks) - 1))
    found = task.answer(torch.tensor([digits]), torch.tensor([[subtask]]))[0].tolist()
    right = found[subtask] if task is ALGO else found[0]
    sentence = task.explain(digits, subtask, right)
    if task is ALGO:
        of = dict(zip("ABCDE", digits, strict=True))
        left, sign, right_of = sentence.split(":")[0].split("because ")[1].split()
        assert (of[left] > of[right_of]) == (sign == ">")
        assert sentence.startswith(f"{task.values[subtask]} = ")
    total = sentence.split(":")[1].split(" = ")[1].split(",")[0]
    assert int(total[-1]) == right
    for wrong in set(range(10)) - {right}:
        with pytest.raises(DataError, match=f"the answer is {right}, not {wrong}"):
            task.explain(digits, subtask, wrong)


ZERO, PAIR = torch.zeros(1, 1, dtype=torch.int64), torch.tensor([[1, 2]])
FIVE = torch.zeros(1, 5, dtype=torch.int64)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        *(
            (lambda digits=digits: ADDMUL.answer(torch.tensor(digits), ZERO), "2 digits from 0 to 9: a, b")
            for digits in ([[1, 2, 3]], [[1, 10]], [[-1, 2]], [1, 2])
        ),
        (lambda: ADDMUL.encode(PAIR, torch.tensor([[2]])), "numbered from 0: add, multiply"),
        (lambda: ADDMUL.encode(PAIR, torch.empty(1, 0, dtype=torch.int64)), "one subtask or more"),
        (lambda: ADDMUL.answer(PAIR, torch.tensor([[0, 1]])), "one iteration; got a program of 2"),
        (lambda: ADDMUL.states(PAIR, ZERO), "has no states"),
        (lambda: ADDMUL.training(generator(), 1, stage="both"), "preparation or interference"),  # type: ignore[arg-type]
        (lambda: ALGO.training(generator(), 1, program="other"), "drawn or same"),  # type: ignore[arg-type]
        (lambda: ALGO.seen(), "draw them with training"),
        (lambda: ALGO.encode(FIVE, ZERO, torch.tensor([5])), "one output of A, B, C, D, E"),
        (lambda: ALGO.explain((0, 0, 0, 0, 0), 5, 1), "subtasks of algo"),
    ],
)
def test_what_is_no_sample_is_refused_with_what_would_be_one(make: Callable[[], object], words: str) -> None:
    with pytest.raises(DataError, match=words):
        make()


@pytest.mark.parametrize("iterations", [1, 2, 3])
def test_chance_on_algo_is_what_copying_scores(iterations: int) -> None:
    """Literally: the paper's sentence for all digits and all programs of two, and the best input for every output."""
    sentences = {"A": "BCDE", "B": "CDEA", "C": "DEAB", "D": "EABC", "E": "ABCD"}  # taken, otherwise, compared with
    start = dict(zip("ABCDE", np.indices((10,) * 5).reshape(5, -1), strict=True))
    right = dict.fromkeys(product("ABCDE", "ABCDE"), 0)
    for program in product("ABCDE", "ABCDE"):
        now = dict(start)
        for iteration in range(iterations):
            assigned = program[iteration % 2]
            one, other, left, than = (now[name] for name in sentences[assigned])
            now[assigned] = (np.where(left > than, one, other) + 1) % 10
        for output, source in right:
            right[output, source] += int((now[output] == start[source]).sum())
    best = [max(right[output, source] for source in "ABCDE") / (25 * 10**5) for output in "ABCDE"]
    assert ALGO.copied(iterations) == pytest.approx(np.mean(best), abs=1e-12)
    assert ALGO.copied(iterations) > 0.6  # a tenth is what guessing a digit scores
    assert ALGO.copied(0) == 1 and ALGO.copied() == ALGO.copied(2)
