"""Show samples without a picture of their own: as tables, text, or lists in brackets that fold.

Every piece of text says which tokens of a network it is (``data-from``, ``data-to``), so that the page can shade it by
its readers (``assets/web/pages/samples/readers.js``).
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from dash import html
from dash.development.base_component import Component

from routescope_app.api.addresses import statement_picture, table_picture
from routescope_app.api.schemas.catalogue import (
    DataSet,
    Kind,
    Point,
    SamplePanels,
    SampleScore,
    SampleTable,
    ScoredTable,
    Writing,
)
from routescope_app.dashboard.components.panel import message
from routescope_app.dashboard.components.thumbnails import Value

#: Lists that lie within so many others are folded at first where an expression is long.
OPEN_DEPTH = 3
#: Lists are not folded within more others than this.
DEEPEST = 40
#: Symbols of an expression of which nothing is folded at first.
SHORT = 120


def written(writing: Writing) -> Component:
    """A sample that is written: with its lists to fold where brackets nest, else as running text."""
    if writing.brackets is None:
        return html.Pre(list(_words(writing.text)), className="sample-text written")
    words = writing.text.split()
    most = OPEN_DEPTH if len(words) > SHORT else len(words)
    pieces, _ = _members(words, 0, writing.brackets, 1, most)
    return html.Div(pieces, className="written nested")


def beginning(writing: Writing, most: int = 160) -> Component:
    """The first characters of it, for a card in a gallery."""
    text = writing.text if len(writing.text) <= most else writing.text[:most].rstrip() + "\N{HORIZONTAL ELLIPSIS}"
    return html.Pre(text, className="sample-text")


def _piece(text: str, first: int, count: int = 1, **more: str) -> Component:
    return html.Span(text, className="piece", **{"data-from": str(first), "data-to": str(first + count)}, **more)


def _words(text: str) -> Iterator[Component]:
    """Words with the white space behind them; their tokens are bytes."""
    position = 0
    for match in re.finditer(r"\s*\S+\s*|\s+", text):
        count = len(match[0].encode())
        yield _piece(match[0], position, count)
        position += count


def _members(
    words: list[str], position: int, brackets: tuple[str, str], depth: int, most: int
) -> tuple[list[Component], int]:
    """Return the parts from ``position`` to the end of its list, and the position of that end."""
    opening, closing = brackets
    pieces: list[Component] = []
    while position < len(words) and words[position] != closing:
        if not words[position].startswith(opening):
            pieces.append(_piece(words[position], position))
            position += 1
            continue
        first = position
        within = _members if depth < DEEPEST else _flat
        inside, position = within(words, position + 1, brackets, depth + 1, most)
        count = position - first - 1
        summary = html.Summary(
            [
                _piece(words[first], first),
                html.Span(f"{count:,} symbol{'' if count == 1 else 's'}", className="folded"),
            ]
        )
        end = [_piece(closing, position)] if position < len(words) else []
        body = html.Div([*inside, *end], className="list-body")
        pieces.append(html.Details([summary, body], open=depth <= most, className="list"))
        position += 1
    return pieces, position


def _flat(
    words: list[str], position: int, brackets: tuple[str, str], depth: int, most: int
) -> tuple[list[Component], int]:
    """Return lists that are nested too deeply to fold, as a run of their symbols."""
    opening, closing = brackets
    pieces, begun = list[Component](), 0
    while position < len(words) and (begun or words[position] != closing):
        begun += words[position].startswith(opening) - (words[position] == closing)
        pieces.append(_piece(words[position], position))
        position += 1
    return pieces, position


#: Columns of a preview; the chosen sample is shown with all of them.
MOST_COLUMNS = 6
#: The kind of input whose rows are lines, shown as they were written.
TEXT = "text"
#: That of points of numbers, shown as bars.
NUMBERS = "numbers"
#: That of clouds of points, shown in space.
POINTS = "points"
#: That of sentences about pictures, shown as they are read.
STATEMENTS = "statements"
#: Pictures of a statement.
PICTURES = 2
#: Products of a function that are shown without its truth table.
MOST_PRODUCTS = 5
#: An error below which two digits behind the point would say 0.00.
LEAST = 0.005
READ_EXPRESSION = (
    "Products of the variables (¬a is 1 - a), joined by x ⊕ y = 1 - (1 - x)(1 - y): the “or” of product fuzzy logic."
)


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


def plain_table(sample: SampleTable, columns: int | None = None) -> Component:
    """The rows of a sample that have been sent; of a text its lines, of a statement its sentence below its pictures, of
    blocks that are digits these, of a point its numbers as bars.

    Args:
        columns: the most that are shown; None: all.
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
        return written(sample.writing) if columns is None else beginning(sample.writing)
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


