"""A running service with its page, shared by all tests that only read it."""

from collections.abc import Iterator

import httpx
import pytest

from tests.app.serving import listening, settings


@pytest.fixture(scope="package")
def page(tmp_path_factory: pytest.TempPathFactory, _tiny_model: None) -> Iterator[httpx.Client]:
    """A client of a real server: Dash answers all addresses only there."""
    chosen = settings(tmp_path_factory.mktemp("page"), role="all")
    with listening(chosen) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        yield client
