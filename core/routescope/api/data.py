"""Data in the forms that people have: names of data sets, files, texts and arrays, as samples for networks."""

import io
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from PIL import Image, UnidentifiedImageError
from torch import Tensor

from routescope.api import names
from routescope.api.models import Model, open
from routescope.data import SequenceSet, in_words, known_datasets, load, options_for, parse_sources
from routescope.data.dataset import DataError, LabelledSamples, check_limit
from routescope.data.kinds.kind import kind_of
from routescope.data.kinds.pictures import CODEC
from routescope.data.pictures.digits import from_picture
from routescope.data.statements.features import with_features
from routescope.data.text.sets import own_texts
from routescope.files import UndecodableText, decoded
from routescope.nn.inputs.kind import Inputs
from routescope.nn.inputs.statements import Statements
from routescope.nn.inputs.text import Text
from routescope.nn.network import Network
from routescope.routing.progress import Progress as Steps

#: Data to score on: a data set, its name (``NAME`` or ``NAME=SOURCE``), a file of texts, or texts.
Data = LabelledSamples | str | Path | Sequence[str]
#: Samples to record: as ``Data``, or a network's inputs, arrays and pictures.
Samples = Data | Inputs | Tensor | np.ndarray | Image.Image
Progress = Callable[[int, int], None]
#: Ends of the names of files with a text in each row, and how pandas reads them.
TABLES: dict[str, tuple[Callable[..., pd.DataFrame], dict[str, Any]]] = {
    ".jsonl": (pd.read_json, {"lines": True, "dtype": False}),
    ".csv": (pd.read_csv, {"dtype": str, "keep_default_na": False}),
    ".tsv": (pd.read_csv, {"dtype": str, "keep_default_na": False, "sep": "\t"}),
}
#: Ends of the names of text files, each of which is one text, and of pictures.
TEXTS, PICTURES = (".txt", ".md", ".py"), (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif")
#: The column of a table that holds texts.
COLUMN = "text"
#: Points or lines of a file that is one sample.
MOST_ROWS = 100_000
#: Samples of a data set that are recorded by default.
FEW = 8


def without_words(progress: Progress | None) -> Steps | None:
    """Return a callback for long computations, which also report words; the words are left out."""
    return None if progress is None else lambda done, total, what: progress(done, total)


def datasets() -> pd.DataFrame:
    """List the data sets by name.

    ::

        rs.datasets().loc["python"]

    Returns:
        A row for each name: title, inputs (the kind of sample), splits with their sizes, stand_in_for and licence.
        Without splits, a data set is read from your folder: NAME=FOLDER.
    """
    rows = [
        {
            "name": info.name,
            "title": info.title,
            "inputs": info.inputs,
            "splits": ", ".join(f"{split} {size:,}" for split, size in info.splits.items()),
            "stand_in_for": info.stand_in_for or "",
            "licence": info.licence,
        }
        for info in known_datasets().values()
    ]
    return pd.DataFrame(rows).set_index("name")


def dataset(
    data: Data, split: str = "validation", limit: int | None = None, *, model: Model | None = None
) -> LabelledSamples:
    """Load a data set by its name, or make one of your own texts.

    ::

        digits = rs.dataset("mnist", limit=200)
        reviews = rs.dataset("reviews.jsonl", model="moe-bytes")  # scored as texts of the model's first domain

    Args:
        data: a name of ``rs.datasets()``, also with the source of a real set (``"mnist=FOLDER"``); a .jsonl, .csv or
            .tsv file with a column "text"; a .txt, .md or .py file, which is one text; or texts.
        limit: only the first so many samples.
        model: the network to score: pictures get its size and its classes, and texts belong to its first domain.
            Texts need a model.

    Raises:
        DataError: no such data set, split or file, or a file without texts; the message says what is accepted.
    """
    if isinstance(data, LabelledSamples):
        check_limit(limit)
        return data if limit is None else data.take(slice(limit))
    network = None if model is None else open(model)
    name = data.partition("=")[0].strip() if isinstance(data, str) else ""
    if isinstance(data, str) and name in known_datasets():
        source = parse_sources([data]).get(name) if "=" in data else None
        options = {} if network is None or name not in network.config.domains else options_for(network.config, name)
        return load(name, split, source=source, limit=limit, **options)
    if isinstance(data, str) and not is_file(data):
        raise DataError(
            f"there is no data set {data[:40]!r}; there are {in_words(known_datasets())}, or give a file of texts "
            f"({', '.join([*TABLES, *TEXTS])}), or a list of texts"
        )
    if network is None or network.inputs is not Text:
        raise DataError("texts are scored by a model that reads texts: give model=, such as model='moe-bytes'")
    texts = texts_of(Path(data)) if isinstance(data, str | Path) else list(data)
    check_limit(limit)
    return own_texts(texts[:limit], network.config.domains[0], title=str(data) if is_file(data) else "own texts")


def is_name(data: str) -> bool:
    """Return whether a string names a data set: ``python`` or ``mnist=FOLDER``."""
    name, equals, source = data.partition("=")
    return name.strip() in known_datasets() and "\n" not in data and (not equals or bool(source.strip()))


def is_file(data: object) -> bool:
    """Return whether data is a path, or a string with the ending of a known kind of file."""
    named = isinstance(data, str) and re.fullmatch(r"[^\n]+\.\w+", data) is not None
    return isinstance(data, Path) or (named and Path(str(data)).suffix.lower() in (*TABLES, *TEXTS, *PICTURES))


def texts_of(path: Path) -> list[str]:
    """Return the texts of a file: the column "text" of a table, or the whole of a text file.

    Raises:
        DataError: no such file, another kind of file, or a file without text; the message says which files are read.
    """
    suffix = path.suffix.lower()
    if suffix not in (*TABLES, *TEXTS):
        accepted = ", ".join([*TABLES, *TEXTS])
        raise DataError(f"{path.name} is no file of texts: files of texts end with {accepted}")
    try:
        text = decoded(path.read_bytes())
    except FileNotFoundError:
        raise DataError(f"there is no file {path}: give a file that exists, or a list of texts") from None
    except UndecodableText as error:
        raise DataError(f"{path.name}: {error}") from error
    if suffix in TEXTS:
        texts: list[Any] = [text]
    else:
        read, options = TABLES[suffix]
        try:
            table = read(io.StringIO(text), **options)
        except ValueError as error:
            raise DataError(f"{path.name} is no {suffix} table with a header: {error}") from error
        if COLUMN not in table:
            columns = ", ".join(map(str, table.columns[:8])) or "nothing"
            raise DataError(f"{path.name} has no column {COLUMN!r}; it has {columns}: name the column of texts so")
        texts = table[COLUMN].tolist()
    wrong = next((row for row, value in enumerate(texts, start=1) if not isinstance(value, str)), None)
    if wrong is not None:
        raise DataError(f"{path.name}: the text of row {wrong} is no string: every row needs a text")
    if not any(value.strip() for value in texts):
        raise DataError(f"{path.name} has no text: give a file with at least one visible character")
    return texts


def datasets_of(
    network: Network,
    data: Data | Sequence[Data] | None,
    split: str,
    limit: int | None,
    *,
    first: bool = False,
    progress: Progress | None = None,
) -> list[LabelledSamples]:
    """Return data sets for the heads of a network.

    Args:
        data: names with commas between, one data set or several, a file or texts; None: the network's domains.
        first: None stands for the first domain only.
        progress: called with (samples encoded, samples in all), for pictures and sentences that are encoded once.

    Raises:
        DataError: no such data set or file, a data set without a head, or sequences that the network cannot read whole.
    """
    domains = network.config.domains
    sets = [dataset(part, split, limit, model=network) for part in _parts(domains[: 1 if first else None], data)]
    missing = [samples.domain for samples in sets if samples.domain not in domains]
    if missing or not sets:
        lacking = ", ".join(missing) or "nothing"
        raise DataError(f"{network.id} has no head for {lacking}; it has {', '.join(domains)}")
    for samples in sets:
        if isinstance(samples, SequenceSet) and (longest := int(samples.lengths.max())) > len(network.tokens):
            fits = int((samples.lengths <= len(network.tokens)).sum())
            raise DataError(
                f"{samples.title} has sequences of up to {longest:,} symbols; {network.id} reads up to "
                f"{len(network.tokens):,}, which {fits:,} of {len(samples):,} have"
            )
    return sets if network.inputs is not Statements else [with_features(network, samples, progress) for samples in sets]


def _parts(domains: Sequence[str], data: Data | Sequence[Data] | None) -> list[Data]:
    """Split a list of names; a sequence of other strings is one data set of texts."""
    if data is None:
        return list(domains)
    if isinstance(data, str):
        parts = list(names(data))
        return [data] if is_file(data) or ("=" in data and not all(map(is_name, parts))) else [*parts]
    if isinstance(data, LabelledSamples | Path):
        return [data]
    several: list[Any] = list(data)
    texts = several and all(isinstance(part, str) and not is_name(part) and not is_file(part) for part in several)
    return [several] if texts else several


def inputs_of(
    network: Network, samples: Samples, split: str = "validation", limit: int | None = None
) -> tuple[Inputs, LabelledSamples | None]:
    """Return the inputs of a network, and their data set if they come from one.

    Raises:
        DataError: samples of another kind than the network reads, or no such data set, split or file.
    """
    if isinstance(samples, str) and is_name(samples):
        samples = dataset(samples, split, FEW if limit is None else limit, model=network)
    try:
        if isinstance(samples, LabelledSamples):
            chosen = dataset(samples, split, limit)
            return network.as_inputs(chosen.inputs(slice(None))), chosen
        return network.as_inputs(_made(network, samples))[slice(limit)], None
    except (TypeError, ValueError) as error:
        raise error if isinstance(error, DataError) else DataError(str(error)) from error


def _made(network: Network, samples: Any) -> Any:
    """Return a batch of a text, a picture, an array or a file; other objects as they are."""
    kind = kind_of(network.inputs)
    if is_file(samples):
        path = Path(samples)
        if kind.picture is not None:
            return picture(path)
        if kind.batch is Text:
            return Text(texts_of(path))
        if kind.file is not None and path.suffix.lower() in kind.file.suffixes:
            return kind.from_text(kind.file.decode(path.name, path.read_bytes(), MOST_ROWS))
        accepted = kind.file.words if kind.file is not None else f"{kind.words}, or a data set by its name"
        raise DataError(f"{network.id} does not read {path.name}: give {accepted}")
    if isinstance(samples, str) and kind.text is not None:
        return kind.from_text(samples)
    if isinstance(samples, Image.Image):
        return from_picture(samples)[None].float() / 255
    if isinstance(samples, np.ndarray):
        return _of_array(samples)
    if isinstance(samples, Iterable) and not isinstance(samples, Inputs | Tensor | str):
        parts = list(samples)
        if kind.batch is Text:
            return Text(parts)
        if parts and all(isinstance(part, Image.Image) or is_file(part) for part in parts):
            return torch.cat([torch.as_tensor(_made(network, part)) for part in parts])
    return samples


def _of_array(array: np.ndarray) -> Tensor:
    """Return an array as a tensor with the samples first; one picture has the axes (side, side, 3)."""
    if array.dtype != np.uint8:
        return torch.from_numpy(array).float()
    if array.shape[-1] not in (3, 4):
        return torch.from_numpy(array).float() / 255
    pictures = array if array.ndim == 4 else array[None]
    return torch.stack([from_picture(Image.fromarray(levels)) for levels in pictures]).float() / 255


def picture(path: Path) -> Tensor:
    """Return the picture of a file as a batch (1, 3, 32, 32) in 0..1 for networks of digits; raises DataError."""
    return from_picture(read_picture(path))[None].float() / 255


def read_picture(path: Path) -> Image.Image:
    """Read a picture.

    Raises:
        DataError: no such file, or another kind of file; the message says which files are read.
    """
    try:
        with Image.open(path, formats=CODEC.formats) as image:
            image.load()
            return image
    except FileNotFoundError:
        raise DataError(f"{path} does not exist; give a picture that does") from None
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError):
        raise DataError(f"{path} is no picture that can be read; give a PNG, JPEG, WebP, BMP or GIF file") from None
