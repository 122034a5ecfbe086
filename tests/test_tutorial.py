"""The tutorials' code runs as it is printed, and prints what it says."""

import doctest
from pathlib import Path

import matplotlib
import pytest

DOCS = Path(__file__).resolve().parents[1] / "docs"


@pytest.mark.parametrize(
    ("name", "least"), [("tutorial.md", 15), ("circuits.md", 15), ("statements.md", 15), ("blocks.md", 15)]
)
def test_the_tutorial_prints_what_it_says(name: str, least: int) -> None:
    matplotlib.use("agg")
    found = doctest.testfile(
        str(DOCS / name), module_relative=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    )
    assert found.attempted > least
    assert found.failed == 0
