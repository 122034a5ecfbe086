"""Whatever a browser sends, reading it gives valid values or says what is wrong."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routescope_app.dashboard.validation import (
    DropChoice,
    FollowedJob,
    GalleryFilters,
    InterventionChoice,
    NotValid,
    SampleEdit,
    Selection,
    ShownStep,
    in_ranges,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = sorted(
    {name for kind in (Selection, GalleryFilters, InterventionChoice, ShownStep) for name in kind.model_fields}
)


@given(JSON | st.dictionaries(st.sampled_from(NAMES), JSON))
def test_reading_gives_valid_values_or_a_sentence(value: object) -> None:
    for kind in (Selection, GalleryFilters, InterventionChoice, ShownStep, SampleEdit):
        try:
            read = kind.read(value)
        except NotValid as refusal:
            assert "not accepted" in str(refusal)
            assert len(str(refusal)) < 300
        else:
            assert kind.read(json.loads(read.model_dump_json())) == read


@given(st.dictionaries(st.sampled_from(NAMES), st.text(max_size=30)))
def test_addresses_never_fail(query: dict[str, str]) -> None:
    for kind in (Selection, GalleryFilters, InterventionChoice, ShownStep):
        read = kind.of_query(query)
        for name in kind.model_fields.keys() - query.keys():
            assert getattr(read, name) == getattr(kind(), name)


@given(st.lists(st.sampled_from(["f1", "f2", "f3"])), st.lists(st.sampled_from(["f1", "f2", "f3"])))
def test_a_unit_is_muted_or_dropped_once_or_neither(mute: list[str], drop: list[str]) -> None:
    choice = InterventionChoice.of_query({"mute": ",".join(mute), "drop": ",".join(drop)})
    assert set(choice.drop) == set(drop)
    assert set(choice.mute) == set(mute) - set(drop)
    assert len(choice.mute) == len(set(choice.mute))
    assert len(choice.drop) == len(set(choice.drop))
    assert bool(choice.fields) == bool(mute or drop)


@pytest.mark.parametrize("iterations", [0, -1, 65, 10**9, "many", 1.5])
def test_iterations_out_of_range_are_refused(iterations: object) -> None:
    with pytest.raises(NotValid, match="iterations"):
        InterventionChoice.read({"iterations": iterations})
    assert InterventionChoice.of_query({"iterations": str(iterations)}).iterations is None


def test_what_is_valid_in_an_address_survives_what_is_not() -> None:
    filters = GalleryFilters.of_query({"set": "mnist", "label": "x", "page": "3", "wrong": "1", "other": "y"})
    assert filters == GalleryFilters(set="mnist", page=3, wrong=True)


def test_the_choice_of_the_drop_page() -> None:
    query = {"kind": "mean", "units": "f2,f1,f2", "iterations": "3", "data": "mnist", "samples": "250", "model": "x"}
    query |= {"least": "64", "edges": "0.25", "top_k": "2"}
    assert DropChoice.of_query(query).model_dump() == {
        "kind": "mean", "units": ("f2", "f1"), "least": 64, "edges": 0.25, "iterations": 3, "top_k": 2,
        "data": ("mnist",), "samples": 250, "distribution": "in",
    }  # fmt: skip
    wrong = {"kind": "explode", "units": "f" * 41, "iterations": "0", "data": "../etc", "samples": "-1"}
    wrong |= {"least": "-1", "edges": "nan", "top_k": "0"}
    assert DropChoice.of_query(wrong) == DropChoice()
    assert DropChoice.of_query(wrong | {"samples": "7"}).samples == 7


def test_a_followed_job_has_an_id_and_a_state() -> None:
    assert FollowedJob.read({"id": "a" * 40, "state": "done", "result": "/x"}).state == "done"
    for wrong in ({"id": "../models", "state": "done"}, {"id": "a" * 40, "state": "finished"}, None, "done"):
        with pytest.raises(NotValid):
            FollowedJob.read(wrong)


@given(st.sets(st.integers(0, 29)))
def test_ranges_in_an_address_are_names(chosen: set[int]) -> None:
    units = [f"m{n + 1}" for n in range(30)]
    runs: list[list[int]] = []
    for at in sorted(chosen):
        if runs and runs[-1][-1] == at - 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    text = ",".join(units[run[0]] if len(run) == 1 else f"{units[run[0]]}..{units[run[-1]]}" for run in runs)
    choice = InterventionChoice.of_query({"drop": text})
    assert in_ranges(units, choice.drop) == tuple(units[at] for at in sorted(chosen))


def test_a_range_of_unknown_units_is_no_range() -> None:
    assert in_ranges(["m1", "m2"], ["m2..m1", "m2..m9", "f99"]) == ("m1", "m2", "m2..m9", "f99")
