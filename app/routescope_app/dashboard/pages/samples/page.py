"""Samples: the data sets' digits, a person's own pictures and drawings, and what every head makes of the chosen one."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dash
import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, dcc, html
from dash.development.base_component import Component

from routescope_app.api.client import ApiClient, ApiProblem
from routescope_app.api.schemas.behaviours import Behaviours
from routescope_app.api.schemas.catalogue import DataSet, ModelInfo, Sample, SampleTable
from routescope_app.dashboard.components.icons import icon
from routescope_app.dashboard.components.panel import as_table, folded, menu, message, panel, skeleton
from routescope_app.dashboard.components.predictions import predictions
from routescope_app.dashboard.components.sample_facts import ANY, LABELS, facts, licence_lines, link_to
from routescope_app.dashboard.components.sample_tables import NUMBERS, POINTS, STATEMENTS, TEXT, cards, labelled, scored
from routescope_app.dashboard.components.sample_tables import facts as table_facts
from routescope_app.dashboard.components.thumbnails import Value, set_title, thumbnails
from routescope_app.dashboard.components.words import words
from routescope_app.dashboard.errors import notify
from routescope_app.dashboard.frame import own_samples
from routescope_app.dashboard.page import ANY_INPUTS, PICTURED, Page
from routescope_app.dashboard.pages.paths import page as paths
from routescope_app.dashboard.pages.samples import ordered
from routescope_app.dashboard.reading import (
    DoesNotReadKind,
    DoesNotReadSamples,
    check_reads_kind,
    check_reads_samples,
    unread,
)
from routescope_app.dashboard.validation import FoundOrder, GalleryFilters, NotValid, PinChoice, SampleEdit, Selection
from routescope_app.settings import MAX_TEXT_BYTES, Settings

PAGE_SIZE = 96
#: Samples of a page where they are tables, and the rows of each: of a statement, words.
TABLES, ROWS, WORDS = 24, 8, 60
READ_PICTURES = "Below each digit its label; in red what the model's own head for that set says where it is wrong."
READ_TABLES = "Each sample with its label, as its kind of input tells it: one row a token."
READ_HEADS = "Bars are softmax probabilities of each head; the triangle marks the true label."
READ_STATEMENTS = "Each statement with its pictures, and whether it is true."
READ_BLOCKS = "Each sample with its label and its digits, or its blocks, one a row."
READ_TEXTS = "Each text with its length, as it is written."
CAPTION = "Pick a digit, bring a picture, or draw one."
CAPTION_TEXTS = "Pick a text, type one, or bring a file."
CAPTION_NUMBERS = "Pick a point, or set one."
CAPTION_CLOUDS = "Pick a cloud of points, or bring one."
READ_CLOUDS = "Each cloud of points with its class, from above at a slant: the nearer a point, the lighter."
READ_CLOUD = "A cloud of yours becomes a sample, brought to the unit ball; up to 1,024 of its points are taken."
READ_POINTS = "Each point with its five numbers, and the value of its data set's function there."
READ_NUMBERS = "A point of yours becomes a sample: the page Paths shows which functions it goes through."
READ_BROUGHT = "Drawings are centred and scaled as MNIST was; pictures are fitted into 32 x 32 pixels."
READ_TEXT = "A text of yours becomes a sample: the page Paths shows which experts its tokens take."
READ_SEQUENCE = "What you write becomes a sample: it is answered at once, and Paths shows which modules read it."
READ_SCORE = "What the answer of the model for this sample is worth, and the sample itself."
NO_WRITTEN = "Make one at the right; it stays here until you delete it."
READ_EXPRESSIONS = "Each expression with its value, as it is written."
READ_MATRICES = "Each matrix with its right answer: the eight panels before the gap."
READ_MATRIX = "A matrix of yours becomes a sample: it is answered at once, and Paths shows how its panels go."
READ_BYTES = "Each text with its label, as it is written."
READS = {
    "listops": READ_EXPRESSIONS,
    "bytes": READ_BYTES,
    TEXT: READ_TEXTS,
    NUMBERS: READ_POINTS,
    POINTS: READ_CLOUDS,
    "matrices": READ_MATRICES,
    STATEMENTS: READ_STATEMENTS,
    "blocks": READ_BLOCKS,
}
#: Kinds of input without a picture of their own whose paths the page Paths shows.
SHOWN_ON_PATHS = tuple(kind for kind in paths.PAGE.inputs if kind not in PICTURED)
SEE_PATH = link_to("paths", "See its path")
#: A field of models whose units read the tokens.
READ_IN = "read_in"
OR_OWN = html.Span(", or bring one of your own", className="writes")
NOT_CHOSEN = html.Span(["Pick one from the gallery", OR_OWN, "."])


def layout(settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    filters = GalleryFilters.of_query(query)
    caption = words(
        CAPTION,
        numbers=CAPTION_NUMBERS,
        points=CAPTION_CLOUDS,
        top_experts=CAPTION_TEXTS,
        listops="Pick an expression, or type one.",
        bytes="Pick a review, type one, or bring a file.",
        matrices="Pick a matrix, bring one, or swap panels of one.",
    )
    return html.Div(
        [
            dcc.Store(id="gallery-filters", data=filters.model_dump(mode="json")),
            dcc.Store(id="gallery-pages", data=1),
            dcc.Store(id="sample-traces"),
            html.Div(id="samples-heard", hidden=True, **{"data-widget": "samples-heard"}),
            html.Div(
                [html.H1("Samples"), html.Div(caption, className="caption writes")],
                className="page-head",
            ),
            html.Div(
                [
                    _gallery_panel(filters),
                    html.Div([_chosen_panel(), _bring_panel(settings)], className="samples-side"),
                ],
                className="samples-grid",
            ),
        ],
        className="page page-samples",
    )


def _gallery_panel(filters: GalleryFilters) -> Component:
    controls = html.Div(
        [
            dmc.SegmentedControl(
                id="gallery-source",
                data=[{"value": "data", "label": "Data sets"}, {"value": "own", "label": "Yours"}],
                value=filters.source,
                size="xs",
                **{"aria-label": "Whose samples"},
            ),
            html.Div(
                [
                    dmc.Select(
                        id="gallery-set",
                        data=[{"value": ANY, "label": "all sets"}],
                        value=filters.set or ANY,
                        size="xs",
                        w=190,
                        allowDeselect=False,
                        **{"aria-label": "Data set"},
                    ),
                    html.Div(
                        [
                            dmc.Select(
                                id="gallery-label",
                                data=LABELS,
                                value=ANY if filters.label is None else str(filters.label),
                                size="xs",
                                w=104,
                                allowDeselect=False,
                                **{"aria-label": "Label"},
                            ),
                            dmc.Switch(id="gallery-wrong", label="wrong only", checked=filters.wrong, size="xs"),
                        ],
                        className="gallery-filters",
                        **{"data-widget": "of-labels"},
                    ),
                ],
                className="gallery-filters",
                id="gallery-data-filters",
            ),
        ],
        className="gallery-controls",
    )
    body = [
        folded(controls, ordered.controls(filters)),
        dcc.Loading(
            html.Div(skeleton("skeleton-gallery"), id="gallery", className="gallery"),
            custom_spinner=skeleton("skeleton-gallery"),
            delay_show=250,
        ),
        _pager(),
        html.Div(
            as_table("The order as a table", id="gallery-order-table"),
            id="gallery-table",
            hidden=True,
        ),
        html.Div(id="gallery-licences", className="licences"),
    ]
    reads = html.Span(READ_PICTURES, id="gallery-reads")
    return panel("gallery", "Gallery", reads, body, class_name="panel-gallery")


def _pager() -> Component:
    """Return the range of displayed samples, and links to the previous and next ones."""
    return html.Div(
        [
            html.Div(id="gallery-count", className="caption", role="status"),
            html.Button(
                icon("previous"),
                id="gallery-previous",
                type="button",
                className="tool",
                title="Previous page",
                **{"aria-label": "Previous page"},
            ),
            html.Button(
                icon("next"),
                id="gallery-next",
                type="button",
                className="tool",
                title="Next page",
                **{"aria-label": "Next page"},
            ),
        ],
        className="pager",
    )


def _chosen_panel() -> Component:
    body = [
        html.Div(message("No sample chosen", NOT_CHOSEN), id="sample-facts"),
        predictions("sample"),
    ]
    return panel(
        "sample",
        "Chosen sample",
        html.Span(id="sample-reads"),
        body,
    )


def _bring_panel(settings: Settings) -> Component:
    pad_canvas = html.Canvas(
        id="drawing-pad",
        tabIndex=0,
        role="img",
        **{
            "aria-label": "Drawing pad. Arrow keys move the pen, space lowers and lifts it, "
            "Enter uses the drawing, Ctrl+Z undoes a stroke."
        },
    )

    def tool(name: str, label: str, class_name: str = "tool tool-text") -> html.Button:
        return html.Button(label, type="button", className=class_name, disabled=True, **{"data-pad": name})

    pad = html.Div(
        [
            html.Div(
                [pad_canvas, html.Span("draw a digit", className="pad-hint", **{"aria-hidden": "true"})],
                className="pad-frame",
            ),
            html.Div(
                [tool("undo", "Undo"), tool("clear", "Clear"), tool("save", "Use drawing", "button")],
                className="pad-tools",
            ),
        ],
        className="pad",
        **{"data-widget": "drawing-pad", "data-empty": "true"},
    )
    upload = html.Div(className="upload", **{"data-widget": "upload", "data-max-bytes": str(settings.max_upload_bytes)})
    text = html.Div(
        className="bring-text",
        hidden=True,
        **{"data-widget": "bring-text", "data-max-bytes": str(MAX_TEXT_BYTES)},
    )
    pictures = html.Div([pad, upload], className="bring", **{"data-widget": "bring-pictures"})
    numbers = html.Div(className="bring-numbers", hidden=True, **{"data-widget": "bring-numbers"})
    cloud = html.Div(
        className="bring-cloud",
        hidden=True,
        **{"data-widget": "bring-cloud", "data-max-bytes": str(settings.max_upload_bytes)},
    )
    file = html.Div(
        className="bring-file",
        hidden=True,
        **{"data-widget": "bring-file", "data-max-bytes": str(settings.max_upload_bytes)},
    )
    brought = [html.P(id="bring-note", className="hint"), pictures, text, numbers, cloud, file, _delete_all()]
    reads = words(
        READ_BROUGHT,
        points=READ_CLOUD,
        numbers=READ_NUMBERS,
        top_experts=READ_TEXT,
        listops=READ_SEQUENCE,
        bytes=READ_SEQUENCE,
        matrices=READ_MATRIX,
    )
    return panel("bring", "Your own", reads, brought, class_name="writes")


def _delete_all() -> Component:
    """Return the button that deletes all of the user's samples, after a second question."""
    whose = html.Span("All that you brought", **{"data-widget": "brought"})
    warning = [whose, ", with its traces. Links to it lead nowhere then. This cannot be undone."]
    items = [
        html.P(warning, className="hint panel-more"),
        html.Button("Delete them all", id="samples-delete", type="button", className="menu-item danger"),
    ]
    label = "Delete all samples of mine"
    opened = menu("Delete all of mine", items, name="samples-delete-menu", label=label, class_name="tool-danger")
    return html.Div(opened, className="delete-all")


