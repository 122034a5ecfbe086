"""The data set from outside is registered while these tests run; elsewhere there is no such set."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from routescope.data.catalogue import dataset, unregister
from tests.leaving import no_models_left
from tests.outside.symbols import INFO, circle


@pytest.fixture(scope="package", autouse=True)
def _circle() -> Iterator[None]:
    dataset(INFO)(circle)
    yield
    unregister(INFO.name)


@pytest.fixture(scope="module", autouse=True)
def _no_models_left(_own_data_folder: Path) -> Iterator[None]:
    with no_models_left(_own_data_folder):
        yield
