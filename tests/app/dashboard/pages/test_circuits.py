"""The Circuits page without a browser: what its address means, for which models it is, what its panels say."""

import json
from pathlib import Path
from typing import Any

import pytest
from dash import html
from hypothesis import given
from hypothesis import strategies as st

from routescope_app.dashboard import PAGES, frame
from routescope_app.dashboard.pages.circuits.page import EXAMPLES, PAGE, CircuitChoice, address, layout, limits
from routescope_app.settings import Settings

SENTENCES = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=40)
PANELS = {"sentences", "designs", "sentencemap", "distances", "sentenceselection", "separation"}


def read(**query: Any) -> dict[str, Any]:
    return address(CircuitChoice.of_query(query), limits())


def test_the_page_is_for_models_that_read_statements_and_the_older_ones_are_not() -> None:
    assert (PAGE.path, PAGE.needs, PAGE.inputs) == ("/circuits", ("text_attention",), ("statements",))
    (reported,) = [part for part in frame.layout(PAGES)._traverse() if getattr(part, "id", "") == "pages"]
    assert {page["path"]: page["pictures"] for page in reported.data if page["pictures"]} == {"/circuits": 2}
    inputs = {page.key: page.inputs for page in PAGES}
    assert inputs["samples"] == inputs["drop"] == ("images", "statements", "blocks", "*")
    of_circuits, of_interpreters = {"points", "listops", "bytes"}, {"numbers", "matrices"}
    assert set(inputs["graphs"]) == {"images"} | of_circuits
    assert set(inputs["types"]) == {"images"} | of_circuits | of_interpreters
    assert set(inputs["paths"]) == {"images", "text"} | of_circuits | of_interpreters
    assert inputs["observe"] == ("images", "*")


@given(st.lists(SENTENCES, min_size=1, max_size=4), st.integers(1, 4))
def test_pinned_sentences_stay_in_their_order_and_one_of_them_answers(sentences: list[str], focus: int) -> None:
    outcome = read(**{f"s{at}": text for at, text in enumerate(sentences, start=1)}, focus=focus)
    assert outcome["sentences"] == sentences
    assert outcome["focus"] == min(focus, len(sentences)) - 1


def test_an_address_without_anything_names_nothing() -> None:
    outcome = read()
    assert outcome["threshold"] is None
    assert outcome["method"] == "tsne"
    assert outcome["sentences"] == []
    assert outcome["keep_edges"] is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"s1": "x" * 301},
        {"s1": "x" * 5_000},
        {"threshold": "1.5"},
        {"threshold": "nan"},
        {"method": "umap"},
        {"scene": "[1]"},
        {"scene": "{"},
        {"scene": "[" * 3_999},
        {"scene": '{"a":' * 700},
        {"scene": '{"pictures": [' + "[" * 3_900},
        {"scene": '{"pictures": [[]]}'},
        {"scene": '{"pictures": [[], [], []]}'},
        {"scene": '{"pictures": [NaN, []]}'},
        *(
            {"scene": json.dumps({"pictures": [["large red circle 0.5 0.5", thing], []]})}
            for thing in (
                "huge red circle 0.5 0.5",
                "large red circle nan 0.5",
                "large red circle 0.5 1e999",
                "large red circle -0.1 0.5",
                "large red circle 0.5",
                "large red circle 0.5 0.5 0.5",
                "<b>",
                7,
                ["large red circle 0.5 0.5"],
            )
        ),
        {"scene": json.dumps({"pictures": [["large red circle 0.5 0.5"] * 9, []]})},
        {"scene": '{"of": "../etc", "pictures": [[], []]}'},
        {"scene": '{"of": 1e999, "pictures": [[], []]}'},
        {"scene": json.dumps({"x": "y" * 5_000})},
        {"lasso": "circuits:1,2"},
        {"lasso": "elsewhere:0,0,1,0,1,1"},
        {"view": "0,0"},
        {"edges": "2"},
        {"focus": "0"},
        {"kinds": ",".join(["kind"] * 500)},
        {"samples": "only-one"},
        {"statement": "../etc"},
        {"statement": "nonsense"},
        {"seed": "-1"},
    ],
)
def test_what_is_not_valid_is_left_out_and_the_rest_stays(wrong: dict[str, str]) -> None:
    outcome = read(**({"s2": "There is a star", "drop": "m1..m3"} | wrong))
    assert outcome["sentences"] == ["There is a star"]
    assert outcome["drop"] == ["m1..m3"]
    assert {**outcome, "sentences": [], "drop": [], "said": []} == read()


def test_limits_of_sentences_are_those_of_the_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    query = {"s1": "There is a star", "s2": "x" * 400, "s3": "There is a circle", "s4": "Many"}
    chosen = [
        ({}, {"characters": 300, "pinned": 4}, ["There is a star", "There is a circle", "Many"]),
        ({"MAX_SENTENCE_CHARACTERS": 400}, {"characters": 400, "pinned": 4}, list(query.values())),
        ({"MAX_SENTENCE_CHARACTERS": 5}, {"characters": 5, "pinned": 4}, ["Many"]),
        ({"MAX_SENTENCES": 2}, {"characters": 300, "pinned": 2}, ["There is a star", "There is a circle"]),
        ({"MAX_ANSWERED_SENTENCES": 1}, {"characters": 300, "pinned": 1}, ["There is a star"]),
        ({"MAX_SENTENCES": 64, "MAX_ANSWERED_SENTENCES": 64}, {"characters": 300, "pinned": 4}, None),
    ]
    for changes, most, sentences in chosen:
        with monkeypatch.context() as patched:
            for name, value in changes.items():
                patched.setattr(f"routescope_app.dashboard.pages.circuits.page.{name}", value)
            page = layout(Settings(data_dir=tmp_path), **query)  # type: ignore[arg-type]
        (store,) = [part for part in page._traverse() if getattr(part, "id", "") == "circuits-address"]
        assert store.data["limits"] == most  # type: ignore[attr-defined]
        assert store.data["examples"] == EXAMPLES[: most["pinned"]]  # type: ignore[attr-defined]
        assert sentences is None or store.data["sentences"] == sentences  # type: ignore[attr-defined]


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


def test_every_panel_says_how_to_read_it_and_can_be_shown_on_the_full_screen(tmp_path: Path) -> None:
    page = layout(Settings(data_dir=tmp_path))
    sections = [part for part in page._traverse() if isinstance(part, html.Section)]
    keys = {str(section.id).removeprefix("panel-") for section in sections}  # type: ignore[attr-defined]
    assert keys >= PANELS
    for section in sections:
        parts = list(section._traverse())
        reads = [part for part in parts if getattr(part, "className", "") == "reads"]
        assert len(reads) == 1
        assert len(str(reads[0].children)) > 40
        assert any(
            "data-fullscreen" in part.to_plotly_json()["props"] for part in parts if hasattr(part, "to_plotly_json")
        )
