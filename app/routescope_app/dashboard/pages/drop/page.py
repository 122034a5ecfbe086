"""Drop: leave units out and watch the accuracy move, beside random sets of as many and beside the model as it is."""

import json
from collections.abc import Sequence
from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, dcc, html
from dash.development.base_component import Component

from routescope_app.api.client import ApiClient
from routescope_app.dashboard.address import bounds
from routescope_app.dashboard.components.icons import icon
from routescope_app.dashboard.components.iterations import iterations_field
from routescope_app.dashboard.components.job import job_progress
from routescope_app.dashboard.components.panel import as_table, folded, panel, skeleton
from routescope_app.dashboard.components.pinned import pin_bar, pin_tool
from routescope_app.dashboard.components.words import measured, words
from routescope_app.dashboard.page import ANY_INPUTS, Page
from routescope_app.dashboard.pages.drop import importance as drop_importance
from routescope_app.dashboard.validation import SAMPLES, DropChoice, PinChoice
from routescope_app.settings import Settings

PRUNING_JOB = "pruning"
STUDIO_EXPORTS = ("svg", "png", "csv", "json")
READ_STUDIO = (
    "Drag a bar, or move it with the arrow keys: so many experts a layer keeps. Each row of cells is a layer, each cell"
    " an expert."
)
MORE_STUDIO = (
    "The order is chosen on the last samples of every data set, its curves are measured on the first ones. A layer"
    " keeps at least as many experts as a token takes. Files hold what the bars say: the keep-list, and a model that"
    " the other experts are cut out of."
)
READ_CURVES = (
    "Line and whiskers: what is left while fewer experts are kept, 95 %; band: random sets of the same size, least to "
    "largest; the dashed upright: where the bars stand."
)
MORE_CURVES = (
    "A diamond is what the page measured, once exactly these experts are left out of it. Changes are paired, on the"
    " same samples. Point at a dot for its figures."
)


def pruning_studio() -> Component:
    """Both panels, for models with experts."""
    caused = html.Span("caused", className="tag")
    rows = html.Div(
        [html.Div(className="studio-bars"), html.Div(html.Canvas(role="img"), className="studio-cells")],
        className="studio-rows",
        role="group",
        **{"aria-label": "Experts that each layer keeps"},
    )
    bars = html.Div(
        [
            html.Div(className="studio-whole"),
            rows,
            html.P(className="hint studio-legend"),
            as_table("Who stays and who goes as a table", **{"data-studio-table": "kept"}),
        ],
        **{"data-widget": "studio-layers"},
    )
    studio = panel(
        "drop-studio",
        "Pruning studio",
        READ_STUDIO,
        [
            html.Div(**{"data-widget": "studio-controls"}),
            job_progress(PRUNING_JOB, "Pruning of experts"),
            bars,
            html.Div(**{"data-widget": "studio-acts"}),
        ],
        exports=STUDIO_EXPORTS,
        more=MORE_STUDIO,
    )
    picture = html.Div(html.Canvas(role="img"), className="studio-picture")
    curves = panel(
        "drop-studio-curves",
        "Retention by data set",
        READ_CURVES,
        [
            html.Div([html.Div(className="studio-shown"), picture], **{"data-widget": "studio-curves"}),
            as_table("Retention by data set as a table", **{"data-studio-table": "curves"}),
        ],
        exports=STUDIO_EXPORTS,
        tag=caused,
        more=MORE_CURVES,
    )
    return html.Div([studio, curves], className="studio-grid", hidden=True)


CAUSED = html.Span("caused", className="tag")

#: Every kind of ablation, as its control names it.
KINDS = {"drop": "drop", "mute": "mute", "mean": "mean", "resample": "resample"}
#: A field of models whose units add to their tokens one after the other and route nothing.
LAYERS = "token_states"
#: What each kind does, by a field that the model has; "" for every other model.
SENTENCES: dict[str, dict[str, str]] = {
    "drop": {
        "router_logits": (
            "Dropped: never chosen. A token takes the best of the remaining experts, with weights that add up to 1."
        ),
        "compatibility": "Dropped: removed. Compatibilities are renormalised over the remaining {units}.",
        "multiplexer_weights": "Dropped: neither made nor read. Weights are renormalised over the remaining {units}.",
        "messages": "Dropped: removed with their codes, signatures and states. Their compute is saved.",
        LAYERS: "Dropped: removed. The remaining {units} work on what the {units} before them computed.",
        "": "Dropped: removed. Their compute is saved.",
    },
    "mute": {
        "router_logits": "Muted: chosen as before, but their output is 0. No other {unit} takes over their share.",
        "compatibility": (
            "Muted: their compatibility is set to 0 after normalisation. No other {unit} takes over their share."
        ),
        "multiplexer_weights": "Muted: their numbers are set to 0. They keep their share of the weights.",
        "messages": "Muted: their messages are set to 0 after the softmax. No other {unit} takes over their share.",
        LAYERS: "Muted: they add nothing, which equals dropping them.",
        "": "Muted: their output is 0.",
    },
    "mean": {
        "compatibility": (
            "Mean: what they add is replaced by its mean over the first 200 samples of the same data set, step by step "
            "and token by token."
        ),
        "messages": (
            "Mean: the state that others read is replaced by its mean over the first 200 samples of the same data set."
        ),
        "": (
            "Mean: what they add is replaced by its mean over the first 200 samples of the same data set, token by "
            "token."
        ),
    },
    "resample": {
        "messages": (
            "Resampled: the state that others read is replaced by the state for another sample of the same data set."
        ),
        "": "Resampled: what they add is replaced by what they add for another sample of the same data set.",
    },
}

