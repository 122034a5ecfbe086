"""What the steps of a model are called on the axes of figures: files keep their codes, people read words."""

import re
from collections.abc import Iterable

import plotly.graph_objects as go

_CODE = re.compile(r"(?:s(?P<script>\d+))?\.?(?:i(?P<iteration>\d+))?\.?(?:l(?P<layer>\d+))?")


def step_words(step: str, between: str = ", ") -> str:
    """``"i1.l2"`` as ``"iteration 1, layer 2"``; what is no such code as it is."""
    found = _CODE.fullmatch(step)
    if not step or found is None:
        return step
    return between.join(f"{kind} {number}" for kind, number in found.groupdict().items() if number)


def step_label(step: str) -> str:
    """Among steps of one kind the number is enough: ``"i3"`` as ``"3"``; others as ``step_words`` says them."""
    return step[1:] if re.fullmatch(r"i\d+", step) else step_words(step)


def tick_words(step: str) -> str:
    """The same in two lines, so that steps have room beside each other: ``"iteration 1<br>layer 2"``."""
    words = step_words(step, "<br>")
    return words if words == step or "<br>" in words else words.replace(" ", "<br>")


def name_steps(figure: go.Figure, steps: Iterable[str]) -> go.Figure:
    """The figure, whose axes and hovers say steps in words; their places keep the codes, by which clicks find them."""
    said = {step: tick_words(step) for step in steps}
    said = {step: words for step, words in said.items() if words != step}
    if said:
        figure.update_xaxes(labelalias=said)
        figure.update_yaxes(labelalias=said)
    return figure
