"""The Circuits page: sentences design circuits, which stand side by side and land on maps."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import MODEL, WITHOUT_JOBS, Guard, Server, colours_on, drag, until
from tests.browser.looks import DARK, begin, check_looks

FIRST, SECOND = "There is a red circle", "There are exactly three red circles"
ODD = "There is a zebra"
FEW = "There are few stars"
MAPS = ("circuits", "text")
MAPPED = "() => ['circuits', 'text'].every(which => document.querySelector('#sentence-map-' + which)?.dataset.painted)"


@pytest.fixture
def open_circuits(page: Page, server: Server, statement_model: str) -> Callable[..., Page]:
    """Open the page and wait for its circuits, and for its maps unless ``maps`` is false."""

    def opened(*, maps: bool = True, **query: Any) -> Page:
        if not maps:
            page.add_init_script(WITHOUT_JOBS)
        page.goto(server.address("/circuits", **({"model": statement_model, "method": "pca"} | query)))
        page.wait_for_selector("#design-picture-1[data-painted]")
        if maps:
            until(page, MAPPED)
        return page

    return opened


def links_of(server: Server, model: str, *sentences: str) -> np.ndarray:
    """Link probabilities of sentences from the API: (sentence, pair)."""
    answer = server.ask("POST", f"/models/{model}/designs/links", json={"sentences": sentences}).raise_for_status()
    return np.frombuffer(answer.content, "<f4").reshape(len(sentences), -1)


def counts_on(page: Page, picture: int) -> tuple[int, ...]:
    """Links of a circuit, and the links that it gained and lost."""
    canvas = page.locator(f"#design-picture-{picture}")
    return tuple(int(str(canvas.get_attribute(f"data-{name}"))) for name in ("links", "gained", "lost"))


def wait_for(page: Page, picture: int, name: str, value: object) -> None:
    expect(page.locator(f"#design-picture-{picture}")).to_have_attribute(f"data-{name}", str(value))


def wait_on_maps(page: Page, name: str, value: object) -> None:
    for which in MAPS:
        expect(page.locator(f"#sentence-map-{which}")).to_have_attribute(f"data-{name}", str(value))


def expected(P: np.ndarray, threshold: float) -> list[tuple[int, ...]]:
    above = threshold < P
    return [(int(member.sum()), int((member & ~above[0]).sum()), int((above[0] & ~member).sum())) for member in above]


def test_the_page_opens_with_a_model_two_circuits_and_maps(page: Page, server: Server, statement_model: str) -> None:
    page.goto(server.address("/circuits"))
    page.wait_for_selector("#design-picture-2[data-painted]")
    expect(page.locator(".pin")).to_have_count(2)
    expect(page.locator(".pin-words").first).to_have_text(FIRST)
    expect(page.locator("nav a", has_text="Circuits")).to_have_attribute("data-active", "true")
    expect(page.locator("nav a", has_text="Paths")).to_have_attribute("aria-disabled", "true")
    assert colours_on(page, "#design-picture-2") > 20
    until(page, MAPPED)
    until(page, "() => location.search.includes('model=nac-scenes')")  # the first by name
    until(page, "() => /threshold=0[.]\\d+/.test(location.search)")  # half of the links of the first circuit


def test_pictures_come_before_circuits_and_going_back_keeps_the_page(
    page: Page, server: Server, statement_model: str
) -> None:
    page.add_init_script(WITHOUT_JOBS)
    held: list[Route] = []
    page.route("**/designs", lambda route: held.append(route))
    with page.expect_request("**/designs"):
        page.goto(server.address("/circuits", model=statement_model, s1=FIRST, s2=ODD))
    expect(page.locator("[data-picture] [data-thing]").first).to_be_visible()
    expect(page.locator(".design-sentence")).to_have_text([FIRST, ODD])
    expect(page.locator("#design-picture-1[data-painted]")).to_have_count(0)
    held[0].continue_()
    page.wait_for_selector("#design-picture-2[data-painted]")
    page.unroute("**/designs")

    page.evaluate("window.kept = true")
    page.get_by_label(f"Take away: {ODD}").click()
    until(page, "() => !location.search.includes('s2=')")
    expect(page.locator("#design-picture-2")).to_have_count(0)
    page.go_back()
    expect(page.locator(".pin-words")).to_have_text([FIRST, ODD])
    wait_for(page, 2, "painted", ODD)
    assert page.evaluate("window.kept"), "the page was loaded again"


def test_circuits_have_the_links_of_the_api_at_any_threshold_and_without_modules(
    open_circuits: Callable[..., Page], server: Server, statement_model: str
) -> None:
    P = links_of(server, statement_model, FIRST, SECOND, ODD)
    threshold = round(float(np.median(P)), 3)
    page = open_circuits(maps=False, s1=FIRST, s2=SECOND, s3=ODD, threshold=threshold)
    page.wait_for_selector("#design-picture-3[data-painted]")
    counts = [counts_on(page, picture) for picture in (1, 2, 3)]
    assert counts == expected(P, threshold)
    rows = page.locator("#panel-distances tbody tr")
    expect(rows).to_have_count(3)
    cells = rows.nth(2).locator("td").all_inner_texts()
    assert [int(cell.replace(",", "")) for cell in cells[:3]] == list(counts[2])
    change = float(np.abs(P[2] - P[0]).mean())
    assert cells[3] == f"{change:.3f}", "three decimals on the page"
    whole = page.evaluate("routescope.figures.figure('distances').panel.rows()[3][4]")
    assert whole == pytest.approx(change, abs=1e-4), "and all of them in a file"
    exported = page.evaluate("routescope.figures.figure('designs').panel.rows().length - 1")
    assert exported == int((threshold < P).any(0).sum())

    links, gained, lost = counts_on(page, 2)
    assert gained + lost > 0, "the circuits are all the same"
    page.select_option("#design-links", "own")
    wait_for(page, 2, "gained", 0)
    assert counts_on(page, 2) == (links, 0, 0)
    cells = rows.nth(1).locator("td").all_inner_texts()
    assert [int(cell) for cell in cells[:3]] == [links, gained, lost], "the table still compares"
    page.select_option("#design-links", "changes")
    wait_for(page, 2, "gained", gained)
    until(page, "() => location.search.includes('links=changes')")

    slider = page.locator("#design-threshold")
    slider.focus()
    page.keyboard.press("Home")
    wait_for(page, 1, "links", P.shape[1])
    assert counts_on(page, 2) == (P.shape[1], 0, 0)
    slider.evaluate(
        "slider => { slider.value = 0.8 * slider.max; slider.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    threshold = page.evaluate("() => routescope.circuits.state.threshold")
    assert threshold == pytest.approx(float(np.quantile(P, 0.8)), abs=0.02), "four of five links are below"
    wanted = expected(P, threshold)
    wait_for(page, 2, "links", wanted[1][0])
    assert [counts_on(page, picture) for picture in (1, 2, 3)] == wanted
    until(page, f"() => location.search.includes('threshold={threshold:g}')")
    page.reload()
    page.wait_for_selector("#design-picture-3[data-painted]")
    assert [counts_on(page, picture) for picture in (1, 2, 3)] == wanted

    # A module is the same in all circuits, and leaves all of them.
    page.select_option("#design-links", "own")
    page.locator("#design-picture-1").focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    until(page, "() => new URLSearchParams(location.search).get('unit')")
    unit = page.evaluate("() => new URLSearchParams(location.search).get('unit')")
    for picture in (1, 2):
        wait_for(page, picture, "focus", unit)
    expect(page.locator(".design-module")).to_contain_text(f"Module {unit}")
    before = counts_on(page, 2)[0]
    page.keyboard.press("Delete")
    for picture in (1, 2):
        wait_for(page, picture, "gone", 1)
    units = server.ask("GET", f"/models/{statement_model}").json()["units"]
    sources, targets = np.tril_indices(len(units), -1)
    stay = (sources != units.index(unit)) & (targets != units.index(unit))
    assert counts_on(page, 2)[0] == int((P[1][stay] > threshold).sum()) < before
    until(page, f"() => location.search.includes('drop={unit}')")
    page.click("#design-drop")
    wait_for(page, 1, "gone", 0)
    page.get_by_role("button", name="Close").last.focus()
    page.keyboard.press("Enter")  # the button disappears with the module's facts, and the focus stays in the panel
    expect(page.locator(".module-head")).to_have_count(0)
    until(page, "() => document.activeElement.closest('.design-module')")


def test_sentences_are_typed_compared_replaced_and_refused(open_circuits: Callable[..., Page], guard: Guard) -> None:
    guard.expect("422")
    page = open_circuits(maps=False, s1=FIRST, s2=SECOND, s3="There is a\u200bstar")
    words, typed = page.locator(".pin-words"), page.locator("#sentence-input")
    expect(page.locator(".address-note")).to_contain_text("is not pinned")
    expect(words).to_have_text([FIRST, SECOND])
    wrong = page.locator("#sentence-wrong")
    for text, why in (("m" * 400, "this one has 400"), ("There is a\u200bcircle", "visible characters")):
        typed.fill(text)
        page.keyboard.press("Enter")
        expect(wrong).to_contain_text(why)
        expect(typed).to_have_value(text)
        expect(typed).to_be_focused()
        expect(typed).to_have_attribute("aria-invalid", "true")
    expect(words).to_have_text([FIRST, SECOND])
    expect(page.locator(".design-problem")).to_be_hidden()
    expect(page.locator(".pair-answer")).to_have_count(2)

    for text in (ODD, FEW, "There are  few   stars"):
        typed.fill(text)
        expect(wrong).to_be_empty()
        page.keyboard.press("Enter")
    expect(words).to_have_count(4)  # an equal sentence is not pinned twice
    page.wait_for_selector("#design-picture-4[data-painted]")
    expect(page.locator(".pin").nth(2).locator("mark")).to_have_text("zebra")
    expect(page.locator(".pin").first.locator("mark")).to_have_count(0)
    expect(page.locator("#sentence-focus-4")).to_be_checked()
    for panel, at in (("pair-pictures", 1), ("pair-answers", 0)):  # within the first screen
        box = page.locator(f"#panel-{panel} .panel-body > div").nth(at).bounding_box()
        assert box is not None and box["y"] + min(box["height"], 230) <= 900

    # A fifth sentence asks which sentence it replaces.
    room = page.locator(".sentence-room")
    typed.fill("There is a star")
    page.keyboard.press("Enter")
    expect(room).to_contain_text("There is a star")
    expect(room.get_by_role("button").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(room).to_have_count(0)
    expect(typed).to_be_focused()
    expect(words).to_have_text([FIRST, SECOND, ODD, FEW])
    typed.fill("There is a star")
    page.keyboard.press("Enter")
    expect(room.get_by_role("button").first).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(words).to_have_text([FIRST, "There is a star", ODD, FEW])
    expect(page.locator("#sentence-focus-2")).to_be_checked()
    expect(typed).to_be_focused()

    page.get_by_label(f"Compare the others with this one: {ODD}").click()
    expect(words.first).to_have_text(ODD)
    wait_for(page, 1, "painted", ODD)
    page.get_by_label("Take away: There is a star").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label(f"Take away: {FEW}")).to_be_focused()
    expect(page.locator("#design-picture-4")).to_have_count(0)
    left = [ODD, FIRST, FEW]
    in_address = "[1, 2, 3, 4].map(at => new URLSearchParams(location.search).get('s' + at))"
    until(page, f"left => JSON.stringify({in_address}) === JSON.stringify([...left, null])", left)
    page.reload()
    page.wait_for_selector("#design-picture-3[data-painted]")
    expect(words).to_have_text(left)


def test_refusals_name_the_reason_and_the_way_on(
    page: Page, server: Server, statement_model: str, guard: Guard
) -> None:
    page.goto(server.address("/circuits", model=MODEL))
    problem = page.locator(".circuits-problem")
    expect(problem).to_contain_text("reads pictures alone")
    expect(page.locator("#panel-designs")).to_be_hidden()
    problem.get_by_role("button", name=statement_model).click()
    page.wait_for_selector("#design-picture-2[data-painted]")
    expect(problem).to_be_hidden()

    guard.expect("503")
    refusal = {"title": "Too busy", "detail": "In a minute."}
    for request in ("**/designs", "**/sentence-maps"):
        page.route(request, lambda route: route.fulfill(status=503, json=refusal))
    page.goto(server.address("/circuits", model=statement_model, method="pca"))
    circuits, maps = page.locator(".design-problem"), page.locator(".sentence-message")
    expect(circuits).to_contain_text("Too busy")
    page.unroute("**/designs")
    circuits.get_by_role("button").click()
    page.wait_for_selector("#design-picture-2[data-painted]")  # the circuits do not need the map
    expect(circuits).to_be_hidden()
    expect(maps).to_contain_text("Too busy")
    page.unroute("**/sentence-maps")
    maps.get_by_role("button").click()
    until(page, MAPPED)


def draw_lasso(page: Page) -> None:
    """Draw a lasso around nearly all of the map of texts with the mouse."""
    page.click("#sentence-tool-lasso")
    drag(page, "#sentence-map-text", [(0.05, 0.1), (0.95, 0.1), (0.95, 0.95), (0.05, 0.95)])


def test_maps_hold_pinned_sentences_filters_and_a_lasso(open_circuits: Callable[..., Page]) -> None:
    page = open_circuits(lasso="circuits:-1.1,-1.1,1.1,-1.1,1.1,1.1,-1.1,1.1")
    pins, count = page.locator(".pin"), page.locator(".selection-count")
    wait_on_maps(page, "marks", 2)
    whole = int(str(page.get_attribute("#sentence-map-circuits", "data-points")))
    expect(count).to_have_attribute("data-selected", str(whole))
    page.locator(".sentence-legend .legend-pair").first.hover()
    page.locator("#legend-only-0").click()
    kept = int(page.locator(".sentence-legend small").first.inner_text())
    wait_on_maps(page, "points", kept)
    assert 0 < kept < whole
    expect(count).to_have_attribute("data-selected", str(kept))
    until(page, "() => new URLSearchParams(location.search).get('kinds')")
    page.locator(".sentence-item").nth(1).hover()
    wait_on_maps(page, "hovered", page.locator(".sentence-item").nth(1).get_attribute("data-point"))
    expect(page.locator(".sentence-card").first).to_be_visible()
    page.select_option("#sentence-colour", "object")
    page.select_option("#sentence-objects", index=1)
    until(page, f"() => Number(document.querySelector('#sentence-map-text').dataset.points) < {kept}")
    until(page, "() => new URLSearchParams(location.search).get('objects')")
    fewer = page.get_attribute("#sentence-map-text", "data-points")
    page.reload()
    until(page, MAPPED)
    assert page.get_attribute("#sentence-map-text", "data-points") == fewer

    page.locator("#sentence-map-text").focus()
    page.keyboard.press("Escape")
    expect(count).to_have_count(0)
    page.fill("#sentence-input", ODD)
    page.keyboard.press("Enter")
    wait_on_maps(page, "marks", 3)
    near = page.locator(".sentence-selection ul").first.locator("li")
    expect(near).to_have_count(5)
    near.first.get_by_role("button").click()
    expect(pins).to_have_count(4)
    page.get_by_label(f"Take away: {ODD}").click()
    expect(pins).to_have_count(3)

    draw_lasso(page)
    until(page, "() => (new URLSearchParams(location.search).get('lasso') || '').startsWith('text:')")
    assert int(str(count.get_attribute("data-selected"))) > 3
    page.locator("#sentence-map-text").focus()
    page.keyboard.press("Escape")
    expect(count).to_have_count(0)
    for key in ("n", "Enter"):
        page.keyboard.press(key)
    expect(pins).to_have_count(4)


def test_a_map_shows_its_progress_and_can_be_cancelled_and_resumed(
    page: Page, server: Server, statement_model: str
) -> None:
    page.goto(server.address("/circuits", model=statement_model, seed=7))
    job, shown = page.locator('[data-job="sentence-map"]'), page.locator("#sentence-map-circuits")
    expect(job).to_have_attribute("data-state", "running")
    expect(shown).to_have_attribute("data-method", "pca")  # until the map is there
    job.get_by_role("button", name="Cancel").click()
    expect(job).to_have_attribute("data-state", "cancelled")
    expect(shown).to_have_attribute("data-method", "pca")
    job.get_by_role("button", name="Resume").click()
    expect(shown).to_have_attribute("data-method", "tsne", timeout=180_000)
    expect(job).to_be_hidden()


def test_axe_finds_nothing_in_any_look(open_circuits: Callable[..., Page], page: Page) -> None:
    begin(page)
    lasso = "circuits:-1.1,-1.1,1.1,-1.1,1.1,1.1,-1.1,1.1"
    open_circuits(
        s1=FIRST, s2=SECOND, s3=ODD, s4=FEW, unit="m1", drop="m2", lasso=lasso, statement="scenes.validation.9"
    )
    page.wait_for_selector("#design-picture-4[data-painted]")
    expect(page.locator(".selection-count")).to_be_visible()
    expect(page.locator(".design-module")).to_contain_text("Module m1")
    page.wait_for_selector(".pair-answer")
    page.locator('[data-picture="0"] [data-thing="0"]').focus()
    page.wait_for_selector("[data-statement]")
    page.select_option("#pair-samples", "100")
    page.locator("#panel-pair-drop").scroll_into_view_if_needed()
    page.wait_for_selector('#panel-pair-drop .drop-progress[data-state="done"]')
    check_looks(page)
    begin(page, DARK)
    assert colours_on(page, "#design-picture-4") > 20 and colours_on(page, "#sentence-map-text") > 20
