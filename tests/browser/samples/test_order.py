"""Samples in an order of behaviour and by what they are called, from Paths; and what goes wrong on the page."""

import re
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.conftest import MODEL, Guard, Server, switch, until
from tests.browser.looks import check_looks
from tests.browser.test_samples import digit

ANSWERS = re.compile("/api/v1/(samples/|traces)")
VALUES = "() => [...document.querySelectorAll('#gallery .thumb-value')].map(each => parseFloat(each.textContent))"
SHOWN = "#gallery .thumb-value"
ALL_WRONG = """(found => found.length > 0 && found.every(each => each.querySelector('.thumb-wrong')))(
    [...document.querySelectorAll('#gallery .thumb')])"""


def values_of(page: Page) -> list[float]:
    page.wait_for_selector(SHOWN)
    return [float(value) for value in page.evaluate(VALUES)]


def follow(page: Page, link: str) -> None:
    """Open a link to an order, of fewer samples than pages measure."""
    page.goto(page.get_by_role("link", name=link).evaluate("link => link.href") + "&samples=50")


def test_from_a_path_to_the_samples_that_the_same_reroutes_and_to_those_near_to_it(page: Page, server: Server) -> None:
    page.goto(server.address("/paths", model=MODEL, sample="mnist.validation.3", mute="f2", step="1"))
    follow(page, "Samples rerouted most by what is changed here")
    values = values_of(page)
    assert values == sorted(values, reverse=True) and values[0] > 1
    expect(page.locator("#gallery .thumb").first).to_have_attribute(
        "aria-label", re.compile(r"distance of routings with and without the intervention: [\d.]+ %$")
    )
    expect(page.locator(".gallery-search")).to_contain_text("muted: f2")
    expect(page.locator("#gallery-measured")).to_contain_text("stand-in data: ")
    for part in ("order=rerouted", "mute=f2", "sample=mnist.validation.3"):
        expect(page).to_have_url(re.compile(part))
    check_looks(page, "#panel-gallery")

    # Wrong only and another page keep the order; nothing is measured again.
    switch(page.locator("#gallery-wrong"), True)
    until(page, ALL_WRONG)
    assert values_of(page) == sorted(values_of(page), reverse=True)
    depth = page.evaluate("history.state.depth")
    switch(page.locator("#gallery-wrong"), False)
    # By itself an entry of the history, or what is undone below takes it along.
    until(page, "depth => history.state.depth > depth && !location.search.includes('wrong=')", depth)

    page.get_by_role("button", name="Take away: muted: f2").click()
    expect(page.locator("#gallery .message-title")).to_have_text("No intervention is chosen")
    expect(page).not_to_have_url(re.compile("mute="))
    page.keyboard.press("Control+z")
    expect(page.locator(".gallery-search")).to_contain_text("muted: f2")
    page.wait_for_selector(SHOWN)
    expect(page).not_to_have_url(re.compile("wrong="))  # the one before it stays

    page.select_option("#gallery-order", "nearest")
    expect(page.locator(".gallery-search")).to_contain_text(re.compile("near to ?mnist.validation.3"))
    until(page, "location.search.includes('to=mnist.validation.3')")
    expect(page.locator("#panel-gallery .panel-more")).to_contain_text("from the named sample")
    until(page, "document.querySelector('#gallery .thumb')?.getAttribute('aria-label').includes('the named sample')")
    near = values_of(page)
    assert near == sorted(near) and page.locator('#gallery [data-pick-sample="mnist.validation.3"]').count() == 0

    page.select_option("#gallery-order", "heads")
    until(page, "document.querySelector('#gallery .thumb')?.getAttribute('aria-label').includes(' bit')")
    heads = values_of(page)
    assert heads == sorted(heads, reverse=True)
    page.fill("#gallery-find", "street nine")
    until(page, "location.search.includes('find=street')")
    until(
        page,
        "(found => found.length > 0 && found.every(each =>"
        " each.dataset.pickSample.startsWith('street-digits') && each.getAttribute('aria-label').includes('label 9')))"
        "([...document.querySelectorAll('#gallery .thumb')])",
    )
    page.reload()
    page.wait_for_selector(SHOWN)
    expect(page.locator("#gallery-find")).to_have_value("street nine")
    expect(page.locator("#gallery .thumb").first).to_have_attribute("data-pick-sample", re.compile("^street-digits"))


