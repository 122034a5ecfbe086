"""Figures of a random sweep, from its record alone: densities as in Figures 11, 12 and 14 to 16, boxes as in Figure 13.

*Dynamic Inference with Neural Interpreters* (NeurIPS 2021), appendix C.3. A panel shows one domain.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

Row = Mapping[str, Any]

SYMBOLS = {
    "tau": r"$\tau$",
    "type_features": r"$d_{type}$",
    "functions": r"$n_f$",
    "scripts": r"$n_s$",
    "iterations": r"$n_i$",
    "locs": r"$n_l$",
    "frozen_signatures": "signatures",
    "frozen_codes": "codes",
    "frozen_patch_embeddings": "patch embeddings",
}
BEST = "best tenth"
#: Of values that are no numbers.
WORDS = {True: "frozen", False: "learned"}


def draw_map(row: Row, trials: Sequence[Row], axes: Axes | None = None) -> Axes:
    """Figure 11 of one domain: the density of τ and d_type of its best runs, and these as points.

    Args:
        row: of the table ``maps``.
        trials: the rows of the table ``trials``.
    """
    axes = _axes(axes)
    (left, right), (low, high) = row["tau"], row["type_features"]
    if row["density"] is not None:
        density = np.array(row["density"])
        places = np.linspace(left, right, density.shape[1]), np.linspace(low, high, density.shape[0])
        axes.contourf(*places, density, levels=8, cmap="Blues")
    chosen = [trial for trial in trials if trial["trial"] in row["trials"]]
    axes.plot(
        [trial["tau"] for trial in chosen], [trial["type_features"] for trial in chosen], "o", color="black", ms=4
    )
    axes.set(xlim=(left, right), ylim=(low, high), xlabel=SYMBOLS["tau"], ylabel=SYMBOLS["type_features"])
    axes.set_title(f"{row['domain']}, the best {row['runs']} runs")
    return axes


def draw_densities(rows: Sequence[Row], axes: Axes | None = None) -> Axes:
    """A panel of Figures 12 and 14 to 16: the density of the accuracy given each value of a hyper-parameter.

    Values without a density, which one run has or none, are in the legend alone.

    Args:
        rows: of the table ``densities``, of one hyper-parameter and domain.
    """
    axes = _axes(axes)
    symbol = SYMBOLS[rows[0]["hyper-parameter"]]
    colours = plt.get_cmap("viridis")(np.linspace(0, 0.9, len(rows)))
    for row, colour in zip(rows, colours, strict=True):
        label = f"{symbol} = {row['value']} ({row['runs']} runs)"
        density = [] if row["density"] is None else row["density"]
        at = np.linspace(row["from"], row["to"], len(density))
        axes.plot(at, density, color=colour, label=label)
        if density:
            axes.fill([at[0], *at[::2], at[-1]], [0, *density[::2], 0], color=colour, alpha=0.2, linewidth=0)
    axes.set(xlim=(rows[0]["from"], rows[0]["to"]), xlabel="validation accuracy", ylabel="density")
    axes.set_ylim(bottom=0)
    axes.set_title(rows[0]["domain"])
    return axes


def draw_boxes(rows: Sequence[Row], axes: Axes | None = None) -> Axes:
    """Box plots of the accuracy: quartiles, whiskers within 1.5 of their distance, and the runs beyond.

    Args:
        rows: of the table ``boxes``, of one set of runs, one hyper-parameter, and any domains.
    """
    axes = _axes(axes)
    filled = [row for row in rows if row["count"]]
    boxes = [
        {"med": row["median"], "q1": row["q1"], "q3": row["q3"], "whislo": row["low"], "whishi": row["high"],
         "fliers": row["beyond"], "label": f"{_in_words(row['value'])}\n({row['count']})"}
        for row in filled
    ]  # fmt: skip
    domains = list(dict.fromkeys(row["domain"] for row in rows))
    if boxes:
        drawn = axes.bxp(boxes, patch_artist=True, flierprops={"markersize": 3}, medianprops={"color": "black"})
        for patch, row in zip(drawn["boxes"], filled, strict=True):
            patch.set_facecolor(f"C{domains.index(row['domain'])}")
    axes.tick_params(axis="x", labelsize="x-small")
    axes.set_ylabel("validation accuracy")
    name, frozen = SYMBOLS[rows[0]["hyper-parameter"]], rows[0]["hyper-parameter"].startswith("frozen_")
    axes.set_title(f"{'frozen ' if frozen else ''}{name}, {rows[0]['of']}")
    return axes


def _in_words(value: float | bool) -> str:
    return WORDS[value] if isinstance(value, bool) else str(value)


def _axes(axes: Axes | None) -> Axes:
    return plt.subplots(layout="constrained")[1] if axes is None else axes
