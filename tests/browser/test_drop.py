"""The Drop page: leave a unit out and the accuracy moves, as the API says; cancel, go back, reload, take away."""

import csv
import functools
import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, Request, expect

from routescope_app.services.engine.threads import Priority
from tests.browser.conftest import MODEL, WITHOUT_JOBS, Guard, Hold, Server, colours_on, until, url_of
from tests.browser.drop_pages import (
    FEW,
    SAMPLES,
    SETS,
    SVG,
    chip,
    evaluate,
    number,
    opened,
    shown,
    toggle,
    wait_until_done,
)
from tests.browser.looks import begin, check, fits, looks


@pytest.fixture(autouse=True)
def no_importance(page: Page) -> None:
    """Keeps the page from starting the importance of units by itself, which would take the processor from the test."""
    page.add_init_script(WITHOUT_JOBS)


@pytest.fixture
def open_drop(page: Page, server: Server) -> Callable[..., Page]:
    return functools.partial(opened, page, server)


def test_leaving_a_unit_out_moves_the_accuracy_as_the_api_says(open_drop: Callable[..., Page], server: Server) -> None:
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
    assert f"{SAMPLES} samples" in page.inner_text("#drop-status")
    assert "per second" not in page.inner_text(".costs") and "samples/s" not in page.inner_text(".costs")
    page.locator("#drop-speed button").click()
    expect(page.locator("#drop-speed")).to_contain_text("times as fast")
    assert re.search(r"[0-9.]+ to [0-9.]+ in 9 rounds", page.inner_text("#drop-speed"))
    for key in ("accuracy", "labels", "domains"):
        assert colours_on(page, f'[data-key="{key}"] canvas') > 20
    by_label = {row["name"]: row for row in evaluation["by_label"]}
    words = page.get_attribute('[data-key="labels"] canvas', "aria-label") or ""
    for label, row in by_label.items():
        sign = "+" if row["change"] > 0 else ""
        assert f"{label} {sign}{shown(row['change'])}" in words
    assert "stand-in" in (page.get_attribute('[data-key="domains"] canvas', "aria-label") or "")
    assert "stand-in data: mnist-m, street-digits" in page.inner_text("#drop-caption")


@pytest.mark.parametrize("kind", ["mute", "mean", "resample"])
def test_every_kind_of_ablation(open_drop: Callable[..., Page], server: Server, kind: str) -> None:
    page = open_drop(samples=60, units="f3")
    sentence = page.inner_text("#drop-sentence")
    page.locator("#drop-kind").get_by_text(kind, exact=True).click()
    until(page, "kind => location.search.includes('kind=' + kind)", kind)
    wait_until_done(page)
    assert page.inner_text("#drop-sentence") != sentence
    evaluation = evaluate(server, 60, **{kind: ["f3"]})
    assert number(page, "accuracy") == shown(evaluation["accuracy"]["value"])
    saves = evaluation["saved"] > 0
    assert saves == (kind == "mute")
    assert ("nothing saved" in page.inner_text("#drop-flops")) != saves


def test_another_choice_cancels_the_running_evaluation(
    open_drop: Callable[..., Page], server: Server, hold: Hold
) -> None:
    page = open_drop()
    aborted: list[str] = []

    def note(request: Request) -> None:
        aborted.append(request.url)

    page.on("requestfailed", note)
    hold.at(Priority.STREAM, pieces=2)
    page.goto(server.address("/drop", model=MODEL, samples=90, units="f1,f2,f3"))
    page.wait_for_selector('.page-drop[data-state="running"][data-fresh="true"]')
    hold.at(Priority.STREAM, pieces=2)
    chip(page, "f5").click()
    until(page, "location.search.includes('units=f1,f2,f3,f5')")
    page.wait_for_selector('.page-drop[data-state="running"][data-fresh="true"]')
    assert any("drop=f1,f2,f3&" in url for url in aborted), aborted
    for unit in ("f1", "f2", "f3", "f5"):  # quicker than anything can be measured: only the last one is
        chip(page, unit).click()
    hold.let_go()
    wait_until_done(page)
    assert "nothing dropped: 90 samples" in page.inner_text("#drop-status")


