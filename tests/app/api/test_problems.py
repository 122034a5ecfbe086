"""Problems shorten long names; lines of the log about them are bounded, counted, and forged by nobody."""

import json
from typing import Any

import httpx
import pytest

from routescope_app.api import refusals
from routescope_app.services.errors import NotAccepted
from tests.app.serving import is_problem

pytestmark = pytest.mark.asyncio(loop_scope="module")

NAME = "q" * 4_000


@pytest.mark.parametrize(
    ("path", "options"),
    [
        ("/samples/files", {"files": {"file": (NAME + ".xyz", b"1 2 3")}, "data": {"inputs": "points"}}),
        ("/logs", {"content": json.dumps({NAME: 1}).encode()}),
        ("/logs", {"content": f"layer,expert\n{NAME},1\n".encode()}),
        ("/logs", {"content": b"junk", "params": {"name": NAME}}),
    ],
)
async def test_names_of_files_are_shortened(client: httpx.AsyncClient, path: str, options: dict[str, Any]) -> None:
    if "content" in options:
        options = options | {"headers": {"Content-Type": "application/octet-stream"}}
    answer = await client.post(f"/api/v1{path}", **options)
    is_problem(answer, answer.status_code)
    assert answer.status_code in {404, 422} and NAME[:200] not in answer.text and len(answer.text) < 1_500


async def test_a_refusal_is_never_endless() -> None:
    assert NotAccepted(f"It has {NAME}, which is nothing.").detail == f"It has {'q' * 119}\u2026 which is nothing."
    assert NotAccepted("ab " + NAME + " is nothing.").detail == f"ab {'q' * 119}\u2026 is nothing."
    assert len(NotAccepted("word " * 1_000).detail) == 1_200
    assert NotAccepted("What fits stays.").detail == "What fits stays."


async def test_so_many_lines_of_the_log_a_minute_and_the_rest_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    monkeypatch.setattr(refusals.time, "monotonic", lambda: now)
    monkeypatch.setattr(refusals, "LINES_A_MINUTE", 2)
    lines = refusals.Lines()
    assert [lines.left_out() for _ in range(5)] == [0, 0, None, None, None]
    now += 61
    assert [lines.left_out() for _ in range(3)] == [3, 0, None]
    monkeypatch.undo()


async def test_nobody_writes_lines_of_their_own(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusals, "_lines", {})
    refusals.write(404, "not-found", "urn:uuid:0", "GET /a\n500 forged\x1b[31m" + "b" * 5_000, "why\u2028not", "::1")
    (record,) = caplog.records
    message = record.getMessage()
    assert message.isascii() and message.isprintable() and "GET /a\\n500 forged\\x1b" in message and len(message) < 400
