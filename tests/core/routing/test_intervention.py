"""Interventions are plain data: one canonical form, one digest, and errors that say what would be accepted."""

import json
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from routescope.nn.interpreter.network import NeuralInterpreter
from routescope.routing import KINDS, Intervention, InterventionError
from tests.core.nn.networks import config

UNITS = [f"f{i}" for i in range(1, 7)]
names = st.lists(st.sampled_from(UNITS), max_size=8)
counts = st.none() | st.integers(0, 12)
interventions = st.builds(Intervention, drop=names.map(tuple), mute=names.map(tuple), iterations=counts)
shares = st.none() | st.floats(0, 1) | st.sampled_from([0, 1])
BLOCKS = ["1.1", "1.2", "2.1", "E"]
of_blocks = {
    "mute_routes": st.lists(st.builds("{}>{}".format, st.sampled_from("AB"), st.sampled_from(BLOCKS)), max_size=4),
    "copy_routes": st.dictionaries(st.sampled_from(BLOCKS), st.sampled_from("AB"), max_size=2).map(
        lambda copies: [f"{source}>{block}" for block, source in copies.items()]
    ),
    "gates": st.dictionaries(st.sampled_from(BLOCKS), st.floats(0, 1) | st.integers(0, 1), max_size=2),
}
of_every_kind = st.builds(
    Intervention,
    **{kind: names.map(tuple) for kind in ("drop", "mute", "mean", "resample")},
    iterations=counts,
    keep_edges=shares,
    **of_blocks,
)


@pytest.fixture(scope="module")
def model() -> NeuralInterpreter:
    return NeuralInterpreter(config(scripts=1, functions=6)).eval()


@given(names, names, counts, st.randoms(use_true_random=False))
def test_order_and_duplicates_do_not_matter(drop: list[str], mute: list[str], iterations: int | None, random) -> None:
    one = Intervention(tuple(drop), tuple(mute), iterations)
    drop, mute = drop * 2, mute * 3
    random.shuffle(drop)
    random.shuffle(mute)
    other = Intervention(tuple(drop), tuple(mute), iterations)
    assert one == other
    assert hash(one) == hash(other)
    assert one.to_json() == other.to_json()
    assert one.digest == other.digest


@given(of_every_kind)
def test_json_is_canonical_and_read_back(intervention: Intervention) -> None:
    text = intervention.to_json()
    again = Intervention.from_json(text)
    assert again == intervention
    assert again.to_json() == text
    spread = json.dumps(dict(reversed(json.loads(text).items())), indent=3)
    assert Intervention.from_json(spread).to_json() == text
    named = {kind for kind in ("mean", "resample") if getattr(intervention, kind)}
    named |= set() if intervention.keep_edges is None else {"keep_edges"}
    named |= {field for field in of_blocks if getattr(intervention, field)}
    assert set(json.loads(text)) == {"drop", "mute", "iterations"} | named
    for field in ("drop", "mute", "iterations", "keep_edges", *of_blocks):
        assert getattr(intervention.structural, field) == getattr(intervention, field)
    assert intervention.structural.mean == intervention.structural.resample == ()


@given(of_every_kind, of_every_kind)
def test_different_interventions_have_different_digests(one: Intervention, other: Intervention) -> None:
    assume(one != other)
    assert one.digest != other.digest
    assert one.to_json() != other.to_json()


@given(interventions)
def test_a_dropped_unit_is_only_dropped(intervention: Intervention) -> None:
    assert not set(intervention.drop) & set(intervention.mute)
    assert list(intervention.drop) == sorted(set(intervention.drop))
    both = Intervention(drop=intervention.drop, mute=intervention.drop + intervention.mute)
    assert both == Intervention(drop=intervention.drop, mute=intervention.mute)


@given(names, names, names, names)
def test_a_unit_named_several_times_counts_once(
    drop: list[str], mute: list[str], mean: list[str], resample: list[str]
) -> None:
    """As drop before mute before mean before resample."""
    given_ = dict(zip(KINDS, map(tuple, (drop, mute, mean, resample)), strict=True))
    found, taken = Intervention(**given_), set()
    for kind in KINDS:
        assert getattr(found, kind) == tuple(sorted(set(given_[kind]) - taken))
        taken |= set(given_[kind])
    assert found.units == taken
    assert found.structural == Intervention(drop=found.drop, mute=found.mute)


@pytest.mark.parametrize("kind", KINDS)
def test_one_kind_of_ablation_by_name(kind) -> None:
    found = Intervention(iterations=3).ablating(kind, ["f2", "f1"])
    assert found == Intervention(**{kind: ("f1", "f2")}, iterations=3)
    with pytest.raises(InterventionError, match="drop, mute, mean, resample"):
        Intervention().ablating("iterations", ["f1"])  # type: ignore[arg-type]


def test_a_view_does_not_take_what_it_cannot_carry_out(model: NeuralInterpreter) -> None:
    for kind in ("mean", "resample"):
        with pytest.raises(InterventionError, match="reference samples"):
            Intervention().ablating(kind, ["f1"]).apply(model)  # type: ignore[arg-type]


