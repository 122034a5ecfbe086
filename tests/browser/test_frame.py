"""The frame: pages, navigation, pickers that stay put, the colour scheme, pages decided by fields."""

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from routescope.assets import ASSETS
from routescope_app.dashboard import PAGES
from routescope_app.dashboard.frame import SHOWN_FOR
from scripts.layout_shifts import MOST, WATCH
from tests.browser.conftest import MODEL, Guard, Server, colours_on, until
from tests.browser.looks import DARK, WIDE, begin, check, fits, looks

PAGES_BY_KEY = {page.key: page for page in PAGES}


def test_every_page_of_the_navigation_opens_and_keeps_the_choice(page: Page, server: Server) -> None:
    page.goto(server.address("/samples", model=MODEL, sample="mnist.validation.5"))
    links = page.locator("nav[aria-label=Pages] a")
    expect(links).to_have_count(len(PAGES))
    without = page.locator("nav a[aria-disabled=true]")
    expect(without).to_have_text(["Graphs", "Circuits", "Blocks"])  # a Neural Interpreter has no links, reads neither
    shown = page.locator("nav a:not([aria-disabled])")
    expect(shown).to_have_count(len(PAGES) - 3)
    for index in range(len(PAGES) - 3):
        shown.nth(index).click()
        expect(shown.nth(index)).to_have_attribute("data-active", "true")
        title = shown.nth(index).inner_text()
        expect(page.locator("h1")).to_have_text(re.compile("^Routescope shows" if title == "Home" else f"^{title}$"))
        expect(page.locator("#chosen-sample")).to_contain_text("mnist.validation.5")
    page.locator("nav a", has_text="Paths").click()
    expect(page.locator("#path-picture")).to_have_attribute("data-painted", re.compile(".+"))
    expect(page).to_have_url(re.compile("sample=mnist.validation.5"))


def test_about_names_the_libraries_of_the_page_with_their_licences(page: Page, server: Server) -> None:
    page.goto(server.address("/samples", model=MODEL))
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
    guard.expect("status of 404")  # of the model that is forged
    begin(page)
    page.goto(server.address("/samples", model=MODEL, sample="mnist.validation.3"))
    graphs, paths = (page.locator("nav a", has_text=title) for title in ("Graphs", "Paths"))
    expect(graphs).to_have_attribute("aria-disabled", "true")
    expect(paths).not_to_have_attribute("aria-disabled", "true")
    page.wait_for_selector("#gallery .thumb")
    why = page.locator(".page-why", has_text="ni-digits records no link_probability")
    expect(why).to_be_hidden()
    expect(graphs).to_have_accessible_description("ni-digits records no link_probability, which this page is about.")
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
    expect(page.locator(".page-why").first).to_contain_text("None of the models here has anything for it.")
    expect(page.locator("nav a", has_text="Samples")).not_to_have_attribute("aria-disabled", "true")


def test_the_picker_groups_finds_and_goes_where_a_model_can_be_looked_at(page: Page, server: Server) -> None:
    begin(page)
    page.goto(server.address("/paths", model=MODEL, sample="mnist.validation.3"))
    page.wait_for_selector("#path-picture[data-painted]")
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
    expect(page.locator("#chosen-sample")).to_contain_text("mnist.validation.3")  # for who goes back


def test_a_model_that_is_not_there_is_said_once_and_another_offered(page: Page, server: Server, guard: Guard) -> None:
    guard.expect("status of 404")
    begin(page)
    page.goto(server.address("/paths", model=MODEL, sample="mnist.validation.3"))
    shown = {page.path for page in PAGES}
    for path in sorted(shown):
        page.goto(server.address(path, model="no-such", sample="mnist.validation.3"))
        expect(page.get_by_role("alert").filter(visible=True)).to_have_count(1)
        expect(page.locator(".model-missing")).to_contain_text("There is no model “no-such” here")
        expect(page.locator("#model-select")).to_have_value("no-such")
        page.wait_for_timeout(400)  # what else is said would come by now
        assert page.inner_text("body").count("no-such") == 1 and "no such model" not in page.inner_text("body").lower()
        expect(page.locator(".skeleton").filter(visible=True)).to_have_count(0)
    check(page)
    page.locator(".model-missing").get_by_role("button", name=re.compile("^Take ")).click()
    expect(page.locator(".model-missing")).to_have_count(0)
    until(page, "location.search.includes('model=') && !location.search.includes('no-such')")
    expect(page.locator("#model-select")).to_be_focused()


