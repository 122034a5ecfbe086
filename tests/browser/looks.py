"""What a page looks like in both schemes and on a phone, and what axe-core says of it there."""

from collections.abc import Iterator
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import settle, until

Look = tuple[Literal["light", "dark"], int]  # the scheme, and the width in CSS pixels
WIDE: Look = ("light", 1440)
DARK: Look = ("dark", 1440)
PHONE: Look = ("light", 390)
LOOKS = (WIDE, DARK, PHONE)
#: What is put into a page once, and how it then looks at parts of it, all at once, or at the whole.
AXE = Axe().axe_script
RUN = """async ([parts, options]) =>
    (await axe.run(parts.length ? { include: parts } : document, options)).violations"""
#: Nothing is told of what passes, which takes most of the time.
VIOLATIONS = {"resultTypes": ["violations"]}


def begin(page: Page, look: Look = WIDE) -> None:
    """Set the look in which a page will open, without motion."""
    scheme, width = look
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})


def looks(page: Page, which: tuple[Look, ...] = LOOKS) -> Iterator[Look]:
    """One look after the other for a page that is open; each is given once the page has followed."""
    for look in which:
        begin(page, look)
        expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", look[0])
        until(page, "width => innerWidth === width", look[1])
        page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        settle(page)
        yield look


#: Links and buttons whose words have the colour of their own ground, of which axe-core says that it cannot tell.
UNSEEN = """() => [...document.querySelectorAll("a, button")]
    .filter(each => each.checkVisibility() && each.innerText.trim())
    .filter(each => getComputedStyle(each).color === getComputedStyle(each).backgroundColor)
    .map(each => each.outerHTML.slice(0, 160))"""


#: Buttons whose words reach over their edges.
SPILT = """() => [...document.querySelectorAll("button")]
    .filter(each => each.checkVisibility() && each.innerText.trim())
    .filter(each => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1)
    .filter(each => getComputedStyle(each).overflow === "visible")
    .map(each => each.outerHTML.slice(0, 160))"""


def check(page: Page, *parts: str) -> None:
    """Axe-core finds nothing wrong with the page, or with those parts of it; and the words of every link and button can
    be seen, inside it."""
    settle(page)
    wrong = [*page.evaluate(UNSEEN), *page.evaluate(SPILT)]
    assert not wrong, "\n".join(wrong)
    missing = [part for part in parts if not page.locator(part).count()]
    assert not missing, f"not on the page: {', '.join(missing)}"
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    violations = page.evaluate(RUN, [[[part] for part in parts], VIOLATIONS])
    outcome = [
        f"{wrong['id']}: {wrong['help']}: " + "; ".join(node["html"][:160] for node in wrong["nodes"][:4])
        for wrong in violations
    ]
    assert not outcome, "\n".join(outcome)


def fits(page: Page) -> bool:
    """Whether nothing makes the page wider than its window."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
