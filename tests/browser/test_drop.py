"""The Drop page: accuracies and changes as the API gives them; cancel, address, exports, comparison."""

import functools
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from routescope_app.services.engine.threads import Priority
from tests.browser.conftest import (
    MODEL,
    WITHOUT_JOBS,
    Guard,
    Hold,
    Server,
    colours_on,
    facts_of,
    rows_of,
    until,
    url_of,
)
from tests.browser.drop_pages import FEW, SETS, chip, evaluate, number, opened, shown, toggle, wait_until_done
from tests.browser.looks import begin, check, fits, looks

RUNNING = '.page-drop[data-state="running"][data-fresh="true"]'


@pytest.fixture(autouse=True)
def no_importance(page: Page) -> None:
    """Keep the page from starting the importance of units."""
    page.add_init_script(WITHOUT_JOBS)


@pytest.fixture
def open_drop(page: Page, server: Server) -> Callable[..., Page]:
    return functools.partial(opened, page, server)


def test_a_dropped_unit_changes_the_accuracy_as_the_api_says(
    open_drop: Callable[..., Page], server: Server, save: Callable[..., Path]
) -> None:
    page = open_drop()
    whole = evaluate(server)
    assert number(page, "accuracy") == shown(whole["accuracy"]["value"])
    assert number(page, "change") == "0.0"
    assert "nothing dropped" in page.inner_text("#drop-status")

    toggle(page, "f4")
    evaluation = evaluate(server, drop=["f4"])
    assert evaluation["accuracy"]["value"] < whole["accuracy"]["value"]
    assert number(page, "accuracy") == shown(evaluation["accuracy"]["value"])
    change = evaluation["change"]["accuracy"]
    assert number(page, "change") == shown(change["value"])
    low, high = (shown(change[end]) if change[end] <= 0 else f"+{shown(change[end])}" for end in ("low", "high"))
    assert number(page, "change", "range") == f"95 %: {low} to {high}"
    assert number(page, "control") == shown(evaluation["control"]["mean"])
    assert "all 5 sets of 1" in number(page, "control", "range") and evaluation["control"]["exact"]
    assert f"{100 * evaluation['saved']:.1f} % saved" in page.inner_text("#drop-flops") and evaluation["saved"] > 0.1
    assert f"{FEW} samples" in page.inner_text("#drop-status")
    assert "per second" not in page.inner_text(".costs") and "samples/s" not in page.inner_text(".costs")
    page.locator("#drop-speed button").click()
    expect(page.locator("#drop-speed")).to_contain_text("times as fast")
    assert re.search(r"[0-9.]+ to [0-9.]+ in 9 rounds", page.inner_text("#drop-speed"))
    for key in ("accuracy", "labels", "domains", "confidence"):
        assert colours_on(page, f'[data-key="{key}"] canvas') > 20
    page.click("#panel-drop-confidence .as-table summary")
    cells = page.locator("#panel-drop-confidence tbody tr td:nth-child(4)")
    expect(cells.first).to_be_visible()
    counts = cells.all_inner_texts()
    assert sum(map(int, counts)) == 2 * evaluation["covered"], "each answer is in one tenth, as it is and without f4"
    words = page.get_attribute('[data-key="labels"] canvas', "aria-label") or ""
    for row in evaluation["by_label"]:
        assert f"{row['name']} {'+' if row['change'] > 0 else ''}{shown(row['change'])}" in words
    assert "stand-in" in (page.get_attribute('[data-key="domains"] canvas', "aria-label") or "")
    assert "stand-in data: mnist-m, street-digits" in page.inner_text("#drop-caption")

    for panel in ("drop-accuracy", "drop-labels", "drop-domains"):
        facts = facts_of(save(panel, "svg"))
        assert facts["model"] == MODEL and facts["drop"] == ["f4"] and facts["revision"] == evaluation["revision"]
        assert "seed" in facts and facts["samples"] == FEW and "units=f4" in facts["link"]
    assert json.loads(save("drop-accuracy", "json").read_text())["result"]["accuracy"] == evaluation["accuracy"]
    rows = rows_of(save("drop-labels", "csv"))
    assert [row["name"] for row in rows] == [row["name"] for row in evaluation["by_label"]]
    assert [float(row["change"]) for row in rows] == pytest.approx([row["change"] for row in evaluation["by_label"]])

    toggle(page, "f4")
    assert number(page, "accuracy") == shown(whole["accuracy"]["value"])
    assert "from cache" in page.inner_text("#drop-status")


