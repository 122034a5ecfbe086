"""The part of the Drop page that a job computes: importance of every unit, beside its observed use."""

from typing import Any

import dash_mantine_components as dmc
from dash import Dash, Input, Output, html
from dash.development.base_component import Component

from routescope_app.api.client import ApiClient
from routescope_app.api.schemas.results import Importance
from routescope_app.dashboard.components.job import job_progress, job_store
from routescope_app.dashboard.components.panel import as_table, panel
from routescope_app.dashboard.components.plot import figure_id, plot, sent
from routescope_app.dashboard.components.words import neutral, words
from routescope_app.dashboard.figures import importance as figures
from routescope_app.dashboard.validation import FollowedJob

JOB = "importance"
EXPORTS = ("svg", "png", "csv", "json")
NOT_YET = "Shown when the computation above is done."
NEXT = "Observed use, caused effect, retention, interactions and iterations appear here once this is computed."
#: The figures that depend on nothing but the result.
FIGURES = {
    "use": figures.usage,
    "effect": figures.effect,
    "interactions": figures.interactions,
    "convergence": figures.convergence,
}

READ_IMPORTANCE = (
    "Subsets of the units are scored on the same samples. Much used is not much needed: compare the two panels "
    "below, row by row."
)
READ_USE = "Mean share of routing weight at every step, all units on; nothing was dropped to see this."
READ_USE_BLOCKS = (
    "Mean share of the weight with which the blocks of the next level read it, all blocks on; nothing was dropped to"
    " see this."
)
READ_USE_EXPERTS = "Mean share of a layer's routing, all experts on; nothing was dropped to see this."
READ_USE_MESSAGES = (
    "Mean share of attention paid to it at every layer, all modules on; nothing was dropped to see this."
)
#: As long as ``READ_USE`` at most, so that the rows of the two panels stand side by side.
READ_EFFECT = "Above 0 the unit helps. Bars: Shapley values; diamonds: accuracy lost without it; 95 %."
READ_EFFECT_SAMPLED = "Above 0 the unit helps. Bars: sampled Shapley values; diamonds: lost without it; 95 %."
READ_EFFECT_SINGLE = "Above 0 the unit helps: accuracy lost without it alone, 95 %; {rows}."
READ_INTERACTIONS = (
    "Effect of dropping a pair minus the two single effects, in points; negative: together worse than the sum. Bold:"
    " the interval excludes 0."
)
MORE_INTERACTIONS = "Together worse than the sum, as when each of two stands in for the other. Intervals are 95 %."
#: The same of measures of which less is better, or that have a unit of their own.
READ_EFFECT_OTHER = "Above 0 the unit helps. Bars: Shapley values; diamonds: {name} {verb} without it; 95 %."
READ_INTERACTIONS_OTHER = (
    "Effect of dropping a pair minus the two single effects, in {points}; negative: together worse than the sum. Bold"
    " or a dot: the interval excludes 0."
)
READ_EFFECT_SINGLE_OTHER = "Above 0 the unit helps: {name} {verb} without it alone, 95 %; {rows}."
READ_RETENTION = (
    "Score as units are removed, best first or worst first, by single effects or greedily. Band: random sets of the "
    "same size."
)
MORE_RETENTION = (
    "Orders are chosen on the samples that score them, so the best are a little too good and the worst too bad. Orders "
    "by connectivity use no samples."
)
READ_ANYTIME = "All {units} on, stopped after each number of {passes}. Whiskers: 95 %."
READ_CONVERGENCE = "Estimates against the number of sampled orders; whiskers: 95 %, 1.96 standard errors."


def _tag(word: str) -> Component:
    return html.Span(word, className="tag")


def _chart(
    key: str,
    title: str,
    reads: str,
    height: int,
    *,
    tag: str = "caused",
    controls: Component | None = None,
    fields: dict[str, str] | None = None,
    more: str = "",
) -> Component:
    picture = plot(key, f"{title}: {neutral(reads)}", height, links_units=key in {"use", "effect"}, empty=NOT_YET)
    table = as_table(f"{title} as a table", **{"data-importance-table": key})
    line = words(reads, **fields or {}) if "{" in reads or fields else html.Span(reads, id=f"{key}-reads")
    return panel(key, title, line, [controls, picture, table], exports=EXPORTS, tag=_tag(tag), more=more)


