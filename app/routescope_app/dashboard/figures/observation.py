"""Plotly figures of observed routing by step, made from an answer of the API.

Colours are names of theme.css and of the palette, for parts/plots.js; a unit has its place's colour everywhere.
The definitions of the numbers are those of :mod:`routescope.routing.observed.observer`.
"""

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from routescope_app.api.schemas.results import Observation
from routescope_app.dashboard.figures.observation_numbers import chosen_steps, taking_part, values
from routescope_app.dashboard.figures.palette import unit_paint

INK, DIM, LINE, HAIR = "var(--rs-ink)", "var(--rs-dim)", "var(--rs-line)", "var(--rs-hair)"
ACCENT, BAD = "var(--rs-accent)", "var(--rs-bad)"
#: The bottom of the log scale of specialisation.
LEAST = 1e-5


def line(
    x: Sequence[str],
    y: np.ndarray,
    name: str,
    *,
    colour: str = ACCENT,
    dash: str = "solid",
    symbol: str = "circle",
    digits: str = ".3f",
    **options: object,
) -> go.Scatter:
    """A quantity by step."""
    return go.Scatter(
        x=list(x),
        y=y.tolist(),
        name=name,
        mode="lines+markers",
        line={"color": colour, "width": 2, "dash": dash},
        marker={"color": colour, "size": 6, "symbol": symbol},
        hovertemplate=f"{name}<br>%{{x}}: %{{y:{digits}}}<extra></extra>",
        **options,
    )


def reference(figure: go.Figure, level: float, row: int, column: int) -> None:
    """A thin dotted line at a level that means something."""
    figure.add_hline(y=level, line={"color": DIM, "width": 1, "dash": "dot"}, row=row, col=column)


def small_titles(figure: go.Figure) -> go.Figure:
    """The titles of subplots in the size of the page's captions, at their left."""
    for note in figure.layout.annotations:
        if note.yref == "paper" and note.yanchor == "bottom":
            note.update(font={"size": 11.5, "color": INK})
    return figure


def usage(observation: Observation) -> go.Figure:
    """Usage p(m) at every step: stacked shares in the colours of the units."""
    shares = values(observation, "usage")
    bars = []
    for index, unit in enumerate(observation.units):
        column = shares[:, index]
        bars.append(
            go.Bar(
                x=observation.steps,
                y=column.tolist(),
                name=unit,
                marker={"color": unit_paint(observation.units, unit), "line": {"width": 0}},
                customdata=[unit] * len(observation.steps),
                text=[f"{share:.0%}".replace("%", " %") if share >= 0.07 else "" for share in np.nan_to_num(column)],
                textposition="inside",
                insidetextanchor="middle",
                textangle=0,
                textfont={"size": 10.5},
                constraintext="none",
                hovertemplate=f"{unit} at %{{x}}: %{{y:.1%}}<extra></extra>",
            )
        )
    figure = go.Figure(bars)
    figure.update_layout(
        barmode="stack",
        bargap=0.12,
        legend={"traceorder": "normal"},
        margin={"l": 40, "r": 8, "t": 24, "b": 26},
        yaxis={"range": [0, 1], "tickformat": ".0%", "dtick": 0.25},
        xaxis={"type": "category"},
    )
    return figure


def entropy(observation: Observation) -> go.Figure:
    """Routing entropy in nats and as a share of ln M, and the effective number of units, by step."""
    count = taking_part(observation)
    most = math.log(count) if count > 1 else 1.0
    top = 1.12 * most
    nats = values(observation, "entropy")
    share = values(observation, "entropy_share")
    figure = make_subplots(
        rows=1,
        cols=2,
        horizontal_spacing=0.26,
        subplot_titles=(f"nats; share of ln {count} = {most:.2f}", f"effective units, of {count}"),
        specs=[[{"secondary_y": True}, {}]],
    )
    line_ = line(observation.steps, nats, "entropy", showlegend=False)
    line_.update(
        customdata=share.tolist(),
        hovertemplate="entropy at %{x}: %{y:.3f} nats<br>%{customdata:.1%} of ln M<extra></extra>",
    )
    figure.add_trace(line_, row=1, col=1)
    # The same line against the right-hand axis: the two axes are one scale in two units.
    figure.add_trace(
        go.Scatter(x=observation.steps, y=share.tolist(), mode="markers", marker={"opacity": 0}, showlegend=False,
                   hoverinfo="skip"),
        row=1, col=1, secondary_y=True,
    )  # fmt: skip
    reference(figure, most, 1, 1)
    figure.add_trace(
        line(
            observation.steps, values(observation, "effective_units"), "effective units", digits=".2f", showlegend=False
        ),
        row=1,
        col=2,
    )
    reference(figure, count, 1, 2)
    figure.update_yaxes(range=[0, top], row=1, col=1, secondary_y=False)
    figure.update_yaxes(
        range=[0, top / most],
        tickformat=".0%",
        tickvals=[0, 0.25, 0.5, 0.75, 1],
        showgrid=False,
        row=1,
        col=1,
        secondary_y=True,
    )
    figure.update_yaxes(range=[0, 1.12 * count], row=1, col=2)
    figure.update_xaxes(type="category")
    figure.update_layout(margin={"l": 36, "r": 8, "t": 24, "b": 26})
    return small_titles(figure)


