"""The page Results: the table, its filters in the address, an experiment in detail, links, phone and both schemes."""

import re

import pytest
from playwright.sync_api import Page, expect

from routescope.experiments.printed.figures import FIGURES
from routescope.experiments.results import RULE, results
from tests.browser.conftest import Server
from tests.browser.looks import DARK, begin, check, fits, looks

ROWS = ".results-table tbody tr"
VERDICTS = "#results-verdict label"
WHITE = "rgb(255, 255, 255)"


@pytest.fixture
def opened(page: Page, server: Server) -> Page:
    page.goto(server.address("/results", model="ni-digits"))
    page.wait_for_selector(ROWS)
    return page


def test_the_table_has_every_experiment_with_its_verdict_and_the_rule(opened: Page) -> None:
    table, _ = results()
    rows = opened.locator(ROWS)
    expect(rows).to_have_count(len(table))
    for at, result in enumerate(table):
        row = rows.nth(at)
        assert row.get_attribute("data-of") == result.id
        assert row.locator("[data-verdict]").inner_text() == result.verdict
        assert result.why in row.inner_text()
    assert opened.locator(".results-rule li").all_inner_texts() == list(RULE)


def test_filters_and_the_open_experiment_are_in_the_address_and_its_history(opened: Page, server: Server) -> None:
    opened.locator("#results-paper label", has_text="Block-operations").click()
    expect(opened.locator(ROWS)).to_have_count(5)
    opened.locator(VERDICTS, has_text="in part").click()
    shown = opened.locator(ROWS).count()
    assert shown == sum(row.paper == "Block-operations" and row.verdict == "in part" for row in results()[0])
    opened.locator(".results-open").first.click()
    name = opened.locator(".results-open").first.inner_text()
    expect(opened.locator("#panel-results-detail .tag").first).to_have_text(name)
    expect(opened).to_have_url(re.compile(rf"paper=blocks&verdict=in-part&experiment={name}$"))
    link = opened.url
    opened.locator("#results-close").click()
    expect(opened.locator("#panel-results-detail")).to_have_count(0)
    opened.go_back()
    expect(opened.locator("#panel-results-detail")).to_be_visible()
    opened.goto(link)
    expect(opened.locator(ROWS)).to_have_count(shown)
    expect(opened.locator("#panel-results-detail")).to_be_visible()


def test_an_experiment_has_its_claims_records_commands_and_links(page: Page, server: Server) -> None:
    (result,) = (row for row in results()[0] if row.id == "nac-drop")
    page.goto(server.address("/results", experiment="nac-drop"))
    detail = page.locator("#panel-results-detail")
    claims = detail.locator(".results-cards tbody tr")
    expect(claims).to_have_count(len(result.claims))
    for at, judged in enumerate(result.claims):
        words = claims.nth(at).inner_text()
        assert judged.claim.what in words and judged.why in words and judged.outcome in words
    records = page.locator("#panel-results-records")
    assert result.runs[0].file in records.inner_text() and result.runs[0].differences[0].here in records.inner_text()
    assert records.locator("code").first.inner_text() == result.command
    records.get_by_role("button", name=f"Copy the command {result.command}").click()
    expect(page.get_by_text("Command copied")).to_be_visible()
    detail.locator(".results-links a").click()
    expect(page.locator("h1")).to_have_text("Drop")
    expect(page).to_have_url(re.compile(r"/drop\?.*model=nac-scale-free"))


def test_an_experiment_has_its_figures_with_files_on_white(page: Page, server: Server) -> None:
    begin(page, DARK)
    mine = [entry for entry in FIGURES if entry.experiment == "nac-drop" and entry.draw is not None]
    page.goto(server.address("/results", experiment="nac-drop"))
    drawn = page.locator("#panel-results-figures figure")
    expect(drawn).to_have_count(len(mine))
    for at, entry in enumerate(mine):
        picture = drawn.nth(at).locator("img")
        expect(drawn.nth(at).locator("h3")).to_have_text(f"{entry.number}: {entry.title}")
        alt = picture.get_attribute("alt") or ""
        assert entry.title in alt and "Stand-ins replace Tiny-ImageNet and Tiny-ImageNet-R." in alt
        assert picture.get_attribute("loading") == "lazy"
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("image => image.naturalWidth") > 600, "the picture was decoded"
        assert picture.evaluate("image => getComputedStyle(image.parentElement).backgroundColor") == WHITE
        for name, begins in {"SVG": b"<?xml", "PDF": b"%PDF-"}.items():
            with page.expect_download() as download:
                drawn.nth(at).get_by_text(name, exact=True).click()
            assert download.value.suggested_filename == f"{entry.id}.{name.lower()}"
            assert download.value.path().read_bytes().startswith(begins)
    page.locator(".results-open", has_text="ni-sweep").click()
    expect(drawn).to_have_count(sum(entry.experiment == "ni-sweep" and entry.draw is not None for entry in FIGURES))