def test_what_goes_wrong_is_said_where_it_stands(
    page: Page, context: BrowserContext, server: Server, guard: Guard, circuit: str, tmp_path: Path
) -> None:
    guard.expect("status of (4|5)")
    guard.expect("ERR_FAILED|net::")
    page.goto(server.address("/samples", model=circuit, sample="mnist.validation.3"))
    page.wait_for_selector('[data-key="sample"] canvas[data-painted]')
    panel, facts = page.locator("#sample-body"), page.locator("#sample-facts")
    expect(panel).to_have_attribute("aria-busy", "false")

    # A slow answer: what stands is grey, as it is of the sample before.
    held: list[Route] = []
    waits = [True]
    page.route(ANSWERS, lambda route: held.append(route) if waits else route.continue_())
    page.locator("#gallery .thumb").nth(5).click()
    expect(panel).to_have_attribute("aria-busy", "true")
    until(page, "getComputedStyle(document.querySelector('#sample-body')).opacity < 0.6")
    expect(facts).to_contain_text(" 3")
    waits.clear()
    for route in held:
        route.continue_()
    expect(panel).to_have_attribute("aria-busy", "false")
    page.unroute(ANSWERS)

    # A model without heads that could disagree, and a service that fails, are said in the gallery.
    page.select_option("#gallery-order", "heads")
    expect(page.locator("#gallery .message-detail")).to_contain_text("no heads that could disagree")
    pattern = re.compile("/api/v1/behaviours$")
    page.route(pattern, lambda route: route.fulfill(status=500, body="x"))
    page.select_option("#gallery-order", "nearest")
    expect(page.locator("#gallery .message-detail")).to_contain_text("status 500")
    page.unroute(pattern)
    page.locator('[data-job-resume="behaviour"]').click()
    page.wait_for_selector(SHOWN)
    page.select_option("#gallery-order", "given")
    expect(page.locator(SHOWN)).to_have_count(0)

    # Another tab: what is deleted there is not offered here.
    page.set_input_files("#upload-input", digit(tmp_path / "both.png"))
    expect(page.locator(".upload-row[data-state=done]")).to_contain_text("both.png")
    page.get_by_text("Yours", exact=True).click()
    expect(page.locator("#gallery .thumb")).to_have_count(1)
    other = context.new_page()
    other.goto(page.evaluate("location.href"))
    other.click("#sample-delete-menu")
    other.click("#sample-delete")
    expect(other.locator("#sample-facts")).to_contain_text("No sample chosen")
    other.close()
    expect(facts).to_contain_text("no longer exists")
    expect(page.locator("#gallery .thumb")).to_have_count(0)

    # A reload in the middle of an upload.
    sending = re.compile("/api/v1/samples$")
    page.route(sending, lambda route: None if route.request.method == "POST" else route.continue_())
    page.set_input_files("#upload-input", digit(tmp_path / "cut.png"))
    expect(page.locator(".upload-row", has_text="cut.png").locator("progress")).to_be_visible()
    page.reload()
    row = page.locator(".upload-row[data-state=refused]")
    expect(row).to_contain_text("cut off as the page was left")
    page.unroute(sending)
    page.set_input_files("#upload-input", digit(tmp_path / "cut.png"))
    expect(page.locator(".upload-row[data-state=done]")).to_contain_text("cut.png")


