"""Histories of cards as series: every number under its path, nothing else, nothing that is not finite."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope_app.services.blocks.indicators import indicators
from routescope_app.services.errors import NotFound


class Info:
    """What indicators read of a model."""

    id, revision = "m", "r"

    def __init__(self, card: dict[str, Any]) -> None:
        self.card = card


def of(card: dict[str, Any]) -> dict[str, Any]:
    info: Any = Info(card)
    return indicators(info)


def test_series() -> None:
    entry = {"loss": None, "accuracy": {"validation": 0.5}, "gates": {"l1": {"mean": 0.25}}, "x": [1, 2], "note": "a"}
    result = of({"history": [{"step": 0, **entry}, {"step": 10, "loss": 2.0, "late": float("nan")}]})
    assert result["steps"] == [0, 10]
    assert {item["name"]: item["values"] for item in result["series"]} == {
        "accuracy.validation": [0.5, None],
        "gates.l1.mean": [0.25, None],
        "x.1": [1.0, None],
        "x.2": [2.0, None],
        "loss": [None, 2.0],
        "late": [None, None],
    }


NAMES = st.text("abc1", min_size=1, max_size=3)
ENTRY = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=3),
    lambda inner: st.dictionaries(NAMES, inner, max_size=3) | st.lists(inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 10**6), ENTRY), min_size=1, max_size=4))
def test_whatever_a_card_holds(entries: list[tuple[int, Any]]) -> None:
    result = of({"history": [{"step": step, "held": held} for step, held in entries]})
    json.dumps(result, allow_nan=False)
    names = [item["name"] for item in result["series"]]
    assert len(set(names)) == len(names) and all(len(item["values"]) == len(entries) for item in result["series"])


@pytest.mark.parametrize("card", [{}, {"history": []}, {"history": {}}, {"history": "x"}, {"history": [{"loss": 1}]}])
def test_nothing_was_measured(card: dict[str, Any]) -> None:
    with pytest.raises(NotFound):
        of(card)
