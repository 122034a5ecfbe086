"""Importance of experts on the Drop page: every one alone, then all subsets of one layer's; the address says top-k."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, until
from tests.browser.drop_pages import wait_until_done
from tests.browser.looks import begin, check, fits, looks


@pytest.mark.slow
def test_importance_is_of_every_expert_alone_or_of_a_layers_subsets(page: Page, server: Server, experts: str) -> None:
    begin(page)
    page.goto(server.address("/drop", model=experts, data="sums", samples=2, top_k=3))
    wait_until_done(page)
    start, widget = page.locator("#importance-start"), page.locator('[data-widget="importance"]')
    expect(start).to_have_text("Drop each of the 32 experts alone")
    expect(widget).to_contain_text("About 33 sets on 2 texts")
    page.select_option("#importance-layer", "l2")
    expect(start).to_have_text("Score all 256 subsets of the 8 experts of layer 2")
    expect(widget).to_contain_text("a layer cannot route with fewer than a token takes")
    page.select_option("#importance-layer", "")
    start.click()
    page.wait_for_selector('[data-widget="importance"][data-result]:not([data-result=""])', timeout=120_000)
    name = page.get_attribute('[data-widget="importance"]', "data-result")
    answer = server.ask("GET", f"/importances/{name}").json()
    assert (answer["top_k"], answer["layer"], answer["kind"], len(answer["single"])) == (3, None, "drop", 32)
    expect(widget).to_contain_text("Each of 32 alone, on 2 samples, distribution unknown, top 3")
    for key in ("retention", "interactions", "anytime"):
        expect(page.locator(f"#panel-{key}")).to_be_hidden()
    expect(page.locator("#effect-reads")).to_contain_text("the 24 largest of 32")
    page.select_option("#importance-layer", "l2")
    start.click()
    until(page, f"() => !['', '{name}'].includes(document.querySelector('[data-widget=importance]').dataset.result)")
    name = page.get_attribute('[data-widget="importance"]', "data-result")
    answer = server.ask("GET", f"/importances/{name}").json()
    assert (answer["top_k"], answer["layer"], answer["kind"], len(answer["shapley"])) == (3, "l2", "mute", 8)
    expect(widget).to_contain_text("All 256 subsets of 8 units on 2 samples, distribution unknown, layer 2, top 3")
    for key in ("retention", "interactions"):
        page.wait_for_selector(f'#plot-{key}[data-filled="true"][data-painted]:not([data-painted="0"])')
    code = page.evaluate("routescope.figures.codeOf(routescope.figures.figure('effect'))")
    assert 'kind="mute"' in code and 'top_k=3, layer="l2"' in code
    for look in looks(page):
        assert fits(page), look
        check(page, '[data-widget="importance"]', "#panel-interactions")
