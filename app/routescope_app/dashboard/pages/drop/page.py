"""Drop: remove units and measure the accuracy, beside random sets of the same size and the full model."""

from typing import Any

from dash import html
from dash.development.base_component import Component

from routescope_app.dashboard.components.tree import PageTree
from routescope_app.dashboard.page import ANY_INPUTS, Page
from routescope_app.dashboard.validation import DropChoice, PinChoice
from routescope_app.settings import Settings


def layout(settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    choice = DropChoice.of_query(query).model_dump(mode="json") | {"pin": PinChoice.of_query(query).pin}
    return html.Div(
        PageTree(id="drop", page="drop", choice=choice),
        className="page page-drop",
        **{"data-state": "loading"},
    )


PAGE = Page("drop", "/drop", "Drop", "drop", (), layout, ANY_INPUTS, units=True, asks=(DropChoice, PinChoice))
