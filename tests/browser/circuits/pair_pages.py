"""Steps of the tests of the pair of pictures."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Server, until

ASKED = ["There is a red circle", "There are exactly three red circles"]


def opened(page: Page, server: Server, model: str, **query: Any) -> Page:
    """Open the page and wait until the network has answered."""
    page.goto(server.address("/circuits", model=model, **query))
    wait_for_answer(page)
    return page


def wait_for_answer(page: Page) -> None:
    page.wait_for_selector('.pair-answers[data-status="done"][data-fresh="true"] .pair-answer')


def state(page: Page) -> Any:
    return page.evaluate("({ ...routescope.pair.state, problem: null })")


def things(page: Page) -> list[int]:
    return [len(picture) for picture in state(page)["scene"]["pictures"]]


def changed(page: Page, act: Callable[[], object]) -> None:
    """Change the scene and wait for its answer."""
    before = page.evaluate("JSON.stringify(routescope.pair.state.scene)")
    act()
    until(page, "old => JSON.stringify(routescope.pair.state.scene) !== old", before)
    until(
        page,
        "() => routescope.pairAnswers.state.fresh"
        " && JSON.stringify(routescope.pairAnswers.state.scene) === JSON.stringify(routescope.pair.state.scene)",
    )


def ask(server: Server, model: str, pictures: Any, sentences: list[str] = ASKED, **intervention: Any) -> Any:
    """The API's answers to the same question."""
    body = {"sentences": sentences, "pictures": pictures, "intervention": intervention}
    answer = server.ask("POST", f"/models/{model}/answers", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()["answers"]


def shown(page: Page) -> list[float]:
    return [float(text.split()[0]) for text in page.locator(".pair-value").all_inner_texts()]


def percent(answers: list[Any]) -> list[float]:
    return [pytest.approx(100 * answer["probability"], abs=0.051) for answer in answers]


def thing(page: Page, picture: int, index: int) -> Any:
    return page.locator(f'[data-picture="{picture}"] [data-thing="{index}"]')


def centre(page: Page, picture: int, index: int) -> tuple[float, float]:
    thing(page, picture, index).scroll_into_view_if_needed()
    box = thing(page, picture, index).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
