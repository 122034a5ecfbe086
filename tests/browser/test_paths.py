"""The Paths page: painting, playing, pointing, intervening, and the address that brings it all back."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import MODEL, Guard, Server, colours_on, predictions_on, until, url_of, wait_for_change
from tests.browser.looks import check

Opener = Callable[..., Page]
#: Where the picture has a token at a column, in pixels of the page.
PLACE = """([token, step]) => {
    const { layout } = routescope.pathCanvas.parts;
    const box = document.querySelector('#path-picture').getBoundingClientRect();
    const line = layout.lines[token];
    const from = line.points[step];
    const to = line.points[step + 1];
    const middle = routescope.geometry.curveAt(from, to, 0.5);
    return [box.left + middle.x, box.top + middle.y];
}"""
DOT = """([step, unit]) => {
    const { layout } = routescope.pathCanvas.parts;
    const box = document.querySelector('#path-picture').getBoundingClientRect();
    const dot = layout.dotOf(step, unit);
    return [box.left + dot.x, box.top + dot.y];
}"""


def units_of(page: Page) -> list[str]:
    return list(page.evaluate("routescope.paths.state.view.units"))


def steps_of(page: Page) -> list[str]:
    return list(page.evaluate("routescope.paths.state.view.steps"))


def most_used(page: Page) -> str:
    """The function with the greatest mean compatibility at the last step."""
    return str(
        page.evaluate("""() => { const { view } = routescope.paths.state;
            const uses = view.units.map((_, unit) => view.use(view.steps.length - 1, unit));
            return view.units[uses.indexOf(Math.max(...uses))]; }""")
    )


def test_all_pictures_are_painted(open_paths: Opener) -> None:
    page = open_paths("mnist-m.validation.3")
    assert colours_on(page, "#path-picture") > 50
    assert colours_on(page, "#patch-picture") > 10
    assert colours_on(page, '[data-key="paths"] canvas') > 5
    for unit in units_of(page):
        expect(page.locator(f'[data-unit-chip="{unit}"]')).to_be_visible()
    expect(page.locator("#paths-kind")).to_have_text("observed")


def test_the_canvas_has_the_pixels_of_the_screen(page: Page, server: Server, browser: Any) -> None:
    context = browser.new_context(base_url=server.url, device_scale_factor=2, viewport={"width": 1200, "height": 800})
    try:
        sharp = context.new_page()
        sharp.goto(server.address("/paths", model=MODEL, sample="mnist.validation.3"))
        sharp.wait_for_selector("#path-picture[data-painted]")
        widths = sharp.evaluate("(c => [c.width, c.clientWidth])(document.querySelector('#path-picture'))")
        assert widths[0] == pytest.approx(2 * widths[1], abs=2)
    finally:
        context.close()


def test_play_pause_and_scrub(open_paths: Opener) -> None:
    page = open_paths()
    picture = page.locator("#path-picture")
    steps = steps_of(page)
    page.focus("#path-picture")
    page.keyboard.press(" ")
    expect(picture).to_have_attribute("data-playing", "true")
    expect(picture).to_have_attribute("data-step", steps[1])
    page.keyboard.press(" ")
    expect(picture).to_have_attribute("data-playing", "false")
    page.keyboard.press("End")
    expect(picture).to_have_attribute("data-step", steps[-1])
    page.keyboard.press("ArrowLeft")
    expect(picture).to_have_attribute("data-step", steps[-2])
    page.locator("input.scrub").fill("1")
    expect(picture).to_have_attribute("data-step", steps[0])
    expect(page.locator("#patch-picture")).to_have_attribute("data-step", steps[0])
    page.get_by_role("button", name="Next step").click()
    until(page, "location.search.includes('step=2')")


def test_pointing_is_linked_both_ways(open_paths: Opener) -> None:
    page = open_paths("mnist-m.validation.3")
    box = page.locator("#patch-picture").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] - 8, box["y"] + 8)
    last_of_the_first_row = page.evaluate("routescope.paths.state.view.info.grid.columns - 1")
    name = f"patch:0,{last_of_the_first_row}"
    expect(page.locator("#path-picture")).to_have_attribute("data-highlighted", name)
    expect(page.locator(".token-detail")).to_contain_text(f"patch 1, {last_of_the_first_row + 1}")
    assert page.locator(".token-detail .bar-row").count() == len(units_of(page))

    token = page.evaluate("routescope.paths.state.view.patches[0]")
    x, y = page.evaluate(PLACE, [token, 0])
    page.mouse.move(x, y)
    pointed = wait_for_change(page, "#patch-picture", "data-highlighted", name)
    assert pointed == page.get_attribute("#path-picture", "data-highlighted")
    assert re.fullmatch(r"(patch|cls):\S+", pointed)

    unit = page.evaluate("routescope.paths.state.view.dominant(1, routescope.paths.state.view.patches[0])")
    x, y = page.evaluate(DOT, [1, unit])
    page.mouse.move(x, y)
    members = page.evaluate(
        "unit => routescope.paths.state.view.members(1, unit).map(t => routescope.paths.state.view.tokens[t].name)",
        unit,
    )
    expect(page.locator("#patch-picture")).to_have_attribute("data-highlighted", " ".join(members))
    assert page.get_attribute("#path-picture", "data-hovered-dot") == f"{steps_of(page)[1]}/{units_of(page)[unit]}"
    page.mouse.move(5, 400)
    expect(page.locator("#patch-picture")).to_have_attribute("data-highlighted", "")


def test_muting_and_dropping_are_two_things_and_the_baseline_stays(open_paths: Opener) -> None:
    page = open_paths("street-digits.validation.5")
    before, trace = predictions_on(page), page.get_attribute("#path-picture", "data-painted")
    unit = most_used(page)
    index = units_of(page).index(unit)
    chip = page.locator(f'[data-unit-chip="{unit}"]')

    chip.click()
    muted = wait_for_change(page, "#path-picture", "data-painted", trace)
    expect(chip).to_have_attribute("data-state", "muted")
    until(page, f"location.search.includes('mute={unit}')")
    assert page.evaluate(f"routescope.paths.state.view.use(0, {index})") == 0
    total = (
        "routescope.paths.state.view.units.reduce((sum, _, unit) => sum + routescope.paths.state.view.use(0, unit), 0)"
    )
    left = page.evaluate(total)
    assert left < 0.999, "muting takes compatibility away"
    expect(page.locator("#paths-kind")).to_have_text(f"observed under: mute {unit}")
    assert predictions_on(page) != before
    page.locator("#panel-predictions").get_by_text("The same as a table").click()
    expect(page.locator("#panel-predictions table")).to_contain_text("without intervention")
    assert page.evaluate("routescope.paths.state.baseline.info.id") == trace
    expect(page.locator(".path-status")).to_contain_text("take another dominant path")

    chip.click()
    wait_for_change(page, "#path-picture", "data-painted", muted)
    expect(chip).to_have_attribute("data-state", "on")
    assert predictions_on(page) == before

    page.get_by_text("drop: renormalise over the rest").click()
    chip.click()
    dropped = wait_for_change(page, "#path-picture", "data-painted", trace)
    expect(chip).to_have_attribute("data-state", "dropped")
    until(page, f"location.search.includes('drop={unit}')")
    assert "mute=" not in url_of(page) and dropped not in {trace, muted}
    assert page.evaluate(total) > left, "dropping gives the compatibility to the rest"
    page.click("#paths-reset")
    wait_for_change(page, "#path-picture", "data-painted", dropped)
    until(page, "!location.search.includes('drop=')")


def test_the_number_of_iterations_can_be_changed(open_paths: Opener) -> None:
    page = open_paths()
    trained = len(steps_of(page))
    trace = page.get_attribute("#path-picture", "data-painted")
    page.fill("#paths-iterations", str(trained + 2))
    wait_for_change(page, "#path-picture", "data-painted", trace)
    assert len(steps_of(page)) == trained + 2
    until(page, f"location.search.includes('iterations={trained + 2}')")
    assert predictions_on(page)


def test_a_link_gives_the_same_view_after_a_restart(page: Page, own_server: Server) -> None:
    page.goto(own_server.address("/paths", model=MODEL, sample="mnist-m.validation.7"))
    page.wait_for_selector("#path-picture[data-painted]")
    trace = page.get_attribute("#path-picture", "data-painted")
    units = units_of(page)
    page.click(f'[data-unit-chip="{units[0]}"]')
    muted = wait_for_change(page, "#path-picture", "data-painted", trace)
    page.get_by_text("drop: renormalise over the rest").click()
    page.click(f'[data-unit-chip="{units[1]}"]')
    painted = wait_for_change(page, "#path-picture", "data-painted", muted)
    page.get_by_role("button", name="Next step").click()
    until(page, "location.search.includes('step=2')")
    step, words, link = page.get_attribute("#path-picture", "data-step"), predictions_on(page), url_of(page)
    assert f"mute={units[0]}" in link and f"drop={units[1]}" in link

    page.goto("about:blank")
    own_server.stop()
    own_server.start()
    page.goto(link)
    expect(page.locator("#path-picture")).to_have_attribute("data-painted", painted)
    expect(page.locator("#path-picture")).to_have_attribute("data-step", str(step))
    assert predictions_on(page) == words
    expect(page.locator(f'[data-unit-chip="{units[0]}"]')).to_have_attribute("data-state", "muted")
    expect(page.locator(f'[data-unit-chip="{units[1]}"]')).to_have_attribute("data-state", "dropped")
    expect(page).to_have_url(link)


def test_a_link_is_copied(open_paths: Opener, context: Any) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = open_paths(step=2)
    page.click("[data-copy-link]")
    expect(page.locator(".mantine-Notification-root")).to_contain_text("Link copied")
    assert page.evaluate("navigator.clipboard.readText()") == url_of(page)


def test_what_is_not_valid_in_an_address_is_left_out(open_paths: Opener) -> None:
    page = open_paths(iterations="<script>", step="-4", mute="")
    expect(page.locator("#path-picture")).to_have_attribute("data-step", steps_of(page)[0])


def test_an_unknown_function_is_said_in_words_and_the_rest_is_shown(page: Page, server: Server) -> None:
    page.goto(server.address("/paths", model=MODEL, sample="mnist.validation.3", mute="f99,f2"))
    page.wait_for_selector("#path-picture[data-painted]")
    expect(page.locator(".address-note")).to_contain_text("f99")
    expect(page.locator('[data-unit-chip="f2"]')).to_have_attribute("data-state", "muted")


def test_a_trace_that_arrives_late_leaves_the_newer_choice_alone(open_paths: Opener) -> None:
    page = open_paths()
    unit, trace = units_of(page)[0], page.get_attribute("#path-picture", "data-painted")
    chip = page.locator(f'[data-unit-chip="{unit}"]')
    fields: list[Route] = []
    page.route("**/traces/*/fields/*", lambda route: fields.append(route))
    with page.expect_request("**/traces/*/fields/*"):
        chip.click()
    chip.click()  # it is back before the path without it is there
    expect(chip).to_have_attribute("data-state", "on")
    for held in fields:
        held.continue_()
    page.unroute("**/traces/*/fields/*")
    until(page, "routescope.paths.state.status === 'ready'")
    page.wait_for_timeout(1_000)  # for the path of the newer choice
    expect(page.locator("#path-picture")).to_have_attribute("data-painted", str(trace))
    expect(chip).to_have_attribute("data-state", "on")


def test_play_that_is_pressed_while_a_path_is_on_its_way_goes_on_with_it(open_paths: Opener) -> None:
    page = open_paths()
    unit = units_of(page)[0]
    fields: list[Route] = []
    page.route("**/traces/*/fields/*", lambda route: fields.append(route))
    with page.expect_request("**/traces/*/fields/*"):
        page.locator(f'[data-unit-chip="{unit}"]').click()
    page.evaluate(
        """() => {
          window.plays = [];
          const note = ({ playing }, names) => names.has("view") && window.plays.push(playing);
          routescope.paths.subscribe(note);
        }"""
    )
    page.get_by_role("button", name="Play through the steps").click()
    for held in fields:
        held.continue_()
    page.unroute("**/traces/*/fields/*")
    until(page, "routescope.paths.state.status === 'ready'")
    assert page.evaluate("window.plays.at(-1)")  # when it came
    until(page, "unit => location.search.includes('mute=' + unit)", unit)
    expect(page.locator("#path-picture")).to_have_attribute("data-playing", "false")  # at its end


def test_fields_that_fail_leave_the_picture_that_stands(open_paths: Opener, guard: Guard) -> None:
    guard.expect("500")
    page = open_paths()
    unit, trace = units_of(page)[0], page.get_attribute("#path-picture", "data-painted")
    failed = json.dumps({"title": "It failed", "detail": "Something broke."})
    page.route("**/traces/*/fields/*", lambda route: route.fulfill(status=500, body=failed))
    page.locator(f'[data-unit-chip="{unit}"]').click()
    element = page.locator(".panel-path .when-failed")
    expect(element).to_contain_text("Something broke.")
    expect(page.locator("#path-picture")).to_have_attribute("data-painted", str(trace))  # greyed, not gone
    assert page.evaluate("getComputedStyle(document.querySelector('#path-picture')).opacity") == "0.45"
    page.unroute("**/traces/*/fields/*")
    element.get_by_role("button", name="Try again").click()
    until(page, "routescope.paths.state.status === 'ready'")
    expect(element).to_be_hidden()
    assert page.get_attribute("#path-picture", "data-painted") != trace


def test_another_model_keeps_what_it_has_of_an_intervention(page: Page, server: Server, circuit: str) -> None:
    page.goto(server.address("/paths", model=circuit, sample="mnist.validation.3", mute="m3..m5", edges=0.3))
    page.wait_for_selector("#path-picture[data-painted]")
    trace = page.get_attribute("#path-picture", "data-painted")
    assert page.inner_text("#paths-kind") == "observed under: mute m3, m4, m5; 30 % of the edges"
    page.evaluate("model => routescope.selection.choose({ model })", MODEL)
    plain = wait_for_change(page, "#path-picture", "data-painted", trace)
    expect(page.locator("#paths-kind")).to_have_text("observed")
    unit = units_of(page)[0]
    page.locator(f'[data-unit-chip="{unit}"]').click()
    wait_for_change(page, "#path-picture", "data-painted", plain)
    expect(page.locator("#paths-kind")).to_have_text(f"observed under: mute {unit}")
    until(page, "unit => location.search.includes('mute=' + unit)", unit)
    assert "m3" not in url_of(page)


def test_messages_between_modules(page: Page, server: Server, circuit: str) -> None:
    """Columns are the read-in and the layers; a dot's messages are those of the trace; a module is muted by a click."""
    page.goto(server.address("/paths", model=circuit, sample="mnist.validation.3", mute="m3..m5", step=2))
    page.wait_for_selector("#path-picture[data-painted]")
    assert page.get_attribute("#path-picture", "data-step") == "l1" and colours_on(page, "#path-picture") > 50
    until(page, "routescope.paths.state.graph !== null")
    trace = page.get_attribute("#path-picture", "data-painted")
    fields = f"/traces/{trace}/fields"
    messages = server.ask("GET", f"{fields}/messages").json()["values"][0]
    read_in = server.ask("GET", f"{fields}/read_in").json()["values"][0]
    sent = [sum(row[sender] for row in messages[0]) / 40 for sender in range(40)]
    leading = max(range(40), key=sent.__getitem__)
    words = page.inner_text('[data-widget="token-bars"]')
    assert "l2 reads most" in words
    expect(page.locator('[data-unit-chip][aria-pressed="true"]')).to_have_count(3)
    assert messages[0][7][2] == 0 == messages[1][0][4], "muted modules send nothing"

    row = page.locator('[data-widget="token-bars"] .bar-row').first
    row.focus()
    name = row.locator(".bar-name").inner_text()
    page.keyboard.press("Enter")  # what is said of its module, without a mouse
    until(page, "name => routescope.paths.state.view.units[routescope.paths.state.pinned?.unit] === name", name)
    expect(page.locator('[data-widget="token-bars"] button').first).to_be_focused()
    page.evaluate("unit => routescope.paths.update({ pinned: { step: 1, unit } })", leading)
    senders = sorted(range(40), key=lambda sender: -messages[0][leading][sender])[:6]
    rows = page.locator('[data-widget="token-bars"] .bar-name').all_inner_texts()
    assert rows[:6] == [f"m{sender + 1}" for sender in senders]
    assert f"m{leading + 1} at l1" in page.inner_text('[data-widget="token-bars"]')
    assert page.get_attribute("#path-picture", "data-hovered-dot") == f"l1/m{leading + 1}"
    reader = max(range(40), key=lambda unit: read_in[unit][5])
    assert page.evaluate("routescope.paths.state.view.dominant(0, 5)") == reader

    page.locator("[data-unit-action]").click()
    wait_for_change(page, "#path-picture", "data-painted", trace)
    expect(page.locator('[data-unit-chip][aria-pressed="true"]')).to_have_count(4)
    assert "of the attention between modules goes elsewhere" in page.inner_text(".path-status")
    until(page, "location.search.includes('mute=')")
    page.fill("#paths-edges", "30")
    until(page, "location.search.includes('edges=0.3')")
    assert "one head for every data set" in page.evaluate(
        "routescope.predictions.picture('paths').scene().items.map(item => item.text).join(' ')"
    )
    check(page)
    page.click("#path-export")
    with page.expect_download() as coming:
        page.click('[data-panel="path"][data-export="csv"]')
    written = Path(coming.value.path()).read_text()
    assert "# keep_edges: 0.3" in written
    lines = list(csv.reader(line for line in written.splitlines() if not line.startswith("#")))
    assert lines[0] == ["token", "step", "next_step", "from_unit", "to_unit", "weight"]
    assert {line[2] for line in lines[1:]} == {"read-in", "l1", "l2", "read-out"}
    assert {"m3", "m4", "m5"}.isdisjoint({line[3] for line in lines[1:]})
