"""Labelled pictures of any classes, from wherever their user has them.

A source is a folder with a folder of pictures for each class (``CLASS/*.png``, or ``train/CLASS/`` and ``val/CLASS/``),
or what the digit sets are read from: parquet files or a hub name, with the columns ``image`` and ``label``. Pictures
become 64 x 64 where the first of them is at least as large, else 32 x 32, or what a network takes. Their order is mixed
once, so that any first of them hold samples of many classes.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageOps

from routescope.data.cache import Arrays, cached
from routescope.data.dataset import SIDE, DataError
from routescope.data.readers import FILE_PREFIXES, decode, part_of, read_arrays, with_labels

#: Sides that pictures may get, in pixels.
SIDES = (SIDE, 2 * SIDE)
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif")

#: Seed of the order that pictures are mixed into.
ORDER_SEED = 53

#: More classes than this are taken for a column that holds no classes.
MOST_CLASSES = 10_000


@dataclass(frozen=True)
class FolderPictures:
    """Decoded pictures (N, 3, side, side), labels (N,), hashes (N,), and the names of the labels in their order."""

    images: np.ndarray
    labels: np.ndarray
    hashes: tuple[str, ...]
    classes: tuple[str, ...]


def read(
    split: str, source: str, side: int | None = None, *, whole: bool = False, held: int | None = None
) -> FolderPictures:
    """One split of a set of labelled pictures.

    Args:
        side: of the pictures, in pixels; None for that of ``SIDES`` which the first of them decides.
        whole: all pictures of a source that does not tell its splits apart, instead of a part of them.
        held: how many of such a source are not for training (see ``DatasetInfo.held``).

    Raises:
        DataError: no such source or split, labels that are none, a picture that cannot be decoded.
    """
    folders, sized = _class_folders(split, source), "" if side is None else f"-{side}"
    if folders is None:
        arrays = read_arrays(f"pictures{sized}", split, source, partial(_from_table, side=side), whole=whole, held=held)
    else:
        files = [(file, label) for label, (_, found) in enumerate(folders) for file in found]
        names = [name for name, _ in folders]
        stats = [(file, file.stat(), label) for file, label in files]
        key = {
            "files": [[str(file), stat.st_size, stat.st_mtime_ns, label] for file, stat, label in stats],
            "classes": names,
        }
        arrays = cached(f"picture-folder{sized}", key, lambda: _from_files(files, names, side))
        if not whole and not _split_folder(split, source):
            arrays = part_of(arrays, split, held)
    if not len(arrays["labels"]):
        raise DataError(f"{source} has no pictures for the {split} split")
    order = np.random.default_rng(ORDER_SEED).permutation(len(arrays["labels"]))
    classes = tuple(arrays["classes"].tolist())
    hashes = tuple(arrays["hashes"][order].tolist())
    return FolderPictures(arrays["images"][order], arrays["labels"][order], hashes, classes)


def renumbered(pictures: FolderPictures, classes: Sequence[str], source: str) -> FolderPictures:
    """The same pictures with the numbers that classes of these names have; classes without pictures are no matter.

    Raises:
        DataError: pictures of a class that is not among ``classes``.
    """
    numbers = {name: number for number, name in enumerate(classes)}
    used = np.unique(pictures.labels)
    unknown = [pictures.classes[label] for label in used.tolist() if pictures.classes[label] not in numbers]
    if unknown:
        raise DataError(
            f"{source} has classes that training did not: {_some(unknown)}; its classes are {_some(classes)}"
        )
    labels = np.array([numbers.get(name, -1) for name in pictures.classes], np.int64)[pictures.labels]
    return FolderPictures(pictures.images, labels, pictures.hashes, tuple(classes))


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5:,} more" if len(names) > 5 else "")


def _split_folder(split: str, source: str) -> Path | None:
    """The folder of a split, where the source has one for each."""
    place = Path(source).expanduser()
    return next((place / name for name in FILE_PREFIXES[split] if (place / name).is_dir()), None)


def _class_folders(split: str, source: str) -> list[tuple[str, list[Path]]] | None:
    """(class, its pictures) sorted by name; None where the source is no folder of folders with pictures."""
    place = Path(source).expanduser()
    if not place.is_dir():
        return None
    training = _split_folder("train", source)
    if training is not None and _split_folder(split, source) is None:
        raise DataError(f"{source} has no folder for the {split} split: {' or '.join(FILE_PREFIXES[split])} is wanted")
    names = sorted(each.name for each in (training or place).iterdir() if each.is_dir() and _pictures(each))
    if not names:
        return None
    held = _split_folder(split, source) or place
    further = sorted(
        each.name for each in held.iterdir() if each.is_dir() and _pictures(each) and each.name not in names
    )
    if further:
        raise DataError(f"{held} has classes that training does not: {', '.join(further[:5])}")
    return [(name, _pictures(held / name)) for name in names]


def _pictures(folder: Path) -> list[Path]:
    """Pictures in a folder of a class, also one folder below, as Tiny-ImageNet has them."""
    found = (file for pattern in ("*", "*/*") for file in folder.glob(pattern))
    return sorted(file for file in found if file.suffix.lower() in SUFFIXES)


def _from_files(files: Sequence[tuple[Path, int]], classes: Sequence[str], side: int | None) -> Arrays:
    def opened() -> Iterator[Image.Image]:
        for row, (file, _) in enumerate(files):
            yield decode({"bytes": file.read_bytes()}, row, str(file))

    return _arrays(opened(), np.array([label for _, label in files], np.int64), classes, side)


def _from_table(table: Any, source: str, side: int | None) -> Arrays:
    table, labels = with_labels(table, source)
    if labels.dtype.kind not in "iu" or (len(labels) and not 0 <= labels.min() <= labels.max() < MOST_CLASSES):
        raise DataError(f"labels of {source} must be whole numbers from 0 to {MOST_CLASSES - 1}")
    names = getattr(table.features["label"], "names", None)
    count = int(labels.max(initial=-1)) + 1

    def opened() -> Iterator[Image.Image]:
        row = 0
        for batch in table.iter(batch_size=1000):
            for cell in batch["image"]:
                yield decode(cell, row, source)
                row += 1

    return _arrays(opened(), labels.astype(np.int64), names or [str(label) for label in range(count)], side)


def _arrays(
    pictures: Iterator[Image.Image], labels: np.ndarray, classes: Sequence[str], side: int | None = None
) -> Arrays:
    hashes: list[str] = []
    images = np.empty((0, 3, side or SIDE, side or SIDE), np.uint8)
    for row, picture in enumerate(pictures):
        if row == 0:
            side = side or SIDES[min(picture.size) >= SIDES[1]]
            images = np.empty((len(labels), 3, side, side), np.uint8)
        assert side is not None
        rgb = picture.convert("RGB")
        if rgb.size != (side, side):
            rgb = ImageOps.fit(rgb, (side, side), Image.Resampling.BILINEAR)
        images[row] = np.asarray(rgb).transpose(2, 0, 1)
        hashes.append(hashlib.sha256(images[row].tobytes()).hexdigest())
    return {
        "images": images,
        "labels": labels,
        "hashes": np.array(hashes, dtype="U64"),
        "classes": np.array(classes, dtype=np.str_),
    }