def balance(observation: Observation) -> go.Figure:
    """Balance of usage (coefficient of variation, max/mean, Gini) and collapse (worst, average), by step."""
    figure = make_subplots(
        rows=2,
        cols=2,
        shared_xaxes=True,
        horizontal_spacing=0.14,
        vertical_spacing=0.2,
        subplot_titles=("coefficient of variation", "max / mean", "Gini coefficient", "collapse: worst, average"),
    )
    shown = (("balance_cv", "CV", 1, 1), ("balance_max_over_mean", "max / mean", 1, 2), ("balance_gini", "Gini", 2, 1))
    for name, words, row, column in shown:
        numbers = values(observation, name)
        figure.add_trace(line(observation.steps, numbers, words, showlegend=False), row=row, col=column)
        least = 1.0 if name == "balance_max_over_mean" else 0.0
        figure.update_yaxes(range=_room(numbers, least), row=row, col=column)
    figure.add_trace(
        line(observation.steps, values(observation, "collapse_worst"), "worst", showlegend=False), row=2, col=2
    )
    figure.add_trace(
        line(observation.steps, values(observation, "collapse_average"), "average", colour=DIM, dash="dash",
             symbol="diamond", showlegend=False),
        row=2, col=2,
    )  # fmt: skip
    figure.update_yaxes(range=[0, 1.05], tickvals=[0, 0.5, 1], row=2, col=2)
    figure.update_yaxes(nticks=4)
    figure.update_xaxes(type="category")
    figure.update_layout(margin={"l": 36, "r": 8, "t": 22, "b": 26})
    return small_titles(figure)


def _room(numbers: np.ndarray, least: float, smallest: float = 0.1) -> list[float]:
    """A range from ``least``, where all units are used alike, to a little over the greatest number."""
    top = float(np.nanmax(numbers)) if np.isfinite(numbers).any() else least
    return [least, least + max(1.15 * (top - least), smallest)]


def specialisation(observation: Observation, steps: Sequence[str] = ()) -> go.Figure:
    """Specialisation by label at every step, its shuffled null as a band, and its controls; chosen steps are shaded.

    On a log scale, as the controls may be hundreds of times the rest; what is less than ``LEAST`` stands there.
    """
    names = observation.steps
    figure = go.Figure()
    if len(chosen_steps(observation, steps)) < len(names):
        for index in chosen_steps(observation, steps):
            figure.add_vrect(
                x0=index - 0.5, x1=index + 0.5, fillcolor="var(--rs-hair)", line={"width": 0}, layer="below"
            )
    controls: tuple[tuple[str, str, str, str, str], ...] = (
        ("specialisation_feature", "features", DIM, "diamond", "dot"),
        ("specialisation_position", "position", DIM, "square", "dash"),
        ("specialisation", "label", ACCENT, "circle", "solid"),
    )
    if not observation.labels:
        controls = (("specialisation_position", "position", ACCENT, "square", "solid"),)
    high = values(observation, "specialisation_null_high")
    band = line(names, np.maximum(high, LEAST), "shuffled", colour="var(--rs-unmatched/60)", symbol="line-ew")
    band.update(
        mode="lines",
        line={"width": 1},
        fill="tozeroy",
        fillcolor="var(--rs-unmatched/35)",
        customdata=np.stack([values(observation, "specialisation_null"), high], axis=1).tolist(),
        hovertemplate="shuffled, %{x}: mean %{customdata[0]:.5f}, 95 % below %{customdata[1]:.5f}<extra></extra>",
    )
    if observation.labels:
        figure.add_trace(band)
    for name, words, colour, symbol, dash in controls:
        shares = values(observation, name)
        drawn = line(names, np.maximum(shares, LEAST), words, colour=colour, symbol=symbol, dash=dash)
        drawn.update(customdata=shares.tolist(), hovertemplate=f"{words}, %{{x}}: %{{customdata:.5f}}<extra></extra>")
        figure.add_trace(drawn)
    figure.update_layout(
        margin={"l": 46, "r": 8, "t": 44, "b": 26},
        xaxis={"type": "category"},
        yaxis={
            "type": "log",
            "range": [math.log10(LEAST), 0.05],
            "tickvals": [1, 0.1, 0.01, 1e-3, 1e-4, 1e-5],
            "ticktext": ["1", "0.1", "0.01", "10\u207b\u00b3", "10\u207b\u2074", "10\u207b\u2075"],
        },
        legend={"traceorder": "reversed"},
    )
    return figure


def consistency(observation: Observation) -> go.Figure:
    """Jensen-Shannon distance between samples, and how often a token keeps the unit of the step before, by step."""
    figure = make_subplots(
        rows=1,
        cols=2,
        horizontal_spacing=0.16,
        subplot_titles=("distance between samples", "repeat rate; chance"),
    )
    figure.add_trace(
        line(observation.steps, values(observation, "jsd_samples"), "Jensen-Shannon distance", showlegend=False),
        row=1, col=1,
    )  # fmt: skip
    figure.add_trace(
        line(observation.steps, values(observation, "repeat_rate"), "repeat rate", showlegend=False, digits=".1%"),
        row=1, col=2,
    )  # fmt: skip
    figure.add_trace(
        line(observation.steps, values(observation, "repeat_chance"), "by chance", colour=DIM, dash="dash",
             symbol="diamond", showlegend=False, digits=".1%"),
        row=1, col=2,
    )  # fmt: skip
    figure.update_yaxes(rangemode="tozero", row=1, col=1)
    figure.update_yaxes(range=[0, 1.03], tickformat=".0%", dtick=0.25, row=1, col=2)
    figure.update_xaxes(type="category")
    figure.update_layout(margin={"l": 36, "r": 8, "t": 24, "b": 26})
    return small_titles(figure)
