"""Generated picture sets: balanced, whole, apart, and digits as MNIST published them."""

from collections import Counter

import numpy as np
import pytest
import torch
from PIL import Image

from routescope.data import DataError, known_datasets, load
from routescope.data.pictures.digits import content_hash, is_shown, shown_digits, shown_hashes, split_indices
from routescope.data.pictures.sizing import from_picture, upsample

SPLITS = ("train", "validation")
GENERATED = [name for name, info in known_datasets().items() if info.inputs == "images" and not info.needs_source]


@pytest.mark.parametrize("name", GENERATED)
@pytest.mark.parametrize("split", SPLITS)
def test_first_samples_are_balanced_and_images_differ_and_use_the_range(name: str, split: str) -> None:
    data = load(name, split, limit=128)
    count = len(data.classes)
    assert set(Counter(data.labels[:count].tolist()).values()) == {1}
    assert len({image.numpy().tobytes() for image in data.images}) == len(data)
    assert int(data.images.max()) > 200 and int(data.images.min()) < 50


def test_whole_splits_of_digits_are_balanced_and_share_no_digit() -> None:
    hashes: dict[str, set[str]] = {}
    for split, size in (("train", 4000), ("validation", 1000)):
        for name in ("mnist", "mnist-m"):
            data = load(name, split)
            assert torch.bincount(data.labels).tolist() == [size // 10] * 10
            assert torch.bincount(data.labels[:70]).tolist() == [7] * 10
            assert hashes.setdefault(split, set(data.hashes)) == set(data.hashes)
    assert (len(hashes["train"]), len(hashes["validation"])) == (4000, 1000)
    assert not hashes["train"] & hashes["validation"]
    assert sorted(np.concatenate([split_indices(split) for split in SPLITS]).tolist()) == list(range(5000))
    street = [set(load("street-digits", split, limit=500).hashes) for split in SPLITS]
    assert not street[0] & street[1]


def test_shown_digits_are_mnist_as_published() -> None:
    images, labels = shown_digits()
    assert images.shape == (5000, 28, 28) and images.max() == 255
    assert np.bincount(labels).tolist() == [500] * 10
    assert len(shown_hashes()) == 5000 and set(load("mnist", "validation", limit=99).hashes) <= shown_hashes()
    # upright, on a dark ground; a 0 has a hole in the middle, a 7 its bar above, a 6 its bowl below
    assert images[:, [0, -1]].mean() < 1 < 30 < images[:, 8:20].mean()
    assert images[labels == 0][:, 13:15, 13:15].mean() < 0.2 * images[labels == 1][:, 13:15, 13:15].mean()
    halves = images.astype(float).sum(2)
    for digit, heavy, light in ((7, slice(12), slice(16, None)), (6, slice(16, None), slice(12))):
        rows = halves[labels == digit]
        assert (rows[:, heavy].sum(1) > rows[:, light].sum(1)).mean() > 0.8


def test_samples_are_published_digits_enlarged_as_an_upload_is() -> None:
    data, (images, labels) = load("mnist", "validation", limit=50), shown_digits()
    by_hash = {content_hash(image): (image, label) for image, label in zip(images, labels, strict=True)}
    for image, label, digest in zip(data.images, data.labels.tolist(), data.hashes, strict=True):
        digit, own_label = by_hash[digest]
        assert label == own_label
        assert torch.equal(image, torch.from_numpy(upsample(digit[None])).expand(3, -1, -1))
        assert torch.equal(from_picture(Image.fromarray(digit)), image)
        assert abs(float(image.float().mean()) - digit.mean()) < 2
    with pytest.raises(DataError, match="uint8 \\(28, 28\\)"):
        content_hash(np.zeros((32, 32), np.uint8))


def test_is_shown_counts_500_of_each_class_when_classes_are_as_frequent_as_in_mnist() -> None:
    """MNIST holds 9 to 11 % of each digit, so the 500th of a class lies near place 5,000."""
    for label in range(10):
        assert is_shown(0, label) and not is_shown(6000, label)
        last = next(place for place in range(6000) if not is_shown(place + 1, label))
        assert 4000 < last < 6000
