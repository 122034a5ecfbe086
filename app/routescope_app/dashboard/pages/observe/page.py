"""Observe: how a model routes data sets: who takes what, how evenly, how steadily. Nothing here is an effect."""

from typing import Annotated, Any, Literal

from dash import html
from dash.development.base_component import Component
from pydantic import Field, field_validator

from routescope_app.api.schemas.base import MOST_SAMPLES
from routescope_app.dashboard import validation
from routescope_app.dashboard.address import as_state
from routescope_app.dashboard.components.tree import PageTree
from routescope_app.dashboard.page import OTHERS, Page
from routescope_app.dashboard.validation import Dropped, ObservedLog, PinChoice, Sets, Units
from routescope_app.settings import Settings


class ObserveChoice(validation.Input):
    """Observed samples and dropped units; no data set named: all data sets of the model."""

    data: Sets = ()
    samples: Annotated[int, Field(ge=1, le=MOST_SAMPLES)] = 300
    drop: Dropped = ()

    @field_validator("data", "drop")
    @classmethod
    def _once_each(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(names))


class ObserveView(validation.Input):
    """Displayed steps (their mean; none: all steps), and the figure in cells."""

    steps: Units = ()
    cell: Literal["share", "lift"] = "share"
    measure: Literal["cka", "cosine"] = "cka"


ASKS = (ObserveChoice, ObserveView, ObservedLog)


def layout(settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    choice: dict[str, Any] = {}
    for asked in ASKS:
        choice |= as_state(asked.of_query(query))
    return html.Div(
        PageTree(id="observe", page="observe", choice=choice),
        className="page page-observe",
        **{"data-status": "loading", "data-accepted": str(settings.max_measured_samples)},
    )


PAGE = Page(
    "observe",
    "/observe",
    "Observe",
    "observe",
    ("compatibility",),
    layout,
    inputs=("images", OTHERS),
    samples=True,
    measures=True,
    asks=ASKS,
    passes=(PinChoice,),
)
