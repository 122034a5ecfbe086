"""Read a user's file or folder as samples: texts with labels and domains, or pictures.

A source is a path, and after a question mark the names of columns where they are not the usual ones, or the one domain
to keep: ``reviews.csv?text=body&label=stars``, ``texts.jsonl?domain=language&only=python``.
"""

import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import pandas as pd
import torch
from PIL import Image, UnidentifiedImageError
from torch import Tensor

from routescope.assets import require
from routescope.data.catalogue import dataset, known_datasets
from routescope.data.kinds.pictures import CODEC
from routescope.data.pictures import folders
from routescope.data.pictures.sets import PictureSet
from routescope.data.pictures.sizing import from_picture
from routescope.data.samples import DataError, DatasetInfo, SampleRequest, Samples, check_limit, hashes_of
from routescope.data.sequences.reading import SENTIMENTS, arrays_of
from routescope.data.sequences.sets import SequenceSet, sequence_set
from routescope.data.text.sets import text_set
from routescope.files import UndecodableText, decoded
from routescope.nn.inputs.kind import Inputs
from routescope.nn.inputs.pictures import Pictures
from routescope.nn.inputs.sequences import MOST_BYTES, Bytes
from routescope.nn.inputs.text import Text

_AS_TEXT = {"dtype": str, "keep_default_na": False}
#: Ends of the names of tables with a text in each row, and how pandas reads them.
TABLES: dict[str, tuple[Callable[..., pd.DataFrame], dict[str, Any]]] = {
    ".jsonl": (pd.read_json, {"lines": True, "dtype": False}),
    ".csv": (pd.read_csv, _AS_TEXT),
    ".tsv": (pd.read_csv, {**_AS_TEXT, "sep": "\t"}),
    ".parquet": (pd.read_parquet, {}),
}
#: Ends of the names of files that are one text.
TEXTS = (".txt", ".md", ".py")
#: Usual names of columns, by what they hold; others are named after the path.
COLUMNS: dict[str, tuple[str, ...]] = {
    "text": ("text", "content", "review", "sentence", "prompt"),
    "label": ("label", "target", "sentiment"),
    "domain": ("domain",),
}
ACCEPTED = (
    f"texts are read from {', '.join([*TABLES, *TEXTS])} files, pictures from {', '.join(folders.SUFFIXES)} files, a "
    "folder of them, or a folder with a folder for each class"
)


@dataclass(frozen=True)
class Reads:
    """The samples that a network takes.

    Attributes:
        inputs: the kind of input.
        domains: of its heads.
        classes: names of its labels, in their order.
        side: of its pictures, in pixels; None: any.
    """

    inputs: type[Inputs]
    domains: tuple[str, ...]
    classes: tuple[str, ...] = ()
    side: int | None = None


class UserFile(NamedTuple):
    """A path, and the options after its question mark."""

    path: Path
    options: Mapping[str, str]


class TextRows(NamedTuple):
    """The texts of a file, with their labels and domains as they are written, where the file has them."""

    texts: list[str]
    labels: list[str] | None = None
    domains: list[str] | None = None


def source_of(source: str | Path) -> UserFile:
    """Split a source into path and options; raises DataError for an unknown option, or one without a value."""
    path, mark, query = str(source).partition("?")
    if not mark or Path(source).exists():
        return UserFile(Path(source).expanduser(), {})
    options = dict(parse_qsl(query, keep_blank_values=True))
    known = (*COLUMNS, "only")
    if not options or not set(options) <= set(known) or not all(options.values()):
        raise DataError(
            f"{query!r} is no choice of columns: give {' or '.join(f'{name}=NAME' for name in known)}, with & between"
        )
    return UserFile(Path(path).expanduser(), options)


def is_source(data: object) -> bool:
    """Return whether data is a path, or a string that ends as a file that is read or names a folder with a slash."""
    if isinstance(data, Path):
        return True
    if not isinstance(data, str) or not re.fullmatch(r"[^\n]+[./][^\n]*", data):
        return False
    if "=" in data and data.partition("=")[0].strip() in known_datasets():
        return False
    path = Path(data.partition("?")[0])
    return path.suffix.lower() in (*TABLES, *TEXTS, *folders.SUFFIXES) or ("/" in data and path.is_dir())


