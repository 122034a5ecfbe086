"""A kind of input that is registered from outside and has no picture of its own: its samples are tables."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from routescope import assets
from routescope.data import load
from routescope.data.catalogue import dataset, unregister
from routescope.zoo import checkpoint
from tests.browser.conftest import MODEL, Server, until
from tests.outside.symbols import INFO, SYMBOLS, Circle, SymbolsConfig, SymbolsNetwork, circle
from tests.outside.test_symbols import KNOWN

SYMBOLIC = "outside-browser"


@pytest.fixture(scope="module")
def symbols() -> Iterator[str]:
    """The name of a model of sequences of symbols, of which there is a data set while these tests run."""
    dataset(INFO)(circle)
    model = SymbolsNetwork(SymbolsConfig()).eval()
    path = checkpoint.save(model, assets.data_dir() / "checkpoints" / SYMBOLIC / "model.safetensors")
    yield SYMBOLIC
    path.unlink()
    unregister(INFO.name)


def test_its_samples_are_tables_and_its_model_answers_for_the_one_that_is_clicked(
    page: Page, server: Server, symbols: str
) -> None:
    data = load("circle")
    assert isinstance(data, Circle)
    page.goto(server.address("/samples", model=symbols))
    cards = page.locator("#gallery .table-card")
    expect(cards).to_have_count(24)
    expect(page.locator("#gallery-count")).to_have_text("1 to 24 of 40")
    page.click("#gallery-next")
    expect(page.locator("#gallery-count")).to_have_text("25 to 40 of 40")
    last = cards.last
    last.click(position={"x": 60, "y": 60})  # anywhere on it
    expect(last.get_by_role("button")).to_have_attribute("aria-pressed", "true")
    first, length = int(data.first[39]), int(data.lengths[39])
    symbols_of = [str((first + index) % SYMBOLS) for index in range(length)]
    for table in (last.locator("table"), page.locator("#sample-facts table")):
        expect(table.locator("thead")).to_have_text(re.compile("place.*symbol"))
        expect(table.locator("tbody tr td:nth-child(2)")).to_have_text(symbols_of)
    expect(page.locator("#sample-score")).to_contain_text("bits a symbol")
    expect(page.locator("#sample-score .number-value")).to_have_text(f"{KNOWN:.4g} bits")
    expect(page.locator("#chosen-sample")).to_have_text("circle.validation.39")
    expect(page.locator("#bring-note")).to_contain_text("A sequence of symbols cannot be made from an upload")
    page.click("#sample-previous")
    expect(page.locator("#sample-facts")).to_contain_text("circle.validation.38")

    page.goto(server.address("/samples", model=MODEL, set="circle", sample="circle.validation.3"))
    expect(cards).to_have_count(24)
    refused = page.locator("#sample-facts .unread")
    expect(refused).to_contain_text(f"{MODEL} reads samples that are each a picture; this one is a sequence of symbols")
    refused.get_by_role("button", name=symbols).click()
    expect(page.locator("#sample-score .number-value")).to_have_text(f"{KNOWN:.4g} bits")

    page.goto(server.address("/drop", model=symbols, units="e2"))
    until(page, "document.querySelector('#drop-control-number')?.textContent.includes('on average')")
    expect(page.locator("#drop-accuracy-title")).to_have_text("Bits a symbol")
    expect(page.locator("#drop-accuracy-number")).to_contain_text(re.compile(r"Bits a symbol\s*0\.\d+\s*bits"))
    expect(page.locator("#drop-change-number")).to_contain_text(re.compile(r"\+0\.\d+\s*bits"))
    expect(page.locator("#drop-change-number")).to_have_attribute("data-mood", "bad")
    canvas = page.locator('.drop-picture[data-key="accuracy"] canvas')
    expect(canvas).to_have_attribute("aria-label", re.compile(r"^Bits a symbol: this set \(e2 dropped\) [\d.]+ bits"))
    expect(page.locator("#panel-effect")).to_contain_text("Diamonds: bits a symbol added without the unit alone")
    expect(page.locator("#panel-drop-labels")).to_be_hidden()  # there are none
    shown = page.inner_text("#content").lower()
    assert "accura" not in shown and " points" not in shown