def test_the_first_model_is_one_that_reads_what_the_page_shows(page: Page, server: Server) -> None:
    """Of models that route, and then of others, from the least error on, by what they and the page declare."""
    page.goto(server.address("/samples", model=MODEL))
    page.locator(".page-link").first.wait_for()  # the pages are known

    def made(name: str, inputs: str, fields: list[str], samples: bool) -> dict[str, object]:
        return {"id": name, "inputs": inputs, "fields": fields, "constants": [], "samples": samples}

    blocks = made("a", "blocks", ["multiplexer_weights"], False)
    larger = made("b", "images", ["compatibility"], False)
    plain = made("c", "images", ["confidence"], True)
    routed = made("d", "images", ["compatibility"], True)
    shown = {"samples": "/samples", "paths": "/paths", "blocks": "/blocks", "drop": "/drop"}
    declared = {
        key: {name: getattr(declared_page, name) for name in SHOWN_FOR} for key, declared_page in PAGES_BY_KEY.items()
    }
    assert {key: declared_page["path"] for key, declared_page in declared.items() if key in shown} == shown

    def first(models: list[dict[str, object]], key: str | None) -> object:
        asked = "([models, page]) => routescope.models.first(models, page)?.id"
        return page.evaluate(asked, [models, declared[key] if key else None])

    models = [blocks, larger, plain, routed]
    assert {key: first(models, key) for key in shown} == {"samples": "d", "paths": "d", "blocks": "a", "drop": "d"}
    assert first([blocks, larger, plain], "samples") == "c", "none that routes reads samples"
    assert first(models, None) == "a", "an address that is no page"
    assert first([blocks, larger], "samples") == "a" and first([blocks, larger], "paths") == "b", "none reads samples"
    assert first([plain], "blocks") == "c" and first([], "samples") is None


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


