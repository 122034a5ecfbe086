"""Paths: the computational path of one sample, played through its steps, and what muting or dropping functions does."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from dash import ClientsideFunction, Dash, Input, Output, State, dcc, html, no_update
from dash.development.base_component import Component

from routescope_app.api.client import ApiClient, ApiProblem
from routescope_app.api.schemas.catalogue import ModelInfo
from routescope_app.dashboard.components.icons import icon
from routescope_app.dashboard.components.panel import as_table, folded, message, panel, skeleton
from routescope_app.dashboard.components.pinned import pin_bar, pin_tool
from routescope_app.dashboard.components.predictions import predictions
from routescope_app.dashboard.components.sample_tables import called, cards, labelled, names
from routescope_app.dashboard.components.thumbnails import short_name, thumbnails
from routescope_app.dashboard.components.words import unverified, words
from routescope_app.dashboard.errors import described
from routescope_app.dashboard.frame import own_written
from routescope_app.dashboard.page import PICTURED, Page
from routescope_app.dashboard.pages.paths.logged import of_log
from routescope_app.dashboard.pages.paths.picture import path_canvas, path_options, path_table
from routescope_app.dashboard.reading import DoesNotReadSamples, check_reads_samples, reader
from routescope_app.dashboard.validation import (
    CandidateChoice,
    LogPart,
    NotValid,
    PathChoice,
    PinChoice,
    Selection,
    ShownStep,
    as_ranges,
    in_ranges,
    is_rule,
)
from routescope_app.settings import Settings

MOST_SAID = 6  # units that a sentence names one by one
LONGEST = 1_000  # characters of a list of units in an address (LONGEST in lib/navigation/sets.js)
MOST_ASKED = 1_000  # units that a request names one by one


@dataclass(frozen=True)
class RequestedUnits:
    """An intervention as it is asked for.

    Attributes:
        choice: what the request names; a list that is too long is a set that is kept.
        said: the same as an address says it, by ``mute`` and ``drop``: rules stay rules.
        left_out: sentences on what of the address is not asked for.
    """

    choice: PathChoice
    said: dict[str, list[str]]
    left_out: list[str]


def fitting(choice: PathChoice, info: ModelInfo) -> PathChoice:
    """Return the parts of ``choice`` that the model has, with ranges as units; rules stay."""

    def known(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(name for name in in_ranges(info.units, names) if name in info.units or is_rule(name))

    edges = choice.edges if info.has_links else None
    top_k = choice.top_k if info.layers else None
    return choice.model_copy(
        update={"drop": known(choice.drop), "mute": known(choice.mute), "edges": edges, "top_k": top_k}
    )


def unfitting(choice: PathChoice, info: ModelInfo) -> list[str]:
    """Return in words the parts of ``choice`` that the model does not have."""
    asked = in_ranges(info.units, (*choice.mute, *choice.drop))
    names = [name for name in asked if name not in info.units and not is_rule(name)]
    more = f" and {len(names) - MOST_SAID} more" if len(names) > MOST_SAID else ""
    ends = f"{info.units[0]} to {info.units[-1]}" if info.units else "none"
    units = [f"{', '.join(names[:MOST_SAID])}{more} ignored here: units of {info.id} are {ends}."] if names else []
    linked = choice.edges is None or info.has_links
    routed = choice.top_k is None or bool(info.layers)
    return [
        *units,
        *([] if linked else [f'Units of {info.id} are not linked: "edges" is ignored.']),
        *([] if routed else [f'No token of {info.id} takes the best of many experts: "top_k" is ignored.']),
    ]


async def asked_of(client: ApiClient, info: ModelInfo, choice: PathChoice) -> RequestedUnits:
    """Return the request for a choice; raises ApiProblem if the service does not answer."""
    left_out = unfitting(choice, info)
    choice = fitting(choice, info)
    asked: dict[str, tuple[str, ...]] = {}
    notes: dict[str, list[str]] = {}
    for way, units in (("mute", choice.mute), ("drop", choice.drop)):
        plain = tuple(name for name in units if not is_rule(name))
        rules = list[str]()
        for rule in filter(is_rule, units):
            problem = await _refused(client, info, rule, way, choice.top_k)
            if problem is None:
                rules.append(rule)
            else:
                left_out.append(f'"{way}" is {rule}, ignored here. {problem}')
        parts = [*as_ranges(info.units, plain), *rules]
        long = len(",".join(parts)) > LONGEST
        kept = await client.keep_units(plain) if plain and (long or len(plain) > MOST_ASKED) else None
        asked[way] = (*(plain if kept is None else (kept,)), *rules)
        notes[way] = parts if kept is None or not long else [kept, *rules]
    return RequestedUnits(choice.model_copy(update=asked), notes, left_out)


async def _refused(client: ApiClient, info: ModelInfo, rule: str, way: str, top_k: int | None) -> str | None:
    """Why the model cannot be changed by a rule, in words; None where it can."""
    try:
        await client.named_units(info.id, [rule], kind=way, top_k=top_k)
    except ApiProblem as problem:
        if problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise
        return problem.detail
    return None


NAMED = 6  # units of an intervention that are named one by one


def caption(traces: dict[str, Any] | None) -> list[Any]:
    """Return the description of the path beside the heading."""
    if not traces or "sample" not in traces:
        return []
    sample, trace = traces["sample"], traces["current"]
    parts: list[Any] = [html.Strong(sample["name"])]
    parts.append(sample["labelled"])
    if sample["stand_in"]:
        parts.append(html.Span("stand-in data", className="tag tag-warn"))
    if cut := left_out(trace):
        parts.append(html.Span(cut, className="tag tag-warn"))
    parts.append(html.Span([trace["model"], " ", html.Code(trace["revision"][:8])]))
    if {"types", "messages"} & {field["name"] for field in trace["fields"]}:
        query = {"model": trace["model"], "sample": sample["id"]}
        dropped = traces["said"]["drop"]
        query |= {"drop": ",".join(dropped)} if dropped else {}
        parts.append(dcc.Link("Show on Types", href=f"/types?{urlencode(query, safe=',')}", id="paths-to-types"))
    return [html.Span(part) for part in parts]


def left_out(trace: dict[str, Any]) -> str:
    """Return in words how much of a text the trace leaves out; "" if it leaves out nothing."""
    tokens, size = (_one(trace.get(name)) for name in ("tokens_left_out", "bytes_left_out"))
    if not tokens:
        return ""
    read = sum(token.get("text") != "" for token in trace["tokens"])
    return f"Text was cut to {read:,} tokens; {tokens:,} tokens ({size:,} bytes) are left out."


def _one(counts: Sequence[int] | int | None) -> int:
    """The count of the one sample of a trace; 0 without any."""
    if counts is None:
        return 0
    return counts if isinstance(counts, int) else sum(counts)


def kind(traces: dict[str, Any] | None) -> str:
    """Return "observed", with the intervention if the path was recorded under one."""
    if not traces:
        return "observed"
    changed = traces["current"]["intervention"]

    def named(units: Sequence[str]) -> str:
        return ", ".join(units) if len(units) <= NAMED else f"{len(units)} units"

    parts = [f"{way} {named(changed[way])}" for way in ("mute", "drop") if changed[way]]
    parts += [f"{100 * changed['keep_edges']:.3g} % of the edges"] if changed["keep_edges"] is not None else []
    parts += [f"{taken} {'expert' if taken == 1 else 'experts'} a token"] if (taken := changed["top_k"]) else []
    if passes := changed["iterations"]:
        parts.append(f"{passes} {'layer' if traces['layered'] else 'iteration'}{'' if passes == 1 else 's'}")
    return f"observed under: {'; '.join(parts)}" if parts else "observed"


STARTERS = 4  # samples of each data set that the empty page offers
#: Of these the page asks for those that the model has.
FIELDS = ("compatibility", "types", "messages", "read_in", "read_out", "confidence", "margin")
#: A field of models whose tokens choose the best few experts of a layer, and which read texts.
EXPERTS = "top_experts"

#: By a field that the model has.
READ_PATH = {
    EXPERTS: (
        "Columns are layers, dots experts, lines tokens: each runs through the experts with most weight for it; "
        "fainter segments, the others that it takes. Double-click a dot to take that expert away."
    ),
    "compatibility": (
        "Columns are steps, dots functions, lines tokens: each runs through its most compatible functions, "
        "CLS tokens (outlined) on to their heads."
    ),
    "messages": (
        "Columns are steps, dots modules, lines messages, as wide as the receiver's attention; first what modules read "
        "of the tokens, last what the output reads of them."
    ),
}
READ_DIFFERENCE = {
    "compatibility": (
        "B minus A. Columns are steps, rows functions; in each cell the tokens lie as in the image, CLS tokens beside "
        "it: blue ones go through the function more than in A, orange ones less."
    ),
    "messages": (
        "B minus A. Columns are steps, lines where the attention of a module differs most, as wide as the change: blue "
        "is more than in A, orange and dashed is less."
    ),
}
NUMBERS = "numbers"
POINTS = "points"
READ_TOKENS_OF_CIRCUIT = "Colour: the module that reads it most; point at a module to see what it reads."
READ_PATCHES = {
    POINTS: "Colour: the module that reads a point most; choose a module to see where it looks. Drag to turn.",
    NUMBERS: "Bars: the numbers of the point. Colour: most compatible function at this step.",
    EXPERTS: (
        "Colour: the expert with most weight for the token at this layer; "
        "\N{DOWNWARDS ARROW WITH CORNER LEFTWARDS} ends a line."
    ),
    "listops": READ_TOKENS_OF_CIRCUIT,
    "bytes": READ_TOKENS_OF_CIRCUIT,
    "matrices": (
        "The matrix with one answer in its gap, as the network reads it. Colour: most compatible function at this step."
    ),
    "compatibility": "Colour: most compatible function at this step.",
    "messages": "Colour: the module that reads it most; point at a module to see where it looks.",
}
READ_ANSWERS = (
    "Dots: what each head answers; ticks: what its function is at this point. That of the sample's function is first."
)
READ_PREDICTIONS = (
    "Bars: softmax probabilities of each head; dashed outlines: without intervention; triangle: the true label."
)
READ_TOKENS = {
    EXPERTS: "The experts that the token takes at this layer, with their weights.",
    "compatibility": "Compatibilities at this step; tick: the step before.",
    "messages": "Shares of attention, averaged over heads; of the read-in, shares over the tokens.",
}


def layout(_settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    part = LogPart.of_query(query)
    if part.log is not None:
        return of_log(part, ShownStep.of_query(query).step)
    chosen = PathChoice.of_query(query)
    pinned = PinChoice.of_query(query)
    compares = {"data-compares": "true"} if pinned.pin else {}
    return html.Div(
        [
            dcc.Store(id="paths-traces"),
            dcc.Store(id="paths-intervention", data=chosen.model_dump(mode="json")),
            dcc.Store(id="paths-step", data=ShownStep.of_query(query).step),
            html.Div(id="paths-shown", hidden=True),
            html.Div(id="paths-heard", hidden=True),
            _head(),
            pin_bar("paths", pinned),
            folded(_interventions(chosen)),
            html.Div(
                [
                    html.Div([_path_panel(), _difference_panel(), _prediction_panel()], className="column"),
                    html.Div([_patch_panel(), _token_panel()], className="column"),
                ],
                className="paths-grid",
            ),
        ],
        className="page page-paths",
        **{"data-follows-path": "true", "data-status": "loading"} | compares | _candidate(query),
    )


def _candidate(query: Any) -> dict[str, str]:
    """Return the answer with which the sample is first displayed, from the address."""
    candidate = CandidateChoice.of_query(query).candidate
    return {} if candidate is None else {"data-candidate": str(candidate)}


def _head() -> html.Div:
    copy = html.Button(
        [icon("link"), "Copy link"], type="button", className="tool tool-text", **{"data-copy-link": "true"}
    )
    caption = html.Div(id="paths-caption", className="caption")
    return html.Div([html.H1("Paths"), caption, unverified(), pin_tool("paths"), copy], className="page-head")


def _interventions(chosen: PathChoice) -> html.Div:
    mode = "drop" if chosen.drop and not chosen.mute else "mute"
    return html.Div(className="interventions", **{"data-widget": "path-interventions", "data-mode": mode})


def _states() -> list[Component]:
    """Loading, empty and error states; the page's status decides which one is seen."""
    typed = "Choose or type one"
    bring = {
        NUMBERS: "Choose or set one",
        POINTS: "Choose or bring one",
        EXPERTS: typed,
        "listops": typed,
        "bytes": typed,
    }
    choose = dcc.Link(words("Choose, upload or draw one", **bring), href="/samples", className="button")
    retry = html.Button("Try again", id="paths-retry", type="button", className="button")
    return [
        skeleton("when-loading"),
        message(
            "No sample chosen",
            words("Choose one to see the way it takes through the {units}, step by step."),
            html.Div(id="paths-starters", className="starters"),
            choose,
            class_name="when-empty",
        ),
        html.Div(
            [
                html.P("The path could not be shown", className="message-title"),
                html.P(id="paths-problem", className="message-detail"),
                retry,
            ],
            className="message when-failed",
            role="alert",
        ),
    ]


