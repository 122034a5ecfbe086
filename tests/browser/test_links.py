"""Links that people kept from version 0.5 open in the browser, over a data folder of 0.5, and show what they say.

What the server reads of every parameter is in tests/upgrade/test_links.py; a console error fails a test by itself.
"""

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from routescope_app.dashboard import PAGES
from routescope_app.services.engine.threads import Priority
from tests.browser.conftest import Hold, Server, served
from tests.upgrade.test_links import LINKS, MOVED

PACKED = Path(__file__).parents[1] / "upgrade" / "data_0_5.zip"
TITLES = {page.path: page.title for page in PAGES}
#: What is there once a page has found its model and its sample.
OPENED = {
    "/samples": ".page-samples #gallery",  # which may wait for what the model gets wrong
    "/paths": "#path-picture[data-painted]",
    "/drop": "[data-drop-unit]",
    "/types": "[data-type-unit]",
    "/graphs": "#graph-picture-learned[data-painted]",
    "/observe": "[data-observe-unit]",
    "/circuits": ".page-circuits canvas[data-painted]",
    "/blocks": ".page-blocks canvas[data-painted]",
}


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server over a copy of the folder."""
    folder = tmp_path_factory.mktemp("upgraded")
    with zipfile.ZipFile(PACKED) as packed, pytest.MonkeyPatch.context() as patch:
        packed.extractall(folder)
        patch.setenv("ROUTESCOPE_DATA_DIR", str(folder))
        with served(folder) as running:
            yield running


@pytest.mark.parametrize("entry", LINKS, ids=[each["link"][:60] for each in LINKS])
def test_a_link_opens(page: Page, upgraded: Server, hold: Hold, entry: dict[str, Any]) -> None:
    hold.at(Priority.JOB, pieces=0)  # what takes long is asked for and not computed
    page.goto(upgraded.url + entry["link"])
    parts = urlsplit(entry["link"])
    path = MOVED.get(parts.path, parts.path)
    assert urlsplit(page.url).path == path
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    expect(page.locator("h1")).to_have_text(TITLES[path])
    page.wait_for_selector(OPENED[path])
    expect(page.locator("#model-select")).to_have_value(query["model"])
    if "sample" in query:
        expect(page.locator(f'#chosen-sample img[src*="{query["sample"]}"]')).to_be_visible()
    if path == "/samples":
        expect(page.locator("#gallery-wrong")).to_be_checked(checked=entry["read"].get("wrong", False))
    dropped = page.locator('[aria-pressed="true"][data-state="dropped"]')
    if path in {"/types", "/observe"}:
        expect(dropped).to_have_count(len(entry["read"].get("drop", ())))
    read = {field["name"] for each in PAGES if each.path == path for field in each.address}
    assert set(parse_qs(urlsplit(page.url).query)) <= read  # also what the page itself has written by now
    expect(page.locator("[role=alert]:visible, .mantine-Notification-root")).to_have_count(0)
