"""Importance on the Drop page: its job in the background, its figures, exports, cancel and resume."""

import functools
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from playwright.sync_api import Page, expect

from routescope import assets
from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.zoo import checkpoint
from routescope_app.services.engine.threads import Priority
from tests.browser.conftest import MODEL, Hold, Server, until
from tests.browser.drop_pages import FEW, SVG, chip, opened, wait_until_done
from tests.browser.looks import begin, check, fits, looks

FIGURES = ("use", "effect", "retention", "interactions", "anytime")
#: The progress of its job; other panels of the page have theirs.
JOB = '.job[data-job="importance"]'
BAR = f"document.querySelector('{JOB} [role=progressbar]')"
#: Where the middles of a chart's rows are on the screen.
ROW_PLACES = """key => Object.fromEntries(
    [...document.querySelectorAll(`#plot-${key} .yaxislayer-above text`)].map(text => {
        const box = text.getBoundingClientRect(); return [text.textContent, (box.top + box.bottom) / 2]; }))"""
#: Whether those of use and effect stand side by side: each chart is laid out anew for itself when the window changes.
SIDE_BY_SIDE = f"""(() => {{ const [use, effect] = ["use", "effect"].map({ROW_PLACES}), units = Object.keys(use);
    return units.length > 0 && units.every(unit => Math.abs(use[unit] - effect[unit]) <= 2); }})()"""


@pytest.fixture
def open_drop(page: Page, server: Server) -> Callable[..., Page]:
    return functools.partial(opened, page, server)


#: Numbers of pairs in the cells of the interactions, and those that cover each other.
LABELS = "document.querySelectorAll('#plot-interactions .heatmap-label').length"
OVERLAPS = """(() => {
  const boxes = [...document.querySelectorAll('#plot-interactions .heatmap-label text')].map(each => [
    each.textContent, each.getBoundingClientRect()]);
  return boxes.flatMap(([one, a], at) => boxes.slice(at + 1).filter(([, b]) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).map(([other]) => [one, other]));
})()"""


def wait_for_importance(page: Page) -> str:
    """Waits until every figure of the importance is drawn; gives its id."""
    drawn = '[data-widget="importance"][data-result]:not([data-result=""])'
    page.wait_for_selector(drawn, timeout=240_000)  # jobs of earlier tests may come before it
    for key in FIGURES:
        page.wait_for_selector(f'#plot-{key}[data-filled="true"][data-painted]:not([data-painted="0"])')
    return str(page.get_attribute('[data-widget="importance"]', "data-result"))


def drawn(page: Page, key: str, field: str, trace: int = 0) -> Any:
    """Numbers of a trace of a chart, as it is drawn."""
    script = "([key, field, trace]) => document.querySelector(`#plot-${key} .js-plotly-plot`).data[trace][field]"
    return page.evaluate(script, [key, field, trace])


