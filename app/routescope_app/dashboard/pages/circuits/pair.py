"""Panels of Circuits: a pair of pictures, the network's answers and reading, and dropped modules."""

from typing import Any

from dash import html
from dash.development.base_component import Component

from routescope_app.dashboard.components.panel import as_table, panel, skeleton

READ_GALLERY = "Statements that the model was not trained on. Choose a statement to show its pictures and its sentence."
READ_EDITOR = (
    "Drag a thing or move it with the arrow keys. Recolour, reshape, add and delete things below. The model answers "
    "each change at once."
)
READ_ANSWERS = (
    "Probability of each pinned sentence, from 0 to 100 %; above 50 % = true. Ring: before your edit. Triangle: full "
    "model."
)
READ_READS = (
    "Attention of the modules over the pictures; brighter is more. The map of all modules weights each module by its "
    "share of the answer."
)
READ_DROP = (
    "Accuracy by kind of statement. Ring: full model. Dot: with modules dropped or links cut. Whiskers: 95 % intervals."
)
MORE_DROP = (
    "Both models are measured on the same statements. Statements come in fours that share pictures and words, so they "
    "are not independent. The intervals assume independent statements."
)
ALL = ("svg", "png", "csv", "json")

CAUSED = html.Span("caused", className="tag")


def layout() -> Component:
    """Gallery, pictures and answers in a row."""
    return html.Div(
        html.Div([_gallery(), _editor(), _answers()], className="pair-grid"),
        id="circuits-pair",
        className="circuits-pair",
        **{"data-widget": "pair-page"},
    )


def below() -> Component:
    """Return the panels of the modules' reading of the pictures, and of the effect of dropping modules."""
    panels = html.Div([_reads(), _drop()], className="pair-grid-below")
    return html.Div(panels, id="circuits-pair-below", className="circuits-pair")


def _observed() -> html.Span:
    """Says that numbers are observed, or under which intervention they are (pages/circuits/pair/answers.js)."""
    return html.Span("observed", className="tag", **{"data-widget": "pair-tag"})


def _place(widget: str, class_name: str = "", **attributes: Any) -> html.Div:
    """Return the container in which a script puts its controls."""
    return html.Div(className=class_name, **{"data-widget": widget, **attributes})


def _gallery() -> Component:
    body = [
        _place("pair-filter", "pair-filter"),
        html.Div(skeleton("pair-skeleton"), className="pair-gallery", **{"data-widget": "pair-gallery"}),
        _place("pair-pager", "pager"),
    ]
    return panel("pair-gallery", "Statements", READ_GALLERY, body, class_name="panel-pair-gallery")


def _editor() -> Component:
    body = [
        _place("pair-head", "pair-head"),
        html.Div(skeleton("pair-skeleton"), className="pair-pictures", **{"data-widget": "pair-pictures"}),
        _place("pair-tools", "pair-tools"),
        _place("pair-palette", "pair-palette"),
        _place("pair-upload", "pair-upload"),
        html.P(className="hidden-visually", **{"data-widget": "pair-said", "aria-live": "polite"}),
    ]
    return panel("pair-pictures", "Pictures", READ_EDITOR, body, exports=ALL, class_name="panel-pair-pictures")


def _answers() -> Component:
    body = [
        html.Div(skeleton("pair-skeleton"), className="pair-answers", **{"data-widget": "pair-answers"}),
        as_table("Answers as a table", **{"data-widget": "pair-answers-table"}),
    ]
    return panel(
        "pair-answers",
        "Is it true?",
        READ_ANSWERS,
        body,
        exports=ALL,
        tag=_observed(),
        class_name="panel-pair-answers",
    )


def _reads() -> Component:
    canvas = html.Canvas(
        id="pair-reads-picture",
        tabIndex=0,
        role="img",
        **{"aria-label": "Read-in of the modules. Arrow keys walk from module to module, Escape shows all together."},
    )
    body = [
        _place("pair-reads-bar", "pair-bar"),
        html.Div([canvas, skeleton("pair-skeleton")], className="pair-reads", **{"data-widget": "pair-reads"}),
        _place("pair-modules", "pair-modules"),
        html.P(className="hint", **{"data-widget": "pair-reads-said", "aria-live": "polite"}),
    ]
    return panel("pair-reads", "What modules read", READ_READS, body, exports=ALL, tag=_observed())


def _drop() -> Component:
    canvas = html.Canvas(role="img", **{"aria-label": "Accuracy by kind of statement: nothing measured yet"})
    body = [
        _place("pair-units", "pair-units"),
        _place("pair-sliders", "pair-bar"),
        _place("pair-numbers", "numbers pair-numbers"),
        _place("pair-progress", "drop-progress"),
        html.Div([canvas, skeleton("drop-skeleton")], className="drop-picture", **{"data-widget": "pair-kinds"}),
        as_table("Accuracy by kind as a table", **{"data-pair-table": "kinds"}),
    ]
    return panel("pair-drop", "Drop modules", READ_DROP, body, exports=ALL, tag=CAUSED, more=MORE_DROP)
