"""Samples as small pictures that can be chosen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dash import html

from routescope_app.api.addresses import images_of
from routescope_app.api.schemas.catalogue import SHEET_COLUMNS, DataSet, Sample


def short_name(sample_id: str, name: str) -> str:
    """Return a short name of a sample: its own name, or its position in its data set."""
    return sample_id if "." in sample_id else name


def set_title(data: DataSet) -> str:
    """A data set's title; a stand-in is called one."""
    return data.title if not data.stand_in or "stand-in" in data.title else f"{data.title} (stand-in)"


def cell(images: str, at: int, count: int, class_name: str = "thumb-picture") -> html.Span:
    """The picture of one of ``count`` samples out of the one that shows them all, as large as its element is."""
    rows = -(-count // SHEET_COLUMNS)
    row, column = divmod(at, SHEET_COLUMNS)
    across, down = 100 * column / (SHEET_COLUMNS - 1), 100 * row / max(1, rows - 1)
    style = {
        "backgroundImage": f'url("{images}")',
        "backgroundSize": f"{100 * SHEET_COLUMNS}% {100 * rows}%",
        "backgroundPosition": f"{across:.6g}% {down:.6g}%",
    }
    return html.Span(className=f"{class_name} pixels", style=style)


@dataclass(frozen=True)
class Value:
    """Value of a sample in an order: a number with its unit, and its words."""

    short: str
    words: str


def thumbnail(
    sample: Sample, picture: html.Span, *, chosen: bool, first: bool, value: Value | None = None
) -> html.Button:
    """One picture with its label, the prediction where that differs, and its value where there is an order."""
    prediction = sample.prediction
    wrong = prediction is not None and sample.label is not None and prediction.label != sample.label
    words = [sample.name, f"label {sample.label}" if sample.label is not None else "no label"]
    caption: list[object] = [html.Span("?" if sample.label is None else str(sample.label), className="thumb-label")]
    if prediction is not None:
        words.append(f"predicted {prediction.label} ({prediction.probability:.0%}) by the {prediction.domain} head")
    if wrong and prediction is not None:
        caption.append(html.Span(f"→ {prediction.label}", className="thumb-wrong"))
    if value is not None:
        words.append(value.words)
    shown = html.Span(value.short, className="thumb-value") if value is not None else None
    return html.Button(
        [picture, html.Span(caption, className="thumb-caption"), shown],
        type="button",
        className="thumb",
        title=", ".join(words),
        tabIndex=0 if first else -1,
        **{
            "data-pick-sample": sample.id,
            "aria-pressed": "true" if chosen else "false",
            "aria-label": ", ".join(words),
        },
    )


def thumbnails(
    samples: Sequence[Sample], chosen: str | None, label: str, values: Mapping[str, Value] | None = None
) -> html.Div:
    """A grid of pictures; one stop for the tab key, arrow keys within. ``values`` are by ids of samples."""
    value_of = values or {}
    ids = [sample.id for sample in samples]
    start = ids.index(chosen) if chosen in ids else 0
    images = images_of(ids) if ids else ""
    children = [
        thumbnail(
            sample,
            cell(images, at, len(ids)),
            chosen=sample.id == chosen,
            first=at == start,
            value=value_of.get(sample.id),
        )
        for at, sample in enumerate(samples)
    ]
    return html.Div(children, className="thumbs", role="group", **{"aria-label": label, "data-gallery": "true"})
