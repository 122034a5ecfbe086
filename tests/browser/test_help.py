"""Help in the page: documents, glossary, shortcuts, the command palette, the tours; with keys, in every look."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from routescope_app.dashboard import PAGES
from tests.browser.conftest import CIRCUIT, MODEL, STATEMENTS, WITHOUT_JOBS, Server, go, until
from tests.browser.looks import begin, check, fits, looks

OFFER = ".help-offer"
POPOVER = ".driver-popover"
PROGRESS = ".driver-popover-progress-text"


def ask(page: Page, what: str) -> None:
    page.click("#help-menu")
    page.click(f'.help-item[data-help="{what}"]')


def focus_stays(page: Page, within: str) -> None:
    """Assert that the tab key stays inside a dialog or goes to the browser's own controls."""
    for _ in range(8):
        page.keyboard.press("Tab")
        where = "within => document.activeElement === document.body || !!document.activeElement.closest(within)"
        assert page.evaluate(where, within), page.evaluate("document.activeElement.outerHTML")


def closes(page: Page, dialog: Locator, back_to: str = "#help-menu") -> None:
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator(back_to)).to_be_focused()


def test_documents_and_shortcuts_open_in_the_page(page: Page, server: Server, open_paths: Callable[..., Page]) -> None:
    begin(page)
    open_paths()

    ask(page, "page")
    dialog = page.get_by_role("dialog", name="What the pages show")
    heading = dialog.get_by_role("heading", name="Paths", exact=True)
    expect(heading).to_be_in_viewport()
    expect(dialog.get_by_role("heading", name="Home", exact=True)).not_to_be_in_viewport()
    focus_stays(page, ".help-dialog")
    dialog.get_by_role("link", name="dominant function").click()
    glossary = page.get_by_role("dialog", name="Glossary")
    expect(glossary.get_by_role("heading", name="Dominant function")).to_be_in_viewport()
    for _ in looks(page):
        check(page, ".help-dialog")
        assert fits(page)
    page.get_by_role("button", name="Back").click()
    expect(dialog).to_be_visible()
    page.get_by_role("link", name="All documents").click()
    page.get_by_role("link", name="The models").click()
    models = page.get_by_role("dialog", name="The models")
    expect(models.locator("table").first).to_be_visible()
    expect(page).to_have_url(re.compile("/paths[?].*sample=mnist.validation.3"))
    closes(page, models)

    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Shortcuts")
    expect(keys.get_by_text("Play and pause").first).to_be_visible()
    focus_stays(page, ".help-dialog")
    for _ in looks(page):
        check(page, ".help-dialog", ".frame-header")
    closes(page, keys)

    begin(page, ("dark", 390))
    page.goto(server.address("/help/data"))  # a document's own page
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
    check(page)
    assert fits(page)
    page.get_by_role("link", name="All documents").click()
    expect(page.get_by_role("heading", name="Documents")).to_be_visible()


def test_the_palette_finds_and_does(page: Page, open_paths: Callable[..., Page]) -> None:
    begin(page)
    open_paths()
    field = page.get_by_role("combobox", name=re.compile("^Find pages"))
    options = page.get_by_role("listbox", name="Found").get_by_role("option")
    marked = page.locator('.palette-option[aria-selected="true"]')

    def find(text: str) -> None:
        page.keyboard.press("Control+k")
        expect(field).to_be_focused()
        page.keyboard.type(text)

    page.focus("#help-menu")
    find("")
    expect(options.first).to_have_text(re.compile("page"))
    focus_stays(page, ".help-dialog")
    field.focus()
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", str(options.nth(1).get_attribute("id")))
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")
    expect(options.last).to_be_in_viewport()
    page.keyboard.type("mnist ?")
    expect(page.get_by_text("Nothing was found.")).to_be_visible()
    page.keyboard.press("Backspace")
    page.keyboard.type("4")
    expect(page.locator(".palette-option img").first).to_be_visible()
    for _ in looks(page):
        check(page, ".help-dialog")
    closes(page, page.locator(".palette-dialog"))

    find("street-digits.validation.7")
    expect(marked).to_contain_text("street-digits.validation.7")
    page.keyboard.press("Enter")
    expect(page.locator("#chosen-sample")).to_contain_text("street-digits.validation.7")
    find("scale free nac")
    expect(marked).to_contain_text("nac-scale-free")
    page.keyboard.press("Enter")
    until(page, "location.search.includes('nac-scale-free')")
    expect(page.locator("#paths-caption")).to_contain_text("nac-scale-free")  # nothing of the former is
    expect(page.locator('[data-key="paths"] canvas').first).to_be_visible()
    find("light dark")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
    find("export predictions csv")
    with page.expect_download() as coming:
        page.keyboard.press("Enter")
    assert coming.value.suggested_filename.endswith(".csv")
    find("stand-in")
    expect(marked).to_contain_text("glossary")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Glossary").get_by_role("heading", name="Stand-in")).to_be_in_viewport()
    page.keyboard.press("Escape")
    find("samples")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Samples")
    assert page.locator("dialog").count() == 0


