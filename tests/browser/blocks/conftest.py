"""Fixtures of the tests of the page Blocks."""

import functools
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.blocks.pages import block_models, opened
from tests.browser.conftest import Server

__all__ = ["block_models"]


@pytest.fixture
def open_blocks(page: Page, server: Server, block_models: str) -> Callable[..., Page]:
    return functools.partial(opened, page, server)
