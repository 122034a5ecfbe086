"""The Circuits page: sentences design circuits, which stand side by side and land on maps."""

import csv
import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import MODEL, Guard, Server, colours_on, until
from tests.browser.looks import DARK, WIDE, begin, check, looks

FIRST, SECOND = "There is a red circle", "There are exactly three red circles"
ODD = "There is a zebra"
MAPPED = "() => ['circuits', 'text'].every(which => document.querySelector('#sentence-map-' + which)?.dataset.painted)"


@pytest.fixture
def open_circuits(page: Page, server: Server, statement_model: str) -> Callable[..., Page]:
    """Opens the page and waits for its circuits, and for its maps unless ``maps`` is false."""

    def opened(*, maps: bool = True, **query: Any) -> Page:
        page.goto(server.address("/circuits", **({"model": statement_model, "method": "pca"} | query)))
        page.wait_for_selector("#design-picture-1[data-painted]")
        if maps:
            until(page, MAPPED)
        return page

    return opened


def links_of(server: Server, model: str, *sentences: str) -> np.ndarray:
    """Link probabilities of some sentences, as the API gives them: (sentence, pair)."""
    answer = server.ask("POST", f"/models/{model}/designs/links", json={"sentences": sentences}).raise_for_status()
    return np.frombuffer(answer.content, "<f4").reshape(len(sentences), -1)


def counts_on(page: Page, picture: int) -> tuple[int, int, int]:
    """Links of a circuit, and those it gained and lost."""
    canvas = page.locator(f"#design-picture-{picture}")
    return tuple(int(str(canvas.get_attribute(f"data-{name}"))) for name in ("links", "gained", "lost"))  # type: ignore[return-value]


def expected(P: np.ndarray, threshold: float) -> list[tuple[int, int, int]]:
    above = threshold < P
    return [(int(member.sum()), int((member & ~above[0]).sum()), int((above[0] & ~member).sum())) for member in above]


# -- circuits ------------------------------------------------------------------------------------------------------


def test_who_just_opens_the_page_sees_two_circuits_and_the_maps_coming(
    page: Page, server: Server, statement_model: str
) -> None:
    page.goto(server.address("/circuits"))  # without a model: one that reads statements is chosen
    page.wait_for_selector("#design-picture-2[data-painted]")
    expect(page.locator(".pin")).to_have_count(2)
    expect(page.locator(".pin-words").first).to_have_text(FIRST)
    expect(page.locator("nav a", has_text="Circuits")).to_have_attribute("data-active", "true")
    expect(page.locator("nav a", has_text="Paths")).to_have_attribute("aria-disabled", "true")
    assert colours_on(page, "#design-picture-2") > 20
    until(page, MAPPED)
    until(page, "() => location.search.includes('model=nac-scenes')")  # the first by name; the tiny one comes later
    until(page, "() => /threshold=0[.]\\d+/.test(location.search)")  # half of the links of the first circuit


def test_circuits_have_the_links_that_the_api_gives(
    open_circuits: Callable[..., Page], server: Server, statement_model: str
) -> None:
    P = links_of(server, statement_model, FIRST, SECOND, ODD)
    threshold = round(float(np.median(P)), 3)
    page = open_circuits(maps=False, s1=FIRST, s2=SECOND, s3=ODD, threshold=threshold)
    page.wait_for_selector("#design-picture-3[data-painted]")
    counts = [counts_on(page, picture) for picture in (1, 2, 3)]
    assert counts == expected(P, threshold)
    assert sum(gained + lost for _, gained, lost in counts) > 0, "the circuits are all the same"
    rows = page.locator('[data-widget="design-table"] tbody tr')
    expect(rows).to_have_count(3)
    cells = rows.nth(2).locator("td").all_inner_texts()
    assert [int(cell.replace(",", "")) for cell in cells[:3]] == list(counts[2])
    assert float(cells[3]) == pytest.approx(float(np.abs(P[2] - P[0]).mean()), abs=1e-4)


