"""Paths without a model: the experts that the tokens of a routing log took, layer by layer."""

from dash import html
from dash.development.base_component import Component

from routescope_app.dashboard.components.icons import icon
from routescope_app.dashboard.components.panel import panel, skeleton
from routescope_app.dashboard.pages.paths.picture import path_canvas, path_options, path_table
from routescope_app.dashboard.validation import LogPart

READ_PATH = (
    "Columns are layers, dots experts, lines tokens: each runs through the experts with most weight for it; fainter "
    "segments, the others that it takes."
)
READ_TEXT = (
    "Colour: the expert with most weight for the token at this layer; \N{DOWNWARDS ARROW WITH CORNER LEFTWARDS} ends a "
    "line."
)
READ_TOKEN = "The experts that the token takes at this layer, with their weights."


def of_log(part: LogPart, step: int) -> Component:
    """The page for a part of a routing log; its modules ask the API for what is in it."""
    copy = html.Button(
        [icon("link"), "Copy link"], type="button", className="tool tool-text", **{"data-copy-link": "true"}
    )
    asked = {
        "data-log": str(part.log),
        "data-sequence": str(part.sequence - 1),
        "data-token": str(part.token - 1),
        "data-step": str(step - 1),
    }
    return html.Div(
        [
            html.Div(
                [html.H1("Paths"), html.Div(className="caption", **{"data-widget": "path-log-caption"}), copy],
                className="page-head",
            ),
            html.Div(className="log-bar", **{"data-widget": "path-log"}, **asked),
            html.Div(
                [
                    html.Div([_path_panel()], className="column"),
                    html.Div([_text_panel(), _token_panel()], className="column"),
                ],
                className="paths-grid",
            ),
        ],
        className="page page-paths page-of-log",
        **{"data-follows-path": "true", "data-status": "loading"},
    )


def _path_panel() -> Component:
    canvas = path_canvas(
        "Path of the tokens. Space plays, left and right change the layer, up and down move through the tokens, Escape "
        "ends it. The same numbers are in the table below."
    )
    failed = html.Div(
        [
            html.P("The path could not be shown", className="message-title"),
            html.P(className="message-detail", **{"data-widget": "path-log-problem"}),
        ],
        className="message when-failed",
        role="alert",
    )
    return panel(
        "path",
        "Computational path",
        READ_PATH,
        [
            html.Div(
                [canvas, skeleton("when-loading"), failed], className="path-canvas", **{"data-widget": "path-canvas"}
            ),
            html.Div(
                [
                    html.Div(className="player", **{"data-widget": "path-player"}),
                    path_options(),
                    path_table("Dominant experts at every layer"),
                ],
                className="path-controls",
            ),
        ],
        exports=("svg", "png", "csv", "json"),
        tag=html.Span("observed", className="tag"),
        class_name="panel-path",
    )


def _text_panel() -> Component:
    canvas = html.Canvas(
        id="patch-picture",
        tabIndex=0,
        role="img",
        **{
            "data-path-keys": "true",
            "aria-label": "The tokens, each on the colour of its expert. Arrow keys move from token to token.",
        },
    )
    body = [
        html.Div([canvas, skeleton("when-loading")], className="patch-canvas", **{"data-widget": "patch-canvas"}),
        html.Div([html.Div(className="legend", **{"data-widget": "unit-legend"})], className="patch-foot"),
    ]
    return panel("patches", "Text", READ_TEXT, body, exports=("svg", "png", "csv", "json"), class_name="panel-patches")


def _token_panel() -> Component:
    return panel(
        "tokens",
        "Experts of a token",
        READ_TOKEN,
        html.Div(**{"data-widget": "token-bars"}),
        class_name="panel-tokens",
    )
