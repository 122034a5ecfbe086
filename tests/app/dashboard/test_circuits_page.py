"""The Circuits page without a browser: what its address means, for which models it is, what its panels say."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from dash import html
from hypothesis import given
from hypothesis import strategies as st

from app.dashboard import PAGES
from app.dashboard.pages.circuits import MOST_CHARACTERS, PAGE, CircuitChoice, address, layout
from app.settings import Settings
from core.assets import ASSETS

SENTENCES = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=40)
PANELS = {"sentences", "designs", "sentencemap", "distances", "sentenceselection", "separation"}


def read(**query: Any) -> dict[str, Any]:
    return address(CircuitChoice.of_query(query))


def test_the_page_is_for_models_that_read_statements_and_the_older_ones_are_not() -> None:
    assert (PAGE.path, PAGE.needs, PAGE.inputs) == ("/circuits", ("text_attention",), ("statements",))
    inputs = {page.key: page.inputs for page in PAGES}
    assert inputs["samples"] == inputs["drop"] == ("images", "statements")
    assert {key for key, each in inputs.items() if each == ("images",)} == {"paths", "graphs", "types", "observe"}


@given(st.lists(SENTENCES, min_size=1, max_size=4), st.integers(1, 4))
def test_pinned_sentences_stay_in_their_order_and_one_of_them_answers(sentences: list[str], focus: int) -> None:
    found = read(**{f"s{at}": text for at, text in enumerate(sentences, start=1)}, focus=focus)
    assert found["sentences"] == sentences
    assert found["focus"] == min(focus, len(sentences)) - 1


def test_an_address_without_anything_says_what_circuits_state_js_starts_from() -> None:
    script = (ASSETS / "web" / "circuits_state.js").read_text()
    body = re.search(r"const CHOICE = \{(.*?)\n  \};", script, re.DOTALL)
    assert body is not None
    names = set(re.findall(r"^    (\w+):", body.group(1), re.MULTILINE))
    found = read()
    assert set(found) == names
    assert found["threshold"] == 0.5
    assert found["method"] == "tsne"
    assert found["sentences"] == []
    assert found["keep_edges"] is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"s1": "x" * (MOST_CHARACTERS + 1)},
        {"threshold": "1.5"},
        {"threshold": "nan"},
        {"method": "umap"},
        {"scene": "[1]"},
        {"scene": "{"},
        {"scene": json.dumps({"x": "y" * 5_000})},
        {"lasso": "circuits:1,2"},
        {"lasso": "elsewhere:0,0,1,0,1,1"},
        {"view": "0,0"},
        {"edges": "2"},
        {"focus": "0"},
        {"kinds": ",".join(["kind"] * 500)},
        {"samples": "only-one"},
        {"statement": "../etc"},
        {"seed": "-1"},
    ],
)
def test_what_is_not_valid_is_left_out_and_the_rest_stays(wrong: dict[str, str]) -> None:
    found = read(**({"s2": "There is a star", "drop": "m1..m3"} | wrong))
    assert found["sentences"] == ["There is a star"]
    assert found["drop"] == ["m1..m3"]
    assert {**found, "sentences": [], "drop": []} == read()


def test_filters_lasso_and_scene_are_read() -> None:
    scene = {"pictures": [[], []]}
    found = read(
        kinds="soft cardinality,existential (plural)",
        objects="star",
        lasso="text:0,0,1,0,1,1",
        scene=json.dumps(scene),
        map="0.5,-1,3",
        colour="object",
        edges="0.25",
    )
    assert found["kinds"] == ["soft cardinality", "existential (plural)"]
    assert found["objects"] == ["star"]
    assert found["lasso"] == "text:0,0,1,0,1,1"
    assert found["scene"] == scene
    assert found["views"] == {"links": None, "circuits": "0.5,-1,3", "text": None}
    assert (found["colour_by"], found["keep_edges"]) == ("object", 0.25)


def test_every_panel_says_how_to_read_it_and_can_be_shown_on_the_full_screen(tmp_path: Path) -> None:
    page = layout(Settings(data_dir=tmp_path))
    sections = [part for part in page._traverse() if isinstance(part, html.Section)]
    keys = {str(each.id).removeprefix("panel-") for each in sections}  # type: ignore[attr-defined]
    assert keys >= PANELS
    for section in sections:
        parts = list(section._traverse())
        reads = [part for part in parts if getattr(part, "className", "") == "reads"]
        assert len(reads) == 1
        assert len(str(reads[0].children)) > 40
        assert any(
            "data-fullscreen" in part.to_plotly_json()["props"] for part in parts if hasattr(part, "to_plotly_json")
        )
