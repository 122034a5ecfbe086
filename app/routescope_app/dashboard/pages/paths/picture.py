"""Picture and controls of a path, of a model's trace or of a routing log."""

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component


def path_canvas(label: str) -> Component:
    """The canvas that the page's modules draw the path on; ``label`` says its keys to who cannot see it."""
    return html.Canvas(id="path-picture", tabIndex=0, role="img", **{"data-path-keys": "true", "aria-label": label})


def secondary_from(least: str, **attributes: str) -> Component:
    """Return the control of the smallest share of a weaker route that is drawn; ``least`` describes the share."""
    slider = dmc.Slider(
        id="paths-threshold",
        min=0.05,
        max=0.5,
        step=0.05,
        value=0.25,
        size="xs",
        w=90,
        label=None,
        updatemode="drag",
        thumbLabel=f"Least {least} of a secondary segment",
        className="small-slider",
    )
    return html.Div(
        [
            html.Span("secondary from", className="control-name"),
            slider,
            html.Output("0.25", id="paths-threshold-value", className="readout"),
        ],
        className="control when-wide",
        **attributes,
    )


def path_table(label: str) -> Component:
    """Return the path as a table."""
    region = html.Div(
        className="table-scroll",
        tabIndex=0,
        role="region",
        **{"data-widget": "path-table", "aria-label": label},
    )
    return html.Details([html.Summary("The path as a table"), region], className="as-table")
