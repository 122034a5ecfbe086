"""What the server makes of addresses: links of 0.5 to its first page, and addresses that are no page's."""

from collections.abc import Iterator

import httpx
import pytest

from routescope_app.dashboard import PAGES
from tests.app.serving import listening, settings

SAID = "model=ni-digits&sample=mnist.validation.4&set=mnist&label=7&wrong=1&s=a%20b%26c&empty=&twice=1&twice=2"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Of a real server: Dash answers all addresses only there."""
    given = settings(tmp_path_factory.mktemp("addresses"), role="all")
    with listening(given) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as asking:
        yield asking


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_link_to_the_first_page_of_0_5_leads_to_samples_with_all_that_it_says(
    client: httpx.Client, method: str
) -> None:
    answer = client.request(method, "/?" + SAID)
    assert (answer.status_code, answer.headers["location"]) == (307, "/samples?" + SAID)
    assert "content-security-policy" in answer.headers
    assert client.get("/?" + SAID, follow_redirects=True).status_code == 200


@pytest.mark.parametrize(
    "query", ["//evil.example", "x=%0d%0aSet-Cookie:%20a=b", "next=https://evil.example", "%5Cevil"]
)
def test_hostile_queries_stay_queries_of_ours(client: httpx.Client, query: str) -> None:
    answer = client.get("/?" + query)
    assert answer.headers["location"] == "/samples?" + query
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("path", ["/path", "/paths/9", "/nothing.html", "/Samples", "/%3Cscript%3E", "/app"])
def test_an_address_of_nothing_is_404_with_the_page_that_says_so(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html") and "rs-pages" in answer.text


def test_pages_and_what_they_fetch_are_no_404(client: httpx.Client) -> None:
    paths = [*(page.path for page in PAGES), "/paths/", "/api/docs", "/_dash-layout", "/assets/stubs.js"]
    assert {path: client.get(path).status_code for path in paths} == dict.fromkeys(paths, 200)
    assert client.get("/api/nothing").headers["content-type"] == "application/problem+json"
