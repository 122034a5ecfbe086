"""The tray of jobs, and what a page says of a service that fails: where it stands, with a way to try again."""

import re

from playwright.sync_api import Page, Route, expect

from routescope_app.api.callers import COOKIE
from tests.browser.conftest import MODEL, Guard, Server

CALLBACKS = re.compile("_dash-update-component")


def test_the_tray_and_an_outage(page: Page, server: Server, guard: Guard) -> None:
    guard.expect("status of 500")
    page.goto(server.address("/samples", model=MODEL))
    opener = page.get_by_role("button", name="Jobs: ")
    expect(opener).to_be_visible()
    body = {"model": MODEL, "samples": 2_900}
    job = page.request.post(f"{server.url}/api/v1/importances", data=body).json()
    assert job["owner"] == "you"  # the page's own cookie came with it
    opener.focus()
    page.keyboard.press("Enter")
    tray = page.get_by_role("dialog", name="Jobs")
    row = tray.locator(f'[data-id="{job["id"]}"]')
    expect(row).to_contain_text("yours")
    expect(row.get_by_role("button", name="Cancel: ")).to_be_visible()
    cookie = {"Cookie": f"{COOKIE}={'0a' * 16}"}  # of another browser
    theirs = server.ask("POST", "/importances", json=body | {"samples": 2_901}, headers=cookie).json()
    under_way = '.tray-job:is([data-state="queued"], [data-state="running"])'  # jobs of other tests have ended
    shown = tray.locator(under_way).filter(has_text="somebody's")
    expect(shown).to_contain_text("Importance of every unit")
    expect(shown).not_to_contain_text(MODEL)
    expect(shown.get_by_role("button").or_(shown.get_by_role("link"))).to_have_count(0)
    assert server.ask("DELETE", f"/jobs/{theirs['id']}", headers=cookie).json()["state"] == "cancelled"
    page.request.delete(f"{server.url}/api/v1/jobs/{job['id']}")
    page.keyboard.press("Escape")
    expect(tray).to_have_count(0)
    expect(opener).to_be_focused()

    shown = page.locator("#gallery .thumb").first
    expect(shown).to_be_visible()

    def fail(route: Route) -> None:
        route.fulfill(status=500, body="x")

    page.route(CALLBACKS, fail)
    page.locator("#gallery-next").click()
    note = page.locator(".panel-gallery .outage-note")
    expect(note).to_contain_text("it said before")
    expect(shown).to_be_visible()  # what it said before still stands
    page.unroute(CALLBACKS)
    note.get_by_role("button", name="Try again").click()
    expect(page.locator(".outage-note")).to_have_count(0)
    expect(page.locator("#gallery-count")).to_contain_text("97 to")
