"""Routes between blocks as plain data: one form of each change, and errors that say what would be accepted."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.nn.blocks.routes import route_of
from routescope.nn.network import Bounds, Network, ReroutableNetwork
from routescope.routing import Intervention, InterventionError
from routescope.routing.intervention import sources_of
from routescope.routing.options import ends

LEVELS = (("A", "B", "task"), ("1.1", "1.2"), ("2.1", "2.2"), ("A", "B"))


class OfBlocks(ReroutableNetwork):
    levels, units, bounds = LEVELS, ("1.1", "1.2", "2.1", "2.2"), Bounds(2, 0, None)  # type: ignore[assignment]


class OfPictures(Network):
    units, bounds = ("f1",), Bounds(2, 0, None)  # type: ignore[assignment]


MODEL, PICTURES = OfBlocks(), OfPictures()
ROUTES = tuple(route_of(source, block) for block, sources in sources_of(LEVELS).items() for source in sources)
untimed = settings(deadline=None)
gates = st.dictionaries(st.sampled_from(sorted(sources_of(LEVELS))), st.floats(0, 1))


def test_routes_go_from_each_level_to_the_next() -> None:
    assert len(ROUTES) == len(set(ROUTES)) == 3 * 2 + 2 * 2 + 2 * 2
    assert {"task>1.2", "1.1>2.2", "2.1>A"} <= set(ROUTES)
    assert "1.1>A" not in ROUTES and "A>2.1" not in ROUTES and "A>B" not in ROUTES
    assert sources_of((("A", "task"), ("A",))) == {"A": ("A", "task")}
    assert all(route_of(*ends(route)) == route for route in ROUTES)


def test_the_json_says_what_is_set() -> None:
    change = Intervention(mute_routes=("B>1.1", "A>1.1"), copy_routes=("1.1>2.1",), gates={"E": 1, "1.2": -0.0})
    assert json.loads(change.to_json()) == {
        "drop": [],
        "iterations": None,
        "mute": [],
        "mute_routes": ["A>1.1", "B>1.1"],
        "copy_routes": ["1.1>2.1"],
        "gates": {"1.2": 0.0, "E": 1.0},
    }
    assert change.digest == Intervention.from_json(change.to_json()).digest
    assert Intervention(gates={"E": 0}).to_json() == Intervention(gates=[["E", -0.0]]).to_json()
    assert Intervention(gates={"E": 0}) != Intervention()


def test_a_block_that_is_made_a_copy_is_only_that() -> None:
    copied = Intervention(copy_routes=("A>1.1",))
    assert Intervention(mute_routes=("A>1.1", "B>1.1"), copy_routes=["A>1.1"], gates={"1.1": 0}) == copied
    partly = Intervention(copy_routes=["A>1.1"], gates={"1.1": 0.5, "1.2": 0})
    assert partly.gates == (("1.1", 0.5), ("1.2", 0.0)), "a gate that is asked for is not that of a copy"
    both = Intervention(mute_routes=("A>1.1", "A>1.2"), copy_routes=("A>1.1",))
    assert both.mute_routes == ("A>1.2",)
    with pytest.raises(InterventionError, match="one block only, not of A and of B"):
        Intervention(copy_routes=("A>1.1", "B>1.1"))


def test_nothing_else_is_changed_about_a_block_that_is_dropped() -> None:
    dropped = Intervention(drop=("1.1",))
    assert Intervention(drop=("1.1",), gates={"1.1": 1}, copy_routes=("A>1.1",), mute_routes=("1.1>2.1",)) == dropped
    with pytest.raises(InterventionError, match=r"2\.1 cannot be a copy of 1\.1"):
        Intervention(drop=("1.1",), copy_routes=("1.1>2.1",))


@untimed
@given(st.sampled_from(ROUTES), gates)
def test_what_a_model_has_is_accepted(route: str, fixed: dict[str, float]) -> None:
    Intervention(mute_routes=(route,), gates=fixed).validate(MODEL)
    Intervention(copy_routes=(route,)).validate(MODEL)


@pytest.mark.parametrize(
    ("changes", "accepted"),
    [
        ({"mute_routes": ["A>3.1"]}, r"routes to 1\.1, 1\.2, 2\.1, 2\.2, A, B"),
        ({"mute_routes": ["A>2.1"]}, r"which is made of 1\.1, 1\.2"),
        ({"copy_routes": ["1.1>A"]}, r"which is made of 2\.1, 2\.2"),
        ({"copy_routes": ["x" * 500 + ">1.1"]}, "which is made of A, B, task"),
        ({"gates": {"task": 0}}, r"gates of 1\.1, 1\.2, 2\.1, 2\.2, A, B"),
        ({"mute_routes": ["A>1.1", "B>1.1", "task>1.1"]}, r"all routes to 1\.1 are muted; leave one of A, B, task"),
        ({"mute_routes": ["1.1>2.1"], "drop": ["1.2"]}, r"all routes to 2\.1 are muted"),
    ],
)
def test_what_a_model_has_not_is_refused(changes: dict[str, Any], accepted: str) -> None:
    with pytest.raises(InterventionError, match=accepted) as raised:
        Intervention(**changes).validate(MODEL)
    assert len(str(raised.value)) < 500


@pytest.mark.parametrize("field", ["mute_routes", "copy_routes"])
@pytest.mark.parametrize("value", [3, None, "A>1.1", (1,), ("A",), (">",), ("A>",), (">1.1",), ("A>1.1>B",), {"A": 1}])
def test_what_are_no_routes_is_refused(field: str, value: Any) -> None:
    with pytest.raises(InterventionError, match="A>1.3"):
        Intervention(**{field: value})


@pytest.mark.parametrize(
    "value",
    [3, None, "1.1", ["1.1"], [("1.1",)], [("1.1", 1, 1)], {"1.1": "1"}, {"1.1": True}, {"1.1": -0.1}, {"1.1": 1.1},
     {"1.1": float("nan")}, {"1.1": None}, {1: 1}],
)  # fmt: skip
def test_what_are_no_gates_is_refused(value: Any) -> None:
    with pytest.raises(InterventionError, match="from 0"):
        Intervention(gates=value)


def test_two_gates_of_a_block_are_refused() -> None:
    with pytest.raises(InterventionError, match="one number, not two"):
        Intervention(gates=[("1.1", 0.5), ("1.1", 0.25)])
