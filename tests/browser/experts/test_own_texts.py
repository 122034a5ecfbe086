"""A text that a person types or brings as a file becomes a sample, is scored, and opens on Paths."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import MODEL, Server, until
from tests.browser.looks import begin, check_looks

EXPERTS = "moe-bytes"


@pytest.mark.slow
def test_a_text_is_typed_scored_opened_and_deleted(page: Page, server: Server) -> None:
    begin(page)
    page.goto(server.address("/samples", model=EXPERTS, source="own"))
    expect(page.locator("#drawing-pad")).to_be_hidden()
    page.fill("#bring-typed", "12 + 30 = 42\n")
    page.click("#bring-send")
    until(page, "() => /sample=[0-9a-f]{32}/.test(location.search)")
    expect(page.locator("#sample-score")).to_contain_text("bits a byte")
    expect(page.locator("#chosen-sample")).to_have_text("12 + 30 = 42")
    expect(page.locator("#gallery .table-card")).to_have_count(1)
    link = page.locator("#sample-facts a", has_text="Its path")
    assert "/paths?" in (link.get_attribute("href") or "")
    check_looks(page, "#panel-bring", "#panel-sample")
    file = {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"def f(x): return x\n"}
    page.set_input_files("#bring-file", [file])
    expect(page.locator("#gallery .table-card")).to_have_count(2)
    expect(page.locator("#chosen-sample")).to_have_text("notes.txt")
    page.set_input_files("#bring-file", [{**file, "buffer": b"\xff\xfe\x00"}])
    expect(page.locator("#bring-said")).to_contain_text("not UTF-8 text")
    page.click("#sample-delete")
    expect(page.locator("#gallery .table-card")).to_have_count(1)
    page.goto(server.address("/samples", model=MODEL))
    expect(page.locator("#drawing-pad")).to_be_visible()
    expect(page.locator("#bring-typed")).to_be_hidden()


def test_what_is_typed_while_a_text_is_on_its_way_stays(page: Page, server: Server) -> None:
    page.goto(server.address("/samples", model=EXPERTS))
    page.fill("#bring-typed", "1 + 2 = 3\n")
    held: list[Route] = []
    page.route("**/samples/written", lambda route: held.append(route))
    with page.expect_request("**/samples/written"):
        page.click("#bring-send")
    page.fill("#bring-typed", "4 + 5 = 9\n")
    held[0].continue_()
    expect(page.locator("#bring-said")).to_contain_text("Added: ")
    expect(page.locator("#bring-typed")).to_have_value("4 + 5 = 9\n")
