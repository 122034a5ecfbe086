"""The Blocks page without a browser: what its address means, for which models it is, what its panels say."""

from pathlib import Path
from typing import Any

import pytest
from dash import html
from dash.development.base_component import Component
from hypothesis import given
from hypothesis import strategies as st

from routescope_app.dashboard import PAGES
from routescope_app.dashboard.address import as_state
from routescope_app.dashboard.pages.blocks.page import PAGE, BlocksChoice, layout
from routescope_app.settings import Settings

PLACES = ["blocks-inputs", "blocks-steer", "blocks-picture", "blocks-answers", "blocks-accuracy", "blocks-indicators"]


def read(**query: Any) -> dict[str, Any]:
    return as_state(BlocksChoice.of_query(query))


def test_the_page_is_for_networks_that_route_blocks_and_for_no_others() -> None:
    assert (PAGE.path, PAGE.needs, PAGE.inputs) == ("/blocks", ("multiplexer_weights",), ("blocks",))
    assert [page.key for page in PAGES if page.path == "/blocks"] == ["blocks"]
    assert {page.key for page in PAGES if page.needs and "blocks" in page.inputs} == {"blocks"}


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=16),
    st.lists(st.integers(1, 64), min_size=1, max_size=16),
    st.integers(1, 64),
    st.integers(1, 64),
)
def test_what_a_person_counts_from_one_the_scripts_count_from_zero(
    digits: list[int], program: list[int], permutation: int, step: int
) -> None:
    outcome = read(
        digits=",".join(map(str, digits)),
        program=",".join(map(str, program)),
        permutation=str(permutation),
        step=str(step),
    )
    assert outcome["digits"] == digits
    assert outcome["program"] == [subtask - 1 for subtask in program]
    assert (outcome["permutation"], outcome["step"]) == (permutation - 1, step - 1)


def test_routes_and_gates_are_read_and_a_block_copies_one_source() -> None:
    outcome = read(
        mute_routes="A>1.3,strip 1>1.1", copy_routes="A>1.1,B>1.2,C>1.1", gates="1.3:0.5,E:1", iterations="9"
    )
    assert outcome["mute_routes"] == ["A>1.3", "strip 1>1.1"]
    assert outcome["copy_routes"] == ["C>1.1", "B>1.2"]
    assert outcome["gates"] == {"1.3": 0.5, "E": 1}
    assert outcome["iterations"] == 9


@pytest.mark.parametrize(
    "wrong",
    [
        {"digits": "3,1,x"},
        {"digits": "3,10"},
        {"digits": ",".join("1" * 17)},
        {"program": "0,1"},
        {"program": "65"},
        {"program": ",".join("1" * 17)},
        {"permutation": "0"},
        {"iterations": "0"},
        {"iterations": "65"},
        {"iterations": "many"},
        {"step": "0"},
        {"step": "5000"},
        {"mute_routes": "A"},
        {"mute_routes": "A>1.1>2.1"},
        {"mute_routes": "<b>>1.1"},
        {"copy_routes": ",".join(f"A>1.{n}" for n in range(257))},
        {"gates": "1.1"},
        {"gates": "1.1:x"},
        {"gates": "1.1:1.5"},
        {"gates": "1.1:nan"},
        {"gates": "1.1:inf"},
        {"measured": "0"},
        {"sample": "../etc"},
    ],
)
def test_what_is_not_valid_is_left_out_and_the_rest_stays(wrong: dict[str, str]) -> None:
    (name,) = wrong
    rest = {"digits": "2,7,1", "gates": "E:0.25", "mute_routes": "B>1.1"}
    outcome = read(**(rest | wrong))
    assert {key: value for key, value in outcome.items() if key != name} == {
        key: value for key, value in read(**rest).items() if key != name
    }
    if name != "sample":
        assert outcome[name] == read()[name]


def test_every_part_has_its_place_and_every_panel_says_how_to_read_it(tmp_path: Path) -> None:
    page = layout(Settings(data_dir=tmp_path))
    parts = list(page._traverse())
    outcome = [getattr(part, "id", None) for part in parts]
    assert all(outcome.count(spot) == 1 for spot in PLACES)
    sections = [part for part in parts if isinstance(part, html.Section)]
    assert len(sections) == len(PLACES)
    for section in sections:
        inside = list(section._traverse())
        reads = [part for part in inside if getattr(part, "className", "") == "reads"]
        assert len(reads) == 1
        assert len(str(reads[0].children)) > 40
        assert any(
            "data-fullscreen" in part.to_plotly_json()["props"] for part in inside if isinstance(part, Component)
        )
