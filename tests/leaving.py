"""What a file of tests leaves behind for the next ones that its process runs: no models."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def no_models_left(data: Path) -> Iterator[None]:
    """Models that are saved below the data folder meanwhile are deleted in the end.

    Others list every model there is: with one that earlier tests left they would find another number of them, or data
    sets that no page offers.
    """
    folder = data / "checkpoints"
    before = set(folder.glob("*"))
    yield
    for path in set(folder.glob("*")) - before:
        shutil.rmtree(path)
