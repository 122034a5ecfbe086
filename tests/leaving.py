"""Remove models that a file of tests saved, before the next file of the same process."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from routescope.zoo import catalogue, opened


@contextmanager
def no_models_left(data: Path) -> Iterator[None]:
    """Delete models that are saved below the data folder inside this context, and forget opened folders.

    Other tests list all models and the data sets that pages offer.
    """
    folder = data / "checkpoints"
    before = set(folder.glob("*"))
    yield
    for path in set(folder.glob("*")) - before:
        shutil.rmtree(path)
    catalogue.forget()
    opened.use(())
