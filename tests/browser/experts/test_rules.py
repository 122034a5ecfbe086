"""A rule in an address: the same experts are left out on Drop, Paths and Observe; a set of nothing is said once."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, until

EXPERTS = "moe-bytes"
TEXT = "sums.validation.1"
SAYS = "([name, value]) => new URLSearchParams(location.search).get(name) === value"
UNKNOWN = "set:" + "0" * 16


def follow(page: Page, key: str) -> None:
    page.locator(f'#frame-navigation a[href^="/{key}?"]').click()
    page.wait_for_selector(f".page-{key}")


def test_a_rule_goes_from_drop_to_paths_and_observe(page: Page, server: Server) -> None:
    query = {"rule": "least:3", "kind": "drop"}
    experts_of_rule = server.ask("GET", f"/models/{EXPERTS}/units", params=query).json()["units"]
    assert len(experts_of_rule) == 3
    page.goto(server.address("/drop", model=EXPERTS, sample=TEXT, units="least:3", samples=8))
    expect(page.locator("#drop-count")).to_contain_text("3 of 32 experts dropped")
    follow(page, "paths")
    expect(page.locator("#paths-kind")).to_have_text("observed under: drop " + ", ".join(experts_of_rule))
    until(page, SAYS, ["drop", "least:3"])
    follow(page, "observe")
    expect(page.locator("#observe-experts-caption")).to_contain_text(", ".join(experts_of_rule) + " dropped")
    until(page, SAYS, ["drop", "least:3"])


def test_a_set_of_nothing_is_said_and_the_rest_is_shown(page: Page, server: Server) -> None:
    page.goto(server.address("/paths", model=EXPERTS, sample=TEXT, drop=f"{UNKNOWN},l1.e1"))
    expect(page.locator("#paths-kind")).to_have_text("observed under: drop l1.e1")
    expect(page.locator(".address-note")).to_have_count(1)
    expect(page.locator(".address-note")).to_contain_text(f'"drop" is {UNKNOWN}, ignored here.')
    until(page, SAYS, ["drop", "l1.e1"])


def test_a_kept_set_of_another_model_is_refused_in_words(page: Page, server: Server) -> None:
    units = [f"l{layer}.e{expert}" for layer in range(1, 25) for expert in range(1, 65, 2)]
    name = server.ask("POST", "/unit-sets", json={"units": units}).json()["name"]
    page.goto(server.address("/paths", model=EXPERTS, sample=TEXT, drop=name))
    expect(page.locator(".address-note")).to_contain_text(f'"drop" is {name}, ignored here.')
    expect(page.locator(".address-note")).to_contain_text("unknown units")
    expect(page.locator("#paths-kind")).to_have_text("observed")
