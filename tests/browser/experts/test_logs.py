"""Logs: one is brought, told and opened on other pages, the bundled mixture of experts compared with itself in another
precision."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Guard, Server, until
from tests.browser.looks import begin, check_looks

WRITTEN = """async (key) => {
  const {figure, svgOf, codeOf} = routescope.figures;
  const found = figure(key);
  const rows = found.panel.rows().length;
  return {source: found.about.source, svg: await svgOf(found), rows, code: await codeOf(found)};
}"""
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
    row.get_by_role("button", name="Keep answers.json").click()
    expect(row.get_by_role("button", name="Delete this log")).to_have_count(0)
    row.get_by_role("button", name="Delete answers.json").click()
    row.get_by_role("button", name="Delete this log").click()
    expect(page.locator(".logs-list")).to_contain_text("No log yet")

    page.get_by_role("button", name="Show moe-bytes in float32 beside bfloat16").click()
    expect(page.locator(".logs-compared .logs-headline")).to_contain_text("take the same experts at every layer")
    expect(page.locator("tr[data-log]")).to_have_count(2)
    expect(page.locator(".logs-tokens .logs-token").first).to_be_visible()
    page.locator("button.logs-token").first.click()
    expect(page.locator(".logs-token-place .logs-headline")).to_contain_text("layers differ, first l")
    expect(page.locator(".logs-token-picture canvas")).to_have_attribute("data-painted", re.compile(r"^\d+$"))
    until(page, "() => location.search.includes('token=')")
    text = page.locator(".logs-token-place .logs-headline").inner_text()
    check_looks(page)
    for key in ("logs-usage", "logs-compared", "logs-text", "logs-token"):
        written = page.evaluate(WRITTEN, key)
        assert "moe-bytes in float32" in written["source"] and "no intervention" not in written["source"]
        assert "<svg" in written["svg"] and written["rows"] > 4 and "read_log(" in written["code"], key
    tree = page.locator(".page-tree").element_handle()
    page.go_back()  # the page takes it over
    expect(page.locator('button.logs-token[aria-pressed="true"]')).to_have_count(0)
    until(page, "() => !location.search.includes('token=')")
    page.go_forward()
    expect(page.locator(".logs-token-place .logs-headline")).to_have_text(text)
    assert tree.evaluate("(element) => element.isConnected")
    begin(page)
    page.goto(page.url)  # the link says which two, and which token
    expect(page.locator(".logs-token-place .logs-headline")).to_have_text(text)
    expect(page.locator('button.logs-token[aria-pressed="true"]')).to_be_visible()
    expect(page.locator(".logs-compared .logs-headline")).to_contain_text("take the same experts at every layer")
    expect(page.get_by_role("button", name="moe-bytes in bfloat16 as B")).to_have_attribute("aria-pressed", "true")


@pytest.mark.slow
def test_a_log_opens_on_paths_and_observe_without_a_model(page: Page, server: Server) -> None:
    """What it has is shown, what it lacks is said, and the address opens the same again."""
    begin(page)
    answers = [
        {"id": name, "choices": [{"routed_experts": EXPERTS, "prompt_token_ids": [7], "token_ids": [8, 9, 10]}]}
        for name in ("one", "two")
    ]
    content = "\n".join(json.dumps(answer) for answer in answers)
    headers = {"Content-Type": "application/octet-stream"}
    log = server.ask("POST", "/logs?name=answers.jsonl&experts=5", content=content, headers=headers).json()
    page.goto(server.address("/logs", a=log["id"]))
    page.get_by_role("link", name="Its tokens on Paths").click()
    painted = page.locator("#path-picture")
    expect(painted).to_have_attribute("data-painted", f"{log['id']}.0.0")
    expect(page.locator(".log-lacks")).to_contain_text("No weights")
    expect(page.locator(".log-lacks")).to_contain_text("tokens are shown by their numbers")
    expect(page.locator(".page-paths .caption")).to_contain_text("one.0")
    page.select_option(".log-sequence", "2")
    expect(painted).to_have_attribute("data-painted", f"{log['id']}.1.0")
    page.get_by_role("button", name="Next step").first.click()
    until(page, "() => location.search.includes('sequence=2') && location.search.includes('step=2')")
    page.locator("#patch-picture").hover(position={"x": 6, "y": 10})
    detail = page.locator(".token-bars")
    expect(detail).to_contain_text("token 0")
    expect(detail).to_contain_text("l2.e3")
    expect(detail).to_contain_text("0.50")
    expect(detail).not_to_contain_text("Margin")
    check_looks(page)
    page.goto(page.url)
    expect(painted).to_have_attribute("data-painted", f"{log['id']}.1.0")
    expect(painted).to_have_attribute("data-step", "l2")

    page.get_by_role("link", name="Observe the log").click()
    expect(page.locator("#observe-caption")).to_contain_text("6 tokens of 2 sequences")
    canvas = page.locator('.picture[data-key="load"] canvas')
    expect(canvas).to_have_attribute("data-painted", f"{log['id']} l2")
    expect(page.locator("table.experts-balance tbody tr").first).to_contain_text("20.0 %")
    expect(page.locator("#panel-observe-experts-exemplars")).to_be_hidden()
    page.click('[data-observe-step="l1"]')
    expect(canvas).to_have_attribute("data-painted", f"{log['id']} l1")
    until(page, "() => location.search.includes('steps=l1')")
    check_looks(page)
    page.locator(".page-links").get_by_role("link", name="Paths").click()  # pages that show it keep it
    expect(painted).to_have_attribute("data-painted", f"{log['id']}.0.0")
    page.get_by_role("link", name="Leave the log").click()
    until(page, "() => !location.search.includes('log=')")
    assert server.ask("DELETE", f"/logs/{log['id']}").status_code == 204


@pytest.mark.slow
def test_a_log_says_what_was_assumed_and_a_load_opens_without_tokens(page: Page, server: Server, guard: Guard) -> None:
    """Ranks are asked for and chosen; counts by layer and expert open on Observe, and have no paths."""
    begin(page)
    record = {"step": 0, "layer": 0, "num_tokens": 3, "topk": 1}
    records = [record | {"rank": rank, "top_indices": [[3 * rank], [2], [1]]} for rank in (0, 1)]
    trace = {"name": "trace.jsonl", "mimeType": "", "buffer": "\n".join(map(json.dumps, records)).encode()}
    page.goto(server.address("/logs"))
    guard.expect("422")
    page.set_input_files("#logs-file", trace)
    expect(page.locator(".logs-problem")).to_contain_text("Say what they are (\u201cRanks\u201d)")
    page.get_by_label("Ranks").select_option("pipeline")
    page.set_input_files("#logs-file", trace)
    expect(page.locator(".logs-assumed")).to_contain_text("are stages of a pipeline")
    counts = {"name": "load.csv", "mimeType": "", "buffer": b"layer_id,expert_id,count\n0,0,30\n0,1,10\n1,2,40\n"}
    expect(page.locator("#logs-file")).to_be_enabled()  # the log before was read
    page.set_input_files("#logs-file", counts)
    page.get_by_role("button", name="load.csv as A").wait_for()
    expect(page.locator(".logs-assumed")).to_contain_text("3 assumed, the highest seen (\u201cExperts a layer\u201d)")
    expect(page.locator("tr[data-log]").first).to_contain_text("counts")
    expect(page.get_by_role("link", name="Its tokens on Paths")).to_have_count(0)
    page.get_by_role("link", name="Its experts on Observe").click()
    expect(page.locator("#observe-caption")).to_contain_text("counts, tokens are not known")
    expect(page.locator(".log-lacks")).to_contain_text("no tokens: no paths, weights, pairs")
    expect(page.locator("table.experts-balance tbody tr").first).to_contain_text("1.8 of 3")
    check_looks(page)
    for log in server.ask("GET", "/logs").json()["items"]:
        server.ask("DELETE", f"/logs/{log['id']}")
    guard.expect("404")
    for path, place in (("/paths", "#paths-problem"), ("/observe", ".log-bar")):
        page.goto(server.address(path, log="0" * 32))
        expect(page.locator(place)).to_contain_text("no such routing log")
