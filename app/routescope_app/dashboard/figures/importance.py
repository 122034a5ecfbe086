"""Figures of an importance: what leaving out units changes (caused), and the usage beside it (observed)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from routescope_app.api.schemas.base import MeasureName
from routescope_app.api.schemas.results import Importance, Interaction, RetentionPoint, SingleEffect, UnitValue
from routescope_app.dashboard.figures.palette import unit_paint
from routescope_app.dashboard.formatting import rounded

#: A step by its numbers, such as s1.i2 or l3.
_CODE = re.compile(r"(?:s(?P<script>\d+))?\.?(?:i(?P<iteration>\d+))?\.?(?:l(?P<layer>\d+))?")
INK, DIM, ACCENT, BAD, SURFACE = (f"var(--rs-{name})" for name in ("ink", "dim", "accent", "bad", "surface"))
#: Negative, none, positive.
DIVERGING = [[0, "var(--rs-bad/60)"], [0.5, SURFACE], [1, "var(--rs-accent/60)"]]
#: How the orders of a retention curve are drawn: colour, dash, marker.
ORDERS = {
    "best first": (ACCENT, "solid", "circle"),
    "greedy best": (ACCENT, "dot", "circle-open"),
    "worst first": (BAD, "solid", "square"),
    "greedy worst": (BAD, "dot", "square-open"),
    "least connected first": ("var(--rs-good)", "solid", "triangle-up"),
    "most connected first": ("var(--unit-5)", "solid", "triangle-down"),
    "random": (DIM, "dash", "diamond-open"),
}
#: What each order keeps longest, in the legend.
ORDER_WORDS = {
    "best first": "best kept",
    "greedy best": "best, greedy",
    "worst first": "worst kept",
    "greedy worst": "worst, greedy",
    "least connected first": "best connected kept",
    "most connected first": "least connected kept",
    "random": "random sets",
}
#: Units whose names a hover lists.
MOST_NAMED = 12
#: Standard errors of a normal 95 % interval to each side.
NORMAL_95 = 1.96
#: Units of which the numbers of all pairs have room in their cells, in points of accuracy and by other measures, and
#: the size of these.
MOST_NUMBERED, MOST_NUMBERED_OTHER, PAIR_FONT = 8, 4, 10
#: Of use and effect, so that their rows stand side by side.
ALIGNED = {"l": 34, "r": 12, "t": 44, "b": 58}


#: Units that use and effect have rows for; of more, those with the largest effects.
MOST_ROWS = 24


@dataclass(frozen=True)
class Scale:
    """Scale and signs of figures of a measure.

    Attributes:
        factor: what a figure is multiplied by.
        axis: what an axis of figures is called, and ``change`` one of differences.
        unit: of a figure, behind it; ``points`` of a difference.
        range: of an axis of figures; None: as far as they go.
        form, fine: of a figure and of a difference, as d3 writes them.
        lost: name of what the figure loses without a unit; ``alone`` the same behind its number.
        turn: what makes a difference a loss: -1 where more is better, 1 where less is.
    """

    factor: float
    name: str
    axis: str
    change: str
    unit: str
    points: str
    range: list[float] | None
    form: str
    fine: str
    lost: str
    alone: str
    turn: int

    def signed(self, value: float, digits: int) -> str:
        """A difference with its sign."""
        sign = "+" if value > 0 else ""
        shown = sign + rounded(value) if self.range is None else f"{self.factor * value:+.{digits}f}"
        return shown.replace("-", "−")

    def span(self, low: float, high: float) -> str:
        """Return the words for a range of figures."""
        if self.range is None:
            return f"{rounded(low)} to {rounded(high)}{self.unit}"
        return f"{self.factor * low:.1f} to {self.factor * high:.1f}{self.unit}"


#: Of shares of samples that are labelled right.
ACCURACY = Scale(
    100, "accuracy", "accuracy, %", "points of accuracy", " %", "points", [0, 102], ".1f", ".2f",
    "accuracy lost without it alone", "lost when it alone is dropped", -1,
)  # fmt: skip


def scale_of(measure: MeasureName) -> Scale:
    """Return the scale and signs of figures of this measure."""
    name, unit = measure.name, measure.unit
    if name == ACCURACY.name:
        return ACCURACY
    axis, behind = (f"{name}, {unit}", f" {unit}") if unit else (name, "")
    turn, verb = (-1, "lost") if measure.higher_is_better else (1, "added")
    return Scale(
        1, name, axis, axis, behind, unit or name, None, ".3r", ".3r",
        f"{name} {verb} without it alone", f"{verb} when it alone is dropped", turn,
    )  # fmt: skip


def rows_of(result: Importance) -> list[str]:
    """Units with a row in the charts of use and effect.

    Up to ``MOST_ROWS`` units: all, in the model's order. Of more: the largest effects first, without exact zeros. Where
    every effect is zero, the largest changes of loss.
    """
    if len(result.units) <= MOST_ROWS:
        return result.units
    effects = effects_of(result)
    losses = {single.unit: abs(single.loss_change) for single in result.single}
    ranked = sorted(result.units, key=lambda unit: (effects.get(unit, 0), losses.get(unit, 0)), reverse=True)
    changed = [unit for unit in ranked if effects.get(unit, 0)]
    return (changed or ranked)[:MOST_ROWS]


def effects_of(result: Importance) -> dict[str, float]:
    """The size of the effect of every unit: of its Shapley value, else of its single drop."""
    return {value.unit: abs(value.value) for value in result.shapley} or {
        single.unit: abs(single.change) for single in result.single
    }


def shown_rows(result: Importance) -> str:
    """Return in words which units have a row in the charts."""
    count, shown = len(result.units), len(rows_of(result))
    changed = sum(1 for effect in effects_of(result).values() if effect)
    if not changed:
        return f"no drop of one unit changes the {result.measure.name}; {shown} of {count} units are shown"
    if shown == count:
        return f"all {count} units"
    if shown < changed:
        return f"the {shown} largest of {count}"
    return f"the {shown} of {count} units with an effect; the effect of the others is 0"


def usage(result: Importance) -> go.Figure:
    """Mean share of routing weight: a row a unit, a column a step; observed."""
    steps = list(dict.fromkeys(point.step for point in result.usage))
    share = {(point.unit, point.step): point.share for point in result.usage}
    units = rows_of(result)
    values = [[share.get((unit, step)) for step in steps] for unit in units]
    figure = go.Figure()
    if steps:
        figure.add_heatmap(
            z=values,
            x=steps,
            y=units,
            zmin=0,
            zmax=max(share.values()) or 1,
            colorscale=[[0, SURFACE], [1, "var(--rs-accent/60)"]],
            texttemplate=_share_template(share.values()) if len(steps) <= 12 and len(units) <= MOST_ROWS else None,
            textfont={"size": 11.5, "color": INK},
            xgap=2,
            ygap=2,
            showscale=False,
            hovertemplate="%{y} at %{x}: %{z:.1%} of the routing weight<extra></extra>",
        )
    figure.update_layout(
        margin=ALIGNED,
        xaxis={"title": {"text": "step"}, "automargin": False, "showgrid": False, "side": "bottom", "type": "category"},
        yaxis={"autorange": "reversed", "showgrid": False, "type": "category", "dtick": 1},
    )
    return name_steps(figure, steps)


def _share_template(shares: Iterable[float]) -> str:
    """One decimal where shares are small."""
    return "%{z:.0%}" if max(shares, default=1) >= 0.2 else "%{z:.1%}"


def effect(result: Importance) -> go.Figure:
    """Shapley values as bars, drop effects as diamonds; both are above 0 where a unit helps."""
    units = rows_of(result)
    scale = scale_of(result.measure)
    row = {unit: index for index, unit in enumerate(units)}
    shapley = [value for value in result.shapley if value.unit in row]
    single = [effect for effect in result.single if effect.unit in row]
    figure = go.Figure()
    if shapley:
        figure.add_bar(
            orientation="h",
            name="Shapley value",
            y=[row[value.unit] - 0.16 for value in shapley],
            x=[scale.factor * value.value for value in shapley],
            error_x=_whiskers([(value.value, *shapley_interval(value)) for value in shapley], INK, scale),
            marker={"color": [unit_paint(result.units, value.unit) for value in shapley]},
            width=0.36,
            customdata=[value.unit for value in shapley],
            hovertemplate=f"%{{customdata}}: Shapley value %{{x:{scale.fine}}} {scale.points}<extra></extra>",
        )
    figure.add_scatter(
        mode="markers",
        name=scale.lost,
        y=[row[effect.unit] + (0.24 if shapley else 0) for effect in single],
        x=[scale.turn * scale.factor * effect.change for effect in single],
        error_x=_whiskers([_lost(effect, scale) for effect in single], DIM, scale),
        marker={
            "symbol": "diamond",
            "size": 9,
            "color": SURFACE,
            "line": {"width": 2, "color": [unit_paint(result.units, effect.unit) for effect in single]},
        },
        customdata=[effect.unit for effect in single],
        hovertemplate=f"%{{customdata}}: %{{x:{scale.fine}}} {scale.points} {scale.alone}<extra></extra>",
    )
    figure.update_layout(
        margin=ALIGNED,
        xaxis={
            "title": {"text": f"{scale.change} (above 0: the unit helps)"},
            "automargin": False,
            "zeroline": True,
            "range": _span(shapley, single, scale),
        },
        yaxis={
            "range": [len(units) - 0.5, -0.5],
            "tickvals": list(range(len(units))),
            "ticktext": units,
            "showgrid": False,
            "zeroline": False,
        },
        legend={"traceorder": "normal"},
        barmode="overlay",
    )
    return figure


def _span(shapley: Sequence[UnitValue], single: Sequence[SingleEffect], scale: Scale) -> list[float]:
    """Return the range of all numbers with their intervals and 0, with a margin."""
    ends = [0.0]
    for value in shapley:
        ends += [value.value, *(end for end in shapley_interval(value) if end is not None)]
    for alone in single:
        ends += _lost(alone, scale)
    room = 0.03 * (max(ends) - min(ends)) or 0.01
    return [scale.factor * (min(ends) - room), scale.factor * (max(ends) + room)]


def _lost(effect: SingleEffect, scale: Scale) -> tuple[float, float, float]:
    """Return the loss of the figure without a unit, with its interval."""
    low, high = sorted((scale.turn * effect.low, scale.turn * effect.high))
    return scale.turn * effect.change, low, high


def shapley_interval(value: UnitValue) -> tuple[float | None, float | None]:
    """The 95 % interval of a Shapley value: over samples where exact, of the sampling of orders where sampled."""
    if value.low is not None and value.high is not None:
        return value.low, value.high
    if value.standard_error is None:
        return None, None
    half = NORMAL_95 * value.standard_error
    return value.value - half, value.value + half


def _whiskers(
    values: Sequence[tuple[float, float | None, float | None]], colour: str, scale: Scale
) -> dict[str, object] | None:
    """Error bars from (value, low, high); None, and none for a value, where there is no interval."""
    if all(low is None or high is None for _, low, high in values):
        return None
    plus = [None if high is None else scale.factor * (high - value) for value, _, high in values]
    minus = [None if low is None else scale.factor * (value - low) for value, low, _ in values]
    bars = {"type": "data", "symmetric": False, "array": plus, "arrayminus": minus}
    return bars | {"color": colour, "thickness": 1.5, "width": 3}


def _errors(errors: Sequence[float | None], colour: str, scale: Scale) -> dict[str, object] | None:
    """Error bars from standard errors; None, and none for a value, where there is no error."""
    if all(error is None for error in errors):
        return None
    lengths = [None if error is None else NORMAL_95 * scale.factor * error for error in errors]
    return {"type": "data", "array": lengths, "thickness": 1, "width": 0, "color": colour}


def interactions(result: Importance) -> go.Figure:
    """Effect of leaving out a pair minus the two single effects, in points; bold where the interval leaves 0 out."""
    units = result.units
    by_pair: dict[tuple[str, str], Interaction] = {}
    for interaction in result.interactions:
        by_pair[interaction.unit, interaction.other] = by_pair[interaction.other, interaction.unit] = interaction
    pairs = [[by_pair.get((unit, other)) if unit != other else None for other in units] for unit in units]
    scale = scale_of(result.measure)
    values = [[None if pair is None else scale.factor * pair.value for pair in row] for row in pairs]
    narrow = scale.range is None and len(units) > MOST_NUMBERED_OTHER
    most = max((abs(value) for row in values for value in row if value is not None), default=1) or 1
    figure = go.Figure(
        go.Heatmap(
            z=values,
            x=units,
            y=units,
            zmin=-most,
            zmax=most,
            colorscale=DIVERGING,
            text=[[_pair_number(pair, scale, narrow) for pair in row] for row in pairs],
            texttemplate="%{text}" if len(units) <= MOST_NUMBERED else None,
            textfont={"size": PAIR_FONT, "color": INK},
            hovertext=[[_pair_words(pair, scale) for pair in row] for row in pairs],
            hovertemplate="%{hovertext}<extra></extra>",
            hoverongaps=False,
            xgap=2,
            ygap=2,
            colorbar={"title": {"text": scale.points, "side": "right"}, "thickness": 10, "xpad": 4},
        )
    )
    figure.update_layout(
        margin={"l": 34, "r": 8, "t": 8, "b": 28},
        xaxis={"showgrid": False, "type": "category"},
        yaxis={"autorange": "reversed", "showgrid": False, "type": "category"},
    )
    return figure


def _pair_number(pair: Interaction | None, scale: Scale, narrow: bool) -> str:
    """The number of a cell, bold where it is sure to differ from 0; a dot says that where numbers have no room."""
    if pair is None:
        return ""
    sure = pair.low is not None and pair.high is not None and not pair.low <= 0 <= pair.high
    if narrow:
        return "<b>•</b>" if sure else ""
    return f"<b>{scale.signed(pair.value, 1)}</b>" if sure else scale.signed(pair.value, 1)


def _pair_words(pair: Interaction | None, scale: Scale) -> str:
    if pair is None:
        return ""
    has_interval = pair.low is not None and pair.high is not None
    span = f", 95 %: {scale.signed(pair.low or 0, 1)} to {scale.signed(pair.high or 0, 1)}" if has_interval else ""
    return f"{pair.unit} and {pair.other}: {scale.signed(pair.value, 2)} {scale.points}{span}"


def retention(result: Importance, second: str = "none") -> go.Figure:
    """Accuracy against what is kept, with a band over random sets; ``second`` axis: none or flops.

    The ordered curves have no whiskers: their sets were chosen on the samples that they are shown on.
    """
    figure = go.Figure()
    scale = scale_of(result.measure)
    count = len(result.units)
    for order, (colour, dash, symbol) in ORDERS.items():
        points = sorted((point for point in result.retention if point.order == order), key=lambda point: point.dropped)
        if not points:
            continue
        kept = [count - point.dropped for point in points]
        if order == "random":
            _band(figure, kept, points, scale)
        figure.add_scatter(
            name=ORDER_WORDS[order],
            mode="lines+markers",
            x=kept,
            y=[scale.factor * point.accuracy for point in points],
            line={"color": colour, "dash": dash, "width": 2 if dash == "solid" else 1.5},
            marker={"symbol": symbol, "size": 7, "color": colour},
            customdata=[_kept_words(point, scale) for point in points],
            hovertemplate=f"%{{customdata}}<br>%{{y:{scale.form}}}{scale.unit}<extra>{ORDER_WORDS[order]}</extra>",
        )
    _second_axis(figure, result.retention, count, second)
    figure.update_layout(
        margin={"l": 44, "r": 52 if second != "none" else 12, "t": 68, "b": 36},
        xaxis={
            "title": {"text": f"units kept, of {count}"},
            "range": [count + 0.25, -0.25],
            "dtick": 1 if count <= 20 else None,
        },
        yaxis={"title": {"text": scale.axis}, "range": scale.range},
        legend={"font": {"size": 11}, "entrywidth": 0.46, "entrywidthmode": "fraction", "traceorder": "normal"},
    )
    return figure


def _kept_words(point: RetentionPoint, scale: Scale) -> str:
    if point.order == "random":
        return f"{point.draws} random sets, {scale.span(point.low, point.high)}"
    if len(point.units) > MOST_NAMED:
        return f"kept: {len(point.units)} units"
    return f"kept: {', '.join(point.units) or 'none'}"


def _band(figure: go.Figure, kept: Sequence[int], points: Sequence[RetentionPoint], scale: Scale) -> None:
    edges = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    figure.add_scatter(x=kept, y=[scale.factor * point.high for point in points], **edges)
    figure.add_scatter(
        x=kept,
        y=[scale.factor * point.low for point in points],
        fill="tonexty",
        fillcolor="var(--rs-unmatched/22)",
        **edges,
    )


def _second_axis(figure: go.Figure, points: Sequence[RetentionPoint], count: int, second: str) -> None:
    if second == "none":
        return
    title, means = "MFLOP per sample", {}
    for dropped in sorted({point.dropped for point in points}):
        values = [point.flops for point in points if point.dropped == dropped and point.flops is not None]
        if values:
            means[dropped] = 1e-6 * sum(values) / len(values)
    figure.add_scatter(
        name=title,
        mode="lines+markers",
        x=[count - dropped for dropped in means],
        y=list(means.values()),
        yaxis="y2",
        line={"color": INK, "width": 1, "dash": "dashdot"},
        marker={"symbol": "x-thin-open", "size": 6, "color": INK},
        hovertemplate="%{y:,.3r} " + title + "<extra></extra>",
    )
    figure.update_layout(
        yaxis2={
            "title": {"text": title},
            "overlaying": "y",
            "side": "right",
            "rangemode": "tozero",
            "showgrid": False,
            "tickmode": "auto",
            "nticks": 5,
        }
    )


def anytime(result: Importance, passes: str = "iterations") -> go.Figure:
    """Accuracy against iterations run, or what ``passes`` calls them, with 95 % intervals."""
    points = sorted(result.anytime, key=lambda point: point.iterations)
    scale = scale_of(result.measure)
    figure = go.Figure(
        go.Scatter(
            mode="lines+markers",
            x=[point.iterations for point in points],
            y=[scale.factor * point.accuracy for point in points],
            error_y=_whiskers([(point.accuracy, point.low, point.high) for point in points], ACCENT, scale),
            line={"color": ACCENT, "width": 2},
            marker={"size": 7},
            customdata=[_cost_words(point.flops) for point in points],
            hovertemplate=f"%{{x}} {passes}: %{{y:{scale.form}}}{scale.unit}%{{customdata}}<extra></extra>",
        )
    )
    figure.update_layout(
        margin={"l": 44, "r": 12, "t": 10, "b": 36},
        xaxis={"title": {"text": f"{passes} run"}, "dtick": 1 if len(points) <= 16 else None},
        yaxis={"title": {"text": scale.axis}, "range": scale.range},
    )
    return figure


def _cost_words(flops: int | None) -> str:
    """No speed: each was timed at another moment."""
    return f"<br>{flops / 1e6:,.3g} MFLOP per sample" if flops else ""


def convergence(result: Importance) -> go.Figure:
    """Estimates of Shapley values against the number of sampled orders, with 95 % intervals (1.96 standard errors)."""
    figure = go.Figure()
    scale = scale_of(result.measure)
    for unit in result.units:
        points = sorted(
            (point for point in result.convergence if point.unit == unit), key=lambda point: point.permutations
        )
        colour = unit_paint(result.units, unit)
        figure.add_scatter(
            name=unit,
            mode="lines",
            x=[point.permutations for point in points],
            y=[scale.factor * point.value for point in points],
            error_y=_errors([point.standard_error for point in points], colour, scale),
            line={"color": colour, "width": 2},
            hovertemplate=f"%{{y:{scale.fine}}} {scale.points} after %{{x}} orders<extra>{unit}</extra>",
        )
    figure.update_layout(
        margin={"l": 44, "r": 12, "t": 30, "b": 36},
        xaxis={"title": {"text": "sampled orders of the units"}, "rangemode": "tozero"},
        yaxis={"title": {"text": f"Shapley value, {scale.points}"}},
    )
    return figure


def step_words(step: str, between: str = ", ") -> str:
    """``"i1.l2"`` as ``"iteration 1, layer 2"``; what is no such code as it is."""
    match = _CODE.fullmatch(step)
    if not step or match is None:
        return step
    return between.join(f"{kind} {number}" for kind, number in match.groupdict().items() if number)


def tick_names(steps: Iterable[str]) -> dict[str, str]:
    """Ticks of axes: the numbers of a step, a line each, and below the first of its kind what they count.

    ``"i1", "i2"`` as ``"1<br>iteration", "2"``. Narrow enough to stand beside each other without being turned.
    """
    names, named = dict[str, str](), set[tuple[str, ...]]()
    for step in dict.fromkeys(steps):
        match = _CODE.fullmatch(step)
        parts = {kind: number for kind, number in match.groupdict().items() if number} if step and match else {}
        kinds = tuple(parts)
        names[step] = "<br>".join([*parts.values(), *(() if kinds in named else kinds)]) or step
        named.add(kinds)
    return names


def name_steps(figure: go.Figure, steps: Iterable[str]) -> go.Figure:
    """The figure, whose axes and hovers name steps in words; their places keep the codes, by which clicks find them."""
    names = {step: words for step, words in tick_names(steps).items() if words != step}
    if names:
        figure.update_xaxes(labelalias=names, tickangle=0)
        figure.update_yaxes(labelalias=names)
    return figure
