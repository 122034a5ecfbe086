"""The three sets that need no internet: what they promise to everybody who loads them."""

from collections import Counter

import numpy as np
import pytest
import torch

from routescope.data import DataError, known_datasets, load
from routescope.data.pictures.digits import content_hash, is_shown, shown_digits, shown_hashes, split_indices
from routescope.data.pictures.sets import PictureSet

NAMES = ("mnist", "mnist-m", "street-digits")
FIRST_OF_VALIDATION = [4953, 1953, 124, 3320, 2544, 1180, 2281, 3648]
SPLITS = ("train", "validation")


@pytest.fixture(scope="module", params=[(name, split) for name in NAMES for split in SPLITS], ids="-".join)
def dataset(request: pytest.FixtureRequest) -> PictureSet:
    return load(*request.param, limit=200)


def test_first_samples_are_balanced(dataset: PictureSet) -> None:
    for count in (10, 70, 200):
        assert set(Counter(dataset.labels[:count].tolist()).values()) == {count // 10}


def test_images_differ_and_use_the_range(dataset: PictureSet) -> None:
    assert len({image.numpy().tobytes() for image in dataset.images}) == len(dataset)
    assert int(dataset.images.max()) > 200
    assert int(dataset.images.min()) < 50


@pytest.mark.parametrize("name", ["mnist", "mnist-m"])
def test_whole_splits_have_their_sizes_and_are_balanced(name: str) -> None:
    for split, size in known_datasets()[name].splits.items():
        dataset = load(name, split)
        assert len(dataset) == size
        assert torch.bincount(dataset.labels).tolist() == [size // 10] * 10


def test_no_digit_is_in_two_splits_of_any_domain() -> None:
    hashes = {split: {digest for name in NAMES[:2] for digest in load(name, split).hashes} for split in SPLITS}
    assert len(hashes["train"]) == 4000
    assert len(hashes["validation"]) == 1000
    assert not hashes["train"] & hashes["validation"]
    street = [set(load("street-digits", split, limit=500).hashes) for split in SPLITS]
    assert not street[0] & street[1]


def test_the_split_is_fixed() -> None:
    """A model card's numbers mean these very digits: a change of the split must be a decision."""
    assert split_indices("validation")[:8].tolist() == FIRST_OF_VALIDATION
    both = np.concatenate([split_indices(split) for split in SPLITS])
    assert sorted(both.tolist()) == list(range(5000))


def test_shown_digits_are_mnist_as_published() -> None:
    images, labels = shown_digits()
    assert images.shape == (5000, 28, 28)
    assert images.max() == 255
    assert np.bincount(labels).tolist() == [500] * 10
    assert len(shown_hashes()) == 5000
    assert set(load("mnist", "validation").hashes) <= shown_hashes()
    # the first digit 0 of MNIST: upright, and dark ground with a hole in the middle
    assert images[:, [0, -1]].mean() < 1 < 30 < images[:, 8:20].mean()
    assert images[labels == 0][:, 13:15, 13:15].mean() < 0.2 * images[labels == 1][:, 13:15, 13:15].mean()
    # a 7 has its bar above, a 6 its bowl below
    halves = images.astype(float).sum(2)
    assert (halves[labels == 7][:, :12].sum(1) > halves[labels == 7][:, 16:].sum(1)).mean() > 0.8
    assert (halves[labels == 6][:, :12].sum(1) < halves[labels == 6][:, 16:].sum(1)).mean() > 0.8


def test_mnist_images_are_the_digits_enlarged() -> None:
    dataset = load("mnist", "validation", limit=50)
    images, labels = shown_digits()
    by_hash = {content_hash(image): (image, label) for image, label in zip(images, labels, strict=True)}
    for image, label, digest in zip(dataset.images, dataset.labels.tolist(), dataset.hashes, strict=True):
        digit, own_label = by_hash[digest]
        assert label == own_label
        assert torch.equal(image[0], image[1])
        assert torch.equal(image[0], image[2])
        assert abs(float(image[0].float().mean()) - digit.mean()) < 2


def test_content_hash_wants_the_published_form() -> None:
    with pytest.raises(DataError, match="uint8 \\(28, 28\\)"):
        content_hash(np.zeros((32, 32), np.uint8))


def test_is_shown_counts_500_of_each_class_when_classes_are_as_frequent_as_in_mnist() -> None:
    """MNIST holds 9 to 11 % of each digit, so the 500th of a class lies near place 5,000."""
    for label in range(10):
        assert is_shown(0, label)
        assert not is_shown(6000, label)
        last = next(place for place in range(6000) if not is_shown(place + 1, label))
        assert 4000 < last < 6000
