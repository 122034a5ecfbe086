"""Figures of a random sweep, from its record alone: densities as in Figures 11, 12 and 14 to 16, boxes as in Figure 13.

*Dynamic Inference with Neural Interpreters* (NeurIPS 2021), appendix C.3. A panel shows one domain.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

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
BEST, ALL = "best tenth", "all runs"
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
        axes.contourf(*places, density, levels=12, cmap="Blues")
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
        axes.fill_between(at, density, color=colour, alpha=0.2)
    axes.set(xlim=(rows[0]["from"], rows[0]["to"]), xlabel="validation accuracy", ylabel="density")
    axes.set_ylim(bottom=0)
    axes.set_title(rows[0]["domain"])
    axes.legend(fontsize="small")
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
        axes.legend(
            handles=[Patch(color=f"C{at}", label=domain) for at, domain in enumerate(domains)], fontsize="small"
        )
    axes.tick_params(axis="x", labelsize="x-small")
    axes.set_ylabel("validation accuracy")
    name, frozen = SYMBOLS[rows[0]["hyper-parameter"]], rows[0]["hyper-parameter"].startswith("frozen_")
    axes.set_title(f"{'frozen ' if frozen else ''}{name}, {rows[0]['of']}")
    return axes


def plot(record: Mapping[str, Any]) -> dict[str, Figure]:
    """Every figure of a sweep's record by name: ``figure-11`` to ``figure-16``, and ``boxes`` of all runs.

    Raises:
        ValueError: a record of another experiment.
    """
    tables = record["tables"]
    if not {"trials", "maps", "densities", "boxes"} <= set(tables):
        raise ValueError(f"{record['id']} is no sweep: its record has the tables {', '.join(tables) or 'none'}")
    figures = {"figure-11": _panels(len(tables["maps"]))}
    for axes, row in zip(figures["figure-11"].axes, tables["maps"], strict=True):
        draw_map(row, tables["trials"], axes)
    by_figure = _grouped(tables["densities"], "figure")
    for number, rows in by_figure.items():
        of_domains = _grouped(rows, "domain")
        figures[f"figure-{number}"] = figure = _panels(len(of_domains))
        for axes, of_domain in zip(figure.axes, of_domains.values(), strict=True):
            draw_densities(of_domain, axes)
    for of, name in ((BEST, "figure-13"), (ALL, "boxes")):
        of_parameters = _grouped([row for row in tables["boxes"] if row["of"] == of], "hyper-parameter")
        figures[name] = figure = _panels(len(of_parameters), width=4.6)
        for axes, of_parameter in zip(figure.axes, of_parameters.values(), strict=True):
            draw_boxes(of_parameter, axes)
    return dict(sorted(figures.items()))


def _in_words(value: float | bool) -> str:
    return WORDS[value] if isinstance(value, bool) else str(value)


def _axes(axes: Axes | None) -> Axes:
    return plt.subplots(layout="constrained")[1] if axes is None else axes


def _panels(count: int, width: float = 3.6) -> Figure:
    """A figure with so many panels, at most four in a row."""
    columns = min(count, 4)
    rows = -(-count // columns)
    figure, panels = plt.subplots(
        rows, columns, figsize=(width * columns, 3.2 * rows), squeeze=False, layout="constrained"
    )
    for unused in panels.flat[count:]:
        figure.delaxes(unused)
    return figure


def _grouped(rows: Sequence[Row], by: str) -> dict[Any, list[Row]]:
    groups: dict[Any, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[by], []).append(row)
    return groups
