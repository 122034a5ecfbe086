"""The pruning studio of the Drop page: how many experts each layer keeps, in which order they go, and what it costs."""

from dash import html
from dash.development.base_component import Component

from routescope_app.dashboard.components.job import job_progress
from routescope_app.dashboard.components.panel import as_table, panel

JOB = "pruning"
EXPORTS = ("svg", "png", "csv", "json")
READ_STUDIO = (
    "Drag a bar, or move it with the arrow keys: so many experts a layer keeps. Each row of cells is a layer, each cell"
    " an expert."
)
MORE_STUDIO = (
    "The order is chosen on the last samples of every data set, its curves are measured on the first ones. A layer"
    " keeps at least as many experts as a token takes. Files hold what the bars say: the keep-list, and a model that"
    " the other experts are cut out of."
)
READ_CURVES = (
    "Line and whiskers: what is left while fewer experts are kept, 95 %; band: random sets of the same size, least to "
    "largest; the dashed upright: where the bars stand."
)
MORE_CURVES = (
    "A diamond is what the page measured, once exactly these experts are left out of it. Changes are paired, on the"
    " same samples. Point at a dot for its figures."
)


def layout() -> Component:
    """Both panels, for models with experts."""
    caused = html.Span("caused", className="tag")
    rows = html.Div(
        [html.Div(className="studio-bars"), html.Div(html.Canvas(role="img"), className="studio-cells")],
        className="studio-rows",
        role="group",
        **{"aria-label": "Experts that each layer keeps"},
    )
    bars = html.Div(
        [
            html.Div(className="studio-whole"),
            rows,
            html.P(className="hint studio-legend"),
            as_table("Who stays and who goes as a table", **{"data-studio-table": "kept"}),
        ],
        **{"data-widget": "studio-layers"},
    )
    studio = panel(
        "drop-studio",
        "Pruning studio",
        READ_STUDIO,
        [
            html.Div(**{"data-widget": "studio-controls"}),
            job_progress(JOB, "Pruning of experts"),
            bars,
            html.Div(**{"data-widget": "studio-acts"}),
        ],
        exports=EXPORTS,
        more=MORE_STUDIO,
    )
    picture = html.Div(html.Canvas(role="img"), className="studio-picture")
    curves = panel(
        "drop-studio-curves",
        "Retention by data set",
        READ_CURVES,
        [
            html.Div([html.Div(className="studio-shown"), picture], **{"data-widget": "studio-curves"}),
            as_table("Retention by data set as a table", **{"data-studio-table": "curves"}),
        ],
        exports=EXPORTS,
        tag=caused,
        more=MORE_CURVES,
    )
    return html.Div([studio, curves], className="studio-grid", hidden=True)
