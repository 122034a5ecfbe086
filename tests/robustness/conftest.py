"""What every test of the service shares."""

import pytest

from routescope_app.api import refusals
from tests.app.fixtures import _made_once, _tiny_model, client, shared  # noqa: F401


@pytest.fixture(autouse=True)
def _lines_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """No line of the log is left out because an earlier test caused many."""
    monkeypatch.setattr(refusals, "_lines", {})
