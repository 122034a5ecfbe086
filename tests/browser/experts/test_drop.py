"""The Drop page of a mixture of experts: a grid of layers by experts, rules in the address, what cannot be dropped."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import WITHOUT_JOBS, Guard, Server, until
from tests.browser.drop_pages import chip, wait_until_done
from tests.browser.looks import begin, check_looks

EXPERTS = "moe-bytes"


@pytest.fixture(autouse=True)
def no_importance(page: Page) -> None:
    """Keeps the page from starting the importance of units, which would take the processor from the test."""
    page.add_init_script(WITHOUT_JOBS)


def opened(page: Page, server: Server, **query: object) -> Page:
    """The page over few short samples, once its figures are there."""
    page.goto(server.address("/drop", model=EXPERTS, data="sums", samples=4, **query))
    wait_until_done(page)
    return page


@pytest.mark.slow
def test_a_layer_goes_as_far_as_tokens_allow_and_the_address_names_the_rule(page: Page, server: Server) -> None:
    begin(page)
    opened(page, server, units="l3.least:6")
    asked = {"rule": "l3.least:6"}
    named = server.ask("GET", f"/models/{EXPERTS}/units", params=asked).json()["units"]
    for unit in (f"l3.e{e}" for e in range(1, 9)):
        expect(chip(page, unit)).to_have_attribute("aria-pressed", str(unit in named).lower())
    expect(page.locator("#drop-count")).to_contain_text("6 of 32 experts dropped")
    until(page, "() => location.search.includes('units=l3.least:6')")
    expect(page.locator("#panel-drop-labels")).to_be_hidden()
    expect(page.locator("#drop-iterations")).to_be_hidden()
    assert "Click an expert to" in page.inner_text(".drop-controls")
    use = server.ask("GET", f"/models/{EXPERTS}/use").json()["units"]
    expect(chip(page, "l1.e1")).to_have_text(str(round(100 * use[0]["share"])))
    check_looks(page, ".drop-controls")

    page.locator('[data-drop-layer="l3"]').click()  # brings all of them back
    until(page, "() => !location.search.includes('units')")
    page.locator('[data-drop-layer="l1"]').click()
    until(page, "() => location.search.includes('units=l1.least:6')")
    chip(page, "l2.e1").click()  # a name more is no rule
    until(page, "() => location.search.includes('l2.e1') && !location.search.includes('least')")


@pytest.mark.slow
def test_what_leaves_a_layer_too_few_experts_is_refused_in_words(page: Page, server: Server, guard: Guard) -> None:
    guard.expect("422")
    opened(page, server, units="l3.*")
    expect(page.locator("[data-widget=address-notes]")).to_contain_text("layer 3 needs 2 experts")
    expect(page.locator("#drop-count")).to_contain_text("0 of 32 experts")
    page.fill("#drop-least-used", "25")
    page.click("#drop-take-least")
    expect(page.locator("#drop-ruled")).to_contain_text("up to 24 of 32 units")
    page.fill("#drop-top-k", "1")
    page.keyboard.press("Tab")
    until(page, "() => location.search.includes('top_k=1')")
    wait_until_done(page)
    assert "1 expert a token" in page.inner_text("#drop-status")
