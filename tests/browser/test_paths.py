"""The Paths page: painting, playing, pointing, intervening, and the address that brings it all back."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import (
    MODEL,
    Guard,
    Server,
    colours_on,
    predictions_on,
    rows_of,
    served,
    until,
    url_of,
    wait_for_change,
)
from tests.browser.looks import check

Opener = Callable[..., Page]
#: The place of a token at a column of the picture, in pixels of the page.
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
FIELDS = "**/traces/*/fields/*"
CANVAS = "document.querySelector('#path-picture')"
READY = "routescope.paths.state.status === 'ready'"


def units_of(page: Page) -> list[str]:
    return list(page.evaluate("routescope.paths.state.view.units"))


def steps_of(page: Page) -> list[str]:
    return list(page.evaluate("routescope.paths.state.view.steps"))


def test_pictures_play_and_point_at_each_other(open_paths: Opener, context: Any) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = open_paths("mnist-m.validation.3", iterations="<script>", step="-4", mute="f99")
    expect(page.locator(".address-note")).to_contain_text("f99")
    units, steps = units_of(page), steps_of(page)
    picture, patches = page.locator("#path-picture"), page.locator("#patch-picture")
    expect(picture).to_have_attribute("data-step", steps[0])
    assert colours_on(page, "#path-picture") > 50
    assert colours_on(page, "#patch-picture") > 10
    assert colours_on(page, '[data-key="paths"] canvas') > 5
    for unit in units:
        expect(page.locator(f'[data-unit-chip="{unit}"]')).to_be_visible()
    expect(page.locator("#paths-kind")).to_have_text("observed")

    box = patches.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] - 8, box["y"] + 8)
    last = page.evaluate("routescope.paths.state.view.info.grid.columns - 1")
    name = f"patch:0,{last}"
    expect(picture).to_have_attribute("data-highlighted", name)
    expect(page.locator(".token-detail")).to_contain_text(f"patch 1, {last + 1}")
    assert page.locator(".token-detail .bar-row").count() == len(units)
    token = page.evaluate("routescope.paths.state.view.patches[0]")
    page.mouse.move(*page.evaluate(PLACE, [token, 0]))
    pointed = wait_for_change(page, "#patch-picture", "data-highlighted", name)
    assert pointed == picture.get_attribute("data-highlighted")
    assert re.fullmatch(r"(patch|cls):\S+", pointed)
    unit = page.evaluate("token => routescope.paths.state.view.dominant(1, token)", token)
    page.mouse.move(*page.evaluate(DOT, [1, unit]))
    members = page.evaluate(
        "unit => routescope.paths.state.view.members(1, unit).map(t => routescope.paths.state.view.tokens[t].name)",
        unit,
    )
    expect(patches).to_have_attribute("data-highlighted", " ".join(members))
    assert picture.get_attribute("data-hovered-dot") == f"{steps[1]}/{units[unit]}"
    page.mouse.move(5, 400)
    expect(patches).to_have_attribute("data-highlighted", "")

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
    expect(patches).to_have_attribute("data-step", steps[0])
    page.get_by_role("button", name="Next step").click()
    until(page, "location.search.includes('step=2')")
    page.click("[data-copy-link]")
    expect(page.locator(".mantine-Notification-root")).to_contain_text("Link copied")
    assert page.evaluate("navigator.clipboard.readText()") == url_of(page)

    trace = picture.get_attribute("data-painted")
    page.fill("#paths-iterations", str(len(steps) + 2))
    wait_for_change(page, "#path-picture", "data-painted", trace)
    assert len(steps_of(page)) == len(steps) + 2
    until(page, f"location.search.includes('iterations={len(steps) + 2}')")
    session = page.context.new_cdp_session(page)
    sharp = {"deviceScaleFactor": 2, "width": 1200, "height": 800, "mobile": False}
    session.send("Emulation.setDeviceMetricsOverride", sharp)
    until(page, f"(canvas => Math.abs(canvas.width - 2 * canvas.clientWidth) <= 2)({CANVAS})")


def test_muting_and_dropping_differ_and_the_baseline_stays(open_paths: Opener) -> None:
    page = open_paths("street-digits.validation.5")
    before, trace = predictions_on(page), page.get_attribute("#path-picture", "data-painted")
    uses = "routescope.paths.state.view.units.map((_, unit) => routescope.paths.state.view.use(0, unit))"
    index = page.evaluate(f"(uses => uses.indexOf(Math.max(...uses)))({uses})")
    unit = units_of(page)[index]
    chip = page.locator(f'[data-unit-chip="{unit}"]')

    chip.click()
    muted = wait_for_change(page, "#path-picture", "data-painted", trace)
    expect(chip).to_have_attribute("data-state", "muted")
    until(page, f"location.search.includes('mute={unit}')")
    left = page.evaluate(uses)
    assert left[index] == 0 and sum(left) < 0.999, "muting takes compatibility away"
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
    assert sum(page.evaluate(uses)) > sum(left), "dropping gives the compatibility to the rest"
    page.click("#paths-reset")
    wait_for_change(page, "#path-picture", "data-painted", dropped)
    until(page, "!location.search.includes('drop=')")


def test_controls_follow_the_address_and_draw_the_picture(open_paths: Opener) -> None:
    page = open_paths("mnist-m.validation.3", drop="f1")
    expect(page.get_by_role("radio", name="drop: renormalise over the rest")).to_be_checked()
    weaker = page.get_by_label("weaker routes above")
    expect(weaker).to_have_value("25")
    weaker.press("ArrowRight")
    expect(page.locator('output[for="paths-threshold"]')).to_have_text("0.30")
    assert page.evaluate("routescope.paths.state.threshold") == 0.3
    page.get_by_label("path without intervention, dashed").check()
    assert page.evaluate("routescope.paths.state.showBaseline")
    page.get_by_label("Opacity of the colours").press("Home")
    assert page.evaluate("routescope.paths.state.opacity") == 0
    page.click("#paths-reset")
    until(page, "!location.search.includes('drop=')")
    expect(page.get_by_label("path without intervention, dashed")).to_be_hidden()


def test_a_link_gives_the_same_view_after_a_restart(page: Page, tmp_path: Path) -> None:
    with served(tmp_path) as server:
        page.goto(server.address("/paths", model=MODEL, sample="mnist-m.validation.7"))
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
        server.stop()
        server.start()
        page.goto(link)
        expect(page.locator("#path-picture")).to_have_attribute("data-painted", painted)
        expect(page.locator("#path-picture")).to_have_attribute("data-step", str(step))
        assert predictions_on(page) == words
        expect(page.locator(f'[data-unit-chip="{units[0]}"]')).to_have_attribute("data-state", "muted")
        expect(page.locator(f'[data-unit-chip="{units[1]}"]')).to_have_attribute("data-state", "dropped")
        expect(page).to_have_url(link)


def test_fields_that_come_late_or_fail(open_paths: Opener, guard: Guard) -> None:
    page = open_paths()
    unit, trace = units_of(page)[0], str(page.get_attribute("#path-picture", "data-painted"))
    picture, chip = page.locator("#path-picture"), page.locator(f'[data-unit-chip="{unit}"]')
    fields: list[Route] = []

    def let_go() -> None:
        for held in fields:
            held.continue_()
        fields.clear()
        page.unroute(FIELDS)
        until(page, READY)

    page.route(FIELDS, lambda route: fields.append(route))
    with page.expect_request(FIELDS):
        chip.click()
    chip.click()  # the unit is back before the path without it is there
    until(page, READY)
    with page.expect_response(FIELDS):
        let_go()
    page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    expect(picture).to_have_attribute("data-painted", trace)
    expect(chip).to_have_attribute("data-state", "on")

    other = page.locator(f'[data-unit-chip="{units_of(page)[1]}"]')
    page.route(FIELDS, lambda route: fields.append(route))
    with page.expect_request(FIELDS):
        other.click()
    page.evaluate(
        """() => {
          window.plays = [];
          const note = ({ playing }, names) => names.has("view") && window.plays.push(playing);
          routescope.paths.subscribe(note);
        }"""
    )
    page.get_by_role("button", name="Play through the iterations").click()
    let_go()
    assert page.evaluate("window.plays.at(-1)"), "play goes on with the path that arrives"
    until(page, "location.search.includes('mute=')")
    expect(picture).to_have_attribute("data-playing", "false")  # at its end

    guard.expect("500")
    trace = str(picture.get_attribute("data-painted"))
    failed = json.dumps({"title": "It failed", "detail": "Something broke."})
    page.route(FIELDS, lambda route: route.fulfill(status=500, body=failed))
    page.locator(f'[data-unit-chip="{units_of(page)[2]}"]').click()
    element = page.locator(".panel-path .when-failed")
    expect(element).to_contain_text("Something broke.")
    expect(picture).to_have_attribute("data-painted", trace)  # greyed, not gone
    assert page.evaluate("getComputedStyle(document.querySelector('#path-picture')).opacity") == "0.45"
    page.unroute(FIELDS)
    element.get_by_role("button", name="Try again").click()
    until(page, READY)
    expect(element).to_be_hidden()
    assert picture.get_attribute("data-painted") != trace


def test_messages_between_modules(page: Page, server: Server, circuit: str, save: Callable[..., Path]) -> None:
    """Columns are the read-in and the layers; a dot's messages are those of the trace."""
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
    words = page.inner_text(".token-bars")
    assert "l2 reads most" in words
    expect(page.locator('[data-unit-chip][aria-pressed="true"]')).to_have_count(3)
    assert messages[0][7][2] == 0 == messages[1][0][4], "muted modules send nothing"

    row = page.locator(".token-bars .bar-row").first
    row.focus()
    name = row.locator(".bar-name").inner_text()
    page.keyboard.press("Enter")  # what is said of its module, without a mouse
    until(page, "name => routescope.paths.state.view.units[routescope.paths.state.pinned?.unit] === name", name)
    expect(page.locator(".token-bars button").first).to_be_focused()
    page.evaluate("unit => routescope.paths.update({ pinned: { step: 1, unit } })", leading)
    senders = sorted(range(40), key=lambda sender: -messages[0][leading][sender])[:6]
    rows = page.locator(".token-bars .bar-name").all_inner_texts()
    assert rows[:6] == [f"m{sender + 1}" for sender in senders]
    assert f"m{leading + 1} at layer 1" in page.inner_text(".token-bars")
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
    expect(page.locator("#paths-kind")).to_contain_text("30 % of the edges")
    assert "one head for every data set" in page.evaluate(
        "routescope.figures.figure('predictions').panel.picture.scene().items.map(item => item.text).join(' ')"
    )
    check(page)
    file = save("path", "csv", model=circuit)
    assert "# keep_edges: 0.3" in file.read_text()
    rows = rows_of(file)
    assert list(rows[0]) == ["token", "step", "next_step", "from_unit", "to_unit", "weight"]
    assert {row["next_step"] for row in rows} == {"read-in", "l1", "l2", "read-out"}
    assert {"m3", "m4", "m5"}.isdisjoint({row["from_unit"] for row in rows})

    # Another model has none of these modules, and nothing of the intervention stays.
    trace = page.get_attribute("#path-picture", "data-painted")
    page.evaluate("model => routescope.selection.choose({ model })", MODEL)
    plain = wait_for_change(page, "#path-picture", "data-painted", trace)
    expect(page.locator("#paths-kind")).to_have_text("observed")
    unit = units_of(page)[0]
    page.locator(f'[data-unit-chip="{unit}"]').click()
    wait_for_change(page, "#path-picture", "data-painted", plain)
    expect(page.locator("#paths-kind")).to_have_text(f"observed under: mute {unit}")
    until(page, "unit => location.search.includes('mute=' + unit)", unit)
    assert "m3" not in url_of(page)
