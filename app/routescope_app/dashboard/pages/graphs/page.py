"""Graphs: the links between modules, learned beside their prior; cut them and watch the picture and the accuracy."""

from typing import Annotated, Any, Literal

from dash import ClientsideFunction, Dash, Input, Output, dcc, html
from dash.development.base_component import Component
from pydantic import Field, field_validator

from routescope_app.api.client import ApiClient
from routescope_app.api.schemas.base import MOST_SAMPLES, MOST_UNITS, UnitName
from routescope_app.dashboard import validation
from routescope_app.dashboard.address import AddressFormat, as_state
from routescope_app.dashboard.components.icons import icon
from routescope_app.dashboard.components.panel import as_table, folded, panel, skeleton
from routescope_app.dashboard.components.plot import plot
from routescope_app.dashboard.page import Page
from routescope_app.dashboard.validation import SAMPLES, Dropped, Edges, Least, Sets, View
from routescope_app.settings import Settings

MOST_LINKS = MOST_UNITS * (MOST_UNITS - 1) // 2
ALL = ("svg", "png", "csv", "json")

READ_GRAPH = (
    "Modules stand near each other where their signatures do; a line is a link, the fuller the more probable. Grey "
    "is dropped or cut. Click a module."
)
MORE_GRAPH = "Modules that would cover each other stand a little apart."
READ_MATRIX = (
    "A row and a column are modules; the scale below says how probable their link is. Both are in one order, the prior "
    "as it was matched."
)
READ_EFFECT = (
    "Paired with the model as it is, on the same samples; random sets are as many modules drawn by chance. Data sets"
    " not shown in training stand apart."
)
MORE_EFFECT = (
    "Data sets that training showed, and those it left out, each together; random sets keep the same share of links."
)
READ_MODULE = (
    "Its strongest links, where it reads the sample, what the answer takes from it and what it matters. Rank 1 is "
    "the best connected."
)
MORE_MODULE = "Connectivity q is the sum of the module's link probabilities, itself included."
READ_STATISTICS = (
    "What the learned graph is like beside its prior; ± is the standard deviation over graphs sampled from the "
    "probabilities."
)
READ_DEGREES = "Share of the modules with at least so many expected links: a long tail is hubs, a step is a block."
READ_CLUSTERS = (
    "Into how many groups the whole graph falls when only the most probable links are kept; the diamond is the share"
    " that is chosen."
)

OBSERVED = html.Span("observed", className="tag")
CAUSED = html.Span("caused", className="tag")


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


def address(choice: GraphChoice, view: GraphView) -> dict[str, Any]:
    """Return the state from which the page's scripts start (pages/graphs/state.js)."""
    return {"choice": as_state(choice), "view": as_state(view)}