def test_the_job_in_the_background_draws_what_the_api_found(open_drop: Callable[..., Page], server: Server) -> None:
    page = open_drop(samples=FEW)
    answer = server.ask("GET", f"/importances/{wait_for_importance(page)}").json()
    assert answer["exact"] and answer["count"] == FEW and answer["kind"] == "drop"
    units = answer["units"]
    assert drawn(page, "effect", "customdata") == units == drawn(page, "use", "y")
    assert drawn(page, "effect", "x") == pytest.approx([100 * value["value"] for value in answer["shapley"]])
    assert drawn(page, "effect", "x", 1) == pytest.approx([-100 * effect["change"] for effect in answer["single"]])
    total = sum(value["value"] for value in answer["shapley"])
    assert total == pytest.approx(answer["total"])
    assert f"+{100 * total:.1f} points" in page.inner_text(".importance-facts")
    shares = {(member["unit"], member["step"]): member["share"] for member in answer["usage"]}
    steps = drawn(page, "use", "x")
    assert drawn(page, "use", "z") == [[pytest.approx(shares[unit, step]) for step in steps] for unit in units]
    pair = answer["interactions"][0]
    matrix = drawn(page, "interactions", "z")
    assert matrix[units.index(pair["unit"])][units.index(pair["other"])] == pytest.approx(100 * pair["value"])
    assert [page.inner_text(f"#panel-{key} .tag") for key in ("use", "effect")] == ["observed", "caused"]
    expect(page.locator("#panel-convergence")).to_be_hidden()  # nothing was sampled
    page.locator("#panel-effect summary", has_text="table").click()
    expect(page.locator("#panel-effect tbody tr")).to_have_count(len(units))
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 900})
        until(page, f"document.querySelector('#plot-interactions .js-plotly-plot').clientWidth < {width}")
        until(page, f"({OVERLAPS}).length === 0")
        assert page.evaluate(OVERLAPS) == [] and page.evaluate(LABELS) == len(units) * (len(units) - 1)
    page.set_viewport_size({"width": 1440, "height": 900})
    until(page, SIDE_BY_SIDE)
    places = [page.evaluate(ROW_PLACES, key) for key in ("use", "effect")]
    assert list(places[0]) and places[0] == pytest.approx(places[1], abs=2), "the rows are not side by side"


def test_importance_is_of_one_distribution(open_drop: Callable[..., Page], server: Server, circuit: str) -> None:
    """Of a model that never saw one of its data sets: of that one, or of the sets that no card names, never of both."""
    page = open_drop(samples=6, model=circuit, distribution="out")
    expect(page.locator("#importance-distribution")).to_have_value("out")
    page.click("#importance-start")
    drawn = '[data-widget="importance"][data-result]:not([data-result=""])'
    page.wait_for_selector(drawn)
    answer = server.ask("GET", f"/importances/{page.get_attribute(drawn, 'data-result')}").json()
    assert answer["distribution"] == "out" and [data_set["name"] for data_set in answer["data"]] == ["mnist-m"]
    assert f"on {answer['count']} samples, out of distribution" in page.inner_text(".importance-facts")
    page.select_option("#importance-distribution", "unknown")
    until(page, "!location.search.includes('distribution=')")
    expect(page.locator("#importance-start")).to_be_visible()  # nothing of the other one stays
    expect(page.locator(drawn)).to_have_count(0)


def test_the_second_axis_and_pointing_at_a_unit(open_drop: Callable[..., Page]) -> None:
    page = open_drop(samples=FEW)
    wait_for_importance(page)
    count = "document.querySelector('#plot-retention .js-plotly-plot').data.length"
    before = page.evaluate(count)
    page.locator("#drop-second-axis").get_by_text("with FLOPs").click()
    until(page, f"{count} === {before + 1}")
    chip(page, "f3").hover()
    faded = (
        "document.querySelector('#plot-effect .js-plotly-plot').data.map(trace => [...(trace.marker.opacity || [])])"
    )
    until(page, f"({faded})[0].length === 5")
    assert page.evaluate(faded) == [[1 if unit == 2 else 0.25 for unit in range(5)]] * 2
    page.mouse.move(5, 5)
    until(page, "document.querySelector('#plot-effect .js-plotly-plot').data[0].marker.opacity === 1")


def test_figures_of_the_importance_can_be_taken_away(open_drop: Callable[..., Page], save: Callable[..., Path]) -> None:
    page = open_drop(samples=FEW, units="f1", pin=f"{MODEL}::drop:f2,f3")
    identity = wait_for_importance(page)
    until(page, "document.querySelector('.compare-curves').innerText === ''")  # A's curve is the same as B's
    lines = [line for line in save("drop-compared", "csv").read_text().splitlines() if "share kept" in line]
    assert len(lines) == 3 * 6 and all(line.split(",")[2:5] == line.split(",")[5:] for line in lines)
    for key in FIGURES:
        svg, text, content = (save(key, kind).read_text(encoding="utf-8") for kind in ("svg", "csv", "json"))
        root = ET.fromstring(svg)
        facts = json.loads(root.findtext(f"{SVG}metadata") or "")
        assert facts["model"] == MODEL and facts["importance"] == identity and facts["seed"] == 0
        assert facts["kind"] == ("observed" if key == "use" else "caused")
        assert {"drop", "revision", "left_out_as", "data", "link"} <= facts.keys()
        rows = [line for line in text.splitlines() if not line.startswith("#")]
        assert len(rows) > 5 and len({line.count(",") for line in rows}) == 1
        assert json.loads(content)["revision"] == facts["revision"]


