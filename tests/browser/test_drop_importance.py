"""Importance on the Drop page: its job, its figures, exports, cancel and resume."""

import functools
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Page, expect

from routescope import assets
from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.routing.caused import importance_plan
from routescope.zoo import checkpoint
from routescope_app.services.engine.threads import Priority
from tests.browser.conftest import MODEL, Hold, Server, facts_of, rows_of, until
from tests.browser.drop_pages import FEW, chip, opened, shown
from tests.browser.looks import begin, check, fits, looks

FIGURES = ("use", "effect", "retention", "interactions", "anytime")
#: Shows that the importance is there, and holds its id.
RESULT = '.importance-facts[data-result]:not([data-result=""])'
#: The progress of the job; other panels of the page have theirs.
JOB = '.job[data-job="importance"]'
BAR = f"document.querySelector('{JOB} [role=progressbar]')"
#: The words under the pointer of a panel's picture, as it is written to a file.
WORDS = "key => routescope.figures.figure(key).panel.picture.scene(600).spots.map(spot => spot.words)"
#: The texts of the picture.
TEXTS = "key => routescope.figures.figure(key).panel.picture.scene(600).items.map(item => item.text ?? '')"
#: The pixels of a chart, which change with the unit that is pointed at.
PIXELS = "document.querySelector('#plot-effect canvas').toDataURL()"


@pytest.fixture
def open_drop(page: Page, server: Server) -> Callable[..., Page]:
    return functools.partial(opened, page, server)


def wait_for_importance(page: Page) -> str:
    """Wait until every figure of the importance is drawn, and return the importance's id."""
    page.wait_for_selector(RESULT, timeout=240_000)  # jobs of earlier tests may come before it
    for key in FIGURES:
        page.wait_for_selector(f"#plot-{key} canvas[data-painted]")
    return str(page.get_attribute(RESULT, "data-result"))


def said_in(page: Page, key: str) -> list[str]:
    return [str(said) for said in page.evaluate(WORDS, key)]


def test_the_job_draws_what_the_api_computed(page: Page, open_drop: Callable[..., Page], server: Server) -> None:
    begin(page)
    open_drop()
    answer = server.ask("GET", f"/importances/{wait_for_importance(page)}").json()
    assert answer["exact"] and answer["count"] == FEW and answer["kind"] == "drop"
    said = {key: said_in(page, key) for key in FIGURES}
    for value, alone in zip(answer["shapley"], answer["single"], strict=True):
        for start in (f"Shapley value {shown(value['value'])} (", f"{shown(0.0 - alone['change'])} ("):
            assert any(words.startswith(f"{value['unit']}: {start}") for words in said["effect"]), start
    assert f"+{100 * answer['total']:.1f} points" in page.inner_text(".importance-facts")
    assert said["use"] == [
        f"{member['unit']}, iteration {member['step'][1:]}: {shown(member['share'])} % of the routing weight"
        for member in sorted(answer["usage"], key=lambda each: (each["unit"], each["step"]))
    ]
    pair = answer["interactions"][0]
    (cell,) = [words for words in said["interactions"] if words.startswith(f"{pair['unit']} and {pair['other']}: ")]
    assert f"{shown(pair['value'])} points" in cell
    assert [page.inner_text(f"#panel-{key} .tag") for key in ("use", "effect")] == ["observed", "caused"]
    expect(page.locator("#panel-convergence")).to_be_hidden()  # no orders were sampled

    page.locator("#drop-second-axis").get_by_text("with FLOPs").click()
    until(page, f"({TEXTS})('retention').some(text => text.startsWith('MFLOP'))")
    still = page.evaluate(PIXELS)
    chip(page, "f3").hover()
    until(page, f"still => {PIXELS} !== still", still)
    page.mouse.move(5, 5)
    until(page, f"still => {PIXELS} === still", still)

    page.locator("#panel-effect summary", has_text="table").click()
    expect(page.locator("#panel-effect tbody tr")).to_have_count(len(answer["units"]))
    page.locator("#panel-retention summary", has_text="table").click()
    for _, width in looks(page):
        check(page)
        assert fits(page)
        until(page, f"document.querySelector('#plot-interactions canvas').clientWidth < {width}")
    begin(page)


