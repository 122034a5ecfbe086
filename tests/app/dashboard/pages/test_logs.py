"""The page Logs: what its address says reaches the page, and what is no log is left out."""

from pathlib import Path

import pytest

from routescope_app.dashboard.pages.logs.page import PAGE
from tests.app.serving import settings

LOG = "0123456789abcdef" * 2


@pytest.mark.parametrize(("a", "b", "kept"), [(LOG, LOG[::-1], (LOG, LOG[::-1])), ("../etc", LOG, ("", LOG))])
def test_an_address_names_two_logs(a: str, b: str, kept: tuple[str, str], tmp_path: Path) -> None:
    host = PAGE.layout(settings(tmp_path), a=a, b=b)
    reply = host.to_plotly_json()["props"]
    assert (reply["data-a"], reply["data-b"]) == kept


def test_the_page_states_its_own_limit(tmp_path: Path) -> None:
    shown = PAGE.layout(settings(tmp_path, max_log_bytes=12_345))
    sizes = [getattr(member, "data-max-bytes", None) for member in shown._traverse()]
    assert "12345" in sizes