def in_space(sample: SampleTable) -> list[Component]:
    """The rows of a sample as points in space, which can be turned, and as a table."""
    picture = html.Div(className="cloud", **{"data-widget": "cloud", "data-sample": sample.id})
    head = html.Tr([html.Th(name, scope="col") for name in sample.columns])
    rows = [html.Tr([html.Td(shown(value)) for value in row]) for row in sample.rows]
    region = html.Div(
        html.Table([html.Thead(head), html.Tbody(rows)], className="figures"),
        className="table-scroll",
        tabIndex=0,
        role="region",
        **{"aria-label": f"{called(sample)} as a table"},
    )
    return [picture, html.Details([html.Summary("Its points as a table"), region], className="as-table")]


def of_panels(sample: SampleTable, panels: SamplePanels, score: SampleScore | None) -> list[Component]:
    """The rules of a sample that is made of panels, and these: the grid with its gap, and the answers for it.

    Args:
        score: of the model that reads it; its answer is marked.
    """
    own = "Of its rules nothing is known."
    rules = html.P(["Rules: ", html.Strong("; ".join(panels.rules))] if panels.rules else own, className="rules")
    drawing = {
        "id": sample.id,
        "name": called(sample),
        "panels": panels.model_dump(mode="json"),
        "right": sample.label,
        "chosen": None if score is None else score.predicted,
        "probabilities": None if score is None else score.probabilities,
    }
    text = json.dumps(drawing)
    shown = html.Div(key=text, className="panels", **{"data-widget": "panels", "data-panels": text})
    return [rules, shown]


def function(point: Point) -> Component:
    """The function that a point is under: its value there, its products that are largest there, and its truth table."""
    has = [product for product in point.products if product.true]
    first = sorted(has, key=lambda product: -product.value)[:MOST_PRODUCTS]
    most = max([entry.value for entry in first], default=0) or 1
    rows = [
        html.Tr(
            [
                html.Th(entry.name, scope="row"),
                html.Td(
                    html.Span(style={"width": f"{100 * entry.value / most:.4g}%"}, **{"aria-hidden": "true"}),
                    className="product-bar",
                ),
                html.Td(f"{entry.value:.3f}"),
            ]
        )
        for entry in first
    ]
    head = html.Tr([html.Th(name, scope="col") for name in ("product", "in the function", "value here")])
    corners = [
        html.Tr(
            [html.Th(product.name, scope="row"), html.Td("1" if product.true else "0"), html.Td(f"{product.value:.4f}")]
        )
        for product in point.products
    ]
    count = f"{len(has)} of {len(point.products)} products"
    return html.Div(
        [
            html.P([html.Strong(point.set_title), f": {point.value:.3f} at this point"]),
            html.P(point.expression, className="expression", tabIndex=0),
            html.P(READ_EXPRESSION, className="hint"),
            html.Table([html.Caption(f"The largest here of {count}."), html.Tbody(rows)], className="figures products"),
            html.Details(
                [
                    html.Summary("Its truth table"),
                    html.Div(
                        html.Table([html.Thead(head), html.Tbody(corners)], className="figures"),
                        className="table-scroll",
                        tabIndex=0,
                        role="region",
                        **{"aria-label": "Truth table of the function"},
                    ),
                ],
                className="as-table",
            ),
        ],
        className="function",
    )


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


