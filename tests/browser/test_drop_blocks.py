"""The Drop page of a network of blocks: hidden blocks leave, the figures are the API's."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.blocks.pages import ALGO, block_models
from tests.browser.conftest import WITHOUT_JOBS, Server, until, url_of
from tests.browser.drop_pages import evaluate, number, opened, shown, toggle, wait_until_done

__all__ = ["block_models"]  # a fixture


@pytest.mark.usefixtures("block_models")
def test_hidden_blocks_leave(page: Page, server: Server) -> None:
    page.add_init_script(WITHOUT_JOBS)
    opened(page, server, model=ALGO, kind="mean")  # a kind of another model
    assert "kind=" not in url_of(page)
    expect(page.locator('#drop-kind input[value="drop"]')).to_be_checked()
    for kind in ("mean", "resample"):  # the model records no contributions that could be replaced
        expect(page.locator(f'#drop-kind input[value="{kind}"]')).to_be_disabled()
    units = page.locator("[data-drop-unit]").evaluate_all("all => all.map(each => each.dataset.dropUnit)")
    assert units == ["1.1", "1.2", "1.3", "1.4"]
    expect(page.locator("#drop-sentence")).to_contain_text("neither made nor read")
    expect(page.locator(".drop-controls")).to_contain_text("Click a block to")
    toggle(page, "1.2")
    page.fill("#drop-iterations", "4")
    until(page, "location.search.includes('iterations=4')")
    wait_until_done(page)
    evaluation = evaluate(server, data=["algo"], model=ALGO, drop=["1.2"], iterations=4)
    assert number(page, "accuracy") == shown(evaluation["accuracy"]["value"])
    assert number(page, "control") == shown(evaluation["control"]["mean"])
