"""Where in the image units are used, as a Plotly figure: a function of an answer of the API alone."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from app.api.schemas.results import Observation
from app.dashboard.components.exemplars import PATCH, token_words
from app.dashboard.figures.observation import INK, paint
from app.dashboard.figures.observation_matrices import FULL
from app.dashboard.figures.observation_numbers import dropped, over_steps, ratio


def places(tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Row and column of every token: patches where they lie, the others in rows of as many below."""
    patches = [PATCH.match(token) for token in tokens]
    found = [(int(patch[1]), int(patch[2])) if patch else None for patch in patches]
    rows = max((place[0] + 1 for place in found if place), default=0)
    columns = max((place[1] + 1 for place in found if place), default=4)
    others = iter(range(len(tokens)))
    result: list[tuple[int, int]] = []
    for place in found:
        if place is None:
            row, column = divmod(next(others), columns)
            place = (rows + row, column)
        result.append(place)
    return result


def positions(observation: Observation, steps: Sequence[str] = ()) -> go.Figure:
    """Where in the image each unit is used: the share of a token's routing, patches as they lie, CLS tokens below."""
    joint = over_steps(observation, "by_position", steps)
    share = ratio(joint, joint.sum(axis=0, keepdims=True))
    share[dropped(observation, steps)] = np.nan
    where = places(observation.tokens)
    rows = 1 + max(row for row, _ in where)
    columns = 1 + max(column for _, column in where)
    high = max(float(np.nanmax(share, initial=0.0)), 1e-9)
    across = _across(len(observation.units))
    down = -(-len(observation.units) // across)
    figure = go.Figure()
    patches = rows - _rows_below(observation.tokens, columns)
    for index, unit in enumerate(observation.units):
        left, top = (index % across) * (columns + 0.7), (index // across) * (rows + 1.6)
        grid = np.full((rows, columns), np.nan)
        names = [[""] * columns for _ in range(rows)]
        for token, (row, column) in enumerate(where):
            grid[row, column] = share[index, token]
            names[row][column] = token_words(observation.tokens[token])
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
                    colorscale=[[0, paint(index, 2)], [1, paint(index, FULL)]],
                    showscale=False,
                    xgap=1,
                    ygap=1,
                    text=[["" if not np.isfinite(value) else f"{100 * value:.0f}" for value in line] for line in part],
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
                marker={"symbol": "square", "size": 10, "color": [paint(index)]},
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
    """How many units' pictures stand in one row."""
    return units if units <= 6 else 8


def _rows_below(tokens: Sequence[str], columns: int) -> int:
    others = sum(PATCH.match(token) is None for token in tokens)
    return -(-others // columns)
