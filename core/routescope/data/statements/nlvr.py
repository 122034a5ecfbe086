"""Read NLVR and NLVR2 from files: sentences about pictures, and whether they are true.

NLVR (Suhr et al. 2017) is a folder of parquet files with the columns ``image``, ``label``, ``sentence`` and
``identifier``, or the files as published (``train.json``, ..., one JSON object a line, and pictures named
``SPLIT-IDENTIFIER-NUMBER.png`` anywhere beneath). Its pictures are three boxes side by side. Where no file is for
training, four fifths of the sentences of the development set are: all pictures of a sentence are on one side.

NLVR2 (Suhr et al. 2019) is published as annotations (``train.json``, ``dev.json``, ``test1.json``; also ``.jsonl``,
``.gz``) and, on request, photographs: ``SPLIT-SET-PAIR-img0.png`` is the left one of a pair, ``-img1.png`` the right.

Rows may have ``negated``, a sentence that says the opposite: CLIP without training compares with it.
"""

import gzip
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Int64, UInt8
from PIL import Image

from routescope.data.cache import Arrays, cached, mapped
from routescope.data.catalogue import dataset
from routescope.data.pictures.sizing import fitted
from routescope.data.readers import (
    FILE_PREFIXES,
    MAX_PIXELS,
    decode,
    pictures_of,
    read_arrays,
    stat_of,
    tells_split,
    with_labels,
)
from routescope.data.samples import DataError, DatasetInfo, NoSplit, SampleRequest, hashes_of
from routescope.data.statements.grammar import KINDS
from routescope.data.statements.meanings import NUMBERS
from routescope.data.statements.scenes import BACKGROUND, SCENE_SIDE, SIDES
from routescope.data.statements.sets import CLASSES, StatementSet
from routescope.files import decoded, lines_of

OTHER = "other"

#: Kinds that a sentence of a real set may have.
GUESSED_KINDS = (*KINDS, OTHER)

HARD, SOFT, SINGULAR, PLURAL, ADJECTIVE, SPATIAL = KINDS

_COLOURS = (
    "red", "green", "blue", "yellow", "purple", "orange", "black", "white", "brown", "pink", "grey", "gray", "beige",
    "teal", "gold", "golden", "silver", "tan", "dark", "light", "colored", "coloured",
)  # fmt: skip

_PLACES = (
    "above", "below", "under", "underneath", "beneath", "over", "on top", "at the top", "at the bottom", "behind",
    "in front of", "next to", "near", "beside", "between", "touching", "touches", "close to", "closely", "far from",
    "far away", "left of", "right of", "to the left", "to the right", "base", "on a", "on the",
)  # fmt: skip
_AMOUNTS = ("many", "few", "several", "more", "most", "fewer", "less", "lots", "multiple", "majority", "same number")
_NUMBERS = ("exactly", "at least", "atleast", "at most", "atmost", "single", *NUMBERS[1:], *map(str, range(100)))

#: (kind, words or phrases of which one decides it), in the order of their trial.
RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (HARD, _NUMBERS),
    (SOFT, _AMOUNTS),
    (SPATIAL, _PLACES),
    (ADJECTIVE, _COLOURS),
)

#: "One" is a number in "there is one tower" and "only one", and none in "one of the boxes" and "the dark one".
_ONE = re.compile(r"\b(?:is|are|only|contains?|shows?|has|have|and|with) one\b(?! of| or)|^one (?!of )")

