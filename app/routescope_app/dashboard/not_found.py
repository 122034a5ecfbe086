"""Message for an address without a page: the requested address, and links to pages, likeliest first."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from dash import Dash, Input, Output, dcc, html
from dash.development.base_component import Component

from routescope_app.dashboard.components.icons import icon
from routescope_app.dashboard.page import Page

TITLE = "There is no such page"
LONGEST = 120  # characters of what was asked for that are repeated
NEAR = 0.5  # how alike two names are at least, of 1, for one to be taken for the other


def layout(pages: Sequence[Page]) -> Component:
    """The page; a callback says what was asked for."""
    return html.Div(
        [
            html.Div(html.H1(TITLE), className="page-head"),
            html.Div(said(None, pages), id="not-found", className="panel not-found"),
        ],
        className="page page-not-found",
    )


def nearest(path: str, pages: Sequence[Page]) -> list[Page]:
    """Pages whose name is like a part of the address, the likeliest first."""
    named = {name: page for page in pages for name in (page.key, page.title.lower())}
    by_name: dict[str, Page] = {}
    for part in path.lower().replace(".", "/").split("/"):
        for name in get_close_matches(part, named, n=2, cutoff=NEAR):
            by_name[named[name].key] = named[name]
    return list(by_name.values())


def said(path: object, pages: Sequence[Page]) -> list[Component]:
    """Return the requested address as text, and links to pages."""
    parts: list[Component] = []
    near = []
    if isinstance(path, str):
        shown = path if len(path) <= LONGEST else path[: LONGEST - 1] + "…"
        parts.append(html.P(["Nothing is at ", html.Code(shown), "."]))
        near = nearest(path, pages)
    if near:
        parts.append(html.P(["Perhaps you look for ", *_listed(near), "."], id="not-found-near"))
    parts.append(html.P("These pages are here:"))
    links = [dcc.Link([icon(page.icon), page.title], href=page.path) for page in pages]
    parts.append(html.Ul([html.Li(link) for link in links], className="not-found-pages"))
    return parts


def _listed(pages: Sequence[Page]) -> list[Any]:
    links: list[Any] = [dcc.Link(page.title, href=page.path) for page in pages]
    return [part for link in links for part in (" or ", link)][1:]


def register(app: Dash, pages: Sequence[Page]) -> None:
    """Add the one callback."""

    @app.callback(Output("not-found", "children"), Input("_pages_location", "pathname"))
    async def tell(path: object) -> Any:
        return said(path, pages)