def test_no_figure_stands_over_another_where_every_layer_is_dropped(page: Page, server: Server) -> None:
    """The longest figures that there are: signs, two digits and units beside each other."""
    page.set_viewport_size({"width": 1280, "height": 900})
    opened(page, server, 60, "vit-digits", units="l1,l2,l3,l4,l5,l6")
    wide = "each => each.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)"
    values = page.locator(".page-drop .numbers .number").evaluate_all(wide)
    assert len(values) == 4 and max(values) <= 0, values


def test_going_back_computes_nothing_again(open_drop: Callable[..., Page]) -> None:
    page = open_drop(units="f2")
    before = number(page, "accuracy")
    toggle(page, "f4")
    assert number(page, "accuracy") != before
    toggle(page, "f4")
    assert number(page, "accuracy") == before
    assert "measured before, nothing had to be computed" in page.inner_text("#drop-status")


def test_a_reload_and_a_link_show_the_same(open_drop: Callable[..., Page], server: Server) -> None:
    page = open_drop()
    chip(page, "f5").click()
    page.locator('[data-drop-set="mnist-m"]').click()
    page.fill("#drop-iterations", "4")
    until(page, "location.search.includes('iterations=4')")
    page.locator("#drop-kind").get_by_text("mute", exact=True).click()
    until(page, "location.search.includes('kind=mute')")
    wait_until_done(page)
    expected = evaluate(server, data=["mnist", "street-digits"], mute=["f5"], iterations=4)
    address, value = url_of(page), number(page, "accuracy")
    assert value == shown(expected["accuracy"]["value"])
    assert {"units=f5", "data=mnist,street-digits", f"samples={SAMPLES}"} <= set(re.split(r"[?&]", address))
    page.reload()
    wait_until_done(page)
    assert (url_of(page), number(page, "accuracy")) == (address, value)
    expect(chip(page, "f5")).to_have_attribute("aria-pressed", "true")
    expect(page.locator('[data-drop-set="mnist-m"]')).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#drop-iterations")).to_have_value("4")

    page.click("#drop-reset")
    until(page, "!location.search.includes('units')")
    wait_until_done(page)
    assert "nothing dropped: 1,000 samples" in page.inner_text("#drop-status")
    expect(page.locator("#drop-iterations")).to_have_value("")


def test_cancel_keeps_what_there_is_and_goes_on(page: Page, server: Server, hold: Hold) -> None:
    hold.at(Priority.STREAM, pieces=2)
    page.goto(server.address("/drop", model=MODEL, samples=150, units="f3,f4", kind="mute"))
    page.wait_for_selector('.page-drop[data-state="running"][data-fresh="true"]')
    page.click("#drop-cancel")
    page.wait_for_selector('.page-drop[data-state="cancelled"]')
    assert re.search(r"Cancelled: the figures cover [\d,]+ of 150 samples", page.inner_text("#drop-status"))
    assert page.evaluate("routescope.stream.live('drop')") is False
    hold.let_go()
    page.click("#drop-again")
    wait_until_done(page)
    assert "150 samples" in page.inner_text("#drop-status")


def test_cancel_while_a_slider_rests(open_drop: Callable[..., Page]) -> None:
    page = open_drop(samples=FEW)
    cancel = "routescope.drop.choose({ units: ['f2'] }, true); document.getElementById('drop-cancel').click();"
    page.evaluate(cancel)
    page.wait_for_selector('.page-drop[data-state="cancelled"]')
    page.wait_for_timeout(400)  # longer than the pause after a slider
    assert page.evaluate("[routescope.drop.state.status, routescope.stream.live('drop')]") == ["cancelled", False]
    page.click("#drop-again")
    wait_until_done(page)
    assert "f2 dropped" in page.inner_text("#drop-status")
    shares = page.evaluate("[1, 0.25, 0.005, 0.0005].map(routescope.numbers.percentOf)")
    assert shares == ["100", "25", "0.5", "0.05"]


