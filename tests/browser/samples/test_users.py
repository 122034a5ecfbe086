"""Who looks at the page, the way out, and a service that is read-only."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from playwright.sync_api import Page, expect

from app.services.store import Store
from app.services.users import Tokens
from app.settings import Settings
from tests.browser.conftest import MODEL, Server, served

TOKEN = "a-long-enough-token-for-tests"


@contextlib.contextmanager
def with_settings(folder: Path, **variables: str) -> Iterator[Server]:
    with mock.patch.dict(os.environ, variables), served(folder) as running:
        yield running


def test_a_user_sees_their_name_and_logs_out(page: Page, tmp_path: Path) -> None:
    with with_settings(tmp_path, ROUTESCOPE_TOKEN=TOKEN) as server:
        store = Store(Settings(data_dir=tmp_path).database)
        anna = Tokens(store).add("anna@lab.example")
        store.close()
        page.goto(server.address("/samples", model=MODEL))
        page.fill("#token", anna)
        page.click("text=Log in >> nth=-1")
        foot = page.locator(".frame-foot")
        expect(foot).to_contain_text("anna@lab.example")
        page.click("#samples-delete-menu")
        expect(page.locator(".delete-all")).to_contain_text("All that anna@lab.example brought, in whatever browser")
        foot.get_by_role("button", name="Log out").click()
        expect(page.get_by_label("Token")).to_be_visible()
        page.goto(server.address("/samples"))
        expect(page.get_by_label("Token")).to_be_visible()


def test_a_read_only_service_shows_nothing_that_writes(page: Page, tmp_path: Path) -> None:
    with with_settings(tmp_path, ROUTESCOPE_READ_ONLY="1") as server:
        page.goto(server.address("/samples", model=MODEL))
        own = page.locator("#panel-bring")
        expect(own.get_by_role("note")).to_contain_text("This service is read-only")
        for hidden in ("#drawing-pad", "label[for=upload-input]", "#samples-delete-menu"):
            expect(page.locator(hidden)).to_be_hidden()
        expect(page.locator(".frame-foot")).to_contain_text("Read-only")
        page.get_by_role("button", name="Snapshots").click()
        snapshots = page.locator(".snapshots-dialog")
        expect(snapshots).to_contain_text("This service is read-only")
        expect(snapshots.get_by_role("button", name="Keep this view")).to_be_hidden()
        page.goto(server.address("/logs"))
        expect(page.locator("#panel-logs-bring").get_by_role("note")).to_be_visible()
        expect(page.locator("label[for=logs-file]")).to_be_hidden()
