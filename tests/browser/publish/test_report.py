"""A figure's code in the clipboard, and a report of several pages in one self-contained file."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.browser.conftest import MODEL, Server, until
from tests.browser.looks import check, check_looks, fits

DIALOG = ".report-dialog"


def add(page: Page, panel: str, count: int) -> None:
    """Put a panel into the report by its menu."""
    page.click(f"#{panel}-export")
    page.click(f'[data-report="{panel}"]')
    expect(page.locator(".report-button")).to_have_attribute(
        "aria-label", f"Report: {count} panel{'s' if count > 1 else ''}"
    )
    expect(page.locator(f"#{panel}-export")).to_be_focused()


def titles(page: Page) -> list[str]:
    return page.locator(f"{DIALOG} .report-panels h3").all_inner_texts()


@pytest.mark.slow
def test_code_is_copied_and_a_report_of_two_pages_saved(
    open_paths: Callable[..., Page], server: Server, circuit: str, browser: Browser, tmp_path: Path
) -> None:
    page = open_paths(mute="f2")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("#path-export")
    page.click('[data-panel="path"][data-export="python"]')
    expect(page.get_by_text("Code copied", exact=True)).to_be_visible()
    expect(page.locator("#path-export")).to_be_focused()
    code = page.evaluate("routescope.figures.codeOf(routescope.figures.figure('path'))")
    assert 'mute=("f2",)' in code and page.evaluate("navigator.clipboard.readText()").strip() == code.strip()
    assert page.locator(".report-button").count() == 0
    add(page, "path", 1)
    add(page, "patches", 2)
    page.goto(server.address("/graphs", model=circuit, samples=12))
    until(page, "() => window.routescope?.figures?.figure('graph-degrees')")
    page.wait_for_selector("#plot-graph-degrees canvas[data-painted]")
    add(page, "graph-degrees", 3)  # what other pages gave is there
    add(page, "graph-statistics", 4)

    page.click(".report-button")
    expect(page.locator(f"{DIALOG} li")).to_have_count(4)
    assert [title.split(". ")[1] for title in titles(page)] == [
        "Computational path", "Patches", "Degree distribution", "Learned and prior",
    ]  # fmt: skip
    page.get_by_label("Title", exact=True).fill("Two <networks>")
    page.get_by_role("button", name="Up: Patches").click()
    expect(page.get_by_role("button", name="Up: Patches")).to_be_focused()
    page.get_by_role("button", name="Take out: Learned and prior").click()
    expect(page.locator("[data-report-undo]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(f"{DIALOG} li")).to_have_count(4)
    page.get_by_role("button", name="Take out: Learned and prior").click()
    page.locator(f"{DIALOG} textarea").first.fill("Look <b>here</b>\nand there")
    assert [title.split(". ")[1] for title in titles(page)] == ["Patches", "Computational path", "Degree distribution"]
    check_looks(page, DIALOG)
    with page.expect_download() as coming:
        page.get_by_role("button", name="Save report, HTML").click()
    file = tmp_path / coming.value.suggested_filename
    assert file.name == "Two-networks-.html"
    coming.value.save_as(file)
    page.keyboard.press("Escape")
    expect(page.locator(DIALOG)).to_have_count(0)

    read(browser, file)

    page.reload()  # it is kept
    page.click(".report-button")
    expect(page.locator(f"{DIALOG} textarea").first).to_have_value("Look <b>here</b>\nand there")
    for _ in range(3):
        page.locator(f'{DIALOG} [data-act="remove"]').first.click()
    expect(page.get_by_text("No panels yet", exact=False)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".report-button")).to_have_count(0)


def read(browser: Browser, file: Path) -> None:
    """Open the file without a network: no requests, no console messages, no findings of axe."""
    context = browser.new_context(offline=True, java_script_enabled=True)
    asked, said = list[str](), list[str]()
    report = context.new_page()

    def hear(message: ConsoleMessage) -> None:
        said.append(message.text)

    report.on("request", lambda request: asked.append(request.url))
    report.on("console", hear)
    report.goto(file.as_uri())
    assert [request for request in asked if not request.startswith("data:")] == [file.as_uri()] and said == []
    assert report.title() == "Two <networks>"
    assert report.locator("section").count() == 3 and report.locator("section svg").count() >= 3
    assert report.locator(".note").inner_text() == "Look <b>here</b>\nand there"
    assert report.locator("script, section b").count() == 0
    ids = report.evaluate("Array.from(document.querySelectorAll('[id]'), each => each.id)")
    assert len(ids) == len(set(ids)), "each picture has names of its own"
    words = report.locator("section").nth(1).inner_text()
    assert "under intervention: f2 muted" in words and f"Model {MODEL}, revision" in words
    assert "As it was on" in words
    assert report.locator("section a").first.get_attribute("href").startswith("http://127.0.0.1")  # type: ignore[union-attr]
    schemes: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
    for scheme in schemes:
        report.emulate_media(color_scheme=scheme)
        report.locator("summary").first.click()
        check(report)
    report.set_viewport_size({"width": 390, "height": 844})
    assert fits(report)
    context.close()
