"""Picture and controls of a path, of a model's trace or of a routing log."""

from dash import html
from dash.development.base_component import Component


def path_canvas(label: str) -> Component:
    """The canvas that the page's modules draw the path on; ``label`` says its keys to who cannot see it."""
    return html.Canvas(id="path-picture", tabIndex=0, role="img", **{"data-path-keys": "true", "aria-label": label})


def path_options() -> Component:
    """Return the place of the controls of a path's picture; the page's modules fill it."""
    return html.Div(className="path-options", **{"data-widget": "path-options"})


def path_table(label: str) -> Component:
    """Return the path as a table."""
    region = html.Div(
        className="table-scroll",
        tabIndex=0,
        role="region",
        **{"data-widget": "path-table", "aria-label": label},
    )
    return html.Details([html.Summary("The path as a table"), region], className="as-table")
