"""The Types page: maps painted, pointing, lasso, steps, colours."""

import functools
import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import MODEL, Server, colours_on, drag, until, url_of
from tests.browser.looks import check
from tests.browser.type_maps import (
    EVERYTHING,
    LONELY,
    LONG,
    PATCHES,
    PLACE,
    SAMPLES,
    STEPS,
    TRAINED,
    lasso_everything,
    opened,
    selected,
    settled,
)

Opener = Callable[..., Page]


@pytest.fixture
def open_types(page: Page, server: Server) -> Opener:
    return functools.partial(opened, page, server)


def test_maps_are_painted_as_computed_and_lead_to_paths(open_types: Opener) -> None:
    page = open_types(step=3, sample="mnist-m.validation.3")
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

    value = page.evaluate(
        """async () => {
            const { points } = routescope.typeMap.pictures.trained;
            const answer = await fetch('/api/v1/embeddings/' + points.id + '/arrays/xy?format=json');
            const { values } = await answer.json();
            const { map } = routescope.typeMap.pictures.trained;
            return Array.from(map.items.order, point => [...values[point], ...map.placeOf(point)]);
        }"""
    )
    assert len(value) == SAMPLES * PATCHES
    x, y, left, top = np.array(value).T
    scale = np.ptp(left) / np.ptp(x)  # of both axes, upwards as in a chart
    np.testing.assert_allclose(left - left[0], scale * (x - x[0]), atol=0.05)
    np.testing.assert_allclose(top - top[0], -scale * (y - y[0]), atol=0.05)

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
    for words in (sample, f"patch {token['row'] + 1}, {token['column'] + 1}", f"label {label}", "iteration 3", unit):
        expect(card).to_contain_text(words)
    expect(card.locator("img")).to_have_attribute("src", re.compile(re.escape(sample)))
    image, mark = card.locator("img").bounding_box(), card.locator(".patch-mark").bounding_box()
    assert image and mark
    assert mark["x"] - image["x"] == pytest.approx(token["column"] * image["width"] / 4, abs=1.5)
    assert mark["y"] - image["y"] == pytest.approx(token["row"] * image["height"] / 4, abs=1.5)
    page.mouse.move(5, 400)
    expect(card).to_be_hidden()

    expect(page.locator('[data-ringed="false"]')).to_contain_text("mnist-m.validation.3 is not among these samples")
    page.get_by_role("button", name="Use 12 samples").click()
    expect(page.locator('[data-ringed="true"]')).to_contain_text("mnist-m.validation.3 is ringed", timeout=LONG)
    assert page.evaluate("routescope.typeMap.pictures.trained.map.ringed.length") == PATCHES

    page.mouse.move(5, 400)
    point = page.evaluate(LONELY)
    sample = page.evaluate(
        "p => { const m = routescope.types.state.maps.trained; return m.samples[m.sample[p]]; }", point
    )
    page.mouse.click(*page.evaluate(PLACE, point))
    page.wait_for_selector("#path-picture[data-painted]")
    expect(page.locator("#path-picture")).to_have_attribute("data-step", "i3")
    until(page, "sample => location.pathname === '/paths' && location.search.includes('sample=' + sample)", sample)
    page.click("#paths-to-types")
    expect(page.locator("h1")).to_have_text("Types")
    expect(page.locator('[data-ringed="true"]')).to_contain_text(sample, timeout=LONG)


def test_pca_is_shown_until_the_chosen_method_is_there(page: Page, server: Server) -> None:
    page.goto(server.address("/types", model=MODEL, samples=3, method="tsne", perplexity=12, seed=5))
    expect(page.locator(TRAINED)).to_have_attribute("data-method", "pca", timeout=LONG)
    expect(page.locator("#types-waiting")).to_have_text("Showing PCA until t-SNE is computed")
    settled(page, "tsne")
    expect(page.locator("#types-waiting")).to_be_hidden()
    expect(page.locator('[data-facts="trained"]')).to_contain_text("12")
    page.click("#types-twin")
    settled(page, "pca")
    until(page, "location.search.includes('pca=1')")
    page.click("#types-twin")
    settled(page, "tsne")