def test_one_data_set_stays(open_drop: Callable[..., Page]) -> None:
    page = open_drop(data="mnist")
    page.locator('[data-drop-set="mnist"]').click()
    expect(page.locator(".mantine-Notification-root").first).to_contain_text("One data set stays")
    expect(page.locator('[data-drop-set="mnist"]')).to_have_attribute("aria-pressed", "true")


def test_what_the_service_refuses_is_said(page: Page, server: Server, guard: Guard) -> None:
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


def test_what_is_not_valid_in_an_address_is_left_out(open_drop: Callable[..., Page]) -> None:
    page = open_drop(samples=40, units="f1,<b>,zzz", kind="explode", iterations=-3, data="mnist,../etc")
    assert "f1 dropped: 40 samples" in page.inner_text("#drop-status")
    expect(chip(page, "f1")).to_have_attribute("aria-pressed", "true")


def test_pictures_and_numbers_can_be_taken_away(
    open_drop: Callable[..., Page], server: Server, save: Callable[..., Path]
) -> None:
    open_drop(units="f2")
    evaluation = evaluate(server, drop=["f2"])

    for panel in ("drop-accuracy", "drop-labels", "drop-domains"):
        root = ET.fromstring(save(panel, "svg").read_text(encoding="utf-8"))
        facts = json.loads(root.findtext(f"{SVG}metadata") or "")
        assert facts["model"] == MODEL and facts["drop"] == ["f2"] and facts["revision"] == evaluation["revision"]
        assert "seed" in facts and facts["samples"] == SAMPLES and "units=f2" in facts["link"]
        assert len(list(root.iter(f"{SVG}circle"))) >= 3
    with Image.open(save("drop-accuracy", "png")) as picture:
        assert json.loads(picture.text["Description"])["drop"] == ["f2"]
    written = json.loads(save("drop-accuracy", "json").read_text())
    assert written["result"]["accuracy"] == evaluation["accuracy"]
    text = save("drop-labels", "csv").read_text()
    rows = list(csv.DictReader(io.StringIO("\n".join(line for line in text.splitlines() if line[0] != "#"))))
    assert [row["name"] for row in rows] == [row["name"] for row in evaluation["by_label"]]
    assert [float(row["change"]) for row in rows] == pytest.approx([row["change"] for row in evaluation["by_label"]])


