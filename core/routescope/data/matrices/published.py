"""Reads matrices as they are published: the npz files of PGM, and those of RAVEN.

Both hold sixteen panels of 160 x 160, the eight of the matrix first, and the number of the right answer from 0. PGM's
(``PGM_neutral_train_0.npz``) tell their rules as rows of twelve bits; RAVEN's (``RAVEN_0_train.npz``) tell theirs in a
grammar of its own, which is not read. A file may also hold several matrices, its first axis.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from jaxtyping import UInt8

from routescope.data.dataset import DataError, NoSplit
from routescope.data.kinds.matrices.files import resized
from routescope.data.matrices.grammar import TRIPLES, Attribute, Object, Relation, Triple
from routescope.nn.inputs.matrices import ANSWERS, CONTEXT, PANELS

#: What the bits of PGM's ``relation_structure_encoded`` stand for.
OBJECT_BITS: tuple[Object, ...] = ("shape", "line")
ATTRIBUTE_BITS: tuple[Attribute, ...] = ("colour", "number", "position", "size", "type")
RELATION_BITS: tuple[Relation, ...] = ("progression", "XOR", "OR", "AND", "consistent union")

#: Which part of a file's name tells its split.
SPLIT_WORDS = {"train": ("train",), "validation": ("val", "valid", "validation"), "test": ("test",)}


class Published(NamedTuple):
    """One matrix of a file: greys of its panels, the right answer from 0, and its rules where they are told."""

    panels: UInt8[np.ndarray, "16 side side"]
    target: int
    triples: tuple[Triple, ...]


def files_of(source: str, split: str) -> list[Path]:
    """The npz files of a split in a folder, in the order of their numbers; or the one file that is named.

    Raises:
        DataError: nothing that could be read. NoSplit: a folder without that split.
    """
    path = Path(source)
    if path.is_file():
        return [path]
    found = sorted(path.glob("*.npz"), key=lambda file: (_number(file), file.name)) if path.is_dir() else []
    if not found:
        raise DataError(f"matrices are read from npz files of PGM or RAVEN, or a folder of them; {source} has none")
    words = SPLIT_WORDS[split]
    own = [file for file in found if any(word in words for word in file.stem.lower().split("_"))]
    if not own:
        raise NoSplit(f"{source} has no npz file of {split}: their names have one of {', '.join(words)} between _")
    return own


def _number(file: Path) -> int:
    """The number in a file's name, 0 where there is none."""
    return next((int(word) for word in file.stem.split("_") if word.isdigit()), 0)


def read(source: str, split: str, side: int, limit: int | None = None) -> list[Published]:
    """The matrices of a split, their panels brought to a side in pixels.

    Raises:
        DataError: a file that holds no matrices of eight panels and eight answers; it says which, and what it holds.
    """
    found: list[Published] = []
    for file in files_of(source, split):
        found += _read_file(file, side, None if limit is None else limit - len(found))
        if limit is not None and len(found) >= limit:
            break
    return found


def _read_file(path: Path, side: int, limit: int | None) -> Iterator[Published]:
    try:
        with np.load(path, allow_pickle=False) as stored:
            missing = [name for name in ("image", "target") if name not in stored.files]
            if missing:
                raise DataError(
                    f"{path.name} has no array {' and no '.join(missing)}; it has {', '.join(stored.files)}"
                )
            images, targets = stored["image"], np.atleast_1d(stored["target"])
            encoded = stored["relation_structure_encoded"] if "relation_structure_encoded" in stored.files else None
    except DataError:
        raise
    except Exception as problem:  # a damaged file may fail in zipfile, in zlib or in numpy's reading of a header
        raise DataError(f"{path.name} is no npz file of matrices: {problem}") from None
    panels = _panels(path.name, images, len(targets))
    if targets.dtype.kind not in "iu" or not ((targets >= 0) & (targets < ANSWERS)).all():
        raise DataError(f"{path.name}: target is the number of the right answer, 0 to {ANSWERS - 1}")
    rules = (
        [()] * len(targets) if encoded is None else [_triples(path.name, rows) for rows in np.atleast_3d(encoded.T).T]
    )
    for each, target, triples in list(zip(panels, targets.tolist(), rules, strict=True))[:limit]:
        yield Published(resized(each, side), target, triples)


def _panels(name: str, images: np.ndarray, count: int) -> UInt8[np.ndarray, "matrix 16 side side"]:
    """Panels of every matrix of a file, whichever way they lie in it."""
    if images.dtype != np.uint8:
        raise DataError(f"{name}: image has greys of 0 to 255 (uint8), not {images.dtype}")
    if images.ndim >= 3 and images.shape[-1] == images.shape[-2]:
        found = images.shape[-3]
        if found != PANELS:
            more = f": {CONTEXT} and {found - CONTEXT} answers" if found > CONTEXT else ""
            raise DataError(
                f"{name} has {found} panels{more}; a matrix is {CONTEXT} panels and {ANSWERS} answers, {PANELS} in all"
            )
    side = round((images.size / max(1, count) / PANELS) ** 0.5)
    if count == 0 or images.size != count * PANELS * side**2 or side < 16:
        raise DataError(
            f"{name}: image of shape {images.shape} is no {count} matrices of {PANELS} square panels, {CONTEXT} and"
            f" {ANSWERS} answers, of 16 pixels a side at least"
        )
    return images.reshape(count, PANELS, side, side)


def _triples(name: str, rows: np.ndarray) -> tuple[Triple, ...]:
    """PGM's rules: rows of twelve bits, an object, an attribute and a relation each; rows of zeros are none."""
    if rows.shape[-1] != len(OBJECT_BITS) + len(ATTRIBUTE_BITS) + len(RELATION_BITS):
        raise DataError(f"{name}: relation_structure_encoded has rows of 12 bits, not {rows.shape[-1]}")
    found = []
    for row in rows.reshape(-1, rows.shape[-1]):
        parts = row[:2], row[2:7], row[7:]
        if not row.any():
            continue
        if any(part.sum() != 1 for part in parts):
            raise DataError(f"{name}: a row of relation_structure_encoded is one object, one attribute, one relation")
        one, attribute, relation = (int(part.argmax()) for part in parts)
        triple = Triple(RELATION_BITS[relation], OBJECT_BITS[one], ATTRIBUTE_BITS[attribute])
        if triple not in TRIPLES:
            raise DataError(f"{name}: {triple} is none of the {len(TRIPLES)} triples")
        found.append(triple)
    return tuple(found)
