"""Points of numbers from end to end with the bundled model `ni-boolean`: set, traced, mapped, dropped, observed."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, until
from tests.browser.looks import PHONE, begin, check, check_looks, fits

BOOLEAN = "ni-boolean"
SAMPLE = "boolean-03.validation.2"
ANSWER = re.compile(r"network \d\.\d\d, expression \d\.\d\d")


def test_a_point_is_set_by_hand_put_to_a_function_shown_and_deleted(page: Page, server: Server) -> None:
    page.goto(server.address("/samples", model=BOOLEAN))
    expect(page.locator("#gallery .table-card")).to_have_count(24)
    expect(page.locator("#gallery .table-card").first.locator(".point-variable")).to_have_count(5)
    expect(page.locator("#gallery-licences p")).to_have_count(1)  # all functions in one line
    name = page.locator("#gallery .table-pick strong").nth(10)
    expect(name).to_have_text("boolean-01 \N{MIDDLE DOT} 10")
    assert name.evaluate("each => each.getClientRects().length") == 1, "it is not broken over two lines"
    expect(page.get_by_role("img", name=re.compile("^Drawing pad"))).to_be_hidden()
    for name, value in zip("abcde", ("0.1", "0.9", "0.5", "x", "1"), strict=True):
        page.fill(f"#number-{name}", value)
    page.select_option("#number-function", "boolean-03")
    page.click("#number-send")
    expect(page.locator("#bring-said")).to_contain_text("d is “x”; a number from 0 to 1 is accepted")
    page.fill("#number-d", "0.25")
    page.click("#number-send")
    expect(page.locator("#chosen-sample")).to_have_text("0.1, 0.9, 0.5, 0.25, 1")
    expect(page.locator("#sample-score .number-value")).to_have_text(ANSWER)
    expect(page.locator("#sample-facts .function")).to_contain_text("Fuzzy Boolean function 3: 0.418 at this point")
    expect(page.locator("#sample-facts .products tbody tr")).to_have_count(5)
    page.get_by_text("Its truth table").click()
    expect(page.locator("#sample-facts details tbody tr")).to_have_count(32)
    check_looks(page, "#panel-sample", "#panel-bring")
    page.get_by_text("Yours", exact=True).click()
    expect(page.locator("#gallery .table-card")).to_have_count(1)
    page.get_by_role("link", name="Its path").click()
    expect(page.locator("#paths-caption")).to_contain_text("0.1, 0.9, 0.5, 0.25, 1")
    page.go_back()
    page.click("#sample-delete")
    expect(page.locator("#sample-facts")).to_contain_text("No sample chosen")


def test_the_path_has_functions_of_both_scripts_and_answers_beside_expressions(page: Page, server: Server) -> None:
    page.goto(server.address("/paths", model=BOOLEAN, sample=SAMPLE))
    canvas = page.locator('[data-key="paths"] canvas')
    expect(canvas).to_have_attribute("aria-label", re.compile(r"^boolean-03 head: " + ANSWER.pattern + ", off by "))
    expect(page.locator("#panel-predictions h2")).to_have_text("Answers")
    expect(page.locator("#panel-patches h2")).to_have_text("Numbers")
    expect(page.locator(".patch-canvas")).to_have_attribute("data-shows", "numbers")
    expect(page.locator(".patch-foot .legend-entry").first).to_contain_text("s1.f1")
    expect(page.locator(".token-name").first).to_have_text("number a")
    assert "%" not in page.inner_text("#panel-predictions")
    page.get_by_role("button", name=re.compile(r"^s2\.f1")).click()
    expect(page.locator("#paths-kind")).to_contain_text("mute s2.f1")
    page.locator("#panel-predictions summary", has_text="The same as a table").click()
    rows = page.locator("#panel-predictions tbody tr")
    expect(rows).to_have_count(20)
    expect(rows.first).to_contain_text("boolean-03 (own)")
    check_looks(page, "#panel-path", "#panel-patches", "#panel-predictions")

    begin(page, PHONE)
    page.goto(server.address("/paths", model=BOOLEAN, sample="nope"))
    cards = page.locator("#paths-starters .table-card")
    expect(cards).to_have_count(4)  # points, not the same point under every function
    expect(page.locator("#paths-starters")).not_to_contain_text("validation")
    expect(page.locator("#paths-starters")).not_to_contain_text("more row")
    assert fits(page)
    reads = page.locator("#panel-path .reads").bounding_box()
    title = page.locator(".when-empty .message-title").bounding_box()
    assert reads and title and title["y"] >= reads["y"] + reads["height"], "it does not reach into the line above"
    check(page, "#panel-path")
    cards.nth(1).click()
    expect(page.locator("#paths-caption")).to_contain_text("boolean-01.validation.1")


def test_types_of_numbers_are_mapped_once_for_all_functions(page: Page, server: Server) -> None:
    page.goto(server.address("/types", model=BOOLEAN, method="pca"))
    until(page, "document.querySelector('.type-facts')?.textContent.includes('Fuzzy Boolean function 1')")
    chips = page.locator("[data-type-set]")
    expect(chips).to_have_text(["Fuzzy Boolean function 1 to 20"])  # their points are the same
    expect(chips).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#types-tokens")).to_contain_text("numbers")
    options = page.locator('select[aria-label="Colour of the points"] option')
    expect(options).to_have_text(["nearest function", "domain", "token position", "step"])


def test_dropping_a_function_is_measured_by_r2_for_every_function(page: Page, server: Server) -> None:
    page.goto(server.address("/drop", model=BOOLEAN, units="s2.f1"))
    until(page, "document.querySelector('#drop-control-number')?.textContent.includes('on average')")
    expect(page.locator("#drop-accuracy-title")).to_have_text("R2")
    expect(page.locator("#drop-change-number")).to_have_attribute("data-mood", "bad")
    expect(page.locator("#panel-drop-labels")).to_be_hidden()
    assert "accura" not in page.inner_text("#content").lower()
    loss = page.locator("#panel-drop-accuracy .number", has_text="Loss").first
    expect(loss.locator(".number-value")).to_have_text(re.compile(r"^0\.00[1-9]\d?\d?$"))
    expect(loss).to_contain_text(re.compile(r"\+0\.00[1-9]"))
    chips = page.locator("[data-drop-set]")
    expect(page.locator(".chip-stem")).to_have_text("Fuzzy Boolean function")
    expect(chips).to_have_text([str(number) for number in range(1, 21)])
    expect(chips.nth(4)).to_have_attribute("aria-label", re.compile("boolean-05.*Fuzzy Boolean function 5"))
    chips.nth(4).click()  # of many that are all in use it takes one alone
    expect(page.locator('[data-drop-set][aria-pressed="true"]')).to_have_text(["5"])
    until(page, "location.search.includes('data=boolean-05')")
    chips.nth(4).click()
    expect(page.locator('[data-drop-set][aria-pressed="true"]')).to_have_count(20)


def test_what_is_observed_of_numbers_is_shown_and_what_needs_labels_is_not(page: Page, server: Server) -> None:
    page.goto(server.address("/observe", model=BOOLEAN, samples=12))
    until(page, "document.querySelector('.page-observe')?.dataset.status === 'ready'")
    chips = page.locator("[data-observe-set]")
    expect(chips).to_have_text(["Fuzzy Boolean function 1 to 20"])
    expect(page.locator("#observe-caption")).to_contain_text("12 of Fuzzy Boolean function 1")
    expect(page.locator(".observe-unlabelled")).to_contain_text("have no labels")
    for panel in ("matrix", "labels"):
        expect(page.locator(f"#panel-observe-{panel}")).to_be_hidden()
    expect(page.locator("#observe-specialisation-numbers dt")).to_have_text(["by position"])
    expect(page.locator("#plot-observe-positions canvas[data-painted]")).to_be_visible()
    expect(page.locator(".exemplar-unit h3")).to_have_text(["f1", "f2", "f3", "f4"])
    first = page.locator(".exemplar").first
    expect(first.locator(".exemplar-bars > span")).to_have_count(5)
    expect(first.locator('[data-marked="true"]')).to_have_count(1)
    expect(first.locator(".exemplar-weight")).to_have_text(re.compile(r"^[a-e] 0\.\d\d$"))
    check_looks(page, "#panel-observe-exemplars-panel", ".observe-controls")
    first.click()
    expect(page.locator("#paths-caption")).to_contain_text("boolean-01.validation.")
