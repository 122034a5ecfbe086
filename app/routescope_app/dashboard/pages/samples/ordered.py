"""The gallery in an order of behaviour: what is asked for, what stands below each sample, why there is no order."""

import asyncio
from collections.abc import Sequence
from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from routescope_app.api.client import ApiClient, ApiProblem
from routescope_app.api.schemas.behaviours import Behaviours
from routescope_app.api.schemas.catalogue import ModelInfo, Sample, SampleTable
from routescope_app.dashboard.components.job import job_progress
from routescope_app.dashboard.components.panel import message
from routescope_app.dashboard.components.thumbnails import Value
from routescope_app.dashboard.errors import described
from routescope_app.dashboard.validation import SAMPLES, FoundOrder, GalleryFilters, in_ranges

JOB = "behaviour"
#: Orders as the control names them.
ORDERS = {
    "given": "as given",
    "rerouted": "most rerouted first",
    "heads": "heads disagree most first",
    "nearest": "nearest in routing first",
}
#: What the number below a sample is.
SHARE = "the share of the routing weight that goes elsewhere (total variation, mean over steps and all that is routed)."
READS = {
    "given": "",
    "rerouted": f"Then the distance of routings with and without the intervention: {SHARE}",
    "heads": "Then the disagreement of heads: entropy of their mean answer less the mean of their entropies.",
    "nearest": f"Then the distance of routings from that of the named sample: {SHARE}",
}

#: What a value is, over a column of them.
UNITS = {"rerouted": "goes elsewhere", "nearest": "goes elsewhere than that", "heads": "disagreement"}


def controls(filters: GalleryFilters) -> Component:
    """The order, how many samples are measured for it, the search; what is found out is said below."""
    order = dmc.Select(
        id="gallery-order",
        data=[{"value": value, "label": words} for value, words in ORDERS.items()],
        value=filters.order,
        size="xs",
        w=206,
        allowDeselect=False,
        **{"aria-label": "Order of the samples"},
    )
    offered = sorted({*SAMPLES, filters.samples})
    samples = dmc.Select(
        id="gallery-samples",
        data=[{"value": str(count), "label": f"of {count:,} samples"} for count in offered],
        value=str(filters.samples),
        size="xs",
        w=162,
        allowDeselect=False,
        **{"aria-label": "How many samples of the data sets are measured for the order"},
    )
    find = dmc.TextInput(
        id="gallery-find",
        value=filters.find,
        placeholder="find: mnist seven",
        size="xs",
        w=150,
        debounce=400,
        inputProps={"maxLength": 80, "type": "search"},
        **{"aria-label": "Find samples by data set, label, name or id"},
    )
    named = html.Div([html.Span("order", className="control-name"), order], className="control")
    of_samples = html.Div(samples, id="gallery-samples-place", hidden=not filters.ordered or filters.source == "own")
    rows = html.Div([find, named, of_samples], className="gallery-ordering")
    search = html.Div(className="gallery-search", **{"data-widget": "gallery-search"})
    measured = html.Div(id="gallery-measured", className="gallery-measured", role="status")
    return html.Div(
        [dcc.Store(id="gallery-found"), rows, search, job_progress(JOB, "Measuring samples for their order"), measured]
    )


def value_of(behaviours: Behaviours, value: float) -> Value:
    """A value of an order, with its unit."""
    if behaviours.unit == "bit":
        return Value(f"{value:.2f} bit", f"heads disagree by {value:.2f} bit")
    share = f"{100 * value:.1f} %"
    words = "goes elsewhere" if behaviours.order == "rerouted" else "goes elsewhere than that of the named sample"
    return Value(share, f"{share} of the routing weight {words}")


def measured(behaviours: Behaviours | None) -> list[Component]:
    """Return the measured samples: their number, data sets, stand-ins and held-out sets."""
    if behaviours is None:
        return []
    names = ", ".join(data_set.name for data_set in behaviours.data) or "your own samples"
    said: list[Component] = [html.Span(f"{behaviours.count:,} measured of {names}")]
    if stand_ins := [data_set for data_set in behaviours.data if data_set.stand_in]:
        titles = "; ".join(stand_in.title for stand_in in stand_ins)
        words = "stand-in data: " + ", ".join(stand_in.name for stand_in in stand_ins)
        said.append(html.Span(words, className="tag tag-warn", title=titles))
    if away := [data_set.name for data_set in behaviours.data if data_set.held_out]:
        words = "out of distribution: " + ", ".join(away)
        said.append(html.Span(words, className="tag", title="The model was never trained on it."))
    return [*said, html.Span([f"{behaviours.model} ", html.Code(behaviours.revision[:8])])]