def test_with_keys_alone(open_drop: Callable[..., Page]) -> None:
    page = open_drop()
    chip(page, "f1").focus()
    page.keyboard.press("ArrowRight")
    expect(chip(page, "f2")).to_be_focused()
    page.keyboard.press("Space")
    until(page, "location.search.includes('units=f2')")
    expect(chip(page, "f2")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Tab")
    expect(chip(page, "f3")).to_be_focused()


def test_the_page_ends_its_stream_when_it_goes(page: Page, server: Server) -> None:
    page.goto(server.address("/drop", model=MODEL, samples=3000, units="f1", kind="mean"))
    page.wait_for_selector('.page-drop[data-state="running"][data-fresh="true"]')
    page.locator("nav a", has_text="Samples").click()
    page.wait_for_selector("#gallery .thumb")
    assert page.evaluate("routescope.stream.live('drop')") is False


def left_out(page: Page) -> list[str]:
    cells = page.locator('[data-drop-unit][aria-pressed="true"]')
    return [str(name) for name in cells.evaluate_all("all => all.map(cell => cell.dataset.dropUnit)")]


def slide(page: Page, name: str, value: int) -> None:
    """Moves a slider, and waits for the figures that belong to it."""
    before = url_of(page)
    page.fill(f"#drop-{name}", str(value))
    until(page, "old => location.href !== old", before)
    wait_until_done(page)


def test_many_modules_by_connectivity_and_links(open_drop: Callable[..., Page], server: Server, circuit: str) -> None:
    page = open_drop(samples=FEW, model=circuit)
    expect(page.locator("[data-drop-unit]")).to_have_count(40)
    assert "Click a module to" in page.inner_text(".drop-controls")
    graph = server.ask("GET", f"/models/{circuit}/graph").json()
    weakest = sorted(range(40), key=lambda at: graph["connectivity"][at])
    page.wait_for_selector("#drop-least:enabled")
    slide(page, "least", 30)
    assert set(left_out(page)) == {graph["units"][at] for at in weakest[:30]}
    slide(page, "edges", 25)
    address = url_of(page)
    assert "least=30&edges=0.25" in address and "units=" not in address and len(address) < 120
    dropped = [unit for unit in graph["units"] if unit in set(left_out(page))]
    evaluation = evaluate(server, FEW, model=circuit, drop=dropped, keep_edges=0.25)
    shows, left = evaluation["by_distribution"]  # no card names the first sets; training left mnist-m out
    assert number(page, "accuracy") == shown(shows["accuracy"]["value"])
    assert page.inner_text("#drop-accuracy-out .number-value") == shown(left["accuracy"]["value"])
    assert f"{100 * evaluation['saved']:.1f} % saved" in page.inner_text("#drop-flops") and evaluation["saved"] > 0.3
    assert "30 modules dropped; 25 % of edges kept" in page.inner_text("#drop-status")
    words = page.get_attribute('[data-key="domains"] canvas', "aria-label") or ""
    assert "mnist-m (stand-in), out of distribution" in words and words.index("street-digits") < words.index("mnist-m")
    words = page.get_attribute('[data-key="labels"] canvas', "aria-label") or ""
    for name, rows in (("distribution unknown", shows["by_label"]), ("out of distribution", left["by_label"])):
        for row in rows:  # no label pools the two either
            assert f"{row['name']}, {name} {'+' if row['change'] > 0 else ''}{shown(row['change'])}" in words
    expect(page.locator("#importance-distribution")).to_have_value("unknown")
    page.select_option("#importance-distribution", "out")
    until(page, "location.search.includes('distribution=out')")
    page.select_option("#importance-distribution", "unknown")
    until(page, "!location.search.includes('distribution=')")

    page.reload()
    wait_until_done(page)
    assert sorted(left_out(page)) == sorted(dropped)
    chip(page, dropped[0]).click()  # the slider's choice becomes a choice by names
    until(page, "location.search.includes('units=') && !location.search.includes('least=')")
    assert dropped[0] not in left_out(page) and len(left_out(page)) == 29
    for text, why in {
        "q < 0.01": "no module has q < 0.01; the smallest is ",
        "m99": "there is no m99; modules are m1 to m40",
        "foo, m2": "there is no foo; modules are m1 to m40",
        "q<": "a bound on the connectivity is q<30",
    }.items():
        page.fill("#drop-find", text)
        expect(page.locator("#drop-unfound")).to_contain_text(why)
    page.fill("#drop-find", "m1..m4 m40")
    expect(page.locator("#drop-unfound")).to_be_empty()
    expect(page.locator("#drop-take")).to_have_text("Drop 5")
    page.click("#drop-take")
    until(page, "document.querySelector('[data-drop-unit=m3]').ariaPressed === 'true'")
    assert {"m1", "m2", "m3", "m4", "m40"} <= set(left_out(page))
    expect(page).to_have_url(re.compile("m1[.][.]m"))
    check(page)


def test_what_is_pinned_is_compared(page: Page, server: Server, save: Callable[..., Path]) -> None:
    """A stays while B changes: side by side, and B minus A as the API has it; swapped, reloaded, unpinned."""
    begin(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/evaluations/stream" in request.url else None)
    opened(page, server, units="f1,f3")
    expect(page.locator(".drop-compare")).to_be_hidden()
    assert len(asked) == 1 and "against" not in asked[0]  # nothing is asked for while nothing is pinned
    page.get_by_role("button", name="Pin what is shown as A, to compare").click()
    until(page, "location.search.includes('pin=')")
    wait_until_done(page)
    expect(page.locator(".compare-words")).to_contain_text("A is what is shown")
    expect(page.locator("#panel-drop-compared")).to_be_hidden()
    toggle(page, "f1")
    page.wait_for_selector('[data-key="difference"] canvas[data-painted]')
    body = {"model": MODEL, "data": SETS, "samples": SAMPLES, "intervention": {"drop": ["f3"]}}
    body["against"] = {"model": MODEL, "intervention": {"drop": ["f1", "f3"]}}
    answer = server.ask("POST", "/evaluations", json=body).json()
    (only,) = answer["comparison"]["by_distribution"]

    def points(value: float) -> str:
        return ("+" if value > 0 else "") + shown(value)

    assert page.inner_text("#drop-difference-in .number-value") == points(only["difference"]["accuracy"]["value"])
    for name, count in only["outcomes"].items():
        assert page.inner_text(f'[data-outcome="{name}"]') == str(count)
    assert f"same {SAMPLES} samples" in page.inner_text(".compare-words")
    sides = [page.inner_text(f'[data-side="{side}"] .number-main .number-value') for side in "ab"]
    assert sides == [shown(answer["comparison"]["a"]["accuracy"]["value"]), shown(answer["accuracy"]["value"])]
    for key in ("compared", "difference"):
        assert colours_on(page, f'[data-key="{key}"] canvas') > 20
    expect(page.locator("#panel-drop-labels")).to_be_hidden()  # they stand beside A's
    facts = json.loads(
        ET.fromstring(save("drop-difference", "svg").read_text(encoding="utf-8")).findtext(f"{SVG}metadata") or ""
    )
    assert (facts["a"]["drop"], facts["b"]["drop"], facts["samples_compared"]) == (["f1", "f3"], ["f3"], SAMPLES)
    text = save("drop-difference", "csv").read_text()
    rows = list(csv.DictReader(io.StringIO("\n".join(line for line in text.splitlines() if line[0] != "#"))))
    assert float(rows[0]["B_minus_A"]) == pytest.approx(only["difference"]["accuracy"]["value"])
    assert [int(rows[0][name]) for name in only["outcomes"]] == list(only["outcomes"].values())
    for _ in looks(page):
        check(page)
        assert fits(page)
    page.set_viewport_size({"width": 1440, "height": 900})

    page.get_by_role("button", name="Swap").click()
    until(page, "location.search.includes('units=f1,f3')")
    wait_until_done(page)
    value = points(-only["difference"]["accuracy"]["value"])
    expect(page.locator("#drop-difference-in .number-value")).to_have_text(value)
    page.reload()
    wait_until_done(page)
    expect(page.locator("#drop-difference-in .number-value")).to_have_text(value)
    page.get_by_role("button", name="Unpin").click()
    until(page, "!location.search.includes('pin=')")
    wait_until_done(page)
    expect(page.locator(".drop-compare")).to_be_hidden()
    expect(page.locator("#panel-drop-labels")).to_be_visible()
    assert "against" not in asked[-1]


def test_why_two_models_are_not_compared(page: Page, server: Server) -> None:
    """What A does not read is said; B is shown all the same."""
    opened(page, server, samples=FEW, units="f2", pin="transformer-algo:")
    expect(page.locator(".compare-words")).to_contain_text("transformer-algo does not read mnist")
    assert number(page, "accuracy") == shown(evaluate(server, FEW, drop=["f2"])["accuracy"]["value"])
    expect(page.locator("#panel-drop-difference")).to_be_hidden()
