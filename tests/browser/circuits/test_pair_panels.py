"""The panels beside the pair of pictures: what modules read, what leaving them out does, files, failures, access."""

import base64
import csv
import functools
import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.circuits.pair_pages import (
    ASKED,
    ask,
    changed,
    opened,
    percent,
    shown,
    state,
    thing,
    wait_for_answer,
)
from tests.browser.conftest import WITHOUT_JOBS, Guard, Server, colours_on, until, url_of
from tests.browser.drop_pages import SVG
from tests.browser.looks import begin, check, looks


@pytest.fixture(autouse=True)
def no_map(page: Page) -> None:
    """Keeps the page from making maps of sentences by itself, which would take the processor from the test."""
    page.add_init_script(WITHOUT_JOBS)


@pytest.fixture
def open_pair(page: Page, server: Server, statement_model: str) -> Callable[..., Page]:
    return functools.partial(opened, page, server, statement_model)


def test_where_modules_read(open_pair: Callable[..., Page], server: Server, statement_model: str) -> None:
    page = open_pair(statement="scenes.validation.9", s1=ASKED[0], s2=ASKED[1])
    answer = ask(server, statement_model, {"statement": "scenes.validation.9"})[0]
    weights = np.frombuffer(base64.b64decode(answer["read_in"]["data"]), "<f4").reshape(answer["read_in"]["shape"])
    shares = np.array(answer["read_out_share"])
    page.wait_for_selector('#pair-reads-picture[data-painted="all"]')
    assert colours_on(page, "#pair-reads-picture") > 40
    both = (shares[:, None] * weights).sum(0) / shares.sum()
    left = round(100 * float(both[:36].sum()))
    until(
        page,
        "left => document.querySelector('#pair-reads-picture').ariaLabel.includes(left + ' % of it on the left')",
        left,
    )
    modules = page.locator("[data-module]")
    assert modules.count() == len(shares)
    assert modules.first.get_attribute("data-module") == f"m{int(shares.argmax()) + 1}"
    modules.first.click()
    name = modules.first.get_attribute("data-module")
    page.wait_for_selector(f'#pair-reads-picture[data-painted="{name}"]')
    until(page, "name => location.search.includes('unit=' + name)", name)
    page.select_option("#pair-reads-for", "all")
    page.wait_for_selector('#pair-reads-picture[data-sentences="2"]')
    until(page, "() => location.search.includes('reads=all')")
    page.focus("#pair-reads-picture")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(f'#pair-reads-picture[data-painted="{modules.nth(1).get_attribute("data-module")}"]')
    page.keyboard.press("Escape")
    page.wait_for_selector('#pair-reads-picture[data-painted="all"]')


def wait_until_measured(page: Page) -> None:
    page.locator("#panel-pair-drop").scroll_into_view_if_needed()
    page.wait_for_selector('[data-widget="pair-progress"][data-state="done"]')


def measure(page: Page, samples: int = 100) -> None:
    page.select_option("#pair-samples", str(samples))
    wait_until_measured(page)


def test_leaving_modules_out_by_kind(open_pair: Callable[..., Page], server: Server, statement_model: str) -> None:
    page = open_pair(statement="scenes.validation.9", s1=ASKED[0], s2=ASKED[1])
    measure(page)

    def evaluate(**intervention: Any) -> Any:
        body = {
            "model": statement_model,
            "data": ["scenes"],
            "samples": 100,
            "intervention": intervention,
            "controls": 5,
        }
        return server.ask("POST", "/evaluations", json=body).json()

    assert "nothing dropped: 100 statements" in page.inner_text("#pair-status")
    tags = page.locator('[data-widget="pair-tag"]')
    assert tags.all_inner_texts() == ["observed", "observed"]
    page.click('[data-pair-unit="m3"]')
    page.click('[data-pair-unit="m5"]')
    until(page, "() => location.search.includes('drop=m3,m5')")
    until(page, "() => document.querySelector('#pair-status').textContent.includes('2 modules dropped: 100')")
    evaluation = evaluate(drop=["m3", "m5"])
    assert page.inner_text("#pair-accuracy .number-value") == f"{100 * evaluation['accuracy']['value']:.1f}"
    words = page.get_attribute('[data-widget="pair-kinds"] canvas', "aria-label") or ""
    assert len(evaluation["by_kind"]) == 6
    for row in evaluation["by_kind"]:
        assert f"{row['name']} {100 * row['accuracy']:.1f} % of {row['count']}" in words
    assert "5 sets of 2" in page.inner_text("#pair-control .number-range")
    answers = ask(server, statement_model, {"statement": "scenes.validation.9"}, drop=["m3", "m5"])
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


