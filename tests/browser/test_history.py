"""One state with a history: Back undoes, pages share choices, snapshots, broken links."""

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import MODEL, WITHOUT_JOBS, Guard, Server, go, holding, posts, until
from tests.browser.drop_pages import FEW, chip, opened
from tests.browser.looks import check, fits, looks

SAMPLE = "mnist.validation.3"
READY = "routescope.paths.state.status === 'ready'"
TRACES = re.compile("/api/v1/traces$")
SAYS = "([name, value]) => new URLSearchParams(location.search).get(name) === value"


def says(page: Page, name: str, value: str | None) -> None:
    """Wait until the address has this value."""
    until(page, SAYS, [name, value])


def deep(page: Page, depth: int) -> None:
    """Wait until the history has this many entries before the page's state."""
    until(page, "depth => history.state.depth === depth", depth)


def mark(page: Page) -> None:
    """Mark the laid-out page, which a new layout would lack."""
    page.evaluate("document.querySelector('.page').dataset.marked = 'yes'")


def test_back_undoes_choices_on_drop(page: Page, server: Server, circuit: str) -> None:
    opened(page, server, FEW, sample=SAMPLE)
    mark(page)
    undo, redo = (page.locator(f'[data-history="{name}"]') for name in ("undo", "redo"))
    expect(undo).to_have_attribute("aria-disabled", "true")
    chip(page, "f2").click()
    says(page, "units", "f2")
    expect(undo).to_have_attribute("aria-disabled", "false")
    deep(page, 1)
    page.locator("#drop-kind").get_by_text("mute", exact=True).click()
    says(page, "kind", "mute")
    deep(page, 2)
    page.go_back()
    says(page, "kind", None)
    expect(page.locator("#drop-kind input:checked")).to_have_value("drop")
    expect(chip(page, "f2")).to_have_attribute("data-state", "dropped")
    chip(page, "f3").click()
    says(page, "units", "f2,f3")
    deep(page, 2)
    page.go_back()
    says(page, "units", "f2")
    expect(chip(page, "f3")).to_have_attribute("data-state", "on")
    expect(chip(page, "f3")).to_be_focused()
    redo.click()
    expect(chip(page, "f3")).to_have_attribute("data-state", "dropped")
    expect(redo).to_have_attribute("aria-disabled", "true")
    expect(page.locator(".page")).to_have_attribute("data-marked", "yes")

    page.locator("#model-select").click()
    page.get_by_role("option").filter(has=page.get_by_text(circuit, exact=True)).click()
    says(page, "model", circuit)
    expect(page.locator(".address-note")).to_contain_text('"units" names f2, f3, ignored here: units of ' + circuit)
    says(page, "units", None)
    deep(page, 3)
    page.go_back()
    says(page, "model", MODEL)
    expect(page.locator("#model-select")).to_have_value(MODEL)
    expect(chip(page, "f3")).to_have_attribute("data-state", "dropped")
    expect(page.locator(".address-note")).to_have_count(0)
    page.keyboard.press("Control+z")
    says(page, "units", "f2")
    page.keyboard.press("Control+z")
    says(page, "units", None)
    page.keyboard.press("Control+z")  # no entry is left: undo never leaves the dashboard
    expect(chip(page, "f2")).to_have_attribute("data-state", "on")
    expect(undo).to_have_attribute("aria-disabled", "true")


#: Notes every address of the page, also those of a moment, which a reload would open.
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


def test_mutes_are_carried_to_drop_and_kept_in_a_snapshot(page: Page, server: Server, tmp_path: Path) -> None:
    page.add_init_script(NOTED)
    page.goto(server.address("/paths", model=MODEL, sample=SAMPLE))
    unit = page.locator('[data-unit-chip="f2"]')
    expect(unit).to_have_attribute("data-state", "on")
    mark(page)
    unit.click()
    expect(unit).to_have_attribute("data-state", "muted")
    deep(page, 1)
    noted = page.evaluate("window.noted")
    words = ["mute=f2" in search for search in noted]
    assert all(words[words.index(True) :]), noted
    page.keyboard.press("Control+z")
    says(page, "mute", None)
    expect(unit).to_have_attribute("data-state", "on")
    page.keyboard.press("Control+Shift+z")
    expect(unit).to_have_attribute("data-state", "muted")
    expect(page.locator(".page")).to_have_attribute("data-marked", "yes")
    page.reload()
    expect(unit).to_have_attribute("data-state", "muted")
    page.get_by_role("button", name="Pin this view as A").click()
    says(page, "pin", f"{MODEL}:{SAMPLE}:mute:f2")
    page.locator('nav a[href^="/samples"]').click()
    expect(page.locator(".page-samples")).to_be_visible()
    says(page, "pin", f"{MODEL}:{SAMPLE}:mute:f2")
    page.locator('nav a[href^="/paths"]').click()
    expect(unit).to_have_attribute("data-state", "muted")
    expect(page.locator('[data-pinned="a"]')).to_contain_text("f2 muted")

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
    expect(dialog.locator(".snapshot-problem")).to_contain_text("This is no snapshot file")
    expect(entry).to_have_count(1)

    page.goto(server.address("/logs"))
    page.locator('[data-history="snapshots"]').click()
    dialog.get_by_role("link", name="f2 muted").click()
    expect(dialog).to_have_count(0)
    expect(chip(page, "f2")).to_have_attribute("data-state", "muted")
    says(page, "kind", "mute")
    assert server.ask("GET", "/snapshots").json()["items"] == []  # it is this browser's


