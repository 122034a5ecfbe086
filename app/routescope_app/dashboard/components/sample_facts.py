"""A sample in words: where it comes from, what it may be used for, and what one can do with it."""

import json
from collections.abc import Sequence
from typing import Any

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component

from routescope_app.api.schemas.catalogue import DataSet, Sample
from routescope_app.dashboard.components.panel import menu
from routescope_app.dashboard.formatting import runs

#: The value of "no choice" in a picker.
ANY = "any"
LABELS = [{"value": ANY, "label": "any label"}, *({"value": str(n), "label": str(n)} for n in range(10))]
#: Of samples that are not this browser's alone.
ANOTHERS = "Somebody else's: whoever has its link can look at it, and who brought it alone can change it."
EVERYBODYS = (
    "Everybody who uses this service finds it among theirs: it came from a program, or from before samples had owners."
)
OWN_LABELS = [{"value": ANY, "label": "no label"}, *LABELS[1:]]


def licence_lines(sets: Sequence[DataSet], shown: str | None) -> list[Component]:
    """One line for every data set that is shown: its name, what it stands in for, its licence.

    Sets whose titles count on, as those of one kind of function, have one line where they have one licence.
    """
    lines: list[Component] = []
    shown_sets = [data_set for data_set in sets if shown in (None, data_set.name)]
    together = len({(data_set.licence, data_set.stand_in_for, data_set.stand_in) for data_set in shown_sets}) == 1
    titles = runs([data_set.title for data_set in shown_sets]) if together else []
    if len(titles) == 1:
        shown_sets = [shown_sets[0].model_copy(update={"title": titles[0]})]
    for data_set in shown_sets:
        parts: list[Any] = [html.Strong(data_set.title)]
        if data_set.stand_in:
            named = f"stand-in for {data_set.stand_in_for}" if data_set.stand_in_for else "stand-in"
            parts.append(html.Span(named, className="tag tag-warn"))
        parts.append(html.Span(data_set.licence))
        lines.append(html.P(parts))
    return lines


def link_to(page: str, words: str, **more: str) -> Component:
    """Return the container of a link to a page that shows the chosen sample (pages/samples/link.js).

    Args:
        page: its key.
        more: what its address says besides what pages carry to each other.
    """
    return html.Span(
        **{"data-widget": "sample-link", "data-page": page, "data-words": words, "data-more": json.dumps(more)}
    )


def facts(sample: Sample, licence: str | None, see: Component | None) -> Component:
    """The chosen sample: what the network sees, where it comes from, and what one can do with it.

    Args:
        see: the link to its path; None where the chosen model does not read it.
    """
    labelled = f"labelled {sample.label}" if sample.label is not None else "no label"
    if sample.owner == "another":
        about: list[Any] = [
            html.P(html.Strong(sample.name)),
            html.P(labelled),
            html.P(ANOTHERS, className="hint"),
        ]
        actions: list[Any] = []
    elif sample.origin != "data":
        about = [
            html.P(html.Strong(sample.name), className="read-only"),
            html.P(labelled, className="read-only"),
            dmc.TextInput(
                id="sample-name",
                label="Name",
                value=sample.name,
                size="xs",
                className="writes",
                inputProps={"maxLength": 80},
            ),
            dmc.Select(
                id="sample-label",
                label="Label",
                data=OWN_LABELS,
                value=ANY if sample.label is None else str(sample.label),
                size="xs",
                className="writes",
                allowDeselect=False,
            ),
            html.P(EVERYBODYS, className="hint") if sample.owner == "everybody" else None,
        ]
        actions = [
            html.Button("Save", id="sample-save", type="button", className="tool tool-text writes"),
            html.Div(_delete_menu(sample), className="writes"),
        ]
    else:
        about = [
            html.P(html.Strong(sample.name)),
            html.P(labelled),
            html.P(html.Span("stand-in data", className="tag tag-warn")) if sample.stand_in else None,
            html.P(licence, className="licence") if licence else None,
        ]
        actions = []
    image = html.Img(
        src=sample.image,
        alt=f"{sample.name}, as the network sees it",
        width=128,
        height=128,
        className="pixels sample-image",
    )
    return html.Div(
        [image, html.Div([*about, html.Div([see, *actions], className="actions")], className="about")],
        className="facts",
    )


def _delete_menu(sample: Sample) -> Component:
    items = [
        html.P("This cannot be undone.", className="hint"),
        html.Button("Delete this sample", id="sample-delete", type="button", className="menu-item danger"),
    ]
    return menu("Delete", items, name="sample-delete-menu", label=f"Delete {sample.name}", class_name="tool-danger")
