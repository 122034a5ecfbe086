"""The lower half of Circuits: the pair of pictures, the answer, what is dropped."""

from dash import html
from dash.development.base_component import Component


def layout() -> Component:
    """The place of the pair of pictures."""
    return html.Div(className="circuits-pair", id="circuits-pair")
