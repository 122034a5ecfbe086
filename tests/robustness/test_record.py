"""The document of what was tried names what tests record, and nothing else."""

import ast
from pathlib import Path

from tests.robustness.record import DOCUMENT, LINES

HERE = Path(__file__).parent


def recorded_by_tests() -> set[str]:
    """Return the threats that calls of `came_back` in tests name."""
    outcome = set()
    for path in HERE.parent.rglob("test_*.py"):
        text = path.read_text()
        if "came_back(" not in text:
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