# -- what the API answers, as components -------------------------------------------------------------------------


def other_kinds(sets: Sequence[DataSet]) -> list[DataSet]:
    """The data sets whose samples are no single pictures: they are shown as tables."""
    return [data_set for data_set in sets if data_set.inputs != "images"]


def in_tables(filters: GalleryFilters, model: ModelInfo | None, sets: Sequence[DataSet]) -> str | None:
    """The kind of input whose samples the gallery shows as tables; None where it shows pictures.

    That of the chosen data set; of all sets, what the model reads where they are in an order of what it does with them,
    or its kind has no page of its own.
    """
    kinds = {other_kind.name: other_kind.inputs for other_kind in other_kinds(sets)}
    if filters.source == "own" or (filters.set is not None and filters.set not in kinds):
        return None
    if filters.set is not None:
        return kinds[filters.set]
    if model is None or model.inputs not in kinds.values():
        return None
    return model.inputs if filters.ordered or model.inputs not in PICTURED else None


def rows_of(kind: str) -> int:
    """Return the number of rows of each sample in the gallery."""
    return WORDS if kind == STATEMENTS else ROWS


async def find_tables(client: ApiClient, filters: GalleryFilters, kind: str) -> tuple[list[SampleTable], int]:
    """One page of samples as tables and how many there are in all."""
    page = await client.tables(
        inputs=kind,
        set=filters.set,
        label=filters.label,
        find=filters.find or None,
        limit=TABLES,
        offset=(filters.page - 1) * TABLES,
        rows=rows_of(kind),
    )
    return page.items, page.total


