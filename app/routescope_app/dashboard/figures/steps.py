"""Names of a model's steps on the axes of figures; files keep the codes."""

import re
from collections.abc import Iterable

import plotly.graph_objects as go

_CODE = re.compile(r"(?:s(?P<script>\d+))?\.?(?:i(?P<iteration>\d+))?\.?(?:l(?P<layer>\d+))?")


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