def test_the_digest_is_that_of_every_process() -> None:
    """Cached traces are found again after a restart: a digest must not depend on the process."""
    assert Intervention().to_json() == '{"drop":[],"iterations":null,"mute":[]}'
    digest = Intervention(drop=("f4", "f2"), mute=("f1",), iterations=6).digest
    assert digest == Intervention.from_json('{"iterations": 6, "mute": ["f1"], "drop": ["f2", "f4", "f2"]}').digest
    assert set(digest) <= set("0123456789abcdef")
    import hashlib

    text = '{"drop":["f2","f4"],"iterations":6,"mute":["f1"]}'
    assert hashlib.sha256(text.encode()).hexdigest().startswith(digest)
    assert len(digest) >= 16


@pytest.mark.parametrize(
    ("change", "digest"),
    [
        (Intervention(), "4d19f2fa0fb46079"),
        (Intervention(drop=("f4", "f2"), mute=("f1",), iterations=6), "9a76d1c393b8e8a4"),
        (Intervention(mean=("f1",), resample=("f2",)), "2d034981e209926a"),
        (Intervention(drop=("f1",), keep_edges=0.5), "d1159bee7ed7599e"),
    ],
)
def test_digests_are_those_of_earlier_versions(change: Intervention, digest: str) -> None:
    """What was kept under them is found again."""
    assert change.digest == digest


def test_a_share_of_links_has_one_form() -> None:
    assert Intervention(keep_edges=1) == Intervention(keep_edges=1.0)
    assert Intervention(keep_edges=1).digest == Intervention(keep_edges=1.0).digest
    assert Intervention(keep_edges=0).to_json() == Intervention(keep_edges=-0.0).to_json()
    assert Intervention(keep_edges=0).digest != Intervention().digest
    assert Intervention(keep_edges=0.5).ablating("drop", ["f1"]) == Intervention(drop=("f1",), keep_edges=0.5)


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), float("inf"), "0.5", True, [0.5]])
def test_a_share_that_is_none_is_refused(share: object) -> None:
    with pytest.raises(InterventionError, match="from 0 to 1"):
        Intervention(keep_edges=share)  # type: ignore[arg-type]


def test_a_network_without_links_refuses_to_cut_them(model: NeuralInterpreter) -> None:
    for ask in (Intervention(keep_edges=1).validate, Intervention(keep_edges=1).apply):
        with pytest.raises(InterventionError, match="no links"):
            ask(model)


def test_it_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Intervention().drop = ("f1",)  # type: ignore[misc]


@given(interventions)
def test_a_view_has_exactly_the_units_that_were_not_dropped(
    model: NeuralInterpreter, intervention: Intervention
) -> None:
    view = intervention.apply(model)
    assert view.units == tuple(u for u in model.units if u not in intervention.drop)
    assert view.muted == intervention.mute
    assert view.all_units == model.units
    assert model.units == tuple(UNITS)
    assert model.muted == ()


def test_every_unit_may_be_dropped(model: NeuralInterpreter) -> None:
    assert Intervention(drop=model.units).apply(model).units == ()


@pytest.mark.parametrize("field", KINDS)
@pytest.mark.parametrize("unit", ["f7", "F1", "", "s1.f1", "f1 ", "<script>", "x" * 5000, "f\u0000"])
def test_an_unknown_unit_is_refused_with_those_there_are(model: NeuralInterpreter, field: str, unit: str) -> None:
    wrong = Intervention(**{field: ("f1", unit)})
    for ask in (wrong.validate, wrong.apply):
        with pytest.raises(InterventionError, match="f1, f2, f3, f4, f5, f6") as raised:
            ask(model)
        assert unit[:20] in str(raised.value)
        assert len(str(raised.value)) < 500


@pytest.mark.parametrize("iterations", [-1, 10**6, 1.5, "3", True])
def test_a_bad_number_of_iterations_is_refused(iterations: object) -> None:
    with pytest.raises(InterventionError, match="from 0 to"):
        Intervention(iterations=iterations)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "3",
        "[]",
        '"f1"',
        "{",
        '{"drop": "f1"}',
        '{"mute": "f1"}',
        '{"drop": null}',
        '{"drop": 3}',
        '{"drop": [3]}',
        '{"drop": {"f1": 1}}',
        '{"drop": [["f1"]]}',
        '{"iterations": "6"}',
        '{"iterations": NaN}',
        '{"explode": ["f1"]}',
    ],
)
def test_text_that_is_no_intervention_is_refused(text: str) -> None:
    with pytest.raises(InterventionError, match="drop|mute|iterations"):
        Intervention.from_json(text)


def test_missing_fields_are_no_change() -> None:
    assert Intervention.from_json("{}") == Intervention()


@pytest.mark.parametrize("value", [3, None, "f1", (1,), (None,)])
def test_a_value_that_is_no_list_of_names_is_refused(value: object) -> None:
    with pytest.raises(InterventionError, match="list of unit names"):
        Intervention(drop=value)  # type: ignore[arg-type]