def test_a_row_opens_its_page_with_the_intervention_and_the_figures_stand_beside_the_claims(
    page: Page, server: Server
) -> None:
    begin(page)
    page.goto(server.address("/results", experiment="ni-drop"))
    page.get_by_role("button", name=re.compile("^Rows of ni-drop-")).click()
    page.locator("#results-table").select_option("subsets")
    page.locator("#results-find").fill("f2, f5")
    rows = page.locator("#panel-results-rows tbody tr")
    expect(rows).to_have_count(6)
    expect(page).to_have_url(re.compile(r"record=ni-drop-[^&]+&table=subsets$"))
    places = [page.locator(f"#panel-results-{name}").bounding_box() for name in ("detail", "figures", "records")]
    claims, figures, records = (place or {} for place in places)
    assert figures["y"] == claims["y"] and figures["x"] > claims["x"] + claims["width"] and records["x"] == claims["x"]
    page.set_viewport_size({"width": 390, "height": 844})
    tops = page.evaluate(  # in one layout
        "names => names.map((name) => document.getElementById('panel-results-' + name).getBoundingClientRect().top)",
        ["detail", "figures", "records"],
    )
    assert tops == sorted(tops)
    rows.first.get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/drop\?model=ni-digits&units=f2,f5&data=mnist"))
    expect(page.locator("h1")).to_have_text("Drop")


def test_figures_of_no_experiment_are_shown_when_asked_for(page: Page, server: Server) -> None:
    page.goto(server.address("/results"))
    page.locator("#results-others-shown").click()
    others = [entry for entry in FIGURES if entry.experiment is None and entry.draw is not None]
    expect(page.locator("#panel-results-others figure")).to_have_count(len(others), timeout=60_000)
    expect(page).to_have_url(re.compile("others=1"))
    assert page.locator("#panel-results-others h3").all_inner_texts() == [
        f"{entry.paper.short}, {entry.number}: {entry.title}" for entry in others
    ]


def test_two_records_are_compared_and_the_address_keeps_them(page: Page, server: Server) -> None:
    page.goto(server.address("/results", experiment="nac-bytes"))
    page.locator("#results-a").select_option("nac-bytes-0d82cf695f4c.json")
    page.locator("#results-b").select_option("nac-bytes-9afbafd6a2a0.json")
    rows = page.locator(".results-compared tbody tr")
    expect(rows).to_have_count(3)
    expect(page).to_have_url(re.compile(r"a=nac-bytes-0d82cf695f4c.json&b=nac-bytes-9afbafd6a2a0.json$"))
    page.reload()
    assert "+1.66 points" in rows.nth(2).inner_text()
    assert page.locator(".results-facts tbody tr").first.locator("td").all_inner_texts() == ["1", "3"]
    page.locator(".results-open", has_text="nac-points").click()
    expect(page).not_to_have_url(re.compile("nac-bytes"))


def test_an_unknown_experiment_shows_the_table(page: Page, server: Server) -> None:
    page.goto(server.address("/results", experiment="no-such"))
    expect(page.locator(ROWS)).to_have_count(len(results()[0]))
    expect(page.locator("#panel-results-detail")).to_have_count(0)
    expect(page.locator("#page-results, main").first).to_contain_text("There is no experiment no-such.")


def test_the_keyboard_opens_and_closes_an_experiment(opened: Page) -> None:
    button = opened.locator(".results-open").first
    button.focus()
    opened.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(opened.locator("#panel-results-detail")).to_be_visible()
    opened.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "false")


def test_an_empty_choice_offers_all(page: Page, server: Server) -> None:
    page.goto(server.address("/results", paper="circuits", verdict="reproduced"))
    page.get_by_role("button", name="Show all").click()
    expect(page.locator(ROWS)).to_have_count(len(results()[0]))


def test_the_page_in_every_look(page: Page, server: Server) -> None:
    begin(page)
    page.goto(server.address("/results", model="ni-digits", experiment="smfr-addmul"))
    page.wait_for_selector("#panel-results-detail .results-cards")
    for _ in looks(page):
        check(page)
        assert fits(page)


def test_a_phone_shows_rows_as_cards_without_sideways_scrolling(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(server.address("/results", paper="blocks", experiment="smfr-addmul"))
    page.wait_for_selector("#panel-results-detail .results-cards")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    ours = page.locator(f"{ROWS} td[data-label=Ours]").first
    assert ours.evaluate("cell => getComputedStyle(cell, '::before').content") == '"Ours"'
    apart = """rows => rows.every(row => {
        const boxes = [...row.cells].map(cell => cell.getBoundingClientRect());
        const beside = (a, b) => a.right <= b.left + 1 || a.bottom <= b.top + 1;
        return boxes.every((box, at) => boxes.slice(at + 1).every(other => beside(box, other) || beside(other, box)));
    })"""
    assert page.locator(ROWS).evaluate_all(apart), "a cell lies over another"
    card = page.locator(ROWS).first
    more = card.get_by_role("button", name=re.compile("^More about "))
    assert card.evaluate("card => card.clientHeight") < 100, "a folded card has three lines"
    expect(card.locator("[data-label='Data and size']")).to_be_hidden()
    more.press("Enter")
    expect(card.get_by_role("button", name=re.compile("^Less about "), expanded=True)).to_be_focused()
    expect(card.locator("[data-label='Data and size']")).to_be_visible()
    assert page.locator(ROWS).evaluate_all(apart), "a cell of an unfolded card lies over another"
    check(page)
