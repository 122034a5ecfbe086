"""Labelled pictures of any classes, from wherever their user has them.

A source is a folder with a folder of pictures for each class (``CLASS/*.png``, or ``train/CLASS/`` and ``val/CLASS/``),
or what the digit sets are read from: parquet files or a hub name, with the columns ``image`` and ``label``. Pictures
become 64 x 64 where the first of them is at least as large, else 32 x 32, or what a network takes. Their order is mixed
once, so that any first of them hold samples of many classes.
"""

import hashlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageOps

from routescope.data.cache import Arrays, cached
from routescope.data.pictures.sets import PictureSet, picture_set
from routescope.data.readers import FILE_PREFIXES, decode, part_of, pictures_of, read_arrays, stat_of, with_labels
from routescope.data.samples import SIDE, DataError, SampleRequest

#: Sides that pictures may get, in pixels.
SIDES = (SIDE, 2 * SIDE)
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif")

#: Seed of the order that pictures are mixed into.
ORDER_SEED = 53

#: More classes than this are taken for a column that holds no classes.
MOST_CLASSES = 10_000


LICENCE = "of its owner"


def read(request: SampleRequest) -> PictureSet:
    """Return one split of a user's labelled pictures.

    They get the side that the request names, else that of ``SIDES`` which the first picture decides.

    Raises:
        DataError: no such source or split, labels that are no classes, a picture that cannot be decoded, a class that
            is not among the request's.
    """
    split, source, side, held = request.split, str(request.source), request.side, request.info.held
    folders, sized = _class_folders(split, source), "" if side is None else f"-{side}"
    if folders is None:
        decode_table = partial(_from_table, side=side)
        arrays = read_arrays(f"pictures{sized}", split, source, decode_table, whole=request.whole, held=held)
    else:
        files = [(file, label) for label, (_, pictures) in enumerate(folders) for file in pictures]
        names = [name for name, _ in folders]
        key = {"files": [[*stat_of(file), label] for file, label in files], "classes": names}
        arrays = cached(f"picture-folder{sized}", key, lambda: _from_files(files, names, side))
        if not request.whole and not _split_folder(split, source):
            arrays = part_of(arrays, split, held)
    if not len(arrays["labels"]):
        raise DataError(f"{source} has no pictures for the {split} split")
    order = np.random.default_rng(ORDER_SEED).permutation(len(arrays["labels"]))
    mixed = {name: values if name == "classes" else values[order] for name, values in arrays.items()}
    return picture_set(request, _renumbered(mixed, request.classes, source) if request.classes else mixed)


def _renumbered(arrays: Arrays, classes: Sequence[str], source: str) -> Arrays:
    """Number the labels as ``classes`` are; classes without pictures do not matter."""
    numbers = {name: number for number, name in enumerate(classes)}
    names = arrays["classes"].tolist()
    unknown = [names[label] for label in np.unique(arrays["labels"]).tolist() if names[label] not in numbers]
    if unknown:
        raise DataError(
            f"{source} has classes that training did not: {_some(unknown)}; its classes are {_some(classes)}"
        )
    labels = np.array([numbers.get(name, -1) for name in names], np.int64)[arrays["labels"]]
    return {**arrays, "labels": labels, "classes": np.array(classes, np.str_)}


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5:,} more" if len(names) > 5 else "")


def _split_folder(split: str, source: str) -> Path | None:
    """The folder of a split, where the source has one for each."""
    folder = Path(source).expanduser()
    return next((folder / name for name in FILE_PREFIXES[split] if (folder / name).is_dir()), None)


def _class_folders(split: str, source: str) -> list[tuple[str, list[Path]]] | None:
    """(class, its pictures) sorted by name; None where the source is no folder of folders with pictures."""
    folder = Path(source).expanduser()
    if not folder.is_dir():
        return None
    training = _split_folder("train", source)
    if training is not None and _split_folder(split, source) is None:
        raise DataError(f"{source} has no folder for the {split} split: {' or '.join(FILE_PREFIXES[split])} is wanted")
    names = sorted(entry.name for entry in (training or folder).iterdir() if entry.is_dir() and _pictures(entry))
    if not names:
        return None
    held = _split_folder(split, source) or folder
    further = sorted(
        entry.name for entry in held.iterdir() if entry.is_dir() and _pictures(entry) and entry.name not in names
    )
    if further:
        raise DataError(f"{held} has classes that training does not: {', '.join(further[:5])}")
    return [(name, _pictures(held / name)) for name in names]


def _pictures(folder: Path) -> list[Path]:
    """Pictures in a folder of a class, also one folder below, as Tiny-ImageNet has them."""
    files = (file for pattern in ("*", "*/*") for file in folder.glob(pattern))
    return sorted(file for file in files if file.suffix.lower() in SUFFIXES)


def _from_files(files: Sequence[tuple[Path, int]], classes: Sequence[str], side: int | None) -> Arrays:
    pictures = (decode({"bytes": file.read_bytes()}, row, str(file)) for row, (file, _) in enumerate(files))
    return _arrays(pictures, np.array([label for _, label in files], np.int64), classes, side)


def _from_table(table: Any, source: str, side: int | None) -> Arrays:
    table, labels = with_labels(table, source)
    if labels.dtype.kind not in "iu" or (len(labels) and not 0 <= labels.min() <= labels.max() < MOST_CLASSES):
        raise DataError(f"labels of {source} must be whole numbers from 0 to {MOST_CLASSES - 1}")
    names = getattr(table.features["label"], "names", None) or map(str, range(int(labels.max(initial=-1)) + 1))
    return _arrays(pictures_of(table, source), labels.astype(np.int64), list(names), side)


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