def test_a_choice_by_mouse_and_keys_comes_back_from_its_address(open_drop: Callable[..., Page], server: Server) -> None:
    page = open_drop(data="mnist")
    sentence = page.inner_text("#drop-sentence")
    page.locator('[data-drop-set="mnist"]').click()
    expect(page.locator(".mantine-Notification-root").first).to_contain_text("One data set stays")
    expect(page.locator('[data-drop-set="mnist"]')).to_have_attribute("aria-pressed", "true")
    chip(page, "f4").focus()
    page.keyboard.press("ArrowRight")
    expect(chip(page, "f5")).to_be_focused()
    page.keyboard.press("Space")
    until(page, "location.search.includes('units=f5')")
    page.keyboard.press("Shift+Tab")
    expect(chip(page, "f4")).to_be_focused()

    page.locator("#drop-kind").get_by_text("mute", exact=True).click()
    until(page, "location.search.includes('kind=mute')")
    wait_until_done(page)
    assert "nothing saved" not in page.inner_text("#drop-flops")
    sentences = {sentence, page.inner_text("#drop-sentence")}
    page.locator("#drop-kind").get_by_text("mean", exact=True).click()
    until(page, "location.search.includes('kind=mean')")
    wait_until_done(page)
    assert "nothing saved" in page.inner_text("#drop-flops")
    page.locator('[data-drop-set="street-digits"]').click()
    page.fill("#drop-iterations", "4")
    until(page, "location.search.includes('iterations=4')")
    wait_until_done(page)
    expected = evaluate(server, data=["mnist", "street-digits"], mean=["f5"], iterations=4)
    address, value = url_of(page), number(page, "accuracy")
    assert value == shown(expected["accuracy"]["value"])
    assert len(sentences | {page.inner_text("#drop-sentence")}) == 3
    assert {"units=f5", "data=mnist,street-digits", f"samples={FEW}"} <= set(re.split(r"[?&]", address))
    page.reload()
    wait_until_done(page)
    assert (url_of(page), number(page, "accuracy")) == (address, value)
    expect(chip(page, "f5")).to_have_attribute("aria-pressed", "true")
    expect(page.locator('[data-drop-set="mnist-m"]')).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#drop-iterations")).to_have_value("4")

    page.click("#drop-reset")
    until(page, "!location.search.includes('units')")
    expect(page.locator("#drop-status")).to_contain_text("1,000 samples")
    expect(page.locator("#drop-iterations")).to_have_value("")


def test_an_evaluation_ends_with_another_choice_cancel_and_another_page(page: Page, server: Server, hold: Hold) -> None:
    aborted: list[str] = []
    page.on("requestfailed", lambda request: aborted.append(request.url))
    hold.at(Priority.STREAM, pieces=2)
    page.goto(server.address("/drop", model=MODEL, samples=90, units="f1,f2,f3"))
    page.wait_for_selector(RUNNING)
    hold.at(Priority.STREAM, pieces=2)
    chip(page, "f5").click()
    until(page, "location.search.includes('units=f1,f2,f3,f5')")
    page.wait_for_selector(RUNNING)
    assert any("drop=f1,f2,f3%26" in url for url in aborted), aborted
    for unit in ("f1", "f2", "f3", "f5"):  # faster than evaluations: only the last choice is measured
        chip(page, unit).click()
    hold.let_go()
    wait_until_done(page)
    assert "nothing dropped: 90 samples" in page.inner_text("#drop-status")

    hold.at(Priority.STREAM, pieces=2)
    page.goto(server.address("/drop", model=MODEL, samples=150, units="f3,f4", kind="mute"))
    page.wait_for_selector(RUNNING)
    page.click("#drop-cancel")
    page.wait_for_selector('.page-drop[data-state="cancelled"]')
    assert re.search(r"Cancelled: the figures cover [\d,]+ of 150 samples", page.inner_text("#drop-status"))
    assert page.evaluate("routescope.stream.live('drop')") is False
    hold.let_go()
    page.click("#drop-again")
    wait_until_done(page)
    assert "150 samples" in page.inner_text("#drop-status")

    page.evaluate("routescope.drop.choose({ units: ['f2'] }, true); document.getElementById('drop-cancel').click();")
    page.wait_for_selector('.page-drop[data-state="cancelled"]')
    page.wait_for_timeout(400)  # longer than the pause after a slider
    assert page.evaluate("[routescope.drop.state.status, routescope.stream.live('drop')]") == ["cancelled", False]
    hold.at(Priority.STREAM, pieces=1)
    page.click("#drop-again")
    page.wait_for_selector(RUNNING)
    page.locator("nav a", has_text="Samples").click()
    page.wait_for_selector("#gallery .thumb")
    assert page.evaluate("routescope.stream.live('drop')") is False


