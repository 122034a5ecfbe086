"""Whatever a browser sends, reading it gives valid values or says what is wrong."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routescope.routing.options import MAX_ITERATIONS
from routescope_app.api.schemas.base import MOST_SAMPLES, MOST_UNITS
from routescope_app.dashboard import PAGES
from routescope_app.dashboard.address import as_state
from routescope_app.dashboard.pages.blocks.page import BlocksChoice
from routescope_app.dashboard.pages.circuits.page import CircuitChoice
from routescope_app.dashboard.pages.graphs.page import MOST_LINKS, GraphChoice, GraphView
from routescope_app.dashboard.pages.observe.page import ObserveChoice, ObserveView
from routescope_app.dashboard.pages.samples.page import GalleryFilters
from routescope_app.dashboard.validation import (
    LONGEST_PIN,
    DropChoice,
    Input,
    InterventionChoice,
    NotValid,
    PinChoice,
    Selection,
    ShownStep,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
CHOICES = sorted({Selection, *(choice for page in PAGES for choice in page.asks)}, key=lambda choice: choice.__name__)
NAMES = sorted({name for choice in CHOICES for name in choice.model_fields})


@given(JSON | st.dictionaries(st.sampled_from(NAMES), JSON))
def test_reading_gives_valid_values_or_a_sentence(value: object) -> None:
    for choice in (Selection, GalleryFilters, InterventionChoice, ShownStep):
        try:
            read = choice.read(value)
        except NotValid as refusal:
            assert "not accepted" in str(refusal)
            assert len(str(refusal)) < 300
        else:
            assert choice.read(json.loads(read.model_dump_json())) == read


@given(st.dictionaries(st.sampled_from(NAMES), st.text(max_size=30)))
def test_addresses_never_fail(query: dict[str, str]) -> None:
    for choice in CHOICES:
        read = choice.of_query(query)
        json.dumps(as_state(read), allow_nan=False)
        for name in choice.model_fields.keys() - query.keys():
            assert getattr(read, name) == getattr(choice(), name)


def scene(thing: object) -> str:
    return json.dumps({"pictures": [["large red circle 0.5 0.5", thing], []]})


#: Choice -> name in the address -> values that are refused.
REFUSED: dict[type[Input], dict[str, list[str]]] = {
    Selection: {"sample": ["../etc"], "model": ["../etc", "<b>"]},
    InterventionChoice: {"iterations": ["0", "-1", "65", "1000000000", "many", "1.5"], "edges": ["1.5", "nan"]},
    GalleryFilters: {"label": ["x"]},
    DropChoice: {
        "kind": ["explode"], "units": ["f" * 41], "iterations": ["0"], "data": ["../etc"], "samples": ["-1"],
        "least": ["-1"], "edges": ["nan"], "top_k": ["0"],
    },
    ObserveChoice: {"data": ["../x"], "samples": ["0", str(MOST_SAMPLES + 1)]},
    ObserveView: {"cell": ["sum"], "measure": ["mean"]},
    GraphChoice: {"least": [str(MOST_UNITS + 1)], "edges": ["1.5", "nan"], "data": ["../x"], "samples": ["0"]},
    GraphView: {
        "order": ["<b>"], "colour": ["red"], "links": [str(MOST_LINKS + 1)], "view": ["1,2"], "unit": ["m" * 41],
        "compare": ["perhaps"],
    },
    BlocksChoice: {
        "digits": ["3,1,x", "3,10", ",".join("1" * 17)], "program": ["0,1", "65", ",".join("1" * 17)],
        "permutation": ["0"], "iterations": ["0", "65", "many"], "step": ["0", "5000"],
        "mute_routes": ["A", "A>1.1>2.1", "<b>>1.1"], "copy_routes": [",".join(f"A>1.{n}" for n in range(257))],
        "gates": ["1.1", "1.1:x", "1.1:1.5", "1.1:nan", "1.1:inf"], "measured": ["0"],
    },
    CircuitChoice: {
        "s1": ["x" * 5_000], "threshold": ["1.5", "nan"], "method": ["umap"],
        "lasso": ["circuits:1,2", "x:0,0,1,0,1,1"], "view": ["0,0"], "edges": ["2"], "focus": ["0"],
        "kinds": [",".join(["kind"] * 500)], "samples": ["only-one"],
        "statement": ["../etc", "nonsense"], "seed": ["-1"],
        "scene": [
            "[1]", "{", "[" * 3_999, '{"a":' * 700, '{"pictures": [' + "[" * 3_900, '{"pictures": [[]]}',
            '{"pictures": [[], [], []]}', '{"pictures": [NaN, []]}', '{"of": "../etc", "pictures": [[], []]}',
            '{"of": 1e999, "pictures": [[], []]}', json.dumps({"x": "y" * 5_000}),
            scene("huge red circle 0.5 0.5"), scene("large red circle nan 0.5"), scene("large red circle 0.5 1e999"),
            scene("large red circle -0.1 0.5"), scene("large red circle 0.5"), scene("large red circle 0.5 0.5 0.5"),
            scene("<b>"), scene(7), scene(["large red circle 0.5 0.5"]),
            json.dumps({"pictures": [["large red circle 0.5 0.5"] * 9, []]}),
        ],
    },
    PinChoice: {
        "pin": [
            "ni-digits", ":mnist.validation.3", "ni-digits:<b>", "ni-digits::drop", "ni-digits::drop:",
            "ni-digits::drop:f1,,f2", "ni-digits::mute:f1:drop:f2", "ni-digits::drop:f1:drop:f2",
            "ni-digits::edges:1.5", "ni-digits::edges:8.15e-0", "ni-digits::edges:0.\u0665", "ni-digits::iterations:0",
            f"ni-digits::iterations:{MAX_ITERATIONS + 1}", "ni-digits::gates:0.5", "ni-digits::drop:f1\n",
            f"ni-digits::drop:{'f' * LONGEST_PIN}",
        ]
    },
}  # fmt: skip


@pytest.mark.parametrize("choice", REFUSED, ids=lambda choice: choice.__name__)
def test_what_is_not_valid_is_left_out_and_named(choice: type[Input]) -> None:
    for name, values in REFUSED[choice].items():
        for value in values:
            assert choice.of_query({name: value}) == choice(), (name, value)
            assert choice.unread({name: value}) == [name]
            with pytest.raises(NotValid, match=name):
                choice.read({name: value})


@given(st.lists(st.sampled_from(["f1", "f2", "f3"])), st.lists(st.sampled_from(["f1", "f2", "f3"])))
def test_a_unit_is_muted_or_dropped_once_or_neither(mute: list[str], drop: list[str]) -> None:
    choice = InterventionChoice.of_query({"mute": ",".join(mute), "drop": ",".join(drop)})
    assert set(choice.drop) == set(drop)
    assert set(choice.mute) == set(mute) - set(drop)
    assert len(choice.mute) == len(set(choice.mute))
    assert len(choice.drop) == len(set(choice.drop))
    assert bool(choice.fields) == bool(mute or drop)
