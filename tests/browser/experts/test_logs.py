"""Logs: one is brought and told, the bundled mixture of experts is compared with itself in another precision."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server
from tests.browser.looks import begin, check, fits, looks

EXPERTS = [[[0, 1], [2, 3]], [[1, 2], [0, 3]], [[3, 0], [1, 2]]]


@pytest.mark.slow
def test_logs_are_brought_compared_linked_and_deleted(page: Page, server: Server, tmp_path: Path) -> None:
    begin(page)
    page.goto(server.address("/logs"))
    expect(page.locator(".logs-list")).to_contain_text("No log yet")
    log = tmp_path / "answers.json"
    log.write_text(json.dumps({"id": "x", "choices": [{"routed_experts": EXPERTS}]}))
    page.set_input_files("#logs-file", log)
    row = page.locator("tr[data-log]")
    expect(row).to_contain_text("answers.json")
    expect(row).to_contain_text("vLLM, nested lists, as of 0.21")
    expect(page.locator(".logs-usage")).to_contain_text("l1.e1 33.3 %")
    page.locator(".logs-picture").hover(position={"x": 2, "y": 2})
    expect(page.locator(".logs-readout")).to_have_text(
        "l1.e1 (layer 0, expert 0 in the log): 2 tokens, 33.3 % of the layer's use"
    )
    row.get_by_role("button", name="Delete answers.json").click()
    expect(page.locator(".logs-list")).to_contain_text("No log yet")

    page.get_by_role("button", name="Show moe-bytes in float32 beside bfloat16").click()
    expect(page.locator(".logs-headline")).to_contain_text("take the same experts at every layer")
    expect(page.locator("tr[data-log]")).to_have_count(2)
    expect(page.locator(".logs-tokens .logs-token").first).to_be_visible()
    for _ in looks(page):
        assert fits(page)
        check(page)
    begin(page)
    page.goto(page.url)  # the link says which two
    expect(page.locator(".logs-headline")).to_contain_text("take the same experts at every layer")
    expect(page.get_by_role("button", name="moe-bytes in bfloat16 as B")).to_have_attribute("aria-pressed", "true")
