"""Logs: routings that other programs wrote down; one is looked into, two are compared."""

from typing import Annotated, Any

from dash import html
from dash.development.base_component import Component
from pydantic import Field

from routescope_app.api.schemas.logs import LogId
from routescope_app.dashboard import validation
from routescope_app.dashboard.address import AddressFormat
from routescope_app.dashboard.components.tree import PageTree
from routescope_app.dashboard.page import ANY_INPUTS, Page
from routescope_app.settings import Settings


class LogsChoice(validation.Input):
    """The log that is looked into, the one that it is compared with, and a token by its place in A."""

    a: LogId | None = None
    b: LogId | None = None
    token: Annotated[int, Field(ge=1, le=validation.MOST_LOGGED), AddressFormat(from_zero=True)] | None = None


def layout(settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    chosen = LogsChoice.of_query(query)
    choice = chosen.model_dump() | {"token": None if chosen.token is None else chosen.token - 1}
    return html.Div(
        PageTree(id="logs", page="logs", choice=choice),
        className="page page-logs",
        **{"data-max-bytes": str(settings.max_log_bytes)},
    )


PAGE = Page("logs", "/logs", "Logs", "upload", (), layout, ANY_INPUTS, asks=(LogsChoice,))