def test_the_threshold_repaints_all_circuits_and_is_in_the_address(
    open_circuits: Callable[..., Page], server: Server, statement_model: str
) -> None:
    page = open_circuits(maps=False)
    P = links_of(server, statement_model, FIRST, SECOND)
    slider = page.locator("#design-threshold")
    slider.focus()
    page.keyboard.press("Home")
    until(page, f"() => document.querySelector('#design-picture-1').dataset.links === '{P.shape[1]}'")
    assert counts_on(page, 2) == (P.shape[1], 0, 0)
    slider.evaluate(
        "slider => { slider.value = 0.8 * slider.max; slider.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    threshold = page.evaluate("() => routescope.circuits.state.get().threshold")
    assert threshold == pytest.approx(float(np.quantile(P, 0.8)), abs=0.02), "four of five links are below"
    wanted = expected(P, threshold)
    until(page, f"() => document.querySelector('#design-picture-2').dataset.links === '{wanted[1][0]}'")
    assert [counts_on(page, picture) for picture in (1, 2)] == wanted
    until(page, f"() => location.search.includes('threshold={threshold:g}')")
    page.reload()
    page.wait_for_selector("#design-picture-2[data-painted]")
    assert [counts_on(page, picture) for picture in (1, 2)] == wanted


def test_a_module_is_the_same_in_all_circuits_and_can_be_left_out_with_keys(
    open_circuits: Callable[..., Page], server: Server, statement_model: str
) -> None:
    page = open_circuits(maps=False, threshold=0.01)
    page.locator("#design-picture-1").focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    until(page, "() => new URLSearchParams(location.search).get('unit')")
    unit = page.evaluate("() => new URLSearchParams(location.search).get('unit')")
    for picture in (1, 2):
        until(page, f"() => document.querySelector('#design-picture-{picture}').dataset.focus === '{unit}'")
    expect(page.locator('[data-widget="design-module"]')).to_contain_text(f"Module {unit}")
    before = counts_on(page, 2)[0]
    page.keyboard.press("Delete")
    for picture in (1, 2):
        until(page, f"() => document.querySelector('#design-picture-{picture}').dataset.gone === '1'")
    units = server.ask("GET", f"/models/{statement_model}").json()["units"]
    P = links_of(server, statement_model, SECOND)[0]
    rows, columns = np.tril_indices(len(units), -1)
    stay = (rows != units.index(unit)) & (columns != units.index(unit))
    assert counts_on(page, 2)[0] == int((P[stay] > 0.01).sum()) < before
    until(page, f"() => location.search.includes('drop={unit}')")
    page.click("#design-drop")
    until(page, "() => document.querySelector('#design-picture-1').dataset.gone === '0'")
    page.get_by_role("button", name="Close").last.focus()
    page.keyboard.press("Enter")  # it goes with what is said of the module; the focus stays where it was
    expect(page.locator(".module-head")).to_have_count(0)
    until(page, "() => document.activeElement.closest('[data-widget=\"design-module\"]')")


def test_what_is_compared_can_be_chosen(
    open_circuits: Callable[..., Page], server: Server, statement_model: str
) -> None:
    P = links_of(server, statement_model, FIRST, SECOND)
    threshold = round(float(np.median(P)), 3)
    page = open_circuits(maps=False, threshold=threshold)
    links, gained, lost = counts_on(page, 2)
    assert gained + lost > 0
    page.select_option("#design-links", "own")
    until(page, "() => document.querySelector('#design-picture-2').dataset.gained === '0'")
    assert counts_on(page, 2) == (links, 0, 0)
    cells = page.locator('[data-widget="design-table"] tbody tr').nth(1).locator("td").all_inner_texts()
    assert [int(cell) for cell in cells[:3]] == [links, gained, lost], "the table goes on comparing"
    page.select_option("#design-links", "changes")
    until(page, f"() => document.querySelector('#design-picture-2').dataset.gained === '{gained}'")
    until(page, "() => location.search.includes('links=changes')")


def test_sentences_are_pinned_compared_and_taken_away(open_circuits: Callable[..., Page]) -> None:
    page = open_circuits(maps=False)
    for text in (ODD, "There are few stars", "There are  few   stars"):
        page.fill("#sentence-input", text)
        page.keyboard.press("Enter")
    expect(page.locator(".pin")).to_have_count(4)  # the same sentence is not pinned twice
    page.wait_for_selector("#design-picture-4[data-painted]")
    expect(page.locator(".pin").nth(2).locator("mark")).to_have_text("zebra")
    expect(page.locator(".pin").first.locator("mark")).to_have_count(0)
    expect(page.locator("#sentence-focus-4")).to_be_checked()
    page.get_by_label(f"Compare the others with this one: {ODD}").click()
    expect(page.locator(".pin-words").first).to_have_text(ODD)
    until(page, f"() => document.querySelector('#design-picture-1').dataset.painted === '{ODD}'")
    page.get_by_label(f"Take away: {SECOND}").click()
    expect(page.locator("#design-picture-4")).to_have_count(0)
    left = [ODD, FIRST, "There are few stars"]
    in_address = "[1, 2, 3, 4].map(at => new URLSearchParams(location.search).get('s' + at))"
    until(page, f"left => JSON.stringify({in_address}) === JSON.stringify([...left, null])", left)
    page.reload()
    page.wait_for_selector("#design-picture-3[data-painted]")
    expect(page.locator(".pin-words")).to_have_text(left)


def test_a_fifth_sentence_asks_which_one_it_replaces(open_circuits: Callable[..., Page]) -> None:
    four = [FIRST, SECOND, ODD, "There are few stars"]
    page = open_circuits(maps=False, **{f"s{at}": text for at, text in enumerate(four, start=1)})
    room, words, typed = page.locator(".sentence-room"), page.locator(".pin-words"), page.locator("#sentence-input")
    page.wait_for_selector(".pair-answer")
    for panel in ("pair-pictures", "pair-answers"):  # asked of the sentences, in the first screen
        box = page.locator(f"#panel-{panel} .panel-body > div").nth(1 if panel == "pair-pictures" else 0).bounding_box()
        assert box is not None and box["y"] + min(box["height"], 230) <= 900
    typed.fill("There is a star")
    page.keyboard.press("Enter")
    expect(room).to_contain_text("There is a star")
    expect(room.get_by_role("button").first).to_be_focused()
    expect(words).to_have_text(four)  # none goes before that is said
    page.keyboard.press("Escape")
    expect(room).to_have_count(0)
    expect(typed).to_be_focused()
    expect(words).to_have_text(four)
    typed.fill("There is a star")
    page.keyboard.press("Enter")
    expect(room.get_by_role("button").first).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(words).to_have_text([FIRST, "There is a star", *four[2:]])
    expect(page.locator("#sentence-focus-2")).to_be_checked()
    expect(typed).to_be_focused()
    page.get_by_label("Take away: There are few stars").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label(f"Take away: {ODD}")).to_be_focused()