def _paths_side_by_side() -> Component:
    """The path that the page shows, and that of what is pinned."""
    canvas = path_canvas(
        "Computational path. Space plays, left and right change the step, up and down move through the tokens, Escape "
        "ends it. The same numbers are in the table below."
    )
    shown = [
        html.Div(**{"data-widget": "path-side-title", "data-side": "B"}),
        html.Div([canvas, *_states()], className="path-canvas", **{"data-widget": "path-canvas"}),
    ]
    return html.Div([_side_of_a(), html.Div(shown, className="path-side")], className="path-sides")


def _path_panel() -> Component:
    table = path_table("Dominant functions at every step")
    body = [
        _paths_side_by_side(),
        html.Div(
            [
                html.Div(className="player", **{"data-widget": "path-player"}),
                path_options(),
                table,
                html.P(className="path-samples", **{"data-widget": "path-samples"}),
            ],
            className="path-controls",
        ),
        html.P(className="path-status", **{"data-widget": "path-status", "aria-live": "polite"}),
    ]
    return panel(
        "path",
        "Computational path",
        words(**READ_PATH),
        body,
        exports=("svg", "png", "csv", "json", "nc"),
        tag=html.Span("observed", className="tag", id="paths-kind"),
        class_name="panel-path",
    )


def _side_of_a() -> Component:
    """The path of what is pinned, beside the one that the page shows."""
    canvas = html.Canvas(
        id="path-picture-of-a",
        tabIndex=0,
        role="img",
        **{
            "data-path-keys": "true",
            "aria-label": "Computational path of A, which is pinned, at the same step as that of B. "
            "What differs is in the table of the panel Difference.",
        },
    )
    state = html.Div(className="path-state-of-a", **{"data-widget": "path-state-of-a"})
    return html.Div(
        [
            html.Div(**{"data-widget": "path-side-title", "data-side": "A"}),
            html.Div([canvas, state], className="path-canvas", **{"data-widget": "path-canvas-of-a"}),
        ],
        className="path-side path-side-of-a",
    )


