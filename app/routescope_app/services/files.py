"""Files that are written to disk completely before a call returns."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO


def write_durably(path: Path, content: bytes) -> None:
    """Write the file all or nothing; after the return it survives a crash of the machine."""
    _durably(path, lambda file: file.write(content))


def copy_durably(path: Path, source: Path) -> None:
    """Like ``write_durably``, with the content of another file of any size."""
    with source.open("rb") as opened:
        _durably(path, lambda file: shutil.copyfileobj(opened, file))


def _durably(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".partial", delete=False) as file:
        try:
            write(file)
            file.flush()
            os.fsync(file.fileno())
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Write the entries of a folder to disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
