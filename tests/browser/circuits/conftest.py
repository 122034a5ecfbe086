"""Fixtures of the tests of the page Circuits."""

import functools
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.circuits.pair_pages import opened
from tests.browser.conftest import WITHOUT_JOBS, Server


@pytest.fixture
def open_pair(page: Page, server: Server, statement_model: str) -> Callable[..., Page]:
    """Open the page without maps of sentences, which would take the processor from the test."""
    page.add_init_script(WITHOUT_JOBS)
    return functools.partial(opened, page, server, statement_model)
