"""The dashboard: pages in Dash over the typed API, and over nothing else."""

import functools

import dash
from brotli_asgi import BrotliMiddleware
from dash import Dash
from fastapi import FastAPI

from routescope.assets import ASSETS
from routescope_app.api.client import ApiClient
from routescope_app.dashboard import errors, frame, help, not_found
from routescope_app.dashboard.middleware import PageAddresses
from routescope_app.dashboard.page import Page
from routescope_app.dashboard.pages.blocks import page as blocks
from routescope_app.dashboard.pages.circuits import page as circuits
from routescope_app.dashboard.pages.drop import page as drop
from routescope_app.dashboard.pages.graphs import page as graphs
from routescope_app.dashboard.pages.home import page as home
from routescope_app.dashboard.pages.logs import page as logs
from routescope_app.dashboard.pages.observe import page as observe
from routescope_app.dashboard.pages.paths import page as paths
from routescope_app.dashboard.pages.results import page as results
from routescope_app.dashboard.pages.samples import page as samples
from routescope_app.dashboard.pages.types import page as types
from routescope_app.dashboard.palette import as_css
from routescope_app.dashboard.scripts import Dashboard
from routescope_app.dashboard.web import Web
from routescope_app.settings import Settings

#: In the order of the navigation.
PAGES: tuple[Page, ...] = (
    home.PAGE, samples.PAGE, paths.PAGE, drop.PAGE, graphs.PAGE, circuits.PAGE, blocks.PAGE, types.PAGE, observe.PAGE,
    logs.PAGE, results.PAGE,
)  # fmt: skip

INDEX = """<!DOCTYPE html>
<html lang="en">
<head>
{%metas%}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Routescope shows and steers the routing inside modular neural networks.">
<title>{%title%}</title>
<link rel="icon" type="image/svg+xml" href="ICON">
{%css%}
WEB
<style>PALETTE</style>
</head>
<body>
{%app_entry%}
{%config%}
{%scripts%}
{%renderer%}
</body>
</html>
"""


def create_dashboard(server: FastAPI, settings: Settings, client: ApiClient | None = None) -> Dash:
    """Add the dashboard to ``server`` at ``/``.

    Args:
        server: the ASGI app; everything under ``/api`` must already be there, as Dash answers unknown addresses.
        settings: limits that the pages state.
        client: the API's client; by default the one that ``settings`` ask for.

    Returns:
        The Dash app. Its ``csp_hashes()``, asked for after the first request, name the inline scripts that Dash needs;
        ``server.state.web.policy`` names ours.
    """
    client = client or ApiClient.of(server, settings)
    web = Web(ASSETS / "web")
    web.install(server)
    # Scripts of Dash and answers of its callbacks; where a browser takes none of it, or of the API, Dash's gzip.
    server.add_middleware(BrotliMiddleware, quality=5, gzip_fallback=False, excluded_handlers=["^/(api|web)/"])
    server.state.web = web
    help.install(server, web)
    index = INDEX.replace("ICON", web.url("icons/mark.svg")).replace("WEB", web.head(PAGES))
    app = Dashboard(
        __name__,
        server=server,
        assets_folder=str(ASSETS / "dash"),
        pages_folder="",
        use_pages=True,
        include_pages_meta=False,
        compress=True,
        title="Routescope",
        update_title=None,
        index_string=index.replace("PALETTE", as_css()),
        suppress_callback_exceptions=True,
        on_error=errors.on_error,
        enable_mcp=False,
        add_log_handler=False,
    )
    app.web = web
    for order, page in enumerate(PAGES):
        dash.register_page(
            f"{__name__}.pages.{page.key}.page",
            path=page.path,
            title=f"{page.title} | Routescope",
            name=page.title,
            order=order,
            layout=functools.partial(page.open, settings),
        )
    # Dash shows what is called so for every address that is no page's.
    dash.register_page(f"{__name__}.not_found_404", title="Not found | Routescope", layout=not_found.layout(PAGES))
    app.layout = frame.layout(PAGES)
    frame.register(app, client)
    not_found.register(app, PAGES)
    server.add_middleware(PageAddresses, paths=[page.path for page in PAGES])
    return app
