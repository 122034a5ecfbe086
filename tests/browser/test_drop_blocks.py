"""The Drop page serves networks of blocks by the same contracts: hidden blocks leave, the figures are the API's."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.blocks.pages import ALGO, PICTURES, block_models
from tests.browser.conftest import WITHOUT_JOBS, Server, url_of
from tests.browser.drop_pages import evaluate, number, opened, shown, toggle, wait_until_done

__all__ = ["block_models"]  # a fixture

SAMPLES = 60


@pytest.fixture(autouse=True)
def no_importance(page: Page) -> None:
    """Keeps the page from starting the importance of units by itself, which would take the processor from the test."""
    page.add_init_script(WITHOUT_JOBS)


def test_hidden_blocks_leave(page: Page, server: Server, block_models: str) -> None:
    opened(page, server, SAMPLES, ALGO)
    assert page.locator("[data-drop-unit]").evaluate_all("all => all.map(each => each.dataset.dropUnit)") == [
        "1.1", "1.2", "1.3", "1.4",
    ]  # fmt: skip
    for kind in ("mean", "resample"):  # it records no contributions that could be replaced
        expect(page.locator(f'#drop-kind input[value="{kind}"]')).to_be_disabled()
    expect(page.locator('[data-widget="drop-sentence"]')).to_contain_text("neither made nor read")
    expect(page.locator(".drop-controls")).to_contain_text("Click a block to")
    toggle(page, "1.2")
    evaluation = evaluate(server, SAMPLES, ["algo"], ALGO, drop=["1.2"])
    assert number(page, "accuracy") == shown(evaluation["accuracy"]["value"])
    assert number(page, "control") == shown(evaluation["control"]["mean"])
    page.locator("#drop-iterations").fill("4")
    page.locator("#drop-iterations").press("Tab")
    page.wait_for_url(re.compile("iterations=4"))
    wait_until_done(page)
    evaluation = evaluate(server, SAMPLES, ["algo"], ALGO, drop=["1.2"], iterations=4)
    assert number(page, "accuracy") == shown(evaluation["accuracy"]["value"])


def test_a_kind_that_it_does_not_take(page: Page, server: Server, block_models: str) -> None:
    """An address made for another model opens with one that it takes."""
    opened(page, server, SAMPLES, PICTURES, kind="mean")
    assert "kind=" not in url_of(page)
    expect(page.locator('#drop-kind input[value="drop"]')).to_be_checked()
