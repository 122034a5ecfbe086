"""Logs: routings that other programs wrote down; one is looked into, two are compared."""

from typing import Annotated, Any

from dash import ClientsideFunction, Dash, Input, Output, html
from dash.development.base_component import Component
from pydantic import Field

from routescope_app.api.client import ApiClient
from routescope_app.api.schemas.logs import LogId
from routescope_app.dashboard import validation
from routescope_app.dashboard.address import AddressFormat
from routescope_app.dashboard.components.icons import icon
from routescope_app.dashboard.components.panel import panel
from routescope_app.dashboard.page import ANY_INPUTS, Page
from routescope_app.settings import Settings

READ_USAGE = "A row is a layer, a column an expert: the stronger its colour, the more tokens took it."
MORE_USAGE = (
    "Experts are numbered from 1; the log's own numbers, from 0, stand beside. Evenness is the entropy of the use of "
    "experts over that of equal use. How often an expert is used does not say what it causes; Drop measures that."
)
READ_COMPARED = "How many tokens take the same experts in A and B, layer by layer, and where they first do not."
MORE_COMPARED = (
    "Tokens are paired by sequence and place, up to the first that differs. Intervals are of 95 %. All is observed: "
    "experts may differ at a layer because of a difference before."
)
READ_TEXT = (
    "A sequence, at first the one that agrees least, its tokens marked by the share of layers whose experts are the "
    "same. Click a marked token to see what it took in both."
)
READ_TOKEN = (
    "The experts that it took in A and in B, layer by layer, as wide as their shares; framed: layers that differ."
)
MORE_TOKEN = "As recorded in both: a layer may differ because a layer before it does, or a token before."
#: What every panel of figures can be saved as.
FILES = ("svg", "png", "csv", "json")


class LogsChoice(validation.Input):
    """The log that is looked into, the one that it is compared with, and a token by its place in A."""

    a: LogId | None = None
    b: LogId | None = None
    token: Annotated[int, Field(ge=1, le=validation.MOST_LOGGED), AddressFormat(from_zero=True)] | None = None


def layout(settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    chosen = LogsChoice.of_query(query)
    copy = html.Button(
        [icon("link"), "Copy link"], type="button", className="tool tool-text", **{"data-copy-link": "true"}
    )
    return html.Div(
        [
            html.Div(id="logs-heard", hidden=True),
            html.Div([html.H1("Logs"), html.Div(copy, className="head-actions")], className="page-head"),
            html.Div(
                [
                    panel(
                        "logs-bring",
                        "Routing logs",
                        "Which experts tokens took, as servers and trainers write it down. A is looked into, and "
                        "compared with B.",
                        [
                            html.Div(
                                className="logs-bring writes",
                                **{"data-widget": "logs-bring", "data-max-bytes": str(settings.max_log_bytes)},
                            ),
                            html.Div(className="logs-record writes", **{"data-widget": "logs-record"}),
                            html.Div(className="logs-list", **{"data-widget": "logs-list"}),
                        ],
                        more="vLLM, SGLang, Megatron-core, CSV of tokens or of counts, arrays in npy, npz "
                        "or safetensors, "
                        "and files of `routescope import`. The format is detected by the content. What was assumed in "
                        "reading a log stands above the use of its experts.",
                    ),
                    panel(
                        "logs-usage",
                        "Use of experts in A",
                        READ_USAGE,
                        html.Div(className="logs-usage", **{"data-widget": "logs-usage"}),
                        more=MORE_USAGE,
                        exports=FILES,
                    ),
                    panel(
                        "logs-compared",
                        "A and B compared",
                        READ_COMPARED,
                        html.Div(className="logs-compared", **{"data-widget": "logs-compared"}),
                        more=MORE_COMPARED,
                        exports=FILES,
                    ),
                    panel(
                        "logs-text",
                        "A and B in the text",
                        READ_TEXT,
                        html.Div(className="logs-text", **{"data-widget": "logs-text"}),
                        exports=FILES,
                    ),
                    panel(
                        "logs-token",
                        "A token in A and B",
                        READ_TOKEN,
                        html.Div(className="logs-token-place", **{"data-widget": "logs-token"}),
                        more=MORE_TOKEN,
                        exports=FILES,
                    ),
                ],
                className="logs-grid",
            ),
        ],
        className="page page-logs",
        **{"data-widget": "logs-page", "data-a": chosen.a or "", "data-b": chosen.b or ""},
        **({} if chosen.token is None else {"data-token": str(chosen.token - 1)}),
    )


def register(app: Dash, _client: ApiClient, _settings: Settings) -> None:
    """Add the page's one callback; the rest happens in the browser, which asks the API itself."""
    app.clientside_callback(
        ClientsideFunction("logs", "show"), Output("logs-heard", "data-shown"), Input("selection", "data")
    )


PAGE = Page("logs", "/logs", "Logs", "upload", (), layout, register, ANY_INPUTS, asks=(LogsChoice,))
