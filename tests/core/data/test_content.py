"""The hash of what a data set's samples are made of."""

import hashlib
from dataclasses import replace

import numpy as np
import torch

from routescope.data import load
from routescope.data.content import content_hash


def test_of_pictures_it_is_of_name_split_pixels_and_labels() -> None:
    shown = load("mnist").take([3, 1])
    pixels = shown.images.numpy().tobytes()
    labels = np.asarray(shown.labels, dtype="<i8").tobytes()
    assert content_hash(shown) == hashlib.sha256(b"mnist.validation" + pixels + labels).hexdigest()
    assert content_hash(replace(shown, labels=shown.labels.flip(0))) != content_hash(shown)
    assert content_hash(load("mnist").take([1, 3])) != content_hash(shown)


def test_of_other_kinds_it_is_of_labels_and_the_hashes_of_the_samples() -> None:
    texts = load("sums").take(torch.arange(3))
    labels = np.asarray(texts.labels, dtype="<i8").tobytes()
    said = "\n".join(texts.hashes).encode()
    expected = hashlib.sha256(f"{texts.name}.{texts.split}".encode() + labels + said).hexdigest()
    assert content_hash(texts) == expected
