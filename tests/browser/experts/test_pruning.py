"""The pruning studio: bars, experts that go, curves, files, and the same after a reload."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import MODEL, Server, until
from tests.browser.drop_pages import wait_until_done
from tests.browser.looks import begin, check_looks

CELLS = ".studio-cells canvas"
DONE = '.studio-grid[data-complete="true"]'


def opened(page: Page, server: Server, experts: str) -> None:
    """The page over few short samples, once its figures are there."""
    page.goto(server.address("/drop", model=experts, data="sums", samples=4))
    wait_until_done(page)


def bar(page: Page, layer: int) -> Locator:
    return page.locator(f"#studio-bar-{layer - 1 if layer else 'all'}")


def painted(page: Page, counts: str, what: str = "known") -> None:
    expect(page.locator(CELLS)).to_have_attribute("data-painted", f"{counts} {what}")


def computed(page: Page, server: Server, **chosen: str) -> dict[str, Any]:
    """Computes order and curves; gives what the API has of it."""
    for name, value in chosen.items():
        page.select_option(f"#studio-{name}", value)
    page.click("#studio-start")
    page.wait_for_selector(DONE)
    name = page.get_attribute(".studio-grid", "data-found")
    answer: dict[str, Any] = server.ask("GET", f"/prunings/{name}").json()
    return answer


@pytest.mark.slow
def test_bars_choose_the_experts_to_measure_and_to_save(page: Page, server: Server, experts: str) -> None:
    begin(page)
    opened(page, server, experts)
    painted(page, "8,8,8,8", "preliminary")
    bar(page, 2).scroll_into_view_if_needed()
    box = bar(page, 2).bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] - 6, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()
    painted(page, "5,5,5,5", "preliminary")
    bar(page, 3).focus()
    page.keyboard.press("ArrowRight")
    painted(page, "6,6,6,6", "preliminary")
    expect(page.locator("#studio-model")).to_be_disabled()
    expect(page.locator("#panel-drop-studio-curves")).to_be_hidden()

    answer = computed(page, server, samples="32", draws="4")
    assert answer["count"] == 32 and answer["order"] == "weight" and answer["draws"] == 4
    painted(page, "6,6,6,6")
    page.locator("#panel-drop-studio-curves .as-table summary").click()
    rows = page.locator("[data-studio-table] tbody tr")
    expect(rows).to_have_count(len(answer["curve"]))
    for row, point in zip(rows.all(), answer["curve"], strict=True):
        assert f"{point['figure']['value']:.4f}" in row.inner_text()

    page.select_option("#studio-way", "own")
    bar(page, 2).focus()
    page.keyboard.press("End")
    bar(page, 4).focus()
    page.keyboard.press("Home")
    painted(page, "6,8,6,2")
    page.locator("#panel-drop-studio .as-table summary").click()
    element = page.locator('[data-studio-table="kept"] tbody tr')
    expect(element).to_have_count(32)
    stay = {row.locator("td").first.inner_text() for row in element.filter(has_text="true").all()}
    page.click("#studio-apply")
    expect(page.locator("#drop-count")).to_contain_text("10 of 32 experts dropped")
    going = {
        unit
        for layer, count in (("l1", 2), ("l3", 2), ("l4", 6))
        for unit in [member for member in answer["sequence"] if member.startswith(layer)][:count]
    }
    assert stay == set(answer["sequence"]) - going
    units = page.locator('[data-drop-unit][aria-pressed="true"]')
    assert {unit.get_attribute("data-drop-unit") for unit in units.all()} == going
    wait_until_done(page)
    expect(page.locator("#studio-apply")).to_have_text("Applied to the page")

    with page.expect_download() as coming:
        page.click("#studio-keep-list")
    kept = json.loads(Path(coming.value.path()).read_text())
    assert {unit for layer in kept["layers"] for unit in layer["kept"]} == set(answer["sequence"]) - going
    with page.expect_download() as coming:
        page.click("#studio-model")
    assert coming.value.suggested_filename == f"{experts}-pruned.zip"
    names = zipfile.ZipFile(io.BytesIO(Path(coming.value.path()).read_bytes())).namelist()
    assert {"keep-list.json", "model.safetensors"} <= set(names)
    check_looks(page, "#panel-drop-studio", "#panel-drop-studio-curves")

    page.reload()
    page.wait_for_selector(DONE)
    painted(page, "6,8,6,2")
    assert page.input_value("#studio-way") == "own" and page.input_value("#studio-samples") == "32"
    expect(page.locator("#studio-apply")).to_have_text("Applied to the page")


@pytest.mark.slow
def test_an_order_can_be_cancelled_and_other_models_have_no_studio(page: Page, server: Server, experts: str) -> None:
    opened(page, server, experts)
    page.select_option("#studio-order", "effect")
    expect(page.locator("#studio-rests")).to_contain_text("Caused")
    expect(page.locator(".studio-legend")).to_contain_text("Compute the order to see which experts go")
    expect(page.locator("#studio-apply")).to_be_disabled()
    page.select_option("#studio-samples", "256")
    page.click("#studio-start")
    until(page, "() => Number(document.querySelector('[data-job=pruning] [role=progressbar]').ariaValueNow) > 1")
    page.click('[data-job-cancel="pruning"]')
    resume = page.locator('[data-job-resume="pruning"]')
    expect(resume).to_be_visible()
    page.select_option("#studio-samples", "32")  # another request: what was cancelled is another job
    expect(resume).to_be_hidden()
    answer = computed(page, server, draws="0", way="together")
    assert (
        answer["order"] == "effect"
        and answer["scope"] == "all"
        and set(answer["sequence"]) == {f"l{layer}.e{expert}" for layer in range(1, 5) for expert in range(1, 9)}
    )
    whole = bar(page, 0)
    whole.fill("20")
    counts = [8, 8, 8, 8]
    for unit in answer["sequence"]:
        at = int(unit[1]) - 1
        if sum(counts) > 20 and counts[at] > 2:
            counts[at] -= 1
    painted(page, ",".join(map(str, counts)))
    expect(page.locator(".studio-total")).to_have_text("20 of 32 experts stay, 62.5 %")

    page.goto(server.address("/drop", model=MODEL, samples=30))
    wait_until_done(page)
    expect(page.locator("#panel-drop-studio")).to_be_hidden()
