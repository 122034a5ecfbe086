"""Types: maps of where tokens stand among the functions, step after step, trained beside routing at initialisation.

Of a model whose units carry its states, the map is of the states of its modules.
"""

import json
from typing import Annotated, Any, Literal

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, dcc, html
from dash.development.base_component import Component
from pydantic import BeforeValidator, Field

from routescope_app.api.client import ApiClient
from routescope_app.dashboard import validation
from routescope_app.dashboard.address import AddressFormat, bounds
from routescope_app.dashboard.components.icons import icon
from routescope_app.dashboard.components.job import job_progress
from routescope_app.dashboard.components.panel import folded, panel, skeleton
from routescope_app.dashboard.components.words import words
from routescope_app.dashboard.page import Page
from routescope_app.dashboard.reading import reader
from routescope_app.dashboard.validation import CORNERS, Dropped, PinChoice, Sets, View
from routescope_app.settings import Settings

SAMPLES = 30  # to begin with: seconds on two cores
MOST_SAMPLES = 1_000_000  # that an address may name; the service has its own limit
MOST_CATEGORIES = 1_024

#: The map, its layout and its step that it lies on, and its corners.
Lasso = Annotated[
    str,
    Field(max_length=2_000, pattern=rf"^(trained|initial):(map|pca):(all|[1-9]\d{{0,3}}):{CORNERS}$"),
    AddressFormat("lasso"),
]

METHODS = [{"value": "pca", "label": "PCA"}, {"value": "tsne", "label": "t-SNE"}, {"value": "umap", "label": "UMAP"}]
TOKENS = [
    {"value": "patches", "label": words("patches", numbers="numbers", matrices="panels")},
    {"value": "cls", "label": "CLS"},
    {"value": "all", "label": "all"},
]

READ_STEPS = "The same map, one panel a step, all on the same axes; a click goes to the step."
READ_CLUSTERS = (
    "Silhouette of the points themselves, not of the map (cosine distance): above its band, which are shuffled groups, "
    "the groups are tighter than chance."
)
READ_SELECTION = "What is inside the lasso, and how many there are of each {unit} and label."
READ_FACTS = "How the map was made, and how far its neighbours can be trusted (1 is best)."


class MapChoice(validation.Input):
    """Requested map of types."""

    method: Annotated[Literal["pca", "tsne", "umap"], AddressFormat(always=True)] = "tsne"
    data: Sets = ()
    samples: Annotated[int, Field(ge=1, le=MOST_SAMPLES), AddressFormat(always=True)] = SAMPLES
    tokens: Literal["patches", "cls", "all"] = "patches"
    perplexity: Annotated[float, Field(ge=2, le=1_000), AddressFormat(only=("method", "tsne"))] = 30
    neighbours: Annotated[int, Field(ge=2, le=1_000), AddressFormat(only=("method", "umap"))] = 15
    seed: Annotated[int, Field(ge=0, le=2**31 - 1), AddressFormat(always=True)] = 0
    drop: Dropped = ()


class MapView(validation.Input):
    """View of the map: colours, step, hidden points, visible part, lasso."""

    colour: Literal["unit", "community", "label", "kind", "domain", "token", "correct", "step"] | None = None
    step: Annotated[str, Field(pattern=r"^(all|[1-9]\d{0,3})$"), AddressFormat(always=True, role="step")] = "1"
    hide: Annotated[
        tuple[Annotated[int, Field(ge=0, lt=MOST_CATEGORIES)], ...],
        BeforeValidator(validation.split),
        Field(max_length=MOST_CATEGORIES),
    ] = ()
    pca: bool = False
    compare: bool = False
    view: View | None = None
    lasso: Lasso | None = None


