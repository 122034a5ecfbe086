"""The Observe page: the observation starts by itself, its matrix holds the API's numbers, and everything comes back."""

import csv
import io
import json
import re
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, Response, expect

from routescope.routing.observed.observer import Observer
from routescope_app.dashboard.figures.steps import step_words
from tests.browser.conftest import MODEL, Server, until, url_of
from tests.browser.looks import begin, check, fits, looks

Opener = Callable[..., Page]
SAMPLES = 60  # so that a test waits for little
READY = '.page-observe[data-status="ready"][data-observation]'
SVG = "{http://www.w3.org/2000/svg}"
#: The cells of the matrix as Plotly holds them, units by labels.
CELLS = """() => {
    const graph = document.querySelector("#plot-observe-matrix .js-plotly-plot");
    return graph.data.filter(trace => trace.type === "heatmap").map(trace => Array.from(trace.z[0]));
}"""
WORDS = """() => [...document.querySelectorAll("#plot-observe-matrix .heatmap-label, #plot-observe-matrix .hm text")]
    .map(element => element.textContent)"""
PLOTS = """() => [...document.querySelectorAll(".page-observe .plot")]
    .map(plot => [plot.dataset.plot, plot.querySelectorAll(".trace, .hm, .bars .point, .scatterlayer path").length])"""


TITLES = {"mnist": "MNIST", "mnist-m": "MNIST-M", "street-digits": "Street digits"}


@pytest.fixture
def open_observe(page: Page, server: Server) -> Opener:
    """Opens the page and waits until everything is painted."""

    def opened(**query: Any) -> Page:
        page.goto(server.address("/observe", model=MODEL, **{"samples": SAMPLES} | query))
        return ready(page)

    return opened


def ready(page: Page, unlike: str | None = None) -> Page:
    """Waits for an observation, which is another one than ``unlike``."""
    until(
        page,
        "([selector, unlike]) => { const found = document.querySelector(selector);"
        " return found && found.dataset.observation !== unlike && routescope.observe.found() !== null; }",
        [READY, unlike],
    )
    page.wait_for_selector("#plot-observe-matrix[data-painted] .js-plotly-plot .hm")
    return page


def shown(page: Page) -> str:
    return str(page.get_attribute(".page-observe", "data-observation"))


def observation(page: Page, server: Server) -> dict[str, Any]:
    """The observation that is shown, as the API gives it."""
    answer = page.request.get(server.address(f"/api/v1/observations/{shown(page)}"))
    assert answer.ok
    return dict(answer.json())


def share_of(observed: dict[str, Any], steps: list[str]) -> np.ndarray:
    joint = np.array(observed["variables"]["joint"]["values"], float)
    taken = joint[[observed["steps"].index(step) for step in steps]].mean(axis=0)
    return np.asarray(taken / taken.sum(axis=0))


def is_start(response: Response) -> bool:
    return response.request.method == "POST" and response.url.endswith("/api/v1/observations")


def test_it_starts_by_itself_and_paints_every_panel(open_observe: Opener, server: Server) -> None:
    page = open_observe()
    observed = observation(page, server)
    assert observed["count"] == SAMPLES and observed["model"] == MODEL and not observed["intervention"]["drop"]
    until(page, "() => document.querySelectorAll('.page-observe .plot:not([data-painted])').length === 0")
    painted = dict(page.evaluate(PLOTS))
    assert len(painted) == 12 and all(painted.values()), painted
    expect(page.locator(".observe-routing .panel .panel-head .tag")).to_have_text(["observed"] * 13)
    caption = page.locator("#observe-caption")
    for data_set in observed["data"]:
        expect(caption).to_contain_text(f"{data_set['count']} of {TITLES[data_set['name']]}")
    stand_ins = [TITLES[data_set["name"]] for data_set in observed["data"] if data_set["stand_in"]]
    assert stand_ins
    expect(page.locator("[data-observe-set]")).to_contain_text(list(TITLES.values()))
    expect(caption.locator(".tag-warn")).to_have_text(f"stand-in data: {', '.join(stand_ins)}")
    expect(caption).to_contain_text(observed["revision"][:8])
    expect(page.locator(".job")).to_be_hidden()


