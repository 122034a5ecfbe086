"""Read pictures of digits with labels from files or the hub: MNIST and MNIST-M as published."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import numpy as np
from PIL import Image

from routescope.data.cache import Arrays
from routescope.data.dataset import SIDE, DataError
from routescope.data.pictures.digits import content_hash, is_shown, shown_hashes
from routescope.data.pictures.sizing import MNIST_SIDE, grey_to_rgb, upsample
from routescope.data.readers import decode, read_arrays, with_labels


@dataclass(frozen=True)
class Rows:
    """Decoded rows: images (N, 3, 32, 32), labels (N,), hashes (N,), and how many were left out."""

    images: np.ndarray
    labels: np.ndarray
    hashes: tuple[str, ...]
    left_out: int


def read(name: str, split: str, source: str, exclude_shown: bool = True) -> Rows:
    """One split of a real set.

    Args:
        name: of the data set; it decides how shown digits are recognised.
        split: ``train``, ``validation`` or ``test``; where a source has only one of the last two, it serves for both.
        source: folder, file or hub name.
        exclude_shown: leave the 5,000 digits that the product shows out of MNIST's training split, and out of MNIST-M's
            every row made from one of them or from a digit of MNIST's test set.

    Raises:
        DataError: no such source, split, column or label; a picture that cannot be decoded.
    """
    arrays = read_arrays("read", split, source, _decoded)
    keep = np.ones(len(arrays["labels"]), bool)
    if exclude_shown and split == "train" and name in _KEEPERS:
        keep = _KEEPERS[name](arrays)
    kept = {key: values[keep] for key, values in arrays.items()}
    if not len(kept["labels"]):
        raise DataError(f"{source} has no rows for the {split} split of {name}")
    return Rows(kept["images"], kept["labels"], tuple(kept["hashes"].tolist()), int((~keep).sum()))


def _unshown_mnist(arrays: Arrays) -> np.ndarray:
    shown = shown_hashes()
    return np.array([digest not in shown for digest in arrays["hashes"].tolist()], bool)


def _unshown_mnist_m(arrays: Arrays) -> np.ndarray:
    """MNIST-M's ``path`` is the part of MNIST and the place in it of the digit that a row was made from."""
    keep = np.ones(len(arrays["labels"]), bool)
    for row, (path, label) in enumerate(zip(arrays["paths"].tolist(), arrays["labels"].tolist(), strict=True)):
        part, place = PurePosixPath(path).parent.name, PurePosixPath(path).stem
        if not place.isdecimal() or part not in ("train", "test"):
            raise DataError(
                f"row {row} of MNIST-M has the path {path!r}; to leave out the digits that are shown and scored, it"
                " must be train/NUMBER.png or test/NUMBER.png, NUMBER the place of its digit in MNIST"
                " (or load it with exclude_shown=False)"
            )
        keep[row] = part == "train" and not is_shown(int(place), label)
    return keep


_KEEPERS: Mapping[str, Callable[[Arrays], np.ndarray]] = {"mnist": _unshown_mnist, "mnist-m": _unshown_mnist_m}


def _decoded(table: Any, source: str) -> Arrays:
    """Every picture decoded to 32 x 32, with labels, content hashes (of 28 x 28 grey digits as published) and paths."""
    table, labels = with_digits(table, source)
    images, hashes, paths = np.empty((len(labels), 3, SIDE, SIDE), np.uint8), [], []
    small: list[tuple[int, np.ndarray]] = []
    row = 0
    for batch in table.iter(batch_size=1000):
        for cell in batch["image"]:
            picture = decode(cell, row, source)
            if picture.mode == "L" and picture.size == (MNIST_SIDE, MNIST_SIDE):
                small.append((row, np.asarray(picture)))
                hashes.append(content_hash(small[-1][1]))
            else:
                images[row] = _to_square(picture)
                hashes.append(hashlib.sha256(images[row].tobytes()).hexdigest())
            paths.append(cell.get("path") or "")
            row += 1
    if small:
        rows = [row for row, _ in small]
        images[rows] = grey_to_rgb(upsample(np.stack([digit for _, digit in small])))
    return {
        "images": images,
        "labels": labels,
        "hashes": np.array(hashes, dtype="U64"),
        "paths": np.array(paths, dtype=np.str_),
    }


def with_digits(table: Any, source: str) -> tuple[Any, np.ndarray]:
    """As ``with_labels``, the labels (row,) 0 to 9 as int64; raises DataError for any other labels."""
    table, labels = with_labels(table, source)
    if labels.dtype.kind not in "iu" or (len(labels) and (labels.min() < 0 or labels.max() > 9)):
        found = f"{labels.min()} to {labels.max()}" if labels.dtype.kind in "iu" else f"type {labels.dtype}"
        raise DataError(f"labels of {source} must be whole numbers from 0 to 9; found {found}")
    return table, labels.astype(np.int64)


def _to_square(picture: Image.Image) -> np.ndarray:
    picture = picture.convert("RGB")
    if picture.size != (SIDE, SIDE):
        picture = picture.resize((SIDE, SIDE), Image.Resampling.BILINEAR)
    return np.asarray(picture).transpose(2, 0, 1)