_PATTERNS = tuple((kind, re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b")) for kind, words in RULES)
_PLURAL = re.compile(r"\b(?:there are|are there|any|some|all|no \w+s)\b")
_SINGULAR = re.compile(r"\b(?:there is|is there|a|an)\b")


def guessed_kind(sentence: str) -> str:
    """Return the kind of a sentence, of ``GUESSED_KINDS``: the first rule that one of its words meets."""
    words = sentence.lower()
    for kind, pattern in _PATTERNS:
        if pattern.search(words) or (kind == HARD and _ONE.search(words)):
            return kind
    if _PLURAL.search(words):
        return PLURAL
    return SINGULAR if _SINGULAR.search(words) else OTHER


#: Where the boxes of NLVR's pictures lie: left, upper, right and lower edge in pixels of 400 x 100.
BOXES = ((0, 0, 100, 100), (150, 0, 250, 100), (300, 0, 400, 100))
WHOLE = (400, 100)

#: Photographs get this side unless another one is asked for, and at most that.
PHOTOGRAPH_SIDE, LARGEST_SIDE = 64, 384
MOST_PHOTOGRAPH_PIXELS = 1 << 26

#: Decoded pictures take no more memory than this (bytes); photographs that would are decoded into a file instead.
MOST_MEMORY = 8 << 30

#: Names of files for each split, the most fitting first.
STEMS = {
    "train": ("train",),
    "validation": ("dev", "validation", "valid", "val"),
    "test": ("test1", "test"),
}
SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")

#: Sentences of a development set that also serves for training are divided by this seed.
SPLIT_SEED = 59
#: Goes up when what is kept of a split changes; 2: with opposite sentences.
LAYOUT = 2

Annotation = Mapping[str, Any]


def _info(name: str, title: str, licence: str) -> DatasetInfo:
    return DatasetInfo(name, title, licence, classes=CLASSES, inputs="statements", shown=False)


@dataset(
    _info("nlvr", "NLVR", "NLVR: A. Suhr, M. Lewis, J. Yeh, Y. Artzi 2017; CC BY 4.0"),
    _info("nlvr2", "NLVR2", "NLVR2: A. Suhr, S. Zhou, A. Zhang, I. Zhang, H. Bai, Y. Artzi 2019; sentences CC BY 4.0"),
    order=1,
)
def nlvr(request: SampleRequest) -> StatementSet:
    """Return one split of NLVR or NLVR2.

    Raises:
        DataError: no such source or split, rows without sentence, label or identifier, pictures that are missing or
            cannot be decoded, more of them than there is room for.
    """
    info, split, source, limit, side = request.info, request.split, str(request.source), request.limit, request.side
    largest = SIDES[1] if info.name == "nlvr" else LARGEST_SIDE
    if side is not None and not SIDES[0] <= side <= largest:
        raise DataError(f"pictures of {info.title} get a side of {SIDES[0]} to {largest} pixels; got {side}")
    if info.name == "nlvr":
        arrays = _nlvr(split, source, side or SCENE_SIDE)
    else:
        arrays = _nlvr2(split, source, side or PHOTOGRAPH_SIDE, limit)
    images, sentences = arrays["images"][:limit], arrays["sentences"].tolist()[:limit]
    return StatementSet(
        **request.facts,
        images=torch.from_numpy(np.ascontiguousarray(images)),
        sentences=tuple(sentences),
        labels=torch.from_numpy(arrays["labels"][:limit].astype(np.int64)),
        kinds=GUESSED_KINDS,
        kind=torch.tensor([GUESSED_KINDS.index(guessed_kind(sentence)) for sentence in sentences], dtype=torch.int64),
        scenes=(None,) * len(sentences),
        hashes=hashes_of(
            pictures.tobytes() + sentence.encode() for pictures, sentence in zip(images, sentences, strict=True)
        ),
        left_out=int(arrays["left_out"]),
        groups=_groups(arrays["identifiers"].tolist()[:limit], 1 if info.name == "nlvr" else 2),
        negated=tuple(arrays["negated"].tolist()[:limit]) if "negated" in arrays else None,
    )


def _groups(identifiers: list[str], parts: int) -> Int64[torch.Tensor, " sample"]:
    """Numbers of the first parts of identifiers: the sentence of NLVR's, split and set of pictures of NLVR2's."""
    names = np.array(["-".join(identifier.split("-")[:parts]) for identifier in identifiers], np.str_)
    return torch.from_numpy(np.unique(names, return_inverse=True)[1].astype(np.int64))


def _nlvr(split: str, source: str, side: int) -> Arrays:
    folder = Path(source).expanduser()
    if folder.is_dir() and not any(any(part.glob("*.parquet")) for part in (folder, folder / "data")):
        if split == "train" and _annotation_file(folder, "train") is None:
            return _part(_published(folder, "validation", side), split)
        alone = split == "validation" and _annotation_file(folder, "train") is None
        arrays = _published(folder, split, side)
        return _part(arrays, split) if alone else arrays
    decoded = partial(_decoded_boxes, side=side)
    read_split = partial(read_arrays, f"nlvr-{side}", source=source, decoded=decoded, whole=True)
    if folder.is_file():
        arrays = read_split(split)
        return arrays if tells_split(folder) else _part(arrays, split)
    alone = folder.is_dir() and split != "test" and not _parquet(folder, "train")
    if alone and (split == "validation" or _parquet(folder, "validation")):
        return _part(read_split("validation"), split)
    return read_split(split)


def _parquet(folder: Path, split: str) -> list[Path]:
    """Parquet files that are of this split and of no other one."""
    prefixes = [prefix for prefix in FILE_PREFIXES[split] if split == "train" or not prefix.startswith("test")]
    folders = (folder, folder / "data")
    return [file for part in folders for prefix in prefixes for file in part.glob(f"{prefix}*.parquet")]


def _part(arrays: Arrays, split: str) -> Arrays:
    """Four fifths of the sentences with all of their pictures for training, the others for every other split."""
    groups = np.array([identifier.rpartition("-")[0] or identifier for identifier in arrays["identifiers"].tolist()])
    names = np.unique(groups)
    mixed = np.random.default_rng(SPLIT_SEED).permutation(len(names))
    border = len(names) * 4 // 5
    chosen = np.isin(groups, names[mixed[:border] if split == "train" else mixed[border:]])
    return {key: values if key == "left_out" else values[chosen] for key, values in arrays.items()}


def _decoded_boxes(table: Any, source: str, side: int) -> Arrays:
    """Rows of a table as arrays: boxes (N, 3, 3, side, side), labels, sentences and identifiers."""
    missing = {"sentence", "identifier"} - set(table.column_names)
    if missing:
        raise DataError(
            f"{source} has no column {' and '.join(sorted(missing))}; it has {', '.join(table.column_names)}"
        )
    table, labels = with_labels(table, source)

    rows = [
        {"label": label, "sentence": sentence, "identifier": identifier}
        for label, sentence, identifier in zip(
            labels.tolist(), table["sentence"][:], table["identifier"][:], strict=True
        )
    ]
    checked = [_checked(row, number, source) for number, row in enumerate(rows)]
    return _arrays(checked, map(_boxes, pictures_of(table, source)), 3, side)


def _boxes(picture: Image.Image) -> tuple[Image.Image, ...]:
    if picture.size != WHOLE:
        raise DataError(
            f"pictures of NLVR are {WHOLE[0]} x {WHOLE[1]} pixels, three boxes side by side; one is {picture.width} x"
            f" {picture.height}"
        )
    return tuple(picture.crop(box) for box in BOXES)


def _published(folder: Path, split: str, side: int) -> Arrays:
    """NLVR as published: every sentence with each of its pictures, the orders of the same boxes."""
    file = _annotation_file(folder, split)
    if file is None:
        raise NoSplit(_wanted(folder, split, "or parquet files of NLVR"))
    stem = file.name.partition(".")[0]
    rows = _annotations(file)
    files = sorted(folder.rglob(f"{stem}-*.png"))
    pictures_of_sentence: dict[str, list[Path]] = {}
    for picture in files:
        pictures_of_sentence.setdefault(picture.stem.removeprefix(f"{stem}-").rpartition("-")[0], []).append(picture)
    pairs = [(row, picture) for row in rows for picture in pictures_of_sentence.get(row["identifier"], ())]
    left_out = sum(row["identifier"] not in pictures_of_sentence for row in rows)
    if not pairs:
        raise NoSplit(
            f"{file} has {len(rows)} sentences, and {folder} no picture of theirs; wanted"
            f" {stem}-{rows[0]['identifier']}-0.png and its like, anywhere beneath"
        )
    pictures = (_boxes(_opened(picture, MAX_PIXELS)) for _, picture in pairs)
    key = {"layout": LAYOUT, "annotations": stat_of(file), "pictures": len(files), "side": side}
    return cached(f"nlvr-{side}", key, lambda: _arrays([row for row, _ in pairs], pictures, len(BOXES), side, left_out))


def _nlvr2(split: str, source: str, side: int, limit: int | None) -> Arrays:
    path = Path(source).expanduser()
    if not path.exists():
        raise DataError(f"there is no {source}; NLVR2 is a folder of its annotations and photographs")
    file = _one_file(path, split) if path.is_file() else _annotation_file(path, split)
    if file is None:
        raise NoSplit(_wanted(path, split))
    folder = path.parent if path.is_file() else path
    rows = _annotations(file)
    photographs = {picture.name.removesuffix(".png"): picture for picture in folder.rglob("*-img[01].png")}
    statements = [(row, pair) for row in rows if (pair := _pair(row["identifier"], photographs)) is not None]
    if not statements:
        example = rows[0]["identifier"].rpartition("-")[0]
        raise NoSplit(
            f"{file} has {len(rows)} sentences, and {folder} no photographs of theirs; wanted {example}-img0.png and"
            f" {example}-img1.png and their like, anywhere beneath (annotations hold addresses of photographs; nothing"
            " is fetched from them)"
        )
    left_out, statements = len(rows) - len(statements), statements[:limit]
    pairs = (tuple(_opened(picture, MOST_PHOTOGRAPH_PIXELS) for picture in pair) for _, pair in statements)
    key = {"layout": LAYOUT, "annotations": stat_of(file), "pictures": len(photographs), "side": side, "limit": limit}
    key |= {"ground": BACKGROUND}
    rows, shape = [row for row, _ in statements], (len(statements), 2, 3, side, side)
    if prod(shape) <= MOST_MEMORY:
        return cached(f"nlvr2-{side}", key, lambda: _arrays(rows, pairs, 2, side, left_out, BACKGROUND))
    try:
        images = mapped(f"nlvr2-{side}", key, shape, lambda images: _fill(images, pairs, BACKGROUND))
    except OSError as error:
        most = MOST_MEMORY // prod(shape[1:])
        raise DataError(
            f"{len(rows)} statements need {prod(shape) / 2**30:.1f} GiB at a side of {side}, more than memory should "
            f"hold, and no file could be made for them ({error}): make room, or limit them to {most}"
        ) from error
    return {"images": images, **_told(rows, left_out)}


def _one_file(file: Path, split: str) -> Path:
    """Return the file; raises NoSplit where its name says another split, or no split and training is asked for."""
    stem = file.name.partition(".")[0]
    other = next((name for name, stems in STEMS.items() if stem in stems), None)
    if split not in (other, *(("validation", "test") if other is None else ())):
        words = f"a {other} file" if other else "no file for training"
        raise NoSplit(f"{file} is, by its name, {words}; the {split} split was asked for")
    return file


def _pair(identifier: str, photographs: Mapping[str, Path]) -> tuple[Path, Path] | None:
    """Left and right photograph; an identifier names set, pair and sentence, a photograph without the sentence."""
    for name in (identifier.rpartition("-")[0], identifier):
        if f"{name}-img0" in photographs and f"{name}-img1" in photographs:
            return photographs[f"{name}-img0"], photographs[f"{name}-img1"]
    return None


def _annotation_file(folder: Path, split: str) -> Path | None:
    candidates = (
        part / f"{stem}{suffix}"
        for stem in STEMS[split]
        for part in (folder, folder / "data", folder / stem)
        for suffix in SUFFIXES
    )
    return next((file for file in candidates if file.is_file()), None)


def _wanted(folder: Path, split: str, further: str = "") -> str:
    names = " or ".join(f"{stem}.json" for stem in STEMS[split])
    return " ".join(
        filter(None, (f"{folder} has nothing for the {split} split: wanted {names} (also .jsonl, .gz)", further))
    )


def _annotations(file: Path) -> list[Annotation]:
    """Every row's ``sentence``, ``label`` (0 or 1) and ``identifier``; raises DataError for what lacks one."""
    try:
        content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        rows = [json.loads(line) for _, line in lines_of(decoded(content)) if line.strip()]
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise DataError(f"{file} is not one JSON object a line: {error}") from error
    if not rows:
        raise DataError(f"{file} holds no sentence")
    return [_checked(row, number, str(file)) for number, row in enumerate(rows)]


_LABELS = {"true": 1, "false": 0, "1": 1, "0": 0}


def _checked(row: Any, number: int, source: str) -> Annotation:
    if not isinstance(row, dict) or not all(isinstance(row.get(key), str) for key in ("sentence", "identifier")):
        raise DataError(f"row {number} of {source} lacks a sentence or an identifier in words")
    label = _LABELS.get(str(row.get("label")).lower())
    if label is None:
        raise DataError(
            f"row {number} of {source} has the label {row.get('label')!r}; true or false, 1 or 0, are accepted"
        )
    negated = row.get("negated")
    if not isinstance(negated, str | None):
        raise DataError(f"row {number} of {source} has a negated sentence that is none: {negated!r}")
    checked = {"sentence": row["sentence"].strip(), "identifier": row["identifier"], "label": label}
    return checked | ({"negated": negated.strip()} if negated else {})


def _opened(file: Path, most_pixels: int) -> Image.Image:
    return decode({"bytes": file.read_bytes()}, 0, str(file), most_pixels)


def _arrays(
    rows: list[Annotation],
    pictures: Iterator[tuple[Image.Image, ...]],
    each: int,
    side: int,
    left_out: int = 0,
    ground: str = "white",
) -> Arrays:
    shape = (len(rows), each, 3, side, side)
    if prod(shape) > MOST_MEMORY:
        most = MOST_MEMORY // prod(shape[1:])
        raise DataError(
            f"{len(rows)} statements need {prod(shape) / 2**30:.0f} GiB at a side of {side}; limit them to {most}"
        )
    images = np.empty(shape, np.uint8)
    _fill(images, pictures, ground)
    return {"images": images, **_told(rows, left_out)}


def _fill(images: UInt8[np.ndarray, "N P 3 s s"], pictures: Iterator[tuple[Image.Image, ...]], ground: str) -> None:
    for image, parts in zip(images, pictures, strict=True):
        for position, picture in enumerate(parts):
            image[position] = fitted(picture, images.shape[-1], ground)


def _told(rows: list[Annotation], left_out: int) -> Arrays:
    negated = [row.get("negated", "") for row in rows]
    return {
        **({"negated": np.array(negated, np.str_)} if any(negated) else {}),
        "labels": np.array([row["label"] for row in rows], np.int64),
        "sentences": np.array([row["sentence"] for row in rows], np.str_),
        "identifiers": np.array([row["identifier"] for row in rows], np.str_),
        "left_out": np.array(left_out),
    }
