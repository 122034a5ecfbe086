"""The three sets that need no internet: what they promise to everybody who loads them."""

from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.data import DATASETS, DataError, Dataset, load, parse_sources
from routescope.data.pictures.digits import content_hash, is_shown, shown_digits, shown_hashes, split_indices

NAMES = tuple(DATASETS)
FIRST_OF_VALIDATION = [4953, 1953, 124, 3320, 2544, 1180, 2281, 3648]
SPLITS = ("train", "validation")


@pytest.fixture(scope="module", params=[(name, split) for name in NAMES for split in SPLITS], ids="-".join)
def dataset(request: pytest.FixtureRequest) -> Dataset:
    return load(*request.param, limit=200)


def test_shapes_and_words(dataset: Dataset) -> None:
    assert dataset.images.shape == (200, 3, 32, 32)
    assert dataset.images.dtype == torch.uint8
    assert dataset.labels.dtype == torch.int64
    assert len(dataset) == len(dataset.hashes) == 200
    assert dataset.domain == dataset.name
    info = DATASETS[dataset.name]
    assert dataset.stand_in == info.stand_in
    assert dataset.stand_in_for == info.stand_in_for
    assert dataset.licence == info.licence
    assert len(dataset.classes) == 10


def test_first_samples_are_balanced(dataset: Dataset) -> None:
    for count in (10, 70, 200):
        assert set(Counter(dataset.labels[:count].tolist()).values()) == {count // 10}


def test_loading_again_and_loading_less_give_the_same(dataset: Dataset) -> None:
    for limit in (200, 30):
        again = load(dataset.name, dataset.split, limit=limit)
        assert torch.equal(again.images, dataset.images[:limit])
        assert torch.equal(again.labels, dataset.labels[:limit])
        assert again.hashes == dataset.hashes[:limit]


def test_images_differ_and_use_the_range(dataset: Dataset) -> None:
    assert len({image.numpy().tobytes() for image in dataset.images}) == len(dataset)
    assert int(dataset.images.max()) > 200
    assert int(dataset.images.min()) < 50


@pytest.mark.parametrize("name", ["mnist", "mnist-m"])
def test_whole_splits_have_their_sizes_and_are_balanced(name: str) -> None:
    for split, size in DATASETS[name].splits.items():
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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("mnits", "train"), "mnist, mnist-m, street-digits"),
        (("mnist", "dev"), "train, validation"),
        (("mnist", "test"), "train, validation"),
        (("mnist", "train", None, 0), "above 0"),
        (("mnist", "train", None, -3), "above 0"),
        (("mnist", "train", None, True), "above 0"),
        (("mnist", "train", None, 2.5), "above 0"),
    ],
)
def test_what_cannot_be_given_is_refused_with_what_can(arguments: tuple, said: str) -> None:
    with pytest.raises(DataError, match=said):
        load(*arguments)


def test_take() -> None:
    dataset = load("mnist", "validation", limit=20)
    some = dataset.take([3, 1, 1])
    assert torch.equal(some.images, dataset.images[[3, 1, 1]])
    assert some.hashes == tuple(dataset.hashes[i] for i in (3, 1, 1))
    assert len(dataset.take(slice(5))) == 5
    image, label = dataset[4]
    assert torch.equal(image, dataset.images[4])
    assert label == dataset.labels[4]


@given(st.dictionaries(st.sampled_from(NAMES), st.text(min_size=1).filter(lambda text: text == text.strip())))
@settings(max_examples=50, deadline=None)
def test_sources_come_back(sources: dict[str, str]) -> None:
    assert parse_sources([f"{name}={source}" for name, source in sources.items()]) == sources


@pytest.mark.parametrize("option", ["mnist", "mnist=", "=folder", "cifar=folder", "", "mnist=  "])
def test_sources_of_another_form_are_refused(option: str) -> None:
    with pytest.raises(DataError, match="NAME=SOURCE"):
        parse_sources([option])


def test_two_sources_for_one_name_are_refused() -> None:
    with pytest.raises(DataError, match="two sources"):
        parse_sources(["mnist=a", "mnist=b"])
