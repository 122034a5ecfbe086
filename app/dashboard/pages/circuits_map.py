"""The upper half of Circuits: the maps of sentences, and the pinned circuits side by side."""

from dash import html
from dash.development.base_component import Component


def layout() -> Component:
    """The maps, the sentences and their circuits."""
    return html.Div(className="circuits-map", id="circuits-map")
