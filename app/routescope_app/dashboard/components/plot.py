"""Charts: Plotly figures whose colours follow the page (parts/plots.js paints them; it needs no eval)."""

import json
from typing import Any

import plotly.graph_objects as go
from dash import ALL, ClientsideFunction, Dash, Input, Output, State, dcc, html

#: No upload to anybody's cloud, no toolbar over the picture: the panel's own menu exports.
CONFIG = {
    "displayModeBar": False,
    "displaylogo": False,
    "showSendToCloud": False,
    "showEditInChartStudio": False,
    "scrollZoom": False,
    "doubleClick": "reset",
    "responsive": True,
}


def figure_id(key: str) -> dict[str, str]:
    """The store that holds the figure called ``key``: set its ``data`` to ``figure.to_plotly_json()``."""
    return {"type": "figure", "plot": key}


def plot(key: str, label: str, height: int | str = 260, *, links_units: bool = True, empty: str = "") -> html.Div:
    """The place of a chart.

    A figure's colours are names of theme.css and of the palette, ``"var(--rs-ink)"`` or ``"var(--unit-1)"``, with an
    opacity in percent as in ``"var(--rs-accent/20)"``; so a chart follows light and dark without asking the server.

    Args:
        key: its name; exports of ``routescope.plots.picture(key)`` and :func:`figure_id` use it.
        label: what it shows, for people who do not see it.
        height: pixels, or any CSS length.
        links_units: whether pointing at a unit, here or elsewhere, dims the others: points whose ``customdata`` names
            a unit, or begins with one.
    """
    size = f"{height}px" if isinstance(height, int) else height
    graph = dcc.Graph(
        id={"type": "plot", "plot": key},
        figure={"data": [], "layout": {}},
        config=CONFIG,
        responsive=True,
        style={"height": "100%"},
    )
    return html.Div(
        [dcc.Store(id=figure_id(key)), graph],
        id=f"plot-{key}",
        className="plot",
        role="group",
        style={"height": size},
        **{
            "aria-label": label,
            "data-widget": "plot",
            "data-plot": key,
            "data-empty": empty,
            "data-links-units": "true" if links_units else "false",
        },
    )


def register(app: Dash) -> None:
    """Add the callback that paints the charts; once for all pages, as each one costs Dash a dozen rounds."""
    app.clientside_callback(
        ClientsideFunction("plots", "paint"),
        Output({"type": "plot", "plot": ALL}, "figure"),
        Input({"type": "figure", "plot": ALL}, "data"),
        State({"type": "figure", "plot": ALL}, "id"),
    )


def sent(figure: go.Figure) -> dict[str, Any]:
    """A figure as plain data for its store."""
    plain: dict[str, Any] = json.loads(figure.to_json())
    plain["layout"].pop("template", None)
    return plain
