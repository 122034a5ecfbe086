"""Search for samples by data set, label, name and id.

A sample matches if every word of the search does: as the beginning of a word of the data set's title or name, as the
number or name of the label ("7", "seven"), as the position in the data set if no label has that number, as the
beginning of the id, or, for uploads, as a part of the name. The word "label" is skipped, so that "label 7" works.
"""

import re
from collections.abc import Iterable, Sequence

import numpy as np
from jaxtyping import Bool

from routescope.data import LabelledSamples
from routescope_app.services.samples.uploads import SearchedUpload

#: Names of the labels of digits.
DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
#: Words that are skipped.
SILENT = frozenset({"label", "sample", "samples"})
#: Words for uploaded samples.
OWN = ("yours", "own", "mine")


def words_of(text: str | None) -> list[str]:
    """Return the words of a search in lower case, without skipped ones."""
    return [word for word in (text or "").casefold().split() if word not in SILENT]


def in_dataset(dataset: LabelledSamples, words: Sequence[str]) -> Bool[np.ndarray, " sample"]:
    """Return which samples of a data set match every word."""
    count, labels = len(dataset), np.asarray(dataset.labels)
    stem = f"{dataset.name}.{dataset.split}."
    about = {dataset.name, dataset.split, *re.split(r"\W+", f"{dataset.name} {dataset.title}".casefold())}
    matches = np.ones(count, dtype=bool)
    for word in words:
        if not _begins(about, word):
            matches &= _of_position(word, stem, count) | _of_label(word, dataset.classes, labels)
    return matches


def in_own(row: SearchedUpload, words: Sequence[str]) -> bool:
    """Return whether an uploaded sample matches every word."""
    return all(_in_own(row, word) for word in words)


def _in_own(row: SearchedUpload, word: str) -> bool:
    labelled = row.label is not None and word in (str(row.label), *DIGITS[row.label : row.label + 1])
    return labelled or word in row.name.casefold() or row.id.startswith(word) or _begins((*OWN, row.origin), word)


def _begins(names: Iterable[str], word: str) -> bool:
    return any(name.startswith(word) for name in names)


def _of_label(word: str, classes: Sequence[str], labels: np.ndarray) -> Bool[np.ndarray, " sample"]:
    names = [name.casefold() for name in classes]
    if word.isdecimal():
        number = int(word) if len(word) <= 9 else -1
        return np.asarray(labels == number) if number in range(len(names)) else np.arange(len(labels)) == number
    written = DIGITS if names == [str(n) for n in range(len(DIGITS))] else names
    return np.isin(labels, [n for n, name in enumerate(written) if name.startswith(word)])


def _of_position(word: str, stem: str, count: int) -> Bool[np.ndarray, " sample"]:
    """Return which ids begin with a word that names the data set and the split."""
    if not word.startswith(stem):
        return np.zeros(count, dtype=bool)
    position = word[len(stem) :]
    return np.array([str(at).startswith(position) for at in range(count)], dtype=bool)