def _query(filters: GalleryFilters, size: int) -> dict[str, Any]:
    return {
        "label": filters.label if filters.source == "data" else None,
        "wrong": True if filters.wrong and filters.source == "data" else None,
        "find": filters.find or None,
        "limit": size,
        "offset": (filters.page - 1) * size,
    }


def pending(filters: GalleryFilters, model: ModelInfo | None, order: FoundOrder | None) -> Component | None:
    """Return the message shown while the order of samples is not known; None if it is known."""
    if model is None:
        return message("No model chosen", "The order of samples is that of what a model does with them.")
    if order is None or order.model != model.id or not order.asked.ordered_as(filters):
        return message("Their order is being found", "Samples appear when they are measured.", role="status")
    if order.id is not None:
        return None
    if order.title:
        return message(order.title, order.detail, role="status")
    return message("Their order is being found", "Samples appear when they are measured.", role="status")


async def find_own(client: ApiClient, filters: GalleryFilters, model: ModelInfo, size: int) -> Behaviours | Component:
    """A page of own samples in their order, or why there is none."""
    units = (await client.model(model.id)).units
    named = {way: in_ranges(units, getattr(filters, way)) for way in ("mute", "drop")}
    body = {"model": model.id, "order": filters.order, "to": filters.to, "intervention": filters.fields | named}
    try:
        return await client.own_behaviour(body, **_query(filters, size))
    except ApiProblem as problem:
        return _said(problem)


async def find_found(client: ApiClient, job: str, filters: GalleryFilters, size: int) -> Behaviours | Component:
    """A page of samples of data sets in the order that a job found, or why there is none any more."""
    try:
        return await client.behaviour(job, **_query(filters, size))
    except ApiProblem as problem:
        if problem.status != 404:
            raise
        return message("The order is no longer kept", "Choose the order again to have it found anew.", role="status")


def _said(problem: ApiProblem) -> Component:
    if problem.status >= 500:
        raise problem
    title, detail = described(problem)
    return message(title, detail, role="status")


def samples_of(behaviours: Behaviours) -> tuple[list[Sample], dict[str, Value]]:
    """The pictures in their order, and what stands below each."""
    values = {item.id: value_of(behaviours, item.value) for item in behaviours.items}
    return [item.sample for item in behaviours.items if item.sample is not None], values


def lines_of(samples: Sequence[Sample]) -> list[tuple[str, str]]:
    """Return the label and the model's prediction of pictures, for their table."""
    return [
        (
            "none" if sample.label is None else str(sample.label),
            "" if sample.prediction is None else f"{sample.prediction.label} by the {sample.prediction.domain} head",
        )
        for sample in samples
    ]


def table(behaviours: Behaviours, lines: Sequence[tuple[str, str]], first: int) -> html.Table:
    """A page of an order as a table.

    Args:
        lines: label and prediction of each sample.
        first: the place of the first one in the order.
    """
    predicted = any(prediction for _, prediction in lines)
    heads = ["place", "sample", "label", *(["predicted"] if predicted else []), UNITS[behaviours.order]]
    rows = []
    for at, (item, (label, prediction)) in enumerate(zip(behaviours.items, lines, strict=True)):
        cells = [item.id, label, *([prediction] if predicted else []), value_of(behaviours, item.value).short]
        rows.append(html.Tr([html.Th(f"{first + at:,}", scope="row"), *(html.Td(cell) for cell in cells)]))
    caption = html.Caption(READS[behaviours.order].removeprefix("Then the ").capitalize())
    head = html.Thead(html.Tr([html.Th(head, scope="col") for head in heads]))
    return html.Table([caption, head, html.Tbody(rows)], className="figures")


async def tables_of(client: ApiClient, behaviours: Behaviours, rows: int) -> tuple[list[SampleTable], dict[str, Value]]:
    """Return samples of other kinds, each with its first rows, and their values."""
    values = {item.id: value_of(behaviours, item.value) for item in behaviours.items}
    tables = await asyncio.gather(*(client.table(item.id) for item in behaviours.items))
    return [table.model_copy(update={"rows": table.rows[:rows]}) for table in tables], values