def test_the_matrix_is_the_apis_numbers_for_the_steps_that_are_named(open_observe: Opener, server: Server) -> None:
    page = open_observe()
    observed = observation(page, server)
    words = page.locator("#observe-step-words")
    expect(words).to_have_text(f"mean over {step_words(observed['steps'][0])} to {step_words(observed['steps'][-1])}")
    np.testing.assert_allclose(np.array(page.evaluate(CELLS))[:, :-1], share_of(observed, observed["steps"]), atol=1e-6)

    def choose(step: str, **options: Any) -> None:
        before = page.evaluate(CELLS)
        page.locator(f'[data-observe-step="{step}"]').click(**options)
        until(page, f"before => JSON.stringify(({CELLS})()) !== before", json.dumps(before, separators=(",", ":")))

    second, last = observed["steps"][1], observed["steps"][-1]
    choose(second)
    expect(words).to_have_text(step_words(second))
    np.testing.assert_allclose(np.array(page.evaluate(CELLS))[:, :-1], share_of(observed, [second]), atol=1e-6)
    choose(last, modifiers=["Shift"])
    expect(words).to_have_text(f"mean over {step_words(second)}; {step_words(last)}")
    np.testing.assert_allclose(np.array(page.evaluate(CELLS))[:, :-1], share_of(observed, [second, last]), atol=1e-6)
    until(page, f"() => location.search.includes('steps={second},{last}')")
    expect(page.locator("#observe-specialisation-numbers")).to_contain_text(
        f"mean over {step_words(second)}; {step_words(last)}"
    )
    text = page.locator("#plot-observe-matrix").inner_text()
    assert f"{100 * share_of(observed, [second, last])[0, 0]:.1f} %" in text, "the numbers stand in the cells"

    page.locator("#observe-cell").get_by_text("lift").click()
    until(page, f"() => ({CELLS})()[0].length === {len(observed['labels'])}")
    joint = np.array(observed["variables"]["joint"]["values"], float)[[1, len(observed["steps"]) - 1]].mean(axis=0)
    lift = joint * joint.sum() / np.outer(joint.sum(axis=1), joint.sum(axis=0))
    np.testing.assert_allclose(2 ** np.array(page.evaluate(CELLS), float), np.maximum(lift, 1 / 64), rtol=1e-4)


def test_specialisation_stands_beside_its_null_and_controls(open_observe: Opener, server: Server) -> None:
    page = open_observe()
    observed = observation(page, server)
    step = observed["steps"][2]
    page.locator(f'[data-observe-step="{step}"]').click()
    numbers = page.locator("#observe-specialisation-numbers")
    expect(numbers).to_contain_text(step_words(step))
    for name in ("", "_null", "_null_high", "_position", "_feature"):
        value = observed["variables"][f"specialisation{name}"]["values"][2]
        expect(numbers).to_contain_text(f"{value:.4f}" if value is not None else "no number")


def test_dropping_observes_again_and_going_back_is_kept(open_observe: Opener, server: Server) -> None:
    page = open_observe()
    first, units = shown(page), observation(page, server)["units"]
    chip = page.locator(f'[data-observe-unit="{units[1]}"]')
    chip.click()
    ready(page, unlike=first)
    expect(chip).to_have_attribute("aria-pressed", "true")
    observed = observation(page, server)
    assert observed["intervention"]["drop"] == [units[1]]
    assert np.abs(np.array(observed["variables"]["usage"]["values"], float)[:, 1]).max() == 0
    expect(page.locator("#observe-caption")).to_contain_text(f"{units[1]} dropped")
    expect(page.locator(f'.exemplar-unit[data-of-unit="{units[1]}"]')).to_contain_text("dropped")
    second = shown(page)
    with page.expect_response(is_start) as answer:
        chip.click()
    assert answer.value.status == 200 and answer.value.json()["state"] == "done", "it was kept"
    ready(page, unlike=second)
    assert shown(page) == first
    until(page, "() => !location.search.includes('drop=')")