def _difference_panel() -> Component:
    """Return the panel of differences between A and B, visible while a view is pinned."""
    canvas = html.Canvas(
        id="difference-picture",
        tabIndex=0,
        role="img",
        **{
            "data-path-keys": "true",
            "aria-label": "What differs between the paths of A and B. Left and right change the step, up and down move "
            "through the tokens. The same numbers are in the table below.",
        },
    )
    body = [
        html.Div(**{"data-widget": "difference-words", "data-fields": ",".join(FIELDS), "aria-live": "polite"}),
        html.Div(canvas, className="difference-canvas", **{"data-widget": "difference-canvas"}),
        html.P(className="difference-pointed", **{"data-widget": "difference-pointed"}),
        html.Div(
            className="difference-answers",
            tabIndex=0,
            role="region",
            **{"data-widget": "difference-answers", "aria-label": "Answers of A and B"},
        ),
        as_table("The difference as a table", **{"data-widget": "difference-table"}),
    ]
    return panel(
        "path-difference",
        "Difference",
        words(**READ_DIFFERENCE),
        body,
        exports=("svg", "png", "csv", "json"),
        tag=html.Span(**{"data-widget": "difference-kind"}),
        class_name="panel-difference",
    )


def _patch_panel() -> Component:
    canvas = html.Canvas(
        id="patch-picture",
        tabIndex=0,
        role="img",
        **{
            "data-path-keys": "true",
            "aria-label": "The image with its patches coloured by their dominant function. "
            "Arrow keys move from patch to patch.",
        },
    )
    of_a = html.Canvas(
        id="patch-picture-of-a",
        role="img",
        **{"aria-label": "The same of A, which is pinned, at the same step."},
    )
    opacity = html.Div(className="control", **{"data-widget": "patch-opacity"})
    body = [
        html.Div(
            [
                html.Div(of_a, className="patch-canvas path-side-of-a", **{"data-widget": "patch-canvas-of-a"}),
                html.Div(
                    [canvas, skeleton("when-loading")], className="patch-canvas", **{"data-widget": "patch-canvas"}
                ),
                html.Div(className="cloud", hidden=True, **{"data-widget": "path-cloud"}),
            ],
            className="patch-sides",
        ),
        html.Div([html.Div(className="legend", **{"data-widget": "unit-legend"}), opacity], className="patch-foot"),
        html.Div(className="candidates", hidden=True, **{"data-widget": "path-candidates"}),
        html.Div(className="continuation", **{"data-widget": "text-continuation"}),
    ]
    return panel(
        "patches",
        words(
            **{
                POINTS: "Points",
                NUMBERS: "Numbers",
                EXPERTS: "Text",
                "listops": "Expression",
                "bytes": "Text",
                "matrices": "Matrix",
                "compatibility": "Patches",
                "messages": "Patches",
            }
        ),
        words(**READ_PATCHES),
        body,
        exports=("svg", "png", "csv", "json"),
        class_name="panel-patches",
    )


