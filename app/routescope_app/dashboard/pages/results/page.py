"""Results: every experiment of the papers, printed numbers beside ours, and verdicts by one rule."""

from typing import Annotated, Any, Literal

from dash import html
from dash.development.base_component import Component
from pydantic import Field

from routescope_app.api.schemas.experiments import EXPERIMENT_PATTERN, RECORD_PATTERN
from routescope_app.dashboard import validation
from routescope_app.dashboard.address import AddressFormat, as_state
from routescope_app.dashboard.components.tree import PageTree
from routescope_app.dashboard.page import ANY_INPUTS, Page
from routescope_app.settings import Settings

Papers = Literal["all", "interpreters", "circuits", "blocks"]
Verdicts = Literal["all", "reproduced", "in-part", "contradicted", "not-tested"]


class ResultsChoice(validation.Input):
    """Filters, the open experiment, a table of one of its records, two records to compare, and the other figures."""

    paper: Papers = "all"
    verdict: Verdicts = "all"
    experiment: Annotated[str | None, Field(pattern=EXPERIMENT_PATTERN), AddressFormat()] = None
    record: Annotated[str | None, Field(pattern=RECORD_PATTERN), AddressFormat()] = None
    table: Annotated[str, Field(min_length=1, max_length=80)] = "numbers"
    a: Annotated[str | None, Field(pattern=RECORD_PATTERN), AddressFormat()] = None
    b: Annotated[str | None, Field(pattern=RECORD_PATTERN), AddressFormat()] = None
    others: bool = False


def layout(_settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    choice = as_state(ResultsChoice.of_query(query))
    return html.Div(PageTree(id="results", page="results", choice=choice), className="page page-results")


PAGE = Page("results", "/results", "Results", "results", (), layout, ANY_INPUTS, asks=(ResultsChoice,))
