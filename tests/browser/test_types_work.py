"""The Types page: its jobs, its address, its files, and accessibility."""

import asyncio
import functools
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from routescope_app.services.engine.threads import Priority
from routescope_app.services.measuring import maps
from tests.browser.conftest import (
    MODEL,
    SVG,
    Guard,
    Hold,
    Server,
    colours_on,
    drag,
    facts_of,
    rows_of,
    until,
    url_of,
)
from tests.browser.looks import begin, check, fits, looks
from tests.browser.type_maps import (
    INITIAL,
    LONELY,
    LONG,
    PATCHES,
    PLACE,
    SAMPLES,
    STEPS,
    TRAINED,
    lasso_everything,
    opened,
    settled,
)

Opener = Callable[..., Page]


@pytest.fixture
def open_types(page: Page, server: Server) -> Opener:
    return functools.partial(opened, page, server)


def test_controls_ask_for_other_maps(open_types: Opener, page: Page) -> None:
    begin(page)
    open_types(sample="mnist.validation.1")
    expect(page.locator(INITIAL)).to_have_count(0)
    page.click("#types-compare")
    settled(page, "pca", INITIAL)
    assert colours_on(page, INITIAL) > 30
    assert page.get_attribute(INITIAL, "data-painted") != page.get_attribute(TRAINED, "data-painted")
    point = page.evaluate(LONELY)
    page.mouse.move(*page.evaluate(PLACE, point))
    expect(page.locator(INITIAL)).to_have_attribute("data-hovered", str(point))
    expect(page.locator(".multiple canvas[data-painted]")).to_have_count(2 * STEPS)
    expect(page.locator('[data-facts="initial"]')).to_contain_text("trustworthiness")
    until(page, "document.querySelector('.type-clustering canvas').dataset.painted.split(' ').length === 2")
    page.locator("#panel-typeclusters summary", has_text="The same as a table").click()
    expect(page.locator("[data-clustering-table] tbody tr")).to_have_count(2 * 3 * STEPS)
    page.click("#types-view")
    expect(page.locator(".type-thumbs .thumb").first).to_be_visible()
    for _ in looks(page):
        assert fits(page)
        check(page)
    begin(page)
    page.click("#types-compare")

    painted = str(page.get_attribute(TRAINED, "data-painted"))
    page.click('[data-type-unit="f2"]')
    until(page, "location.search.includes('drop=f2')")
    expect(page.locator(TRAINED)).not_to_have_attribute("data-painted", painted, timeout=LONG)
    expect(page.locator('[data-facts="trained"]')).to_contain_text("f2")
    assert page.evaluate("!routescope.types.state.maps.trained.unit.includes(1)"), "a dropped function takes no token"
    marks = page.evaluate("routescope.typeMap.pictures.trained.map.marks.map(mark => mark.name)")
    assert marks == ["f1", "f3", "f4", "f5"]
    page.click('[data-type-unit="f2"]')
    expect(page.locator(TRAINED)).to_have_attribute("data-painted", painted)

    page.click('[data-type-set="mnist-m"]')
    until(page, "location.search.includes('data=mnist,street-digits')")
    expect(page.locator('[data-facts="trained"]')).not_to_contain_text("MNIST-M", timeout=LONG)
    assert not page.evaluate("routescope.types.state.maps.trained.samples.some(name => name.startsWith('mnist-m'))")
    page.get_by_text("CLS", exact=True).click()
    expect(page.locator(TRAINED)).to_have_attribute("data-points", str(SAMPLES * 3), timeout=LONG)
    assert page.evaluate("routescope.types.state.maps.trained.usedTokens.length") == 3


