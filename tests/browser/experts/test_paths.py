"""Paths of a text: its tokens on the colours of their experts, a dropped expert, and a continued text."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from routescope import zoo
from routescope.data import load
from routescope.routing import Intervention
from routescope.routing.continuing import continued
from tests.browser.conftest import Guard, Server, until
from tests.browser.looks import check_looks

EXPERTS, SAMPLE = "moe-bytes", "listops.validation.3"
TOKEN = 20
#: Height in the window of the button that begins and cancels a continuation.
PLACE = "document.querySelector('#paths-continue').getBoundingClientRect().y"


@pytest.fixture
def open_text(page: Page, server: Server) -> Callable[..., Page]:
    """Open the path of a text and wait until it is painted."""

    def opened(sample: str = SAMPLE, **query: Any) -> Page:
        page.goto(server.address("/paths", model=EXPERTS, sample=sample, **query))
        page.wait_for_selector("#path-picture[data-painted]")
        page.wait_for_selector("#patch-picture[data-painted]")
        return page

    return opened


def routing(server: Server, **intervention: Any) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """A trace from the API, and its fields without the axis of the one sample."""
    names = ["compatibility", "margin"]
    body = {"model": EXPERTS, "sample": SAMPLE, "fields": names, "intervention": intervention}
    info = server.ask("POST", "/traces", json=body).raise_for_status().json()
    fields = {}
    for name in (*names, "nats"):
        answer = server.ask("GET", f"/traces/{info['id']}/fields/{name}").json()
        fields[name] = np.array(answer["values"])[0]
    return info, fields


def test_a_text_is_on_the_colours_of_its_experts_one_of_which_is_dropped(
    open_text: Callable[..., Page], server: Server
) -> None:
    page = open_text(step=2)
    info, fields = routing(server)
    tokens = [token for token in info["tokens"] if token["text"]]
    assert page.evaluate("routescope.paths.state.view.tokens.length") == len(tokens)
    expect(page.locator("#paths-caption")).to_contain_text(f"{len(load('listops', 'validation').texts[3])} bytes")
    expect(page.locator(".panel-predictions")).to_be_hidden()
    expect(page.locator("#paths-passes")).to_be_hidden()
    page.locator("#patch-picture").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#patch-picture")).to_have_attribute("data-highlighted", "1")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("routescope.paths.state.view.text.places[routescope.paths.state.hover.token].row") == 1
    page.keyboard.press("Escape")
    page.evaluate(f"routescope.paths.pin({{ token: {TOKEN} }})")
    detail = page.locator(".token-detail")
    expect(detail).to_contain_text(f"token {TOKEN} \N{LEFT DOUBLE QUOTATION MARK}{tokens[TOKEN]['text']}")
    expect(detail).to_contain_text(f"won by {fields['margin'][1, TOKEN]:.2f} logits")
    expect(detail).to_contain_text(f"cost {fields['nats'][0, TOKEN] / np.log(2):.2f} bits")
    weights = fields["compatibility"][1, :, TOKEN]
    best = [info["units_by_step"][1][unit] for unit in np.argsort(-weights)[:2]]
    assert detail.locator(".bar-name").all_inner_texts() == best
    names, *rows = page.evaluate("routescope.figures.figure('patches').panel.rows()")
    table = [dict(zip(names, row, strict=True)) for row in rows]
    assert "".join(row["text"] for row in table[1:]) == load("listops", "validation").texts[3]
    shares = [[row[unit] for unit in info["units_by_step"][1]] for row in table]
    np.testing.assert_allclose(shares, fields["compatibility"][1, :, : len(table)].T, atol=1e-5)
    check_looks(page, "#panel-path", "#panel-patches", "#panel-tokens")
    layers = page.locator(".paths-cells .expert-layer").all_inner_texts()
    assert layers == ["layer 1", "layer 2", "layer 3", "layer 4"]
    cells = page.locator(".paths-cells .cell")
    drawn = page.evaluate("""() => {
      const { view } = routescope.paths.state;
      return view.steps.flatMap((_, step) => view.units.map((_, unit) => Math.round(100 * view.use(step, unit))));
    }""")
    assert [int(text) for text in cells.all_inner_texts()] == drawn and max(drawn) > 12
    units = [f"l{layer}.e{expert}" for layer in range(1, 5) for expert in range(1, 9)]
    assert cells.evaluate_all("all => all.map(each => each.dataset.unitChip)") == units
    page.locator('[data-unit-chip="l3.e7"]').hover()
    until(page, "routescope.paths.state.hover && routescope.paths.state.hover.step === 2")
    assert page.evaluate("routescope.paths.state.hover.unit") == 6

    # An expert is dropped at its layer, beside the pinned path.
    plain, dropped = routing(server)[0], routing(server, drop=["l2.e2"])[0]
    page.get_by_role("button", name="Pin this view as A").click()
    expect(page.locator("#path-picture-of-a")).to_have_attribute("data-painted", plain["id"])
    page.locator("#paths-mode").get_by_text("drop").click()
    page.locator('[data-unit-chip="l2.e2"]').click()
    expect(page.locator("#path-picture")).to_have_attribute("data-painted", dropped["id"])
    until(page, "() => new URLSearchParams(location.search).get('drop') === 'l2.e2'")
    expect(page.locator("#panel-path-difference .tag")).to_have_text("caused")
    expect(page.locator(".difference-sentence")).to_contain_text("tokens go through another")
    expect(page.locator(".path-status")).to_contain_text("tokens take another dominant path")
    expect(page.locator('[data-pinned="a"]')).to_have_text(f"{EXPERTS}, {SAMPLE}, no intervention")


def test_a_missing_sample_offers_texts_and_too_few_experts_are_refused(
    page: Page, server: Server, guard: Guard
) -> None:
    page.goto(server.address("/paths", model=EXPERTS, sample="no-such-sample"))
    page.get_by_role("button", name="sums.validation.1").click()
    page.wait_for_selector("#path-picture[data-painted]")
    until(page, "() => new URLSearchParams(location.search).get('sample') === 'sums.validation.1'")
    guard.expect("status of 4")
    page.goto(server.address("/paths", model=EXPERTS, sample=SAMPLE, drop=",".join(f"l2.e{e}" for e in range(1, 8))))
    expect(page.locator("#paths-problem")).to_contain_text("layer 2 needs 2 experts")


#: Keeps how many tokens of a continuation are shown, after every change.
COUNT_TOKENS = """() => {
  window.counts = [];
  const count = () => window.counts.push(document.querySelectorAll(".new-token").length);
  new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
}"""


def test_a_text_is_continued_with_the_path_of_each_token(open_text: Callable[..., Page]) -> None:
    model, inputs = zoo.load(EXPERTS), load("sums", "validation").inputs([1])
    gone = list(continued(model, inputs, 5))[4].path[2].experts[0]  # of layer 3, which the fifth token would take
    page = open_text(sample="sums.validation.1", step=3, drop=gone)
    page.get_by_label("Which token is written").select_option("1")
    page.get_by_label("How many tokens are written").select_option("16")
    page.evaluate(COUNT_TOKENS)
    page.click("#paths-continue")
    page.wait_for_selector(".new-token")
    # Another stream: the tab connects anew, and the continuation is written again from its first token.
    page.evaluate("routescope.stream.open('other', '/jobs/' + '0'.repeat(40) + '/events', {}, () => {})")
    page.wait_for_selector('.new-tokens[data-status="done"]')
    counts = page.evaluate("counts")
    assert counts == sorted(counts)
    written = list(continued(model, inputs, 16, Intervention(drop=(gone,))))
    expect(page.locator(".new-token")).to_have_count(16)
    expect(page.locator(".continuation-said")).to_have_text("16 tokens written by the model")
    page.locator(".new-token").nth(4).hover()
    lines = page.locator(".new-path li")
    for line, decision in zip(lines.all_inner_texts(), written[4].path, strict=True):
        assert line.startswith(f"{decision.experts[0]} {decision.weights[0]:.2f}") and gone not in line
    check_looks(page, "#panel-patches")
    page.get_by_label("How many tokens are written").select_option("256")
    page.locator(".new-token").nth(4).hover()  # a page that ends in all that is said of a token
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    before = page.evaluate(PLACE)
    page.click("#paths-continue")
    until(page, "document.querySelectorAll('.new-token').length > 0 && document.querySelector('.new-path') === null")
    assert page.evaluate(PLACE) == pytest.approx(before, abs=1), "Cancel stands where one pressed"
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".continuation-said")).to_contain_text("cancelled")
    page.locator("#paths-mode").get_by_text("mute").click()
    page.locator('[data-unit-chip="l1.e1"]').click()
    expect(page.locator(".new-token")).to_have_count(0)  # of another path