def test_figures_do_not_overlap_where_every_layer_is_dropped(page: Page, server: Server) -> None:
    """The longest figures: signs, two digits and units."""
    page.set_viewport_size({"width": 1280, "height": 900})
    opened(page, server, model="vit-digits", units="l1,l2,l3,l4,l5,l6")
    wide = "each => each.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)"
    values = page.locator(".page-drop .numbers .number").evaluate_all(wide)
    assert len(values) == 4 and max(values) <= 0, values


def test_refusals_and_failures_are_shown(page: Page, server: Server, guard: Guard) -> None:
    guard.expect("status of 4")
    page.goto(server.address("/drop", model=MODEL, samples=999_999))
    page.wait_for_selector('.page-drop[data-state="failed"]')
    assert len(page.inner_text("#drop-status")) > 30
    expect(page.locator("#drop-again")).to_be_visible()
    page.goto(server.address("/drop", model="no-such-model"))
    page.wait_for_selector('.page-drop[data-state="failed"]')
    assert re.search(rf"there are: .*\b{MODEL}\b", page.inner_text("#drop-status"))
    guard.expect("status of 500")
    page.route(f"**/api/v1/models/{MODEL}", lambda route: route.fulfill(status=500))
    page.goto(server.address("/drop", model=MODEL, samples=FEW))
    page.wait_for_selector('.page-drop[data-state="failed"]')
    page.unroute(f"**/api/v1/models/{MODEL}")
    page.get_by_role("button", name="Try again").click()
    wait_until_done(page)


def test_many_modules_by_connectivity_and_links(open_drop: Callable[..., Page], server: Server, circuit: str) -> None:
    page = open_drop(model=circuit)
    expect(page.locator("[data-drop-unit]")).to_have_count(40)
    assert "Click a module to" in page.inner_text(".drop-controls")
    graph = server.ask("GET", f"/models/{circuit}/graph").json()
    weakest = sorted(range(40), key=lambda at: graph["connectivity"][at])[:30]
    dropped = [unit for at, unit in enumerate(graph["units"]) if at in weakest]

    def left_out() -> list[str]:
        cells = page.locator('[data-drop-unit][aria-pressed="true"]')
        return sorted(cells.evaluate_all("all => all.map(cell => cell.dataset.dropUnit)"))

    page.wait_for_selector("#drop-least:enabled")
    page.fill("#drop-least", "30")
    page.fill("#drop-edges", "25")
    until(page, "location.search.includes('least=30&edges=0.25')")
    wait_until_done(page)
    assert "units=" not in url_of(page) and left_out() == sorted(dropped)
    evaluation = evaluate(server, model=circuit, drop=dropped, keep_edges=0.25)
    shows, left = evaluation["by_distribution"]  # no card names the first sets; training left mnist-m out
    assert number(page, "accuracy") == shown(shows["accuracy"]["value"])
    assert page.inner_text("#drop-accuracy-out .number-value") == shown(left["accuracy"]["value"])
    assert f"{100 * evaluation['saved']:.1f} % saved" in page.inner_text("#drop-flops") and evaluation["saved"] > 0.3
    assert "30 modules dropped; 25 % of links kept" in page.inner_text("#drop-status")
    words = page.get_attribute('[data-key="domains"] canvas', "aria-label") or ""
    assert "mnist-m (stand-in), out of distribution" in words and words.index("street-digits") < words.index("mnist-m")
    words = page.get_attribute('[data-key="labels"] canvas', "aria-label") or ""
    for name, rows in (("distribution unknown", shows["by_label"]), ("out of distribution", left["by_label"])):
        for row in rows:
            assert f"{row['name']}, {name} {'+' if row['change'] > 0 else ''}{shown(row['change'])}" in words

    page.reload()
    wait_until_done(page)
    assert left_out() == sorted(dropped)
    chip(page, dropped[0]).click()  # the slider's choice becomes a choice by names
    until(page, "location.search.includes('units=') && !location.search.includes('least=')")
    assert left_out() == sorted(dropped[1:])
    page.fill("#drop-find", "m99")
    expect(page.locator("#drop-unfound")).to_contain_text("there is no m99; modules are m1 to m40")
    page.fill("#drop-find", "m1..m4 m40")
    expect(page.locator("#drop-unfound")).to_be_empty()
    expect(page.locator("#drop-take")).to_have_text("Drop 5")
    page.click("#drop-take")
    until(page, "document.querySelector('[data-drop-unit=m3]').ariaPressed === 'true'")
    assert {"m1", "m2", "m3", "m4", "m40"} <= set(left_out())
    expect(page).to_have_url(re.compile("m1[.][.]m"))
    wait_until_done(page)  # figures are grey until then
    check(page)


