"""Sets of sequences from where their user has them: ListOps as it is published, and reviews with their sentiment.

A source is one file, or a folder with a file for each split (``train*``, ``val*``, ``test*``, also ``basic_train.tsv``
as the Long Range Arena names its own): parquet, or text with tabs (``.tsv``) or commas (``.csv``; also semicolons)
between columns.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

import numpy as np

from routescope.assets import require
from routescope.data.cache import Arrays, cached
from routescope.data.dataset import DataError, NoSplit
from routescope.data.kinds.kind import InvalidSample
from routescope.data.kinds.listops import parse
from routescope.data.readers import FILE_PREFIXES, FILE_SPLIT_SEED
from routescope.data.sequences import listops
from routescope.files import UndecodableText, decoded, lines_of
from routescope.nn.inputs.sequences import MOST_BYTES, Expressions, Sequences

#: Of the cache: another number where the same file is read otherwise.
LAYOUT = 2
#: Ends of the names of files that are read, with what stands between columns.
DELIMITERS = {".tsv": "\t", ".csv": ","}
ENDINGS = (".parquet", *DELIMITERS)
#: What may stand between the columns of a .csv file.
SEPARATORS = (",", ";", "\t", "|")
QUOTED = 'write a .csv text that holds a separator, a quote or a line end as "...", with each quote in it twice'
#: What the Long Range Arena writes before the split in the names of its files.
PREFIX = "basic_"
#: Names of columns: of what is read, and of its label.
CONTENT = ("source", "expression", "text", "review", "sentence")
LABEL = ("target", "label", "sentiment", "value")
#: How reviews say what they are, by the number of the label.
SENTIMENTS = (("0", "neg", "negative"), ("1", "pos", "positive"))
#: Characters of a cell that a refusal repeats.
REPEATED = 40

#: A row's number in its file, its content, and its label as it is written.
Row = tuple[int, str, str]


def arrays_of(sequences: Sequence[Sequence[int]], labels: Sequence[int]) -> Arrays:
    """Sequences of bytes, or of smaller symbols, as ``symbols``, ``starts`` and ``labels``."""
    lengths = np.fromiter(map(len, sequences), np.int64, len(sequences))
    starts = np.concatenate(([0], lengths.cumsum()))
    symbols = np.fromiter(chain.from_iterable(sequences), np.uint8, int(starts[-1]))
    return {"symbols": symbols, "starts": starts, "labels": np.asarray(labels, np.int64)}


def read(kind: type[Sequences], split: str, source: str) -> Arrays:
    """One split of a source, from the cache where its file is unchanged.

    A file whose name tells no split is cut: four fifths for training, the rest for every other split.

    Raises:
        DataError: no such source, or a row of it that cannot be read, with its number.
        NoSplit: nothing for that split.
    """
    file, whole = _file(split, source)
    facts = file.stat()
    key = {
        "kind": kind.kind,
        "most": MOST_BYTES,
        "layout": LAYOUT,
        "file": [str(file), facts.st_size, facts.st_mtime_ns],
    }
    decode = _expressions if kind is Expressions else _reviews
    arrays = cached("sequences", key, lambda: _decoded(file, decode))
    return arrays if whole else _part(arrays, split)


def _file(split: str, source: str) -> tuple[Path, bool]:
    """The file of a split, and whether its name says that it is of that split."""
    place = Path(source).expanduser()
    wanted = " or ".join(f"{prefix}*{ending}" for prefix in FILE_PREFIXES[split][:2] for ending in ENDINGS)
    if place.is_file():
        if place.suffix not in ENDINGS:
            raise DataError(f"{source} is none of {', '.join(ENDINGS)}; a source is such a file, or a folder of them")
        told = _split_of(place)
        if told and not _stem(place).startswith(FILE_PREFIXES[split]):
            raise NoSplit(f"{source} is, by its name, a {told} file; the {split} split was asked for")
        return place, told is not None
    if not place.is_dir():
        raise DataError(f"there is no {source}; a source is a file ({', '.join(ENDINGS)}), or a folder of such files")
    files = sorted(file for ending in ENDINGS for file in place.glob(f"*{ending}"))
    for prefix in FILE_PREFIXES[split]:
        for file in files:
            if _stem(file).startswith(prefix):
                return file, True
    if len(files) == 1 and _split_of(files[0]) is None:
        return files[0], False
    there = ", ".join(file.name for file in files) or "none"
    raise NoSplit(f"{source} has nothing for the {split} split: of such files there are {there}; wanted {wanted}")


def _stem(file: Path) -> str:
    return file.name.removeprefix(PREFIX)


def _split_of(file: Path) -> str | None:
    return next((split for split, names in FILE_PREFIXES.items() if _stem(file).startswith(names)), None)


def _part(arrays: Arrays, split: str) -> Arrays:
    order = np.random.default_rng(FILE_SPLIT_SEED).permutation(len(arrays["labels"]))
    border = len(order) * 4 // 5
    chosen = np.sort(order[:border] if split == "train" else order[border:])
    starts = arrays["starts"]
    sequences = [arrays["symbols"][starts[place] : starts[place + 1]].tolist() for place in chosen]
    return arrays_of(sequences, arrays["labels"][chosen].tolist())


def _decoded(file: Path, decode: Callable[[Row, Path], tuple[Sequence[int], int]]) -> Arrays:
    """Every row of a file; raises DataError where there are none."""
    found = [decode(row, file) for row in _rows(file)]
    if not found:
        raise DataError(f"{file} has no rows; each is to have a text or an expression, and its label")
    sequences, labels = zip(*found, strict=True)
    return arrays_of(sequences, labels)


def _rows(file: Path) -> Iterator[Row]:
    return _of_parquet(file) if file.suffix == ".parquet" else _of_text(file)


def _of_parquet(file: Path) -> Iterator[Row]:
    require("pyarrow")
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.read_table(file)
    except (pyarrow.ArrowException, OSError) as error:
        raise DataError(f"{file} cannot be read as parquet: {error}") from error
    content, label = _columns(table.column_names, file)
    pairs = zip(table.column(content).to_pylist(), table.column(label).to_pylist(), strict=True)
    for number, (text, value) in enumerate(pairs, start=1):
        if not isinstance(text, str):
            raise DataError(f"row {number} of {file}: the column {table.column_names[content]} holds no text")
        yield number, text, str(value)


def _of_text(file: Path) -> Iterator[Row]:
    """Rows of a file with a line of names, or, as the first ListOps was published, of a value and an expression.

    Cells of a .tsv file have no quotes around them: a quote is a character of the text. Cells of a .csv file may have.
    """
    try:
        rows = _cells(decoded(file.read_bytes()), file)
        number, first = next(rows, (0, []))
        if not first:
            return
        if len(first) == 2 and first[0].strip().isdecimal():
            content, label, width = 1, 0, 2
            yield number, first[content], first[label]
        else:
            (content, label), width = _columns(first, file), len(first)
        for number, cells in rows:
            if len(cells) < width or any(cell.strip() for cell in cells[width:]):
                raise DataError(
                    f"row {number} of {file} has {len(cells)} columns; {width} are needed: "
                    + ("a .tsv text holds no tab and no line end" if file.suffix == ".tsv" else QUOTED)
                )
            yield number, cells[content], cells[label]
    except UndecodableText as error:
        raise DataError(f"{file} is no text: {error}") from error
    except csv.Error as error:
        raise DataError(f"{file} cannot be read as a table: {error}; {QUOTED}") from error


def _cells(text: str, file: Path) -> Iterator[tuple[int, list[str]]]:
    """Rows that hold something, with their numbers in the file; without the empty cells behind the last name."""
    csv.field_size_limit(1 << 24)
    delimiter, skipped = DELIMITERS[file.suffix], 0
    if file.suffix == ".csv":
        delimiter, skipped = _separator(text)
    content = io.StringIO(text, newline="")
    if file.suffix == ".tsv":
        reader = csv.reader(content, delimiter=delimiter, quoting=csv.QUOTE_NONE, strict=True)
    else:
        reader = csv.reader(content, delimiter=delimiter, strict=True)
    first = True
    for number, cells in enumerate(reader, start=1):
        if number <= skipped or not any(cell.strip() for cell in cells):
            continue
        while first and not cells[-1].strip():
            cells.pop()
        first = False
        yield number, cells


def _separator(text: str) -> tuple[str, int]:
    """What stands between cells of a .csv text, and how many lines say it: the separator that splits its first line
    into names that are known, or that a first line ``sep=;`` names, as spreadsheets write it."""
    lines = [line for _, line in islice(lines_of(text), 2)]
    if named := re.fullmatch(r"\s*\"?sep=([,;\t|])\"?\s*", lines[0]):
        return named[1], 1
    for separator in SEPARATORS:
        names = {name.strip().strip('"').casefold() for name in lines[0].split(separator)}
        if names & set(CONTENT) and names & set(LABEL):
            return separator, 0
    return DELIMITERS[".csv"], 0


def _columns(names: Sequence[str], file: Path) -> tuple[int, int]:
    """Places of the content and of the label among the names of columns."""
    known = [name.strip().casefold() for name in names]
    found = [next((known.index(name) for name in choice if name in known), None) for choice in (CONTENT, LABEL)]
    content, label = found
    if content is None or label is None:
        raise DataError(
            f"{file} has the columns {', '.join(names)[:200]}; one of {', '.join(CONTENT)} and one of "
            f"{', '.join(LABEL)} are needed"
        )
    return content, label


def _expressions(row: Row, file: Path) -> tuple[Sequence[int], int]:
    """An expression, whose label is to be its value."""
    number, content, label = row
    try:
        symbols = parse(content)
    except InvalidSample as error:
        raise DataError(f"row {number} of {file}: {error}") from error
    value = listops.value_of(symbols)
    if label.strip() != str(value):
        raise DataError(f"row {number} of {file} has the value {label[:REPEATED]!r}, and its expression has {value}")
    return symbols, value


def _reviews(row: Row, file: Path) -> tuple[Sequence[int], int]:
    """The first ``MOST_BYTES`` of a review, whole characters, and whether it is negative (0) or positive (1)."""
    number, content, label = row
    said = label.strip().casefold()
    found = next((place for place, names in enumerate(SENTIMENTS) if said in names), None)
    if found is None:
        wanted = ", ".join(name for names in SENTIMENTS for name in names)
        raise DataError(f"row {number} of {file} has the label {label[:REPEATED]!r}; labels are {wanted}")
    cut = content.encode("utf-8", "replace")[:MOST_BYTES].decode("utf-8", "ignore").encode()
    if not cut.strip():
        raise DataError(f"row {number} of {file} is empty; a review is a text")
    return cut, found
