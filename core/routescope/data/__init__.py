"""Data sets: ``load(name, split)`` gives images with labels, a domain and a licence line.

Everything loads without the internet. What stands in for another set says so; ``source`` reads the real one.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, overload

import numpy as np
import torch

from routescope.data.blocks import sets as block_sets
from routescope.data.blocks.sets import BlockSet
from routescope.data.catalogue import (
    BLOCK_DATASETS,
    DATASETS,
    MATRIX_DATASETS,
    NUMBER_DATASETS,
    OTHER_DATASETS,
    POINT_DATASETS,
    REGISTERED,
    SEQUENCE_DATASETS,
    TEXT_DATASETS,
    in_words,
    known_datasets,
    register_dataset,
)
from routescope.data.dataset import SIDE, DataError, Dataset, DatasetInfo, LabelledSamples, NoSplit, check_limit
from routescope.data.matrices import sets as matrix_sets
from routescope.data.matrices.sets import MatrixSet
from routescope.data.numbers import sets as number_sets
from routescope.data.numbers.sets import NumberSet
from routescope.data.pictures import digit_files, digits, folders, georgian, letters, shapes, street
from routescope.data.points import sets as cloud_sets
from routescope.data.points.sets import CloudSet
from routescope.data.sequences import sets as sequence_sets
from routescope.data.sequences.sets import SequenceSet
from routescope.data.statements import nlvr
from routescope.data.statements import sets as statement_sets
from routescope.data.statements.sets import StatementSet
from routescope.data.text import sets as text_sets
from routescope.data.text.sets import TextSet
from routescope.nn.config import Config

__all__ = [
    "BLOCK_DATASETS",
    "DATASETS",
    "MATRIX_DATASETS",
    "NUMBER_DATASETS",
    "OTHER_DATASETS",
    "POINT_DATASETS",
    "SEQUENCE_DATASETS",
    "SIDE",
    "TEXT_DATASETS",
    "BlockSet",
    "CloudSet",
    "DataError",
    "Dataset",
    "DatasetInfo",
    "LabelledSamples",
    "MatrixSet",
    "NoSplit",
    "NumberSet",
    "SequenceSet",
    "StatementSet",
    "TextSet",
    "check_limit",
    "in_words",
    "known_datasets",
    "load",
    "options_for",
    "parse_sources",
    "register_dataset",
]

_MAKERS = {
    "mnist": digits.mnist,
    "mnist-m": digits.mnist_m,
    "street-digits": street.street_digits,
    "images": shapes.shapes,
    "images-ood": shapes.drawn_shapes,
    "letters": letters.letters,
    "kmnist": georgian.georgian,
}


@overload
def load(
    name: Literal["scenes", "nlvr", "nlvr2"],
    split: str = ...,
    source: str | None = ...,
    limit: int | None = ...,
    *,
    side: int | None = ...,
) -> StatementSet: ...
@overload
def load(
    name: Literal["addmul", "double", "algo", "bpmnist"],
    split: str = ...,
    source: str | None = ...,
    limit: int | None = ...,
) -> BlockSet: ...
@overload
def load(
    name: Literal["python", "manual", "sums", "listops"], split: str = ..., source: None = ..., limit: int | None = ...
) -> TextSet: ...
@overload
def load(
    name: Literal["mnist", "mnist-m", "street-digits", "images", "images-ood", "letters", "kmnist"],
    split: str = ...,
    source: str | None = ...,
    limit: int | None = ...,
    *,
    exclude_shown: bool = ...,
    classes: Sequence[str] = ...,
    side: int | None = ...,
    whole: bool = ...,
) -> Dataset: ...
@overload
def load(
    name: str,
    split: str = ...,
    source: str | None = ...,
    limit: int | None = ...,
    *,
    exclude_shown: bool = ...,
    classes: Sequence[str] = ...,
    side: int | None = ...,
    whole: bool = ...,
) -> LabelledSamples: ...
def load(
    name: str,
    split: str = "validation",
    source: str | None = None,
    limit: int | None = None,
    *,
    exclude_shown: bool = True,
    classes: Sequence[str] = (),
    side: int | None = None,
    whole: bool = False,
) -> LabelledSamples:
    """One split of a data set, in memory.

    Args:
        name: one of ``DATASETS`` or ``OTHER_DATASETS``.
        split: ``train`` or ``validation``; ``test`` of scenes, of blocks and of texts, and where a real source has one.
        source: folder of parquet files, one such file, or hub name of the real set; of ``clouds`` the folder of
            ModelNet40; None for the set that needs no internet (see ``DatasetInfo.stand_in``).
        limit: only the first samples. Without a source any first samples are balanced by class; ``street-digits``,
            which is rendered, also gives more than its usual size.
        exclude_shown: leave out of real training data the digits that the product shows and scores.
        classes: names of the classes that a network was trained on, in the order of its labels. Pictures of a user's
            own get the labels of these names, whatever other classes their source lacks.
        side: of the images that a network takes, in pixels. Pictures of a user's own are brought to it.
        whole: of pictures of a user's own, all that a source has where it does not tell its splits apart, instead of
            four fifths for training and one for every other split: for what nothing is trained on.

    Raises:
        DataError: an unknown name, a limit below 1, a source that cannot be read, classes that are not among
            ``classes``, or images of another side that cannot be brought to it; it says what would be accepted.
        NoSplit: a split that the set has not; it is a DataError.
    """
    info = _asked(name, split, source, limit)
    if name in REGISTERED:
        return REGISTERED[name][1](split, limit)
    if info.inputs == "statements":
        return _statements(info, split, source, limit, side)
    if info.inputs == "blocks":
        return block_sets.load(info, split, source, limit)
    if info.inputs == "text":
        return text_sets.load(info, split, limit)
    if info.inputs == "numbers":
        return number_sets.load(info, split, limit)
    if info.inputs == "matrices":
        return matrix_sets.load(info, split, source, limit, side)
    if info.inputs == "points":
        return cloud_sets.load(info, split, source, limit, tuple(classes))
    if info.inputs in ("listops", "bytes"):
        return sequence_sets.load(info, split, source, limit)
    if name in OTHER_DATASETS and source is not None:
        found = folders.read(split, source, side, whole=whole, held=info.held)
        if classes:
            found = folders.renumbered(found, classes, source)
        arrays = found.images[:limit], found.labels[:limit], found.hashes[:limit]
        return _pictures(info, split, source, arrays, classes=classes, side=side, names=found.classes)
    if source is None:
        made = _MAKERS[name](split, limit)
        arrays = made["images"], made["labels"], tuple(made["hashes"].tolist())
        return _pictures(info, split, source, arrays, classes=classes, side=side)
    rows = digit_files.read(name, split, source, exclude_shown)
    arrays = rows.images[:limit], rows.labels[:limit], rows.hashes[:limit]
    return _pictures(info, split, source, arrays, classes=classes, side=side, left_out=rows.left_out)


def _asked(name: str, split: str, source: str | None, limit: int | None) -> DatasetInfo:
    """What is known of a data set; raises DataError and NoSplit for what there is none of."""
    known = known_datasets()
    if name not in known:
        raise DataError(f"there is no data set {name!r}; there are {in_words(known)}")
    info = known[name]
    if info.needs_source and source is None:
        raise DataError(f"{info.title} is read from where its user has it: give {name}=FOLDER")
    splits = tuple(info.splits) if source is None else ("train", "validation", "test")
    if split not in splits:
        raise NoSplit(f"{name} has no split {split!r}; there are {', '.join(splits)}")
    check_limit(limit)
    if name in REGISTERED and source is not None:
        raise DataError(f"{info.title} is made where it was registered and read from nowhere; got {name}={source}")
    if name in TEXT_DATASETS and source is not None:
        raise DataError(f"{info.title}: its texts are those of every Python, or generated; got {name}={source}")
    if name in NUMBER_DATASETS and source is not None:
        raise DataError(f"{info.title} is drawn by a seed and read from nowhere; got {name}={source}")
    return info


def _pictures(
    info: DatasetInfo,
    split: str,
    source: str | None,
    arrays: tuple[np.ndarray, np.ndarray, tuple[str, ...]],
    *,
    classes: Sequence[str],
    side: int | None,
    names: tuple[str, ...] | None = None,
    left_out: int = 0,
) -> Dataset:
    """One split of a set of pictures, of its images, labels and hashes; DataError for other ones than a network takes.

    Args:
        names: of the classes, where they are others than those of the set.
    """
    name, names = info.name, info.classes if names is None else names
    images, labels, hashes = arrays
    if classes and tuple(names) != tuple(classes) and name in OTHER_DATASETS:
        raise DataError(
            f"{info.title} has other classes than training ({', '.join(classes[:5])}, ...); give pictures of those:"
            f" {name}=FOLDER"
        )
    if side not in (None, images.shape[-1]):
        there = images.shape[-1]
        wanted = f"; give pictures, which are brought to it: {name}=FOLDER" if name in OTHER_DATASETS else ""
        raise DataError(f"{info.title}: {there} x {there} pixels, and the network takes {side} x {side}{wanted}")
    return Dataset(
        name=name,
        title=info.title if source is None else info.real_title,
        split=split,
        images=torch.from_numpy(np.ascontiguousarray(images)),
        labels=torch.from_numpy(np.ascontiguousarray(labels)),
        hashes=hashes,
        stand_in=info.stand_in and source is None,
        stand_in_for=info.stand_in_for if source is None else None,
        licence=info.licence if source is None else info.real_licence,
        classes=names,
        source=source,
        left_out=left_out,
    )


def _statements(info: DatasetInfo, split: str, source: str | None, limit: int | None, side: int | None) -> StatementSet:
    """One split of a set of statements about pictures."""
    if source is None:
        return statement_sets.scenes(split, limit, side)
    if not info.needs_source:
        raise DataError(f"{info.title} are generated and read from nowhere; got {info.name}={source}")
    return nlvr.read(info, split, source, limit, side)


def options_for(config: Config, name: str) -> dict[str, Any]:
    """What ``load`` is to be told where a network of this config is scored on one of its domains.

    Panels of matrices stay as they are kept: networks bring them to their own side.
    """
    panels = name in known_datasets() and known_datasets()[name].inputs == "matrices"
    side = None if panels else config.picture_side
    return {"classes": config.class_names, "side": side, "whole": name in config.held_out}


def parse_sources(options: Iterable[str]) -> dict[str, str]:
    """Options of the form ``mnist=FOLDER_OR_HUB_NAME`` as a dict.

    Raises:
        DataError: no ``=``, an unknown name, an empty source, or a name given twice.
    """
    sources: dict[str, str] = {}
    known = known_datasets()
    for option in options:
        name, separator, source = option.partition("=")
        name, source = name.strip(), source.strip()
        if not separator or name not in known or not source:
            raise DataError(f"{option!r} is not NAME=SOURCE with NAME one of {in_words(known)}")
        if name in sources:
            raise DataError(f"{name} is given two sources: {sources[name]} and {source}")
        sources[name] = source
    return sources
