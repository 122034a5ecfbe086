"""Layouts of all pages without a browser: for which models the pages are."""

from pathlib import Path
from typing import Any

from dash.development.base_component import Component

from routescope_app.dashboard import PAGES, frame
from routescope_app.dashboard.pages.logs.page import PAGE as LOGS
from tests.app.serving import settings


def having(parts: list[Any], name: str) -> list[Any]:
    """The values of an attribute, of the parts that have it."""
    values = [part.to_plotly_json()["props"].get(name) for part in parts if isinstance(part, Component)]
    return [value for value in values if value is not None]


def test_pages_are_for_the_models_that_they_can_show() -> None:
    (reported,) = [part for part in frame.layout(PAGES)._traverse() if getattr(part, "id", "") == "pages"]
    assert {page["path"]: page["pictures"] for page in reported.data if page["pictures"]} == {"/circuits": 2}
    of_circuits, of_interpreters = {"points", "listops", "bytes"}, {"numbers", "matrices"}
    inputs = {page.key: set(page.inputs) for page in PAGES}
    assert inputs == inputs | {
        "samples": {"images", "statements", "blocks", "*"},
        "drop": {"images", "statements", "blocks", "*"},
        "graphs": {"images"} | of_circuits,
        "types": {"images"} | of_circuits | of_interpreters,
        "paths": {"images", "text"} | of_circuits | of_interpreters,
        "observe": {"images", "*"},
        "circuits": {"statements"},
        "blocks": {"blocks"},
    }
    assert {page.key for page in PAGES if page.samples} == {"home", "samples", "paths", "types", "observe"}
    assert all("images" in page.inputs for page in PAGES if page.samples)
    needs = {page.key: page.needs for page in PAGES if page.key in {"graphs", "circuits", "blocks"}}
    assert needs == {
        "graphs": ("link_probability",),
        "circuits": ("text_attention",),
        "blocks": ("multiplexer_weights",),
    }


def test_the_page_of_logs_takes_two_logs_and_states_its_limit(tmp_path: Path) -> None:
    first, second = "0123456789abcdef" * 2, "fedcba9876543210" * 2
    for a, kept in ((first, first), ("../etc", None)):
        shown = LOGS.layout(settings(tmp_path, max_log_bytes=12_345), a=a, b=second, token="7")
        assert shown.children.choice == {"a": kept, "b": second, "token": 6}
        assert having([shown], "data-max-bytes") == ["12345"]
