"""Data in the forms that people have: names of data sets, files, texts and arrays, as samples for networks."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from PIL import Image
from torch import Tensor

from routescope.api import names
from routescope.api.models import Model, open
from routescope.data import in_words, known_datasets, load, options_for, parse_sources
from routescope.data.files import ACCEPTED, Reads, is_source, read_samples, read_texts, source_of
from routescope.data.kinds.kind import kind_of
from routescope.data.pictures.sizing import from_picture
from routescope.data.samples import DataError, Samples, check_limit
from routescope.data.sequences.sets import SequenceSet
from routescope.data.statements.features import with_features
from routescope.data.text.sets import own_texts
from routescope.nn.inputs.kind import Inputs
from routescope.nn.inputs.statements import Statements
from routescope.nn.inputs.text import Text
from routescope.nn.network import Network
from routescope.routing.progress import Progress as Steps

#: Data to score on: a data set, its name (``NAME`` or ``NAME=SOURCE``), a file, a folder, or texts.
Data = Samples | str | Path | Sequence[str]
#: Samples to record: as ``Data``, or what a network takes, arrays and pictures.
AnySamples = Data | Inputs | Tensor | np.ndarray | Image.Image
Progress = Callable[[int, int], None]
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


def dataset(data: Data, split: str = "validation", limit: int | None = None, *, model: Model | None = None) -> Samples:
    """Load a data set by its name, or make one of your own texts and pictures.

    ::

        digits = rs.dataset("mnist", limit=200)
        reviews = rs.dataset("reviews.jsonl", model="moe-bytes")  # scored as texts of the model's first domain

    Args:
        data: a name of ``rs.datasets()``, also with the source of a real set (``"mnist=FOLDER"``); a .jsonl, .csv,
            .tsv or .parquet file with a column "text", and perhaps "label" and "domain"; a .txt, .md or .py file, which
            is one text; a folder with a folder of pictures for each class; or texts. Other columns are named after the
            file: ``"reviews.csv?text=body&label=stars"``.
        limit: only the first so many samples.
        model: the network to score: pictures get its size and its classes; your own texts and pictures belong to its
            first domain and need it.

    Raises:
        DataError: no such data set, split or file, a file without texts or of several domains; the message says what
            is accepted.
    """
    if isinstance(data, Samples):
        check_limit(limit)
        return data if limit is None else data.take(slice(limit))
    network = None if model is None else open(model)
    if network is not None and isinstance(data, str):
        data = data.removeprefix("texts=")
    name = data.partition("=")[0].strip() if isinstance(data, str) else ""
    if isinstance(data, str) and name in known_datasets():
        source = parse_sources([data]).get(name) if "=" in data else None
        options = {} if network is None or name not in network.config.domains else options_for(network.config, name)
        return load(name, split, source=source, limit=limit, **options)
    if isinstance(data, str) and not is_source(data):
        raise DataError(
            f"there is no data set {data[:40]!r}; there are {in_words(known_datasets())}, or give a list of texts, or "
            f"a file or folder: {ACCEPTED}"
        )
    if network is None:
        raise DataError("your own data are scored by a model: give model=, such as model='moe-bytes'")
    sets = _own(network, data, limit)
    if len(sets) > 1:
        found = ", ".join(samples.domain for samples in sets)
        raise DataError(f"{data} has rows of {found}: choose one, as {data}?only={sets[0].domain}")
    return sets[0]


def _reads(network: Network) -> Reads:
    config = network.config
    return Reads(network.inputs, config.domains, config.class_names, config.picture_side)


def _own(network: Network, data: Any, limit: int | None) -> list[Samples]:
    """Return a file, a folder or texts as samples, one set for each domain."""
    if is_source(data):
        return read_samples(data, _reads(network), limit)
    if network.inputs is not Text:
        raise DataError("texts are scored by a model that reads texts: give model=, such as model='moe-bytes'")
    check_limit(limit)
    return [own_texts(list(data)[:limit], network.config.domains[0])]


def is_name(data: str) -> bool:
    """Return whether a string names a data set: ``python`` or ``mnist=FOLDER``."""
    name, equals, source = data.partition("=")
    return name.strip() in known_datasets() and "\n" not in data and (not equals or bool(source.strip()))


def datasets_of(
    network: Network,
    data: Data | Sequence[Data] | None,
    split: str,
    limit: int | None,
    *,
    first: bool = False,
    progress: Progress | None = None,
) -> list[Samples]:
    """Return data sets for the heads of a network.

    Args:
        data: names with commas between, one data set or several, a file or texts; None: the network's domains.
        first: None stands for the first domain only.
        progress: called with (samples encoded, samples in all), for pictures and sentences that are encoded once.

    Raises:
        DataError: no such data set or file, a data set without a head, or sequences that the network cannot read whole.
    """
    domains = network.config.domains
    sets: list[Samples] = []
    for part in _parts(domains[: 1 if first else None], data):
        named = isinstance(part, Samples) or (isinstance(part, str) and not is_source(part))
        sets += [dataset(part, split, limit, model=network)] if named else _own(network, part, limit)
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
        data = data.removeprefix("texts=")
        parts = list(names(data))
        return [data] if is_source(data) or ("=" in data and not all(map(is_name, parts))) else [*parts]
    if isinstance(data, Samples | Path):
        return [data]
    several: list[Any] = list(data)
    texts = several and all(isinstance(part, str) and not is_name(part) and not is_source(part) for part in several)
    return [several] if texts else several


def inputs_of(
    network: Network, samples: AnySamples, split: str = "validation", limit: int | None = None
) -> tuple[Inputs, Samples | None]:
    """Return the inputs of a network, and their data set if they come from one.

    Raises:
        DataError: samples of another kind than the network reads, or no such data set, split or file.
    """
    if isinstance(samples, str) and is_name(samples):
        samples = dataset(samples, split, FEW if limit is None else limit, model=network)
    try:
        if isinstance(samples, Samples):
            chosen = dataset(samples, split, limit)
            return network.as_inputs(chosen.inputs(slice(None))), chosen
        return network.as_inputs(_made(network, samples))[slice(limit)], None
    except (TypeError, ValueError) as error:
        raise error if isinstance(error, DataError) else DataError(str(error)) from error


def _made(network: Network, samples: Any) -> Any:
    """Return a batch of a text, a picture, an array or a file; other objects as they are."""
    kind = kind_of(network.inputs)
    if is_source(samples):
        path = source_of(samples).path
        if kind.picture is not None:
            (pictures,) = read_samples(samples, _reads(network), labelled=False)
            return pictures.inputs(slice(None))
        if kind.batch is Text:
            return Text(read_texts(samples).texts)
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
        if parts and all(isinstance(part, Image.Image) or is_source(part) for part in parts):
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