def layout(settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    choice, view = MapChoice.of_query(query), MapView.of_query(query)
    return html.Div(
        [
            dcc.Store(id="types-data", data=list(choice.data)),
            dcc.Store(id="types-drop", data=list(choice.drop)),
            html.Div(id="types-heard", hidden=True),
            _head(),
            folded(_controls(choice, view, settings)),
            _jobs(),
            html.Div(
                [
                    html.Div([_map_panel(), _steps_panel(), _clusters_panel()], className="column"),
                    html.Div([_facts_panel(), _selection_panel()], className="column"),
                ],
                className="types-grid",
            ),
        ],
        className="page page-types",
        **{
            "data-widget": "type-page",
            "data-view": json.dumps(view.model_dump(mode="json")),
            "data-status": "loading",
            "data-compare": "true" if view.compare else "false",
        },
    )


def _head() -> html.Div:
    copy = html.Button(
        [icon("link"), "Copy link"], type="button", className="tool tool-text", **{"data-copy-link": "true"}
    )
    caption = html.Div(className="caption", **{"data-widget": "type-caption"})
    return html.Div([html.H1("Types"), caption, copy], className="page-head")


def _control(name: str, *parts: Component, identity: str | None = None) -> html.Div:
    extra = {"id": identity} if identity else {}
    return html.Div([html.Span(name, className="control-name"), *parts], className="control", **extra)


def _number(choice: MapChoice, name: str, label: str, width: int, **more: Any) -> Component:
    least, most = bounds(MapChoice, name)
    return dmc.NumberInput(
        id=f"types-{name}",
        value=getattr(choice, name),
        clampBehavior="blur",
        size="xs",
        w=width,
        debounce=400,
        **{"aria-label": label, "allowDecimal": False, "min": least, "max": most, **more},
    )


def _controls(choice: MapChoice, view: MapView, settings: Settings) -> html.Div:
    method = dmc.SegmentedControl(
        id="types-method", data=METHODS, value=choice.method, size="xs", **{"aria-label": "Method"}
    )
    tokens = dmc.SegmentedControl(
        id="types-tokens", data=TOKENS, value=choice.tokens, size="xs", **{"aria-label": "Tokens"}
    )
    compare = html.Div(
        dmc.Switch(id="types-compare", label="beside routing at initialisation", size="xs", checked=view.compare),
        id="types-compare-control",
    )
    return html.Div(
        [
            _control("Method", method),
            _control(
                "perplexity",
                _number(choice, "perplexity", "Perplexity of t-SNE", 64, allowDecimal=True),
                identity="types-perplexity-control",
            ),
            _control(
                "neighbours",
                _number(choice, "neighbours", "Neighbours of UMAP", 64),
                identity="types-neighbours-control",
            ),
            _control("seed", _number(choice, "seed", "Seed", 64)),
            _control(
                "samples",
                _number(choice, "samples", "Samples in all", 76, step=30, max=settings.max_measured_samples),
            ),
            _control("tokens", tokens, identity="types-tokens-control"),
            html.Div(
                [_chips("data", "sets", "Data sets"), _chips("drop", "units", "Units to drop"), compare],
                className="type-row",
            ),
        ],
        className="type-controls",
    )


def _chips(name: str, kind: str, label: str) -> html.Div:
    chips = {"data-widget": "type-chips", "data-kind": kind, "aria-label": label}
    return _control(name, html.Div(className="chips", role="group", **chips))


def _jobs() -> html.Div:
    return html.Div(
        [
            job_progress("types-pca", "PCA of the types"),
            job_progress("types-trained", "The map of types"),
            job_progress("types-pca-initial", "PCA at initialisation"),
            job_progress("types-initial", "The map at initialisation"),
        ],
        className="type-jobs",
    )


def _map(which: str, label: str) -> html.Div:
    canvas = html.Canvas(
        id=f"type-picture-{which}",
        tabIndex=0,
        role="img",
        **{
            "data-type-keys": which,
            "aria-label": f"{label}. Space plays, left and right change the step, up and down move through the points, "
            "Enter opens a point's path, plus and minus zoom, Shift and arrows move the map, 0 shows all, "
            "L takes the lasso, Escape ends it.",
        },
    )
    card = html.Div(className="type-card", hidden=True, **{"data-widget": "type-card", "aria-hidden": "true"})
    return html.Div(
        [canvas, card, *(_states() if which == "trained" else [skeleton("when-second")])],
        className=f"type-canvas type-canvas-{which}",
        **{"data-widget": "type-map", "data-which": which},
    )


def _states() -> list[Component]:
    """Loading, cancelled and error states; the page's status decides which one is seen."""

    def said(
        title: str, detail: Component, button: str, text: str, class_name: str, role: str | None, *more: Component
    ) -> html.Div:
        action = html.Button(text, id=button, type="button", className="button")
        extra = {"role": role} if role else {}
        return html.Div(
            [html.P(title, className="message-title"), detail, action, *more],
            className=f"message {class_name}",
            **extra,
        )

    why = html.P("It was cancelled before there was a map.", className="message-detail")
    problem = html.P(id="types-problem", className="message-detail")
    return [
        skeleton("when-loading"),
        said("No map", why, "types-again", "Compute it", "when-empty", None),
        said(
            "The map could not be computed",
            problem,
            "types-retry",
            "Try again",
            "when-failed",
            "alert",
            reader(hidden=True),
        ),
    ]


def _map_panel() -> Component:
    waiting = html.Span(className="tag", hidden=True, **{"data-widget": "type-waiting", "role": "status"})
    body = [
        html.Div(
            [
                html.Div(className="type-tools", **{"data-widget": "type-tools"}),
                html.Div(className="type-colours", **{"data-widget": "type-colours"}),
            ],
            className="type-bar",
        ),
        html.Div(
            [_map("trained", "Map of types"), _map("initial", "Map of types with routing at initialisation")],
            className="type-maps",
        ),
        html.Div(
            className="legend type-legend",
            role="group",
            **{"data-widget": "type-legend", "aria-label": "Categories: press to hide or show"},
        ),
        html.Div(
            html.Div(className="player", **{"data-widget": "type-player", "data-type-keys": "player"}),
            className="path-controls",
        ),
        html.P(className="hidden-visually", **{"data-widget": "type-said", "aria-live": "polite"}),
    ]
    return panel(
        "typemap",
        words(types="Map of types", states="Map of states"),
        html.Span(**{"data-widget": "type-reads"}),
        body,
        exports=("svg", "png", "csv", "json"),
        tag=html.Span([html.Span("observed", className="tag"), waiting], className="tags"),
        class_name="panel-typemap",
    )


def _steps_panel() -> Component:
    return panel(
        "typesteps",
        "Step by step",
        READ_STEPS,
        html.Div(className="multiples", **{"data-widget": "type-multiples"}),
        exports=("svg", "png", "csv", "json"),
        class_name="panel-typesteps",
    )


def _clusters_panel() -> Component:
    table = html.Details(
        [
            html.Summary("The scores as a table"),
            html.Div(
                className="table-scroll",
                tabIndex=0,
                role="region",
                **{"data-clustering-table": "true", "aria-label": "Clustering scores as a table"},
            ),
        ],
        className="as-table",
    )
    canvas = html.Canvas(role="img", **{"aria-label": "Clustering by step: nothing computed yet"})
    return panel(
        "typeclusters",
        "Clustering by step",
        READ_CLUSTERS,
        [html.Div(canvas, className="type-clustering", **{"data-widget": "type-clustering"}), table],
        exports=("svg", "png", "csv", "json"),
        tag=html.Span("observed", className="tag"),
        class_name="panel-typeclusters",
    )


def _facts_panel() -> Component:
    return panel(
        "typefacts",
        "This map",
        READ_FACTS,
        html.Div(className="type-facts", **{"data-widget": "type-facts"}),
        exports=("csv", "json"),
        class_name="panel-typefacts",
    )


def _selection_panel() -> Component:
    return panel(
        "typeselection",
        "Selection",
        words(READ_SELECTION),
        html.Div(className="type-selection", **{"data-widget": "type-selection"}),
        exports=("svg", "png", "csv", "json"),
        class_name="panel-typeselection",
    )


def register(app: Dash, _client: ApiClient, _settings: Settings) -> None:
    """Add the page's callbacks: all in the browser, which asks the API for maps itself (pages/types/jobs.js)."""
    app.clientside_callback(
        ClientsideFunction("types", "choose"),
        Output("types-heard", "data-request"),
        Input("types-method", "value"),
        Input("types-samples", "value"),
        Input("types-tokens", "value"),
        Input("types-perplexity", "value"),
        Input("types-neighbours", "value"),
        Input("types-seed", "value"),
        Input("types-data", "data"),
        Input("types-drop", "data"),
        Input("selection", "data"),
    )
    app.clientside_callback(
        ClientsideFunction("types", "compare"),
        Output("types-heard", "data-compare"),
        Input("types-compare", "checked"),
    )


PAGE = Page(
    "types",
    "/types",
    "Types",
    "types",
    ("types", "states"),
    layout,
    register,
    inputs=("images", "numbers", "points", "listops", "bytes", "matrices"),
    samples=True,
    measures=True,
    asks=(MapChoice, MapView),
    passes=(PinChoice,),
)