def tables(
    samples: Sequence[SampleTable],
    filters: GalleryFilters,
    chosen: str | None,
    values: Mapping[str, Value] | None = None,
) -> Component:
    """The tables, or why there are none."""
    if filters.wrong:
        return message(
            "Nothing is right or wrong here", "These samples are scored one by one; show them all and choose one."
        )
    return cards(samples, chosen, values) if samples else nothing(filters)


def nothing(filters: GalleryFilters) -> Component:
    """Return the message that no sample matches, and what to change."""
    if filters.find:
        return message("No samples match", f"None is called {filters.find!r} among these: find another, or all.")
    return message("No samples match", "Choose another set or label.")


async def find_samples(client: ApiClient, filters: GalleryFilters, model: str | None) -> tuple[list[Sample], int]:
    """One page of samples and how many there are in all."""
    start = (filters.page - 1) * PAGE_SIZE
    if filters.source == "own":
        return await own_samples(client, start, PAGE_SIZE, model, filters.find or None)
    page = await client.samples(
        origin="data",
        set=filters.set,
        label=filters.label,
        wrong=True if filters.wrong and model else None,
        model=model,
        find=filters.find or None,
        limit=PAGE_SIZE,
        offset=start,
    )
    return list(page.items), page.total


def gallery(
    samples: Sequence[Sample], filters: GalleryFilters, chosen: str | None, values: Mapping[str, Value] | None = None
) -> Component:
    """The pictures, or why there are none."""
    if samples:
        return thumbnails(samples, chosen, "Samples", values)
    if filters.source == "own" and not filters.find and not filters.ordered:
        return message(
            "Nothing of yours yet", "Bring a picture or draw a digit at the right; it stays here until you delete it."
        )
    if filters.wrong:
        return message(
            "Nothing wrong here", "The model labels every sample that matches these filters as the data set does."
        )
    if filters.source == "own" and not filters.find:
        return message("Nothing of yours yet", "There is no other sample of yours that could be put in order.")
    return nothing(filters)


