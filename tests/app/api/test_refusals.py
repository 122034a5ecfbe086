"""Lines of the log about refusals: bounded, counted, and never anybody's own lines."""

import pytest

from routescope_app.api import refusals


def test_so_many_lines_a_minute_and_the_rest_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    monkeypatch.setattr(refusals.time, "monotonic", lambda: now)
    monkeypatch.setattr(refusals, "LINES_A_MINUTE", 2)
    lines = refusals.Lines()
    assert [lines.left_out() for _ in range(5)] == [0, 0, None, None, None]
    now += 61
    assert [lines.left_out() for _ in range(3)] == [3, 0, None]


def test_nobody_writes_lines_of_their_own(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "_lines", {})
    refusals.write(404, "not-found", "urn:uuid:0", "GET /a\n500 forged\x1b[31m" + "b" * 5_000, "why\u2028not", "::1")
    (record,) = caplog.records
    message = record.getMessage()
    assert message.isascii() and message.isprintable() and "GET /a\\n500 forged\\x1b" in message and len(message) < 400