def test_work_ends_with_cancel_and_with_another_choice(
    page: Page, server: Server, hold: Hold, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold.at(Priority.JOB, pieces=1)
    page.goto(server.address("/types", model=MODEL, samples=2 * SAMPLES, method="pca", seed=11))
    page.click('[data-job-cancel="types-trained"]')
    progress = page.locator('[data-job="types-trained"]')
    expect(progress).to_have_attribute("data-state", "cancelled")
    job = progress.get_attribute("data-id")
    assert page.request.get(f"/api/v1/jobs/{job}").json()["state"] == "cancelled"
    expect(page.locator("#types-empty")).to_contain_text("The job was cancelled")
    expect(page.locator(TRAINED)).not_to_have_attribute("data-painted", re.compile("."))
    hold.let_go()
    page.click('[data-job-resume="types-trained"]')
    settled(page, "pca")
    assert page.get_attribute(TRAINED, "data-painted") == job
    expect(page.locator("#types-empty")).to_have_count(0)

    async def never(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(maps, "_make_map", never)  # t-SNE takes as long as the test likes
    page.goto(server.address("/types", model=MODEL, samples=2 * SAMPLES, method="tsne", seed=12))
    known = '[data-job="types-trained"][data-id]:not([data-id=""])'  # queued is said before the service has answered
    page.wait_for_selector(f'{known}[data-state="running"], {known}[data-state="queued"]')
    job = page.get_attribute('[data-job="types-trained"]', "data-id")
    page.fill("#types-samples", str(SAMPLES))
    page.get_by_text("PCA", exact=True).first.click()
    settled(page, "pca")
    expect(page.locator(TRAINED)).to_have_attribute("data-points", str(SAMPLES * PATCHES), timeout=LONG)
    assert page.request.get(f"/api/v1/jobs/{job}").json()["state"] == "cancelled"


def test_a_map_stays_in_grey_until_the_next_is_there(open_types: Opener, hold: Hold) -> None:
    page = open_types()
    painted = str(page.get_attribute(TRAINED, "data-painted"))
    hold.at(Priority.JOB, pieces=1)
    page.fill("#types-samples", str(3 * SAMPLES))
    expect(page.locator(".page-types")).to_have_attribute("data-stale", "true")
    expect(page.locator("#types-waiting")).to_have_text("Showing the previous map until PCA is computed")
    expect(page.locator('[data-job="types-trained"] [role="progressbar"]')).to_be_visible()
    assert page.get_attribute(TRAINED, "data-painted") == painted
    page.fill("#types-samples", str(SAMPLES))
    expect(page.locator(".page-types")).to_have_attribute("data-stale", "false")
    expect(page.locator("#types-waiting, [data-job='types-trained']").filter(visible=True)).to_have_count(0)
    assert page.get_attribute(TRAINED, "data-painted") == painted
    hold.let_go()


def test_a_refusal_and_very_many_points(page: Page, server: Server, guard: Guard) -> None:
    guard.expect("422|400")
    page.goto(server.address("/types", model=MODEL, samples=3_001, method="pca"))
    expect(page.locator("#types-failed")).to_be_visible()
    expect(page.locator("#types-problem")).to_contain_text("3000")
    page.fill("#types-samples", "54")
    settled(page, "pca")
    expect(page.locator("#types-failed")).to_have_count(0)
    page.get_by_role("button", name="all iterations at once").click()
    until(page, "location.search.includes('step=all')")
    expect(page.locator(TRAINED)).to_have_attribute("data-points", str(54 * PATCHES * STEPS))
    scene = page.evaluate("(scene => [scene.desc, scene.items[0].shape])(routescope.typeMap.pictures.trained.scene())")
    assert "one picture of pixels" in scene[0] and scene[1] == "image"


def test_a_link_gives_the_same_view(open_types: Opener) -> None:
    page = open_types(step=2, colour="label", compare=1)
    settled(page, "pca", INITIAL)
    page.click('.type-legend [data-category="1"]')
    lasso_everything(page)
    drag(page, TRAINED, [(0.2, 0.05), (0.7, 0.05), (0.6, 0.9), (0.3, 0.9)])
    until(page, "routescope.types.state.tool === 'lasso' && location.search.includes('lasso=')")
    page.focus(TRAINED)
    page.keyboard.press("+")
    until(page, "location.search.includes('view=')")
    chosen = "routescope.types.state.chosen && Array.from(routescope.types.state.chosen.points)"
    link, points, view = url_of(page), page.evaluate(chosen), page.evaluate("routescope.types.state.view")
    assert points

    page.goto("about:blank")
    page.goto(link)
    settled(page, "pca", INITIAL)
    until(page, chosen)
    assert page.evaluate(chosen) == points
    assert page.evaluate("routescope.types.state.view") == pytest.approx(view, abs=1e-3)
    expect(page.locator(TRAINED)).to_have_attribute("data-step", "i2")
    expect(page.locator(TRAINED)).to_have_attribute("data-colour", "label")
    expect(page.locator('.type-legend [data-category="1"]')).to_have_attribute("aria-pressed", "false")
    page.wait_for_timeout(400)
    assert url_of(page) == link


def test_files_hold_the_numbers_and_facts(open_types: Opener, save: Callable[..., Path], tmp_path: Path) -> None:
    page = open_types(step=3, drop="f2")
    for panel in ("typemap", "typesteps", "typeclusters"):
        file = save(panel, "svg")
        facts, root = facts_of(file), ET.parse(file).getroot()
        assert facts["model"] == MODEL and facts["drop"] == ["f2"] and facts["method"] == "pca"
        assert facts["revision"] and facts["seed"] == 0 and "variance" in facts["parameters"]
        circles = len(list(root.iter(f"{SVG}circle")))
        expected = {"typemap": SAMPLES * PATCHES, "typesteps": SAMPLES * PATCHES * STEPS, "typeclusters": 3}[panel]
        assert circles >= expected

    rows = rows_of(save("typemap", "csv"))
    assert len(rows) == SAMPLES * PATCHES * STEPS
    identity = page.get_attribute(TRAINED, "data-painted")
    answer = tmp_path / "answer.csv"
    answer.write_bytes(page.request.get(f"/api/v1/embeddings/{identity}?format=csv").body())
    for ours, other in zip(rows, rows_of(answer), strict=True):
        assert float(ours["x"]) == pytest.approx(float(other["x"]), abs=1e-5)
        assert [ours[name] for name in ("sample", "token", "step", "unit", "label")] == [
            other[name] for name in ("sample", "token", "step", "unit", "label")
        ]
    lasso_everything(page)
    expect(page.locator(".selection-count")).to_be_visible()
    gallery = ET.parse(save("typeselection", "svg"))
    assert len(list(gallery.iter(f"{SVG}use"))) == 60
    assert "of 96 selected patches" in (gallery.findtext(f"{SVG}title") or "")
    with Image.open(save("typeselection", "png")) as picture:
        assert len(picture.convert("RGB").getcolors(2**24) or []) > 100
    assert "trustworthiness" in save("typefacts", "csv").read_text()
    written = json.loads(save("typeselection", "json").read_text())
    assert len(written["rows"]) == SAMPLES * PATCHES and written["drop"] == ["f2"]
