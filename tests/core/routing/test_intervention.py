"""Interventions are plain data: one canonical form, one digest, and errors that say what is accepted."""

import copy
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.nn.blocks.routes import route_of
from routescope.nn.interpreter.network import NeuralInterpreter
from routescope.nn.network import Bounds, Network, ReroutableNetwork
from routescope.routing import KINDS, Intervention, InterventionError
from routescope.routing.intervention import sources_of
from routescope.routing.options import OPTIONS, ends
from tests.core.nn.networks import config

UNITS = [f"f{i}" for i in range(1, 7)]
BLOCKS = ["1.1", "1.2", "2.1", "E"]
names = st.lists(st.sampled_from(UNITS), max_size=8)
counts = st.none() | st.integers(0, 12)
#: Values of all fields; no block is made a copy of two sources.
values = st.fixed_dictionaries(
    dict.fromkeys(KINDS, names),
    optional={
        "iterations": counts,
        "top_k": st.none() | st.integers(1, 9),
        "keep_edges": st.none() | st.floats(0, 1) | st.sampled_from([0, 1]),
        "mute_routes": st.lists(st.builds("{}>{}".format, st.sampled_from("AB"), st.sampled_from(BLOCKS)), max_size=4),
        "copy_routes": st.dictionaries(st.sampled_from(BLOCKS), st.sampled_from("AB"), max_size=2).map(
            lambda copies: [f"{source}>{block}" for block, source in copies.items()]
        ),
        "gates": st.dictionaries(st.sampled_from(BLOCKS), st.floats(0, 1) | st.integers(0, 1), max_size=2),
    },
)


@pytest.fixture(scope="module")
def model() -> NeuralInterpreter:
    return NeuralInterpreter(config(scripts=1, functions=6)).eval()


def spread(value: Any, random: Any) -> Any:
    """Return the same value in another order, with everything twice."""
    if not isinstance(value, list | dict):
        return value
    twice = [*value, *value] if isinstance(value, list) else [*value.items(), *value.items()]
    random.shuffle(twice)
    return tuple(twice)


@given(values, values, st.randoms(use_true_random=False))
def test_one_intervention_has_one_form(given_: dict[str, Any], others: dict[str, Any], random: Any) -> None:
    change = Intervention(**given_)
    text = change.to_json()
    assert Intervention(**{name: spread(value, random) for name, value in given_.items()}) == change
    for again in (
        Intervention.from_json(text),
        Intervention.from_json(json.dumps(dict(reversed(json.loads(text).items())), indent=3)),
        copy.deepcopy(change),
        replace(change),
    ):
        assert (again, hash(again), again.digest, again.to_json()) == (change, hash(change), change.digest, text)
    named = {name for name in OPTIONS if getattr(change, name) not in (None, ())}
    assert set(json.loads(text)) == {"drop", "mute", "iterations"} | named
    other = Intervention(**others)
    assert (other.digest == change.digest) == (other.to_json() == text) == (other == change)


@given(values)
def test_a_unit_counts_once_in_the_order_of_the_kinds(given_: dict[str, Any]) -> None:
    change, taken = Intervention(**given_), set[str]()
    for kind in KINDS:
        assert getattr(change, kind) == tuple(sorted(set(given_[kind]) - taken))
        taken |= set(given_[kind])
    assert change.units == taken
    assert change.structural == replace(change, mean=(), resample=())
    for name in set(OPTIONS) - {"mean", "resample"}:
        assert getattr(change.structural, name) == getattr(change, name)


@pytest.mark.parametrize("kind", KINDS)
def test_further_units_are_ablated_in_one_way(kind: Any, model: NeuralInterpreter) -> None:
    change = Intervention(iterations=3).ablating(kind, ["f2"]).ablating(kind, iter(["f1"]))
    assert change == Intervention(**{kind: ("f1", "f2")}, iterations=3)
    if kind in ("mean", "resample"):
        with pytest.raises(InterventionError, match="reference samples"):
            change.apply(model)
    with pytest.raises(InterventionError, match="drop, mute, mean, resample"):
        change.ablating("iterations", ["f1"])  # type: ignore[arg-type]


