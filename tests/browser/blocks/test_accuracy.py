"""The accuracy on the whole task under interventions, and indicators over training, on the page Blocks."""

import functools
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.blocks.pages import (
    ALGO,
    CHANGED,
    PLAIN,
    STEPS,
    block_models,
    measure,
    opened,
)
from tests.browser.conftest import Guard, Server, colours_on, until

__all__ = ["block_models"]  # a fixture

Opened = Callable[..., Page]


@pytest.fixture
def open_blocks(page: Page, server: Server, block_models: str) -> Opened:
    return functools.partial(opened, page, server)


# -- the accuracy on the task ------------------------------------------------------------------------------------------


def test_the_task_accuracy_under_interventions(open_blocks: Opened, server: Server) -> None:
    page = open_blocks(measured=100)

    def evaluate(**intervention: Any) -> Any:
        body = {"model": ALGO, "data": ["algo"], "samples": 100, "intervention": intervention, "controls": 0}
        return server.ask("POST", "/evaluations", json=body).json()

    measure(page)
    bare = evaluate()
    assert page.inner_text("#blocks-number-baseline .number-value") == f"{100 * bare['accuracy']['value']:.1f}"
    assert "nothing is changed" in page.inner_text("#blocks-number-change")
    page.evaluate("change => routescope.blocks.state.set(change)", CHANGED)
    until(page, "() => document.querySelector('#blocks-status').textContent.includes('A → 1.2 muted')")
    measure(page)
    evaluation = evaluate(**CHANGED)
    assert page.inner_text("#blocks-number-accuracy .number-value") == f"{100 * evaluation['accuracy']['value']:.1f}"
    low, high = (f"{100 * evaluation['accuracy'][end]:.1f}" for end in ("low", "high"))
    assert page.inner_text("#blocks-number-accuracy .number-range") == f"95 %: {low} to {high} %"
    words = page.locator('[data-widget="blocks-effect"] canvas').nth(1).get_attribute("aria-label") or ""
    assert len(evaluation["by_kind"]) == 5
    for row in evaluation["by_kind"]:
        assert f"{row['name']} {100 * row['accuracy']:.1f} %" in words
    assert colours_on(page, '[data-widget="blocks-effect"] canvas >> nth=0') > 10
    # What routes cause is told apart from what iterations do.
    page.evaluate("routescope.blocks.state.set({ iterations: 3 })")
    until(page, "() => document.querySelector('#blocks-status').textContent.includes('Scored after 2 iterations')")
    page.click("#blocks-clear")
    page.locator("#panel-blocks-accuracy").scroll_into_view_if_needed()  # it measures while it is in view
    until(page, "() => document.querySelector('#blocks-status').textContent.startsWith('3 iterations: 100')")
    longer = evaluate(iterations=3)
    assert page.inner_text("#blocks-number-accuracy .number-value") == f"{100 * longer['accuracy']['value']:.1f}"


def test_cancel_and_go_on(open_blocks: Opened) -> None:
    page = open_blocks()
    page.locator("#panel-blocks-accuracy").scroll_into_view_if_needed()
    page.route("**/evaluations/stream**", lambda _: None)  # it takes as long as the test likes
    page.select_option("#blocks-measured", "2000")
    page.wait_for_selector('[data-widget="blocks-progress"][data-state="running"]')
    until(page, "() => routescope.stream.live('blocks')")
    page.click("#blocks-cancel")
    page.wait_for_selector('[data-widget="blocks-progress"][data-state="cancelled"]')
    assert page.evaluate("routescope.stream.live('blocks')") is False
    assert "Cancelled" in page.inner_text("#blocks-status")
    page.click("#blocks-again")
    page.wait_for_selector('[data-widget="blocks-progress"][data-state="running"]')
    until(page, "() => routescope.stream.live('blocks')")
    page.click(".brand")
    page.wait_for_selector(".page-home")
    until(page, "() => routescope.stream.live('blocks') === false")


def test_what_left_the_view_before_it_began_is_measured_when_seen(open_blocks: Opened) -> None:
    page = open_blocks(measured=100)
    measure(page)
    page.evaluate("routescope.blocks.state.set({ mute_routes: ['B>1.1'] }); scrollTo(0, 0)")
    page.wait_for_selector('[data-widget="blocks-progress"][data-state="waiting"]')
    measure(page)
    assert page.inner_text("#blocks-status").startswith("B → 1.1 muted: 100 samples")


def test_a_failed_evaluation_can_be_tried_again(page: Page, server: Server, block_models: str, guard: Guard) -> None:
    guard.expect("status of 500")
    page.route(
        "**/evaluations/stream**",
        lambda route: route.fulfill(status=500, body='{"title": "Out of order", "detail": "Later."}'),
    )
    opened(page, server, measured=100)
    page.locator("#panel-blocks-accuracy").scroll_into_view_if_needed()
    page.wait_for_selector('[data-widget="blocks-progress"][data-state="failed"]')
    assert page.inner_text("#blocks-status") == "Out of order. Later."
    page.unroute("**/evaluations/stream**")
    page.click("#blocks-again")
    measure(page)


# -- indicators ------------------------------------------------------------------------------------------------------


def test_indicators_over_training(open_blocks: Opened, server: Server) -> None:
    page = open_blocks()
    page.wait_for_selector("#plot-blocks-indicators[data-painted]")
    until(page, "() => Number(document.querySelector('#plot-blocks-indicators').dataset.painted) > 5")
    answer = server.ask("GET", f"/models/{ALGO}/indicators").json()
    assert answer["steps"] == [100 * at for at in range(STEPS)]
    shown = page.evaluate(
        "document.querySelector('#plot-blocks-indicators .js-plotly-plot').data"
        ".map(each => [each.hovertemplate.split(':')[0] + ' ' + each.name, [...each.y]])"
    )
    by_name = {entry["name"]: entry["values"] for entry in answer["series"]}
    drawn = dict(shown)
    assert drawn["Sharpness, MFNNR 1 MFNNR 1"] == by_name["sharpness.l1"]
    accuracy = next(values for name, values in drawn.items() if name.startswith("Accuracy, validation"))
    assert accuracy == [pytest.approx(100 * member) for member in by_name["accuracy.validation"]]
    assert not any("difference difference" in name for name in drawn)  # never measured: not drawn
    page.locator('[data-blocks-table="indicators"]').locator("xpath=..").locator("summary").click()
    expect(page.locator('[data-blocks-table="indicators"] tbody tr')).to_have_count(STEPS)


def test_nothing_was_recorded(open_blocks: Opened) -> None:
    page = open_blocks(model=PLAIN)
    expect(page.locator('[data-widget="blocks-indicators"]')).to_contain_text("Nothing was recorded")
    assert not page.locator("#plot-blocks-indicators").is_visible()
