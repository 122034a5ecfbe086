"""Both pages for everybody: axe-core in light and dark, and a walk with keys alone."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import MODEL, Server, until
from tests.browser.looks import begin, check, fits, looks


def test_both_pages_look_right_in_both_schemes_and_on_a_phone(page: Page, server: Server) -> None:
    begin(page)
    page.goto(server.address("/samples", model=MODEL, sample="mnist-m.validation.3"))
    page.wait_for_selector('[data-key="sample"] canvas[data-painted]')
    page.wait_for_selector("#gallery .thumb")
    page.wait_for_selector("#gallery-licences p")
    for _ in looks(page):
        check(page)
        assert fits(page)
    page.goto(server.address("/paths", model=MODEL, sample="mnist-m.validation.3", mute="f1"))
    page.wait_for_selector("#path-picture[data-painted]")
    page.get_by_text("The path as a table").click()
    for _ in looks(page):
        check(page)
        assert fits(page)


def test_from_a_digit_to_a_muted_function_with_keys_alone(page: Page, server: Server) -> None:
    page.goto(server.address("/samples", model=MODEL))
    page.wait_for_selector("#gallery .thumb")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()

    def tab_to(selector: str, most: int = 60) -> None:
        for _ in range(most):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                assert outline != "none", f"{selector} has no visible focus"
                return
        raise AssertionError(f"no way to {selector} with the tab key")

    tab_to("#gallery .thumb")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("#see-path")
    until(page, "location.search.includes('sample=')")
    tab_to("#see-path")
    page.keyboard.press("Enter")
    page.wait_for_selector("#path-picture[data-painted]")
    tab_to("[data-unit-chip]")
    before = page.get_attribute("#path-picture", "data-painted")
    page.keyboard.press("Enter")
    until(page, "location.search.includes('mute=')")
    until(page, "before => document.querySelector('#path-picture').dataset.painted !== before", before)
    tab_to("#path-picture")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#patch-picture")).to_have_attribute("data-highlighted", re.compile("^cls:"))
    page.keyboard.press("Escape")
    expect(page.locator("#patch-picture")).to_have_attribute("data-highlighted", "")
