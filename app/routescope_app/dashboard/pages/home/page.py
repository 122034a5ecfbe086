"""Home: what this is, a sample's path that plays, doors to each use, and the models with their cards."""

from typing import Any

from dash import Dash, html
from dash.development.base_component import Component

from routescope_app.api.client import ApiClient
from routescope_app.dashboard.components.tree import PageTree
from routescope_app.dashboard.page import ANY_INPUTS, Page
from routescope_app.settings import Settings


def layout(_settings: Settings, **_query: Any) -> Component:
    """The page; an address of it says nothing."""
    return html.Div(PageTree(id="home", page="home", choice={}), className="page page-home")


def register(_app: Dash, _client: ApiClient, _settings: Settings) -> None:
    """Nothing: the page asks the API itself."""


PAGE = Page("home", "/", "Home", "home", (), layout, register, ANY_INPUTS, samples=True)
