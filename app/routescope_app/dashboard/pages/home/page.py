"""Home: what this is, a sample's path that plays, doors to each use, and the models with their cards."""

from typing import Any

from dash import html
from dash.development.base_component import Component

from routescope_app.dashboard.components.tree import PageTree
from routescope_app.dashboard.page import ANY_INPUTS, Page
from routescope_app.settings import Settings


def layout(_settings: Settings, **_query: Any) -> Component:
    """The page; an address of it says nothing."""
    return html.Div(PageTree(id="home", page="home", choice={}), className="page page-home")


PAGE = Page("home", "/", "Home", "home", (), layout, ANY_INPUTS, samples=True)
