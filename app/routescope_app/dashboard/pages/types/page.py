"""Types: maps of the types of tokens, step by step, beside routing at initialisation; of states for modules."""

from typing import Annotated, Any, Literal

from dash import html
from dash.development.base_component import Component
from pydantic import BeforeValidator, Field

from routescope_app.dashboard import validation
from routescope_app.dashboard.address import AddressFormat, as_state
from routescope_app.dashboard.components.tree import PageTree
from routescope_app.dashboard.page import Page
from routescope_app.dashboard.validation import CORNERS, Dropped, PinChoice, Sets, View
from routescope_app.settings import Settings

SAMPLES = 30  # to begin with: seconds on two cores
MOST_SAMPLES = 1_000_000  # that an address may name; the service has its own limit
MOST_CATEGORIES = 1_024

#: Map, layout and step of a lasso, and its corners.
Lasso = Annotated[
    str,
    Field(max_length=2_000, pattern=rf"^(trained|initial):(map|pca):(all|[1-9]\d{{0,3}}):{CORNERS}$"),
    AddressFormat("lasso"),
]


class MapChoice(validation.Input):
    """Requested map of types."""

    method: Annotated[Literal["pca", "tsne", "umap"], AddressFormat(always=True)] = "tsne"
    data: Sets = ()
    samples: Annotated[int, Field(ge=1, le=MOST_SAMPLES), AddressFormat(always=True)] = SAMPLES
    tokens: Literal["patches", "cls", "all"] = "patches"
    perplexity: Annotated[float, Field(ge=2, le=1_000), AddressFormat(only=("method", "tsne"))] = 30
    neighbours: Annotated[int, Field(ge=2, le=1_000), AddressFormat(only=("method", "umap"))] = 15
    seed: Annotated[int, Field(ge=0, le=2**31 - 1), AddressFormat(always=True)] = 0
    drop: Dropped = ()


class MapView(validation.Input):
    """View of the map: colours, step, hidden points, visible part, lasso."""

    colour: Literal["unit", "community", "label", "kind", "domain", "token", "correct", "step"] | None = None
    step: Annotated[str, Field(pattern=r"^(all|[1-9]\d{0,3})$"), AddressFormat(always=True, role="step")] = "1"
    hide: Annotated[
        tuple[Annotated[int, Field(ge=0, lt=MOST_CATEGORIES)], ...],
        BeforeValidator(validation.split),
        Field(max_length=MOST_CATEGORIES),
    ] = ()
    pca: bool = False
    compare: bool = False
    view: View | None = None
    lasso: Lasso | None = None


def layout(_settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    choice = as_state(MapChoice.of_query(query)) | as_state(MapView.of_query(query))
    return html.Div(
        PageTree(id="types", page="types", choice=choice),
        className="page page-types",
        **{"data-status": "loading"},
    )


PAGE = Page(
    "types",
    "/types",
    "Types",
    "types",
    ("types", "states"),
    layout,
    inputs=("images", "numbers", "points", "listops", "bytes", "matrices"),
    samples=True,
    measures=True,
    asks=(MapChoice, MapView),
    passes=(PinChoice,),
)
