"""The Observe page: the observation starts by itself, its matrix holds the API's numbers, and everything comes back."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from routescope.routing.observed.observer import Observer, PatchGroups
from tests.browser.conftest import MODEL, Guard, Server, facts_of, rows_of, until, url_of
from tests.browser.looks import begin, check, fits, looks

Opener = Callable[..., Page]
SAMPLES = 30
READY = '.page-observe[data-status="ready"][data-observation]'
#: The texts in the cells of the matrix, units by labels.
CELLS = """() => {
    const found = routescope.observe.observation();
    const scene = routescope.figures.figure("observe-matrix").panel.picture.scene();
    const texts = scene.items.filter(item => item.shape === "text" && item.anchor === "middle" && item.y > 40);
    const columns = texts.length / found.units.length;
    const row = (_, at) => texts.slice(at * columns, (at + 1) * columns).map(item => parseFloat(item.text));
    return found.units.map(row);
}"""
PAINTED = """() => [...document.querySelectorAll(".observe-routing .picture canvas")]
    .filter(canvas => !canvas.dataset.painted || canvas.height < 100).map(canvas => canvas.ariaLabel)"""
TITLES = {"mnist": "MNIST", "mnist-m": "MNIST-M", "street-digits": "Street digits"}


def step_words(step: str) -> str:
    return f"iteration {step.removeprefix('i')}"


@pytest.fixture
def open_observe(page: Page, server: Server) -> Opener:
    """Open the page and wait until the observation is drawn."""

    def opened(**query: Any) -> Page:
        page.goto(server.address("/observe", model=MODEL, **{"samples": SAMPLES} | query))
        return ready(page)

    return opened


def ready(page: Page, unlike: str | None = None) -> Page:
    """Wait for an observation other than `unlike`."""
    until(
        page,
        "([selector, unlike]) => { const found = document.querySelector(selector);"
        " return found && found.dataset.observation !== unlike; }",
        [READY, unlike],
    )
    page.wait_for_selector("#plot-observe-matrix canvas[data-painted]")
    return page


def shown(page: Page) -> str:
    return str(page.get_attribute(".page-observe", "data-observation"))


def observation(page: Page, server: Server) -> dict[str, Any]:
    """Return the observation that is shown, as the API gives it."""
    answer = server.ask("GET", f"/observations/{shown(page)}")
    assert answer.status_code == 200
    return dict(answer.json())


def share_of(observed: dict[str, Any], steps: list[str]) -> np.ndarray:
    joint = np.array(observed["variables"]["joint"]["values"], float)
    taken = joint[[observed["steps"].index(step) for step in steps]].mean(axis=0)
    return np.asarray(taken / taken.sum(axis=0))


def test_an_observation_starts_by_itself_and_fills_every_panel(
    open_observe: Opener, page: Page, server: Server
) -> None:
    begin(page)
    open_observe()
    observed = observation(page, server)
    assert observed["count"] == SAMPLES and observed["model"] == MODEL and not observed["intervention"]["drop"]
    expect(page.locator(".observe-routing .picture canvas")).to_have_count(12)
    until(page, f"() => ({PAINTED})().length === 0")
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
    answer = page.request.get(server.url + str(page.get_attribute("#observe-netcdf", "href")))
    assert answer.ok and answer.body()[:4] == b"\x89HDF"

    panel = page.locator("#panel-observe-usage")
    panel.get_by_text("The same as a table").click()
    expect(panel.locator("tbody tr")).to_have_count(len(observed["steps"]) * len(observed["units"]))
    cells = panel.locator("tbody tr").nth(1).locator("th, td").all_inner_texts()
    assert cells[:2] == [observed["steps"][0], observed["units"][1]]
    assert float(cells[2]) == pytest.approx(observed["variables"]["usage"]["values"][0][1], rel=1e-3)
    page.locator('.exemplar-unit[data-of-unit="f1"] h3').hover()
    expect(page.locator('.exemplar-unit[data-of-unit="f2"]')).to_have_class(re.compile("is-dimmed"))
    page.locator("#plot-observe-usage canvas").hover(position={"x": 70, "y": 100})
    expect(page.locator(".exemplar-unit.is-dimmed")).to_have_count(len(observed["units"]) - 1)
    page.locator("h1").hover()
    expect(page.locator(".exemplar-unit.is-dimmed")).to_have_count(0)
    for _ in looks(page):
        check(page)
        assert fits(page)


def test_a_refused_file_is_told_and_not_saved(open_observe: Opener, page: Page, guard: Guard) -> None:
    open_observe()
    link = page.locator("#observe-netcdf")
    with page.expect_download() as coming:
        link.click()
    assert coming.value.suggested_filename == f"observation-{MODEL}.nc"
    assert coming.value.path().read_bytes()[:4] == b"\x89HDF"

    saved: list[str] = []
    page.on("download", lambda download: saved.append(download.suggested_filename))
    guard.expect("410")
    refusal = {"title": "Gone", "detail": "The observation was removed.", "status": 410}
    page.route("**/observations/*?format=netcdf", lambda route: route.fulfill(status=410, json=refusal))
    link.click()
    expect(page.get_by_text("The observation was removed.")).to_be_visible()
    assert not saved


def test_the_matrix_is_of_the_chosen_steps(open_observe: Opener, server: Server) -> None:
    page = open_observe()
    observed = observation(page, server)
    words = page.locator("#observe-step-words")
    numbers = page.locator("#observe-specialisation-numbers")
    expect(words).to_have_text(f"mean over iterations 1 to {len(observed['steps'])}")

    def choose(step: str, **options: Any) -> None:
        before = page.evaluate(CELLS)
        page.locator(f'[data-observe-step="{step}"]').click(**options)
        until(page, f"before => JSON.stringify(({CELLS})()) !== before", json.dumps(before, separators=(",", ":")))

    second, last = observed["steps"][1], observed["steps"][-1]
    choose(second)
    expect(words).to_have_text(step_words(second))
    expect(numbers).to_contain_text(step_words(second))
    for name in ("", "_null", "_null_high", "_position", "_feature"):
        value = observed["variables"][f"specialisation{name}"]["values"][1]
        expect(numbers).to_contain_text(f"{value:.4f}" if value is not None else "no number")
    choose(last, modifiers=["Shift"])
    expect(words).to_have_text(f"mean over {step_words(second)}; {step_words(last)}")
    shares = np.array(page.evaluate(CELLS))[:, :-1] / 100
    np.testing.assert_allclose(shares, share_of(observed, [second, last]), atol=6e-4)
    until(page, f"() => location.search.includes('steps={second},{last}')")
    expect(numbers).to_contain_text(f"mean over {step_words(second)}; {step_words(last)}")
    page.locator("#observe-cell").get_by_text("lift").click()
    until(page, f"() => ({CELLS})()[0].length === {len(observed['labels'])}")
    expect(page.locator("#plot-observe-matrix canvas")).to_have_attribute("data-painted", re.compile("lift"))
    page.locator('[data-observe-step=""]').focus()
    page.keyboard.press("ArrowRight")
    expect(words).to_have_text("iteration 1")
    page.keyboard.press("ArrowRight")
    expect(page.locator('[data-observe-step="i2"]')).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowLeft")
    expect(words).to_have_text("iteration 1")


def test_units_and_data_sets_are_chosen_and_refusals_said(
    open_observe: Opener, page: Page, server: Server, guard: Guard
) -> None:
    open_observe()
    first, units = shown(page), observation(page, server)["units"]
    chip = page.locator(f'[data-observe-unit="{units[1]}"]')
    chip.focus()
    page.keyboard.press("Enter")
    ready(page, unlike=first)
    expect(chip).to_be_focused()
    expect(chip).to_have_attribute("aria-pressed", "true")
    observed = observation(page, server)
    assert observed["intervention"]["drop"] == [units[1]]
    assert np.abs(np.array(observed["variables"]["usage"]["values"], float)[:, 1]).max() == 0
    expect(page.locator("#observe-caption")).to_contain_text(f"{units[1]} dropped")
    expect(page.locator(f'.exemplar-unit[data-of-unit="{units[1]}"]')).to_contain_text("dropped")
    second = shown(page)
    chip.click()
    ready(page, unlike=second)
    assert shown(page) == first
    until(page, "() => !location.search.includes('drop=')")

    sets = [data_set["name"] for data_set in observed["data"]]
    page.locator(f'[data-observe-set="{sets[1]}"]').click()
    ready(page, unlike=first)
    assert [data_set["name"] for data_set in observation(page, server)["data"]] == [sets[0], *sets[2:]]
    for name in (sets[0], *sets[2:]):
        page.locator(f'[data-observe-set="{name}"]').click()
    expect(page.get_by_text("One data set stays")).to_be_visible()
    expect(page.locator('[data-observe-set][aria-pressed="true"]')).to_have_count(1)

    guard.expect("422|400")
    page.goto(server.address("/observe", model=MODEL, samples=SAMPLES, drop="f9"))
    message = page.locator("#observe-message")
    expect(message).to_contain_text("f9")
    expect(page.locator(".observe-grid")).to_have_count(0)
    page.click("[data-observe-reset]")
    ready(page)
    expect(message).to_have_count(0)
    until(page, "() => !location.search.includes('drop=')")


def test_a_view_comes_back_from_its_address_and_leads_to_paths(
    open_observe: Opener, page: Page, server: Server
) -> None:
    open_observe(drop="f2", data="mnist,street-digits", steps="i2,i5", cell="lift", measure="cosine")
    until(page, "() => location.search.includes('drop=f2')")
    before, address = shown(page), url_of(page)
    query = parse_qs(urlsplit(address).query)
    assert query["data"] == ["mnist,street-digits"] and query["steps"] == ["i2,i5"] and query["cell"] == ["lift"]
    cells = page.evaluate(CELLS)
    page.reload()
    ready(page)
    assert shown(page) == before and page.evaluate(CELLS) == cells and url_of(page) == address
    expect(page.locator("#observe-step-words")).to_have_text("mean over iteration 2; iteration 5")
    expect(page.locator('[data-observe-unit="f2"]')).to_have_attribute("data-state", "dropped")
    expect(page.locator('[data-observe-set="mnist-m"]')).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#observe-measure").get_by_role("radio", name="cosine")).to_be_checked()

    observed = observation(page, server)
    expect(page.locator(".exemplar")).to_have_count(len(observed["exemplars"]))
    marked = sum(exemplar["token"].startswith("patch:") for exemplar in observed["exemplars"])
    assert page.locator(".exemplar-patch").count() == marked
    pictures = page.locator(".exemplar-picture").evaluate_all("all => all.map(each => each.style.backgroundImage)")
    assert len(pictures) == len(observed["exemplars"]) and len(set(pictures)) == 1, "not one picture for all"
    chosen = next(exemplar for exemplar in observed["exemplars"] if exemplar["unit"] == "f3")
    page.locator('.exemplar-unit[data-of-unit="f3"] .exemplar').first.click()
    page.wait_for_selector("#path-picture[data-painted]")
    assert page.evaluate("routescope.paths.state.sample.id") == chosen["sample"]
    assert page.evaluate("routescope.paths.state.view.info.intervention.drop") == ["f2"]
    expect(page.locator("#path-picture")).to_have_attribute("data-step", chosen["step"])
    page.go_back()
    ready(page)


def test_work_ends_with_cancel_and_with_another_choice(
    page: Page, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = Observer.__iter__

    def slow(observer: Observer) -> Iterator[tuple[int, int]]:
        """Yield batches slowly, so that the observation still runs when the test looks."""
        for done in batches(observer):
            time.sleep(0.3)
            yield done

    monkeypatch.setattr(Observer, "__iter__", slow)
    page.goto(server.address("/observe", model=MODEL, samples=3000))
    bar = page.get_by_role("progressbar")
    progress = "() => Number(document.querySelector('.job-bar')?.getAttribute('aria-valuenow')) > 0"
    expect(bar).to_be_visible()
    until(page, progress)
    assert int(bar.get_attribute("aria-valuemax") or 0) >= 3000

    def job_ended_by(button: str) -> str:
        with page.expect_response(lambda member: member.request.method == "DELETE") as answer:
            page.get_by_role("button", name=button).click()
        assert answer.value.ok
        job = answer.value.url.rsplit("/", 1)[-1]
        return str(server.ask("GET", f"/jobs/{job}").json()["state"])

    assert job_ended_by("Cancel") == "cancelled"
    expect(page.locator("#observe-message")).to_contain_text("Cancelled")
    expect(page.locator(".observe-grid")).to_have_count(0)
    page.goto(server.address("/observe", model=MODEL, samples=3000, drop="f1"))
    until(page, progress)
    assert job_ended_by("Reset") == "cancelled"
    ready(page)
    observed = observation(page, server)
    assert observed["count"] == 300 and not observed["intervention"]["drop"]


def test_counts_are_shown_before_patches_are_grouped(
    page: Page, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, grouped = threading.Event(), PatchGroups.fit

    def waiting(*args: Any, **named: Any) -> PatchGroups | None:
        """Group patches when the test has looked."""
        seen.wait(60)
        return grouped(*args, **named)

    monkeypatch.setattr(PatchGroups, "fit", waiting)
    try:
        begin(page)
        page.goto(server.address("/observe", model=MODEL, samples=299))
        page.wait_for_selector('.page-observe[data-status="counting"]')
        expect(page.locator("#observe-caption strong")).to_have_text(re.compile("of 299 samples so far$"))
        expect(page.locator(".job-what")).to_have_text("Counting which units take which tokens")
        expect(page.locator("#plot-observe-matrix canvas[data-painted]")).to_be_visible()
        expect(page.locator(".exemplar").first).to_be_visible()
        shown_panels = page.locator(".observe-routing .panel:visible h2").all_inner_texts()
        assert shown_panels == [
            "Functions and labels", "Specialisation", "Exemplars", "Where functions are used", "Usage",
            "Routing entropy", "Balance", "Co-activation",
        ]  # fmt: skip
        expect(page.locator("#panel-observe-specialisation")).to_contain_text("comes with its shuffled baseline")
        assert page.evaluate("routescope.figures.figure('observe-matrix')") is None, "files are of whole results"
        check(page)
    finally:
        seen.set()
    ready(page)
    expect(page.locator("#observe-caption strong")).to_have_text("299 samples")
    expect(page.locator("#panel-observe-specialisation canvas[data-painted]")).to_be_visible()
    expect(page.locator(".job")).to_be_hidden()


def test_files_hold_the_numbers_and_facts(open_observe: Opener, server: Server, save: Callable[..., Path]) -> None:
    page = open_observe(drop="f4", steps="i2")
    observed = observation(page, server)
    offered = page.locator(".observe-routing [data-export='choose'][data-formats~='csv']")
    keys = offered.evaluate_all("each => each.map(item => item.dataset.panel)")
    assert len(keys) == 13
    for key in keys:
        file = save(key, "csv")
        lines = [line[2:] for line in file.read_text().splitlines() if line.startswith("# ")]
        facts = dict(line.split(": ", 1) for line in lines)
        assert json.loads(facts["drop"]) == ["f4"] and json.loads(facts["model"]) == MODEL
        assert json.loads(facts["revision"]) == observed["revision"] and json.loads(facts["seed"]) == observed["seed"]
        assert json.loads(facts["steps_shown"]) == ["i2"] and json.loads(facts["kind"]) == "observed"
        assert [load["name"] for load in json.loads(facts["data"])] == list(TITLES)
        rows = rows_of(file)
        assert rows, key
        if key == "observe-matrix":
            written = [float(row["share_of_label"]) for row in rows if row["step"] == "i2"]
            np.testing.assert_allclose(written, share_of(observed, ["i2"]).ravel(), atol=1e-9)
        elif key == "observe-exemplars-panel":
            assert [row["sample"] for row in rows] == [exemplar["sample"] for exemplar in observed["exemplars"]]
    similarity = json.loads(save("observe-similarity", "json").read_text())
    assert similarity["variables"]["cka_by_step"] == observed["variables"]["cka_by_step"]
    for key in ("observe-matrix", "observe-usage", "observe-exemplars-panel"):
        facts = facts_of(save(key, "svg"))
        assert facts["drop"] == ["f4"] and facts["revision"] and facts["seed"] == 0 and "observe" in facts["link"]
