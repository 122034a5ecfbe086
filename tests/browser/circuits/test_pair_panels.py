"""The panels beside the pair of pictures: reading of modules, effects of dropping modules, failures."""

import base64
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.circuits.pair_pages import ASKED, ask, percent, shown, wait_for_answer
from tests.browser.conftest import WITHOUT_JOBS, Guard, Server, colours_on, until, url_of

Opened = Callable[..., Page]
STATEMENT = "scenes.validation.9"


def test_where_modules_read(open_pair: Opened, server: Server, statement_model: str) -> None:
    page = open_pair(statement=STATEMENT, s1=ASKED[0], s2=ASKED[1])
    answer = ask(server, statement_model, {"statement": STATEMENT})[0]
    weights = np.frombuffer(base64.b64decode(answer["read_in"]["data"]), "<f4").reshape(answer["read_in"]["shape"])
    shares = np.array(answer["read_out_share"])
    page.wait_for_selector('#pair-reads-picture canvas[data-painted="all"]')
    assert colours_on(page, "#pair-reads-picture canvas") > 40
    both = (shares[:, None] * weights).sum(0) / shares.sum()
    left = round(100 * float(both[:36].sum()))
    until(
        page,
        "left => document.querySelector('#pair-reads-picture canvas').ariaLabel"
        ".includes(left + ' % of it on the left')",
        left,
    )
    modules = page.locator("[data-module]")
    assert modules.count() == len(shares)
    assert modules.first.get_attribute("data-module") == f"m{int(shares.argmax()) + 1}"
    modules.first.click()
    name = modules.first.get_attribute("data-module")
    page.wait_for_selector(f'#pair-reads-picture canvas[data-painted="{name}"]')
    until(page, "name => location.search.includes('unit=' + name)", name)
    page.select_option("#pair-reads-for", "all")
    page.wait_for_selector('#pair-reads-picture[data-sentences="2"]')
    until(page, "() => location.search.includes('reads=all')")
    page.focus("#pair-reads-picture canvas")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(f'#pair-reads-picture canvas[data-painted="{modules.nth(1).get_attribute("data-module")}"]')
    page.keyboard.press("Escape")
    page.wait_for_selector('#pair-reads-picture canvas[data-painted="all"]')


def check_cancelling(page: Page) -> None:
    """A measurement can be cancelled and started again, and ends with the page."""
    page.route("**/evaluations/stream**", lambda _: None)  # never ends by itself
    page.select_option("#pair-samples", "2000")
    page.locator("#panel-pair-drop").scroll_into_view_if_needed()
    page.wait_for_selector('#panel-pair-drop .drop-progress[data-state="running"]')
    until(page, "() => routescope.stream.live('pair')")
    page.click("#pair-cancel")
    page.wait_for_selector('#panel-pair-drop .drop-progress[data-state="cancelled"]')
    assert page.evaluate("routescope.stream.live('pair')") is False
    assert "Cancelled" in page.inner_text("#pair-status")
    page.click("#pair-again")
    page.wait_for_selector('#panel-pair-drop .drop-progress[data-state="running"]')
    until(page, "() => routescope.stream.live('pair')")
    page.locator("nav a", has_text="Samples").click()
    page.wait_for_selector(".page-samples")
    until(page, "() => routescope.stream.live('pair') === false")


