"""Show samples without a picture of their own as cards, and by their names."""

from collections.abc import Mapping, Sequence

from dash import html
from dash.development.base_component import Component

from routescope_app.api.addresses import statement_picture, table_picture
from routescope_app.api.schemas.catalogue import (
    Point,
    SampleTable,
    Writing,
)
from routescope_app.dashboard.components.thumbnails import Value


def beginning(writing: Writing, most: int = 160) -> Component:
    """The first characters of it, for a card in a gallery."""
    text = writing.text if len(writing.text) <= most else writing.text[:most].rstrip() + "\N{HORIZONTAL ELLIPSIS}"
    return html.Pre(text, className="sample-text")


#: Columns of a preview; the chosen sample is shown with all of them.
MOST_COLUMNS = 6
#: The kind of input whose rows are lines, shown as they were written.
TEXT = "text"
#: That of sentences about pictures, shown as they are read.
STATEMENTS = "statements"
#: Pictures of a statement.
PICTURES = 2


def shown(value: str | float | None) -> str:
    """A value of a table as it is written: four digits of a fraction, a dash for what is no number."""
    if value is None:
        return "\N{EN DASH}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def labelled(sample: SampleTable) -> str:
    """The label of a sample in words; of a text, which has none, its length, of a point the value of its function."""
    if sample.inputs == TEXT:
        return f"{sample.label:,} bytes"
    if sample.point is not None:
        return f"function {sample.point.value:.2f}"
    if sample.label < 0:
        return f"no {sample.label_word}"
    return f"{sample.label_word} {sample.label if sample.label_name is None else sample.label_name}"


def called(sample: SampleTable) -> str:
    """Return the name of a sample: the id in a data set, or the name that its author gave."""
    return sample.set_title if sample.set is None else sample.id


def place_name(sample: SampleTable) -> str:
    """Return a short name of a sample: data set and position, or its own name."""
    return called(sample) if sample.set is None else f"{sample.set} \N{MIDDLE DOT} {sample.id.rpartition('.')[2]}"


def plain_table(sample: SampleTable, columns: int) -> Component:
    """The rows of a sample that have been sent; of a text its lines, of a statement its sentence below its pictures, of
    blocks that are digits these, of a point its numbers as bars.

    Args:
        columns: the most that are shown.
    """
    if sample.inputs == TEXT:
        return html.Pre("\n".join(str(line) for _, line in sample.rows), className="sample-text")
    if sample.inputs == STATEMENTS:
        pictures = [
            html.Img(src=statement_picture(sample.id, at), alt="", className="pixels") for at in range(PICTURES)
        ]
        sentence = " ".join(str(word) for _, word in sample.rows)
        return html.Div(
            [html.Div(pictures, className="sample-pictures"), html.P(sentence)], className="sample-sentence"
        )
    if sample.point is not None:
        return bars(sample.point)
    if sample.pictured:
        return html.Img(src=table_picture(sample.id), alt="", className="sample-picture", width=128, height=128)
    if sample.writing is not None:
        return beginning(sample.writing)
    if sample.blocks is not None:
        return html.P(" ".join(map(str, sample.blocks.digits)), className="sample-digits")
    named = sample.columns[:columns]
    beyond = len(sample.columns) - len(named)
    head = [*(html.Th(name, scope="col") for name in named), html.Th(f"+ {beyond}", scope="col") if beyond else None]
    rows = [html.Tr([html.Td(shown(value)) for value in row[:columns]]) for row in sample.rows]
    return html.Table([html.Thead(html.Tr(head)), html.Tbody(rows)], className="figures sample-table")


def bars(point: Point) -> Component:
    """The variables of a point as bars from 0 to 1, each with its name and its value."""
    text = ", ".join(f"{name} {value:.2f}" for name, value in zip(point.names, point.values, strict=True))
    columns = [
        html.Div(
            [
                html.Span(f"{value:.2f}", className="point-value"),
                html.Span(html.Span(style={"height": f"{100 * value:.4g}%"}), className="point-bar"),
                html.Span(name, className="point-name"),
            ],
            className="point-variable",
            **{"aria-hidden": "true"},
        )
        for name, value in zip(point.names, point.values, strict=True)
    ]
    return html.Div(columns, className="point-bars", role="img", **{"aria-label": text})


def card(sample: SampleTable, *, chosen: bool, first: bool, value: Value | None = None) -> html.Div:
    """A sample that can be chosen, with the beginning of its table, and with its value where there is an order."""
    label = f"{called(sample)}, {labelled(sample)}" + (f", {value.words}" if value else "")
    pick = html.Button(
        [
            html.Strong(place_name(sample), title=called(sample)),
            html.Span(labelled(sample)),
            html.Span(value.short, className="thumb-value") if value else None,
        ],
        type="button",
        className="table-pick",
        tabIndex=0 if first else -1,
        **{"data-pick-sample": sample.id, "aria-pressed": "true" if chosen else "false", "aria-label": label},
    )
    whole = sample.pictured or sample.writing is not None or sample.point is not None
    more = 0 if whole else sample.total_rows - len(sample.rows)
    below = html.P(f"and {more:,} more row{'' if more == 1 else 's'}", className="hint") if more > 0 else None
    return html.Div([pick, plain_table(sample, MOST_COLUMNS), below], className="table-card")


def cards(samples: Sequence[SampleTable], chosen: str | None, values: Mapping[str, Value] | None = None) -> html.Div:
    """A grid of tables; one stop for the tab key, arrow keys within. ``values`` are by ids of samples."""
    value_of = values or {}
    ids = [sample.id for sample in samples]
    start = ids.index(chosen) if chosen in ids else 0
    children = [
        card(sample, chosen=sample.id == chosen, first=i == start, value=value_of.get(sample.id))
        for i, sample in enumerate(samples)
    ]
    return html.Div(
        children, className="table-cards", role="group", **{"aria-label": "Samples", "data-gallery": "true"}
    )


def names(samples: Sequence[SampleTable], chosen: str | None, label: str, *, whole: bool = False) -> html.Div:
    """Samples by their places in their data set, where there is no room for tables.

    Args:
        whole: whether their data sets are said, as those of several; texts that somebody brought have names.
    """

    def pick(sample: SampleTable, first: bool) -> html.Button:
        pressed = "true" if sample.id == chosen else "false"
        label = f"{called(sample)}, {labelled(sample)}"
        is_own = sample.set is None
        return html.Button(
            called(sample) if is_own else place_name(sample) if whole else sample.id.rpartition(".")[2],
            type="button",
            className="thumb thumb-named" if is_own else "thumb",
            title=label,
            tabIndex=0 if first else -1,
            **{"data-pick-sample": sample.id, "aria-pressed": pressed, "aria-label": label},
        )

    children = [pick(sample, i == 0) for i, sample in enumerate(samples)]
    look = "thumbs thumbs-whole" if whole else "thumbs"
    return html.Div(children, className=look, role="group", **{"aria-label": label, "data-gallery": "true"})
