"""What a block network is given: digits and a program of subtasks, or a picture of a digit and a permutation."""

from dash import html
from dash.development.base_component import Component

from routescope_app.dashboard.components.panel import panel
from routescope_app.settings import Settings

READ_INPUTS = (
    "Digits, typed or moved with the arrow keys, and the subtask of each iteration; or a digit's picture, cut into "
    "four strips in one of eight orders."
)


def layout(settings: Settings) -> Component:
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