def test_the_least_connected_of_the_circuit_that_answers(
    open_pair: Callable[..., Page], server: Server, statement_model: str
) -> None:
    page = open_pair(statement="scenes.validation.9", s1=ASKED[0], s2=ASKED[1])
    body = {"sentences": ASKED}
    designs = server.ask("POST", f"/models/{statement_model}/designs", json=body).json()
    page.wait_for_selector("#pair-least:enabled")
    weakest = np.argsort(designs["designs"][0]["connectivity"], kind="stable")[:4]
    expected = [designs["units"][at] for at in sorted(weakest)]
    page.fill("#pair-least", "4")
    until(
        page, "expected => JSON.stringify(routescope.circuits.state.get().drop) === JSON.stringify(expected)", expected
    )
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


def test_cancel_and_go_on(open_pair: Callable[..., Page]) -> None:
    page = open_pair(statement="scenes.validation.9")
    page.route("**/evaluations/stream**", lambda _: None)  # it takes as long as the test likes
    page.select_option("#pair-samples", "2000")
    page.locator("#panel-pair-drop").scroll_into_view_if_needed()
    page.wait_for_selector('[data-widget="pair-progress"][data-state="running"]')
    until(page, "() => routescope.stream.live('pair')")
    page.click("#pair-cancel")
    page.wait_for_selector('[data-widget="pair-progress"][data-state="cancelled"]')
    assert page.evaluate("routescope.stream.live('pair')") is False
    assert "Cancelled" in page.inner_text("#pair-status")
    page.click("#pair-again")
    page.wait_for_selector('[data-widget="pair-progress"][data-state="running"]')
    until(page, "() => routescope.stream.live('pair')")
    page.locator("nav a", has_text="Samples").click()
    page.wait_for_selector(".page-samples")
    until(page, "() => routescope.stream.live('pair') === false")


def test_the_page_asks_one_question_at_a_time(open_pair: Callable[..., Page]) -> None:
    page = open_pair(statement="scenes.validation.9")
    asked: list[str] = []
    page.on("request", lambda request: request.url.endswith("/answers") and asked.append(request.url))
    thing(page, 0, 0).focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
    changed(page, lambda: page.keyboard.press("ArrowDown"))
    assert 1 <= len(asked) < 30
    words = state(page)["scene"]
    assert page.evaluate("routescope.pairAnswers.state.scene") == words


def test_pictures_and_numbers_can_be_taken_away(
    open_pair: Callable[..., Page], statement_model: str, save: Callable[..., Path]
) -> None:
    page = open_pair(statement="scenes.validation.9", drop="m2")
    measure(page)
    save = functools.partial(save, model=statement_model)

    for panel in ("pair-pictures", "pair-answers", "pair-reads", "pair-drop"):
        root = ET.fromstring(save(panel, "svg").read_text(encoding="utf-8"))
        facts = json.loads(root.findtext(f"{SVG}metadata") or "")
        assert facts["model"] == statement_model and facts["revision"] and "statement=" in facts["link"]
        if panel != "pair-pictures":
            assert facts["drop"] == ["m2"]
        with Image.open(save(panel, "png")) as picture:
            assert json.loads(picture.text["Description"])["model"] == statement_model
        content = json.loads(save(panel, "json").read_text())
        assert content["model"] == statement_model
        text = save(panel, "csv").read_text()
        rows = list(csv.DictReader(io.StringIO("\n".join(line for line in text.splitlines() if line[0] != "#"))))
        assert len(rows) >= 2
    assert [row["name"] for row in rows][0] == "all kinds" and len(rows) == 7


def test_what_fails_is_said_and_can_be_tried_again(
    page: Page, server: Server, statement_model: str, guard: Guard
) -> None:
    guard.expect("status of 500|status of 404")
    page.route(
        "**/answers", lambda route: route.fulfill(status=500, body='{"title": "Out of order", "detail": "Later."}')
    )
    page.goto(server.address("/circuits", model=statement_model, statement="scenes.validation.9"))
    expect(page.locator(".pair-answers .message-title")).to_have_text("Out of order")
    page.unroute("**/answers")
    page.locator(".pair-answers .button").click()
    wait_for_answer(page)
    page.goto(server.address("/circuits", model=statement_model, statement="scenes.validation.999999"))
    expect(page.locator(".pair-pictures .message")).to_be_visible()
    expect(page.locator(".pair-answers .message-title")).to_have_text("No pictures to ask about")
    expect(page.locator(".pair-reads .message-detail")).to_contain_text("Pick a statement of the gallery")
    expect(page.locator(".pair-reads > .skeleton")).to_be_hidden()
    page.locator("[data-statement]").first.click()
    wait_for_answer(page)
    expect(page.locator(".pair-reads .message-detail")).to_have_count(0)


def test_axe_finds_nothing(page: Page, open_pair: Callable[..., Page]) -> None:
    begin(page)
    open_pair(statement="scenes.validation.9", drop="m2")
    thing(page, 0, 0).focus()
    page.wait_for_selector("[data-statement]")
    measure(page)
    for _ in looks(page):
        check(page)
        assert not page.evaluate(
            "[...document.querySelectorAll('#circuits-pair *')].some("
            "each => each.getBoundingClientRect().right > innerWidth + 1 && !each.closest('.table-scroll'))"
        )
