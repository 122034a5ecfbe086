"""What a failed callback says of itself."""

import dash
import pytest

from routescope_app.api.client import ApiProblem
from routescope_app.dashboard import errors
from routescope_app.dashboard.validation import NotValid


def test_a_callback_that_the_service_failed_says_so_in_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    headers: dict[str, str] = {}

    class Context:
        response = type("Response", (), {"append_header": staticmethod(headers.__setitem__)})

    monkeypatch.setattr(dash, "callback_context", Context)
    monkeypatch.setattr(errors, "notify", lambda *_: None)
    for error in (ApiProblem("Not found", "gone", 404), NotValid("no")):
        errors.on_error(error)
        assert headers == {}
    for error, status in ((ApiProblem("Too busy", "later", 503), "503"), (RuntimeError("x"), "500")):
        headers.clear()
        assert errors.on_error(error) is dash.no_update
        assert headers == {errors.UNANSWERED: status}
