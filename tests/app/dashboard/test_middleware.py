"""The server answers 404 at addresses of no page, and 200 at pages and their files."""

from collections.abc import Iterator

import httpx
import pytest

from routescope_app.dashboard import PAGES
from tests.app.serving import listening, settings


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Of a real server: Dash answers all addresses only there."""
    given = settings(tmp_path_factory.mktemp("addresses"), role="all")
    with listening(given) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as asking:
        yield asking


@pytest.mark.parametrize("path", ["/path", "/paths/9", "/nothing.html", "/Samples", "/%3Cscript%3E", "/app"])
def test_an_address_of_nothing_is_404_with_the_page_that_says_so(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html") and "rs-pages" in answer.text


def test_pages_and_what_they_fetch_are_no_404(client: httpx.Client) -> None:
    paths = [*(page.path for page in PAGES), "/paths/", "/api/docs", "/_dash-layout", "/assets/stubs.js"]
    assert {path: client.get(path).status_code for path in paths} == dict.fromkeys(paths, 200)
    assert client.get("/api/nothing").headers["content-type"] == "application/problem+json"
