"""Importance of experts on the Drop page: all subsets of one layer's experts, with the top-k of the address."""

import pytest
from playwright.sync_api import Page, expect

from tests.app import serving
from tests.browser.conftest import Server
from tests.browser.drop_pages import wait_until_done
from tests.browser.looks import begin, check_looks


@pytest.mark.slow
def test_importance_scores_every_subset_of_a_layer(page: Page, server: Server) -> None:
    begin(page)
    experts = "seven-experts"  # half of the subsets of eight
    serving.make_experts(experts, experts=7)
    page.goto(server.address("/drop", model=experts, data="sums", samples=2, top_k=3))
    wait_until_done(page)
    start, widget = page.locator("#importance-start"), page.locator(".importance-facts")
    expect(start).to_have_text("Drop each of the 28 experts alone")
    expect(widget).to_contain_text("About 29 sets on 2 texts")
    page.select_option("#importance-layer", "l2")
    expect(start).to_have_text("Score all 128 subsets of the 7 experts of layer 2")
    expect(widget).to_contain_text("every token needs its top-k experts")
    start.click()
    page.wait_for_selector('.importance-facts[data-result]:not([data-result=""])')
    name = widget.get_attribute("data-result")
    answer = server.ask("GET", f"/importances/{name}").json()
    assert (answer["top_k"], answer["layer"], answer["kind"], len(answer["shapley"])) == (3, "l2", "mute", 7)
    expect(widget).to_contain_text("All 128 subsets of 7 units on 2 samples, distribution unknown, layer 2, top 3")
    for key in ("retention", "interactions"):
        page.wait_for_selector(f"#plot-{key} canvas[data-painted]")
    code = page.evaluate("routescope.figures.codeOf(routescope.figures.figure('effect'))")
    assert 'kind="mute"' in code and 'top_k=3, layer="l2"' in code
    check_looks(page, ".importance-facts", "#panel-interactions")