def test_data_sets_are_chosen_and_one_has_to_stay(open_observe: Opener, server: Server) -> None:
    page = open_observe()
    first = shown(page)
    sets = [data_set["name"] for data_set in observation(page, server)["data"]]
    page.locator(f'[data-observe-set="{sets[1]}"]').click()
    ready(page, unlike=first)
    assert [data_set["name"] for data_set in observation(page, server)["data"]] == [sets[0], *sets[2:]]
    for name in (sets[0], *sets[2:]):
        page.locator(f'[data-observe-set="{name}"]').click()
    expect(page.get_by_text("One data set stays")).to_be_visible()
    expect(page.locator('[data-observe-set][aria-pressed="true"]')).to_have_count(1)


def test_a_view_comes_back_from_its_address(open_observe: Opener, page: Page, server: Server) -> None:
    open_observe(drop="f3", data="mnist,street-digits", steps="i2,i5", cell="lift", measure="cosine")
    until(page, "() => location.search.includes('drop=f3')")
    before, address = shown(page), url_of(page)
    query = parse_qs(urlsplit(address).query)
    assert query["data"] == ["mnist,street-digits"] and query["steps"] == ["i2,i5"] and query["cell"] == ["lift"]
    cells = page.evaluate(CELLS)
    page.goto("about:blank")
    page.goto(address)
    ready(page)
    assert shown(page) == before and page.evaluate(CELLS) == cells and url_of(page) == address
    expect(page.locator("#observe-step-words")).to_have_text("mean over iteration 2; iteration 5")
    expect(page.locator('[data-observe-unit="f3"]')).to_have_attribute("data-state", "dropped")
    expect(page.locator('[data-observe-set="mnist-m"]')).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#observe-measure").get_by_role("radio", name="cosine")).to_be_checked()


def test_nonsense_in_the_address_is_left_out(open_observe: Opener) -> None:
    page = open_observe(steps="nowhere", cell="nonsense", measure="<b>", data="MNIST!")
    expect(page.locator("#observe-step-words")).to_have_text(re.compile("^mean over iteration 1 to"))


def test_what_the_api_refuses_is_said_in_its_words(page: Page, server: Server, guard: Any) -> None:
    guard.expect("422|400")
    page.goto(server.address("/observe", model=MODEL, samples=SAMPLES, drop="f9"))
    message = page.locator("#observe-message")
    expect(message).to_be_visible()
    expect(message).to_contain_text("f9")
    expect(page.locator(".observe-routing")).to_be_hidden()
    page.locator("[data-observe-reset]").click()
    ready(page)
    expect(message).to_be_hidden()
    until(page, "() => !location.search.includes('drop=')")


