"""Data sets that hold the same inputs are known by their names and by the hashes of their samples."""

from types import SimpleNamespace
from typing import Any, cast

from routescope.data import load
from routescope.data.sharing import with_same_inputs


def test_functions_at_the_same_points_are_together() -> None:
    """Functions 1 to 20 are pre-trained on some points, 21 to 30 adapted to on others."""
    names = ("boolean-21", "boolean-03", "boolean-20", "mnist", "boolean-30", "boolean-01")
    sets = [load(name, "validation", limit=4) for name in names]
    assert with_same_inputs(sets) == ((0, 4), (1, 2, 5), (3,))
    assert with_same_inputs([]) == ()


def test_hashes_have_the_last_word() -> None:
    """Other splits and other numbers of samples are other inputs, whatever the names say."""
    first, other = load("boolean-01", "validation", limit=4), load("boolean-02", "test", limit=4)
    fewer = load("boolean-03", "validation", limit=3)
    assert with_same_inputs([first, other, fewer]) == ((0,), (1,), (2,))


def test_sets_that_nothing_is_known_of_are_alone() -> None:
    unknown = [cast(Any, SimpleNamespace(name="nowhere")) for _ in range(2)]
    assert with_same_inputs(unknown) == ((0,), (1,))
