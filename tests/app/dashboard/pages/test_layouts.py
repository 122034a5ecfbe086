"""Layouts of all pages without a browser: panels that say how they are read, and for which models the pages are."""

from pathlib import Path
from typing import Any

import pytest
from dash import html
from dash.development.base_component import Component

from routescope_app.dashboard import PAGES, frame
from routescope_app.dashboard.components.tree import PageTree
from routescope_app.dashboard.page import Page
from routescope_app.dashboard.pages.logs.page import PAGE as LOGS
from tests.app.serving import settings

#: Panels of what interventions cause, which are never said to be observed.
CAUSED = {
    "importance", "effect", "retention", "interactions", "anytime", "convergence", "pair-drop",
    "blocks-steer", "blocks-accuracy",
}  # fmt: skip


def having(parts: list[Any], name: str) -> list[Any]:
    """The values of an attribute, of the parts that have it."""
    values = [part.to_plotly_json()["props"].get(name) for part in parts if isinstance(part, Component)]
    return [value for value in values if value is not None]


@pytest.mark.parametrize("shown", PAGES, ids=lambda shown: shown.key)
def test_every_panel_says_how_to_read_it_and_can_be_enlarged_and_saved(shown: Page, tmp_path: Path) -> None:
    parts = list(shown.layout(settings(tmp_path))._traverse())
    ids = [name for name in having(parts, "id") if isinstance(name, str)]
    assert len(ids) == len(set(ids))
    sections = [part for part in parts if isinstance(part, html.Section) and having([part], "id")]
    assert sections or any(isinstance(part, PageTree) for part in parts), "a tree draws its own panels"
    for section in sections:
        key, inside = str(section.id).removeprefix("panel-"), list(section._traverse())  # type: ignore[attr-defined]
        assert having(inside, "data-fullscreen") == [f"panel-{key}"]
        (reads,) = [part for part in inside if getattr(part, "className", "") == "reads"]
        assert len(str(reads.children)) > 20
        exports = {name for formats in having(inside, "data-formats") for name in formats.split()}
        assert not exports or {"csv", "json"} <= exports, key
        assert ("svg" in exports) == ("pdf" in exports), key
        tags = [part.children for part in inside if getattr(part, "className", "") == "tag"]
        assert ("caused" in tags) == (key in CAUSED) and not {"caused", "observed"} <= set(tags), key


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
