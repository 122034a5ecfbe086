"""What addresses of pages mean: the state from which their scripts start."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routescope_app.dashboard.address import as_state
from routescope_app.dashboard.pages.blocks.page import BlocksChoice
from routescope_app.dashboard.pages.circuits.page import EXAMPLES, CircuitChoice, address, layout, limits
from routescope_app.dashboard.pages.graphs import page as graphs
from routescope_app.dashboard.pages.observe.page import ObserveChoice, ObserveView
from routescope_app.dashboard.pages.samples.page import GalleryFilters
from routescope_app.dashboard.validation import DropChoice
from routescope_app.settings import Settings

SENTENCES = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=40)


def read(**query: Any) -> dict[str, Any]:
    return address(CircuitChoice.of_query(query), limits())


@given(st.lists(SENTENCES, min_size=1, max_size=4), st.integers(1, 4))
def test_pinned_sentences_stay_in_their_order_and_one_of_them_answers(sentences: list[str], focus: int) -> None:
    outcome = read(**{f"s{at}": text for at, text in enumerate(sentences, start=1)}, focus=focus)
    assert outcome["sentences"] == sentences
    assert outcome["focus"] == min(focus, len(sentences)) - 1


def test_limits_of_sentences_are_those_of_the_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    query = {"s1": "There is a star", "s2": "x" * 400, "s3": "There is a circle", "s4": "Many"}
    short = ["There is a star", "There is a circle", "Many"]
    for changes, characters, pinned, sentences in (
        ({}, 300, 4, short),
        ({"MAX_SENTENCE_CHARACTERS": 400}, 400, 4, list(query.values())),
        ({"MAX_SENTENCE_CHARACTERS": 5}, 5, 4, ["Many"]),
        ({"MAX_SENTENCES": 2}, 300, 2, short[:2]),
        ({"MAX_ANSWERED_SENTENCES": 1}, 300, 1, short[:1]),
        ({"MAX_SENTENCES": 64, "MAX_ANSWERED_SENTENCES": 64}, 300, 4, short),
    ):
        with monkeypatch.context() as patched:
            for name, value in changes.items():
                patched.setattr(f"routescope_app.dashboard.pages.circuits.page.{name}", value)
            page = layout(Settings(data_dir=tmp_path), **query)  # type: ignore[arg-type]
        (store,) = [part for part in page._traverse() if getattr(part, "id", "") == "circuits-address"]
        state = store.data  # type: ignore[attr-defined]
        assert state["limits"] == {"characters": characters, "pinned": pinned}
        assert state["examples"] == EXAMPLES[:pinned] and state["sentences"] == sentences


def test_a_sentence_of_a_link_for_which_there_is_no_room_is_said() -> None:
    query = {"s1": "There is a star", "s2": "x" * 250, "s3": "There is a circle", "s4": "Many", "focus": "4"}
    most = {"characters": 200, "pinned": 2}
    outcome = address(CircuitChoice.of_query(query), most)
    assert (outcome["sentences"], outcome["focus"]) == (["There is a star", "There is a circle"], 1)
    long, surplus = outcome["said"]
    assert long.startswith('"s2" of the link is "xxx') and "250 characters" in long and "up to 200" in long
    assert surplus == '"s4" of the link is "Many": it is not pinned, as here up to 2 sentences are pinned.'
    assert read(s1="There is a star")["said"] == []
    assert read(focus="2")["focus"] == 1  # the second of the page's own two sentences


def test_filters_lasso_and_scene_are_read() -> None:
    scene = {"of": "scenes.validation.4", "pictures": [["large red circle 0.25 1"], []]}
    outcome = read(
        kinds="soft cardinality,existential (plural)",
        objects="star",
        lasso="text:0,0,1,0,1,1",
        scene=json.dumps(scene),
        map="0.5,-1,3",
        colour="object",
        edges="0.25",
    )
    assert outcome["kinds"] == ["soft cardinality", "existential (plural)"]
    assert outcome["objects"] == ["star"]
    assert outcome["lasso"] == "text:0,0,1,0,1,1"
    assert outcome["scene"] == scene
    assert outcome["views"] == {"links": None, "circuits": "0.5,-1,3", "text": None}
    assert (outcome["colour_by"], outcome["keep_edges"]) == ("object", 0.25)


def test_blocks_are_counted_from_one_by_people_and_from_zero_by_scripts() -> None:
    """Routes and gates are read by their names; a block copies one source, the last that is said."""
    query = {
        "digits": "3,1,9", "program": "1,64", "permutation": "5", "step": "2", "iterations": "9",
        "gates": "1.3:0.5,E:1", "mute_routes": "A>1.3,strip 1>1.1", "copy_routes": "A>1.1,B>1.2,C>1.1",
    }  # fmt: skip
    state = as_state(BlocksChoice.of_query(query))
    assert state == state | {
        "digits": [3, 1, 9], "program": [0, 63], "permutation": 4, "step": 1, "iterations": 9,
        "gates": {"1.3": 0.5, "E": 1}, "mute_routes": ["A>1.3", "strip 1>1.1"], "copy_routes": ["C>1.1", "B>1.2"],
    }  # fmt: skip


def test_graphs_have_a_choice_and_a_view() -> None:
    query = {"least": "12", "edges": "0.25", "drop": "m3,m1,m3", "unit": "m7", "order": "communities", "compare": "1"}
    query |= {"view": "0.1,-0.2,3", "links": "60"}
    shown = as_state(graphs.GraphChoice.of_query(query)) | as_state(graphs.GraphView.of_query(query))
    assert shown == {
        "least": 12, "keep": 0.25, "drop": ["m3", "m1"], "data": [], "samples": 1_000, "unit": "m7",
        "order": "communities", "colour": "community", "links": 60, "scale": "fixed", "compare": True,
        "map": "0.1,-0.2,3",
    }  # fmt: skip


def test_other_choices_have_each_name_once_and_keep_what_is_valid() -> None:
    query = {"kind": "mean", "units": "f2,f1,f2", "iterations": "3", "data": "mnist", "samples": "250", "model": "x"}
    query |= {"least": "64", "edges": "0.25", "top_k": "2"}
    assert DropChoice.of_query(query).model_dump() == {
        "kind": "mean", "units": ("f2", "f1"), "least": 64, "edges": 0.25, "iterations": 3, "top_k": 2,
        "data": ("mnist",), "samples": 250, "distribution": "in",
    }  # fmt: skip
    query = {"data": "mnist,mnist", "samples": "60", "drop": "f2,f1,f2", "steps": "i1", "cell": "sum"}
    assert ObserveChoice.of_query(query) == ObserveChoice(data=("mnist",), samples=60, drop=("f2", "f1"))
    assert ObserveView.of_query(query) == ObserveView(steps=("i1",))
    query = {"set": "mnist", "label": "x", "page": "3", "wrong": "1", "other": "y"}
    assert GalleryFilters.of_query(query) == GalleryFilters(set="mnist", page=3, wrong=True)