def read_samples(source: str | Path, reads: Reads, limit: int | None = None, *, labelled: bool = True) -> list[Samples]:
    """Return the samples of a user's file or folder, one set for each domain of the file.

    Texts without a column of domains, and pictures, belong to the network's first domain.

    Args:
        limit: only the first samples of each domain.
        labelled: whether samples without a label are refused by networks that answer with one.

    Raises:
        DataError: no such file, another kind of file, no texts or labels in it; the message says what is accepted.
    """
    check_limit(limit)
    path, options = source_of(source)
    if not path.exists():
        raise DataError(f"there is no file {path}: give a file that exists, or a list of texts")
    if reads.inputs is Pictures:
        return [_pictures(path, reads, limit, labelled)]
    if reads.inputs not in (Text, Bytes):
        raise DataError(f"{path.name} holds texts or pictures; this model reads {reads.inputs.words}")
    rows = read_texts(source)
    domains = [reads.domains[0]] * len(rows.texts) if rows.domains is None else rows.domains
    only = options.get("only")
    if only is not None and only not in domains:
        raise DataError(f"{path.name} has no rows of the domain {only!r}; it has {', '.join(dict.fromkeys(domains))}")
    sets: list[Samples] = []
    for domain in dict.fromkeys(domains) if only is None else [only]:
        positions = [row for row, name in enumerate(domains) if name == domain][:limit]
        title = str(source) if rows.domains is None else f"{path}, {domain}"
        info = DatasetInfo(domain, title, classes=reads.classes, inputs=reads.inputs.kind)
        texts = [rows.texts[row] for row in positions]
        if reads.inputs is Text:
            sets.append(text_set({"info": info, "split": "own"}, texts))
        else:
            labels = None if rows.labels is None else [rows.labels[row] for row in positions]
            sets.append(_bytes(info, texts, labels, labelled))
    return sets


def read_texts(source: str | Path) -> TextRows:
    """Return the texts of a file: a column of a table, or the whole of a text file.

    Raises:
        DataError: no such file, another kind of file, no text in it; the message says what is read.
    """
    path, options = source_of(source)
    suffix = path.suffix.lower()
    if suffix not in (*TABLES, *TEXTS):
        raise DataError(f"{path.name} is no file of texts: files of texts end with {', '.join([*TABLES, *TEXTS])}")
    table = _table(path, suffix)
    if table is None:
        rows = TextRows([_decoded(path)])
    else:
        text, label, domain = (_column(table, kind, options.get(kind), path) for kind in COLUMNS)
        rows = TextRows(
            table[text].tolist(),
            *(None if name is None else [str(value).strip() for value in table[name]] for name in (label, domain)),
        )
    wrong = next((row for row, value in enumerate(rows.texts, start=1) if not isinstance(value, str)), None)
    if wrong is not None:
        raise DataError(f"{path.name}: the text of row {wrong} is no string: every row needs a text")
    if not any(value.strip() for value in rows.texts):
        raise DataError(f"{path.name} has no text: give a file with at least one visible character")
    return rows


def _table(path: Path, suffix: str) -> pd.DataFrame | None:
    """Return a table as it is read; None for a file that is one text."""
    if suffix in TEXTS:
        return None
    read, options = TABLES[suffix]
    if suffix == ".parquet":
        require("pyarrow")
    content = io.BytesIO(_content(path)) if suffix == ".parquet" else io.StringIO(_decoded(path))
    try:
        return read(content, **options)
    except (ValueError, OSError) as error:
        raise DataError(f"{path.name} is no {suffix} table with a header: {error}") from error


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise DataError(f"there is no file {path}: give a file that exists, or a list of texts") from None


def _decoded(path: Path) -> str:
    try:
        return decoded(_content(path))
    except UndecodableText as error:
        raise DataError(f"{path.name}: {error}") from error