def test_pages_speak_of_the_model_however_soon_they_are_gone_to(page: Page, server: Server, circuit: str) -> None:
    """Also where what is declared of the models arrives after somebody has gone on to another page."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if "models.data" in json.loads(route.request.post_data or "{}")["output"]:
            held.append(route)
        else:
            route.continue_()

    page.route("**/_dash-update-component*", hold)
    page.goto(server.address("/samples", model=circuit, sample="mnist.validation.3"))
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
        expect(page.locator(".control-name", has_text="Layers")).to_have_count(1)
        expect(page.locator(".control-name", has_text="Iterations")).to_have_count(0)
    expect(links.filter(has_text="Observe")).to_have_attribute("aria-disabled", "true")
    links.filter(has_text="Types").click()
    expect(page.locator("#typemap-title")).to_have_text("Map of states")


def test_the_sample_picker_works_from_every_page(page: Page, server: Server) -> None:
    page.goto(server.address("/paths", model=MODEL, sample="mnist.validation.3"))
    page.wait_for_selector("#path-picture[data-painted]")
    page.click("#sample-next")
    expect(page.locator("#chosen-sample")).to_contain_text("mnist.validation.4")
    until(page, "location.search.includes('sample=mnist.validation.4')")
    page.click("#sample-picker")
    page.locator("#sample-picker-content .thumb").last.click()
    until(page, "!location.search.includes('sample=mnist.')")
    expect(page.locator("#path-picture")).to_have_attribute("data-status", "ready")
    # A model that reads texts is offered texts.
    page.goto(server.address("/paths", model="moe-bytes", sample="sums.validation.2"))
    page.wait_for_selector("#path-picture[data-painted]")
    page.click("#sample-picker")
    page.locator("#sample-picker-content .thumb").first.click()
    until(page, "location.search.includes('sample=python.')")
    expect(page.locator("#path-picture")).to_have_attribute("data-status", "ready")


@pytest.mark.parametrize("model", [None, "moe-bytes", "nac-points"])
def test_without_a_sample_the_paths_page_opens_the_first(page: Page, server: Server, model: str | None) -> None:
    page.goto(server.address("/paths", **({} if model is None else {"model": model})))
    page.wait_for_selector("#path-picture[data-painted]")
    expect(page).to_have_url(re.compile("sample="))


def test_a_link_in_the_popover_of_samples_closes_it(page: Page, server: Server) -> None:
    page.goto(server.address("/paths", model=MODEL, sample="mnist.validation.3"))
    page.wait_for_selector("#path-picture[data-painted]")
    page.click("#sample-picker")
    page.click(".picker-more")
    until(page, "location.pathname === '/samples'")
    expect(page.locator(".picker-dropdown")).to_be_hidden()


def test_an_unknown_sample_is_an_error_that_says_so(page: Page, server: Server) -> None:
    page.goto(server.address("/paths", model=MODEL, sample="mnist.validation.99999999"))
    expect(page.locator(".when-failed")).to_be_visible()
    expect(page.locator("#paths-problem")).to_contain_text("no such sample")


def test_pictures_follow_the_colour_scheme(page: Page, server: Server) -> None:
    page.goto(server.address("/paths", model=MODEL, sample="mnist.validation.3"))
    page.wait_for_selector("#path-picture[data-painted]")
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


def test_a_forged_callback_is_refused_and_reported(page: Page, server: Server) -> None:
    page.goto(server.address("/samples", model=MODEL))
    page.wait_for_selector("#gallery .thumb")
    page.evaluate("dash_clientside.set_props('gallery-filters', {data: {page: -3, label: 'x', source: '<b>'}})")
    expect(page.locator(".mantine-Notification-root").first).to_contain_text("not accepted")


def test_a_panel_goes_full_screen_and_its_picture_grows(page: Page, server: Server) -> None:
    page.goto(server.address("/paths", model=MODEL, sample="mnist.validation.3"))
    page.wait_for_selector("#path-picture[data-painted]")
    size = "document.querySelector('#path-picture').height"
    before = page.evaluate(size)
    page.click('[data-fullscreen="panel-path"]')
    until(page, "document.fullscreenElement?.id === 'panel-path'")
    until(page, f"{size} > {before}")
    page.evaluate("document.exitFullscreen()")
    until(page, "document.fullscreenElement === null")


def test_a_page_whose_modules_are_gone_is_loaded_anew(page: Page, server: Server, guard: Guard) -> None:
    """As after the service was brought up to date: the modules that this page began with are not there any more."""
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


# -- pages stay where they are while they open: what comes later has its place before ------------------------------

#: A page, its query beside the model, and what is there once it has opened.
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


def test_nothing_in_the_header_lies_over_anything_else(page: Page, server: Server) -> None:
    page.goto(server.address("/samples", model=MODEL, sample="mnist.validation.3"))
    page.wait_for_selector("#see-path")
    apart = """() => {
        const shown = [...document.querySelectorAll('.header-row :is(a, button, input, summary)')]
            .filter(each => each.checkVisibility({checkVisibilityCSS: true}) && !each.closest('.menu-items'))
            .map(each => [each.getBoundingClientRect(), each.outerHTML.slice(0, 80)]);
        return shown.flatMap(([one, a], at) => shown.slice(at + 1)
            .filter(([other]) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1)
            .map(([, b]) => a + ' | ' + b));
    }"""
    for width in (1440, 1280, 1200, 1100, 1024, 1000, 900, 768, 600, 390):
        page.set_viewport_size({"width": width, "height": 800})
        until(page, "width => innerWidth === width", width)
        assert page.evaluate(apart) == [], width