def _prediction_panel() -> Component:
    body = [html.Div([predictions("paths"), skeleton("when-loading skeleton-low")], className="prediction-body")]
    return panel(
        "predictions",
        words("Predictions", numbers="Answers"),
        words(READ_PREDICTIONS, numbers=READ_ANSWERS),
        body,
        exports=("svg", "png", "csv", "json"),
        class_name="panel-predictions",
    )


def _token_panel() -> Component:
    return panel(
        "tokens",
        words(**{EXPERTS: "Experts of a token", "compatibility": "Compatibility of tokens", "messages": "Attention"}),
        words(**READ_TOKENS),
        html.Div(**{"data-widget": "token-bars"}),
        class_name="panel-tokens",
    )


async def find_traces(client: ApiClient, selection: Selection, choice: PathChoice) -> dict[str, Any] | None:
    """The trace under ``choice``, the one without intervention, and their sample; None when nothing is chosen.

    What of ``choice`` the model does not have is left out, and said in ``left_out``. Raises ApiProblem or
    DoesNotReadSamples where there can be none.
    """
    if selection.model is None or selection.sample is None:
        return None
    model, sample = selection.model, selection.sample
    info = await client.model(model)
    tabled = info.inputs not in PICTURED
    if not tabled:
        check_reads_samples(info)
    fields = [name for name in FIELDS if name in info.fields]
    wanted = [client.trace(model, sample, fields=fields)]
    asked = await asked_of(client, info, choice)
    choice = asked.choice
    if choice.fields:
        wanted.append(client.trace(model, sample, fields=fields, **choice.fields))
    described = described_table if tabled else described_picture
    shown, traces = await asyncio.gather(described(client, sample), asyncio.gather(*wanted))
    baseline, current = traces[0], traces[-1]
    put_to = shown["set"] if shown["point"] is None else shown["point"]["set"]  # also of a point that somebody wrote
    shown["domain"] = put_to if put_to in current.domains else None
    return {
        "current": current.model_dump(mode="json"),
        "baseline": baseline.model_dump(mode="json"),
        "sample": shown,
        "layered": info.most_iterations is not None,
        "said": asked.said,
        "left_out": asked.left_out,
    }