def layout(_settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    start = address(GraphChoice.of_query(query), GraphView.of_query(query))
    left = html.Div([_graph_panel(), _matrix_panel(), _statistics_panel()], className="column")
    right = html.Div([_effect_panel(), _module_panel(), _degrees_panel(), _clusters_panel()], className="column")
    return html.Div(
        [
            dcc.Store(id="graph-address", data=start),
            html.Div(id="graph-heard", hidden=True),
            _head(),
            folded(_controls()),
            _problem(),
            html.Div([left, right], className="graphs-grid"),
        ],
        className="page page-graphs",
        **{"data-widget": "graph-page", "data-status": "loading"},
    )


def _head() -> Component:
    copy = html.Button(
        [icon("link"), "Copy link"], type="button", className="tool tool-text", **{"data-copy-link": "true"}
    )
    drop = dcc.Link([icon("drop"), "This choice on Drop"], href="/drop", id="graph-to-drop", className="tool tool-text")
    caption = html.Div(id="graph-caption", className="caption")
    return html.Div(
        [html.H1("Graphs"), caption, html.Div([drop, copy], className="head-actions")], className="page-head"
    )


def _place(widget: str, class_name: str = "", **attributes: Any) -> html.Div:
    """Return the container in which a script puts its controls."""
    return html.Div(className=class_name, **{"data-widget": widget, **attributes})


def _control(name: str, *parts: Component) -> html.Div:
    return html.Div([html.Span(name, className="control-name"), *parts], className="control")


def _controls() -> Component:
    sets = _place("graph-sets", "chips", role="group", **{"aria-label": "Data sets"})
    reset = html.Button("Reset", id="graph-reset", type="button", className="tool tool-text")
    return html.Div(
        [
            _place("graph-sliders", "graph-sliders"),
            html.Div(
                [_control("Data", sets), _control("Samples", _place("graph-samples")), reset], className="graph-data"
            ),
        ],
        className="graph-controls",
    )


def _problem() -> Component:
    """Return the message shown instead of the panels if there is no graph."""
    return html.Div(
        [
            html.P("No graph", id="graph-problem-title", className="message-title"),
            html.P(id="graph-problem-detail", className="message-detail"),
            html.Div(id="graph-others", className="graph-others"),
            html.Button("Try again", id="graph-retry", type="button", className="button"),
        ],
        className="message graph-problem",
        role="alert",
    )


def _canvas(which: str, label: str) -> html.Div:
    canvas = html.Canvas(
        id=f"graph-picture-{which}",
        tabIndex=0,
        role="img",
        **{
            "aria-label": f"{label}. Arrow keys walk from module to module, Enter chooses one, Escape lets go, plus "
            "and minus zoom, Shift and arrows move the picture, 0 shows all."
        },
    )
    waiting = [skeleton("when-loading")] if which == "learned" else []
    return html.Div(
        [canvas, *waiting],
        className=f"graph-canvas graph-canvas-{which}",
        **{"data-widget": "graph-map", "data-which": which},
    )


def _graph_panel() -> Component:
    compare = html.Button(
        "beside the prior",
        id="graph-compare",
        type="button",
        className="tool tool-text",
        **{"data-widget": "graph-compare"},
    )
    body = [
        html.Div(
            [
                _place("graph-links", "graph-links"),
                html.Div(
                    [_place("graph-colour", "control"), compare, _place("graph-zoom", "zoom")], className="graph-tools"
                ),
            ],
            className="graph-bar",
        ),
        html.Div(
            [_canvas("learned", "The graph of the modules"), _canvas("prior", "The prior in the same places")],
            className="graph-pictures",
        ),
        _place("graph-legend", "graph-legend"),
        html.P(className="hidden-visually", **{"data-widget": "graph-said", "aria-live": "polite"}),
    ]
    return panel(
        "graph",
        "Graph",
        READ_GRAPH,
        body,
        exports=(*ALL, "graphml", "gexf"),
        tag=OBSERVED,
        more=MORE_GRAPH,
        class_name="panel-graph",
    )


def _matrix_panel() -> Component:
    canvas = html.Canvas(
        id="graph-matrix-picture",
        tabIndex=0,
        role="img",
        **{
            "aria-label": "Link probabilities as a matrix. Arrow keys walk from pair to pair, with Shift ten at a "
            "time; Enter chooses the module of the row, Escape lets go."
        },
    )
    body = [
        html.Div([_place("graph-order", "control"), _place("graph-scale", "control")], className="graph-bar"),
        html.Div([canvas, skeleton("when-loading")], className="graph-matrix", **{"data-widget": "graph-matrix"}),
        html.P(className="hint", **{"data-widget": "graph-pair", "aria-live": "polite"}),
    ]
    return panel("graph-matrix", "Link probabilities", READ_MATRIX, body, exports=ALL, tag=OBSERVED)


def _effect_panel() -> Component:
    canvas = html.Canvas(role="img", **{"aria-label": "Accuracies: nothing measured yet"})
    body = [
        _place("graph-numbers", "numbers graph-numbers"),
        _place("graph-progress", "drop-progress"),
        html.Div(
            [canvas, skeleton("drop-skeleton")],
            className="drop-picture graph-effect",
            **{"data-widget": "graph-effect"},
        ),
        as_table("The effect as a table", **{"data-graph-table": "effect"}),
    ]
    return panel("graph-effect", "Effect of this choice", READ_EFFECT, body, exports=ALL, tag=CAUSED, more=MORE_EFFECT)


def _module_panel() -> Component:
    return panel(
        "graph-module", "Module", READ_MODULE, _place("graph-module", "graph-module"), exports=ALL, more=MORE_MODULE
    )


def _statistics_panel() -> Component:
    table = html.Div(
        className="table-scroll",
        tabIndex=0,
        role="region",
        **{"data-widget": "graph-statistics", "aria-label": "Statistics of the graph"},
    )
    return panel("graph-statistics", "Learned and prior", READ_STATISTICS, table, exports=("csv", "json"), tag=OBSERVED)


def _degrees_panel() -> Component:
    chart = plot("graph-degrees", "Distribution of the expected number of links", 220, links_units=False)
    return panel("graph-degrees", "Degree distribution", READ_DEGREES, chart, exports=ALL, tag=OBSERVED)


def _clusters_panel() -> Component:
    chart = plot("graph-clusters", "Clusters against the share of links kept", 220, links_units=False)
    return panel("graph-clusters", "Clusters as links are cut", READ_CLUSTERS, chart, exports=ALL, tag=OBSERVED)


def register(app: Dash, _client: ApiClient, _settings: Settings) -> None:
    """Add the page's one callback; the rest happens in the browser, which asks the API itself."""
    app.clientside_callback(
        ClientsideFunction("graphs", "open"),
        Output("graph-heard", "data-open"),
        Input("graph-address", "data"),
        Input("selection", "data"),
    )


PAGE = Page(
    "graphs",
    "/graphs",
    "Graphs",
    "graph",
    ("link_probability",),
    layout,
    register,
    inputs=("images", "points", "listops", "bytes"),
    asks=(GraphChoice, GraphView),
)
