"""The Observe page of a mixture of experts: the numbers of the API, one layer after the other, and the way back."""

import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from routescope.routing.observed.token_kinds import KindCounter
from tests.browser.conftest import MODEL, Server, until
from tests.browser.looks import begin, check_looks

EXPERTS = "moe-bytes"


@pytest.mark.slow
def test_panels_show_what_the_api_observed_layer_by_layer(page: Page, server: Server) -> None:
    begin(page)
    page.goto(server.address("/observe", model=EXPERTS, samples=8, data="sums,python"))
    page.wait_for_selector('.page-observe[data-status="ready"][data-observation]')
    name = page.get_attribute(".page-observe", "data-observation")
    answer = server.ask("GET", f"/expert-loads/{name}").json()
    assert answer["count"] == 8
    table = page.locator("table.experts-balance tbody tr")
    expect(table).to_have_count(4)
    for row, layer in zip(table.all(), answer["layers"], strict=True):
        assert (
            f"{layer['effective']:.1f} of 8" in row.inner_text()
            and f"{layer['most_over_mean']:.2f}" in row.inner_text()
        )
    expect(page.locator("#observe-caption")).to_contain_text(f"{answer['tokens']:,} tokens")
    canvas = page.locator('.picture[data-key="domains"] canvas')
    expect(canvas).to_have_attribute("data-painted", f"{name} l1")
    page.click('[data-observe-step="l3"]')
    expect(canvas).to_have_attribute("data-painted", f"{name} l3")
    until(page, "() => location.search.includes('steps=l3')")
    tokens = page.locator('.picture[data-key="tokens"] canvas')
    expect(tokens).to_have_attribute("data-painted", f"{name} l3")
    third = answer["layers"][2]
    element = page.locator("#panel-observe-experts-tokens .experts-specialised")
    expect(element).to_contain_text(f"layer 3: {third['by_token']['specialisation']:.3f}")
    expect(page.locator("#panel-observe-experts-written .experts-specialised")).to_contain_text("On 8 texts")
    panel = page.locator("#panel-observe-experts-written")
    panel.get_by_text("The same as a table").click()
    expect(panel.locator("tbody tr")).to_have_count(64)
    row = panel.locator("tbody tr").nth(1).locator("td")
    assert row.nth(0).inner_text() == "l3.e1" and row.nth(1).inner_text() == "l3.e2"
    cosine = third["written"]["cosine"][0][1]
    assert row.nth(2).inner_text() == ("" if cosine is None else f"{cosine:.4f}".replace("-", "\u2212"))
    page.click('[data-observe-step="l2"]')
    expect(panel.locator("tbody tr").first).to_contain_text("l2.e1")
    page.click('[data-observe-step="l3"]')
    until(page, "() => location.search.includes('steps=l3')")
    made = page.evaluate(
        """async () => {
          const { figure, svgOf, codeOf } = routescope.figures;
          const shown = ["load", "balance", "domains", "together", "tokens", "alike", "written", "exemplars"];
          const found = shown.map((key) => figure("observe-experts-" + key));
          const pictured = found.filter(({ panel }) => panel.picture.scene);
          return {
            codes: await Promise.all(found.map(codeOf)),
            svgs: (await Promise.all(pictured.map(svgOf))).map((svg) => svg.length),
          };
        }"""
    )
    assert len(made["codes"]) == 8 and all('table(result, "' in code for code in made["codes"])
    assert len(made["svgs"]) == 6 and min(made["svgs"]) > 2000
    first = next(exemplar for exemplar in answer["exemplars"] if exemplar["unit"] == "l3.e1")
    link = page.locator(".experts-unit .experts-line").first
    assert link.locator("mark").inner_text().strip() != ""
    assert f"sample={first['sample']}" in (link.get_attribute("href") or "")
    expect(page.locator("#panel-observe-matrix")).to_have_count(0)
    check_looks(page, ".observe-experts", ".observe-controls")

    page.goto(server.address("/observe", model=MODEL, samples=12))
    page.wait_for_selector('.page-observe[data-status="ready"]')
    expect(page.locator("#panel-observe-matrix")).to_be_visible()
    expect(page.locator("#panel-observe-experts-load")).to_have_count(0)


def test_counts_are_shown_while_the_baseline_is_computed(
    page: Page, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    shuffled, shuffles = threading.Event(), KindCounter.__iter__

    def waiting(counter: KindCounter) -> Iterator[tuple[int, int]]:
        """Yield the first shuffle, and the others when the test has looked."""
        for step in shuffles(counter):
            yield step
            shuffled.wait(60)

    monkeypatch.setattr(KindCounter, "__iter__", waiting)
    try:
        page.goto(server.address("/observe", model=EXPERTS, samples=10, data="sums,python"))
        page.wait_for_selector('.page-observe[data-status="counting"]')
        expect(page.locator(".job-what")).to_have_text("Computing the shuffled baseline")
        expect(page.locator(".job-count")).to_contain_text("1 of 200")
        expect(page.locator("#observe-caption")).to_contain_text("10 texts")
        expect(page.locator("table.experts-balance tbody tr")).to_have_count(4)
        domains = page.locator("#panel-observe-experts-domains")
        expect(domains.locator("canvas[data-painted]")).to_be_visible()
        expect(domains).to_contain_text("The shuffled baseline comes when all texts are counted.")
        expect(page.locator("#panel-observe-experts-alike")).to_be_hidden()
        assert page.evaluate("routescope.figures.figure('observe-experts-load')") is None
        check_looks(page, ".observe-experts", ".observe-controls")
    finally:
        shuffled.set()
    page.wait_for_selector('.page-observe[data-status="ready"]')
    expect(page.locator("#panel-observe-experts-domains")).to_contain_text("Texts shuffled")
    expect(page.locator("#panel-observe-experts-alike canvas[data-painted]")).to_be_visible()
    expect(page.locator(".job")).to_be_hidden()
