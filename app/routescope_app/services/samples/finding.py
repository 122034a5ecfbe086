"""Samples by what they are called: their data set, their label in words, their own name, their id.

Every word of a search has to be found in a sample: the beginning of a word of the data set's title or name, the number
or name of the label ("7", "seven"), the place in the data set where no label has that number, the beginning of the id,
or, of a person's own, a part of the name. "label" says nothing by itself: "label 7" is asked as people write it.
"""

import re
from collections.abc import Iterable, Sequence

import numpy as np
from jaxtyping import Bool

from routescope.data import Samples
from routescope_app.services.samples.uploads import SearchedUpload

#: How people write the labels of data sets of digits.
DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
#: Words that go with others and say nothing by themselves.
SILENT = frozenset({"label", "sample", "samples"})
#: Words for samples that somebody brought.
OWN = ("yours", "own", "mine")


def words_of(text: str | None) -> list[str]:
    """The words of a search that have to be found, in small letters; none where nothing is searched."""
    return [word for word in (text or "").casefold().split() if word not in SILENT]


def in_dataset(dataset: Samples, words: Sequence[str]) -> Bool[np.ndarray, " sample"]:
    """Which samples of a data set every word is found in."""
    count, labels = len(dataset), np.asarray(dataset.labels)
    stem = f"{dataset.name}.{dataset.split}."
    about = {dataset.name, dataset.split, *re.split(r"\W+", f"{dataset.name} {dataset.title}".casefold())}
    found = np.ones(count, dtype=bool)
    for word in words:
        if not _begins(about, word):
            found &= _of_place(word, stem, count) | _of_label(word, dataset.classes, labels)
    return found


def in_own(row: SearchedUpload, words: Sequence[str]) -> bool:
    """Whether every word is found in a sample that somebody brought."""
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


def _of_place(word: str, stem: str, count: int) -> Bool[np.ndarray, " sample"]:
    """Which samples have an id that begins with the word, where it names a data set and a split."""
    if not word.startswith(stem):
        return np.zeros(count, dtype=bool)
    place = word[len(stem) :]
    return np.array([str(at).startswith(place) for at in range(count)], dtype=bool)
