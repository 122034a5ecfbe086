"""Read pictures of digits with labels from files or the hub: MNIST and MNIST-M as published."""

import hashlib
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any

import numpy as np
from PIL import Image

from routescope.data.cache import Arrays
from routescope.data.pictures.digits import content_hash, is_shown, shown_hashes
from routescope.data.pictures.sets import PictureSet, picture_set
from routescope.data.pictures.sizing import MNIST_SIDE, grey_to_rgb, upsample
from routescope.data.readers import cells_of, decode, read_arrays, with_labels
from routescope.data.samples import SIDE, DataError, SampleRequest


def read(request: SampleRequest) -> PictureSet:
    """Return one split of a real set of digits; a source with one of validation and test serves for both.

    Unless the request says otherwise, the training split of MNIST comes without the 5,000 digits that pages show, and
    that of MNIST-M without rows made from these digits or from digits of MNIST's test set.

    Raises:
        DataError: no such source, split, column or label; a picture that cannot be decoded.
    """
    name, split, source = request.info.name, request.split, str(request.source)
    arrays = read_arrays("read", split, source, _decoded)
    keep = np.ones(len(arrays["labels"]), bool)
    if request.exclude_shown and split == "train" and name in _KEEPERS:
        keep = _KEEPERS[name](arrays)
    if not keep.any():
        raise DataError(f"{source} has no rows for the {split} split of {name}")
    return picture_set(request, {key: values[keep] for key, values in arrays.items()}, int((~keep).sum()))


def _unshown_mnist(arrays: Arrays) -> np.ndarray:
    shown = shown_hashes()
    return np.array([digest not in shown for digest in arrays["hashes"].tolist()], bool)


def _unshown_mnist_m(arrays: Arrays) -> np.ndarray:
    """MNIST-M's ``path`` is the part of MNIST and the place in it of the digit that a row was made from."""
    keep = np.ones(len(arrays["labels"]), bool)
    for row, (path, label) in enumerate(zip(arrays["paths"].tolist(), arrays["labels"].tolist(), strict=True)):
        part, position = PurePosixPath(path).parent.name, PurePosixPath(path).stem
        if not position.isdecimal() or part not in ("train", "test"):
            raise DataError(
                f"row {row} of MNIST-M has the path {path!r}; to leave out the digits that are shown and scored, it"
                " must be train/NUMBER.png or test/NUMBER.png, NUMBER the place of its digit in MNIST"
                " (or load it with exclude_shown=False)"
            )
        keep[row] = part == "train" and not is_shown(int(position), label)
    return keep


_KEEPERS: Mapping[str, Callable[[Arrays], np.ndarray]] = {"mnist": _unshown_mnist, "mnist-m": _unshown_mnist_m}


def _decoded(table: Any, source: str) -> Arrays:
    """Every picture decoded to 32 x 32, with labels, content hashes (of 28 x 28 grey digits as published) and paths."""
    table, labels = with_digits(table, source)
    images, hashes, paths = np.empty((len(labels), 3, SIDE, SIDE), np.uint8), [], []
    small: list[tuple[int, np.ndarray]] = []
    for row, cell in enumerate(cells_of(table)):
        picture = decode(cell, row, source)
        if picture.mode == "L" and picture.size == (MNIST_SIDE, MNIST_SIDE):
            small.append((row, np.asarray(picture)))
            hashes.append(content_hash(small[-1][1]))
        else:
            images[row] = _to_square(picture)
            hashes.append(hashlib.sha256(images[row].tobytes()).hexdigest())
        paths.append(cell.get("path") or "")
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
    """Return a table and its labels (row,), 0 to 9 as int64; raises DataError for other labels."""
    table, labels = with_labels(table, source)
    if labels.dtype.kind not in "iu" or (len(labels) and (labels.min() < 0 or labels.max() > 9)):
        values = f"{labels.min()} to {labels.max()}" if labels.dtype.kind in "iu" else f"type {labels.dtype}"
        raise DataError(f"labels of {source} must be whole numbers from 0 to 9; found {values}")
    return table, labels.astype(np.int64)


def _to_square(picture: Image.Image) -> np.ndarray:
    picture = picture.convert("RGB")
    if picture.size != (SIDE, SIDE):
        picture = picture.resize((SIDE, SIDE), Image.Resampling.BILINEAR)
    return np.asarray(picture).transpose(2, 0, 1)
