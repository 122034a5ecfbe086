"""Paths: the computational path of a sample or of a routing log, and the effect of muted or dropped functions."""

from typing import Any

from dash import html
from dash.development.base_component import Component

from routescope_app.dashboard.address import as_state
from routescope_app.dashboard.components.tree import PageTree
from routescope_app.dashboard.page import Page
from routescope_app.dashboard.validation import CandidateChoice, LogPart, PathChoice, PinChoice, ShownStep
from routescope_app.settings import Settings

CHOICES = (PathChoice, ShownStep, CandidateChoice, PinChoice, LogPart)


def layout(_settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    choice: dict[str, Any] = {}
    for part in CHOICES:
        choice |= as_state(part.of_query(query))
    return html.Div(
        PageTree(id="paths", page="paths", choice=choice),
        className="page page-paths" + (" page-of-log" if choice["log"] else ""),
        **{"data-status": "loading"} | ({"data-compares": "true"} if choice["pin"] else {}),
    )


PAGE = Page(
    "paths",
    "/paths",
    "Paths",
    "path",
    ("compatibility", "messages"),
    layout,
    inputs=("images", "text", "numbers", "points", "listops", "bytes", "matrices"),
    samples=True,
    asks=CHOICES,
)
