"""Samples: those of the data sets, those of the user, and what the model answers for the chosen one."""

from typing import Annotated, Any, Literal

from dash import html
from dash.development.base_component import Component
from pydantic import Field

from routescope_app.api.schemas.base import LONGEST_FIND, MOST_SAMPLES, SampleId, SetName
from routescope_app.dashboard.address import AddressFormat, as_state
from routescope_app.dashboard.components.tree import PageTree
from routescope_app.dashboard.page import ANY_INPUTS, Page
from routescope_app.dashboard.validation import LABELS, MOST_PAGES, SAMPLES, InterventionChoice, PinChoice
from routescope_app.settings import MAX_TEXT_BYTES, Settings


class GalleryFilters(InterventionChoice):
    """Filters and order of the gallery; the intervention is that of the order.

    Attributes:
        to: the sample whose routing others are near to.
        samples: how many of the data sets are measured for the order.
    """

    source: Literal["data", "own"] = "data"
    set: SetName | None = None
    label: Annotated[int, Field(ge=0, lt=LABELS)] | None = None
    wrong: bool = False
    find: Annotated[str, Field(max_length=LONGEST_FIND), AddressFormat(slides=True)] = ""
    order: Literal["given", "rerouted", "heads", "nearest"] = "given"
    to: Annotated[SampleId | None, AddressFormat(only=("order", "nearest"))] = None
    samples: Annotated[int, Field(ge=1, le=MOST_SAMPLES), AddressFormat(offered=SAMPLES)] = 1_000
    page: Annotated[int, Field(ge=1, le=MOST_PAGES)] = 1


def layout(settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    return html.Div(
        PageTree(id="samples", page="samples", choice=as_state(GalleryFilters.of_query(query))),
        className="page page-samples",
        **{"data-max-bytes": str(settings.max_upload_bytes), "data-max-text-bytes": str(MAX_TEXT_BYTES)},
    )


PAGE = Page(
    "samples",
    "/samples",
    "Samples",
    "samples",
    (),
    layout,
    ANY_INPUTS,
    samples=True,
    asks=(GalleryFilters,),
    passes=(PinChoice,),
)
