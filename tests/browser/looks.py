"""Check a page in both colour schemes and on a phone, with axe-core."""

from collections.abc import Iterator
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import settle, until

Look = tuple[Literal["light", "dark"], int]  # the scheme, and the width in CSS pixels
WIDE: Look = ("light", 1440)
DARK: Look = ("dark", 1440)
PHONE: Look = ("light", 390)
LOOKS = (WIDE, DARK, PHONE)
#: The script of axe-core, and its call for parts of a page or the whole page.
AXE = Axe().axe_script
RUN = """async ([parts, options]) =>
    (await axe.run(parts.length ? { include: parts } : document, options)).violations"""
#: Only violations are reported: listing passed checks takes most of the time.
VIOLATIONS: dict[str, Any] = {"resultTypes": ["violations"]}
#: The dark scheme changes only colours, and a phone changes none: contrast takes half of the time.
OF_LOOKS: dict[tuple[str, int], dict[str, Any]] = {
    DARK: VIOLATIONS | {"runOnly": ["color-contrast", "link-in-text-block"]},
    PHONE: VIOLATIONS | {"rules": {"color-contrast": {"enabled": False}}},
}


def begin(page: Page, look: Look = WIDE) -> None:
    """Set the look in which a page will open, without motion."""
    scheme, width = look
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})


def looks(page: Page, which: tuple[Look, ...] = LOOKS) -> Iterator[Look]:
    """Apply each look to an open page, and yield it when the page has changed."""
    for look in which:
        begin(page, look)
        expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", look[0])
        until(page, "width => innerWidth === width", look[1])
        page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        settle(page)
        yield look


#: Whether the page is at most as wide as its window.
FITS = "document.documentElement.scrollWidth <= innerWidth"
#: Links and buttons whose text has the colour of its background, which axe-core cannot judge.
UNSEEN = """() => [...document.querySelectorAll("a, button")]
    .filter(each => each.checkVisibility() && each.innerText.trim())
    .filter(each => getComputedStyle(each).color === getComputedStyle(each).backgroundColor)
    .map(each => each.outerHTML.slice(0, 160))"""


#: Buttons whose text is larger than the button.
SPILT = """() => [...document.querySelectorAll("button")]
    .filter(each => each.checkVisibility() && each.innerText.trim())
    .filter(each => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1)
    .filter(each => getComputedStyle(each).overflow === "visible")
    .map(each => each.outerHTML.slice(0, 160))"""


def check(page: Page, *parts: str) -> None:
    """Assert that axe-core finds no violation in the page or these parts, and that links and buttons can be read.

    The first check of these parts applies all rules. Later checks apply the rules of their look.
    """
    settle(page)
    wrong = [*page.evaluate(UNSEEN), *page.evaluate(SPILT)]
    assert not wrong, "\n".join(wrong)
    missing = [part for part in parts if not page.locator(part).count()]
    assert not missing, f"not on the page: {', '.join(missing)}"
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    look = tuple(page.evaluate("[document.documentElement.dataset.mantineColorScheme, innerWidth]"))
    again = page.evaluate("parts => window.checked === parts || void (window.checked = parts)", " ".join(parts))
    options = OF_LOOKS.get(look, VIOLATIONS) if again else VIOLATIONS
    violations = page.evaluate(RUN, [[[part] for part in parts], options])
    outcome = [
        f"{wrong['id']}: {wrong['help']}: " + "; ".join(node["html"][:160] for node in wrong["nodes"][:4])
        for wrong in violations
    ]
    assert not outcome, "\n".join(outcome)


def check_looks(page: Page, *parts: str) -> None:
    """Assert that the page fits its window in every look, and in both schemes what `check` asserts; end in WIDE."""
    for look in looks(page):
        until(page, FITS)
        if look != PHONE:
            check(page, *parts)
    list(looks(page, (WIDE,)))  # a click before the page is wide again would miss


def fits(page: Page) -> bool:
    """Return whether the page is at most as wide as its window."""
    return bool(page.evaluate(FITS))
