"""Samples: the data sets' digits, a person's own pictures and drawings, and what every head makes of the chosen one."""

import asyncio
from collections.abc import Sequence
from typing import Any

import dash
import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, dcc, html
from dash.development.base_component import Component

from app.api.client import ApiClient, ApiProblem
from app.api.schemas.catalogue import Sample
from app.dashboard.components.icons import icon
from app.dashboard.components.panel import message, panel, skeleton
from app.dashboard.components.predictions import predictions
from app.dashboard.components.sample_facts import ANY, LABELS, facts, licence_lines
from app.dashboard.components.thumbnails import set_title, thumbnails
from app.dashboard.errors import notify
from app.dashboard.frame import own_samples
from app.dashboard.page import ANY_INPUTS, Page
from app.dashboard.reading import DoesNotReadSamples, check_reads_samples, unread
from app.dashboard.validation import Filters, SampleEdit, Selection
from app.settings import Settings

PAGE_SIZE = 96


def layout(settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    filters = Filters.of_query(query)
    return html.Div(
        [
            dcc.Store(id="gallery-filters", data=filters.model_dump(mode="json")),
            dcc.Store(id="gallery-pages", data=1),
            dcc.Store(id="sample-traces"),
            html.Div(id="samples-heard", hidden=True),
            html.Div(
                [html.H1("Samples"), html.Div("Pick a digit, bring a picture, or draw one.", className="caption")],
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


def _gallery_panel(filters: Filters) -> Component:
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
                id="gallery-data-filters",
            ),
        ],
        className="gallery-controls",
    )
    pager = html.Div(
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
    body = [
        controls,
        dcc.Loading(
            html.Div(skeleton("skeleton-gallery"), id="gallery", className="gallery"),
            custom_spinner=skeleton("skeleton-gallery"),
            delay_show=250,
        ),
        pager,
        html.Div(id="gallery-licences", className="licences"),
    ]
    reads = "Below each digit its label; in red what the model's own head for that set says where it is wrong."
    return panel("gallery", "Gallery", reads, body, class_name="panel-gallery")


def _chosen_panel() -> Component:
    body = [
        html.Div(message("No sample chosen", "Pick one from the gallery, bring a picture or draw."), id="sample-facts"),
        predictions("sample"),
    ]
    return panel(
        "sample",
        "Chosen sample",
        "Bars are softmax probabilities of each head; the triangle marks the true label.",
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
    body = html.Div([pad, upload], className="bring")
    reads = "Drawings are centred and scaled as MNIST was; pictures are fitted into 32 x 32 pixels."
    return panel("bring", "Your own", reads, body)


# -- what the API answers, as components -------------------------------------------------------------------------


async def find_samples(client: ApiClient, filters: Filters, model: str | None) -> tuple[list[Sample], int]:
    """One page of samples and how many there are in all."""
    start = (filters.page - 1) * PAGE_SIZE
    if filters.source == "own":
        return await own_samples(client, start, PAGE_SIZE, model)
    found = await client.samples(
        origin="data",
        set=filters.set,
        label=filters.label,
        wrong=True if filters.wrong and model else None,
        model=model,
        limit=PAGE_SIZE,
        offset=start,
    )
    return list(found.items), found.total


def gallery(samples: Sequence[Sample], filters: Filters, chosen: str | None) -> Component:
    """The pictures, or why there are none."""
    if samples:
        return thumbnails(samples, chosen, "Samples")
    if filters.source == "own":
        return message(
            "Nothing of yours yet", "Bring a picture or draw a digit at the right; it stays here until you delete it."
        )
    if filters.wrong:
        return message(
            "Nothing wrong here", "The model labels every sample that matches these filters as the data set does."
        )
    return message("No samples match", "Choose another set or label.")


def count(total: int, filters: Filters, shown: int) -> str:
    """Which samples of how many are shown."""
    if not shown:
        return f"0 of {total:,}"
    start = (filters.page - 1) * PAGE_SIZE
    return f"{start + 1:,} to {start + shown:,} of {total:,}"


def path_address(selection: Selection) -> str:
    """The address of the chosen sample's path."""
    query = "&".join(f"{name}={value}" for name, value in selection.model_dump().items() if value)
    return f"/paths?{query}" if query else "/paths"


def register(app: Dash, client: ApiClient, _settings: Settings) -> None:
    """Add the page's callbacks."""
    _register_gallery(app, client)
    _register_sample(app, client)

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
    browser("showPrediction", Output("samples-heard", "data-prediction"), Input("sample-traces", "data"))
    browser(
        "changeFilters",
        Output("gallery-filters", "data"),
        Input("gallery-source", "value"),
        Input("gallery-set", "value"),
        Input("gallery-label", "value"),
        Input("gallery-wrong", "checked"),
        Input("gallery-previous", "n_clicks"),
        Input("gallery-next", "n_clicks"),
        State("gallery-filters", "data"),
        State("gallery-pages", "data"),
        prevent_initial_call=True,
    )


def _register_gallery(app: Dash, client: ApiClient) -> None:
    @app.callback(
        Output("gallery", "children"),
        Output("gallery-count", "children"),
        Output("gallery-pages", "data"),
        Output("gallery-previous", "disabled"),
        Output("gallery-next", "disabled"),
        Output("gallery-data-filters", "hidden"),
        Input("gallery-filters", "data"),
        Input("model-select", "value"),
        Input("samples-changed", "data"),
        State("selection", "data"),
    )
    async def list_samples(filters: object, picked: object, _changed: object, selection: object) -> Any:
        wanted = Filters.read(filters)
        named = Selection.read({"model": picked}).model
        shown: Component
        model = None if named is None else await client.model(named)
        try:
            if model is not None and wanted.wrong and wanted.source == "data":
                check_reads_samples(model)  # else nothing is right or wrong
            reading = model.id if model is not None and model.samples else None
            samples, total = await find_samples(client, wanted, reading)
            shown = gallery(samples, wanted, Selection.read(selection).sample)
        except DoesNotReadSamples as refused:
            samples, total, shown = [], 0, unread(refused)
        pages = max(1, -(-total // PAGE_SIZE))
        return (
            shown,
            count(total, wanted, len(samples)),
            pages,
            wanted.page <= 1,
            wanted.page >= pages,
            wanted.source == "own",
        )

    @app.callback(
        Output("gallery-set", "data"), Output("gallery-licences", "children"), Input("gallery-filters", "data")
    )
    async def describe_sets(filters: object) -> Any:
        wanted = Filters.read(filters)
        sets = await client.data()
        options = [{"value": ANY, "label": "all sets"}]
        options += [{"value": each.name, "label": set_title(each)} for each in sets]
        return options, [] if wanted.source == "own" else licence_lines(sets, wanted.set)


def _register_sample(app: Dash, client: ApiClient) -> None:
    @app.callback(
        Output("sample-facts", "children"),
        Output("sample-traces", "data"),
        Input("selection", "data"),
        Input("samples-changed", "data"),
    )
    async def show_sample(selection: object, _changed: object) -> Any:
        chosen = Selection.read(selection)
        if chosen.sample is None:
            return message("No sample chosen", "Pick one from the gallery, bring a picture or draw."), None
        try:
            sample, sets = await asyncio.gather(client.sample(chosen.sample), client.data())
        except ApiProblem as problem:
            if problem.status != 404:
                raise
            return message(
                "This sample is not there any more", "It was deleted, or the address names another one."
            ), None
        licence = next((each.licence for each in sets if each.name == sample.set), None)
        if chosen.model is None:
            return facts(sample, licence, path_address(chosen)), None
        try:
            check_reads_samples(await client.model(chosen.model))
        except DoesNotReadSamples as refused:
            return [facts(sample, licence, None), unread(refused)], None
        trace = await client.trace(chosen.model, chosen.sample, fields=())  # for its predictions
        domain = sample.set if sample.set in trace.domains else None
        return facts(sample, licence, path_address(chosen)), {
            "current": trace.model_dump(mode="json"),
            "label": sample.label,
            "domain": domain,
            "name": sample.name,
        }

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


def _next(changed: object) -> int:
    return (int(changed) if isinstance(changed, int | float) else 0) + 1


PAGE = Page("samples", "/", "Samples", "samples", (), layout, register, ANY_INPUTS, samples=True)