def test_importance_is_of_one_distribution(open_drop: Callable[..., Page], server: Server, circuit: str) -> None:
    """The circuit never saw mnist-m, and no card names its other sets."""
    page = open_drop(samples=6, model=circuit, distribution="out")
    expect(page.locator("#importance-distribution")).to_have_value("out")
    page.click("#importance-start")
    page.wait_for_selector(RESULT)
    answer = server.ask("GET", f"/importances/{page.get_attribute(RESULT, 'data-result')}").json()
    assert answer["distribution"] == "out" and [data_set["name"] for data_set in answer["data"]] == ["mnist-m"]
    assert f"on {answer['count']} samples, out of distribution" in page.inner_text(".importance-facts")
    page.select_option("#importance-distribution", "unknown")
    until(page, "!location.search.includes('distribution=')")
    expect(page.locator("#importance-start")).to_be_visible()
    expect(page.locator(RESULT)).to_have_count(0)


def test_figures_can_be_saved(open_drop: Callable[..., Page], save: Callable[..., Path]) -> None:
    page = open_drop(units="f1", pin=f"{MODEL}::drop:f2,f3")
    identity = wait_for_importance(page)
    until(page, "document.querySelector('.compare-curves').innerText === ''")  # A's curve is the same as B's
    lines = [line for line in save("drop-compared", "csv").read_text().splitlines() if "share kept" in line]
    assert len(lines) == 3 * 6 and all(line.split(",")[2:5] == line.split(",")[5:] for line in lines)
    for key in FIGURES:
        facts = facts_of(save(key, "svg"))
        assert facts["model"] == MODEL and facts["importance"] == identity and facts["seed"] == 0
        assert facts["kind"] == ("observed" if key == "use" else "caused")
        assert {"drop", "revision", "left_out_as", "data", "link"} <= facts.keys()
        rows = rows_of(save(key, "csv"))
        assert len(rows) > 4 and all(None not in row and None not in row.values() for row in rows)
        assert json.loads(save(key, "json").read_text())["revision"] == facts["revision"]


def test_more_than_ten_units_are_sampled_on_request(
    open_drop: Callable[..., Page], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importance_plan, "PERMUTATIONS", 8)
    torch.manual_seed(0)
    config = NeuralInterpreterConfig(
        features=16, code_features=16, type_features=8, type_inference_width=16, iterations=1, functions=11, heads=2,
        key_features=8, position_features=8, patch_size=8,
    )  # fmt: skip
    checkpoint.save(NeuralInterpreter(config), assets.data_dir() / "checkpoints" / "eleven" / "model.safetensors")
    page = open_drop(samples=3, model="eleven")
    expect(page.locator("[data-drop-unit]")).to_have_count(11)
    expect(page.locator("#importance-start")).to_have_text("Score sampled subsets of the 11 units")
    page.click("#importance-start")
    answer = server.ask("GET", f"/importances/{wait_for_importance(page)}").json()
    assert not answer["exact"] and all(value["standard_error"] is not None for value in answer["shapley"])
    expect(page.locator("#panel-convergence")).to_be_visible()
    page.wait_for_selector("#plot-convergence canvas[data-painted]")
    assert len(said_in(page, "convergence")) == len(answer["convergence"])
    assert "Sampled orders" in page.inner_text(".importance-facts")


def test_the_job_is_cancelled_and_resumed(page: Page, server: Server, hold: Hold) -> None:
    server.end_jobs()  # they would take pieces that are meant for this job
    hold.at(Priority.JOB, pieces=20)  # a few of the 32 subsets
    page.goto(server.address("/drop", model=MODEL, samples=50, data="mnist,street-digits", kind="resample"))
    page.wait_for_selector(JOB + '[data-state="running"]')
    job = f"/jobs/{page.get_attribute(JOB, 'data-id')}"
    until(page, f"Number({BAR}.ariaValueNow) > 0")
    page.click(JOB + " [data-job-cancel]")
    page.wait_for_selector(JOB + '[data-state="cancelled"]')
    cancelled = server.ask("GET", job).json()
    assert cancelled["state"] == "cancelled" and cancelled["done"] > 0 and "are kept" in page.inner_text(JOB)
    hold.at(Priority.JOB, pieces=20)  # the unfinished part of a subset is done again
    page.click(JOB + " [data-job-resume]")
    page.wait_for_selector(JOB + '[data-state="running"]')
    until(page, f"least => Number({BAR}.ariaValueNow) >= least", cancelled["done"])
    page.locator('[data-drop-set="mnist"]').click()  # another question ends the job
    until(page, "location.search.includes('data=street-digits')")
    until(page, "async job => (await (await fetch('/api/v1' + job)).json()).state === 'cancelled'", job)