@pytest.fixture
def slow_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every batch of an observation takes a while, so that it is still running when a test looks."""
    batches = Observer.__iter__

    def slow(observer: Observer) -> Iterator[tuple[int, int]]:
        for done in batches(observer):
            time.sleep(0.3)
            yield done

    monkeypatch.setattr(Observer, "__iter__", slow)


@pytest.mark.usefixtures("slow_batches")
def test_a_long_one_shows_its_progress_and_is_cancelled(page: Page, server: Server) -> None:
    page.goto(server.address("/observe", model=MODEL, samples=3000))
    bar = page.get_by_role("progressbar")
    expect(bar).to_be_visible()
    until(page, "() => Number(document.querySelector('.job-bar').getAttribute('aria-valuenow')) > 0")
    assert int(bar.get_attribute("aria-valuemax") or 0) >= 3000
    with page.expect_response(lambda member: member.request.method == "DELETE") as answer:
        page.get_by_role("button", name="Cancel").click()
    assert answer.value.ok
    message = page.locator("#observe-message")
    expect(message).to_contain_text("Cancelled")
    expect(page.locator(".observe-routing")).to_be_hidden()
    job = answer.value.url.rsplit("/", 1)[-1]
    state = page.request.get(server.address(f"/api/v1/jobs/{job}")).json()["state"]
    assert state == "cancelled"
    page.goto(server.address("/observe", model=MODEL, samples=SAMPLES))
    ready(page)


@pytest.mark.usefixtures("slow_batches")
def test_another_choice_cancels_the_running_one(page: Page, server: Server) -> None:
    page.goto(server.address("/observe", model=MODEL, samples=3000, drop="f1"))
    until(page, "() => Number(document.querySelector('.job-bar')?.getAttribute('aria-valuenow')) > 0")
    with page.expect_response(lambda member: member.request.method == "DELETE") as answer:
        page.get_by_role("button", name="Reset").click()
    assert answer.value.ok
    ready(page)
    observed = observation(page, server)
    assert observed["count"] == 300 and not observed["intervention"]["drop"]


def test_exemplars_lead_to_their_paths(open_observe: Opener, server: Server) -> None:
    page = open_observe(drop="f2")
    observed = observation(page, server)
    expect(page.locator(".exemplar")).to_have_count(len(observed["exemplars"]))
    marked = sum(exemplar["token"].startswith("patch:") for exemplar in observed["exemplars"])
    assert page.locator(".exemplar-patch").count() == marked
    shown = page.locator(".exemplar-picture").evaluate_all("all => all.map(each => each.style.backgroundImage)")
    assert len(shown) == len(observed["exemplars"]) and len(set(shown)) == 1, "not one picture for all"
    width = """async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        return image.naturalWidth;
    }"""
    assert page.evaluate(width, shown[0].removeprefix('url("').removesuffix('")')) == 16 * 32
    chosen = next(exemplar for exemplar in observed["exemplars"] if exemplar["unit"] == "f3")
    page.locator('.exemplar-unit[data-of-unit="f3"] .exemplar').first.click()
    page.wait_for_selector("#path-picture[data-painted]")
    assert page.evaluate("routescope.paths.state.sample.id") == chosen["sample"]
    assert page.evaluate("routescope.paths.state.view.info.intervention.drop") == ["f2"]
    expect(page.locator("#path-picture")).to_have_attribute("data-step", chosen["step"])
    page.go_back()
    ready(page)


def test_every_panel_is_saved_as_numbers(open_observe: Opener, server: Server, save: Callable[..., Path]) -> None:
    page = open_observe(drop="f4", steps="i2")
    observed = observation(page, server)
    offered = page.locator(".observe-routing [data-export='csv']")
    keys = offered.evaluate_all("each => each.map(item => item.dataset.panel)")
    assert len(keys) == 13
    for key in keys:
        text = save(key, "csv").read_text()
        facts = dict(line[2:].split(": ", 1) for line in text.splitlines() if line.startswith("# "))
        assert json.loads(facts["drop"]) == ["f4"] and json.loads(facts["model"]) == MODEL
        assert json.loads(facts["revision"]) == observed["revision"] and json.loads(facts["seed"]) == observed["seed"]
        assert json.loads(facts["steps_shown"]) == ["i2"] and json.loads(facts["kind"]) == "observed"
        assert [load["name"] for load in json.loads(facts["data"])] == [
            data_set["name"] for data_set in observed["data"]
        ]
        rows = list(csv.DictReader(io.StringIO("".join(s for s in text.splitlines(True) if not s.startswith("# ")))))
        assert rows, key
        if key == "observe-matrix":
            written = [float(row["share_of_label"]) for row in rows if row["step"] == "i2"]
            np.testing.assert_allclose(written, share_of(observed, ["i2"]).ravel(), atol=1e-9)
        elif key == "observe-exemplars-panel":
            assert [row["sample"] for row in rows] == [exemplar["sample"] for exemplar in observed["exemplars"]]
        elif key == "observe-usage":
            np.testing.assert_allclose(
                [float(row["usage"]) for row in rows], np.ravel(observed["variables"]["usage"]["values"])
            )
    written = json.loads(save("observe-similarity", "json").read_text())
    assert written["variables"]["cka_by_step"] == observed["variables"]["cka_by_step"] and written["drop"] == ["f4"]


def test_pictures_carry_their_facts(open_observe: Opener, save: Callable[..., Path]) -> None:
    open_observe(drop="f4")
    for key in ("observe-matrix", "observe-usage", "observe-exemplars-panel"):
        root = ET.fromstring(save(key, "svg").read_text(encoding="utf-8"))
        facts = json.loads(root.findtext(f"{SVG}metadata") or "")
        assert facts["drop"] == ["f4"] and facts["revision"] and facts["seed"] == 0 and "observe" in facts["link"]
        assert "rgb" in ET.tostring(root, encoding="unicode") or "#" in ET.tostring(root, encoding="unicode")
        with Image.open(save(key, "png")) as picture:
            assert json.loads(picture.text["Description"])["drop"] == ["f4"]
            assert len(picture.convert("RGB").getcolors(2**24) or []) > 30


def test_the_whole_observation_is_a_file(open_observe: Opener, page: Page, server: Server) -> None:
    open_observe()
    address = page.get_attribute("#observe-netcdf", "href") or ""
    answer = page.request.get(server.url + address)
    assert answer.ok and answer.body()[:4] == b"\x89HDF"


def test_tables_say_the_same(open_observe: Opener, server: Server) -> None:
    page = open_observe()
    observed = observation(page, server)
    panel = page.locator("#panel-observe-usage")
    panel.get_by_text("The same as a table").click()
    expect(panel.locator("tbody tr")).to_have_count(len(observed["steps"]) * len(observed["units"]))
    cells = panel.locator("tbody tr").nth(1).locator("td").all_inner_texts()
    assert cells[:2] == [observed["steps"][0], observed["units"][1]]
    assert float(cells[2]) == pytest.approx(observed["variables"]["usage"]["values"][0][1], rel=1e-3)


def test_units_are_linked_across_panels(open_observe: Opener) -> None:
    page = open_observe()
    page.evaluate("routescope.plots.point('f1')")
    opacity = """() => document.querySelector("#plot-observe-usage .js-plotly-plot").data
        .map(trace => [trace.name, [].concat(trace.marker.opacity)[0]])"""
    until(page, f"() => ({opacity})().some(([name, value]) => name === 'f1' && value === 1)")
    expect(page.locator('.exemplar-unit[data-of-unit="f2"]')).to_have_class(re.compile("is-dimmed"))
    expect(page.locator('.exemplar-unit[data-of-unit="f1"]')).not_to_have_class(re.compile("is-dimmed"))


def test_steps_and_units_with_keys_alone(open_observe: Opener) -> None:
    page = open_observe()
    first = shown(page)
    page.locator('[data-observe-step=""]').focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#observe-step-words")).to_have_text("iteration 1")
    page.keyboard.press("ArrowRight")
    expect(page.locator('[data-observe-step="i2"]')).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#observe-step-words")).to_have_text("iteration 1")
    page.locator('[data-observe-unit="f5"]').focus()
    page.keyboard.press("Enter")
    ready(page, unlike=first)
    expect(page.locator('[data-observe-unit="f5"]')).to_be_focused()


def test_axe_finds_nothing(page: Page, server: Server) -> None:
    begin(page)
    page.goto(server.address("/observe", model=MODEL, samples=SAMPLES, drop="f2", steps="i3"))
    ready(page)
    page.locator("#panel-observe-matrix").get_by_text("The same as a table").click()
    for _ in looks(page):
        check(page)
        assert fits(page)
