"""A rule in an address drops the same experts on Drop, Paths and Observe."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Guard, Server, until

EXPERTS = "moe-bytes"
TEXT = "sums.validation.1"
SAYS = "([name, value]) => new URLSearchParams(location.search).get(name) === value"


def test_a_rule_goes_from_drop_to_paths_and_observe(page: Page, server: Server) -> None:
    query = {"rule": "least:3", "kind": "drop"}
    experts_of_rule = server.ask("GET", f"/models/{EXPERTS}/units", params=query).json()["units"]
    assert len(experts_of_rule) == 3
    page.route("**/importances", lambda _: None)  # costs seconds and is not looked at
    page.goto(server.address("/drop", model=EXPERTS, sample=TEXT, units="least:3", data="sums", samples=4))
    expect(page.locator("#drop-count")).to_contain_text("3 of 32 experts dropped")
    page.locator('#frame-navigation a[href^="/paths?"]').click()
    expect(page.locator("#paths-kind")).to_have_text("observed under: drop " + ", ".join(experts_of_rule))
    until(page, SAYS, ["drop", "least:3"])
    link = page.locator('#frame-navigation a[href^="/observe?"]').evaluate("link => link.href")
    page.goto(f"{link}&data=sums&samples=8")
    expect(page.locator("#observe-caption")).to_contain_text(", ".join(experts_of_rule) + " dropped")
    until(page, SAYS, ["drop", "least:3"])


def test_sets_that_the_model_lacks_are_named_and_ignored(page: Page, server: Server, guard: Guard) -> None:
    """An unknown set, and a kept set of a model with more layers."""
    guard.expect("status of 422")  # the browser logs the answer about the set
    units = [f"l{layer}.e{expert}" for layer in range(1, 25) for expert in range(1, 65, 2)]
    larger = server.ask("POST", "/unit-sets", json={"units": units}).json()["name"]
    note = page.locator(".address-note")
    for name, words in (("set:" + "0" * 16, ""), (larger, "unknown units")):
        page.goto(server.address("/paths", model=EXPERTS, sample=TEXT, drop=f"{name},l1.e1"))
        expect(page.locator("#paths-kind")).to_have_text("observed under: drop l1.e1")
        expect(note).to_have_count(1)
        expect(note).to_contain_text(f'"drop" is {name}, ignored here.')
        expect(note).to_contain_text(words)
        until(page, SAYS, ["drop", "l1.e1"])