READ_ACCURACY = (
    "Dots: {accuracies} with 95 % whiskers; the bar spans random sets of as many units; changes are paired, on the "
    "same samples."
)
MORE_ACCURACY = (
    "Each random set is a small dot, this one perhaps among them. Data sets that training showed stand together, and"
    " apart from those it left out."
)
READ_LABELS = (
    "Ring: the model as it is; dot and whisker: without the units; at the right the paired change, in {points}. "
    "Over all chosen data sets, what training showed apart from what it left out."
)
READ_COMPARED = (
    "The same figures of what is pinned (A) and of what is shown (B), on the same samples and axes: rings are each "
    "model as it is, dots what is left of it."
)
READ_DIFFERENCE = (
    "Paired: sample by sample, only what both have scored. Dots are B minus A, whiskers 95 % intervals; right of the "
    "line the figure of B is larger. What training of either left out stands apart."
)
READ_DOMAINS = {
    "router_logits": "The same by data set: what an expert does for one kind of text, another kind may not need.",
    "compatibility": "The same by data set, each read by the head of its domain.",
    LAYERS: "The same by data set, each read by the head of its domain.",
    "": "The same by data set; out of distribution are those that the model was never trained on.",
}


def layout(settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    chosen = DropChoice.of_query(query)
    return html.Div(
        [
            dcc.Store(id="drop-choice", data=chosen.model_dump(mode="json")),
            html.Div(id="drop-heard", hidden=True),
            _head(),
            pin_bar("drop", PinChoice.of_query(query)),
            folded(_controls(chosen)),
            _compare(),
            html.Div(
                [_accuracy_panel(), html.Div([_label_panel(), _domain_panel()], className="column")],
                className="drop-grid",
            ),
            pruning_studio(),
            drop_importance.layout(),
        ],
        className="page page-drop",
        **{"data-widget": "drop-page", "data-state": "loading"},
    )


def _head() -> Component:
    copy = html.Button(
        [icon("link"), "Copy link"], type="button", className="tool tool-text", **{"data-copy-link": "true"}
    )
    return html.Div(
        [html.H1("Drop"), html.Div(id="drop-caption", className="caption"), pin_tool("drop"), copy],
        className="page-head",
    )


def _control(name: Component | str, *children: Component) -> Component:
    return html.Div([html.Span(name, className="control-name"), *children], className="control")


def _controls(chosen: DropChoice) -> Component:
    kind = dmc.SegmentedControl(
        id="drop-kind",
        data=[{"value": key, "label": name} for key, name in KINDS.items()],
        value=chosen.kind,
        size="xs",
        **{"aria-label": "What is done to the units that are clicked"},
    )
    iterations = iterations_field("drop-iterations", chosen.iterations)
    samples = dmc.Select(
        id="drop-samples",
        data=_sizes(chosen.samples),
        value=str(chosen.samples),
        allowDeselect=False,
        size="xs",
        w=92,
        **{"aria-label": "Number of samples"},
    )
    top_k = dmc.NumberInput(
        id="drop-top-k",
        value=chosen.top_k or "",
        min=1,
        max=bounds(DropChoice, "top_k")[1],
        allowDecimal=False,
        clampBehavior="strict",
        placeholder="as trained",
        size="xs",
        w=124,
        debounce=250,
        **{"aria-label": "Number of experts that a token takes"},
    )
    units = html.Div(className="chips", role="group", **{"data-widget": "drop-units", "aria-label": "Units"})
    many = html.Div(className="drop-many", hidden=True, **{"data-widget": "drop-many"})
    links = html.Div(className="interventions drop-row", hidden=True, **{"data-widget": "drop-links"})
    sets = html.Div(className="chips", role="group", **{"data-widget": "drop-sets", "aria-label": "Data sets"})
    reset = html.Button("Reset", id="drop-reset", type="button", className="tool tool-text")
    return html.Div(
        [
            html.Div(
                [
                    html.Div(_control(words("Click {a_unit} to"), kind), id="drop-kind-control"),
                    units,
                    html.Div(_control(words("{Passes}"), iterations), id="drop-iterations-control"),
                    html.Div(_control("Experts a token takes", top_k), id="drop-top-k-control", hidden=True),
                ],
                className="interventions drop-row",
            ),
            many,
            html.Div(className="drop-experts", hidden=True, **{"data-widget": "drop-experts"}),
            links,
            html.Div([_control("Data", sets), _control("Samples", samples), reset], className="interventions drop-row"),
            html.P(
                id="drop-sentence",
                className="drop-sentence",
                **{
                    "data-widget": "drop-sentence",
                    "data-kinds": json.dumps(SENTENCES),
                    "data-names": json.dumps(KINDS),
                },
            ),
        ],
        className="drop-controls",
    )


def _sizes(chosen: int) -> list[dict[str, str]]:
    return [{"value": str(size), "label": f"{size:,}"} for size in sorted({*SAMPLES, chosen})]


def _picture(key: str, words: str, height: int) -> Component:
    canvas = html.Canvas(role="img", **{"aria-label": f"{words}: nothing measured yet"})
    return html.Div(
        [canvas, skeleton("drop-skeleton")],
        className="drop-picture",
        style={"minHeight": f"{height}px"},
        **{"data-widget": "drop-picture", "data-key": key},
    )


def _accuracy_panel() -> Component:
    body = [
        html.Div(className="numbers", **{"data-widget": "drop-numbers"}),
        html.Div(className="drop-progress", **{"data-widget": "drop-progress"}),
        _picture("accuracy", "Accuracies", 228),
        html.Div(className="costs", **{"data-widget": "drop-costs"}),
        as_table("Accuracies as a table", **{"data-drop-table": "accuracy"}),
    ]
    return panel(
        "drop-accuracy",
        measured("{Accuracy}"),
        measured(READ_ACCURACY),
        body,
        exports=("svg", "png", "csv", "json"),
        tag=CAUSED,
        more=MORE_ACCURACY,
        class_name="panel-drop-accuracy",
    )


def _compare() -> Component:
    """A and B, while something is pinned."""
    sides = ("compared", "A and B", READ_COMPARED, "A and B side by side")
    minus = ("difference", "Difference, B minus A", READ_DIFFERENCE, "B minus A")
    made = [_compare_panel(*part) for part in (sides, minus)]
    words = html.Div(className="compare-words")
    return html.Div([words, *made], className="drop-compare", hidden=True, **{"data-widget": "drop-compare"})


def _compare_panel(key: str, title: str, reads: Component | str, words: str) -> Component:
    canvas = html.Canvas(role="img", **{"aria-label": f"{words}: nothing measured yet"})
    further = [html.Div(className="compare-curves")] if key == "compared" else []
    shown = html.Div(
        [html.Div(className="compare-numbers"), canvas, *further],
        className="drop-compared",
        **{"data-widget": "drop-compared", "data-key": key},
    )
    table = as_table(f"{words} as a table", **{"data-compare-table": key})
    return panel(f"drop-{key}", title, reads, [shown, table], exports=("svg", "png", "csv", "json"), tag=CAUSED)


def _label_panel() -> Component:
    body = [
        _picture("labels", "Effect by label", 262),
        as_table("Effect by label as a table", **{"data-drop-table": "labels"}),
    ]
    return panel(
        "drop-labels", "Effect by label", measured(READ_LABELS), body, exports=("svg", "png", "csv", "json"), tag=CAUSED
    )


def _domain_panel() -> Component:
    body = [
        _picture("domains", "Effect by data set", 102),
        as_table("Effect by data set as a table", **{"data-drop-table": "domains"}),
    ]
    return panel(
        "drop-domains",
        "Effect by data set",
        words(**READ_DOMAINS),
        body,
        exports=("svg", "png", "csv", "json"),
        tag=CAUSED,
    )


def register(app: Dash, client: ApiClient, settings: Settings) -> None:
    """Add the page's callbacks."""

    def browser(name: str, prop: str, *inputs: Sequence[Any] | Input, **options: Any) -> None:
        app.clientside_callback(
            ClientsideFunction("drop", name), Output("drop-heard", f"data-{prop}"), *inputs, **options
        )

    browser("open", "open", Input("drop-choice", "data"), Input("selection", "data"))
    browser("setKind", "kind", Input("drop-kind", "value"), prevent_initial_call=True)
    browser("setIterations", "iterations", Input("drop-iterations", "value"), prevent_initial_call=True)
    browser("setTopK", "top-k", Input("drop-top-k", "value"), prevent_initial_call=True)
    browser("setSamples", "samples", Input("drop-samples", "value"), prevent_initial_call=True)
    browser("reset", "reset", Input("drop-reset", "n_clicks"), prevent_initial_call=True)
    drop_importance.register(app, client)


PAGE = Page("drop", "/drop", "Drop", "drop", (), layout, register, ANY_INPUTS, units=True, asks=(DropChoice, PinChoice))
