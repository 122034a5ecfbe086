"""One state with a history: Back undoes, what pages have in common is carried, snapshots, broken links."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.conftest import CALLBACKS, MODEL, Server, holding, posts, until
from tests.browser.drop_pages import FEW, chip, opened
from tests.browser.looks import check, fits, looks

SAMPLE = "mnist.validation.3"
SAYS = "([name, value]) => new URLSearchParams(location.search).get(name) === value"


def says(page: Page, name: str, value: str | None) -> None:
    """Waits until the address says it."""
    until(page, SAYS, [name, value])


def test_back_undoes_a_drop_and_the_choice_of_a_model(page: Page, server: Server, circuit: str) -> None:
    opened(page, server, FEW, sample=SAMPLE)
    undo, redo = (page.locator(f'[data-history="{name}"]') for name in ("undo", "redo"))
    expect(undo).to_have_attribute("aria-disabled", "true")
    for unit, units in (("f2", "f2"), ("f3", "f2,f3")):
        chip(page, unit).click()
        says(page, "units", units)
        expect(undo).to_have_attribute("aria-disabled", "false")
        until(page, "depth => history.state.depth === depth", units.count("f"))
    page.go_back()
    says(page, "units", "f2")
    expect(chip(page, "f3")).to_have_attribute("data-state", "on")
    expect(chip(page, "f2")).to_have_attribute("data-state", "dropped")
    expect(chip(page, "f3")).to_be_focused()  # where one was
    redo.click()
    expect(chip(page, "f3")).to_have_attribute("data-state", "dropped")
    expect(redo).to_have_attribute("aria-disabled", "true")

    page.locator("#model-select").click()
    page.get_by_role("option").filter(has=page.get_by_text(circuit, exact=True)).click()
    says(page, "model", circuit)
    expect(page.locator(".address-note")).to_contain_text('"units" names f2, f3, ignored here: units of ' + circuit)
    says(page, "units", None)
    until(page, "depth => history.state.depth === depth", 3)
    page.go_back()
    says(page, "model", MODEL)
    expect(page.locator("#model-select")).to_have_value(MODEL)
    expect(chip(page, "f3")).to_have_attribute("data-state", "dropped")
    expect(page.locator(".address-note")).to_have_count(0)
    page.keyboard.press("Control+z")
    says(page, "units", "f2")
    page.keyboard.press("Control+z")
    says(page, "units", None)
    page.keyboard.press("Control+z")  # there were but two: undo never leaves the dashboard
    expect(chip(page, "f2")).to_have_attribute("data-state", "on")
    expect(undo).to_have_attribute("aria-disabled", "true")


STAYS = "name => document.querySelector('.page').dataset.marked === name"


def marked(page: Page, name: str) -> None:
    """Marks the page that is laid, so that one laid anew is told from it."""
    page.evaluate("name => (document.querySelector('.page').dataset.marked = name)", name)


def test_back_changes_what_changed_and_the_page_stays(page: Page, server: Server) -> None:
    opened(page, server, FEW, sample=SAMPLE)
    marked(page, "drop")
    chip(page, "f2").click()
    says(page, "units", "f2")
    until(page, "() => history.state.depth === 1")
    page.locator("#drop-kind").get_by_text("mute", exact=True).click()
    says(page, "kind", "mute")
    until(page, "() => history.state.depth === 2")
    page.go_back()
    says(page, "kind", None)
    expect(page.locator("#drop-kind input:checked")).to_have_value("drop")
    expect(chip(page, "f2")).to_have_attribute("data-state", "dropped")
    page.go_back()
    says(page, "units", None)
    expect(chip(page, "f2")).to_have_attribute("data-state", "on")
    page.go_forward()
    says(page, "units", "f2")
    expect(chip(page, "f2")).to_have_attribute("data-state", "dropped")
    until(page, STAYS, "drop")

    page.goto(server.address(f"/paths?model={MODEL}&sample={SAMPLE}"))
    unit = page.locator('[data-unit-chip="f2"]')
    expect(unit).to_have_attribute("data-state", "on")
    marked(page, "paths")
    unit.click()
    expect(unit).to_have_attribute("data-state", "muted")
    says(page, "mute", "f2")
    page.get_by_role("button", name="Pin what is shown as A").click()
    says(page, "pin", f"{MODEL}:{SAMPLE}:mute:f2")
    page.locator('nav a[href^="/samples"]').click()
    expect(page.locator(".page-samples")).to_be_visible()
    says(page, "pin", f"{MODEL}:{SAMPLE}:mute:f2")  # it passes through
    page.locator('nav a[href^="/paths"]').click()
    expect(unit).to_have_attribute("data-state", "muted")
    expect(page.locator('[data-pinned="a"]')).to_contain_text("f2 muted")
    marked(page, "paths")
    before = page.evaluate("history.state.depth")
    unit.click()
    expect(unit).to_have_attribute("data-state", "on")
    says(page, "mute", None)
    until(page, "depth => history.state.depth === depth + 1", before)
    page.go_back()
    expect(unit).to_have_attribute("data-state", "muted")
    says(page, "mute", "f2")
    until(page, STAYS, "paths")


def test_mutes_are_carried_to_drop_and_kept_in_a_snapshot(page: Page, server: Server, tmp_path: Path) -> None:
    page.goto(server.address("/paths", model=MODEL, sample=SAMPLE))
    page.wait_for_selector("#path-picture[data-painted]")
    page.locator('[data-unit-chip="f2"]').click()
    says(page, "mute", "f2")
    until(page, "depth => history.state.depth === depth", 1)
    page.keyboard.press("Control+z")
    says(page, "mute", None)
    expect(page.locator('[data-unit-chip="f2"]')).to_have_attribute("data-state", "on")
    page.keyboard.press("Control+Shift+z")
    expect(page.locator('[data-unit-chip="f2"]')).to_have_attribute("data-state", "muted")

    page.locator('#frame-navigation a[href^="/drop"]').click()
    expect(chip(page, "f2")).to_have_attribute("data-state", "muted")
    expect(page.locator("#drop-kind").get_by_role("radio", name="mute")).to_be_checked()
    says(page, "kind", "mute")

    page.locator('[data-history="snapshots"]').click()
    dialog = page.get_by_role("dialog", name="Snapshots")
    dialog.locator("input[name=name]").fill("Without <b>f2</b>")
    dialog.get_by_label("Note").fill("why\nand what for")
    dialog.get_by_role("button", name="Keep this view").click()
    entry = dialog.locator("[data-snapshot]")
    expect(entry).to_have_count(1)
    expect(entry.get_by_role("link")).to_have_text("Without <b>f2</b>")
    for _ in looks(page):
        check(page, "dialog")
        assert fits(page)
    dialog.get_by_role("button", name="Rename").click()
    entry.locator("input[name=name]").fill("f2 muted")
    entry.get_by_role("button", name="Save").click()
    expect(entry.get_by_role("link")).to_have_text("f2 muted")
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Export").click()
    file = tmp_path / "snapshots.json"
    saved.value.save_as(file)
    (kept,) = json.loads(file.read_text())["snapshots"]
    assert kept["name"] == "f2 muted" and kept["note"] == "why\nand what for" and kept["address"].startswith("/drop?")
    dialog.get_by_role("button", name="Delete").click()
    expect(entry).to_have_count(0)
    dialog.get_by_role("button", name="Undo").click()
    expect(entry).to_have_count(1)
    dialog.locator("input[type=file]").set_input_files(file)  # it is there already: not kept twice
    dialog.locator("input[type=file]").set_input_files(
        {"name": "x.json", "mimeType": "application/json", "buffer": b"{}"}
    )
    expect(dialog.locator(".snapshot-problem")).to_contain_text("This is no file of snapshots")
    expect(entry).to_have_count(1)

    page.goto(server.address("/observe", model=MODEL, samples=FEW))
    page.locator('[data-history="snapshots"]').click()
    dialog.get_by_role("link", name="f2 muted").click()
    expect(dialog).to_have_count(0)
    expect(chip(page, "f2")).to_have_attribute("data-state", "muted")
    says(page, "kind", "mute")
    assert server.ask("GET", "/snapshots").json()["items"] == []  # it is this browser's


#: Notes every address that the page has had, also for less than a moment: a reload of that moment would open it.
NOTED = """(() => {
  window.noted = [];
  for (const name of ["pushState", "replaceState"]) {
    const plain = history[name];
    history[name] = function (...entry) {
      plain.apply(this, entry);
      window.noted.push(location.search);
    };
  }
})()"""


def test_what_the_address_says_it_says_until_something_else_is_chosen(page: Page, server: Server) -> None:
    page.add_init_script(NOTED)
    page.goto(server.address("/paths", model=MODEL, sample=SAMPLE))
    unit = page.locator('[data-unit-chip="f2"]')
    expect(unit).to_have_attribute("data-state", "on")
    unit.click()
    expect(unit).to_have_attribute("data-state", "muted")
    until(page, "depth => history.state.depth === depth", 1)
    noted = page.evaluate("window.noted")
    words = ["mute=f2" in search for search in noted]
    assert all(words[words.index(True) :]), noted
    page.reload()
    expect(unit).to_have_attribute("data-state", "muted")
    page.go_back()
    says(page, "mute", None)
    expect(unit).to_have_attribute("data-state", "on")


def test_a_choice_that_is_undone_before_its_path_is_there_stays_undone(page: Page, server: Server) -> None:
    page.goto(server.address("/paths", model=MODEL, sample=SAMPLE))
    unit = page.locator('[data-unit-chip="f2"]')
    expect(unit).to_have_attribute("data-state", "on")
    asks = posts("paths-traces", '"mute":["f2"]')
    held = holding(page, CALLBACKS, asks)
    with page.expect_request(asks):
        unit.click()
    says(page, "mute", "f2")
    expect(unit).to_have_attribute("aria-pressed", "true")
    until(page, "depth => history.state.depth === depth", 1)
    page.go_back()
    says(page, "mute", None)
    expect(unit).to_have_attribute("aria-pressed", "false")
    with page.expect_response(lambda response: asks(response.request)):
        held[0].continue_()
    page.wait_for_selector("#path-picture[data-painted]")
    expect(unit).to_have_attribute("data-state", "on")
    expect(page.locator("#paths-kind")).to_have_text("observed")
    says(page, "mute", None)


#: What is held while somebody goes back: the answer to an intervention, or what of it the picture is drawn from.
HELD = {"the answer": "/_dash-update-component", "its fields": "/traces/[^/]+/fields/"}


@pytest.mark.parametrize("moment", HELD)
def test_undo_while_an_intervention_is_answered_leaves_the_page_where_it_stands(
    page: Page, server: Server, moment: str
) -> None:
    page.goto(server.address("/paths", model=MODEL, sample=SAMPLE))
    unit = page.locator('[data-unit-chip="f2"]')
    expect(unit).to_have_attribute("data-state", "on")
    until(page, "routescope.paths.state.status === 'ready'")
    page.evaluate("document.querySelector('.page').dataset.kept = 'yes'")
    pattern, answers = re.compile(HELD[moment]), posts("paths-traces", '"mute":["f2"]')

    def asks(request: Request) -> bool:
        return "/fields/" in request.url or answers(request)

    held = holding(page, pattern, asks)
    with page.expect_request(lambda request: asks(request) and bool(pattern.search(request.url))):
        unit.click()
    says(page, "mute", "f2")
    until(page, "depth => history.state.depth === depth", 1)
    page.go_back()
    says(page, "mute", None)
    for route in held:
        route.continue_()
    page.unroute(pattern)
    expect(unit).to_have_attribute("data-state", "on")
    expect(unit).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#paths-kind")).to_have_text("observed")
    until(page, "routescope.paths.state.status === 'ready'")
    says(page, "mute", None)
    expect(page.locator(".page")).to_have_attribute("data-kept", "yes")
    page.go_forward()
    says(page, "mute", "f2")
    expect(unit).to_have_attribute("data-state", "muted")


def test_undo_while_the_path_of_another_sample_is_on_its_way(page: Page, server: Server) -> None:
    page.goto(server.address("/paths", model=MODEL, sample=SAMPLE))
    until(page, "routescope.paths?.state.status === 'ready'")
    asks = posts("paths-traces", "mnist.validation.4")
    held = holding(page, CALLBACKS, asks)
    page.keyboard.press("Shift")  # somebody is there
    with page.expect_request(asks):
        page.evaluate("routescope.selection.choose({ sample: 'mnist.validation.4' })")
    says(page, "sample", "mnist.validation.4")
    until(page, "depth => history.state.depth === depth", 1)
    page.go_back()
    says(page, "sample", SAMPLE)
    until(page, "sample => routescope.selection.current().sample === sample", SAMPLE)
    held[0].continue_()
    until(page, "sample => routescope.paths.state.view?.info.sample === sample", SAMPLE)
    until(page, "routescope.paths.state.status === 'ready'")
    says(page, "sample", SAMPLE)


def test_what_is_muted_while_undo_is_under_way_is_an_entry(page: Page, server: Server) -> None:
    page.goto(server.address("/paths", model=MODEL, sample=SAMPLE))
    first, second = (page.locator(f'[data-unit-chip="{name}"]') for name in ("f2", "f3"))
    first.click()
    expect(first).to_have_attribute("data-state", "muted")
    until(page, "depth => history.state.depth === depth", 1)
    until(page, "routescope.paths.state.status === 'ready'")
    asks = posts("paths-traces", '"mute":[]')
    held = holding(page, CALLBACKS, asks)
    with page.expect_request(asks):
        page.go_back()
    second.click()
    held[0].continue_()
    page.unroute(CALLBACKS)
    expect(second).to_have_attribute("data-state", "muted")
    expect(first).to_have_attribute("data-state", "on")
    says(page, "mute", "f3")
    until(page, "depth => history.state.depth === depth", 1)
    page.go_back()
    says(page, "mute", None)
    expect(second).to_have_attribute("data-state", "on")


BROKEN: list[tuple[str, dict[str, Any], list[str]]] = [
    ("/paths", {"sample": SAMPLE, "step": 999}, ['"step" is 999; ']),
    ("/paths", {"sample": SAMPLE, "mute": "f99,f1", "foo": 1}, ["f99 ignored here", '"foo" is not a part']),
    ("/paths", {"sample": "0" * 32}, ["there is no such sample any more"]),
    ("/drop", {"kind": "zap", "units": "f77", "samples": FEW}, ['"kind" of the link is "zap"', '"units" names f77']),
    ("/drop", {"data": "nowhere", "least": 3, "samples": FEW}, ['"data" names nowhere', "are not linked"]),
    ("/types", {"method": "pca", "samples": FEW, "step": 99, "drop": "f9"}, ['"step" is 99', '"drop" names f9']),
    ("/observe", {"cell": "x", "samples": FEW}, ['"cell" of the link is "x": shown is share. Accepted: share, lift.']),
    ("/samples", {"page": 0, "settings": 1}, ['"page" of the link is "0": shown is 1', '"settings" is not a part']),
]


def test_broken_links_say_so_once_and_show_the_rest(page: Page, server: Server) -> None:
    page.goto(server.address("/samples", model=MODEL))
    page.wait_for_selector(".page")
    for path, query, lines in BROKEN:
        link = server.address(path, model=MODEL, **query).removeprefix(server.url)
        page.evaluate(
            "link => { history.pushState({}, '', link);"
            " window.dispatchEvent(new CustomEvent('_dashprivate_pushstate')); }",
            link,
        )
        element = page.locator(".address-note li")
        for line in lines:
            expect(element.filter(has_text=line)).to_have_count(1)
        assert page.locator("h1").count() == 1
    check(page, ".address-note")
    page.locator(".address-note").get_by_role("button", name="Close").click()
    expect(element).to_have_count(0)
