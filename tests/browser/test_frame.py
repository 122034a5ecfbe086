"""The frame: pages, navigation, pickers, the colour scheme, pages decided by fields."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from routescope.assets import ASSETS
from routescope_app.dashboard import PAGES
from scripts.layout_shifts import MOST, WATCH
from tests.browser.conftest import (
    CALLBACKS,
    MODEL,
    WITHOUT_JOBS,
    Guard,
    Server,
    colours_on,
    go,
    holding,
    posts,
    until,
)
from tests.browser.looks import DARK, WIDE, begin, check, fits, looks

SAMPLE = "mnist.validation.3"


def test_every_page_of_the_navigation_opens_and_keeps_the_choice(page: Page, server: Server) -> None:
    page.add_init_script(WITHOUT_JOBS)
    page.goto(server.address("/samples", model=MODEL, sample="mnist.validation.5"))
    links = page.locator("nav[aria-label=Pages] a")
    expect(links).to_have_count(len(PAGES))
    without = page.locator("nav a[aria-disabled=true]")
    expect(without).to_have_text(["Graphs", "Circuits", "Blocks"])  # a Neural Interpreter has none of their fields
    shown = page.locator("nav a:not([aria-disabled])")
    expect(shown).to_have_count(len(PAGES) - 3)
    for title in shown.all_inner_texts():
        links.filter(has_text=title).click()
        expect(links.filter(has_text=title)).to_have_attribute("data-active", "true")
        expect(page.locator("h1")).to_have_text(re.compile("^Routescope shows" if title == "Home" else f"^{title}$"))
        expect(page.locator("#chosen-sample")).to_contain_text("mnist.validation.5")
    links.filter(has_text="Paths").click()
    expect(page.locator("#path-picture")).to_have_attribute("data-painted", re.compile(".+"))
    expect(page).to_have_url(re.compile("sample=mnist.validation.5"))


def test_about_names_the_libraries_of_the_page_with_their_licences(page: Page, server: Server) -> None:
    page.goto(server.address("/logs"))
    page.get_by_role("button", name="About").click()
    about = page.get_by_role("dialog", name=re.compile("Routescope"))
    version = server.ask("GET", "/health").json()["version"]
    expect(about.get_by_role("heading", name=f"Routescope {version}")).to_be_visible()
    vendored = json.loads((ASSETS / "web" / "vendor" / "vendored.json").read_text())
    lines = about.locator("tbody tr")
    expect(lines).to_have_count(len(vendored))
    for at, library in enumerate(vendored.values()):
        for name, package in (library["packages"] | library.get("python", {})).items():
            expect(lines.nth(at)).to_contain_text(f"{name} {package}")
            licence = page.request.get(str(lines.nth(at).get_by_role("link").get_attribute("href")))
            assert licence.ok and f"{name} {package} (" in licence.text()
    check(page, ".about-dialog")
    page.keyboard.press("Escape")
    expect(about).to_be_hidden()
    expect(page.get_by_role("button", name="About")).to_be_focused()


def test_a_page_without_anything_of_the_model_says_why_and_offers_the_nearest(
    page: Page, server: Server, guard: Guard
) -> None:
    guard.expect("status of 404")  # of the forged model
    begin(page)
    page.goto(server.address("/samples", model=MODEL, sample=SAMPLE))
    graphs, paths = (page.locator("nav a", has_text=title) for title in ("Graphs", "Paths"))
    expect(graphs).to_have_attribute("aria-disabled", "true")
    expect(paths).not_to_have_attribute("aria-disabled", "true")
    page.wait_for_selector("#gallery .thumb")
    why = page.locator(".page-why", has_text="ni-digits has no links between units")
    expect(why).to_be_hidden()
    expect(graphs).to_have_accessible_description("ni-digits has no links between units.")
    graphs.hover()
    expect(why).to_be_visible()
    paths.hover()
    expect(why).to_be_hidden()
    graphs.focus()
    expect(why).to_be_visible()
    for _ in looks(page, (WIDE, DARK)):
        check(page, ".frame-links")
    page.keyboard.press("Escape")
    expect(why).to_be_hidden()
    paths.focus()
    page.keyboard.press("Tab")  # to Drop
    page.keyboard.press("Tab")
    expect(graphs).to_be_focused()
    page.keyboard.press("Tab")
    offer = why.get_by_role("button")
    expect(offer).to_be_focused()
    expect(offer).to_have_text(re.compile("^Open with nac-"))  # of its data sets
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Graphs")
    expect(graphs).to_be_focused()
    expect(graphs).to_have_attribute("aria-current", "page")
    until(page, "location.search.includes('model=nac-') && location.search.includes('sample=mnist.validation.3')")
    page.evaluate("dash_clientside.set_props('models', {data: [{id: 'x', fields: [], constants: [], family: ''}]})")
    page.evaluate("dash_clientside.set_props('selection', {data: {model: 'x', sample: null}})")
    expect(paths).to_have_attribute("aria-disabled", "true")
    expect(page.locator(".page-why").first).to_contain_text("No model here fits this page.")
    expect(page.locator("nav a", has_text="Samples")).not_to_have_attribute("aria-disabled", "true")


def test_the_picker_groups_searches_and_opens_the_page_of_a_model(
    page: Page, server: Server, open_paths: Callable[..., Page]
) -> None:
    begin(page)
    open_paths()
    picker = page.get_by_role("combobox", name="Model", exact=True)
    expect(picker).to_have_value(MODEL)
    picker.click()
    options = page.locator("#model-options [role=option]")
    expect(options).to_have_count(len(server.ask("GET", "/models").json()["items"]))
    expect(page.locator("#model-options [role=option][aria-selected=true]")).to_contain_text(MODEL)
    group = page.get_by_role("group", name="Neural Interpreter MNIST, MNIST-M stand-in, Street digits")
    expect(group.get_by_role("option")).to_contain_text(["reads pictures; validation accuracy 99.1 % mnist, 96.8 %"])
    for _ in looks(page):
        check(page, ".frame-header")
        assert fits(page)
    begin(page)
    picker.fill("circuit street frozen")
    expect(options).to_have_count(1)
    picker.fill("no such words")
    expect(page.locator(".model-none")).to_be_visible()
    picker.fill("")
    page.keyboard.press("Escape")
    expect(picker).to_have_value(MODEL)
    expect(page.locator("#model-options")).to_have_count(0)
    picker.fill("nac-frozen")
    page.keyboard.press("Enter")
    expect(page.locator("#paths-caption")).to_contain_text("nac-frozen")
    expect(page.locator("h1")).to_have_text("Paths")
    expect(picker).to_be_focused()
    for search, title, model in (("smfr conditional", "Blocks", "smfr-algo"), ("nac-scenes", "Circuits", "nac-scenes")):
        picker.fill(search)
        expect(options.first).to_contain_text(f"opens {title}")
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_have_text(title)
        expect(picker).to_have_value(model)
        expect(picker).to_be_focused()
        until(page, "model => new URLSearchParams(location.search).get('model') === model", model)
    expect(page.locator("#chosen-sample")).to_contain_text(SAMPLE)  # the sample stays chosen for other pages


def test_a_missing_model_is_named_once_and_another_offered(page: Page, server: Server, guard: Guard) -> None:
    guard.expect("status of 404")
    begin(page)
    page.goto(server.address("/logs"))
    for shown in PAGES[1:]:  # the address of Home has no query
        go(page, server.address(shown.path, model="no-such", sample=SAMPLE))
        expect(page.locator(f".page-{shown.key}")).to_be_attached()
        expect(page.get_by_role("alert").filter(visible=True)).to_have_count(1)
        expect(page.locator(".model-missing")).to_contain_text("There is no model “no-such” here")
        expect(page.locator("#model-select")).to_have_value("no-such")
        page.wait_for_timeout(400)  # anything else that names the model would come by now
        assert page.inner_text("body").count("no-such") == 1 and "no such model" not in page.inner_text("body").lower()
        expect(page.locator(".skeleton").filter(visible=True)).to_have_count(0)
    check(page)
    page.locator(".model-missing").get_by_role("button", name=re.compile("^Use ")).click()
    expect(page.locator(".model-missing")).to_have_count(0)
    until(page, "location.search.includes('model=') && !location.search.includes('no-such')")
    expect(page.locator("#model-select")).to_be_focused()


def test_a_fresh_browser_gets_a_model_that_reads_the_gallery(page: Page, server: Server) -> None:
    models = server.ask("GET", "/models").json()["items"]
    reading = {model["id"] for model in models if model["samples"]}
    assert MODEL in reading and "smfr-double" not in reading, "there are models of both kinds to choose from"
    page.goto(server.address("/samples"))
    expect(page.locator("#model-select")).not_to_have_value("")
    assert page.input_value("#model-select") in reading
    page.locator("#gallery .thumb").nth(2).click()
    page.wait_for_selector('[data-key="sample"] canvas[data-painted]')
    expect(page.locator(".unread")).to_have_count(0)
    expect(page.locator(".mantine-Notification-root")).to_have_count(0)


def test_pages_use_the_words_of_the_model_however_late_its_facts_arrive(
    page: Page, server: Server, circuit: str
) -> None:
    held = holding(page, CALLBACKS, posts("models.data"))
    page.goto(server.address("/samples", model=circuit, sample=SAMPLE))
    links = page.locator("nav[aria-label=Pages] a")
    links.filter(has_text="Paths").click()
    expect(page.locator("h1")).to_have_text("Paths")
    expect(page.locator(".page-paths")).to_contain_text("Click a unit to")
    assert len(held) == 1
    held[0].continue_()
    for title in ("Paths", "Drop"):
        links.filter(has_text=title).click()
        expect(page.locator("h1")).to_have_text(title)
        expect(page.locator(".control-name", has_text="Click a")).to_have_text("Click a module to")
        expect(page.locator(".control-name", has_text=re.compile("^Layers$"))).to_have_count(1)
        expect(page.locator(".control-name", has_text="Iterations")).to_have_count(0)
    expect(links.filter(has_text="Observe")).to_have_attribute("aria-disabled", "true")
    links.filter(has_text="Types").click()
    expect(page.locator("#typemap-title")).to_have_text("Map of states")


def test_the_sample_picker_follows_the_page_and_the_model(page: Page, server: Server) -> None:
    page.goto(server.address("/paths", model="nac-points"))  # without a sample the first is shown
    page.wait_for_selector("#path-picture[data-painted]")
    expect(page).to_have_url(re.compile("sample="))
    go(page, server.address("/paths", model=MODEL, sample=SAMPLE))
    expect(page.locator("#chosen-sample")).to_contain_text(SAMPLE)
    page.click("#sample-next")
    expect(page.locator("#chosen-sample")).to_contain_text("mnist.validation.4")
    until(page, "location.search.includes('sample=mnist.validation.4')")
    page.click("#sample-picker")
    page.locator("#sample-picker-content .thumb").last.click()
    until(page, "!location.search.includes('sample=mnist.')")
    expect(page.locator("#path-picture")).to_have_attribute("data-status", "ready")
    page.click(".picker-more")
    until(page, "location.pathname === '/samples'")
    expect(page.locator(".picker-dropdown")).to_be_hidden()
    # A model that reads texts is offered texts.
    go(page, server.address("/paths", model="moe-bytes", sample="sums.validation.2"))
    page.wait_for_selector("#path-picture[data-painted]")
    page.click("#sample-picker")
    page.locator('#sample-picker-content .thumb[data-pick-sample^="python"]').first.click()
    until(page, "location.search.includes('sample=python.')")
    expect(page.locator("#path-picture")).to_have_attribute("data-status", "ready")


def test_pictures_follow_the_colour_scheme_and_the_full_screen(open_paths: Callable[..., Page]) -> None:
    page = open_paths()
    size = "document.querySelector('#path-picture').height"
    before = page.evaluate(size)
    page.click('[data-fullscreen="panel-path"]')
    until(page, "document.fullscreenElement?.id === 'panel-path'")
    until(page, f"{size} > {before}")
    page.evaluate("document.exitFullscreen()")
    until(page, f"document.fullscreenElement === null && {size} === {before}")
    corner = """() => { const canvas = document.querySelector('#path-picture');
        const width = Math.round(canvas.width * 0.012);
        return [...canvas.getContext('2d').getImageData(0, 0, width * 20, canvas.height).data]
            .filter((value, index) => index % 4 < 3 && value > 0).reduce((sum, value) => sum + value, 0); }"""
    light = page.evaluate(corner)
    page.click("#colour-scheme")
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
    until(page, f"({corner})() !== {light}")
    assert colours_on(page, "#path-picture") > 50
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")


def test_a_page_whose_modules_are_gone_is_loaded_anew(page: Page, server: Server, guard: Guard) -> None:
    """After an update of the service, the modules that an open page began with are missing."""
    guard.expect("status of 404|dynamically imported module")
    page.goto(server.address("/samples", model=MODEL))
    page.wait_for_selector(".page-samples")
    page.evaluate("window.before = true")
    page.route("**/web/*/bundle/pages/observe/*", lambda route: route.fulfill(status=404))
    page.get_by_role("link", name="Observe").click()
    expect(page.locator(".mantine-Notification-root").first).to_contain_text("The page could not be loaded")
    assert page.evaluate("window.before") is True, "the same modules are there still: loading it anew would not help"

    page.goto(server.address("/samples", model=MODEL))
    page.wait_for_selector(".page-samples")
    page.evaluate("window.before = true")
    asked: list[str] = []

    def other(route: Route) -> None:
        """The index as it is later, the first time that the page asks for it itself."""
        asked.append(route.request.resource_type)
        if route.request.resource_type == "fetch":
            page.unroute("**/web/*/bundle/pages/observe/*")
            route.fulfill(body="<html>of another version</html>")
        else:
            route.continue_()

    page.route(re.compile(r"/observe(\?|$)"), other)
    page.get_by_role("link", name="Observe").click()
    page.wait_for_selector(".page-observe")
    until(page, "() => !window.before && Boolean(window.routescope?.observe)")
    assert asked[:2] == ["fetch", "document"]


#: A page, its query beside the model, and an element that is there once it has opened.
OPENED = [
    ("/", "", ".home-canvas canvas[data-painted]"),
    ("/paths", "sample=mnist.validation.3", "#path-picture[data-painted]"),
    ("/types", "samples=30&method=pca", ".type-canvas-trained canvas[data-painted]"),
    ("/graphs", "", ".graph-canvas-learned canvas[data-painted]"),
]


@pytest.mark.parametrize(("path", "query", "ready"), OPENED)
def test_a_page_moves_little_while_it_opens(
    page: Page, server: Server, circuit: str, path: str, query: str, ready: str
) -> None:
    page.add_init_script(WATCH)
    model = circuit if path == "/graphs" else MODEL
    page.goto(f"{server.url}{path}" + (f"?model={model}&{query}" if path != "/" else ""))
    page.wait_for_selector(ready)
    until(page, "() => window.shifts.length > 0")  # the browser reports them
    page.wait_for_timeout(1_000)
    shifts = page.evaluate("window.shifts")
    assert sum(shift["value"] for shift in shifts) < MOST, shifts
