"""A file of tests leaves no models for the next files that its process runs."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from routescope.zoo import catalogue, opened


@contextmanager
def no_models_left(data: Path) -> Iterator[None]:
    """Delete models that are saved below the data folder meanwhile, and forget folders that are opened.

    Other tests list every model: a model that earlier tests left would change their number, and the data sets that
    pages offer.
    """
    folder = data / "checkpoints"
    before = set(folder.glob("*"))
    yield
    for path in set(folder.glob("*")) - before:
        shutil.rmtree(path)
    catalogue.forget()
    opened.use(())
