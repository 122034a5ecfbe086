"""The panels of the Observe page: what each shows and the line that says how to read it."""

from collections.abc import Sequence
from dataclasses import dataclass

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component

from routescope_app.dashboard.components.panel import as_table, panel
from routescope_app.dashboard.components.plot import plot


@dataclass(frozen=True)
class Chart:
    """A panel with one chart: ``observe-<key>`` is the name of both; ``span`` its width in twelfths.

    ``of_labels``: it shows nothing where samples have no labels, and is hidden there.
    """

    key: str
    title: str
    reads: str
    height: int
    span: int
    of_labels: bool = False

    @property
    def name(self) -> str:
        return f"observe-{self.key}"


MATRIX = Chart(
    "matrix",
    "Units and labels",
    "The share of a label's routing that each unit takes; as lift, over its share of all routing (grey: less than 1). "
    "All columns alike: no label matters.",
    334,
    8,
    of_labels=True,
)
SPECIALISATION = Chart(
    "specialisation",
    "Specialisation",
    "Mutual information of unit and label, or of unit and a token's position, over the smaller entropy, 0 to 1 (log "
    "scale); grey: with labels shuffled between samples.",
    230,
    4,
)
CHARTS = (
    Chart(
        "positions",
        "Where units are used",
        "Share, in percent, that each unit takes of the routing of every token: patches as they lie in the image, "
        "others in rows, CLS tokens below.",
        262,
        5,
    ),
    Chart("usage", "Usage", "Share p(unit) of all routing, at each step on its own.", 250, 4),
    Chart(
        "entropy",
        "Routing entropy",
        "Mean over tokens: 0 where each goes to one unit alone, ln M where all units share it alike; "
        "exp(entropy) units are in effect used.",
        232,
        4,
    ),
    Chart(
        "balance",
        "Balance and collapse",
        "How unevenly units are used: 0 (max / mean: 1) when all alike. Worst: of the least used unit; "
        "average: share that would have to move.",
        232,
        4,
    ),
    Chart(
        "consistency",
        "Consistency",
        "Left: Jensen-Shannon distance of two samples' routing, 0 to 1. Right: share of tokens that keep their "
        "unit of the step before; dashed: by chance.",
        232,
        4,
    ),
    Chart(
        "labels",
        "Between labels",
        "Jensen-Shannon distance of the mean routing of two labels; 0: they are routed alike.",
        300,
        4,
        of_labels=True,
    ),
    Chart(
        "steps",
        "Between steps",
        "Jensen-Shannon distance of the routing of the same tokens at two steps.",
        300,
        4,
    ),
    Chart(
        "coactivation",
        "Co-activation",
        "How often two units are both active (compatibility above 0) on a token, over what independence would "
        "give: blue above 1, red below.",
        282,
        4,
    ),
    Chart(
        "similarity",
        "Similarity of units",
        "How alike what two units add to the same n tokens is, weighted by compatibility, so routing enters; "
        "CKA 1: the same up to rotation and scale.",
        250,
        4,
    ),
    Chart(
        "similarity-steps",
        "Similarity of steps",
        "Debiased linear CKA between what the units add at two steps, weighted by compatibility, so routing enters.",
        282,
        4,
    ),
)  # fmt: skip
ALL = (MATRIX, SPECIALISATION, *CHARTS)
READ_LOAD = (
    "Share, in percent, of a layer's choices that each expert has: blue above an even share, red below; framed: no "
    "token took it. Click a row for its layer."
)
READ_BALANCE = "How evenly the experts of each layer are used, and how sure a token's router is; no expert is dropped."
READ_DOMAINS = (
    "Share, in percent, of a data set's choices that each expert of the layer has; blue: more than over all of them; "
    "framed: outside 95 % of shuffles of the texts between data sets."
)
READ_TOGETHER = (
    "How often a token takes both of two experts of the layer, over what independence would give: blue above 1, "
    "red below."
)
READ_BY_TOKEN = (
    "Share, in percent, of a token's choices that each expert of the layer has; blue: more than over all tokens; "
    "framed: outside 95 % of shuffles of each text's own tokens."
)
READ_ALIKE = (
    "1 - the Jensen-Shannon distance of the kinds of tokens that two experts of the layer take: 1 where they take the "
    "same kinds as often, 0 where they share none."
)
READ_WRITTEN = (
    "Mean cosine of what two experts of the layer write of the tokens that take both: 1 where they write the same, but "
    "for its size; no cell: no token takes both."
)
READ_TOKENS = (
    "The tokens that each expert of the layer has most weight for, one a text, within what stands around them; a click "
    "opens the path of that text."
)
READ_EXEMPLARS = (
    "The samples and tokens that route to each unit most, with their compatibility; a click opens the path at its step."
)
#: Said in place of panels about labels where samples have none.
UNLABELLED = (
    "Samples of this model have no labels: “Units and labels” and “Between labels” have nothing to show, and "
    "specialisation is told by the position of tokens alone."
)


def tag() -> Component:
    """Says that nothing here is an effect of anything."""
    return html.Span("observed", className="tag")


