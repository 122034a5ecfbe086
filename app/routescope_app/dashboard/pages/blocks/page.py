"""Blocks: what every block of a network was copied from, interpolated from or computed, and how to change that."""

from typing import Annotated, Any

from dash import ClientsideFunction, Dash, Input, Output, dcc, html
from dash.development.base_component import Component
from pydantic import AfterValidator, BeforeValidator, Field

from routescope_app.api.client import ApiClient
from routescope_app.api.schemas.base import MOST_SAMPLES
from routescope_app.api.schemas.blocks import MOST_BLOCK_ITERATIONS, MOST_SUBTASKS, MOST_VALUES
from routescope_app.api.schemas.interventions import BlockName, RouteName, Share
from routescope_app.dashboard import validation
from routescope_app.dashboard.address import AddressFormat, as_state
from routescope_app.dashboard.components.icons import icon
from routescope_app.dashboard.components.panel import as_table, panel, skeleton
from routescope_app.dashboard.page import Page
from routescope_app.dashboard.pages.blocks import panels as blocks_panels
from routescope_app.settings import Settings

LONGEST_PROGRAM = 16  # subtasks; where there are more iterations, it begins again
MOST_NAMED = 256  # routes or gates that an address names
MOST_STEPS = 4_096
SAMPLES = (100, 200, 500, 1_000, 2_000)  # that the page offers to measure on

READ_PICTURE = (
    "Ribbons are what each block reads, as wide as its weight, in the colour of its input; the dark wedge is "
    "computed anew. Click a ribbon or a gate to change it."
)
MORE_PICTURE = (
    "Left to right, level by level. A ribbon has the colour of the input that it came from in the end, and shrinks "
    "at the gate to what is copied."
)


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
    beside = [blocks_panels.inputs(settings), blocks_panels.steer()]
    main = [_picture(), blocks_panels.answers()]
    below = [blocks_panels.accuracy(), blocks_panels.indicators()]
    body = [
        html.Div([html.Div(beside, className="column"), html.Div(main, className="column")], className="blocks-grid"),
        html.Div(below, className="blocks-below"),
    ]
    return html.Div(
        [
            dcc.Store(id="blocks-address", data=as_state(BlocksChoice.of_query(query))),
            html.Div(id="blocks-heard", hidden=True),
            _head(),
            _problem(),
            html.Div(body, className="blocks-body"),
        ],
        className="page page-blocks",
        **{"data-widget": "blocks-page", "data-status": "loading"},
    )


def _head() -> Component:
    copy = html.Button(
        [icon("link"), "Copy link"], type="button", className="tool tool-text", **{"data-copy-link": "true"}
    )
    return html.Div(
        [html.H1("Blocks"), html.Div(id="blocks-caption", className="caption"), copy], className="page-head"
    )


def _problem() -> Component:
    """Return the message shown instead of the panels if the model routes no blocks."""
    return html.Div(
        [
            html.P("No blocks", id="blocks-problem-title", className="message-title"),
            html.P(id="blocks-problem-detail", className="message-detail"),
            html.Div(id="blocks-others", className="graph-others"),
            html.Button("Try again", id="blocks-retry", type="button", className="button"),
        ],
        className="message blocks-problem",
        role="alert",
    )


def _picture() -> Component:
    canvas = html.Canvas(
        id="block-picture",
        tabIndex=0,
        role="img",
        **{
            "data-block-keys": "true",
            "aria-label": "Blocks, level by level. Left and right change the level, up and down the block, Enter opens "
            "what can be changed about it, Space plays, Escape ends it. The same numbers are in the table below.",
        },
    )
    states = [
        skeleton("when-loading"),
        html.Div(className="message when-failed", role="alert", **{"data-widget": "blocks-failed"}),
    ]
    menu = html.Div(className="blocks-menu", hidden=True, **{"data-widget": "blocks-menu"})
    picture = html.Div(
        [html.Div(canvas, className="block-scroll"), *states, menu],
        className="block-canvas",
        **{"data-widget": "blocks-canvas"},
    )
    body = [
        html.P(className="blocks-sentence", **{"data-widget": "blocks-sentence", "aria-live": "polite"}),
        html.Div(
            [
                html.Div(className="player blocks-player", **{"data-widget": "blocks-player"}),
                html.Div(className="legend blocks-legend", **{"data-widget": "blocks-legend"}),
            ],
            className="blocks-controls",
        ),
        picture,
        html.Div(className="blocks-detail", **{"data-widget": "blocks-detail", "aria-live": "polite"}),
        as_table("Blocks as a table", **{"data-widget": "blocks-table"}),
    ]
    return html.Div(
        panel(
            "blocks",
            "What each block is made of",
            READ_PICTURE,
            body,
            exports=("svg", "png", "csv", "json"),
            tag=html.Span("observed", className="tag", **{"data-widget": "blocks-tag"}),
            more=MORE_PICTURE,
            class_name="panel-blocks",
        ),
        id="blocks-picture",
    )


def register(app: Dash, _client: ApiClient, _settings: Settings) -> None:
    """Add the page's one callback; the rest happens in the browser, which asks the API itself."""
    app.clientside_callback(
        ClientsideFunction("blocks", "open"),
        Output("blocks-heard", "data-open"),
        Input("blocks-address", "data"),
        Input("selection", "data"),
    )


PAGE = Page(
    "blocks",
    "/blocks",
    "Blocks",
    "blocks",
    ("multiplexer_weights",),
    layout,
    register,
    ("blocks",),
    asks=(BlocksChoice,),
)
