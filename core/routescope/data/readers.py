"""Read real data sets from files or the hub with Hugging Face ``datasets``.

A source is a folder of parquet files (``train*.parquet``, ``test*.parquet``), one parquet file, alone in its folder or
not, or a name on the hub (``name`` or ``name:configuration``). Columns are ``image`` (bytes of a picture, and its path)
and ``label``.
"""

import io
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from routescope.assets import data_dir, require
from routescope.data.cache import Arrays, cached
from routescope.data.samples import DataError, NoSplit

#: How the names of the files of a split begin, the best match first.
FILE_PREFIXES = {
    "train": ("train",),
    "validation": ("validation", "valid", "val", "dev", "test"),
    "test": ("test", "validation", "valid", "val", "dev"),
}

PICTURE_FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "GIF")

#: A file whose name tells no split is cut by this seed: four fifths for training, the rest for validation.
FILE_SPLIT_SEED = 47

#: No picture of a digit set is larger (pixels).
MAX_PIXELS = 1 << 22


def read_arrays(
    family: str,
    split: str,
    source: str,
    decoded: Callable[[Any, str], Arrays],
    *,
    whole: bool = False,
    held: int | None = None,
) -> Arrays:
    """Return the arrays that ``decoded(table, source)`` makes of one split; unchanged files are read from the cache.

    Args:
        family: first part of the name of the file in the cache.
        decoded: gives arrays with a row for each of the table's.
        whole: all rows of a file whose name tells no split, instead of a part of them.
        held: how many rows of such a file are not for training (see ``DatasetInfo.held``).
    """
    files = _files(split, source)
    if files is None:
        return decoded(_from_hub(split, source), source)
    key = {"files": [stat_of(file) for file in files]}
    arrays = cached(family, key, lambda: decoded(_from_parquet(files), source))
    if not whole and len(files) == 1 and not tells_split(files[0]):
        arrays = part_of(arrays, split, held)
    return arrays


def stat_of(file: Path) -> list[str | int]:
    """Return name, size and time of change of a file, which tell whether it is the same file as before."""
    stat = file.stat()
    return [str(file), stat.st_size, stat.st_mtime_ns]


def _files(split: str, source: str) -> list[Path] | None:
    """The parquet files of a split; None when the source is not on this machine, so that it must be a hub name."""
    path = Path(source).expanduser()
    if path.is_file():
        other = tells_split(path)
        if path.suffix != ".parquet":
            raise DataError(f"{source} is not a parquet file; a source is a folder of them, one of them, or a hub name")
        if other and not path.name.startswith(FILE_PREFIXES[split]):
            raise NoSplit(f"{source} is, by its name, a {other} file; the {split} split was asked for")
        return [path]
    if not path.is_dir():
        if path.is_absolute() or source.startswith((".", "~")) or source.count("/") > 1:
            raise DataError(
                f"there is no {source}; a source is a folder of parquet files, one such file, or a hub name"
            )
        return None
    for prefix in FILE_PREFIXES[split]:
        for folder in (path, path / "data"):
            if files := sorted(folder.glob(f"{prefix}*.parquet")):
                return files
    alone = sorted(path.glob("*.parquet"))
    if len(alone) == 1 and not tells_split(alone[0]):
        return alone
    names = ", ".join(sorted(file.name for file in path.glob("*.parquet"))) or "no parquet file"
    wanted = " or ".join(f"{prefix}*.parquet" for prefix in FILE_PREFIXES[split])
    raise NoSplit(f"{source} has nothing for the {split} split: there is {names}; wanted {wanted}")


def tells_split(file: Path) -> str | None:
    """The split that a file's name begins with."""
    return next((split for split, prefixes in FILE_PREFIXES.items() if file.name.startswith(prefixes)), None)


def part_of(arrays: Arrays, split: str, held: int | None = None) -> Arrays:
    """Return four fifths of the rows for training, or the others for every other split; ``classes`` are no rows.

    Args:
        held: how many others instead, where there are at least twice as many rows.
    """
    order = np.random.default_rng(FILE_SPLIT_SEED).permutation(len(arrays["labels"]))
    border = len(order) - held if held is not None and 2 * held <= len(order) else len(order) * 4 // 5
    chosen = np.sort(order[:border] if split == "train" else order[border:])
    return {key: values if key == "classes" else values[chosen] for key, values in arrays.items()}


