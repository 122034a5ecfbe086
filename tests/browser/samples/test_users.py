"""The user's name, the way out, and a read-only service."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from playwright.sync_api import Page, expect

from routescope_app.services.store import Store
from routescope_app.services.users import AccessTokens
from routescope_app.settings import Settings
from tests.browser.conftest import MODEL, Guard, Server, served
from tests.browser.drop_pages import wait_until_done

TOKEN = "a-long-enough-token-for-tests"


@contextlib.contextmanager
def with_settings(folder: Path, **variables: str) -> Iterator[Server]:
    with mock.patch.dict(os.environ, variables), served(folder) as running:
        yield running


def test_a_user_sees_their_name_and_logs_out(page: Page, tmp_path: Path) -> None:
    with with_settings(tmp_path, ROUTESCOPE_TOKEN=TOKEN) as server:
        store = Store(Settings(data_dir=tmp_path).database)
        anna = AccessTokens(store).add("anna@lab.example")
        store.close()
        page.goto(server.address("/samples", model=MODEL))
        page.fill("#token", anna)
        page.click("text=Log in >> nth=-1")
        foot = page.locator(".frame-foot")
        expect(foot).to_contain_text("anna@lab.example")
        expect(page.locator("#panel-bring .pad")).to_be_visible()
        expect(page.locator("#samples-delete-menu")).to_have_count(0)
        page.locator("#drawing-pad").press("Space")
        page.locator("#drawing-pad").press("Enter")
        page.click("#samples-delete-menu")
        expect(page.locator(".delete-all")).to_contain_text("Every sample that anna@lab.example brought, in")
        foot.get_by_role("button", name="Log out").click()
        expect(page.get_by_label("Token")).to_be_visible()
        page.goto(server.address("/samples"))
        expect(page.get_by_label("Token")).to_be_visible()


def says_so_once(page: Page) -> None:
    expect(page.get_by_role("note")).to_have_count(1)
    expect(page.get_by_role("note")).to_contain_text("This is a read-only demo")


NOT_COMPUTED = "What was computed before it was set up is shown; this was not."
#: Page with jobs -> the place of the message that a result is not computed.
REFUSED = {
    "/observe?model=ni-digits": "#observe-message",
    "/types?model=ni-digits": "#types-failed",
    "/samples?model=ni-digits&order=nearest&to=mnist.validation.3": "#gallery",
    "/circuits?model=nac-scenes": ".sentence-message",
    "/drop?model=moe-bytes&samples=16": "#studio-rests",
}


def test_a_read_only_service_hides_what_writes_and_names_what_is_not_computed(
    page: Page, guard: Guard, tmp_path: Path
) -> None:
    guard.expect("403")  # the browser logs each refused job
    with with_settings(tmp_path, ROUTESCOPE_READ_ONLY="1") as server:
        page.goto(server.address("/samples", model=MODEL))
        says_so_once(page)
        for hidden in ("#panel-bring", "#drawing-pad", "label[for=upload-input]", "#samples-delete-menu"):
            expect(page.locator(hidden)).to_be_hidden()
        expect(page.locator("#sample-facts")).to_contain_text("Pick one from the gallery")
        for offered in ("bring one of your own", "bring a picture"):
            expect(page.get_by_text(offered)).to_be_hidden()
        page.locator("#gallery button").first.click()
        expect(page.locator("#sample-facts img")).to_be_visible()
        page.get_by_role("button", name="Snapshots").click()
        snapshots = page.locator(".snapshots-dialog")
        expect(snapshots).to_contain_text("This is a read-only demo")
        expect(snapshots.get_by_role("button", name="Keep this view")).to_be_hidden()
        page.goto(server.address("/logs"))
        says_so_once(page)
        for hidden in ("label[for=logs-file]", ".logs-record"):
            expect(page.locator(hidden)).to_be_hidden()
        for name, words in REFUSED.items():
            page.goto(server.url + name)
            expect(page.locator(words)).to_contain_text(NOT_COMPUTED)
            says_so_once(page)
            for button in ("Try again", "Compute", "Make the map", "Resume", "Observe", "Cancel"):
                expect(page.get_by_role("button", name=button, exact=button == "Observe")).to_have_count(0)
            expect(page.locator(".job:visible")).to_have_count(0)
            expect(page.locator(".mantine-Notification-root")).to_have_count(0)


def test_a_read_only_service_shows_what_was_computed_before(page: Page, guard: Guard, tmp_path: Path) -> None:
    """The importance of a model, and the curve of the pinned set A."""
    guard.expect("403")
    asked = {"model": MODEL, "samples": 20, "units": "f1", "pin": f"{MODEL}::mute:f2"}
    offer = page.locator(".compare-curves")
    both = page.locator("#panel-drop-compared [aria-label*='accuracy as units are dropped']")
    refused = page.locator("#importance-refused")
    with with_settings(tmp_path) as server:
        page.goto(server.address("/drop", **asked))
        expect(page.locator(".importance-facts[data-result]:not([data-result=''])")).to_be_visible()
        job = page.request.get(server.url + "/api/v1/jobs?kind=importance").json()["items"][0]
        assert job["state"] == "done"
        expect(both).to_have_count(0)
        page.click("#drop-curves")
        expect(both).to_be_visible()
        page.goto("about:blank")  # nothing asks a stopped server
    with with_settings(tmp_path, ROUTESCOPE_READ_ONLY="1") as server:
        page.goto(server.address("/drop", **asked))
        expect(page.locator(f".importance-facts[data-result='{job['id']}']")).to_be_visible()
        expect(both).to_be_visible()
        expect(offer).to_be_empty()
        page.goto(server.address("/drop", **asked | {"pin": f"{MODEL}::mute:f2:iterations:4"}))
        expect(offer).to_contain_text(NOT_COMPUTED)
        expect(both).to_have_count(0)
        expect(page.locator("#drop-curves")).to_have_count(0)
        page.goto(server.address("/drop", model=MODEL, samples=21))
        expect(refused).to_contain_text("this was not.")
        expect(page.locator("#importance-start")).to_be_hidden()
        page.locator("[data-drop-unit=f2]").click()
        expect(page.locator("#drop-status")).not_to_contain_text("nothing dropped")
        wait_until_done(page)
        expect(refused).to_contain_text("this was not.")
        page.goto("about:blank")
