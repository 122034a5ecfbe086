"""The server answers 404 at addresses of no page, and 200 at pages and their files."""

import httpx
import pytest

from routescope_app.dashboard import PAGES


@pytest.mark.parametrize("path", ["/path", "/paths/9", "/nothing.html", "/Samples", "/%3Cscript%3E", "/app"])
def test_an_address_of_nothing_is_404_with_the_page_that_says_so(page: httpx.Client, path: str) -> None:
    answer = page.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html") and "rs-pages" in answer.text


def test_pages_and_what_they_fetch_are_no_404(page: httpx.Client) -> None:
    paths = [*(shown.path for shown in PAGES), "/paths/", "/api/docs", "/_dash-layout", "/assets/stubs.js"]
    assert {path: page.get(path).status_code for path in paths} == dict.fromkeys(paths, 200)
    assert page.get("/api/nothing").headers["content-type"] == "application/problem+json"
