"""The tray of jobs, and what a page says of a service that fails: where it stands, with a way to try again."""

import re
import time
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, Route, expect

from routescope_app.api.callers import COOKIE
from routescope_app.services.engine.threads import Priority
from tests.browser.conftest import MODEL, Guard, Hold, Server, served, until
from tests.browser.drop_pages import chip, wait_until_done


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
    shown = tray.locator(under_way).filter(has_text="another user's")
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

    lists = re.compile("/api/v1/samples[?]")
    page.route(lists, fail)
    page.locator("#gallery-next").click()
    note = page.locator(".panel-gallery .outage-note")
    expect(note).to_contain_text("status 500")
    expect(shown).to_be_visible()  # the page before still stands
    page.unroute(lists)
    note.get_by_role("button", name="Try again").click()
    expect(page.locator(".outage-note")).to_have_count(0)
    expect(page.locator("#gallery-count")).to_contain_text("97 to")


#: Errors of requests that find no server, or lose it.
LOST = r"ERR_(CONNECTION_REFUSED|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|NETWORK_CHANGED)"


def test_figures_arrive_by_themselves_after_a_restart(page: Page, tmp_path: Path, guard: Guard) -> None:
    """The server stops in the middle of an evaluation and a job: once it is back, both go on without a click."""
    guard.expect(LOST)
    with served(tmp_path) as server:
        page.goto(server.address("/drop", model=MODEL, samples=300, units="f3,f5"))
        page.wait_for_selector('.page-drop[data-state="running"][data-fresh="true"]')
        page.evaluate("body => routescope.jobs.start('other', '/importances', body)", {"model": MODEL, "samples": 90})
        state = "routescope.jobs.state('other').job?.state"
        until(page, f"['queued', 'running'].includes({state})")
        server.stop(patience=1)
        note = page.locator(".page > .outage-note")
        expect(note).to_contain_text("the page continues once the service is back")
        expect(page.locator(".page-drop")).to_have_attribute("data-state", "running")
        assert page.evaluate(state) in {"queued", "running"}
        server.start()
        began = time.monotonic()
        page.wait_for_selector(".page-drop:not(:has(.outage-note)) #drop-accuracy-number .number-value")
        wait_until_done(page)
        print(f"seconds from the server's start to all figures: {time.monotonic() - began:.1f}")
        assert "f3, f5 dropped: 300 samples" in page.inner_text("#drop-status")

        server.stop(patience=1)
        expect(note).to_be_visible()
        chip(page, "f5").click()  # what is chosen meanwhile is measured then
        until(page, "!location.search.includes('f5')")
        server.start()
        page.wait_for_selector('.page-drop[data-fresh="true"] #drop-status:has-text("f3 dropped")')
        wait_until_done(page)
        expect(note).to_have_count(0)
        until(page, f"{state} === 'done'")


#: Counts the connections for events that a tab has open, and the most that it had.
COUNT = """(() => {
  const Source = window.EventSource;
  const sources = [];
  window.connections = () => sources.filter((source) => source.readyState !== Source.CLOSED).map(({ url }) => url);
  window.EventSource = class extends Source {
    constructor(url) {
      super(url);
      sources.push(this);
      window.most = Math.max(window.most ?? 0, window.connections().length);
    }
  };
})()"""


def test_ten_shown_tabs_get_their_figures_by_one_connection_each(
    context: BrowserContext, server: Server, hold: Hold
) -> None:
    """A browser opens six connections to a host. Every tab counts as shown, and follows a job that does not end."""
    tabs = [context.new_page() for _ in range(10)]
    for number, page in enumerate(tabs):
        page.add_init_script(COUNT)
        if number == 0:
            hold.at(Priority.STREAM, pieces=0)
        page.goto(server.address("/drop", model=MODEL, samples=20 + number, units="f4"))
        if number == 0:
            page.wait_for_selector('.page-drop[data-state="running"]')
            page.evaluate(
                "body => routescope.jobs.start('long', '/importances', body)", {"model": MODEL, "samples": 2_900}
            )
            until(page, "routescope.jobs.state('long').job?.state === 'running'")
            page.get_by_role("button", name="Jobs: ").click()
            expect(page.locator('.tray-job[data-state="running"]')).to_contain_text("yours")
            (address,) = page.evaluate("connections()")
            assert "of=/evaluations/stream?" in address and re.search("of=/jobs/[0-9a-f]+/events", address)
            page.keyboard.press("Escape")
            page.evaluate("routescope.jobs.cancel('long')")
            until(page, "routescope.jobs.state('long').job.state === 'cancelled'")
            hold.at(Priority.JOB, pieces=0)
        wait_until_done(page)
        page.evaluate("body => routescope.jobs.start('other', '/importances', body)", {"model": MODEL, "samples": 80})
        assert f"f4 dropped: {20 + number} samples" in page.inner_text("#drop-status")
    for page in tabs:
        chip(page, "f4").click()
        until(page, "!location.search.includes('f4')")
        wait_until_done(page)
    assert [page.evaluate("most") for page in tabs] == [1] * len(tabs)
    assert sum(len(page.evaluate("connections()")) for page in tabs) <= 3
    hold.let_go()
    for page in tabs:
        until(page, "routescope.jobs.state('other').job.state === 'done'")
