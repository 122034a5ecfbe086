"""Sets of blocks: what every sample holds and what its answer is, also after other numbers of iterations."""

from itertools import product

import pytest
import torch

from routescope.data import DataError, known_datasets, load, options_for
from routescope.data.blocks.permuted import arranged, is_left_out
from routescope.data.blocks.sets import BlockSet
from routescope.data.blocks.tasks import ALGO, DIGIT_TASKS, MOST_PROGRAM, TASKS
from routescope.nn.blocks.config import SMFRConfig
from tests.core.data.blocks import block_oracle

SPLITS = ("train", "validation", "test")


def first_of(name: str, split: str = "validation", limit: int | None = None) -> BlockSet:
    data = load(name, split, limit=limit)
    assert isinstance(data, BlockSet)
    return data


@pytest.fixture(scope="module")
def sets() -> dict[tuple[str, str], BlockSet]:
    return {(name, split): first_of(name, split) for name in TASKS for split in SPLITS}


def test_splits_hold_what_belongs_to_their_task(sets: dict[tuple[str, str], BlockSet]) -> None:
    for (name, split), data in sets.items():
        task = TASKS[name]
        assert len(data) == known_datasets()[name].splits[split]
        assert data.task is task and data.subtasks == task.subtasks and len(data.classes) == task.classes
        assert torch.equal(data.subtask, data.program[:, 0])
        assert set(data.asked.tolist()) == set(range(len(task.outputs)))
        pictures = (data.digits is None, data.permutation is not None, data.images is not None)
        assert pictures == (name == "bpmnist",) * 3


def test_answers_of_sums_are_those_of_their_tasks(sets: dict[tuple[str, str], BlockSet]) -> None:
    for name, split in product(("addmul", "double"), SPLITS):
        data = sets[name, split]
        assert data.digits is not None
        assert torch.equal(TASKS[name].answer(data.digits, data.program)[:, 0], data.labels)


@pytest.mark.parametrize("iterations", [None, 0, 1, 2, 3, 9, 15, 16, 17, 40])
def test_answers_of_algo_are_what_a_literal_reading_finds_after_any_iterations(
    sets: dict[tuple[str, str], BlockSet], iterations: int | None
) -> None:
    data = sets["algo", "validation"].take(slice(150))
    assert data.digits is not None and data.program.shape == (150, MOST_PROGRAM)
    rows = zip(data.digits.tolist(), data.program.tolist(), data.asked.tolist(), strict=True)
    after = 2 if iterations is None else iterations
    expected = [
        block_oracle.algo(digits, [ALGO.subtasks[number] for number in program], after)[asked]
        for digits, program, asked in rows
    ]
    assert data.labels_at(iterations).tolist() == expected
    if iterations in (None, 2):
        assert data.labels.tolist() == expected
    else:
        assert data.labels.tolist() != expected


def test_what_a_network_gets_is_the_samples(sets: dict[tuple[str, str], BlockSet]) -> None:
    for (name, _), data in sets.items():
        rows = [3, 0, 49]
        blocks = data.inputs(rows)
        assert torch.equal(blocks.asked, data.asked[rows])
        assert torch.equal(blocks.tasks.argmax(-1), data.program[rows])
        if data.images is None:
            assert data.digits is not None
            assert torch.equal(blocks.values.argmax(-1), data.digits[rows])
            assert torch.equal(blocks.values, DIGIT_TASKS[name].encode(data.digits[rows], data.program[rows]).values)
        else:
            assert data.permutation is not None
            shown = arranged(data.images[rows], data.permutation[rows])
            assert torch.equal((blocks.values * 255).round().byte().reshape(3, 28, 28), shown)
        assert len(data.inputs(slice(7))) == 7 and len(data.inputs([])) == 0


def test_held_out_are_combinations_that_training_never_shows(sets: dict[tuple[str, str], BlockSet]) -> None:
    for name in ("addmul", "double"):
        assert not sets[name, "train"].held_out.any() and not sets[name, "validation"].held_out.any()
        assert sets[name, "test"].held_out.all()
        assert not set(sets[name, "validation"].hashes) & set(sets[name, "test"].hashes)
    for split in SPLITS:
        assert not sets["algo", split].held_out.any()
        data = sets["bpmnist", split]
        assert data.permutation is not None
        assert torch.equal(data.held_out, is_left_out(data.labels, data.permutation))
        assert int(data.held_out.sum()) == (400 if split == "test" else 0)
    hashes = [set(sets["bpmnist", split].hashes) for split in SPLITS]
    assert len(set().union(*hashes)) == sum(map(len, hashes))


def test_samples_of_one_image_are_of_one_group_and_first_ones_are_other_images(
    sets: dict[tuple[str, str], BlockSet],
) -> None:
    data = sets["bpmnist", "test"]
    assert data.groups is not None and data.images is not None
    images = [image.tobytes() for image in data.images.numpy()]
    assert len(set(zip(images, data.groups.tolist(), strict=True))) == len(set(images)) == 1000
    assert all(sets[name, "test"].groups is None for name in DIGIT_TASKS)
    first = data.take(slice(100))
    assert first.groups is not None and len(set(first.groups.tolist())) == 100
    assert first.labels.bincount().tolist() == [10] * 10
    assert first.program[:, 0].bincount().tolist() == [0] * 4 + [25] * 4


def test_other_numbers_of_iterations_are_refused() -> None:
    for name in ("addmul", "double", "bpmnist"):
        few = first_of(name, limit=5)
        assert torch.equal(few.labels_at(1), few.labels)
        for iterations in (0, 2):
            with pytest.raises(DataError, match=f"{name} has one iteration, not {iterations}"):
                few.labels_at(iterations)
    for wrong in (-1, 1.5, True):
        with pytest.raises(DataError, match="whole number from 0 on"):
            load("algo", limit=5).labels_at(wrong)
    config = SMFRConfig()
    data = load("algo", limit=5, **options_for(config, "algo"))
    assert config.domains == ("algo",) and data.classes == config.class_names