def count(total: int, filters: GalleryFilters, shown: int, size: int = PAGE_SIZE) -> str:
    """Return the range of displayed samples and their number, on pages of one size."""
    if not shown:
        return f"0 of {total:,}"
    start = (filters.page - 1) * size
    return f"{start + 1:,} to {start + shown:,} of {total:,}"


@dataclass(frozen=True)
class GalleryPage:
    """A page of the gallery: what it shows, how many samples these are and how many match; the order, if measured, and
    the same as a table."""

    body: Component
    many: int = 0
    total: int = 0
    found: Behaviours | None = None
    table: Component | None = None


async def list_page(
    client: ApiClient,
    filters: GalleryFilters,
    model: ModelInfo | None,
    kind: str | None,
    chosen: str | None,
    behaviours: object,
) -> GalleryPage:
    """A page of the gallery for some filters; ``found`` is what is known of the order, as the page has it.

    Raises:
        DoesNotReadSamples: where what is asked for is what the model makes of samples that it does not read.
    """
    if kind is None and model is not None and (filters.ordered or (filters.wrong and filters.source == "data")):
        check_reads_samples(model)  # else nothing is right or wrong, or routed
    if filters.ordered:
        return await _in_order(client, filters, model, kind, chosen, behaviours)
    if filters.source == "own" and model is not None and await is_written(client, model):
        own_tables = await client.written(model.inputs, limit=TABLES, offset=(filters.page - 1) * TABLES, rows=ROWS)
        body = cards(own_tables.items, chosen) if own_tables.items else message("Nothing of yours yet", NO_WRITTEN)
        return GalleryPage(body, len(own_tables.items), own_tables.total)
    if kind is not None:
        tabled, total = ([], 0) if filters.wrong else await find_tables(client, filters, kind)
        return GalleryPage(tables(tabled, filters, chosen), len(tabled), total)
    reading = model.id if model is not None and model.samples else None
    samples, total = await find_samples(client, filters, reading)
    return GalleryPage(gallery(samples, filters, chosen), len(samples), total)


async def is_written(client: ApiClient, model: ModelInfo) -> bool:
    """Return whether users can write samples of the kind that a model reads."""
    return (await client.kinds())[model.inputs].written is not None


