"""Steps of the tests of the Drop page."""

from typing import Any

from playwright.sync_api import Page

from tests.browser.conftest import MODEL, Server, until, url_of

FEW = 30
SETS = ["mnist", "mnist-m", "street-digits"]


def opened(page: Page, server: Server, samples: int = FEW, model: str = MODEL, **query: Any) -> Page:
    """Open the page and wait until everything is measured."""
    page.goto(server.address("/drop", model=model, samples=samples, **query))
    wait_until_done(page)
    return page


def evaluate(
    server: Server, samples: int = FEW, data: list[str] | None = None, model: str = MODEL, **intervention: Any
) -> Any:
    """Return the API's answer to the same request."""
    body = {"model": model, "data": data or SETS, "samples": samples, "intervention": intervention}
    answer = server.ask("POST", "/evaluations", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def wait_until_done(page: Page) -> None:
    page.wait_for_selector('.page-drop[data-state="done"][data-fresh="true"]')


def chip(page: Page, unit: str) -> Any:
    return page.locator(f'[data-drop-unit="{unit}"]')


def number(page: Page, name: str, part: str = "value") -> str:
    return page.inner_text(f"#drop-{name}-number .number-{part}")


def toggle(page: Page, unit: str) -> None:
    """Leave a unit out or bring it back, and wait for the figures that belong to it."""
    before = url_of(page)
    chip(page, unit).click()
    until(page, "old => location.href !== old", before)
    wait_until_done(page)


def shown(value: float, digits: int = 1) -> str:
    return f"{100 * value:.{digits}f}".replace("-", "−")
