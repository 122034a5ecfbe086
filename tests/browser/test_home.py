"""Home: the path that plays, the doors, the models with their cards; and what is said where there is no page."""

import re
from urllib.parse import parse_qs, parse_qsl, urlsplit

import torch
from playwright.sync_api import Page, expect

from routescope import assets
from routescope.nn.interpreter.config import NeuralInterpreterConfig
from routescope.nn.interpreter.network import NeuralInterpreter
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.zoo import checkpoint
from routescope_app.dashboard import PAGES
from tests.browser.conftest import Guard, Server, until
from tests.browser.looks import begin, check, fits, looks
from tests.leaving import no_models_left

PICTURE = ".home-canvas canvas"
STEP = f"() => document.querySelector('{PICTURE}').dataset.step"


def test_home_looks_and_says_what_models_declare(page: Page, server: Server) -> None:
    """Without motion, as somebody asks for who wants none: the whole path stands until it is told to play."""
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


def test_it_plays_by_itself_while_it_is_seen_and_one_click_opens_the_path(page: Page, server: Server) -> None:
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
    # Back at home the chosen sample's path plays, and the address says nothing.
    page.locator(".brand").click()
    page.wait_for_selector(f"{PICTURE}[data-painted]")
    assert urlsplit(page.url).query == ""
    expect(page.locator(".home-canvas")).to_have_attribute("href", re.compile(f"sample={re.escape(sample)}(&|$)"))


def test_home_stays_home_when_it_is_loaded_again(page: Page, server: Server) -> None:
    page.goto(server.address("/"))
    page.wait_for_selector(f"{PICTURE}[data-painted]")
    until(page, "document.querySelector('#model-select').value")  # the first model is chosen
    page.reload()
    page.wait_for_selector(f"{PICTURE}[data-painted]")
    assert urlsplit(page.url).query == "" and urlsplit(page.url).path == "/"


def test_models_of_data_sets_that_are_not_here_are_shown_and_none_of_their_samples_is_asked_for(
    page: Page, server: Server
) -> None:
    """An answer that refuses such a set would be an error on the console, which fails by itself."""
    torch.manual_seed(0)
    sizes = MixtureConfig(
        domains=("wikitext",), context=32, layers=2, features=16, heads=2, experts=4, top_k=2, hidden=8
    )
    pictures = NeuralInterpreterConfig(
        features=16, code_features=16, type_features=8, type_inference_width=16, iterations=3, functions=4, heads=2,
        key_features=8, position_features=8, patch_size=8, domains=("images-ood", "elsewhere"),
    )  # fmt: skip
    brought = {"brought-pictures": NeuralInterpreter(pictures), "brought-texts": MixtureNetwork(sizes)}
    with no_models_left(assets.data_dir()):
        for name, model in brought.items():
            checkpoint.save(model.eval(), assets.data_dir() / "checkpoints" / name / "model.safetensors")
        page.goto(server.address("/"))
        page.wait_for_selector(f"{PICTURE}[data-painted]")
        for name in brought:
            expect(page.locator(f'[data-model="{name}"]')).to_be_visible()
        for chosen in brought:
            page.goto(server.address("/samples", model=chosen))
            page.locator('nav a[href="/"]').click()
            expect(page.locator("#content")).to_contain_text(f"There are no samples of what {chosen} reads.")


def test_the_path_of_the_chosen_sample_is_one_tap_away_on_a_phone(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(server.address("/samples", model="ni-digits"))
    page.locator("#gallery .thumb").nth(2).click()
    link = page.locator("#see-path")
    expect(link).to_be_in_viewport()
    check(page, "#see-path")
    link.click()
    page.wait_for_selector("#path-picture[data-painted]")


def test_a_text_plays_of_the_chosen_mixture_of_experts(page: Page, server: Server) -> None:
    page.goto(server.address("/samples?model=moe-bytes"))
    page.locator('nav a[href="/"]').click()
    element = page.locator(".home-said")
    expect(element).to_contain_text("through moe-bytes")
    expect(element).to_contain_text("dots experts")
    opens = page.locator("a.home-canvas")
    expect(opens).to_have_attribute("href", re.compile(r"/paths\?model=moe-bytes&sample=python"))
    expect(page.locator('[data-door="follow"]')).not_to_contain_text("moe-bytes")


def test_an_address_of_nothing_says_so_and_offers_pages(page: Page, server: Server, guard: Guard) -> None:
    guard.expect("404")
    answer = page.goto(server.address("/circuit/<b>"))
    assert answer is not None and answer.status == 404
    expect(page.locator("h1")).to_have_text("There is no such page")
    expect(page.locator("#not-found code")).to_have_text("/circuit/%3Cb%3E")
    assert page.title() == "Not found | Routescope"
    check(page, "#content")
    page.locator("#not-found-near").get_by_role("link", name="Circuits").click()
    expect(page.locator("h1")).to_have_text("Circuits")
