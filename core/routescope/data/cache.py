"""Keep arrays that take long to make on disk, under the hash of their parameters."""

import hashlib
import json
import math
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Shaped

from routescope.assets import data_dir

Arrays = dict[str, np.ndarray]

#: Raise it when what is stored changes its meaning; older files are then never read again.
LAYOUT = 1


def cache_path(family: str, parameters: Mapping[str, Any]) -> Path:
    """Return the path of the arrays of a family that were made with these parameters, which JSON can hold."""
    text = json.dumps({"layout": LAYOUT, **parameters}, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(text.encode()).hexdigest()[:20]
    return data_dir() / "cache" / "arrays" / f"{family}-{digest}.npz"


def cached(family: str, parameters: Mapping[str, Any], make: Callable[[], Arrays]) -> Arrays:
    """Return the arrays that ``make()`` returns, from disk where they were made before.

    Args:
        family: first part of the file's name, for people who look into the folder.
        parameters: everything that the arrays depend on, as plain data; its hash is the key.
        make: makes the arrays; called when there is no file, or one that cannot be read whole.

    A damaged file (zip checksums cover every byte of the arrays) is made anew. A folder that cannot be written to costs
    time, never the result.
    """
    path = cache_path(family, parameters)
    arrays = _read(path)
    if arrays is None:
        arrays = make()
        _write(path, arrays)
    return arrays


def mapped(
    family: str,
    parameters: Mapping[str, Any],
    shape: tuple[int, ...],
    fill: Callable[[np.ndarray], None],
    dtype: type[np.generic] = np.uint8,
) -> Shaped[np.ndarray, "..."]:
    """Return an array that ``fill`` writes, as a file that is mapped into memory.

    Args:
        family, parameters: as in ``cached``.
        fill: writes every number; called when there is no file of that shape and format.
        dtype: of the numbers.

    The file appears whole or not at all; what is written into the array that is returned stays in memory.

    Raises:
        OSError: no room for the file, or a folder that cannot be written to.
    """
    path = cache_path(family, parameters).with_suffix(".npy")
    try:
        stored: np.ndarray = np.load(path, mmap_mode="c", allow_pickle=False)
        if stored.shape == shape and stored.dtype == dtype:
            return stored
    except (OSError, ValueError):  # none, or one that is damaged
        pass
    path.parent.mkdir(parents=True, exist_ok=True)
    need, free = math.prod(shape) * np.dtype(dtype).itemsize, shutil.disk_usage(path.parent).free
    if need > free:  # a file with holes would be made, and end the process where it is written to
        raise OSError(f"{need / 2**30:.1f} GiB are needed in {path.parent}, which has {free / 2**30:.1f} GiB left")
    with tempfile.TemporaryDirectory(dir=path.parent, suffix=".partial") as folder:
        partial = Path(folder) / path.name
        written = np.lib.format.open_memmap(partial, "w+", dtype, shape)
        fill(written)
        written.flush()
        del written
        partial.replace(path)
    kept: np.ndarray = np.load(path, mmap_mode="c", allow_pickle=False)
    return kept


def _read(path: Path) -> Arrays | None:
    try:
        with np.load(path, allow_pickle=False) as stored:
            return {key: stored[key] for key in stored.files}
    except Exception:  # a damaged file may fail in zipfile, in zlib or in numpy's reading of a header
        return None


def _write(path: Path, arrays: Arrays) -> None:
    """Write the whole file or nothing: a temporary file beside the target, then one rename."""
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".partial", delete=False) as file:
            temporary = file.name
            np.savez(file, **arrays)  # type: ignore[arg-type]
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except OSError:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