async def described_picture(client: ApiClient, sample: str) -> dict[str, Any]:
    """Return the description of a sample that is a picture."""
    about = await client.sample(sample)
    shown = about.model_dump(mode="json", include={"id", "name", "label", "set", "set_title", "stand_in", "origin"})
    label = "no label" if about.label is None else f"true label {about.label}"
    return shown | {"name": short_name(about.id, about.name), "labelled": label, "point": None}


async def described_table(client: ApiClient, sample: str) -> dict[str, Any]:
    """Return the description of another kind of sample, with a substitute for its label, such as a text's length."""
    about = await client.table(sample)
    shown = about.model_dump(mode="json", include={"id", "set", "set_title", "stand_in", "point"})
    origin = "data" if about.set is not None else "upload"
    label = about.label if about.panels is not None and about.label >= 0 else None
    return shown | {"name": called(about), "label": label, "origin": origin, "labelled": labelled(about)}


async def starters(client: ApiClient, model: str | None) -> list[Component]:
    """A few samples of every data set to begin with: of the kind of input that the model reads, else pictures."""
    info = None if model is None else await client.model(model)
    if info is not None and info.inputs not in PICTURED:
        every = await client.all_data()
        sets = [data_set for data_set in every if data_set.inputs == info.inputs]
        own_sets = [data_set for data_set in sets if data_set.name in info.domains] or sets
        # Of data sets with the same samples, under other functions, the first.
        answered = list(dict.fromkeys(data_set.inputs_of or data_set.name for data_set in own_sets))
        count = STARTERS if len(answered) <= STARTERS else 1
        own_samples, tables = await asyncio.gather(
            own_written(client, info.inputs, STARTERS),
            asyncio.gather(*(client.tables(set=name, limit=count, rows=1) for name in answered)),
        )
        found = [*own_samples, *(sample for table in tables for sample in table.items)]
        if not found:
            return []
        drawn = all(sample.point is not None for sample in found)
        return [cards(found, None) if drawn else names(found, None, "Samples to start with", whole=True)]
    domains = [] if info is None else info.domains
    pictures = sorted(await client.data(), key=lambda data_set: data_set.name not in domains)
    pages = await asyncio.gather(
        *(client.samples(origin="data", set=picture.name, limit=STARTERS) for picture in pictures)
    )
    samples = [sample for page in pages for sample in page.items]
    return [thumbnails(samples, None, "Samples to start with")] if samples else []


