"""Panels of Circuits: pinned sentences, their circuits side by side, and the maps of many sentences."""

from typing import Any

from dash import html
from dash.development.base_component import Component

from routescope_app.dashboard.components.job import job_progress
from routescope_app.dashboard.components.panel import panel, skeleton

ALL = ("svg", "png", "csv", "json")

READ_SENTENCES = (
    "Each sentence designs a circuit. Type a sentence and press Enter; up to four are compared with the first. "
    "Words that the model was not trained with are underlined."
)
READ_CIRCUITS = (
    "Discs are modules, at the same places in every circuit. Lines are links. Against circuit 1, blue links are "
    "gained and dashed orange links are lost. Click a module."
)
READ_MAPS = (
    "Points are sentences. Near points have similar circuits (left) or similar words (right). Click a point to pin "
    "its sentence; numbers mark pinned sentences."
)
READ_DISTANCES = "Distance of each circuit from the first. Links above the slider's threshold count."
READ_SELECTION = "Sentences inside the lasso. Without a lasso: the nearest sentences to the chosen one, with distances."
READ_SEPARATION = "How well the maps separate sentences by kind and by object. Bold: better than shuffled groups."

OBSERVED = html.Span("observed", className="tag")


def sentences() -> Component:
    """Pinned sentences, and where one types another."""
    return html.Div(_sentences_panel(), className="circuits-sentences")


def layout() -> Component:
    """The circuits of the sentences, and the maps."""
    return html.Div(
        html.Div([_circuits_panel(), _maps_panel()], className="circuits-grid"),
        className="circuits-map",
        **{"data-widget": "circuits-map"},
    )


def tables() -> Component:
    """Circuits and maps in numbers."""
    beside = html.Div([_distances_panel(), _selection_panel()], className="circuits-grid")
    return html.Div([beside, _separation_panel()], className="circuits-tables")


def _place(widget: str, class_name: str = "", **attributes: Any) -> html.Div:
    """Return the container in which a script puts its controls."""
    return html.Div(className=class_name, **{"data-widget": widget, **attributes})


def _sentences_panel() -> Component:
    pins = html.Ol(className="pins", **{"data-widget": "sentence-pins", "aria-label": "Pinned sentences"})
    return panel("sentences", "Sentences", READ_SENTENCES, [_place("sentence-input"), pins])


def _circuits_panel() -> Component:
    body = [
        html.Div(
            [
                _place("design-threshold", "design-threshold"),
                html.Div([_place("design-links", "control"), _place("design-zoom", "zoom")], className="graph-tools"),
            ],
            className="graph-bar",
        ),
        html.Div(
            [skeleton("when-first"), skeleton("when-first")],
            className="designs",
            **{"data-widget": "design-pictures", "data-status": "loading"},
        ),
        html.Div(className="message", role="alert", hidden=True, **{"data-widget": "design-problem"}),
        _place("design-legend", "graph-legend"),
        html.P(className="hidden-visually", **{"data-widget": "design-said", "aria-live": "polite"}),
        _place("design-module", "design-module"),
    ]
    return panel("designs", "Circuits side by side", READ_CIRCUITS, body, exports=ALL, tag=OBSERVED)


def _distances_panel() -> Component:
    table = html.Div(
        className="table-scroll",
        tabIndex=0,
        role="region",
        **{"data-widget": "design-table", "aria-label": "Distances of the circuits"},
    )
    return panel("distances", "Distances", READ_DISTANCES, table, exports=("csv", "json"), tag=OBSERVED)


def _canvas(which: str, label: str) -> html.Div:
    canvas = html.Canvas(
        id=f"sentence-map-{which}",
        tabIndex=0,
        role="img",
        **{
            "aria-label": f"{label}. N and P go from sentence to sentence, Enter pins one, L takes the lasso, Escape "
            "lets go, plus and minus zoom, arrows move, 0 shows all."
        },
    )
    card = html.Div(className="sentence-card", hidden=True, **{"data-widget": "sentence-card"})
    return html.Div(
        [canvas, card, skeleton("when-first")],
        className="sentence-canvas",
        **{"data-widget": "sentence-map", "data-which": which},
    )


def _maps_panel() -> Component:
    body = [
        html.Div(
            [_place("sentence-choices", "graph-tools"), _place("sentence-tools", "type-tools")], className="graph-bar"
        ),
        html.Div(
            [job_progress("sentence-pca", "A first map, by PCA"), job_progress("sentence-map", "Map of the sentences")],
            className="sentence-jobs",
        ),
        html.Div(
            [
                html.Div(className="message sentence-message", role="alert", hidden=True),
                html.Div(
                    [
                        _canvas("circuits", "Map of sentences by their circuits"),
                        _canvas("text", "Map of sentences by the text encoder"),
                    ],
                    className="sentence-maps",
                ),
            ],
            className="sentence-state",
            **{"data-widget": "sentence-state", "data-status": "loading"},
        ),
        html.Div([_place("sentence-legend", "graph-legend"), _place("sentence-filters", "graph-tools")]),
        html.P(className="hidden-visually", **{"data-widget": "sentence-said", "aria-live": "polite"}),
    ]
    return panel("sentencemap", "Maps of sentences", READ_MAPS, body, exports=ALL, tag=OBSERVED)


def _selection_panel() -> Component:
    return panel(
        "sentenceselection",
        "Neighbours",
        READ_SELECTION,
        _place("sentence-selection", "sentence-selection"),
        exports=("csv", "json"),
    )


def _separation_panel() -> Component:
    table = html.Div(
        className="table-scroll",
        tabIndex=0,
        role="region",
        **{"data-widget": "sentence-separation", "aria-label": "How far the maps keep groups apart"},
    )
    return panel("separation", "Separation", READ_SEPARATION, table, exports=("csv", "json"), tag=OBSERVED)
