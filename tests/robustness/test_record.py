"""The document of what was tried names what tests record, and nothing else."""

import ast
from pathlib import Path

import httpx
import pytest

from tests.robustness.record import DOCUMENT, LINES, RECORD, came_back, document, row, said

HERE = Path(__file__).parent


def recorded_by_tests() -> set[str]:
    """Lines that a call of ``came_back`` in a test names."""
    outcome = set()
    for path in HERE.parent.rglob("test_*.py"):
        text = path.read_text()
        if path == Path(__file__) or "came_back(" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "came_back":
                first = node.args[0]
                assert isinstance(first, ast.Constant), f"{path.name}: the line is named as it is"
                outcome.add(first.value)
    return outcome


def test_the_document_names_what_tests_record() -> None:
    rows = [line for line in DOCUMENT.read_text().splitlines() if line.startswith("| ") and line.count(" | ") == 2]
    named = {line.split(" | ")[0].removeprefix("| ") for line in rows} - {"threat", "---"}
    assert named == set(LINES) == recorded_by_tests()


def test_what_differs_from_the_document_is_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(RECORD, raising=False)
    with pytest.raises(AssertionError, match="make hardening"):
        came_back("slow body", "nothing that was sent", "200")
    with pytest.raises(AssertionError, match="no line"):
        came_back("slow bodies", "x", "y")
    monkeypatch.setenv(RECORD, str(tmp_path / "rows"))
    came_back("slow body", "a | b\n", "200")
    assert (tmp_path / "rows").read_text() == '["slow body", "| slow body | a &#124; b\\\\u000a | 200 |"]\n'
    with pytest.raises(AssertionError, match="nothing was recorded of: oversized body"):
        document([("slow body", "x")])


def test_rows_are_text() -> None:
    assert row("a", "<script>", "x" * 500) == f"| a | &lt;script> | {'x' * 399}\u2026 |"
    assert said(httpx.Response(201, json={})) == "201"
