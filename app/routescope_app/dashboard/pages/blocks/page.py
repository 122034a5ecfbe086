"""Blocks: the sources of every block of a network (copied, interpolated or computed), and how to change them."""

from typing import Annotated, Any

from dash import html
from dash.development.base_component import Component
from pydantic import AfterValidator, BeforeValidator, Field

from routescope_app.api.schemas.base import MOST_SAMPLES
from routescope_app.api.schemas.blocks import MOST_BLOCK_ITERATIONS, MOST_SUBTASKS, MOST_VALUES
from routescope_app.api.schemas.interventions import BlockName, RouteName, Share
from routescope_app.dashboard import validation
from routescope_app.dashboard.address import AddressFormat, as_state
from routescope_app.dashboard.components.tree import PageTree
from routescope_app.dashboard.page import Page
from routescope_app.settings import Settings

LONGEST_PROGRAM = 16  # subtasks; where there are more iterations, it begins again
MOST_NAMED = 256  # routes or gates that an address names
MOST_STEPS = 4_096
SAMPLES = (100, 200, 500, 1_000, 2_000)  # that the page offers to measure on


def _numbers(value: object) -> object:
    """``"3,1,4"`` as a list."""
    return value.split(",") if isinstance(value, str) else value


def _gates(value: object) -> object:
    """``"1.3:0.5,E:1"`` as a mapping."""
    if not isinstance(value, str):
        return value
    pairs = [part.rpartition(":") for part in value.split(",") if part]
    return {block: float(share) for block, _, share in pairs}


def _one_a_block(routes: tuple[str, ...]) -> tuple[str, ...]:
    """Return the routes to copy, with only the last source of each block."""
    return tuple({route.partition(">")[2]: route for route in routes}.values())


Digits = Annotated[
    tuple[Annotated[int, Field(ge=0, le=9)], ...], BeforeValidator(_numbers), Field(max_length=MOST_VALUES)
]
#: Subtasks as a person counts them, from 1.
Program = Annotated[
    tuple[Annotated[int, Field(ge=1, le=MOST_SUBTASKS)], ...],
    BeforeValidator(_numbers),
    Field(max_length=LONGEST_PROGRAM),
]
Routes = Annotated[tuple[RouteName, ...], BeforeValidator(validation.split), Field(max_length=MOST_NAMED)]
Gates = Annotated[dict[BlockName, Share], BeforeValidator(_gates), Field(max_length=MOST_NAMED)]


class BlocksChoice(validation.Input):
    """Choices on the page Blocks, besides the sample of the frame."""

    digits: Digits = ()  # one for each value of the task
    program: Annotated[Program, AddressFormat(from_zero=True)] = ()
    permutation: Annotated[int, Field(ge=1, le=MOST_SUBTASKS), AddressFormat(from_zero=True)] = 1
    iterations: Annotated[int, Field(ge=1, le=MOST_BLOCK_ITERATIONS)] | None = None
    #: The MFNNR that one looks at, over all iterations; None: none.
    step: Annotated[Annotated[int, Field(ge=1, le=MOST_STEPS)] | None, AddressFormat(from_zero=True)] = None
    mute_routes: Routes = ()
    copy_routes: Annotated[Routes, AfterValidator(_one_a_block)] = ()
    gates: Gates = {}  # by block, 0 copied to 1 computed
    measured: Annotated[int, Field(ge=1, le=MOST_SAMPLES), AddressFormat(offered=SAMPLES)] = 500


def layout(settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    return html.Div(
        PageTree(id="blocks", page="blocks", choice=as_state(BlocksChoice.of_query(query))),
        className="page page-blocks",
        **{"data-status": "loading", "data-max-bytes": str(settings.max_upload_bytes)},
    )


PAGE = Page(
    "blocks",
    "/blocks",
    "Blocks",
    "blocks",
    ("multiplexer_weights",),
    layout,
    ("blocks",),
    asks=(BlocksChoice,),
)
