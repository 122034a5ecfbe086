"""Matrices of what was observed: units against labels and against units; labels and steps against each other.

Functions of an answer of the API and of nothing else, as in :mod:`routescope_app.dashboard.figures.observation`.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go

from routescope_app.api.schemas.results import Observation
from routescope_app.dashboard.figures.observation import ACCENT, BAD, DIM, INK
from routescope_app.dashboard.figures.observation_numbers import (
    brief_steps,
    chosen_steps,
    label_matrix,
    over_steps,
    ratio,
    step_words,
    values,
)
from routescope_app.dashboard.figures.palette import unit_paint

Cell = Literal["share", "lift"]
MOST_NUMBERS = 16  # columns up to which cells carry their numbers
#: As opaque as the colour of a cell becomes, so that its number stays readable in both schemes.
FULL = 58


def _row_height(rows: int) -> int:
    return 54 if rows <= 6 else 36 if rows <= 10 else 22 if rows <= 32 else 12


def matrix_height(observation: Observation) -> int:
    """Pixels that the matrix of units and labels needs."""
    return 64 + len(observation.units) * _row_height(len(observation.units))


def matrix(observation: Observation, steps: Sequence[str] = (), cell: Cell = "share") -> go.Figure:
    """Units (rows, in their colours) against labels (columns).

    Args:
        observation: what was observed.
        steps: the steps whose mean is shown; none: all.
        cell: ``"share"``: the share of a label's routing that a unit takes, with a last column over all labels;
            ``"lift"``: over independence, log scale.

    Returns:
        Nothing is in it where there are no labels.
    """
    if not observation.labels:
        return go.Figure()
    counts = label_matrix(observation, steps)
    names = list(observation.labels)
    if cell == "share":
        numbers = np.concatenate([counts.share, counts.usage[:, None]], axis=1)
        names.append("all")
        shown, (low, high) = numbers, (0.0, max(float(np.nanmax(numbers, initial=0.0)), 1e-9))
    else:
        numbers = counts.lift
        shown = _log2(numbers)
        most = max(float(np.nanmax(np.abs(shown), initial=0.0)), 0.25)
        low, high = -most, most
    figure = go.Figure()
    with_numbers = len(names) <= MOST_NUMBERS and len(observation.units) <= 32
    for row, unit in enumerate(observation.units):
        about = [
            [unit, name, *(float(part[row, column]) if column < len(observation.labels) else None
                           for part in (counts.share, counts.lift, counts.joint))]
            for column, name in enumerate(names)
        ]  # fmt: skip
        figure.add_trace(
            go.Heatmap(
                z=[shown[row].tolist()],
                x=list(range(len(names))),
                y=[row],
                zmin=low,
                zmax=high,
                colorscale=_unit_scale(observation.units, unit, cell),
                showscale=False,
                xgap=2,
                ygap=2,
                text=[[_number(value, cell) for value in numbers[row]]],
                texttemplate="%{text}" if with_numbers else "",
                textfont={"color": INK, "size": 12.5},
                customdata=[about],
                hovertemplate=(
                    f"{unit}, label %{{customdata[1]}}<br>%{{customdata[2]:.1%}} of the label's routing<br>"
                    "lift over independence %{customdata[3]:.3f}<br>p(unit, label) %{customdata[4]:.4f}<extra></extra>"
                ),
                name=unit,
            )
        )
    mark_units(figure, observation.units, -0.68)
    if cell == "share":
        figure.add_vline(x=len(names) - 1.5, line={"color": DIM, "width": 1.5})
    ticks = [f"<b>{name}</b>" if name == "all" else name for name in names]
    figure.update_layout(
        margin={"l": 34, "r": 4, "t": 40, "b": 4},
        xaxis={
            "tickvals": list(range(len(names))),
            "ticktext": ticks,
            "side": "top",
            "showgrid": False,
            "zeroline": False,
            "range": [-0.9, len(names) - 0.5],
            "title": {"text": f"label ({step_words(observation, steps)})"},
            "tickfont": {"size": 12, "color": INK},
        },
        yaxis=_rows(observation.units),
    )
    return figure


def _log2(numbers: np.ndarray) -> np.ndarray:
    """log2, at least log2(1/64) where a cell is empty; NaN stays."""
    return np.log2(np.maximum(numbers, 1 / 64))


def _number(value: float, cell: Cell) -> str:
    if not np.isfinite(value):
        return ""
    return f"{100 * value:.1f} %" if cell == "share" else f"{value:.2f}"


def _unit_scale(units: Sequence[str], unit: str, cell: Cell) -> list[list[Any]]:
    paint = partial(unit_paint, units, unit)
    if cell == "share":
        return [[0, paint(2)], [1, paint(FULL)]]
    below = "var(--rs-unmatched/{})"
    return [[0, below.format(55)], [0.4999, below.format(1)], [0.5, paint(1)], [1, paint(FULL)]]


def _rows(names: Sequence[str]) -> dict[str, Any]:
    """The axis of rows, the first at the top."""
    return {
        "tickvals": list(range(len(names))),
        "ticktext": list(names),
        "range": [len(names) - 0.5, -0.5],
        "showgrid": False,
        "zeroline": False,
        "tickfont": {"size": 12, "color": INK},
    }


def mark_units(figure: go.Figure, units: Sequence[str], x: float) -> None:
    """A square in the unit's colour before each row."""
    figure.add_trace(
        go.Scatter(
            x=[x] * len(units),
            y=list(range(len(units))),
            mode="markers",
            marker={"symbol": "square", "size": 11, "color": [unit_paint(units, unit) for unit in units]},
            customdata=list(units),
            hoverinfo="skip",
            showlegend=False,
            cliponaxis=False,
        )
    )


