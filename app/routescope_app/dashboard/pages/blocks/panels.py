"""The panels around the picture of the blocks: inputs, interventions, answers, accuracy, indicators over training."""

from typing import Any

from dash import html
from dash.development.base_component import Component

from routescope_app.dashboard.components.panel import as_table, panel, skeleton
from routescope_app.dashboard.components.plot import plot
from routescope_app.settings import Settings

READ_INPUTS = (
    "Digits, typed or moved with the arrow keys, and the subtask of each iteration; or a digit's picture, cut into "
    "four strips in one of eight orders."
)


def inputs(settings: Settings) -> Component:
    """The panel of the inputs; which of its parts are shown follows the task (pages/blocks/inputs.js)."""
    body = [
        html.Div(className="blocks-digits", **{"data-widget": "blocks-digits"}),
        html.Div(className="blocks-program", **{"data-widget": "blocks-program"}),
        html.Div(
            [
                html.Div(className="blocks-permutations", **{"data-widget": "blocks-permutations"}),
                html.Div(className="blocks-gallery", **{"data-widget": "blocks-gallery"}),
                _bring(settings),
            ],
            className="blocks-image",
            hidden=True,
            **{"data-widget": "blocks-image"},
        ),
    ]
    return html.Div(panel("blocks-inputs", "Input", READ_INPUTS, body), id="blocks-inputs")


def _bring(settings: Settings) -> Component:
    """A pad to draw on (parts/drawing_pad.js) and a place for files (parts/upload.js)."""
    canvas = html.Canvas(
        id="blocks-pad",
        tabIndex=0,
        role="img",
        **{
            "aria-label": "Drawing pad. Arrow keys move the pen, space lowers and lifts it, "
            "Enter uses the drawing, Ctrl+Z undoes a stroke."
        },
    )

    def tool(name: str, label: str, class_name: str = "tool tool-text") -> html.Button:
        return html.Button(label, type="button", className=class_name, disabled=True, **{"data-pad": name})

    hint = html.Span("draw a digit", className="pad-hint", **{"aria-hidden": "true"})
    tools = [tool("undo", "Undo"), tool("clear", "Clear"), tool("save", "Use drawing", "button")]
    pad = html.Div(
        [html.Div([canvas, hint], className="pad-frame"), html.Div(tools, className="pad-tools")],
        className="pad",
        **{"data-widget": "drawing-pad", "data-empty": "true"},
    )
    upload = html.Div(className="upload", **{"data-widget": "upload", "data-max-bytes": str(settings.max_upload_bytes)})
    words = html.Summary("Draw a digit, or bring a picture")
    return html.Details([words, html.Div([pad, upload], className="bring")], className="as-table blocks-bring")


ALL = ("svg", "png", "csv", "json")
CAUSED = html.Span("caused", className="tag")
OBSERVED = html.Span("observed", className="tag")

READ_STEER = (
    "A muted route takes no part; a forced copy hands its source on; a gate at 1 computes, at 0 copies. A click in "
    "the picture does the same."
)
READ_ANSWERS = (
    "What the network says after every iteration, beside the rule of the task and networks that route nothing. A red"
    " cross marks an error."
)
MORE_ANSWERS = "An error is what is not as the rule says. Small bars are the probabilities of the ten digits, 0 to 9."
READ_ACCURACY = (
    "The validation split under these interventions: dots with 95 % intervals, rings the network as it is, on the "
    "same samples; changes are paired."
)
MORE_ACCURACY = (
    "A sample of ALGO asks for one output. Samples of sums are those that training shows; what it leaves out is in "
    "the network's card."
)
READ_INDICATORS = (
    "Recorded in training: sharpness of the weights, fairness over the inputs, and the difference between "
    "permutations, where 0 is none."
)
MORE_INDICATORS = (
    "Sharpness: mean of the largest weight of each block. Fairness: evenness of the weight over the inputs. "
    "Difference: between permutations after undoing them."
)


def _place(widget: str, class_name: str = "", **attributes: Any) -> html.Div:
    """Return the container in which a script puts its controls."""
    return html.Div(className=class_name, **{"data-widget": widget, **attributes})


def steer() -> Component:
    """The list of interventions and selects to add to it."""
    body = [_place("blocks-interventions", "blocks-interventions"), _place("blocks-steering", "blocks-steering")]
    return html.Div(panel("blocks-steer", "Interventions", READ_STEER, body, tag=CAUSED), id="blocks-steer")


def answers() -> Component:
    """The answers of every iteration as a table."""
    body = [
        html.P(className="blocks-verdict", **{"data-widget": "blocks-verdict", "role": "status"}),
        html.Div(
            skeleton("blocks-skeleton"),
            className="table-scroll",
            tabIndex=0,
            role="region",
            **{"aria-label": "Answers by iteration", "data-widget": "blocks-answers"},
        ),
    ]
    return html.Div(
        panel("blocks-answers", "Answers", READ_ANSWERS, body, exports=ALL, more=MORE_ANSWERS), id="blocks-answers"
    )


def accuracy() -> Component:
    """The task accuracy under the interventions, streaming in."""
    canvas = html.Canvas(role="img", **{"aria-label": "Accuracy: nothing measured yet"})
    groups = html.Canvas(role="img", **{"aria-label": "Accuracy by group: nothing measured yet"})
    body = [
        _place("blocks-samples", "blocks-bar"),
        _place("blocks-numbers", "numbers blocks-numbers"),
        _place("blocks-progress", "drop-progress"),
        html.Div(
            [canvas, groups, skeleton("drop-skeleton")],
            className="drop-picture blocks-effect",
            **{"data-widget": "blocks-effect"},
        ),
        as_table("The task accuracy as a table", **{"data-blocks-table": "accuracy"}),
    ]
    return html.Div(
        panel("blocks-accuracy", "Task accuracy", READ_ACCURACY, body, exports=ALL, tag=CAUSED, more=MORE_ACCURACY),
        id="blocks-accuracy",
    )


def indicators() -> Component:
    """Charts of the indicators over training."""
    body = [
        _place("blocks-indicators"),
        plot("blocks-indicators", "Indicators over training", 380, links_units=False),
        as_table("The indicators as a table", **{"data-blocks-table": "indicators"}),
    ]
    return html.Div(
        panel(
            "blocks-indicators", "Over training", READ_INDICATORS, body, exports=ALL, tag=OBSERVED, more=MORE_INDICATORS
        ),
        id="blocks-indicators",
    )