@contextmanager
def _quietly() -> Iterator[None]:
    """Hide the progress bars of the library."""
    import datasets

    silent = datasets.are_progress_bars_disabled()
    datasets.disable_progress_bars()
    try:
        yield
    finally:
        if not silent:
            datasets.enable_progress_bars()


def _from_parquet(files: list[Path]) -> Any:
    require("datasets")
    import datasets

    names = [str(file) for file in files]
    folder = str(data_dir() / "cache" / "datasets")
    try:
        with _quietly():
            return datasets.load_dataset("parquet", data_files=names, split="train", cache_dir=folder)
    except (datasets.exceptions.DatasetGenerationError, ValueError, OSError) as error:
        raise DataError(f"{', '.join(names)} cannot be read as parquet: {error.__cause__ or error}") from error


def _from_hub(split: str, source: str) -> Any:
    require("datasets")
    import datasets

    name, _, configuration = source.partition(":")
    try:
        splits = datasets.get_dataset_split_names(name, configuration or None)
        chosen = next((option for option in (split, *FILE_PREFIXES[split]) if option in splits), None)
        if chosen is None:
            raise NoSplit(f"{source} has the splits {', '.join(splits)}; {split} was asked for")
        folder = str(data_dir() / "cache" / "datasets")
        return datasets.load_dataset(name, configuration or None, split=chosen, cache_dir=folder)
    except DataError:
        raise
    except Exception as error:  # the hub's client raises many kinds: no such name, no network, no permission
        raise DataError(
            f"{source} is neither a folder, nor a file, nor a set that the hub gives"
            f" ({type(error).__name__}: {str(error).splitlines()[0] if str(error) else 'no reason given'})"
        ) from error


def with_labels(table: Any, source: str) -> tuple[Any, np.ndarray]:
    """Return a table with bytes and paths in cells ``image``, and its labels (row,); raises DataError if one lacks."""
    import datasets

    missing = {"image", "label"} - set(table.column_names)
    if missing:
        raise DataError(
            f"{source} has the columns {', '.join(table.column_names)}; image (bytes and path) and label are needed"
        )
    kind = table.features["image"]
    holds_bytes = isinstance(kind, datasets.Image) or (isinstance(kind, dict) and {"bytes", "path"} <= set(kind))
    if not holds_bytes:
        raise DataError(f"the column image of {source} holds {kind}; bytes of a picture and its path are needed")
    try:
        with _quietly():
            table = table.cast_column("image", datasets.Image(decode=False))
        return table, np.asarray(table["label"][:])
    except (TypeError, ValueError, NotImplementedError) as error:
        raise DataError(f"the columns of {source} are not pictures with labels: {error}") from error


def cells_of(table: Any) -> Iterator[Any]:
    """Return the cells of the column ``image``, row by row."""
    return (cell for batch in table.iter(batch_size=1000) for cell in batch["image"])


def pictures_of(table: Any, source: str) -> Iterator[Image.Image]:
    """Decode the pictures of a table, row by row; raises DataError for a cell without a picture."""
    return (decode(cell, row, source) for row, cell in enumerate(cells_of(table)))


def decode(cell: Any, row: int, source: str, most_pixels: int = MAX_PIXELS) -> Image.Image:
    """Decode the picture of a cell; raises DataError for a cell without a picture, or a picture that is too large."""
    content = cell.get("bytes") if isinstance(cell, dict) else None
    if not content:
        raise DataError(f"row {row} of {source} holds no picture: image must be bytes and path, with the bytes inside")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            picture = Image.open(io.BytesIO(content), formats=PICTURE_FORMATS)
            if picture.width * picture.height > most_pixels:
                raise DataError(f"row {row} of {source} is {picture.width} x {picture.height} pixels large")
            picture.load()
    except DataError:
        raise
    except Exception as error:  # a decoder may raise nearly anything on bad bytes
        raise DataError(f"row {row} of {source} cannot be decoded as {', '.join(PICTURE_FORMATS)}: {error}") from error
    return picture
