"""Home: the path that plays, the doors, the models with their cards; and addresses of no page."""

import re
from urllib.parse import parse_qs, parse_qsl, urlsplit

from playwright.sync_api import Page, expect

from routescope_app.dashboard import PAGES
from tests.browser.conftest import Guard, Server, go, until
from tests.browser.looks import begin, check, fits, looks

PICTURE = ".home-canvas canvas"
STEP = f"() => document.querySelector('{PICTURE}').dataset.step"


def test_home_shows_what_models_declare(page: Page, server: Server) -> None:
    """With reduced motion the whole path stands still until somebody plays it."""
    begin(page)
    page.goto(server.address("/"))
    picture = page.locator(PICTURE)
    page.wait_for_selector(f"{PICTURE}[data-painted][data-playing=false]")
    expect(page.locator("h1")).to_have_count(1)
    models = server.ask("GET", "/models").json()["items"]
    expect(page.locator(".home-model")).to_have_count(len(models))
    expect(page.locator(".home-family")).to_have_count(len({model["family"] for model in models}))
    for _ in looks(page):
        assert fits(page)
        check(page)
    begin(page)
    digits = next(model for model in models if model["id"] == "ni-digits")
    row = page.locator('[data-model="ni-digits"]')
    first = digits["accuracies"][0]
    expect(row).to_contain_text(f"{first['accuracy']:.1%}".replace("%", " %"))
    expect(row).to_contain_text(f"({100 * first['low']:.1f} to {100 * first['high']:.1f})")
    expect(row.locator("img").first).to_be_visible()

    for door in page.locator("a.home-door").all():  # what they say is all read by the pages that they lead to
        parts = urlsplit(door.get_attribute("href") or "")
        behind = next(page for page in PAGES if page.path == parts.path)
        query = dict(parse_qsl(parts.query, strict_parsing=True))
        read = {name: getattr(model.of_query(query), name) for model in behind.asks for name in model.model_fields}
        assert query["model"] in {model["id"] for model in models}
        assert set(query) <= {"model", "sample", *read}
        assert all(read[name] for name in set(query) & set(read))
    expect(page.locator("a.home-door")).to_have_count(5)
    element = page.get_by_role("button", name="Open your own")
    element.click()
    opened = page.get_by_role("dialog", name="Your own mixture of experts")
    expect(opened).to_contain_text("routescope open")
    page.keyboard.press("Escape")
    expect(element).to_be_focused()

    card = row.get_by_role("button", name="Card of ni-digits")
    card.press("Enter")
    dialog = page.get_by_role("dialog", name="Card of ni-digits")
    expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    expect(dialog).to_contain_text(f"{digits['parameters']:,} parameters")
    check(page, ".card-dialog")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(card).to_be_focused()

    page.get_by_role("button", name="Play the picture").click()
    page.wait_for_selector(f"{PICTURE}[data-playing=true]")
    until(page, f"before => ({STEP})() !== before", picture.get_attribute("data-step"))


def test_the_path_plays_while_it_is_visible_and_a_click_opens_it(page: Page, server: Server) -> None:
    page.emulate_media(reduced_motion="no-preference")
    page.goto(server.address("/"))
    page.wait_for_selector(f"{PICTURE}[data-painted][data-playing=true]")
    until(page, f"before => ({STEP})() !== before", page.locator(PICTURE).get_attribute("data-step"))
    page.locator(".home-model").last.scroll_into_view_if_needed()
    page.wait_for_selector(f"{PICTURE}[data-seen=false]", state="attached")
    still = page.evaluate(STEP)
    page.wait_for_timeout(1_500)  # a step takes 0.9 s
    assert page.evaluate(STEP) == still
    page.locator("h1").scroll_into_view_if_needed()
    until(page, f"before => ({STEP})() !== before", still)
    page.get_by_role("button", name="Pause the picture").click()
    page.wait_for_selector(f"{PICTURE}[data-playing=false]")
    painted = page.locator(PICTURE).get_attribute("data-painted")
    page.evaluate("window.stayed = true")
    page.locator(".home-canvas").click()
    page.wait_for_selector(f'#path-picture[data-painted="{painted}"]')
    assert page.evaluate("window.stayed"), "the application was not loaded again"
    sample = parse_qs(urlsplit(page.url).query)["sample"][0]
    # Back at Home the chosen sample's path plays, and the address has no query.
    page.locator(".brand").click()
    page.wait_for_selector(f"{PICTURE}[data-painted]")
    assert urlsplit(page.url).query == ""
    expect(page.locator(".home-canvas")).to_have_attribute("href", re.compile(f"sample={re.escape(sample)}(&|$)"))
    expect(page.locator("#model-select")).not_to_have_value("")
    page.reload()
    page.wait_for_selector(f"{PICTURE}[data-painted]")
    assert urlsplit(page.url).query == "" and urlsplit(page.url).path == "/"

    go(page, server.address("/samples", model="moe-bytes"))
    expect(page.locator("#model-select")).to_have_value("moe-bytes")
    page.locator('nav a[href="/"]').click()
    expect(page.locator(".home-said")).to_contain_text("through moe-bytes")
    expect(page.locator(".home-said")).to_contain_text("dots experts")
    opens = page.locator("a.home-canvas")
    expect(opens).to_have_attribute("href", re.compile(r"/paths\?model=moe-bytes&sample=python"))
    expect(page.locator('[data-door="follow"]')).not_to_contain_text("moe-bytes")


def test_home_comes_by_itself_once_the_service_answers(page: Page, server: Server, guard: Guard) -> None:
    begin(page)
    guard.expect("ERR_FAILED")
    page.route("**/api/v1/models", lambda route: route.abort())
    page.goto(server.address("/"))
    expect(page.locator(".home-models").get_by_role("alert")).to_contain_text("The service did not answer")
    expect(page.locator(".home-path")).to_contain_text("The service did not answer")
    page.unroute("**/api/v1/models")
    page.wait_for_selector(f"{PICTURE}[data-painted]")
    expect(page.locator(".home-model").first).to_be_visible()
    expect(page.locator("a.home-door")).to_have_count(5)


def test_a_missing_page_offers_others(page: Page, server: Server, guard: Guard) -> None:
    guard.expect("404")
    answer = page.goto(server.address("/circuit/<b>"))
    assert answer is not None and answer.status == 404
    expect(page.locator("h1")).to_have_text("There is no such page")
    expect(page.locator("#not-found code")).to_have_text("/circuit/%3Cb%3E")
    assert page.title() == "Not found | Routescope"
    check(page, "#content")
    page.locator("#not-found-near").get_by_role("link", name="Circuits").click()
    expect(page.locator("h1")).to_have_text("Circuits")