def test_a_sentence_that_is_not_read_stays_in_the_input_and_blanks_nothing(
    open_circuits: Callable[..., Page], guard: Guard
) -> None:
    guard.expect("422")
    page = open_circuits(maps=False, s1=FIRST, s2="There is a\u200bstar")
    expect(page.locator(".address-note")).to_contain_text("is not pinned")  # of the link, in words
    expect(page.locator(".pin-words")).to_have_text([FIRST])
    wrong, typed = page.locator("#sentence-wrong"), page.locator("#sentence-input")
    for text, why in (("m" * 400, "this one has 400"), ("There is a\u200bcircle", "visible characters")):
        typed.fill(text)
        page.keyboard.press("Enter")
        expect(wrong).to_contain_text(why)
        expect(typed).to_have_value(text)
        expect(typed).to_be_focused()
        expect(typed).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".pin-words")).to_have_text([FIRST])
    expect(page.locator('[data-widget="design-problem"]')).to_be_hidden()
    expect(page.locator(".pair-answer")).to_have_count(1)
    typed.fill(SECOND)
    expect(wrong).to_be_empty()
    page.keyboard.press("Enter")
    expect(page.locator(".pin-words")).to_have_text([FIRST, SECOND])


def test_a_sentence_that_the_service_refuses_says_why_and_can_be_tried_again(
    page: Page, server: Server, statement_model: str, guard: Guard
) -> None:
    guard.expect("503")
    page.route(
        "**/designs", lambda route: route.fulfill(status=503, json={"title": "Too busy", "detail": "In a minute."})
    )
    page.goto(server.address("/circuits", model=statement_model, method="pca"))
    element = page.locator('[data-widget="design-problem"]')
    expect(element).to_contain_text("Too busy")
    page.unroute("**/designs")
    element.get_by_role("button").click()
    page.wait_for_selector("#design-picture-2[data-painted]")
    expect(element).to_be_hidden()


# -- maps ----------------------------------------------------------------------------------------------------------


