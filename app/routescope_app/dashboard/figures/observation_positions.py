"""Plotly figure of the use of units by position in the image, made from an answer of the API."""

from collections.abc import Iterator, Sequence
from functools import partial
from os.path import commonprefix

import numpy as np
import plotly.graph_objects as go

from routescope_app.api.schemas.results import Observation
from routescope_app.dashboard.figures.observation import INK
from routescope_app.dashboard.figures.observation_matrices import FULL
from routescope_app.dashboard.figures.observation_numbers import PATCH, dropped, over_steps, ratio, token_words
from routescope_app.dashboard.figures.palette import unit_paint

#: The kind of tokens that heads read.
CLS = "cls"
#: Tokens in a row where no patches say how wide one is.
WIDE = 5


def rows_of(tokens: Sequence[str]) -> list[list[int | None]]:
    """Places of the tokens in rows of one width, None where a row has fewer: patches as they lie, tokens of other kinds
    in rows below them, those of each kind from a new row on, CLS tokens last."""
    lie = [(at, PATCH.match(name)) for at, name in enumerate(tokens)]
    patches = {(int(patch[1]), int(patch[2])): at for at, patch in lie if patch}
    height = max((row + 1 for row, _ in patches), default=0)
    width = max((column + 1 for _, column in patches), default=WIDE)
    grid = [[patches.get((row, column)) for column in range(width)] for row in range(height)]
    kinds: dict[str, list[int | None]] = {}
    for at, name in enumerate(tokens):
        if not PATCH.match(name):
            kinds.setdefault(name.partition(":")[0], []).append(at)
    for _, positions_of_kind in sorted(kinds.items(), key=lambda item: item[0] == CLS):
        rows = [positions_of_kind[start : start + width] for start in range(0, len(positions_of_kind), width)]
        grid += [row + [None] * (width - len(row)) for row in rows]
    return grid


def short_names(tokens: Sequence[str]) -> list[str]:
    """Return the names of tokens in cells, without their kind and the prefix that all names of a kind share."""
    kinds: dict[str, list[str]] = {}
    for token in tokens:
        kind, _, name = token.rpartition(":")
        kinds.setdefault(kind, []).append(name)
    begins = {kind: len(commonprefix(names)) if len(names) > 1 else 0 for kind, names in kinds.items()}
    return [token.rpartition(":")[2][begins[token.rpartition(":")[0]] :] for token in tokens]


def positions(observation: Observation, steps: Sequence[str] = ()) -> go.Figure:
    """Draw the use of each unit by position: the share of a token's routing, patches in place, CLS tokens below."""
    joint = over_steps(observation, "by_position", steps)
    share = ratio(joint, joint.sum(axis=0, keepdims=True))
    share[dropped(observation, steps)] = np.nan
    where = rows_of(observation.tokens)
    rows, columns = len(where), len(where[0])
    high = max(float(np.nanmax(share, initial=0.0)), 1e-9)
    across = _across(len(observation.units))
    down = -(-len(observation.units) // across)
    figure = go.Figure()
    patches = sum(any(at is not None and PATCH.match(observation.tokens[at]) for at in row) for row in where)
    bare = [""] * len(observation.tokens) if patches else [f"{name}<br>" for name in short_names(observation.tokens)]
    for index, unit in enumerate(observation.units):
        paint = partial(unit_paint, observation.units, unit)
        left, top = (index % across) * (columns + 0.7), (index // across) * (rows + 1.6)
        grid = np.full((rows, columns), np.nan)
        names, texts = [[""] * columns for _ in range(rows)], [[""] * columns for _ in range(rows)]
        for row, column, token in _each(where):
            value = grid[row, column] = share[index, token]
            names[row][column] = token_words(observation.tokens[token])
            texts[row][column] = f"{bare[token]}{100 * value:.0f}" if np.isfinite(value) else ""
        # CLS tokens stand apart from the image.
        for first, last, gap in ((0, patches, 0.0), (patches, rows, 0.25)):
            if first == last:
                continue
            part = grid[first:last]
            figure.add_trace(
                go.Heatmap(
                    z=part.tolist(),
                    x=(left + np.arange(columns)).tolist(),
                    y=(top + gap + np.arange(first, last)).tolist(),
                    zmin=0,
                    zmax=high,
                    colorscale=[[0, paint(2)], [1, paint(FULL)]],
                    showscale=False,
                    xgap=1,
                    ygap=1,
                    text=texts[first:last],
                    texttemplate="%{text}" if columns <= 6 and across <= 6 else "",
                    textfont={"color": INK, "size": 10},
                    hovertext=names[first:last],
                    hovertemplate=f"{unit}, %{{hovertext}}: %{{z:.1%}} of the token's routing<extra></extra>",
                    hoverongaps=False,
                    name=unit,
                )
            )
        figure.add_annotation(
            x=left - 0.45, y=top - 0.62, xanchor="left", yanchor="bottom", text=f"<b>{unit}</b>", showarrow=False,
            font={"size": 12, "color": INK}, xshift=15,
        )  # fmt: skip
        figure.add_trace(
            go.Scatter(
                x=[left - 0.28], y=[top - 0.95], mode="markers", customdata=[unit], hoverinfo="skip", showlegend=False,
                marker={"symbol": "square", "size": 10, "color": [paint()]},
            )
        )  # fmt: skip
    plain = {"visible": False, "showgrid": False, "zeroline": False}
    figure.update_layout(
        margin={"l": 2, "r": 2, "t": 4, "b": 2},
        xaxis=plain | {"range": [-0.6, across * (columns + 0.7) - 0.6]},
        yaxis=plain | {"range": [down * (rows + 1.6) - 0.9, -1.4]},
    )
    return figure


def _across(units: int) -> int:
    """Return the number of units' pictures in one row."""
    return units if units <= 6 else 8


def _each(where: Sequence[Sequence[int | None]]) -> Iterator[tuple[int, int, int]]:
    """Row, column and token of every place that has one."""
    for row, line in enumerate(where):
        yield from ((row, column, token) for column, token in enumerate(line) if token is not None)
