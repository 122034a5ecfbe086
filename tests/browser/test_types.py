"""The Types page: maps painted from the service's jobs, pointing, lasso, steps, colours, files, and the address."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.conftest import MODEL, PATIENCE, Guard, Server, colours_on, until

SVG = "{http://www.w3.org/2000/svg}"
TRAINED, INITIAL = "#type-picture-trained", "#type-picture-initial"
SAMPLES, STEPS, PATCHES = 6, 6, 16
LONG = 5 * PATIENCE  # milliseconds; maps are made at low priority
Opener = Callable[..., Page]

#: Where a point of the trained map is, in pixels of the page.
PLACE = """point => {
    const { map } = routescope.typeMap.pictures.trained;
    const box = document.querySelector('#type-picture-trained').getBoundingClientRect();
    const [x, y] = map.placeOf(point);
    return [box.left + x, box.top + y];
}"""
#: A point that no other one lies near, of those that are drawn.
LONELY = """() => {
    const { map } = routescope.typeMap.pictures.trained;
    const places = Array.from(map.items.order, point => [point, ...map.placeOf(point)]);
    const room = ([point, x, y]) =>
        Math.min(...places.map(([other, a, b]) => other === point ? Infinity : Math.hypot(a - x, b - y)));
    return places.map(place => [room(place), place[0]]).sort((a, b) => b[0] - a[0])[0][1];
}"""


@pytest.fixture
def open_types(page: Page, server: Server) -> Opener:
    """Opens the Types page with a small map and waits until it is painted."""

    def opened(method: str = "pca", **query: Any) -> Page:
        page.goto(server.address("/types", model=MODEL, **{"method": method, "samples": SAMPLES} | query))
        settled(page, method)
        return page

    return opened


def settled(page: Page, method: str, map_: str = TRAINED) -> None:
    """Waits until the map that was asked for is there and nothing moves."""
    expect(page.locator(map_)).to_have_attribute("data-method", method, timeout=LONG)
    expect(page.locator(map_)).to_have_attribute("data-moving", "false")
    until(page, "!Object.values(routescope.types.state.waiting).some(Boolean)")


def drag(page: Page, corners: list[tuple[float, float]]) -> None:
    """Draws a line over the map, in shares of its width and height."""
    box = page.locator(TRAINED).bounding_box()
    assert box
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()


def lasso_everything(page: Page) -> None:
    page.click('[data-tool="lasso"]')
    drag(page, [(0.01, 0.01), (0.99, 0.01), (0.99, 0.99), (0.01, 0.99)])


def selected(page: Page) -> int:
    return int(page.locator(".selection-count").get_attribute("data-selected") or "")


# -- painting ------------------------------------------------------------------------------------------------------


def test_every_picture_is_painted(open_types: Opener) -> None:
    page = open_types()
    assert colours_on(page, TRAINED) > 30
    assert page.get_attribute(TRAINED, "data-points") == str(SAMPLES * PATCHES)
    expect(page.locator(".multiple canvas[data-painted]")).to_have_count(STEPS)
    for step in range(STEPS):
        assert colours_on(page, f'.multiple[data-step="{step}"] canvas') > 10
    page.wait_for_selector(".type-clustering canvas[data-painted]")
    assert colours_on(page, ".type-clustering canvas") > 5
    facts = page.locator('[data-facts="trained"]')
    for words in ("PCA", "variance shown", "seed", "trustworthiness", "k = ", f"{SAMPLES} samples", "stand-in"):
        expect(facts).to_contain_text(words)
    assert 0 < float(re.findall(r"trustworthiness(\d\.\d+)", facts.inner_text().replace("\n", ""))[0]) <= 1
    expect(page.locator("#panel-typemap")).to_contain_text("observed")


def test_what_is_drawn_is_what_the_service_computed(open_types: Opener, server: Server) -> None:
    page = open_types()
    found = page.evaluate(
        """async () => {
            const { points } = routescope.typeMap.pictures.trained;
            const answer = await fetch('/api/v1/embeddings/' + points.id + '/arrays/xy?format=json');
            const { values } = await answer.json();
            const { map } = routescope.typeMap.pictures.trained;
            return Array.from(map.items.order, point => [...values[point], ...map.placeOf(point)]);
        }"""
    )
    assert len(found) == SAMPLES * PATCHES
    # One scale for both axes, upwards as in a chart: differences on the screen are differences in the map.
    (x0, y0, a0, b0), (x1, _, a1, _) = min(found), max(found)
    scale = (a1 - a0) / (x1 - x0)
    assert scale > 0
    for x, y, a, b in found:
        assert a - a0 == pytest.approx(scale * (x - x0), abs=0.05)
        assert b - b0 == pytest.approx(-scale * (y - y0), abs=0.05)


def test_pca_is_shown_until_the_chosen_method_is_there(page: Page, server: Server) -> None:
    page.goto(server.address("/types", model=MODEL, samples=9, method="tsne", perplexity=12, seed=5))
    expect(page.locator(TRAINED)).to_have_attribute("data-method", "pca", timeout=LONG)
    expect(page.locator('[data-widget="type-waiting"]')).to_have_text("showing PCA while t-SNE is computed")
    settled(page, "tsne")
    expect(page.locator('[data-widget="type-waiting"]')).to_be_hidden()
    expect(page.locator('[data-facts="trained"]')).to_contain_text("12")
    page.click('[data-tool="pca"]')
    settled(page, "pca")
    until(page, "location.search.includes('pca=1')")
    page.click('[data-tool="pca"]')
    settled(page, "tsne")

    # What was computed before is there at once: the service says so, and nothing is shown as being computed.
    painted = page.get_attribute(TRAINED, "data-painted")
    with page.expect_response(
        lambda r: r.url.endswith("/embeddings") and "tsne" in (r.request.post_data or "")
    ) as said:
        page.reload()
    assert said.value.status == 200 and said.value.json()["state"] == "done"
    settled(page, "tsne")
    assert page.get_attribute(TRAINED, "data-painted") == painted


# -- pointing ------------------------------------------------------------------------------------------------------


def test_hovering_shows_the_sample_with_its_patch_marked(open_types: Opener) -> None:
    page = open_types(step=3)
    point = page.evaluate(LONELY)
    page.mouse.move(*page.evaluate(PLACE, point))
    expect(page.locator(TRAINED)).to_have_attribute("data-hovered", str(point))
    card = page.locator(f"{TRAINED} ~ .type-card")
    expect(card).to_be_visible()
    sample, token, label, unit = page.evaluate(
        """point => { const { points } = routescope.typeMap.pictures.trained;
            return [points.samples[points.sample[point]], points.tokens[points.token[point]],
                    points.labelName(point), points.unitName(point)]; }""",
        point,
    )
    for words in (sample, f"patch {token['row'] + 1}, {token['column'] + 1}", f"label {label}", "step 3", unit):
        expect(card).to_contain_text(words)
    expect(card.locator("img")).to_have_attribute("src", re.compile(re.escape(sample)))
    image, mark = card.locator("img").bounding_box(), card.locator(".patch-mark").bounding_box()
    assert image and mark
    assert mark["x"] - image["x"] == pytest.approx(token["column"] * image["width"] / 4, abs=1.5)
    assert mark["y"] - image["y"] == pytest.approx(token["row"] * image["height"] / 4, abs=1.5)
    page.mouse.move(5, 400)
    expect(card).to_be_hidden()


def test_a_click_opens_the_path_of_the_sample_at_the_step(open_types: Opener) -> None:
    page = open_types(step=4)
    point = page.evaluate(LONELY)
    sample = page.evaluate(
        "p => { const m = routescope.types.state.maps.trained; return m.samples[m.sample[p]]; }", point
    )
    page.mouse.click(*page.evaluate(PLACE, point))
    page.wait_for_selector("#path-picture[data-painted]")
    expect(page.locator("#path-picture")).to_have_attribute("data-step", "i4")
    until(page, "sample => location.pathname === '/paths' && location.search.includes('sample=' + sample)", sample)
    page.click("#paths-to-types")
    expect(page.locator("h1")).to_have_text("Types")
    expect(page.locator('[data-ringed="true"]')).to_contain_text(sample, timeout=LONG)


def test_the_lasso_gives_the_patches_and_their_counts(open_types: Opener) -> None:
    page = open_types(step=2)
    lasso_everything(page)
    expect(page.locator(".selection-count")).to_contain_text(
        f"{SAMPLES * PATCHES} points of {SAMPLES} samples at step 2"
    )
    counts = page.locator(".count-bars").first.locator(".bar-value").all_inner_texts()
    assert sum(int(text.split(" ")[0]) for text in counts) == SAMPLES * PATCHES
    thumbs = page.locator(".type-thumbs .thumb")
    expect(thumbs).to_have_count(60)
    expect(thumbs.first.locator(".patch-mark")).to_be_visible()
    until(page, "[...document.querySelectorAll('.type-thumbs img')].every(image => image.complete)")
    assert page.evaluate("document.querySelector('.type-thumbs img').naturalWidth") == 32

    drag(page, [(0.01, 0.01), (0.5, 0.01), (0.5, 0.99), (0.01, 0.99)])
    until(page, f"Number(document.querySelector('.selection-count').dataset.selected) < {SAMPLES * PATCHES}")
    inside = page.evaluate(
        """() => { const { map } = routescope.typeMap.pictures.trained;
            const { points } = routescope.types.state.chosen;
            return [points.length, points.every(point => map.placeOf(point)[0] <= 0.51 * map.width)]; }"""
    )
    assert inside == [selected(page), True] and inside[0] > 0
    page.click('[data-tool="clear"]')
    expect(page.locator(".selection-count")).to_have_count(0)


def test_the_samples_that_the_chosen_one_needs_can_be_taken(open_types: Opener) -> None:
    page = open_types(sample="mnist-m.validation.3")
    expect(page.locator('[data-ringed="false"]')).to_contain_text("mnist-m.validation.3 is not among these samples")
    page.get_by_role("button", name="take 12 samples").click()
    expect(page.locator('[data-ringed="true"]')).to_contain_text("mnist-m.validation.3 is ringed", timeout=LONG)
    assert page.evaluate("routescope.typeMap.pictures.trained.map.ringed.length") == PATCHES


# -- steps and colours ---------------------------------------------------------------------------------------------


def test_points_move_from_step_to_step(open_types: Opener) -> None:
    page = open_types()
    page.get_by_role("button", name="Play through the steps").click()
    expect(page.locator(TRAINED)).to_have_attribute("data-playing", "true")
    between = """() => { const { state } = routescope.types; const { map } = routescope.typeMap.pictures.trained;
        const { layouts, pointOf, track } = state.maps.trained;
        if (state.time === null || state.time % 1 < 0.4 || state.time % 1 > 0.9 || state.step > 3) return null;
        const { places } = layouts.map; const now = map.items.places;
        const shares = [];
        for (const point of map.items.order) {
            const to = pointOf[state.step + 1][track[point]];
            const [dx, dy] = [places[2 * to] - places[2 * point], places[2 * to + 1] - places[2 * point + 1]];
            const length = Math.hypot(dx, dy);
            if (length > 0.05) shares.push(
                ((now[2 * point] - places[2 * point]) * dx + (now[2 * point + 1] - places[2 * point + 1]) * dy)
                / length ** 2);
        }
        return shares; }"""
    until(page, f"(window.caught = window.caught || ({between})()) !== null && window.caught.length > 0")
    shares = page.evaluate("window.caught")
    assert min(shares) > 0 and max(shares) < 1 and max(shares) - min(shares) < 1e-3
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(TRAINED)).to_have_attribute("data-moving", "false")
    page.focus(TRAINED)
    page.keyboard.press("End")
    expect(page.locator(TRAINED)).to_have_attribute("data-step", f"i{STEPS}")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(TRAINED)).to_have_attribute("data-step", f"i{STEPS - 1}")
    page.click('.multiple[data-step="1"]')
    expect(page.locator(TRAINED)).to_have_attribute("data-step", "i2")
    expect(page.locator('.multiple[data-step="1"]')).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="all steps at once").click()
    expect(page.locator(TRAINED)).to_have_attribute("data-points", str(SAMPLES * PATCHES * STEPS))
    until(page, "location.search.includes('step=all')")


def test_motion_is_left_out_for_those_who_want_none(page: Page, server: Server) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(server.address("/types", model=MODEL, method="pca", samples=SAMPLES))
    settled(page, "pca")
    page.get_by_role("button", name="Play through the steps").click()
    until(page, "(routescope.types.state.time || 0) % 1 > 0.4")
    assert page.evaluate(
        """() => { const { map } = routescope.typeMap.pictures.trained;
            return map.items.places === routescope.types.state.maps.trained.layouts.map.places; }"""
    )


def test_colours_and_the_legend(open_types: Opener) -> None:
    page = open_types(step=6)
    counts = page.locator(".type-legend small").all_inner_texts()
    assert sum(map(int, counts)) == SAMPLES * PATCHES
    for colour, entries in {"label": 10, "domain": 3, "token": PATCHES, "correct": 2, "step": STEPS, "unit": 5}.items():
        page.select_option('[aria-label="Colour of the points"]', colour)
        expect(page.locator(TRAINED)).to_have_attribute("data-colour", colour)
        expect(page.locator(".type-legend [data-category]")).to_have_count(entries)
        until(page, "colour => location.search.includes('colour=' + colour)", colour)
    page.select_option('[aria-label="Colour of the points"]', "domain")
    page.click('.type-legend [data-category="0"]')
    expect(page.locator(TRAINED)).to_have_attribute("data-points", str(SAMPLES * PATCHES * 2 // 3))
    until(page, "location.search.includes('hide=0')")
    page.focus('.type-legend [data-only="2"]')
    page.keyboard.press("Enter")
    expect(page.locator(TRAINED)).to_have_attribute("data-points", str(SAMPLES * PATCHES // 3))
    expect(page.locator('.type-legend [data-only="2"]')).to_be_focused()
    page.get_by_role("button", name="Show all", exact=True).click()
    expect(page.locator(TRAINED)).to_have_attribute("data-points", str(SAMPLES * PATCHES))


# -- what is asked for ---------------------------------------------------------------------------------------------


def test_controls_ask_for_other_maps(open_types: Opener) -> None:
    page = open_types()
    painted = str(page.get_attribute(TRAINED, "data-painted"))
    page.click('[data-type-unit="f2"]')
    until(page, "location.search.includes('drop=f2')")
    expect(page.locator(TRAINED)).not_to_have_attribute("data-painted", painted, timeout=LONG)
    expect(page.locator('[data-facts="trained"]')).to_contain_text("f2")
    assert page.evaluate("!routescope.types.state.maps.trained.unit.includes(1)"), "a dropped function takes no token"
    assert page.evaluate("routescope.typeMap.pictures.trained.map.marks.map(mark => mark.name)") == [
        "f1",
        "f3",
        "f4",
        "f5",
    ]
    page.click('[data-type-unit="f2"]')
    expect(page.locator(TRAINED)).to_have_attribute("data-painted", painted)

    page.click('[data-type-set="mnist-m"]')
    until(page, "location.search.includes('data=mnist,street-digits')")
    expect(page.locator('[data-facts="trained"]')).not_to_contain_text("MNIST-M", timeout=LONG)
    assert not page.evaluate("routescope.types.state.maps.trained.samples.some(name => name.startsWith('mnist-m'))")
    page.get_by_text("CLS", exact=True).click()
    expect(page.locator(TRAINED)).to_have_attribute("data-points", str(SAMPLES * 3), timeout=LONG)
    assert page.evaluate("routescope.types.state.maps.trained.usedTokens.length") == 3


def test_trained_beside_routing_at_initialisation(open_types: Opener) -> None:
    page = open_types()
    expect(page.locator(INITIAL)).to_be_hidden()
    page.get_by_role("switch", name="beside routing at initialisation").check()
    settled(page, "pca", INITIAL)
    assert colours_on(page, INITIAL) > 30
    assert page.get_attribute(INITIAL, "data-painted") != page.get_attribute(TRAINED, "data-painted")
    point = page.evaluate(LONELY)
    page.mouse.move(*page.evaluate(PLACE, point))
    expect(page.locator(INITIAL)).to_have_attribute("data-hovered", str(point))
    expect(page.locator(".multiple canvas[data-painted]")).to_have_count(2 * STEPS)
    expect(page.locator('[data-facts="initial"]')).to_contain_text("trustworthiness")
    until(page, "document.querySelector('.type-clustering canvas').dataset.painted.split(' ').length === 2")
    page.get_by_text("The scores as a table").click()
    expect(page.locator("[data-clustering-table] tbody tr")).to_have_count(2 * 3 * STEPS)


def test_work_can_be_cancelled_and_taken_up_again(page: Page, server: Server) -> None:
    page.goto(server.address("/types", model=MODEL, samples=300, method="pca", seed=11))
    page.click('[data-job-cancel="types-trained"]')
    progress = page.locator('[data-job="types-trained"]')
    expect(progress).to_have_attribute("data-state", "cancelled")
    job = progress.get_attribute("data-id")
    assert page.request.get(f"/api/v1/jobs/{job}").json()["state"] == "cancelled"
    expect(page.locator(".page-types .when-empty")).to_contain_text("cancelled before there was a map")
    expect(page.locator(TRAINED)).not_to_have_attribute("data-painted", re.compile("."))
    page.click('[data-job-resume="types-trained"]')
    settled(page, "pca")
    assert page.get_attribute(TRAINED, "data-painted") == job
    expect(page.locator(".page-types .when-empty")).to_be_hidden()


def test_another_choice_cancels_the_work_for_the_one_before(page: Page, server: Server) -> None:
    page.goto(server.address("/types", model=MODEL, samples=240, method="tsne", seed=12))
    page.wait_for_selector(
        '[data-job="types-trained"][data-state="running"], [data-job="types-trained"][data-state="queued"]'
    )
    job = page.get_attribute('[data-job="types-trained"]', "data-id")
    page.fill("#types-samples", str(SAMPLES))
    page.get_by_text("PCA", exact=True).first.click()
    settled(page, "pca")
    expect(page.locator(TRAINED)).to_have_attribute("data-points", str(SAMPLES * PATCHES), timeout=LONG)
    assert page.request.get(f"/api/v1/jobs/{job}").json()["state"] == "cancelled"


def test_a_refusal_is_said_in_words(page: Page, server: Server, guard: Guard) -> None:
    guard.expect("422|400")
    page.goto(server.address("/types", model=MODEL, samples=3_001, method="pca"))
    expect(page.locator(".page-types .when-failed")).to_be_visible()
    expect(page.locator("#types-problem")).to_contain_text("3000")
    page.fill("#types-samples", str(SAMPLES))
    settled(page, "pca")
    expect(page.locator(".page-types .when-failed")).to_be_hidden()


# -- the address ---------------------------------------------------------------------------------------------------


def test_a_link_gives_the_same_view(open_types: Opener) -> None:
    page = open_types(step=2, colour="label", compare=1)
    settled(page, "pca", INITIAL)
    page.click('.type-legend [data-category="1"]')
    lasso_everything(page)
    drag(page, [(0.2, 0.05), (0.7, 0.05), (0.6, 0.9), (0.3, 0.9)])
    until(page, "routescope.types.state.tool === 'lasso' && location.search.includes('lasso=')")
    page.focus(TRAINED)
    page.keyboard.press("+")
    until(page, "location.search.includes('view=')")
    chosen = "routescope.types.state.chosen && Array.from(routescope.types.state.chosen.points)"
    link, points, view = page.url, page.evaluate(chosen), page.evaluate("routescope.types.state.view")
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
    assert page.url == link


def test_what_is_not_valid_in_an_address_is_left_out(open_types: Opener) -> None:
    page = open_types(step="-4", colour="<script>", lasso="trained:map:1:0,0", view="1e9,0,0", perplexity="much")
    expect(page.locator(TRAINED)).to_have_attribute("data-step", "i1")
    expect(page.locator(TRAINED)).to_have_attribute("data-colour", "unit")
    expect(page.locator(".selection-count")).to_have_count(0)


# -- files ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def save(open_types: Opener, tmp_path: Path) -> Callable[..., Path]:
    page = open_types(step=3, drop="f2")

    def saved(panel: str, kind: str) -> Path:
        page.click(f"#{panel}-export")
        with page.expect_download() as coming:
            page.click(f'[data-panel="{panel}"][data-export="{kind}"]')
        target = tmp_path / coming.value.suggested_filename
        coming.value.save_as(target)
        assert MODEL in target.name and target.suffix == f".{kind}"
        return target

    return saved


def test_pictures_say_what_they_show(save: Callable[..., Path]) -> None:
    for panel in ("typemap", "typesteps", "typeclusters"):
        root = ET.fromstring(save(panel, "svg").read_text(encoding="utf-8"))
        facts = json.loads(root.findtext(f"{SVG}metadata") or "")
        assert facts["model"] == MODEL and facts["drop"] == ["f2"] and facts["method"] == "pca"
        assert facts["revision"] and facts["seed"] == 0 and "variance" in facts["parameters"]
        assert root.findtext(f"{SVG}title") and root.findtext(f"{SVG}desc")
        circles = len(list(root.iter(f"{SVG}circle")))
        expected = {"typemap": SAMPLES * PATCHES, "typesteps": SAMPLES * PATCHES * STEPS, "typeclusters": 3}[panel]
        assert circles >= expected
    with Image.open(save("typemap", "png")) as picture:
        assert json.loads(picture.text["Description"])["step"] == "i3"
        assert picture.width > 1500 and len(picture.convert("RGB").getcolors(2**24) or []) > 30


def test_numbers_are_those_of_the_service(save: Callable[..., Path], page: Page) -> None:
    text = save("typemap", "csv").read_text()
    rows = list(csv.DictReader(io.StringIO("".join(line for line in text.splitlines(True) if line[0] != "#"))))
    assert len(rows) == SAMPLES * PATCHES * STEPS
    identity = page.get_attribute(TRAINED, "data-painted")
    answer = page.request.get(f"/api/v1/embeddings/{identity}?format=csv").text()
    theirs = list(csv.DictReader(io.StringIO("".join(line for line in answer.splitlines(True) if line[0] != "#"))))
    for ours, other in zip(rows, theirs, strict=True):
        assert float(ours["x"]) == pytest.approx(float(other["x"]), abs=1e-5)
        assert [ours[name] for name in ("sample", "token", "step", "unit", "label")] == [
            other[name] for name in ("sample", "token", "step", "unit", "label")
        ]
    lasso_everything(page)
    expect(page.locator(".selection-count")).to_be_visible()
    gallery = ET.fromstring(save("typeselection", "svg").read_text(encoding="utf-8"))
    assert len(list(gallery.iter(f"{SVG}use"))) == 60 and "of 96 selected patches" in (
        gallery.findtext(f"{SVG}title") or ""
    )
    with Image.open(save("typeselection", "png")) as picture:
        assert len(picture.convert("RGB").getcolors(2**24) or []) > 100
    assert "trustworthiness" in save("typefacts", "csv").read_text()
    written = json.loads(save("typeselection", "json").read_text())
    assert len(written["rows"]) == SAMPLES * PATCHES and written["drop"] == ["f2"]


def test_very_many_points_are_a_picture_in_the_file_and_it_says_so(open_types: Opener) -> None:
    page = open_types(samples=54, step="all")
    scene = page.evaluate("(scene => [scene.desc, scene.items[0].shape])(routescope.typeMap.pictures.trained.scene())")
    assert "one picture of pixels" in scene[0] and scene[1] == "image"


# -- for everybody -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 1440), ("light", 390)])
def test_axe_finds_nothing(page: Page, server: Server, scheme: Any, width: int) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(
        server.address("/types", model=MODEL, method="pca", samples=SAMPLES, compare=1, sample="mnist.validation.1")
    )
    settled(page, "pca", INITIAL)
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", scheme)
    page.click('[data-tool="view"]')
    expect(page.locator(".type-thumbs .thumb").first).to_be_visible()
    page.get_by_text("The scores as a table").click()
    page.wait_for_timeout(300)  # transitions of colours
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    results = Axe().run(page)
    found = [
        f"{violation['id']}: {violation['help']}: " + "; ".join(node["html"][:160] for node in violation["nodes"][:4])
        for violation in results.response["violations"]
    ]
    assert not found, "\n".join(found)


def test_the_map_with_keys_alone(open_types: Opener) -> None:
    page = open_types()
    page.focus(TRAINED)
    page.keyboard.press("ArrowDown")
    expect(page.locator('[data-widget="type-said"]')).to_contain_text("patch 1, 1")
    page.keyboard.press("ArrowDown")
    expect(page.locator('[data-widget="type-said"]')).to_contain_text("patch 1, 2")
    page.keyboard.press("Escape")
    expect(page.locator('[data-widget="type-said"]')).to_be_empty()
    page.keyboard.press("+")
    assert page.evaluate("routescope.types.state.view.zoom") > 1
    page.keyboard.press("Shift+ArrowRight")
    assert page.evaluate("routescope.types.state.view.x") > 0
    page.keyboard.press("0")
    assert page.evaluate("routescope.types.state.view") == {"x": 0, "y": 0, "zoom": 1}
    page.keyboard.press("l")
    expect(page.locator('[data-tool="lasso"]')).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("#path-picture[data-painted]")
