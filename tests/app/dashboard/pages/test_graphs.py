"""The Graphs page without a browser: what its address means, and what every panel says about itself."""

import json
from typing import Any

from dash import html
from dash.development.base_component import Component
from hypothesis import given
from hypothesis import strategies as st

from routescope_app.api.schemas.base import MOST_UNITS
from routescope_app.dashboard.pages.graphs.page import MOST_LINKS, PAGE, GraphChoice, GraphView, address, layout
from routescope_app.settings import Settings

PANELS = (
    "graph",
    "graph-matrix",
    "graph-effect",
    "graph-module",
    "graph-statistics",
    "graph-degrees",
    "graph-clusters",
)


def props(part: Component) -> dict[str, Any]:
    return dict(part.to_plotly_json()["props"])


def panels(page: Component) -> dict[str, list[Component]]:
    """The parts of every panel, by its key."""
    sections = [part for part in page._traverse() if isinstance(part, html.Section)]
    return {props(section)["id"].removeprefix("panel-"): list(section._traverse()) for section in sections}


def having(parts: list[Component], name: str) -> list[Any]:
    """The values of an attribute, of the parts that have it."""
    return [props(part)[name] for part in parts if isinstance(part, Component) and name in props(part)]


def test_an_address_means_a_choice_and_a_view() -> None:
    query = {"least": "12", "edges": "0.25", "drop": "m3,m1,m3", "unit": "m7", "order": "communities", "compare": "1"}
    start = address(GraphChoice.of_query(query), GraphView.of_query(query | {"view": "0.1,-0.2,3", "links": "60"}))
    assert start["choice"] == {"least": 12, "keep": 0.25, "drop": ["m3", "m1"], "data": [], "samples": 1_000}
    view = start["view"]
    assert (view["unit"], view["order"], view["links"], view["compare"]) == ("m7", "communities", 60, True)
    assert view["map"] == "0.1,-0.2,3" and view["colour"] == "community"


def test_nonsense_is_left_out() -> None:
    wrong = {
        "least": str(MOST_UNITS + 1), "edges": "1.5", "data": "../x", "samples": "0", "order": "<b>", "colour": "red",
        "links": str(MOST_LINKS + 1), "view": "1,2", "scale": "", "unit": "m" * 41, "compare": "perhaps",
    }  # fmt: skip
    assert GraphChoice.of_query(wrong) == GraphChoice()
    assert GraphView.of_query(wrong) == GraphView()
    assert GraphChoice.of_query({"edges": "nan"}) == GraphChoice()


@given(st.dictionaries(st.sampled_from([*GraphChoice.model_fields, *GraphView.model_fields]), st.text(max_size=30)))
def test_addresses_never_fail(query: dict[str, str]) -> None:
    start = address(GraphChoice.of_query(query), GraphView.of_query(query))
    assert json.loads(json.dumps(start, allow_nan=False)) == start
    assert 0 <= start["choice"]["least"] <= MOST_UNITS
    assert start["choice"]["keep"] is None or 0 <= start["choice"]["keep"] <= 1


def test_every_panel_says_how_to_read_it_and_can_be_enlarged_and_saved() -> None:
    outcome = panels(layout(Settings(), least="3"))
    assert set(outcome) == set(PANELS)
    for key, parts in outcome.items():
        assert having(parts, "data-fullscreen") == [f"panel-{key}"]
        pictures = [] if key == "graph-statistics" else ["svg", "png"]
        networks = ["graphml", "gexf"] if key == "graph" else []
        assert having(parts, "data-export") == [*pictures, "csv", "json", *networks, "python"]
        assert having(parts, "className").count("reads") == 1


def test_observed_and_caused_are_kept_apart() -> None:
    outcome = panels(layout(Settings()))
    tags = {
        key: [props(part)["children"] for part in parts if isinstance(part, html.Span) and part.className == "tag"]
        for key, parts in outcome.items()
    }
    # The panel of a module names the two parts that its script fills (pages/graphs/about.js).
    others = {"graph-effect": ["caused"], "graph-module": []}
    assert tags == {key: others.get(key, ["observed"]) for key in PANELS}


def test_the_page_is_there_for_models_with_links() -> None:
    assert PAGE.needs == ("link_probability",)