async def _in_order(
    client: ApiClient,
    filters: GalleryFilters,
    model: ModelInfo | None,
    kind: str | None,
    chosen: str | None,
    behaviours: object,
) -> GalleryPage:
    size = PAGE_SIZE if kind is None else TABLES
    answer: Behaviours | Component
    if filters.source == "own" and model is not None:
        answer = await ordered.find_own(client, filters, model, size)
    else:
        order = _found(behaviours)
        if (why := ordered.pending(filters, model, order)) is not None or order is None or order.id is None:
            return GalleryPage(why or html.Div())
        answer = await ordered.find_found(client, order.id, filters, size)
    if isinstance(answer, Component):
        return GalleryPage(answer)
    first = (filters.page - 1) * size + 1
    if kind is None:
        samples, values = ordered.samples_of(answer)
        table = ordered.table(answer, ordered.lines_of(samples), first)
        return GalleryPage(gallery(samples, filters, chosen, values), len(samples), answer.total, answer, table)
    tabled, values = await ordered.tables_of(client, answer, rows_of(kind))
    table = ordered.table(answer, [(labelled(sample).removeprefix("label "), "") for sample in tabled], first)
    return GalleryPage(tables(tabled, filters, chosen, values), len(tabled), answer.total, answer, table)


def _found(value: object) -> FoundOrder | None:
    try:
        return FoundOrder.read(value)
    except NotValid:
        return None


def page_of(sample: SampleTable) -> Component | None:
    """The link to what the model does with a sample that is no single picture; None where no page shows it."""
    if sample.inputs in SHOWN_ON_PATHS:
        return link_to("paths", "Its path")
    if sample.inputs == STATEMENTS:
        sentence = " ".join(str(word) for _, word in sample.rows)
        return link_to("circuits", "Its circuit", statement=sample.id, s1=sentence)
    if sample.blocks is not None:
        program = ",".join(str(subtask + 1) for subtask in sample.blocks.program)
        return link_to("blocks", "Its blocks", digits=",".join(map(str, sample.blocks.digits)), program=program)
    return None


def register(app: Dash, client: ApiClient, _settings: Settings) -> None:
    """Add the page's callbacks."""
    _register_gallery(app, client)
    _register_sample(app, client)
    _register_deletion(app, client)

    def browser(name: str, *dependencies: Any, **options: Any) -> None:
        app.clientside_callback(ClientsideFunction("samples", name), *dependencies, **options)

    browser(
        "writeAddress",
        Output("samples-heard", "data-address"),
        Input("selection", "data"),
        Input("gallery-filters", "data"),
    )
    browser(
        "markChosen", Output("samples-heard", "data-chosen"), Input("gallery", "children"), State("selection", "data")
    )
    browser(
        "putInOrder",
        Output("samples-heard", "data-ordered"),
        Input("gallery-filters", "data"),
        Input("chosen-model", "data"),
    )
    browser(
        "tellTabs",
        Output("samples-heard", "data-changed"),
        Input("samples-changed", "data"),
        prevent_initial_call=True,
    )
    browser("showPrediction", Output("samples-heard", "data-prediction"), Input("sample-traces", "data"))
    browser(
        "changeFilters",
        Output("gallery-filters", "data"),
        Input("gallery-source", "value"),
        Input("gallery-set", "value"),
        Input("gallery-label", "value"),
        Input("gallery-wrong", "checked"),
        Input("gallery-order", "value"),
        Input("gallery-samples", "value"),
        Input("gallery-find", "value"),
        Input("gallery-previous", "n_clicks"),
        Input("gallery-next", "n_clicks"),
        State("gallery-filters", "data"),
        State("gallery-pages", "data"),
        prevent_initial_call=True,
    )


async def known(client: ApiClient, model: str) -> ModelInfo | None:
    """A model; None where there is none of that name, which the frame says."""
    try:
        return await client.model(model)
    except ApiProblem as problem:
        if problem.status != 404:
            raise
        return None


