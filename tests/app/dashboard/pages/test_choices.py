"""What addresses of pages mean: the state from which their scripts start."""

import json
from typing import Any

from routescope_app.dashboard import address
from routescope_app.dashboard.address import as_state
from routescope_app.dashboard.pages.blocks.page import BlocksChoice
from routescope_app.dashboard.pages.circuits.page import CircuitChoice
from routescope_app.dashboard.pages.graphs import page as graphs
from routescope_app.dashboard.pages.observe.page import ObserveChoice, ObserveView
from routescope_app.dashboard.pages.samples.page import GalleryFilters
from routescope_app.dashboard.validation import DropChoice
from routescope_app.settings import MAX_ANSWERED_SENTENCES, MAX_SENTENCE_CHARACTERS, MAX_SENTENCES


def read(**query: Any) -> dict[str, Any]:
    return as_state(CircuitChoice.of_query(query))


def test_sentences_and_their_limits_are_those_of_the_service() -> None:
    """A sentence that is too long is left out; pinned sentences are counted from 0."""
    state = read(s1="There is a star", s2="x" * (MAX_SENTENCE_CHARACTERS + 1), s4="Many", focus="2")
    assert [state[f"s{at}"] for at in range(1, 5)] == ["There is a star", None, None, "Many"]
    assert state["focus"] == 1
    fields = {field["name"]: field for field in address.grammar([CircuitChoice])}
    assert fields["s1"]["longest"] == MAX_SENTENCE_CHARACTERS
    assert fields["focus"]["most"] + 1 == min(4, MAX_SENTENCES, MAX_ANSWERED_SENTENCES)


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
    assert json.loads(outcome["scene"]) == scene
    assert (outcome["view"], outcome["map"], outcome["textmap"]) == (None, "0.5,-1,3", None)
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
