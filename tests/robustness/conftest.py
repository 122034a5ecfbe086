"""A small model and a served app for every test of the service."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.app import serving


@pytest.fixture(scope="session", autouse=True)
def _tiny_model(_own_data_folder: Path) -> None:
    serving.make_model()
    serving.make_circuit()
    serving.make_statements()
    serving.make_all_blocks()


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an API over an empty folder."""
    async with serving.serving(serving.settings(tmp_path)) as client:
        yield client
