"""Graphs: the links between modules, learned beside their prior; cut them and watch the picture and the accuracy."""

from typing import Annotated, Any, Literal

from dash import html
from dash.development.base_component import Component
from pydantic import Field, field_validator

from routescope_app.api.schemas.base import MOST_SAMPLES, MOST_UNITS, UnitName
from routescope_app.dashboard import validation
from routescope_app.dashboard.address import AddressFormat, as_state
from routescope_app.dashboard.components.tree import PageTree
from routescope_app.dashboard.page import Page
from routescope_app.dashboard.validation import SAMPLES, Dropped, Edges, Least, Sets, View
from routescope_app.settings import Settings

MOST_LINKS = MOST_UNITS * (MOST_UNITS - 1) // 2


class GraphChoice(validation.Input):
    """Units and links left out of the graph, and the data of the measured effect."""

    least: Least = 0
    edges: Annotated[Edges | None, AddressFormat(held="keep")] = None
    drop: Dropped = ()
    data: Sets = ()
    samples: Annotated[int, Field(ge=1, le=MOST_SAMPLES), AddressFormat(offered=SAMPLES)] = 1_000

    @field_validator("drop", "data")
    @classmethod
    def _once_each(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(names))


class GraphView(validation.Input):
    """View of the graph: chosen module, colours, order, drawn links, visible part."""

    unit: UnitName | None = None
    order: Literal["matched", "communities", "connectivity"] = "matched"
    colour: Literal["community", "degree"] = "community"
    links: Annotated[int, Field(ge=0, le=MOST_LINKS), AddressFormat(slides=True)] | None = None
    scale: Literal["fixed", "range"] = "fixed"
    compare: bool = False
    view: Annotated[View | None, AddressFormat(held="map")] = None


def layout(_settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    choice = as_state(GraphChoice.of_query(query)) | as_state(GraphView.of_query(query))
    return html.Div(
        PageTree(id="graphs", page="graphs", choice=choice),
        className="page page-graphs",
        **{"data-status": "loading"},
    )


PAGE = Page(
    "graphs",
    "/graphs",
    "Graphs",
    "graph",
    ("link_probability",),
    layout,
    inputs=("images", "points", "listops", "bytes"),
    asks=(GraphChoice, GraphView),
)