def test_keys_and_the_lasso(open_types: Opener) -> None:
    page = open_types(step=2)
    page.focus(TRAINED)
    words = page.locator("#types-pointed")
    for place in ("patch 1, 1", "patch 1, 2"):
        page.keyboard.press("ArrowDown")
        expect(words).to_contain_text(place)
    page.keyboard.press("Escape")
    expect(words).to_be_empty()
    page.keyboard.press("+")
    assert page.evaluate("routescope.types.state.view.zoom") > 1
    page.keyboard.press("Shift+ArrowRight")
    assert page.evaluate("routescope.types.state.view.x") > 0
    page.keyboard.press("0")
    assert page.evaluate("routescope.types.state.view") == {"x": 0, "y": 0, "zoom": 1}
    page.keyboard.press("l")
    expect(page.locator("#types-lasso")).to_have_attribute("aria-pressed", "true")

    drag(page, TRAINED, EVERYTHING)
    expect(page.locator(".selection-count")).to_contain_text(
        f"{SAMPLES * PATCHES} points of {SAMPLES} samples at iteration 2"
    )
    counts = page.locator(".count-bars").first.locator(".bar-value").all_inner_texts()
    assert sum(int(text.split(" ")[0]) for text in counts) == SAMPLES * PATCHES
    thumbs = page.locator(".type-thumbs .thumb")
    expect(thumbs).to_have_count(60)
    expect(thumbs.first.locator(".patch-mark")).to_be_visible()
    until(page, "[...document.querySelectorAll('.type-thumbs img')].every(image => image.complete)")
    assert page.evaluate("document.querySelector('.type-thumbs img').naturalWidth") == 32

    drag(page, TRAINED, [(0.01, 0.01), (0.5, 0.01), (0.5, 0.99), (0.01, 0.99)])
    until(page, f"Number(document.querySelector('.selection-count').dataset.selected) < {SAMPLES * PATCHES}")
    inside = page.evaluate(
        """() => { const { map } = routescope.typeMap.pictures.trained;
            const { points } = routescope.types.state.chosen;
            return [points.length, points.every(point => map.placeOf(point)[0] <= 0.51 * map.width)]; }"""
    )
    assert inside == [selected(page), True] and inside[0] > 0
    page.click("#types-clear")
    expect(page.locator(".selection-count")).to_have_count(0)
    page.focus(TRAINED)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("#path-picture[data-painted]")


def test_steps_and_colours(open_types: Opener) -> None:
    page = open_types()
    page.get_by_role("button", name="Play through the iterations").click()
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
    page.get_by_role("button", name="all iterations at once").click()
    expect(page.locator(TRAINED)).to_have_attribute("data-points", str(SAMPLES * PATCHES * STEPS))
    until(page, "location.search.includes('step=all')")
    page.click('.multiple[data-step="5"]')
    expect(page.locator(TRAINED)).to_have_attribute("data-step", "i6")

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
    page.get_by_role("button", name="Show all categories", exact=True).click()
    expect(page.locator(TRAINED)).to_have_attribute("data-points", str(SAMPLES * PATCHES))

    page.emulate_media(reduced_motion="reduce")
    page.reload()
    settled(page, "pca")
    page.click('.multiple[data-step="0"]')
    page.get_by_role("button", name="Play through the iterations").click()
    until(page, "(routescope.types.state.time || 0) % 1 > 0.4")
    assert page.evaluate(
        """() => { const { map } = routescope.typeMap.pictures.trained;
            return map.items.places === routescope.types.state.maps.trained.layouts.map.places; }"""
    )


def test_states_of_modules(page: Page, server: Server, circuit: str) -> None:
    """Where there are no types, points are states of modules: one a module, step and sample, without signatures."""
    opened(page, server, model=circuit, samples=3, drop="m1..m4", step=2)
    assert page.get_attribute(TRAINED, "data-points") == str(3 * 36)
    assert page.get_attribute(TRAINED, "data-step") == "l1" and colours_on(page, TRAINED) > 20
    assert page.evaluate("routescope.typeMap.pictures.trained.map.marks.length") == 0
    expect(page.locator("#typemap-title")).to_have_text("Map of states")
    expect(page.locator('[data-facts="trained"]')).to_contain_text("3 samples × 36 modules × 3 steps")
    expect(page.locator('[data-type-unit][aria-pressed="true"]')).to_have_count(4)
    for control in ("#types-tokens-control", "#types-compare-control"):
        expect(page.locator(control)).to_have_count(0)
    until(page, "location.search.includes('drop=m1..m4')")
    colours = page.locator(".type-colours select")
    expect(colours.locator("option")).to_have_count(6)  # module, community, label, domain, correct, step
    assert "token position" not in colours.inner_text()
    expect(colours).to_have_value("community")  # more modules than colours that can be told apart
    assert "colour=" not in url_of(page)
    colours.select_option("unit")
    until(page, "location.search.includes('colour=unit')")
    colours.select_option("community")
    graph = server.ask("GET", f"/models/{circuit}/graph").json()
    communities = {graph["communities"][unit] for unit in range(4, 40)}
    expect(page.locator(".legend-toggle")).to_have_count(len(communities))
    lasso_everything(page)
    assert selected(page) == 3 * 36
    check(page)
