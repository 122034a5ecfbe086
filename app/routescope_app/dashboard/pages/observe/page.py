"""Observe: how a model routes data sets: who takes what, how evenly, how steadily. Nothing here is an effect."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import dash
import numpy as np
import plotly.graph_objects as go
from cachetools import LRUCache
from dash import ClientsideFunction, Dash, Input, Output, dcc, html
from dash.development.base_component import Component
from pydantic import Field, field_validator

from routescope_app.api.client import ApiClient, ApiProblem
from routescope_app.api.schemas.base import MOST_SAMPLES
from routescope_app.api.schemas.catalogue import ModelInfo, SampleTable
from routescope_app.api.schemas.results import Observation
from routescope_app.dashboard import validation
from routescope_app.dashboard.components.exemplars import exemplars
from routescope_app.dashboard.components.icons import icon
from routescope_app.dashboard.components.job import job_progress, job_store
from routescope_app.dashboard.components.panel import folded
from routescope_app.dashboard.components.plot import figure_id, sent
from routescope_app.dashboard.components.thumbnails import short_title
from routescope_app.dashboard.components.words import unverified
from routescope_app.dashboard.errors import described
from routescope_app.dashboard.figures import observation as charts
from routescope_app.dashboard.figures import observation_matrices as matrices
from routescope_app.dashboard.figures import observation_numbers as numbers
from routescope_app.dashboard.figures.observation_positions import positions
from routescope_app.dashboard.figures.palette import unit_colours
from routescope_app.dashboard.figures.steps import name_steps
from routescope_app.dashboard.page import OTHERS, Page
from routescope_app.dashboard.pages.observe import panels
from routescope_app.dashboard.reading import reader
from routescope_app.dashboard.validation import Dropped, FollowedJob, NotValid, ObservedLog, PinChoice, Sets, Units
from routescope_app.settings import MAX_PAGE, Settings


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


#: Panels that need nothing but who took which experts; those of which a log has no figures are hidden by the page.
OF_LOGS = ("load", "balance", "together", "alike", "tokens", "exemplars")


def of_log(log: str, view: ObserveView) -> Component:
    """The page for a routing log; its layer is the first of the steps that the address names."""
    copy = html.Button(
        [icon("link"), "Copy link"], type="button", className="tool tool-text", **{"data-copy-link": "true"}
    )
    named = {panel.id: panel for panel in panels.of_experts()}
    return html.Div(
        [
            html.Div(
                [
                    html.H1("Observe"),
                    html.Div(id="observe-experts-caption", className="caption"),
                    html.Div(copy, className="head-actions"),
                ],
                className="page-head",
            ),
            html.Div(
                className="log-bar",
                **{"data-widget": "observe-log", "data-log": log, "data-layer": next(iter(view.steps), "")},
            ),
            html.Div(
                [named[f"panel-observe-experts-{key}"] for key in OF_LOGS],
                className="observe-grid observe-experts",
            ),
        ],
        className="page page-observe page-of-log",
        **{"data-status": "loading", "data-experts": "true"},
    )


JOB = "observe"
#: Tables of exemplars that are asked for at the same time.
TABLES_AT_ONCE = 8
NEXT = "Usage, specialisation, exemplars and the rest appear here once this is computed."
#: Where results are that the page's modules draw by themselves (pages/observe/experts).
OF_EXPERTS = "/expert-loads/"
NAMED = 12  # units that the caption names one by one
KEPT = 16  # observations at hand, so that another step asks nobody


def layout(settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    chosen, view = ObserveChoice.of_query(query), ObserveView.of_query(query)
    if (log := ObservedLog.of_query(query).log) is not None:
        return of_log(log, view)
    return html.Div(
        [
            dcc.Store(id="observe-choice", data=chosen.model_dump(mode="json")),
            dcc.Store(id="observe-view", data=view.model_dump(mode="json")),
            dcc.Store(id="observe-shown"),
            html.Div(id="observe-heard", hidden=True),
            _head(),
            folded(
                html.Div(
                    id="observe-controls",
                    className="observe-controls",
                    **{"data-widget": "observe-controls", "data-accepted": str(settings.max_measured_samples)},
                )
            ),
            job_progress(JOB, "Observing the routing"),
            _message(),
            html.P(NEXT, className="hint observe-next"),
            html.P(panels.UNLABELLED, className="hint observe-unlabelled"),
            html.Div(panels.grid(view.cell, view.measure), className="observe-grid observe-routing"),
            html.Div(panels.of_experts(), className="observe-grid observe-experts"),
        ],
        className="page page-observe",
        **{"data-widget": "observe-page", "data-status": "loading"},
    )


def _head() -> Component:
    everything = html.A(
        [icon("download"), "All numbers, NetCDF"],
        id="observe-netcdf",
        className="tool tool-text",
        download=True,
        hidden=True,
    )
    copy = html.Button(
        [icon("link"), "Copy link"], type="button", className="tool tool-text", **{"data-copy-link": "true"}
    )
    return html.Div(
        [
            html.H1("Observe"),
            html.Div(id="observe-caption", className="caption"),
            html.Div(id="observe-experts-caption", className="caption"),
            unverified(),
            html.Div([everything, copy], className="head-actions"),
        ],
        className="page-head",
    )


def _message() -> Component:
    """Return the message shown instead of the panels: no data set chosen, cancelled, failed."""
    return html.Div(
        [
            html.P(id="observe-message-title", className="message-title"),
            html.P(id="observe-message-detail", className="message-detail"),
            html.Button("Observe", id="observe-again", type="button", className="button"),
            reader(hidden=True),
        ],
        id="observe-message",
        className="message observe-message",
        role="status",
    )


# -- what is painted -------------------------------------------------------------------------------------------------

Drawn = Callable[[Observation, ObserveView], go.Figure]
#: Figures that the step control or a switch changes, and those that it does not.
BY_VIEW: dict[str, Drawn] = {
    "matrix": lambda observation, view: matrices.matrix(observation, view.steps, view.cell),
    "specialisation": lambda observation, view: charts.specialisation(observation, view.steps),
    "positions": lambda observation, view: positions(observation, view.steps),
    "labels": lambda observation, view: matrices.between_labels(observation, view.steps),
    "coactivation": lambda observation, view: matrices.coactivation(observation, view.steps),
    "similarity": lambda observation, view: matrices.similarity(observation, view.steps, view.measure),
}
OVER_STEPS: dict[str, Callable[[Observation], go.Figure]] = {
    "usage": charts.usage,
    "entropy": charts.entropy,
    "balance": charts.balance,
    "consistency": charts.consistency,
    "steps": matrices.between_steps,
    "similarity-steps": matrices.similarity_of_steps,
}


def caption(observation: Observation) -> list[Component]:
    """Return the description of the observation beside the heading."""
    sets = ", ".join(f"{data_set.count:,} of {short_title(data_set)}" for data_set in observation.data)
    stand_ins = ", ".join(short_title(data_set) for data_set in observation.data if data_set.stand_in)
    warned = [html.Span(f"stand-in data: {stand_ins}", className="tag tag-warn")] if stand_ins else []
    drop = observation.intervention.drop
    gone = ", ".join(drop) if len(drop) <= NAMED else f"{len(drop):,} units"
    dropped = [html.Span([html.Strong(gone), " dropped"])] if gone else []
    return [
        html.Strong(f"{observation.count:,} samples"),
        html.Span(sets),
        *warned,
        *dropped,
        html.Span([observation.model, " ", html.Code(observation.revision[:8])]),
        html.Span(f"seed {observation.seed}"),
        *unmatched(observation),
        *scripts(observation),
    ]


def unmatched(observation: Observation) -> list[Component]:
    """Says so where tokens match no unit: they have no routing and count in no share."""
    most = float(np.nanmax(numbers.values(observation, "unmatched"), initial=0.0))
    return [html.Span(f"up to {most:.1%} of a step's tokens match no unit")] if most > 0 else []


def scripts(observation: Observation) -> list[Component]:
    """Says which units share a name where the model has several scripts."""
    if not numbers.several_scripts(observation):
        return []
    words = "several scripts: f1 is s1.f1 at steps s1., s2.f1 at s2.; exemplars and means over steps pool them"
    return [html.Span(words)]


def specialisation_numbers(observation: Observation, view: ObserveView) -> list[Component]:
    """Specialisation at the chosen steps, beside its null and its controls."""

    def said(value: float) -> str:
        return f"{value:.4f}" if value == value else "no number"

    def number(name: str) -> str:
        if name not in observation.variables:
            return "not measured"
        return said(float(numbers.over_steps(observation, name, view.steps)))

    def entry(words: str, text: str, kind: str = "") -> Component:
        return html.Div([html.Dt(words), html.Dd(text)], className=f"number {kind}".strip())

    shuffled = numbers.null_over_steps(observation, view.steps)
    null = "not measured" if shuffled is None else f"{said(shuffled[0])}, 95 % below {said(shuffled[1])}"
    return [
        html.P(numbers.step_words(observation, view.steps), className="number-step"),
        html.Dl(
            [
                entry("by label", f"{number('specialisation')} ({number('mutual_information')} nats)", "number-main"),
                entry("labels shuffled", null),
                entry("by position (control)", number("specialisation_position")),
                entry("by input features (control)", number("specialisation_feature")),
            ]
            if observation.labels
            else [entry("by position", number("specialisation_position"), "number-main")]
        ),
    ]


async def tables_of(client: ApiClient, observation: Observation) -> dict[str, SampleTable]:
    """The samples of all exemplars as tables, of a kind of input that no pictures are stored of."""
    names = list(dict.fromkeys(exemplar.sample for exemplar in observation.exemplars))
    turns = asyncio.Semaphore(TABLES_AT_ONCE)

    async def table(name: str) -> SampleTable:
        async with turns:
            return await client.table(name)

    return dict(zip(names, await asyncio.gather(*map(table, names)), strict=True))


def looks(model: ModelInfo, tables: Mapping[str, SampleTable]) -> str:
    """Return how samples are displayed: as pictures, as points of numbers, or by name."""
    if model.samples:
        return "pictures"
    return "points" if all(table.point is not None for table in tables.values()) else "names"


class Observations:
    """The observations that were shown last; one never changes under its id."""

    def __init__(self, client: ApiClient) -> None:
        self._client = client
        self._kept: LRUCache[str, Observation] = LRUCache(KEPT)

    async def get(self, name: str) -> Observation:
        if name not in self._kept:
            self._kept[name] = await self._client.observation(name)
        return self._kept[name]


def register(app: Dash, client: ApiClient, _settings: Settings) -> None:
    """Add the page's callbacks."""
    observations = Observations(client)

    def browser(name: str, prop: str, *inputs: Any, **options: Any) -> None:
        app.clientside_callback(
            ClientsideFunction("observe", name), Output("observe-heard", f"data-{prop}"), *inputs, **options
        )

    async def followed(job: object) -> Observation | None:
        if job is None or OF_EXPERTS in str(dict(job).get("result") if isinstance(job, dict) else ""):
            return None
        job_state = FollowedJob.read(job)
        return await observations.get(job_state.id) if job_state.state == "done" else None

    @app.callback(
        *(Output(figure_id(f"observe-{key}"), "data") for key in OVER_STEPS),
        Output("observe-exemplars", "children"),
        Output("observe-caption", "children"),
        Output("observe-shown", "data"),
        Input(job_store(JOB), "data"),
        prevent_initial_call=True,
    )
    async def paint(job: object) -> Any:
        try:
            answer = await followed(job)
            if answer is None:
                return dash.no_update
            model = await client.model(answer.model)
            tables = {} if model.samples else await tables_of(client, answer)
        except (ApiProblem, NotValid) as error:
            title, detail = described(error)
            return [
                *(dash.no_update for _ in range(len(OVER_STEPS) + 2)),
                {"problem": {"title": title, "detail": detail}},
            ]
        figures = [sent(name_steps(draw(answer), answer.steps)) for draw in OVER_STEPS.values()]
        shown = exemplars(answer, model.grid, [*unit_colours(answer.units).values()], MAX_PAGE, tables)
        return [*figures, shown, caption(answer), {"id": answer.id, "grid": model.grid, "looks": looks(model, tables)}]

    @app.callback(
        *(Output(figure_id(f"observe-{key}"), "data") for key in BY_VIEW),
        Output("plot-observe-matrix", "style"),
        Output("observe-specialisation-numbers", "children"),
        Input(job_store(JOB), "data"),
        Input("observe-view", "data"),
        prevent_initial_call=True,
    )
    async def paint_view(job: object, view: object) -> Any:
        try:
            answer = await followed(job)
        except ApiProblem:
            return dash.no_update  # ``paint`` says it
        if answer is None:
            return dash.no_update
        shown = ObserveView.read(view)
        figures = [sent(name_steps(draw(answer, shown), answer.steps)) for draw in BY_VIEW.values()]
        return [*figures, {"height": f"{matrices.matrix_height(answer)}px"}, specialisation_numbers(answer, shown)]

    browser("open", "open", Input("observe-choice", "data"), Input("selection", "data"))
    browser("view", "view", Input("observe-view", "data"))
    browser("setCell", "cell", Input("observe-cell", "value"), prevent_initial_call=True)
    browser("setMeasure", "measure", Input("observe-measure", "value"), prevent_initial_call=True)
    browser("show", "shown", Input("observe-shown", "data"), prevent_initial_call=True)


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
    asks=(ObserveChoice, ObserveView, ObservedLog),
    passes=(PinChoice,),
    register=register,
)