def test_undo_is_faster_than_answers(page: Page, server: Server) -> None:
    units = [page.locator(f'[data-unit-chip="{name}"]') for name in ("f2", "f3")]
    # The answer is held, or the fields of its picture.
    for name, unit, address, asks in (
        ("f2", units[0], TRACES, posts('"mute":["f2"]')),
        ("f3", units[1], re.compile("/traces/[^/]+/fields/"), posts()),
    ):
        page.goto(server.address("/paths", model=MODEL, sample=SAMPLE))
        expect(unit).to_have_attribute("data-state", "on")
        until(page, READY)
        mark(page)
        held = holding(page, address, asks)
        with page.expect_request(lambda request, at=address, asks=asks: bool(at.search(request.url)) and asks(request)):
            unit.click()
        says(page, "mute", name)
        deep(page, 1)
        page.go_back()
        says(page, "mute", None)
        for route in held:
            route.continue_()
        page.unroute(address)
        expect(unit).to_have_attribute("data-state", "on")
        expect(unit).to_have_attribute("aria-pressed", "false")
        expect(page.locator("#paths-kind")).to_have_text("observed")
        until(page, READY)
        says(page, "mute", None)
        expect(page.locator(".page")).to_have_attribute("data-marked", "yes")
    page.go_forward()
    says(page, "mute", "f3")
    expect(units[1]).to_have_attribute("data-state", "muted")

    # A choice during undo is an entry.
    until(page, READY)
    page.reload()  # paths that were shown are at hand without a request
    page.wait_for_selector("#path-picture[data-painted]")
    plain = posts('"mute":[]')
    held = holding(page, TRACES, plain)
    with page.expect_request(plain):
        page.go_back()
    units[0].click()
    held[0].continue_()
    page.unroute(TRACES)
    expect(units[0]).to_have_attribute("data-state", "muted")
    expect(units[1]).to_have_attribute("data-state", "on")
    says(page, "mute", "f2")
    deep(page, 1)
    page.go_back()
    says(page, "mute", None)
    expect(units[0]).to_have_attribute("data-state", "on")

    # Undo while the path of another sample is on its way.
    until(page, READY)
    another = posts("mnist.validation.4")
    held = holding(page, TRACES, another)
    page.keyboard.press("Shift")  # somebody is there
    with page.expect_request(another):
        page.evaluate("routescope.selection.choose({ sample: 'mnist.validation.4' })")
    says(page, "sample", "mnist.validation.4")
    deep(page, 1)
    page.go_back()
    says(page, "sample", SAMPLE)
    until(page, "sample => routescope.selection.current().sample === sample", SAMPLE)
    held[0].continue_()
    until(page, "sample => routescope.paths.state.view?.info.sample === sample", SAMPLE)
    until(page, READY)
    says(page, "sample", SAMPLE)


BROKEN: list[tuple[str, dict[str, Any], list[str]]] = [
    ("/paths", {"sample": SAMPLE, "step": 999}, ['"step" is 999, but ']),
    ("/paths", {"sample": SAMPLE, "mute": "f99,f1", "foo": 1}, ["names f99, ignored here", '"foo" is not a part']),
    ("/paths", {"sample": "0" * 32}, ["no longer exists"]),
    ("/drop", {"kind": "zap", "units": "f77", "samples": FEW}, ['"kind" of the link is "zap"', '"units" names f77']),
    ("/drop", {"data": "nowhere", "least": 3, "samples": FEW}, ['"data" names nowhere', "has no links between units"]),
    ("/types", {"method": "pca", "samples": FEW, "step": 99, "drop": "f9"}, ['"step" is 99', '"drop" names f9']),
    ("/observe", {"cell": "x", "samples": FEW}, ['"cell" of the link is "x": shown is share. Accepted: share, lift.']),
    ("/samples", {"page": 0, "settings": 1}, ['"page" of the link is "0": shown is 1', '"settings" is not a part']),
]


def test_broken_links_say_so_once_and_show_the_rest(page: Page, server: Server, guard: Guard) -> None:
    guard.expect("status of 404")  # the browser logs the answer about a sample that is not there
    page.add_init_script(WITHOUT_JOBS.replace("embeddings|", ""))
    page.goto(server.address("/logs"))
    page.wait_for_selector(".page")
    for path, query, lines in BROKEN:
        go(page, server.address(path, model=MODEL, **query))
        element = page.locator(".address-note li")
        for line in lines:
            expect(element.filter(has_text=line)).to_have_count(1)
        assert page.locator("h1").count() == 1
    check(page, ".address-note")
    page.locator(".address-note").get_by_role("button", name="Close").click()
    expect(element).to_have_count(0)