def test_dropped_modules_change_answers_and_accuracy_by_kind(
    open_pair: Opened, server: Server, statement_model: str
) -> None:
    page = open_pair(statement=STATEMENT, s1=ASKED[0], s2=ASKED[1])
    page.select_option("#pair-samples", "100")
    page.locator("#panel-pair-drop").scroll_into_view_if_needed()
    page.wait_for_selector('#panel-pair-drop .drop-progress[data-state="done"]')

    def evaluate(**intervention: Any) -> Any:
        body = {"model": statement_model, "data": ["scenes"], "samples": 100, "controls": 5}
        return server.ask("POST", "/evaluations", json=body | {"intervention": intervention}).json()

    assert "nothing dropped: 100 statements" in page.inner_text("#pair-status")
    tags = page.locator("#panel-pair-answers .tag, #panel-pair-reads .tag")
    assert tags.all_inner_texts() == ["observed", "observed"]
    page.click('[data-pair-unit="m3"]')
    page.click('[data-pair-unit="m5"]')
    until(page, "() => location.search.includes('drop=m3,m5')")
    until(page, "() => document.querySelector('#pair-status').textContent.includes('2 modules dropped: 100')")
    evaluation = evaluate(drop=["m3", "m5"])
    assert page.inner_text("#pair-accuracy .number-value") == f"{100 * evaluation['accuracy']['value']:.1f}"
    words = page.get_attribute("#panel-pair-drop .drop-picture canvas", "aria-label") or ""
    assert len(evaluation["by_kind"]) == 6
    for row in evaluation["by_kind"]:
        assert f"{row['name']} {100 * row['accuracy']:.1f} % of {row['count']}" in words
    assert "5 sets of 2" in page.inner_text("#pair-control .number-range")
    answers = ask(server, statement_model, {"statement": STATEMENT}, drop=["m3", "m5"])
    wait_for_answer(page)
    assert shown(page) == percent(answers)
    assert tags.all_inner_texts() == ["under intervention", "under intervention"]
    caused = 100 * (answers[0]["probability"] - answers[0]["baseline_probability"])
    words = page.locator(".pair-answer").first.inner_text()
    match = re.search(r"([+−]?[\d.]+) points by what is dropped", words)
    assert match and float(match[1].replace("−", "-")) == pytest.approx(caused, abs=0.051)
    expect(page.locator('[data-module="m3"]')).to_contain_text("out")

    page.fill("#pair-edges", "25")
    until(page, "() => location.search.includes('edges=0.25')")
    until(page, "() => document.querySelector('#pair-status').textContent.includes('25 % of the links kept: 100')")
    page.click("#pair-all")
    until(page, "() => document.querySelector('#pair-status').textContent.includes('nothing dropped: 100')")
    address = url_of(page)
    assert "drop=" not in address and "edges=" not in address

    # The slider drops the least connected modules of the circuit that answers.
    body = {"sentences": ASKED}
    designs = server.ask("POST", f"/models/{statement_model}/designs", json=body).json()
    page.wait_for_selector("#pair-least:enabled")
    weakest = np.argsort(designs["designs"][0]["connectivity"], kind="stable")[:4]
    expected = [designs["units"][at] for at in sorted(weakest)]
    page.fill("#pair-least", "4")
    until(page, "expected => JSON.stringify(routescope.circuits.state.drop) === JSON.stringify(expected)", expected)
    out = page.locator('[data-pair-unit][aria-pressed="true"]')
    expect(out).to_have_count(4)
    assert sorted(out.evaluate_all("all => all.map(each => each.dataset.pairUnit)")) == sorted(expected)
    until(page, "drop => location.search.includes('drop=' + drop)", ",".join(expected))
    page.locator(f'[data-pair-unit="{expected[0]}"]').click()  # the slider's choice is one by names
    expect(out).to_have_count(3)
    expect(page.locator("#panel-pair-drop")).to_contain_text("others are dropped")
    page.fill("#pair-least", "11")
    expect(out).to_have_count(11)
    stays = page.locator('[data-pair-unit][aria-pressed="false"]')
    stays.click()
    expect(page.locator(".mantine-Notification-root").first).to_contain_text("One module stays")
    expect(out).to_have_count(11)
    check_cancelling(page)


def test_failures_are_shown_and_can_be_tried_again(
    page: Page, server: Server, statement_model: str, guard: Guard
) -> None:
    guard.expect("status of 500|status of 404")
    page.add_init_script(WITHOUT_JOBS)
    page.route(
        "**/answers", lambda route: route.fulfill(status=500, body='{"title": "Out of order", "detail": "Later."}')
    )
    page.goto(server.address("/circuits", model=statement_model, statement=STATEMENT))
    expect(page.locator(".pair-answers .message-title")).to_have_text("Out of order")
    page.unroute("**/answers")
    page.locator(".pair-answers .button").click()
    wait_for_answer(page)
    page.goto(server.address("/circuits", model=statement_model, statement="scenes.validation.999999"))
    expect(page.locator(".pair-pictures .message")).to_be_visible()
    expect(page.locator(".pair-answers .message-title")).to_have_text("No pictures to ask about")
    expect(page.locator(".pair-reads .message-detail")).to_contain_text("Choose a statement")
    expect(page.locator(".pair-reads > .skeleton")).to_be_hidden()
    page.locator("[data-statement]").first.click()
    wait_for_answer(page)
    expect(page.locator(".pair-reads .message-detail")).to_have_count(0)