def test_two_choices_are_compared(page: Page, server: Server, save: Callable[..., Path]) -> None:
    """A stays while B changes: side by side, and B minus A as the API has it; swapped, reloaded, unpinned."""
    begin(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/evaluations/stream" in request.url else None)
    opened(page, server, units="f1,f3")
    expect(page.locator(".drop-compare")).to_be_hidden()
    assert len(asked) == 1 and "against" not in asked[0]
    page.get_by_role("button", name="Pin this view as A, to compare").click()
    until(page, "location.search.includes('pin=')")
    wait_until_done(page)
    expect(page.locator(".compare-words")).to_contain_text("A is what is shown")
    expect(page.locator("#panel-drop-compared")).to_be_hidden()
    toggle(page, "f1")
    page.wait_for_selector('[data-key="difference"] canvas[data-painted]')
    body = {"model": MODEL, "data": SETS, "samples": FEW, "intervention": {"drop": ["f3"]}}
    body["against"] = {"model": MODEL, "intervention": {"drop": ["f1", "f3"]}}
    answer = server.ask("POST", "/evaluations", json=body).json()
    (only,) = answer["comparison"]["by_distribution"]

    def points(value: float) -> str:
        return ("+" if value > 0 else "") + shown(value)

    difference = page.locator("#drop-difference-in .number-value")
    expect(difference).to_have_text(points(only["difference"]["accuracy"]["value"]))
    for name, count in only["outcomes"].items():
        assert page.inner_text(f'[data-outcome="{name}"]') == str(count)
    assert f"same {FEW} samples" in page.inner_text(".compare-words")
    sides = [page.inner_text(f'[data-side="{side}"] .number-main .number-value') for side in "ab"]
    assert sides == [shown(answer["comparison"]["a"]["accuracy"]["value"]), shown(answer["accuracy"]["value"])]
    for key in ("compared", "difference"):
        assert colours_on(page, f'[data-key="{key}"] canvas') > 20
    expect(page.locator("#panel-drop-labels")).to_be_hidden()  # the panel compares labels with those of A
    facts = facts_of(save("drop-difference", "svg"))
    assert (facts["a"]["drop"], facts["b"]["drop"], facts["samples_compared"]) == (["f1", "f3"], ["f3"], FEW)
    row = rows_of(save("drop-difference", "csv"))[0]
    assert float(row["B_minus_A"]) == pytest.approx(only["difference"]["accuracy"]["value"])
    for _ in looks(page):
        check(page)
        assert fits(page)
    begin(page)

    page.get_by_role("button", name="Swap").click()
    until(page, "location.search.includes('units=f1,f3')")
    wait_until_done(page)
    value = points(-only["difference"]["accuracy"]["value"])
    expect(difference).to_have_text(value)
    page.reload()
    wait_until_done(page)
    expect(difference).to_have_text(value)
    page.get_by_role("button", name="Unpin").click()
    until(page, "!location.search.includes('pin=')")
    wait_until_done(page)
    expect(page.locator(".drop-compare")).to_be_hidden()
    expect(page.locator("#panel-drop-labels")).to_be_visible()
    assert "against" not in asked[-1]

    opened(page, server, units="f2", pin="transformer-algo:")
    expect(page.locator(".compare-words")).to_contain_text("transformer-algo does not read mnist")
    assert number(page, "accuracy") == shown(evaluate(server, drop=["f2"])["accuracy"]["value"])
    expect(page.locator("#panel-drop-difference")).to_be_hidden()