def test_the_path_of_a_sample_in_an_order_is_under_what_the_order_is_under(page: Page, server: Server) -> None:
    pin = f"{MODEL}:mnist.validation.3"
    page.goto(server.address("/samples", model=MODEL, set="mnist", order="rerouted", mute="f2", samples="50", pin=pin))
    values = values_of(page)
    page.locator("#gallery .thumb").first.click()
    chosen = page.locator("#gallery .thumb").first.get_attribute("data-pick-sample")
    until(page, "sample => document.querySelector('#see-path')?.href.includes(sample)", chosen)
    page.locator("#gallery-table summary").click()
    rows = page.locator("#gallery-order-table tbody tr")
    expect(rows).to_have_count(len(values))
    cells = rows.locator("td:last-child").all_inner_texts()
    assert [float(cell.rstrip(" %")) for cell in cells] == values
    expect(rows.first).to_contain_text(str(chosen))
    check_looks(page, "#panel-gallery")
    page.click("#see-path")
    page.wait_for_selector("#path-picture[data-painted]")
    for part in ("mute=f2", f"sample={chosen}", f"pin={pin}"):
        expect(page).to_have_url(re.compile(re.escape(part)))
    expect(page.locator('[data-unit-chip="f2"]')).to_have_attribute("data-state", "muted")
    page.go_back()
    page.get_by_role("button", name="Take away: muted: f2").click()
    until(page, "document.querySelector('#see-path').href.includes('mute') === false")
    expect(page.locator("#gallery-table")).to_be_hidden()  # nothing reroutes them now


def test_the_gallery_stays_grey_while_an_order_is_measured(page: Page, server: Server) -> None:
    page.goto(server.address("/samples", model=MODEL, samples="50"))
    gallery, thumbs = page.locator("#gallery"), page.locator("#gallery .thumb")
    expect(thumbs).to_have_count(96)
    expect(gallery).to_have_attribute("aria-busy", "false")
    held: list[Route] = []
    page.route(re.compile("/api/v1/behaviours$"), lambda route: held.append(route))
    page.select_option("#gallery-order", "heads")
    expect(gallery).to_have_attribute("aria-busy", "true")
    expect(thumbs).to_have_count(96)
    held[0].continue_()
    page.wait_for_selector(SHOWN)
    expect(gallery).to_have_attribute("aria-busy", "false")
    expect(thumbs).to_have_count(50)


def test_statements_and_blocks_stand_in_an_order_and_lead_to_their_pages(page: Page, server: Server) -> None:
    page.goto(server.address("/circuits", model="nac-scenes", method="pca", drop="m2", statement="scenes.validation.5"))
    expect(page.locator('.pair-card[aria-pressed="true"]')).to_have_attribute("data-statement", "scenes.validation.5")
    follow(page, "Rank by routing")
    expect(page).to_have_url(re.compile("order=nearest&to=scenes.validation.5"))
    expect(page.locator(".gallery-search")).to_contain_text("dropped: m2")
    near = values_of(page)
    assert near == sorted(near) and len(near) == 24
    first = page.locator("#gallery .table-card").first
    expect(first.locator("img")).to_have_count(2)
    until(page, "[...document.querySelectorAll('#gallery img')].every(each => each.naturalWidth > 0)")
    sentence = first.locator(".sample-sentence p").inner_text()
    first.locator(".table-pick").click()
    expect(page.locator("#sample-score")).to_be_visible()
    check_looks(page, "#panel-gallery", "#panel-sample")
    page.click("#see-path")
    expect(page.locator(".pin-words").first).to_have_text(sentence)
    expect(page).to_have_url(re.compile(r"/circuits\?.*drop=m2"))

    page.goto(server.address("/blocks", model="smfr-algo"))
    page.get_by_role("link", name="From the data set").click()
    page.locator('[data-pick-sample="algo.validation.3"]').click()
    page.select_option("#gallery-order", "nearest")
    expect(page).to_have_url(re.compile("to=algo.validation.3"))
    near = values_of(page)
    assert near == sorted(near)
    digits = page.locator("#gallery .sample-digits").first.inner_text()
    first = page.locator("#gallery .table-pick").first
    first.click()
    expect(page.locator("#sample-facts")).to_contain_text(str(first.get_attribute("data-pick-sample")))
    page.get_by_role("link", name="Its blocks").click()
    until(page, "location.pathname === '/blocks' && location.search.includes('digits=')")
    page.wait_for_selector(".blocks-digit")
    assert " ".join(page.locator(".blocks-digit").evaluate_all("all => all.map(each => each.value)")) == digits
