"""The places of what pins a view, to be compared with what the page shows; parts/pinned/control.js fills them."""

from typing import Any

from dash import html
from dash.development.base_component import Component

from routescope_app.dashboard.validation import PinChoice


def pin_tool(page: str) -> Component:
    """The button, for the head of the page that is called ``page``."""
    return html.Span(className="pin-tool", **{"data-widget": f"{page}-pin-tool"})


def pin_bar(page: str, chosen: PinChoice) -> Component:
    """The line that says what A and B are, with what the address says is pinned; nothing while there is nothing."""
    attributes: dict[str, Any] = {"data-widget": f"{page}-pin-bar", "data-pin": chosen.pin or ""}
    return html.Div(**attributes)