def scored(score: SampleScore | None, model: str) -> Component:
    """Return the score of a model's answer for the chosen sample."""
    if score is None:
        return message("No answer", f"{model} has no head for this data set.", role="status")
    measure = score.measure
    if score.answer is not None and score.target is not None:
        return answered(score, model)
    if score.predicted is not None:
        chosen = str(score.predicted) if score.predicted_name is None else score.predicted_name
        value = chosen if score.value is None else f"{chosen}, {'right' if score.value else 'wrong'}"
        name = f"{score.domain} head"
    else:
        value, name = f"{shown(score.value)} {measure.unit}".strip(), measure.name
    better = "" if score.predicted is not None or measure.higher_is_better else "less is better; "
    return html.Div(
        [
            html.Span(name, className="number-name"),
            html.Span(value, className="number-value"),
            html.Span(
                model if score.loss is None else f"{better}loss {shown(score.loss)}; {model}", className="number-range"
            ),
        ],
        className="number sample-score",
        id="sample-score",
        role="status",
    )


def answered(score: SampleScore, model: str) -> Component:
    """Return the number that a head answers, the right number, and the error."""
    assert score.answer is not None and score.target is not None
    off = abs(score.answer - score.target)
    by = f"{off:.2g}" if off < LEAST else f"{off:.2f}"
    return html.Div(
        [
            html.Span(f"{score.domain} head", className="number-name"),
            html.Span(f"network {score.answer:.2f}, expression {score.target:.2f}", className="number-value"),
            html.Span(f"off by {by}; {model}", className="number-range"),
        ],
        className="number sample-score",
        id="sample-score",
        role="status",
    )


def facts(
    sample: SampleTable, data: DataSet | None, kind: Kind | None, answer: Component, see: Component | None = None
) -> list[Component]:
    """The chosen sample: what it is, where it comes from, all of its table, and what the model makes of it.

    Args:
        see: the link to the page that shows what the model does with it; None where there is none.
    """
    is_own = sample.set is None
    where = "yours" if is_own else sample.set_title
    if is_own and sample.point is not None:
        where = f"yours, under {sample.point.set_title}"
    stand_in = html.P(html.Span("stand-in data", className="tag tag-warn")) if sample.stand_in else None
    actions = [see]
    if is_own:
        actions += [html.Button("Delete", id="sample-delete", type="button", className="tool tool-text writes")]
    about = [
        html.P([html.Strong(called(sample)), f", {labelled(sample)}"]),
        html.P(f"{where}: {kind.words}" if kind else where),
        stand_in,
        html.P(data.licence, className="licence") if data else None,
        html.Div(actions, className="actions"),
    ]
    if sample.point is not None:
        about_function = [bars(sample.point), function(sample.point)]
        return [html.Div(html.Div(about, className="about"), className="facts"), answer, *about_function]
    if sample.space:
        return [html.Div(html.Div(about, className="about"), className="facts"), answer, *in_space(sample)]
    if sample.panels is not None:
        score = sample.score if isinstance(sample, ScoredTable) else None
        return [
            html.Div(html.Div(about, className="about"), className="facts"),
            answer,
            *of_panels(sample, sample.panels, score),
        ]
    more = 0 if sample.writing is not None else sample.total_rows - len(sample.rows)
    whole = html.Div(
        [plain_table(sample), html.P(f"and {more:,} more rows", className="hint") if more else None],
        className="table-scroll sample-table-whole",
        tabIndex=0,
        role="region",
        **{"aria-label": f"{called(sample)} as {'it is written' if sample.writing is not None else 'a table'}"},
    )
    return [html.Div(html.Div(about, className="about"), className="facts"), answer, whole]