#: Forms of interventions, and their digests in earlier versions, by which stored results are found.
DIGESTS: dict[str, tuple[Intervention, str]] = {
    '{"drop":[],"iterations":null,"mute":[]}': (Intervention(), "4d19f2fa0fb46079"),
    '{"drop":["f2","f4"],"iterations":6,"mute":["f1"]}': (
        Intervention(drop=("f4", "f2"), mute=("f1",), iterations=6), "9a76d1c393b8e8a4"),
    '{"drop":[],"iterations":null,"mean":["f1"],"mute":[],"resample":["f2"]}': (
        Intervention(mean=("f1",), resample=("f2",)), "2d034981e209926a"),
    '{"drop":["f1"],"iterations":null,"keep_edges":0.5,"mute":[]}': (
        Intervention(drop=("f1",), keep_edges=0.5), "d1159bee7ed7599e"),
}  # fmt: skip


def test_digests_are_those_of_earlier_versions() -> None:
    for text, (change, digest) in DIGESTS.items():
        assert (change.to_json(), change.digest) == (text, digest)
    for shares in ((0, 0.0, -0.0), (1, 1.0)):
        same = {Intervention(keep_edges=share).digest for share in shares}
        assert len(same) == 1 and Intervention().digest not in same


@pytest.mark.parametrize("field", KINDS)
@pytest.mark.parametrize("unit", ["f7", "F1", "", "s1.f1", "f1 ", "<script>", "x" * 5000, "f\u0000"])
def test_an_unknown_unit_is_refused_with_the_known_units(model: NeuralInterpreter, field: str, unit: str) -> None:
    wrong = Intervention(**{field: ("f1", unit)})
    for ask in (wrong.validate, wrong.apply):
        with pytest.raises(InterventionError, match="f1, f2, f3, f4, f5, f6") as raised:
            ask(model)
        assert unit[:20] in str(raised.value) and len(str(raised.value)) < 500


WRONG: dict[str, tuple[list[Any], str]] = {
    "drop": ([3, None, "f1", (1,), (None,), {"f1": 1}, [["f1"]]], "drop must be a list of unit names"),
    "mute": (["f1", None], "mute must be a list of unit names"),
    "iterations": ([-1, 65, 10**6, 1.5, "3", True], "iterations must be a whole number from 0 to 64"),
    "top_k": ([0, -1, 1_025, 1.5, "3", True], "top_k must be a whole number from 1 to 1,024"),
    "keep_edges": ([-0.1, 1.1, float("nan"), float("inf"), "0.5", True, [0.5]], "a share from 0 to 1"),
    "explode": ([("f1",)], "no field for explode; it has drop, mute, mean"),
}


@pytest.mark.parametrize(("field", "value"), [(field, value) for field, (wrong, _) in WRONG.items() for value in wrong])
def test_wrong_values_are_refused_with_the_accepted_ones(field: str, value: Any) -> None:
    for make in (
        lambda: Intervention(**{field: value}),
        lambda: Intervention.from_json(json.dumps({field: value})),
        lambda: replace(Intervention(), **{field: value}),
    ):
        with pytest.raises(InterventionError, match=WRONG[field][1]) as raised:
            make()
        assert "\n" not in str(raised.value)


@pytest.mark.parametrize("text", ["", "null", "3", "[]", '"f1"', "{"])
def test_text_that_is_no_intervention_is_refused(text: str) -> None:
    with pytest.raises(InterventionError, match="JSON with the fields drop, mute, mean"):
        Intervention.from_json(text)
    assert Intervention.from_json("{}") == Intervention()


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
    with pytest.raises(InterventionError, match="one number, not two"):
        Intervention(gates=[("1.1", 0.5), ("1.1", 0.25)])
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