def test_the_palette_drops_maps_draws_and_undoes(page: Page, open_paths: Callable[..., Page]) -> None:
    begin(page)
    open_paths()
    marked = page.locator('.palette-option[aria-selected="true"]')

    def take(text: str, title: str) -> None:
        page.keyboard.press("Control+k")
        expect(page.get_by_role("combobox", name=re.compile("^Find pages"))).to_be_focused()
        page.keyboard.type(text)
        expect(marked.locator(".palette-title")).to_have_text(title)
        page.keyboard.press("Enter")

    take("mute f2", "Mute f2 on Paths")
    expect(page).to_have_url(re.compile("/paths[?].*mute=f2"))
    take("drop f3", "Drop f3")
    expect(page).to_have_url(re.compile("/drop[?](?=.*units=f3)(?!.*f2)"))
    take("undo", "Undo")
    expect(page).to_have_url(re.compile("/paths[?].*mute=f2"))
    take("umap", "UMAP map on Types")
    expect(page).to_have_url(re.compile("/types[?].*method=umap"))
    take("draw", "Draw a sample")
    expect(page.locator("#panel-bring")).to_be_focused()
    expect(page.locator("#drawing-pad")).to_be_in_viewport()
    take("prune and save", "Prune and save")  # a heading of a document
    expect(page.get_by_role("dialog").get_by_role("heading", name="Prune and save")).to_be_in_viewport()


def test_a_newcomer_is_offered_a_tour_once(page: Page, open_paths: Callable[..., Page]) -> None:
    begin(page)
    open_paths()
    offer = page.locator(OFFER)
    expect(offer).to_be_visible()
    before = page.locator(".pickers").evaluate("each => each.outerHTML")
    offer.get_by_role("button", name="Take the 60-second tour").click()
    popover = page.locator(POPOVER)
    expect(popover).to_contain_text("Model and sample")
    expect(offer).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(popover).to_contain_text("The computational path")
    expect(popover.get_by_role("button", name="Next")).to_be_focused()
    focus_stays(page, POPOVER)
    for _ in looks(page):
        check(page, POPOVER)
        assert popover.evaluate(
            "each => { const { left, right, top, bottom } = each.getBoundingClientRect();"
            " return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight; }"
        )
    check(page, "#path-picture", ".pickers")
    assert page.locator(".pickers").evaluate("each => each.outerHTML") == before  # nothing is left of being shown
    page.keyboard.press("Escape")
    expect(popover).to_be_hidden()
    begin(page)
    page.reload()
    page.wait_for_selector("#path-picture[data-painted]")
    expect(page.locator("#help-menu")).to_be_visible()
    expect(offer).to_be_hidden()
    element = page.locator(PROGRESS)
    ask(page, "tour")
    expect(element).to_have_text(re.compile("^1 of [5-7]$"))
    last = int(element.inner_text()[-1])
    for stop in range(2, last + 1):
        popover.get_by_role("button", name="Next").click()
        expect(element).to_have_text(f"{stop} of {last}")
    page.get_by_role("button", name="Done").click()
    expect(popover).to_be_hidden()
    expect(page.locator("#help-menu")).to_be_focused()
    ask(page, "tour")
    expect(popover).to_be_visible()
    page.locator("nav[aria-label=Pages] a", has_text="Samples").evaluate("link => link.click()")
    expect(page.locator("h1")).to_have_text("Samples")
    expect(popover).to_be_hidden()  # another page has other elements


#: Model and element of each page whose tour is taken; the element shows that the page is complete.
TOURED = {
    "home": (MODEL, ".home-path canvas"),
    "samples": (MODEL, "#gallery .thumb"),
    "drop": (MODEL, "[data-drop-unit]"),
    "types": (MODEL, ".type-maps"),
    "observe": (MODEL, "#observe-controls button"),
    "graphs": (CIRCUIT, "#panel-graph-module"),
    "circuits": (STATEMENTS, "#panel-pair-reads"),
    "blocks": ("smfr-algo", "#panel-blocks-answers"),
    "logs": (MODEL, ""),
    "results": (MODEL, ".results-open"),
}


@pytest.mark.usefixtures("circuit", "statement_model")
def test_tours_have_stops_that_are_shown(page: Page, server: Server) -> None:
    page.add_init_script(WITHOUT_JOBS)
    begin(page)
    page.goto(server.address("/logs"))
    for shown in PAGES:
        if shown.key == "paths":  # its tour is taken in another test
            continue
        model, ready = TOURED[shown.key]
        query: dict[str, object] = {"model": model, "sample": "mnist.validation.3"} if shown.path != "/" else {}
        go(page, server.address(shown.path, **query))
        page.wait_for_selector(f".page-{shown.key} {ready}")
        ask(page, "tour")
        expect(page.locator(PROGRESS)).to_have_text(re.compile("^1 of [5-7]$"))
        page.keyboard.press("Escape")
        expect(page.locator(POPOVER)).to_be_hidden()