def _column(table: pd.DataFrame, kind: str, named: str | None, path: Path) -> str | None:
    """Return the column of texts, labels or domains; None where a file has no labels or domains."""
    names = {str(name).strip().casefold(): str(name) for name in reversed(table.columns)}
    wanted = COLUMNS[kind] if named is None else (named.casefold(),)
    column = next((names[name] for name in wanted if name in names), None)
    if column is None and (named is not None or kind == "text"):
        columns = ", ".join(map(str, table.columns[:8])) or "nothing"
        raise DataError(
            f"{path.name} has no column {named or COLUMNS[kind][0]!r}; it has {columns}: name the column of "
            f"{kind}s, as {path.name}?{kind}=NAME"
        )
    return column


def _bytes(info: DatasetInfo, texts: Sequence[str], labels: Sequence[str] | None, labelled: bool) -> SequenceSet:
    """Return texts as bytes with their labels, each cut to the longest that is read."""
    if labels is None and labelled:
        raise DataError(f"{info.title} has no column of labels: name one label, with {', '.join(info.classes)}")
    content = [text.encode("utf-8", "replace")[:MOST_BYTES].decode("utf-8", "ignore").encode() for text in texts]
    empty = next((row for row, part in enumerate(content, start=1) if not part.strip()), None)
    if empty is not None:
        raise DataError(f"{info.title}: row {empty} is empty; every row needs a text")
    numbers = [-1] * len(texts) if labels is None else [_number(label, info) for label in labels]
    return sequence_set({"info": info, "split": "own"}, Bytes, MOST_BYTES, arrays_of(content, numbers))


def _number(label: str, info: DatasetInfo) -> int:
    """Return the number of a label that is written as a class or as its number."""
    word, names = label.casefold(), [name.casefold() for name in info.classes]
    if word in names:
        return names.index(word)
    if word.isdecimal() and int(word) < len(names):
        return int(word)
    sentiment = next((number for number, words in enumerate(SENTIMENTS) if word in words), None)
    if sentiment is None or tuple(names) != ("negative", "positive"):
        raise DataError(f"{info.title} has the label {label[:40]!r}; labels are {', '.join(info.classes)}")
    return sentiment


def _pictures(path: Path, reads: Reads, limit: int | None, labelled: bool) -> PictureSet:
    """Return the pictures of a folder with a folder for each class, or those of a flat folder without labels."""
    info = DatasetInfo(reads.domains[0], str(path), shown=False)
    files = sorted(file for file in path.glob("*") if file.suffix.lower() in folders.SUFFIXES) or [path]
    if path.is_dir() and files == [path]:
        request = SampleRequest(info, "validation", limit, str(path), reads.classes, reads.side, whole=True)
        return replace(folders.read(request), split="own")
    if labelled:
        raise DataError(f"the pictures of {path} have no labels: put them into a folder for each class")
    images = torch.stack([from_picture(read_picture(file)) for file in files[:limit]])
    return PictureSet(
        info=info,
        split="own",
        images=images,
        labels=torch.full((len(images),), -1),
        hashes=hashes_of(image.tobytes() for image in images.numpy()),
    )


def picture(path: Path) -> Tensor:
    """Return a picture of a file as networks of digits take it, (1, 3, 32, 32) in 0..1; raises DataError."""
    return from_picture(read_picture(path))[None].float() / 255


def read_picture(path: Path) -> Image.Image:
    """Read a picture; raises DataError if the file is missing or no picture that is read."""
    try:
        with Image.open(path, formats=CODEC.formats) as image:
            image.load()
            return image
    except FileNotFoundError:
        raise DataError(f"{path} does not exist; give a picture that does") from None
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError):
        raise DataError(f"{path} is no picture that can be read; give a PNG, JPEG, WebP, BMP or GIF file") from None


@dataset(DatasetInfo("texts", "Texts of your own", folders.LICENCE, inputs="text", shown=False), order=1)
def texts(request: SampleRequest) -> Samples:
    """Return the texts of a file, all of them in every split."""
    return text_set(request.facts, read_texts(str(request.source)).texts[: request.limit])
