"""Steps of the tests of the Types page."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import MODEL, PATIENCE, Server, drag, until

TRAINED, INITIAL = "#type-picture-trained", "#type-picture-initial"
SAMPLES, STEPS, PATCHES = 6, 6, 16
EVERYTHING = [(0.01, 0.01), (0.99, 0.01), (0.99, 0.99), (0.01, 0.99)]  # corners of a lasso
LONG = 2 * PATIENCE  # milliseconds; maps are made at low priority

#: The place of a point of the trained map, in pixels of the page.
PLACE = """point => {
    const { map } = routescope.typeMap.pictures.trained;
    const box = document.querySelector('#type-picture-trained').getBoundingClientRect();
    const [x, y] = map.placeOf(point);
    return [box.left + x, box.top + y];
}"""
#: The drawn point with the largest distance to the next one.
LONELY = """() => {
    const { map } = routescope.typeMap.pictures.trained;
    const places = Array.from(map.items.order, point => [point, ...map.placeOf(point)]);
    const room = ([point, x, y]) =>
        Math.min(...places.map(([other, a, b]) => other === point ? Infinity : Math.hypot(a - x, b - y)));
    return places.map(place => [room(place), place[0]]).sort((a, b) => b[0] - a[0])[0][1];
}"""


def opened(page: Page, server: Server, method: str = "pca", **query: Any) -> Page:
    """Open the Types page with a small map and wait until it is painted."""
    page.goto(server.address("/types", **{"model": MODEL, "method": method, "samples": SAMPLES} | query))
    settled(page, method)
    return page


def settled(page: Page, method: str, map_: str = TRAINED) -> None:
    """Wait until the map of this method is drawn and nothing moves."""
    expect(page.locator(map_)).to_have_attribute("data-method", method, timeout=LONG)
    expect(page.locator(map_)).to_have_attribute("data-moving", "false")
    until(page, "!routescope.types.waits()")


def lasso_everything(page: Page) -> None:
    page.click("#types-lasso")
    drag(page, TRAINED, EVERYTHING)


def selected(page: Page) -> int:
    return int(page.locator(".selection-count").get_attribute("data-selected") or "")