def layout() -> Component:
    """The section below the live figures."""
    axis = dmc.SegmentedControl(
        id="drop-second-axis",
        data=second_axes(figures.ACCURACY.name),
        value="none",
        size="xs",
        **{"aria-label": "Second axis"},
    )
    head = panel(
        "importance",
        "Importance of every unit",
        READ_IMPORTANCE,
        [
            job_progress(JOB, "Subsets of units"),
            html.Div(className="importance-facts", **{"data-widget": "importance"}),
            html.P(NEXT, className="hint importance-next writes"),
        ],
        exports=("csv", "json"),
        tag=_tag("caused"),
    )
    return html.Div(
        [
            head,
            _chart(
                "use",
                "Observed use",
                READ_USE,
                250,
                tag="observed",
                fields={
                    "router_logits": READ_USE_EXPERTS,
                    "messages": READ_USE_MESSAGES,
                    "multiplexer_weights": READ_USE_BLOCKS,
                },
            ),
            _chart("effect", "Caused effect", READ_EFFECT, 250),
            _chart(
                "retention",
                "Retention",
                READ_RETENTION,
                320,
                controls=html.Div(axis, className="control"),
                more=MORE_RETENTION,
            ),
            _chart("interactions", "Interactions", READ_INTERACTIONS, 330, more=MORE_INTERACTIONS),
            _chart("anytime", "Iterations", READ_ANYTIME, 330),
            html.Div(_chart("convergence", "Convergence", READ_CONVERGENCE, 230), id="convergence-place", hidden=True),
        ],
        className="importance-grid",
    )


def read_effect(result: Importance) -> str:
    """Return how to read the caused effect of this result."""
    rows = figures.shown_rows(result)
    if result.measure.name != figures.ACCURACY.name:
        verb = "lost" if result.measure.higher_is_better else "added"
        reads = READ_EFFECT_OTHER if result.shapley else READ_EFFECT_SINGLE_OTHER
        return reads.format(name=result.measure.name, verb=verb, rows=rows)
    if not result.shapley:
        return READ_EFFECT_SINGLE.format(rows=rows)
    return READ_EFFECT if result.exact else READ_EFFECT_SAMPLED


def read_interactions(result: Importance) -> str:
    """Return how to read the interactions, for the model's measure."""
    if result.measure.name == figures.ACCURACY.name:
        return READ_INTERACTIONS
    return READ_INTERACTIONS_OTHER.format(points=figures.scale_of(result.measure).points)


def second_axes(name: str) -> list[dict[str, str]]:
    """Return the second axes of retention curves: none, or their cost."""
    return [
        {"value": "none", "label": f"{name} alone"},
        {"value": "flops", "label": "with FLOPs"},
    ]


async def _result(client: ApiClient, job: object) -> Importance | None:
    """The result of a job that is done."""
    if job is None:
        return None
    followed = FollowedJob.read(job)
    return await client.importance(followed.id) if followed.state == "done" else None


def register(app: Dash, client: ApiClient) -> None:
    """Add the section's callbacks."""

    @app.callback(
        *(Output(figure_id(key), "data") for key in FIGURES),
        Output(figure_id("anytime"), "data"),
        Output("convergence-place", "hidden"),
        Output("effect-reads", "children"),
        Output("interactions-reads", "children"),
        Output("drop-second-axis", "data"),
        Input(job_store(JOB), "data"),
    )
    async def draw(job: object) -> Any:
        result = await _result(client, job)
        if result is None:
            axes = second_axes(figures.ACCURACY.name)
            return (*(None for _ in FIGURES), None, True, READ_EFFECT, READ_INTERACTIONS, axes)
        shown = (sent(make(result)) for make in FIGURES.values())
        info = await client.model(result.model)
        layered = info.most_iterations is not None and info.inputs != "blocks"
        anytime = sent(figures.anytime(result, "layers" if layered else "iterations"))
        captions = (read_effect(result), read_interactions(result), second_axes(result.measure.name))
        return (*shown, anytime, not result.convergence, *captions)

    @app.callback(
        Output(figure_id("retention"), "data"), Input(job_store(JOB), "data"), Input("drop-second-axis", "value")
    )
    async def draw_retention(job: object, second: object) -> Any:
        result = await _result(client, job)
        axis = second if second == "flops" else "none"
        return None if result is None else sent(figures.retention(result, str(axis)))