def square(
    numbers: np.ndarray,
    names: Sequence[str],
    words: str,
    *,
    shown: np.ndarray | None = None,
    limits: tuple[float, float] | None = None,
    diverging: bool = False,
    digits: int = 2,
    hover: Sequence[Sequence[str]] | None = None,
    units: bool = False,
    title: str = "",
) -> go.Figure:
    """A matrix of names against the same names, with its numbers in the cells.

    Args:
        numbers: what the cells say, (name, name).
        names: of rows and columns.
        words: what a number is, for the hover.
        shown: what the colours say, by default ``numbers``.
        limits: of the colours; by default from 0, or from minus the greatest, to the greatest.
        diverging: two colours around the middle.
        digits: after the point.
        hover: texts of the cells.
        units: whether the names are units, which have colours.
        title: said above the columns.
    """
    colours = numbers if shown is None else shown
    finite = np.abs(colours[np.isfinite(colours)])
    most = max(float(finite.max(initial=0.0)), 1e-9)
    low, high = limits or ((-most, most) if diverging else (0.0, most))
    scale = (
        [[0, _accented(BAD, 55)], [0.5, _accented(BAD, 1)], [0.5001, _accented(ACCENT, 1)], [1, _accented(ACCENT, 55)]]
        if diverging
        else [[0, _accented(ACCENT, 2)], [1, _accented(ACCENT, 55)]]
    )
    texts = hover or [
        [f"{row} and {column}: {words} {value:.3f}" for column, value in zip(names, line, strict=True)]
        for row, line in zip(names, numbers, strict=True)
    ]
    count = len(names)
    figure = go.Figure(
        go.Heatmap(
            z=colours.tolist(),
            x=list(range(count)),
            y=list(range(count)),
            zmin=low,
            zmax=high,
            colorscale=scale,
            showscale=False,
            xgap=1.5,
            ygap=1.5,
            text=[["" if not np.isfinite(value) else f"{value:.{digits}f}" for value in row] for row in numbers],
            texttemplate="%{text}" if count <= MOST_NUMBERS else "",
            textfont={"color": INK, "size": 11.5 if count <= 8 else 9.5},
            hovertext=[list(row) for row in texts],
            hovertemplate="%{hovertext}<extra></extra>",
            hoverongaps=False,
        )
    )
    if units:
        mark_units(figure, names, -0.72)
    figure.update_layout(
        margin={"l": 34, "r": 4, "t": 40 if title else 24, "b": 4},
        xaxis={
            "tickvals": list(range(count)),
            "ticktext": list(names),
            "side": "top",
            "showgrid": False,
            "zeroline": False,
            "range": [-0.95 if units else -0.5, count - 0.5],
            "title": {"text": title},
            "tickfont": {"size": 11.5, "color": INK},
        },
        yaxis=_rows(names),
    )
    return figure


