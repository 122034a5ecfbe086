"""What the tests of the Drop page do again and again."""

from typing import Any

from playwright.sync_api import Page

from tests.browser.conftest import MODEL, Server, until, url_of

SVG = "{http://www.w3.org/2000/svg}"
SAMPLES = 120
FEW = 30
SETS = ["mnist", "mnist-m", "street-digits"]


def opened(page: Page, server: Server, samples: int = SAMPLES, model: str = MODEL, **query: Any) -> Page:
    """Opens the page and waits until everything is measured."""
    page.goto(server.address("/drop", model=model, samples=samples, **query))
    wait_until_done(page)
    return page


def evaluate(
    server: Server, samples: int = SAMPLES, data: list[str] | None = None, model: str = MODEL, **intervention: Any
) -> Any:
    """What the API answers to the same request."""
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