def _table(name: str, title: str) -> Component:
    return html.Details(
        [
            html.Summary("The same as a table"),
            html.Div(
                className="table-scroll",
                tabIndex=0,
                role="region",
                **{"data-observe-table": name, "aria-label": f"{title} as a table"},
            ),
        ],
        className="as-table",
        **{"data-widget": "observe-table"},
    )


def chart_panel(chart: Chart, *before: Component, tools: Component | None = None) -> Component:
    """A panel with its chart, its numbers as a table, and its exports."""
    picture = html.Div(
        plot(chart.name, chart.title, chart.height),
        className="observe-picture",
        tabIndex=0,
        role="region",
        **{"aria-label": f"{chart.title}: picture"},
    )
    return panel(
        chart.name,
        chart.title,
        chart.reads,
        [*before, picture, _table(chart.name, chart.title)],
        exports=("svg", "png", "csv", "json"),
        tag=tag(),
        tools=tools,
        class_name=f"span-{chart.span} panel-{chart.name}{' of-labels' if chart.of_labels else ''}",
    )


def matrix_panel(cell: str) -> Component:
    """Units against labels, with the switch between share and lift."""
    switch = dmc.SegmentedControl(
        id="observe-cell",
        data=[{"value": "share", "label": "share of the label"}, {"value": "lift", "label": "lift"}],
        value=cell,
        size="xs",
        **{"aria-label": "What the cells say: share of the label's routing, or lift over independence"},
    )
    return chart_panel(MATRIX, tools=switch)


def specialisation_panel() -> Component:
    """The number for the chosen steps, beside its null and its controls, and all steps below."""
    numbers = html.Div(id="observe-specialisation-numbers", className="observe-numbers")
    return chart_panel(SPECIALISATION, numbers)


def similarity_panel(chart: Chart, measure: str) -> Component:
    """Similarity of units, by CKA or cosine."""
    switch = dmc.SegmentedControl(
        id="observe-measure",
        data=[{"value": "cka", "label": "CKA"}, {"value": "cosine", "label": "cosine"}],
        value=measure,
        size="xs",
        **{"aria-label": "Measure of similarity"},
    )
    return chart_panel(chart, html.Div(switch, className="observe-switch"))


def exemplar_panel() -> Component:
    """The samples and patches of each unit."""
    body = html.Div(
        html.Div(id="observe-exemplars", className="exemplars"),
        className="observe-picture",
    )
    return panel(
        "observe-exemplars-panel",
        "Exemplars",
        READ_EXEMPLARS,
        [body, _table("observe-exemplars-panel", "Exemplars")],
        exports=("svg", "png", "csv", "json"),
        tag=tag(),
        class_name="span-7 panel-observe-exemplars",
    )


def of_experts() -> Sequence[Component]:
    """The panels about a mixture of experts, which the page's modules draw."""
    return [
        _expert_picture("load", "Load by layer and expert", READ_LOAD, "span-7"),
        _expert_panel("balance", "Balance and dead experts", READ_BALANCE, "span-5", [_widget("balance")]),
        _expert_picture("domains", "Which data set uses which expert", READ_DOMAINS, "span-6", _words("specialised")),
        _expert_picture("together", "Taken together", READ_TOGETHER, "span-6"),
        _expert_picture("tokens", "Which token takes which expert", READ_BY_TOKEN, "span-12", _words("by-token")),
        _expert_picture("alike", "Alike in what they take", READ_ALIKE, "span-6"),
        _expert_picture("written", "Alike in what they write", READ_WRITTEN, "span-6", _words("unwritten")),
        _expert_panel("exemplars", "Tokens in their texts", READ_TOKENS, "span-12", [_widget("exemplars")]),
    ]


def _words(key: str) -> Component:
    return html.P(className="observe-numbers experts-specialised", **{"data-widget": f"experts-{key}"})


def _widget(key: str) -> Component:
    return html.Div(className=f"observe-picture experts-{key}-place", **{"data-widget": f"experts-{key}"})


def _expert_picture(key: str, title: str, reads: str, span: str, *before: Component) -> Component:
    canvas = html.Canvas(role="img", **{"aria-label": f"{title}: nothing observed yet"})
    picture = html.Div(canvas, className="observe-picture", **{"data-widget": "experts-picture", "data-key": key})
    return _expert_panel(key, title, reads, span, [*before, picture, _expert_table(key, title)], pictures=True)


def _expert_table(key: str, title: str) -> Component:
    return as_table(f"{title} as a table", **{"data-widget": "experts-table", "data-key": key})


def _expert_panel(
    key: str, title: str, reads: str, span: str, body: Sequence[Component], *, pictures: bool = False
) -> Component:
    exports = ("svg", "png", "csv", "json") if pictures else ("csv", "json")
    return panel(f"observe-experts-{key}", title, reads, body, exports=exports, tag=tag(), class_name=span)


def grid(cell: str, measure: str) -> Sequence[Component]:
    """All panels in their order."""
    parts: list[Component] = [matrix_panel(cell), specialisation_panel(), exemplar_panel()]
    for chart in CHARTS:
        parts.append(similarity_panel(chart, measure) if chart.key == "similarity" else chart_panel(chart))
    return parts