def test_a_typed_sentence_lands_on_both_maps(open_circuits: Callable[..., Page]) -> None:
    page = open_circuits()
    until(page, "() => document.querySelector('#sentence-map-text').dataset.marks === '2'")
    page.fill("#sentence-input", ODD)
    page.keyboard.press("Enter")
    page.wait_for_selector("#design-picture-3[data-painted]")
    for which in ("circuits", "text"):
        until(page, f"() => document.querySelector('#sentence-map-{which}').dataset.marks === '3'")
    near = page.locator('[data-widget="sentence-selection"] ul').first.locator("li")
    expect(near).to_have_count(5)
    near.first.get_by_role("button").click()
    expect(page.locator(".pin")).to_have_count(4)


def test_filters_lasso_and_pointing_hold_on_both_maps(open_circuits: Callable[..., Page]) -> None:
    page = open_circuits(lasso="circuits:-1.1,-1.1,1.1,-1.1,1.1,1.1,-1.1,1.1")
    whole = int(str(page.get_attribute("#sentence-map-circuits", "data-points")))
    expect(page.locator(".selection-count")).to_have_attribute("data-selected", str(whole))
    page.locator('[data-widget="sentence-legend"] .legend-pair').first.hover()
    page.locator("#legend-only-0").click()
    count = int(page.locator('[data-widget="sentence-legend"] small').first.inner_text())
    for which in ("circuits", "text"):
        until(page, f"() => document.querySelector('#sentence-map-{which}').dataset.points === '{count}'")
    assert 0 < count < whole
    expect(page.locator(".selection-count")).to_have_attribute("data-selected", str(count))
    until(page, "() => new URLSearchParams(location.search).get('kinds')")
    page.locator(".sentence-item").nth(1).hover()
    point = str(page.locator(".sentence-item").nth(1).get_attribute("data-point"))
    for which in ("circuits", "text"):
        until(page, f"() => document.querySelector('#sentence-map-{which}').dataset.hovered === '{point}'")
    expect(page.locator(".sentence-card").first).to_be_visible()
    page.select_option("#sentence-colour", "object")
    page.select_option("#sentence-objects", index=1)
    until(page, f"() => Number(document.querySelector('#sentence-map-text').dataset.points) < {count}")
    until(page, "() => new URLSearchParams(location.search).get('objects')")
    fewer = page.get_attribute("#sentence-map-text", "data-points")
    page.reload()
    until(page, MAPPED)
    assert page.get_attribute("#sentence-map-text", "data-points") == fewer


def test_a_lasso_is_drawn_with_the_mouse_and_a_click_pins(open_circuits: Callable[..., Page]) -> None:
    page = open_circuits()
    page.click('[data-tool="lasso"]')
    canvas = page.locator("#sentence-map-text")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    corners = [(0.05, 0.1), (0.95, 0.1), (0.95, 0.95), (0.05, 0.95)]
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
    page.mouse.move(*places[0])
    page.mouse.down()
    for point in places[1:]:
        page.mouse.move(*point, steps=6)
    page.mouse.up()
    expect(page.locator(".selection-count")).to_be_visible()
    until(page, "() => (new URLSearchParams(location.search).get('lasso') || '').startsWith('text:')")
    assert int(str(page.locator(".selection-count").get_attribute("data-selected"))) > 3
    canvas.focus()
    page.keyboard.press("Escape")
    expect(page.locator(".selection-count")).to_have_count(0)
    for key in ("n", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".pin")).to_have_count(3)


def test_a_map_shows_how_far_it_is_and_can_be_cancelled_and_made_again(
    page: Page, server: Server, statement_model: str
) -> None:
    page.goto(server.address("/circuits", model=statement_model, seed=7))
    job = page.locator('[data-job="sentence-map"]')
    expect(job).to_have_attribute("data-state", "running")
    expect(page.locator("#sentence-map-circuits")).to_have_attribute("data-method", "pca")  # until the map is there
    job.get_by_role("button", name="Cancel").click()
    expect(job).to_have_attribute("data-state", "cancelled")
    expect(page.locator("#sentence-map-circuits")).to_have_attribute("data-method", "pca")
    job.get_by_role("button", name="Resume").click()
    expect(page.locator("#sentence-map-circuits")).to_have_attribute("data-method", "tsne", timeout=180_000)
    expect(job).to_be_hidden()


