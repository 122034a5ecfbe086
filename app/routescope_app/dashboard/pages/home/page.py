"""Home: what this is, a sample's path that plays, doors to each use, and the models with their cards."""

from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, State, html
from dash.development.base_component import Component

from routescope_app.api.client import ApiClient
from routescope_app.dashboard.components.panel import skeleton
from routescope_app.dashboard.page import ANY_INPUTS, Page
from routescope_app.settings import Settings

SAYS = "Routescope shows and steers the routing inside modular neural networks."
READ_MODELS = "Accuracy with 95 % interval from each model's card, beside an example input."


def layout(_settings: Settings, **_query: Any) -> Component:
    """The page; an address of it says nothing."""
    return html.Div(
        [
            html.Div(id="home-heard", hidden=True),
            html.Div(html.H1(SAYS), className="page-head home-head"),
            html.Div(
                [
                    html.Section(
                        html.Div(
                            [skeleton("home-canvas"), html.Div(className="home-said")], **{"data-widget": "home-path"}
                        ),
                        className="panel home-path",
                        **{"aria-label": "A path that plays"},
                    ),
                    html.Nav(
                        html.Div(className="home-doors", **{"data-widget": "home-doors"}),
                        **{"aria-label": "Where to begin"},
                    ),
                ],
                className="home-top",
            ),
            html.Section(
                [
                    html.Header(html.H2("Models", id="home-models-title"), className="panel-head"),
                    html.P(READ_MODELS, className="reads"),
                    html.Div(skeleton(), className="home-models", **{"data-widget": "home-models"}),
                ],
                className="panel",
                **{"aria-labelledby": "home-models-title"},
            ),
        ],
        className="page page-home",
        **{"data-widget": "home-page"},
    )


def register(app: Dash, _client: ApiClient, _settings: Settings) -> None:
    """Add the page's one callback; the rest happens in the browser, which asks the API itself."""
    app.clientside_callback(
        ClientsideFunction("home", "show"),
        Output("home-heard", "data-shown"),
        Input("selection", "data"),
        Input("models", "data"),
        State("pages", "data"),
    )


PAGE = Page("home", "/", "Home", "home", (), layout, register, ANY_INPUTS, samples=True)
