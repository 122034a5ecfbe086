"""Samples and Paths for everybody: axe-core, narrow windows, and a walk with keys alone."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import MODEL, Server, tab_to, until
from tests.browser.looks import begin, check, fits, looks

#: Pairs of controls in the header that overlap.
OVERLAPS = """() => {
    const shown = [...document.querySelectorAll('.header-row :is(a, button, input, summary)')]
        .filter(each => each.checkVisibility({checkVisibilityCSS: true}) && !each.closest('.menu-items'))
        .map(each => [each.getBoundingClientRect(), each.outerHTML.slice(0, 80)]);
    return shown.flatMap(([one, a], at) => shown.slice(at + 1)
        .filter(([other]) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1)
        .map(([, b]) => a + ' | ' + b));
}"""


def test_samples_and_paths_in_every_look(page: Page, server: Server, open_paths: Callable[..., Page]) -> None:
    begin(page)
    page.goto(server.address("/samples", model=MODEL))
    page.locator("#gallery .thumb").nth(2).click()
    page.wait_for_selector('[data-key="sample"] canvas[data-painted]')
    page.wait_for_selector("#gallery-licences p")
    for _ in looks(page):
        check(page)
        assert fits(page)
    expect(page.locator("#see-path")).to_be_in_viewport()  # on a phone, too
    for width in (1440, 1280, 1200, 1100, 1024, 1000, 900, 768, 600, 390):
        page.set_viewport_size({"width": width, "height": 800})
        until(page, "width => innerWidth === width", width)
        assert page.evaluate(OVERLAPS) == [], width
    begin(page)
    open_paths("mnist-m.validation.3", mute="f1")
    page.locator("#panel-path").get_by_text("The same as a table").click()
    for _ in looks(page):
        check(page)
        assert fits(page)


def test_from_a_digit_to_a_muted_function_with_keys_alone(page: Page, server: Server) -> None:
    page.goto(server.address("/samples", model=MODEL))
    page.wait_for_selector("#gallery .thumb")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()

    tab_to(page, "#gallery .thumb")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("#see-path")
    until(page, "location.search.includes('sample=')")
    tab_to(page, "#see-path")
    page.keyboard.press("Enter")
    page.wait_for_selector("#path-picture[data-painted]")
    tab_to(page, "[data-unit-chip]")
    before = page.get_attribute("#path-picture", "data-painted")
    page.keyboard.press("Enter")
    until(page, "location.search.includes('mute=')")
    until(page, "before => document.querySelector('#path-picture').dataset.painted !== before", before)
    tab_to(page, "#path-picture")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#patch-picture")).to_have_attribute("data-highlighted", re.compile("^cls:"))
    page.keyboard.press("Escape")
    expect(page.locator("#patch-picture")).to_have_attribute("data-highlighted", "")
