"""The tutorial's code runs as it is printed, and prints what it says."""

import doctest
from pathlib import Path

import matplotlib

DOCS = Path(__file__).resolve().parents[1] / "docs"


def test_the_tutorial_prints_what_it_says() -> None:
    matplotlib.use("agg")
    found = doctest.testfile(
        str(DOCS / "tutorial.md"), module_relative=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    )
    assert found.attempted > 15
    assert found.failed == 0