def _register_gallery(app: Dash, client: ApiClient) -> None:
    @app.callback(
        Output("gallery", "children"),
        Output("gallery-count", "children"),
        Output("gallery-pages", "data"),
        Output("gallery-previous", "disabled"),
        Output("gallery-next", "disabled"),
        Output("gallery-data-filters", "hidden"),
        Output("gallery-reads", "children"),
        Output("gallery-measured", "children"),
        Output("gallery-order-table", "children"),
        Output("gallery-table", "hidden"),
        Input("gallery-filters", "data"),
        Input("chosen-model", "data"),
        Input("samples-changed", "data"),
        Input("gallery-found", "data"),
        State("selection", "data"),
    )
    async def list_samples(
        filters: object, picked: object, _changed: object, behaviours: object, selection: object
    ) -> Any:
        wanted = GalleryFilters.read(filters)
        chosen = Selection.read(selection).sample
        model, sets = await asyncio.gather(_picked(picked), client.all_data())
        kind = in_tables(wanted, model, sets)
        written = wanted.source == "own" and model is not None and await is_written(client, model)
        kind = model.inputs if written and model is not None else kind
        size = PAGE_SIZE if kind is None else TABLES
        try:
            shown = await list_page(client, wanted, model, kind, chosen, behaviours)
        except DoesNotReadSamples as refused:
            shown = GalleryPage(unread(refused))
        pages = max(1, -(-shown.total // size))
        reads = READ_PICTURES if kind is None else READS.get(kind, READ_TABLES)
        return (
            shown.body,
            count(shown.total, wanted, shown.many, size),
            pages,
            wanted.page <= 1,
            wanted.page >= pages,
            wanted.source == "own",
            " ".join((reads, ordered.READS[wanted.order])).strip(),
            ordered.measured(shown.found),
            shown.table,
            shown.table is None,
        )

    async def _picked(picked: object) -> ModelInfo | None:
        named = Selection.read({"model": picked}).model
        return None if named is None else await known(client, named)

    @app.callback(
        Output("gallery-set", "data"),
        Output("gallery-licences", "children"),
        Output("bring-note", "children"),
        Input("gallery-filters", "data"),
        Input("chosen-model", "data"),
    )
    async def describe_sets(filters: object, picked: object) -> Any:
        wanted = GalleryFilters.read(filters)
        model, sets, kinds = await asyncio.gather(_picked(picked), client.all_data(), client.kinds())
        pictures, others = [data_set for data_set in sets if data_set.inputs == "images"], other_kinds(sets)
        options = [{"value": ANY, "label": "all sets"}]
        options += [{"value": data_set.name, "label": set_title(data_set)} for data_set in (*pictures, *others)]
        kind = in_tables(wanted, model, sets)
        shown = pictures if kind is None else [other for other in others if other.inputs == kind]
        licences = [] if wanted.source == "own" else licence_lines(shown, wanted.set)
        kind_name = kinds.get(model.inputs) if model is not None and model.inputs not in PICTURED else None
        return options, licences, kind_name.refusal if kind_name is not None and kind_name.written is None else None


def _register_sample(app: Dash, client: ApiClient) -> None:
    @app.callback(
        Output("sample-facts", "children"),
        Output("sample-traces", "data"),
        Output("sample-reads", "children"),
        Input("selection", "data"),
        Input("samples-changed", "data"),
    )
    async def show_sample(selection: object, _changed: object) -> Any:
        chosen = Selection.read(selection)
        if chosen.sample is None:
            return message("No sample chosen", NOT_CHOSEN), None, ""
        sets = await client.all_data()
        data = next((data_set for data_set in sets if data_set.name == chosen.sample.partition(".")[0]), None)
        try:
            if data is not None and data.inputs != "images":
                return await _table(client, chosen.sample, chosen.model, data), None, READ_SCORE
            sample = await _picture(client, chosen.sample)
            if sample is None:
                return await _table(client, chosen.sample, chosen.model, None), None, READ_SCORE
        except ApiProblem as problem:
            if problem.status != 404:
                raise
            gone = message("This sample is not there any more", "It was deleted, or the address names another one.")
            return gone, None, READ_HEADS
        licence = next((data_set.licence for data_set in sets if data_set.name == sample.set), None)
        model = None if chosen.model is None else await known(client, chosen.model)
        if model is None:
            return facts(sample, licence, SEE_PATH), None, READ_HEADS
        try:
            check_reads_samples(model)
        except DoesNotReadSamples as refused:
            return [facts(sample, licence, None), unread(refused)], None, READ_HEADS
        trace = await client.trace(model.id, chosen.sample, fields=())  # for its predictions
        domain = sample.set if sample.set in trace.domains else None
        traces = {
            "current": trace.model_dump(mode="json"),
            "label": sample.label,
            "domain": domain,
            "name": sample.name,
        }
        return facts(sample, licence, SEE_PATH), traces, READ_HEADS

    @app.callback(
        Output("samples-changed", "data", allow_duplicate=True),
        Input("sample-save", "n_clicks"),
        State("sample-name", "value"),
        State("sample-label", "value"),
        State("selection", "data"),
        State("samples-changed", "data"),
        prevent_initial_call=True,
    )
    async def save_sample(clicks: object, name: object, label: object, selection: object, changed: object) -> Any:
        chosen = Selection.read(selection).sample
        if not clicks or chosen is None:
            return dash.no_update
        edit = SampleEdit.read({"name": name, "label": None if label == ANY else label})
        await client.change_sample(chosen, edit.model_dump())
        notify("Saved", f"{edit.name}: " + (f"label {edit.label}" if edit.label is not None else "no label"))
        return _next(changed)

    @app.callback(
        Output("selection", "data", allow_duplicate=True),
        Output("samples-changed", "data", allow_duplicate=True),
        Input("sample-delete", "n_clicks"),
        State("selection", "data"),
        State("samples-changed", "data"),
        prevent_initial_call=True,
    )
    async def delete_sample(clicks: object, selection: object, changed: object) -> Any:
        chosen = Selection.read(selection)
        if not clicks or chosen.sample is None:
            return dash.no_update, dash.no_update
        await client.delete_sample(chosen.sample)
        notify("Deleted", "The sample and its pictures are gone.")
        return {"model": chosen.model, "sample": None}, _next(changed)


def _register_deletion(app: Dash, client: ApiClient) -> None:
    @app.callback(
        Output("selection", "data", allow_duplicate=True),
        Output("samples-changed", "data", allow_duplicate=True),
        Input("samples-delete", "n_clicks"),
        State("selection", "data"),
        State("samples-changed", "data"),
        prevent_initial_call=True,
    )
    async def delete_all(clicks: object, selection: object, changed: object) -> Any:
        if not clicks:
            return dash.no_update, dash.no_update
        count = await client.delete_own_samples()
        if not count:
            notify("Nothing to delete", "There is nothing of yours.")
            return dash.no_update, dash.no_update
        notify("Deleted", "1 sample is gone." if count == 1 else f"{count} samples are gone.")
        chosen = Selection.read(selection)
        kept = chosen.sample if chosen.sample is not None and "." in chosen.sample else None
        return {"model": chosen.model, "sample": kept}, _next(changed)


async def _picture(client: ApiClient, sample: str) -> Sample | None:
    """A sample that is a picture; None where no picture has this id, but perhaps something that somebody wrote."""
    try:
        return await client.sample(sample)
    except ApiProblem as problem:
        if problem.status != 404 or "." in sample:
            raise
        return None


async def _table(client: ApiClient, sample: str, model: str | None, data: DataSet | None) -> list[Component]:
    """A sample of a kind that has no picture of its own, with what the model makes of it.

    Args:
        data: its data set; None of what somebody wrote.
    """
    kinds = await client.kinds()
    table, see = await client.table(sample), None
    answer: Component = html.Div()
    if model is not None:
        info = await client.model(model)
        try:
            check_reads_kind(info, table.inputs, kinds)
            table = await client.table(sample, model)
            answer = html.Div([scored(table.score, model), _readers(table, info)])
            see = page_of(table)
        except DoesNotReadKind as refused:
            answer = unread(refused)
    return table_facts(table, data, kinds.get(table.inputs), answer, see)


def _readers(sample: SampleTable, model: ModelInfo) -> Component | None:
    """Return the container of shades of a written sample by its readers (pages/samples/readers.js); None for other
    models.
    """
    if sample.writing is None or READ_IN not in model.fields:
        return None
    return html.Div(className="hint", **{"data-widget": "readers", "data-sample": sample.id, "data-model": model.id})


def _next(changed: object) -> int:
    return (int(changed) if isinstance(changed, int | float) else 0) + 1


PAGE = Page(
    "samples",
    "/samples",
    "Samples",
    "samples",
    (),
    layout,
    register,
    ANY_INPUTS,
    samples=True,
    asks=(GalleryFilters,),
    passes=(PinChoice,),
)