def register(app: Dash, client: ApiClient, _settings: Settings) -> None:
    """Add the page's callbacks."""

    @app.callback(Output("paths-starters", "children"), Input("selection", "data"))
    async def offer(selection: object) -> Any:
        chosen = Selection.read(selection)
        return [] if chosen.sample else await starters(client, chosen.model)

    @app.callback(
        Output("paths-traces", "data"),
        Output("paths-caption", "children"),
        Output("paths-kind", "children"),
        Output("paths-problem", "children"),
        Output("paths-retry", "hidden"),
        Input("selection", "data"),
        Input("paths-intervention", "data"),
        Input("paths-retry", "n_clicks"),
    )
    async def trace(selection: object, intervention: object, _retry: object) -> Any:
        try:
            choice = PathChoice.read(intervention)
            traces = await find_traces(client, Selection.read(selection), choice)
        except (ApiProblem, NotValid, DoesNotReadSamples) as error:
            title, detail = described(error)
            words = [detail, reader()] if isinstance(error, DoesNotReadSamples) else detail
            problem = {"title": title, "detail": detail}
            status = error.status if isinstance(error, ApiProblem) else HTTPStatus.BAD_REQUEST
            if status >= HTTPStatus.INTERNAL_SERVER_ERROR:  # what the page said before stays
                return {"problem": problem | {"stale": True}}, no_update, no_update, words, False
            if status == HTTPStatus.NOT_FOUND:
                words = [detail, dcc.Link("Choose another sample", href="/samples", className="button choose-other")]
            passes = isinstance(error, ApiProblem) and error.retry_after is not None
            return {"problem": problem}, [], kind(None), words, not passes
        return traces, caption(traces), kind(traces), "", False

    def browser(name: str, *dependencies: Any, **options: Any) -> None:
        app.clientside_callback(ClientsideFunction("paths", name), *dependencies, **options)

    browser(
        "show",
        Output("paths-shown", "children"),
        Input("paths-traces", "data"),
        State("paths-step", "data"),
        prevent_initial_call=True,
    )
    browser(
        "openFirst",
        Output("paths-heard", "data-first"),
        Input("paths-starters", "children"),
        prevent_initial_call=True,
    )
    browser("remember", Output("paths-heard", "data-intervention"), Input("paths-intervention", "data"))


PAGE = Page(
    "paths",
    "/paths",
    "Paths",
    "path",
    ("compatibility", "messages"),
    layout,
    inputs=("images", "text", "numbers", "points", "listops", "bytes", "matrices"),
    samples=True,
    asks=(PathChoice, ShownStep, CandidateChoice, PinChoice, LogPart),
    register=register,
)
