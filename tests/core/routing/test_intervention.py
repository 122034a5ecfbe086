"""Interventions are plain data: one canonical form, one digest, and errors that say what is accepted."""

import copy
import json
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routescope.nn.interpreter.network import NeuralInterpreter
from routescope.routing import KINDS, Intervention, InterventionError
from routescope.routing.options import OPTIONS
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


@pytest.mark.parametrize(
    ("change", "text", "digest"),
    [
        (Intervention(), '{"drop":[],"iterations":null,"mute":[]}', "4d19f2fa0fb46079"),
        (
            Intervention(drop=("f4", "f2"), mute=("f1",), iterations=6),
            '{"drop":["f2","f4"],"iterations":6,"mute":["f1"]}',
            "9a76d1c393b8e8a4",
        ),
        (
            Intervention(mean=("f1",), resample=("f2",)),
            '{"drop":[],"iterations":null,"mean":["f1"],"mute":[],"resample":["f2"]}',
            "2d034981e209926a",
        ),
        (
            Intervention(drop=("f1",), keep_edges=0.5),
            '{"drop":["f1"],"iterations":null,"keep_edges":0.5,"mute":[]}',
            "d1159bee7ed7599e",
        ),
    ],
)
def test_digests_are_those_of_earlier_versions(change: Intervention, text: str, digest: str) -> None:
    """Stored results are found by their digest."""
    assert (change.to_json(), change.digest) == (text, digest)


def test_a_share_of_links_has_one_form() -> None:
    whole, none = Intervention(keep_edges=1), Intervention(keep_edges=0)
    assert whole.to_json() == Intervention(keep_edges=1.0).to_json()
    assert none.to_json() == Intervention(keep_edges=-0.0).to_json() and none.digest != Intervention().digest


@given(names, names)
def test_a_view_has_exactly_the_units_that_were_not_dropped(
    model: NeuralInterpreter, drop: list[str], mute: list[str]
) -> None:
    change = Intervention(tuple(drop), tuple(mute))
    view = change.apply(model)
    assert view.units == tuple(unit for unit in UNITS if unit not in drop)
    assert (view.muted, view.all_units, model.units, model.muted) == (change.mute, model.units, tuple(UNITS), ())
    with pytest.raises(FrozenInstanceError):
        change.drop = ("f1",)  # type: ignore[misc]


@pytest.mark.parametrize("field", KINDS)
@pytest.mark.parametrize("unit", ["f7", "F1", "", "s1.f1", "f1 ", "<script>", "x" * 5000, "f\u0000"])
def test_an_unknown_unit_is_refused_with_the_known_units(model: NeuralInterpreter, field: str, unit: str) -> None:
    wrong = Intervention(**{field: ("f1", unit)})
    for ask in (wrong.validate, wrong.apply):
        with pytest.raises(InterventionError, match="f1, f2, f3, f4, f5, f6") as raised:
            ask(model)
        assert unit[:20] in str(raised.value) and len(str(raised.value)) < 500


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("keep_edges", 1, "no links between its units to cut: leave keep_edges out"),
        ("top_k", 1, "no mixture of experts: leave top_k out"),
        ("mute_routes", ["A>1.1"], "routes no blocks"),
        ("copy_routes", ["A>1.1"], "routes no blocks"),
        ("gates", {"1.1": 0}, "routes no blocks"),
    ],
)
def test_a_network_refuses_changes_of_other_networks(
    model: NeuralInterpreter, field: str, value: Any, words: str
) -> None:
    change = Intervention(**{field: value})
    for ask in (change.validate, change.apply):
        with pytest.raises(InterventionError, match=words):
            ask(model)


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
