"""Sets of blocks: what every sample holds and what its answer is, also after other numbers of iterations."""

import hashlib
from collections.abc import Callable

import numpy as np
import pytest
import torch

from routescope.data import DataError, known_datasets, load, options_for
from routescope.data.blocks.permuted import arranged, is_left_out
from routescope.data.blocks.sets import BlockSet
from routescope.data.blocks.tasks import ALGO, DIGIT_TASKS, MOST_PROGRAM, TASKS
from routescope.nn.blocks.config import SMFRConfig
from tests.core.data.blocks import block_oracle

SPLITS = ("train", "validation", "test")

#: Of the samples of each split that is scored: accuracies that were told mean these very samples.
PINNED = {
    ("addmul", "validation"): "fb5b9bb0609b364f6ba62826d4a4aba84af7084c9dab99573080da9592fc6c34",
    ("addmul", "test"): "2d96c4734f8ac0f111d7b381eb1220279139bc98c69672ccd57c440e6b843d7b",
    ("double", "validation"): "396d6d236739a93c4c3be3213d0d583eb5542f13636090f5e0b4f9956b1423f4",
    ("double", "test"): "95404aea75ab8399b498529e69b5a0329399e37003e639a018a5e4d4aad997cd",
    ("algo", "validation"): "4a9119e01ab230a01af34e48b1a7336fffbb9cf8b5670aea966a8ff80269eead",
    ("algo", "test"): "5211974b6e9fb1a8840084abf309ae67990b1077e89c9c01feb5ed7e3f44cf01",
    ("bpmnist", "validation"): "46fdd4c840898a655077405c5f96ec4cdfb40a0cc0a028c23fd1946f9d196126",
    ("bpmnist", "test"): "b83487529681adb2ca787264bbcda7bb1246de17d1f56736d718a9225b68a4a7",
}


def first_of(name: str, split: str = "validation", limit: int | None = None) -> BlockSet:
    data = load(name, split, limit=limit)
    assert isinstance(data, BlockSet)
    return data


@pytest.fixture(scope="module")
def sets() -> dict[tuple[str, str], BlockSet]:
    return {(name, split): first_of(name, split) for name in TASKS for split in SPLITS}


def digest(data: BlockSet) -> str:
    parts = [data.digits if data.images is None else data.images, data.program, data.asked, data.labels]
    return hashlib.sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest()


@pytest.mark.parametrize(("name", "split"), PINNED)
def test_splits_that_are_scored_never_change(sets: dict[tuple[str, str], BlockSet], name: str, split: str) -> None:
    assert digest(sets[name, split]) == PINNED[name, split]


def test_splits_hold_what_belongs_to_their_task(sets: dict[tuple[str, str], BlockSet]) -> None:
    for (name, split), data in sets.items():
        task = TASKS[name]
        assert len(data) == known_datasets()[name].splits[split] == len(set(data.hashes))
        assert data.task is task and data.subtasks == task.subtasks and len(data.classes) == task.classes
        assert torch.equal(data.subtask, data.program[:, 0])
        assert set(data.asked.tolist()) == set(range(len(task.outputs)))
        pictures = (data.digits is None, data.permutation is not None, data.images is not None)
        assert pictures == (name == "bpmnist",) * 3


def test_answers_of_sums_are_what_a_literal_reading_finds(sets: dict[tuple[str, str], BlockSet]) -> None:
    oracles: dict[str, Callable[..., int]] = {"addmul": block_oracle.addmul, "double": block_oracle.double}
    for name, oracle in oracles.items():
        for split in SPLITS:
            data = sets[name, split]
            assert data.digits is not None
            rows = zip(data.digits.tolist(), data.program.tolist(), data.labels.tolist(), strict=True)
            for digits, (subtask,), label in rows:
                assert oracle(*digits, data.subtasks[subtask]) == label


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


def test_samples_of_one_image_are_of_one_group(sets: dict[tuple[str, str], BlockSet]) -> None:
    data = sets["bpmnist", "test"]
    assert data.groups is not None and data.images is not None
    images = [image.tobytes() for image in data.images.numpy()]
    assert len(set(zip(images, data.groups.tolist(), strict=True))) == len(set(images)) == 1000
    assert all(sets[name, "test"].groups is None for name in DIGIT_TASKS)


def test_first_samples_of_permuted_digits_are_other_images_of_every_class() -> None:
    data = load("bpmnist", "test", limit=100)
    assert data.groups is not None and len(set(data.groups.tolist())) == 100
    assert data.labels.bincount().tolist() == [10] * 10
    assert data.program[:, 0].bincount().tolist() == [0] * 4 + [25] * 4


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


def test_a_network_of_blocks_is_scored_on_the_set_of_its_task() -> None:
    config = SMFRConfig()
    (name,) = config.domains
    data = load(name, "validation", limit=10, **options_for(config, name))
    assert isinstance(data, BlockSet) and data.name == "algo" and data.classes == config.class_names