def test_a_map_that_fails_says_why(page: Page, server: Server, statement_model: str, guard: Guard) -> None:
    guard.expect("503")
    page.route(
        "**/sentence-maps", lambda route: route.fulfill(status=503, json={"title": "Too busy", "detail": "Later."})
    )
    page.goto(server.address("/circuits", model=statement_model, method="pca"))
    element = page.locator(".sentence-message")
    expect(element).to_contain_text("Too busy")
    page.wait_for_selector("#design-picture-2[data-painted]")  # the circuits do not need it
    page.unroute("**/sentence-maps")
    element.get_by_role("button").click()
    until(page, MAPPED)


# -- files, other models, everybody --------------------------------------------------------------------------------


def test_files_hold_what_is_shown_and_where_it_is_from(
    open_circuits: Callable[..., Page], server: Server, statement_model: str, save: Callable[..., Path]
) -> None:
    save = functools.partial(save, model=statement_model)
    P = links_of(server, statement_model, FIRST, SECOND)
    threshold = round(float(np.median(P)), 3)
    page = open_circuits(threshold=threshold, drop="m2")
    until(page, "() => document.querySelector('#sentence-map-text').dataset.marks === '2'")
    document = json.loads(save("designs", "json").read_text())
    assert (document["model"], document["drop"], document["threshold"]) == (statement_model, ["m2"], threshold)
    assert document["sentences"] == [FIRST, SECOND]
    lines = [line for line in save("designs", "csv").read_text().splitlines() if not line.startswith("#")]
    table = list(csv.DictReader(lines))
    assert len(table) == int((threshold < P).any(0).sum())
    assert sum(row["there_2"] == "true" for row in table) == counts_on(page, 2)[0]
    svg = save("designs", "svg").read_text()
    assert FIRST in svg
    assert "gained against 1" in svg
    assert save("designs", "png").read_bytes().startswith(b"\x89PNG")
    points = json.loads(save("sentencemap", "json").read_text())
    assert points["columns"][-4:] == ["x", "y", "text_x", "text_y"]
    assert set(points["pinned"]) == {FIRST, SECOND}
    assert "<circle" in save("sentencemap", "svg").read_text()
    assert json.loads(save("separation", "json").read_text())["separation"]
    assert json.loads(save("sentenceselection", "json").read_text())["nearest_to"] == FIRST
    distances = json.loads(save("distances", "json").read_text())["distances"]
    assert (distances[1]["links"], distances[1]["gained"], distances[1]["lost"]) == counts_on(page, 2)


def test_a_model_that_reads_pictures_alone_is_said_to_and_others_are_offered(
    page: Page, server: Server, statement_model: str
) -> None:
    page.goto(server.address("/circuits", model=MODEL))
    problem = page.locator(".circuits-problem")
    expect(problem).to_contain_text("reads pictures alone")
    expect(page.locator("#panel-designs")).to_be_hidden()
    problem.get_by_role("button", name=statement_model).click()
    page.wait_for_selector("#design-picture-2[data-painted]")
    expect(problem).to_be_hidden()


@pytest.mark.parametrize(("scheme", "width"), [("dark", 1440), ("light", 390)])
def test_the_page_fits_and_has_its_colours(
    open_circuits: Callable[..., Page], page: Page, scheme: Any, width: int
) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})
    open_circuits(s1=FIRST, s2=SECOND, s3=ODD, s4="There are few stars")
    page.wait_for_selector("#design-picture-4[data-painted]")
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", scheme)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert colours_on(page, "#design-picture-4") > 20
    assert colours_on(page, "#sentence-map-text") > 20


def test_axe_finds_nothing(open_circuits: Callable[..., Page], page: Page) -> None:
    begin(page)
    open_circuits(s1=FIRST, s2=ODD, unit="m1", lasso="circuits:-1.1,-1.1,1.1,-1.1,1.1,1.1,-1.1,1.1")
    page.wait_for_selector("#design-picture-2[data-painted]")
    expect(page.locator(".selection-count")).to_be_visible()
    expect(page.locator('[data-widget="design-module"]')).to_contain_text("Module m1")
    for _ in looks(page, (WIDE, DARK)):
        check(page, ".page-head", ".circuits-sentences", ".circuits-map", ".circuits-tables")
