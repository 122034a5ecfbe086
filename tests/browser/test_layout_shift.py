"""Pages stay where they are while they open: what comes later has its place before."""

import pytest
from playwright.sync_api import Page

from scripts.layout_shifts import MOST, WATCH
from tests.browser.conftest import MODEL, Server, until

#: A page, its query beside the model, and what is there once it has opened.
OPENED = [
    ("/", "", ".home-canvas canvas[data-painted]"),
    ("/paths", "sample=mnist.validation.3", "#path-picture[data-painted]"),
    ("/types", "samples=30&method=pca", ".type-canvas-trained canvas[data-painted]"),
    ("/graphs", "", ".graph-canvas-learned canvas[data-painted]"),
]


@pytest.mark.parametrize(("path", "query", "ready"), OPENED)
def test_a_page_moves_little_while_it_opens(
    page: Page, server: Server, circuit: str, path: str, query: str, ready: str
) -> None:
    page.add_init_script(WATCH)
    model = circuit if path == "/graphs" else MODEL
    page.goto(f"{server.url}{path}" + (f"?model={model}&{query}" if path != "/" else ""))
    page.wait_for_selector(ready)
    until(page, "() => window.shifts.length > 0")  # the browser reports them
    page.wait_for_timeout(1_000)
    shifts = page.evaluate("window.shifts")
    assert sum(shift["value"] for shift in shifts) < MOST, shifts
