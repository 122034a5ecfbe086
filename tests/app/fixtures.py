"""A small model and a served app for every test of the service: what the folders of such tests share."""

from collections.abc import AsyncIterator, Iterator
from functools import cache
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from routescope.data import catalogue, known_datasets
from tests.app import serving


@pytest.fixture(scope="package", autouse=True)
def _made_once() -> Iterator[None]:
    """The data sets that are made anew for whoever asks are made once, though each app has a gallery of its own.

    Until the package's last test: how they are made is what others test.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name in set(known_datasets()) & {"scenes", "street-digits"}:
            entry = catalogue._registered[name]
            patch.setitem(catalogue._registered, name, entry._replace(make=cache(entry.make)))
        yield


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


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    """The same for all cases of a module that are refused, and change nothing of it: an app of its own costs more.

    A test that asks for it runs in the loop of its module: ``@pytest.mark.asyncio(loop_scope="module")``.
    """
    async with serving.serving(serving.settings(tmp_path_factory.mktemp("shared"))) as client:
        yield client
