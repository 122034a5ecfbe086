"""The data set and the codecs from outside are registered while these tests run."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from routescope.data import register_dataset
from routescope.data.catalogue import REGISTERED
from routescope.data.kinds.kind import register_kind
from tests.leaving import no_models_left
from tests.outside.symbols import FULL, INFO, PLAIN, circle


@pytest.fixture(scope="package", autouse=True)
def _circle() -> Iterator[None]:
    register_dataset(INFO, circle)
    register_kind(FULL)
    yield
    register_kind(PLAIN)
    del REGISTERED[INFO.name]


@pytest.fixture(scope="module", autouse=True)
def _no_models_left(_own_data_folder: Path) -> Iterator[None]:
    with no_models_left(_own_data_folder):
        yield