def test_more_than_ten_units_are_sampled_when_a_person_asks_for_it(page: Page, own_server: Server) -> None:
    torch.manual_seed(0)
    config = NeuralInterpreterConfig(
        features=16, code_features=16, type_features=8, type_inference_width=16, iterations=1, functions=11, heads=2,
        key_features=8, position_features=8, patch_size=8,
    )  # fmt: skip
    checkpoint.save(NeuralInterpreter(config), assets.data_dir() / "checkpoints" / "eleven" / "model.safetensors")
    page.goto(own_server.address("/drop", model="eleven", samples=3))
    wait_until_done(page)
    expect(page.locator("[data-drop-unit]")).to_have_count(11)
    expect(page.locator("#importance-start")).to_have_text("Score sampled subsets of the 11 units")
    page.click("#importance-start")
    answer = own_server.ask("GET", f"/importances/{wait_for_importance(page)}").json()
    assert not answer["exact"] and all(value["standard_error"] is not None for value in answer["shapley"])
    expect(page.locator("#panel-convergence")).to_be_visible()
    page.wait_for_selector('#plot-convergence[data-painted="11"]')
    assert drawn(page, "convergence", "x") == sorted(
        member["permutations"] for member in answer["convergence"] if member["unit"] == "f1"
    )
    assert "Sampled orders" in page.inner_text(".importance-facts")


def test_the_job_is_cancelled_and_taken_up_again(page: Page, server: Server, hold: Hold) -> None:
    server.end_jobs()  # which would take pieces that are meant for this one
    hold.at(Priority.JOB, pieces=20)  # a few of the 32 subsets
    page.goto(server.address("/drop", model=MODEL, samples=50, data="mnist,street-digits", kind="resample"))
    page.wait_for_selector(JOB + '[data-state="running"]')
    job = f"/jobs/{page.get_attribute(JOB, 'data-id')}"
    until(page, f"Number({BAR}.ariaValueNow) > 0")
    page.click(JOB + " [data-job-cancel]")
    page.wait_for_selector(JOB + '[data-state="cancelled"]')
    assert server.ask("GET", job).json()["state"] == "cancelled"
    kept = server.ask("GET", job).json()["done"]
    assert kept > 0 and "are kept" in page.inner_text(JOB)
    hold.at(Priority.JOB, pieces=20)  # for what was done of a subset is done again
    page.click(JOB + " [data-job-resume]")
    page.wait_for_selector(JOB + '[data-state="running"]')
    until(page, f"least => Number({BAR}.ariaValueNow) >= least", kept)
    page.locator('[data-drop-set="mnist"]').click()  # another question: the job for the old one ends
    until(page, "location.search.includes('data=street-digits')")
    for _ in range(400):
        if server.ask("GET", job).json()["state"] == "cancelled":
            break
        page.wait_for_timeout(50)
    assert server.ask("GET", job).json()["state"] == "cancelled"


def test_axe_finds_nothing(page: Page, server: Server) -> None:
    begin(page)
    page.goto(server.address("/drop", model=MODEL, samples=FEW, units="f2,f4"))
    wait_until_done(page)
    wait_for_importance(page)
    for panel in (".panel-drop-accuracy", "#panel-retention"):
        page.locator(f"{panel} summary", has_text="table").click()
    for _ in looks(page):
        check(page)
        assert fits(page)
