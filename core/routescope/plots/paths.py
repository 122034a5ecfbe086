"""Figures of computational paths, for notebooks."""

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb

from routescope.plots.steps import ticks

if TYPE_CHECKING:
    from routescope.routing.paths import Paths

#: Inches: pictures of many units are no taller.
TALLEST = 12


def draw_paths(paths: "Paths", sample: str | None = None, ax: Axes | None = None) -> Axes:
    """Draw one sample's paths: steps by units, line width and opacity by weight; None: the strongest sample."""
    size = (1.4 * len(paths.steps), min(TALLEST, 0.8 * len(paths.units)))
    ax = ax or plt.subplots(figsize=size)[1]
    rows = paths.segments
    sample = sample or (str(rows["sample"].iloc[0]) if len(rows) else "")
    column = {step: k for k, step in enumerate(paths.steps)}
    height = {unit: -k for k, unit in enumerate(paths.units)}
    tokens = {token: k for k, token in enumerate(dict.fromkeys(rows["token"].sort_values()))}
    between = rows["from_unit"].isin(paths.units) & rows["to_unit"].isin(paths.units)
    segments = rows[(rows["sample"] == sample) & between]
    columns = (segments[name].tolist() for name in ("token", "step", "next_step", "from_unit", "to_unit", "weight"))
    shades = [to_rgb(f"C{k}") for k in range(10)]
    lines, widths, colours = [], [], []
    for token, step, following, start, end, weight in zip(*columns, strict=True):
        shift = 0.5 * (tokens[token] / max(1, len(tokens) - 1) - 0.5)
        lines.append([(column[step], height[start] + shift), (column[following], height[end] + shift)])
        widths.append(2 * weight)
        colours.append((*shades[-height[start] % 10], min(1.0, weight)))
    ax.add_collection(LineCollection(lines, linewidths=widths, colors=colours))
    ax.autoscale_view()
    steps, axis = ticks(paths.steps)
    ax.set_xticks(range(len(steps)), steps)
    ax.set_yticks([-k for k in range(len(paths.units))], paths.units)
    if len(paths.units) > TALLEST / 0.2:
        ax.tick_params(axis="y", labelsize=max(3, 72 * TALLEST / len(paths.units) * 0.7))
    ax.set_xlabel(axis)
    return ax