def _accented(colour: str, percent: int) -> str:
    return f"{colour[:-1]}/{percent})"


def between_labels(observation: Observation, steps: Sequence[str] = ()) -> go.Figure:
    """Jensen-Shannon distance between the mean routing of labels; nothing where there are none."""
    if not observation.labels:
        return go.Figure()
    return square(
        _without_diagonal(over_steps(observation, "jsd_labels", steps)),
        observation.labels,
        "Jensen-Shannon distance",
        title=f"label ({step_words(observation, steps)})",
    )


def between_steps(observation: Observation) -> go.Figure:
    """Jensen-Shannon distance between the routing of the same tokens at two steps."""
    numbers = _without_diagonal(values(observation, "jsd_steps"))
    return square(numbers, observation.steps, "Jensen-Shannon distance")


def coactivation(observation: Observation, steps: Sequence[str] = ()) -> go.Figure:
    """Co-activation of two units over what independence would give, colours on a log scale."""
    together = over_steps(observation, "coactivation", steps)
    alone = over_steps(observation, "coactivation_expected", steps)
    ratios = _without_diagonal(ratio(together, alone))
    hover = [
        [
            f"{row} and {column}: together {together[i, j]:.4f}<br>expected if independent {alone[i, j]:.4f}"
            f"<br>ratio {ratios[i, j]:.3f}"
            for j, column in enumerate(observation.units)
        ]
        for i, row in enumerate(observation.units)
    ]
    shown = _log2(ratios)
    most = max(float(np.nanmax(np.abs(shown), initial=0.0)), 0.25)
    return square(
        ratios,
        observation.units,
        "ratio",
        shown=shown,
        limits=(-most, most),
        diverging=True,
        hover=hover,
        units=True,
        title=step_words(observation, steps),
    )


def similarity(
    observation: Observation, steps: Sequence[str] = (), measure: Literal["cka", "cosine"] = "cka"
) -> go.Figure:
    """Draw the similarity of two units' outputs, as the mean over ``steps`` (none: all), with the number of tokens."""
    words = "debiased linear CKA" if measure == "cka" else "cosine"
    return square(
        over_steps(observation, f"{measure}_by_step", steps),
        observation.units,
        words,
        limits=(0.0, 1.0) if measure == "cka" else (-1.0, 1.0),
        diverging=measure == "cosine",
        units=True,
        title=f"{brief_steps(observation, steps)}, n = {_rows_used(observation, steps)} tokens",
    )


def _rows_used(observation: Observation, steps: Sequence[str] = ()) -> str:
    """On how many tokens similarity was measured at each of the steps."""
    rows = values(observation, "cka_rows")[chosen_steps(observation, steps)].astype(int)
    least, most = int(rows.min()), int(rows.max())
    return f"{most:,}" if least == most else f"{least:,} to {most:,}"


def similarity_of_steps(observation: Observation) -> go.Figure:
    """Debiased linear CKA of what the units add at two steps."""
    return square(
        values(observation, "cka_steps"),
        observation.steps,
        "debiased linear CKA",
        limits=(0.0, 1.0),
        title=f"n = {_rows_used(observation)} tokens",
    )


def _without_diagonal(numbers: np.ndarray) -> np.ndarray:
    """A thing against itself says nothing."""
    copy = numbers.copy()
    np.fill_diagonal(copy, np.nan)
    return copy
