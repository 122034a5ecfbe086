"""Figures of what units cause, for notebooks. Every function draws on the axes it is given, or on new ones."""

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from routescope.nn.measures import ACCURACY
from routescope.routing.caused.subsets import Subsets

if TYPE_CHECKING:
    from routescope.routing.caused.importance import Importance

KIND_WORDS = {
    "drop": "dropped, the others renormalised",
    "mute": "muted",
    "mean": "replaced by the mean",
    "resample": "replaced by another sample's",
}
#: With more units than this, bars have no names.
MOST_NAMED = 24
#: Line and colour of each order of a retention curve.
STYLES = {
    "best first": ("-", "C0"),
    "greedy best": ("--", "C0"),
    "random": ("-", "0.5"),
    "worst first": ("-", "C3"),
    "greedy worst": ("--", "C3"),
}


def _axes(axes: Axes | None) -> Axes:
    return plt.subplots(figsize=(6, 4), layout="constrained")[1] if axes is None else axes


def _metric(table: pd.DataFrame) -> str:
    """The measure of a table from its attributes, such as accuracy, or the loss."""
    return str(table.attrs.get("metric", ACCURACY.name))


def _sign(table: pd.DataFrame) -> str:
    """A line on the meaning of the sign of a table's values; empty where the table has none."""
    return f"\n{table.attrs['sign']}" if "sign" in table.attrs else ""


def _share_of(table: pd.DataFrame) -> str:
    """The unit of a value: a share of accuracy, or the measure's own unit."""
    metric = _metric(table)
    return f"share of {metric}" if metric == ACCURACY.name else metric


def _limits(metric: str) -> tuple[float, float] | None:
    """An axis of shares goes from 0 to 1; others as far as there is something."""
    return (0, 1) if metric == ACCURACY.name else None


def _bars(axes: Axes, units: pd.Series, values: np.ndarray, error: np.ndarray, colour: str) -> None:
    """A bar a unit, by name; of many units the largest first, and without names."""
    if len(units) <= MOST_NAMED:
        axes.bar(units, values, yerr=error, color=colour, capsize=3)
        return
    order = np.argsort(-values, kind="stable")
    axes.bar(range(len(values)), values[order], yerr=error[..., order], color=colour, error_kw={"linewidth": 0.5})
    axes.set_xlabel(f"{len(units)} units, by value")


def draw_shapley(table: pd.DataFrame, axes: Axes | None = None, kind: str = "drop") -> Axes:
    """Bars with their uncertainty: a 95 % interval, or two standard errors where sampled."""
    axes, values = _axes(axes), table["value"].to_numpy()
    if "low" in table:
        error: Any = np.abs(np.stack([values - table["low"], table["high"] - values]))
        words = "95 % bootstrap over samples"
    else:
        error, words = 2 * table["standard_error"].to_numpy(), "two standard errors of sampling orders"
    _bars(axes, table["unit"], values, error, "C0")
    axes.axhline(0, color="0.5", linewidth=0.8)
    axes.set_ylabel(f"Shapley value, {_share_of(table)}{_sign(table)}")
    axes.set_title(f"Shapley values (caused; {KIND_WORDS[kind]})\n{words}", fontsize="medium")
    return axes


def draw_single(table: pd.DataFrame, axes: Axes | None = None, kind: str = "drop") -> Axes:
    """Drop effects: the change in the figure, such as accuracy, when one unit is ablated."""
    axes, change = _axes(axes), table["change"].to_numpy()
    error = np.abs(np.stack([change - table["low"], table["high"] - change]))
    _bars(axes, table["unit"], change, error, "C1")
    axes.axhline(0, color="0.5", linewidth=0.8)
    axes.set_ylabel(f"change in {_metric(table)}{_sign(table)}")
    axes.set_title(f"One unit {KIND_WORDS[kind]} (caused)\n95 % paired bootstrap", fontsize="medium")
    return axes


def draw_interactions(pairs: xr.Dataset, axes: Axes | None = None) -> Axes:
    """Interactions, units against units; red below 0, where each unit makes up for the loss of the other."""
    axes, values = _axes(axes), pairs["value"].values
    most = float(np.nanmax(np.abs(values))) if np.isfinite(values).any() else 0.0
    image = axes.imshow(values, cmap="RdBu", vmin=-(most or 1), vmax=most or 1)
    names = pairs["unit"].values
    axes.set_xticks(range(len(names)), names)
    axes.set_yticks(range(len(names)), names)
    for (i, j), value in np.ndenumerate(values):
        if np.isfinite(value):
            colour = "white" if abs(value) > 0.6 * most else "black"
            axes.text(j, i, f"{value:+.3f}", ha="center", va="center", fontsize="small", color=colour)
    axes.figure.colorbar(image, ax=axes, label=f"interaction, {pairs.attrs['metric']}")
    axes.set_title(f"Interactions (caused)\n{pairs.attrs.get('sign', '')}", fontsize="medium")
    return axes


def draw_retention(table: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """The figure, such as accuracy, against the share of units kept; random sets as a band from the least to the
    largest.

    The ordered curves have no band: orders are chosen on the same samples, so best is a little too good and worst too
    bad.
    """
    axes, metric = _axes(axes), _metric(table)
    for order, rows in table.groupby("order", sort=False):
        line, colour = STYLES.get(str(order), ("-.", f"C{4 + len(axes.lines) % 5}"))
        axes.plot(rows["share_kept"], rows[metric], line, color=colour, marker=".", label=str(order))
        if order == "random":
            axes.fill_between(rows["share_kept"], rows["low"], rows["high"], color=colour, alpha=0.1, linewidth=0)
    axes.set(xlabel="share of units kept", ylabel=metric, ylim=_limits(metric))
    axes.legend(fontsize="small")
    axes.set_title("Retention (caused)\nordered on the same samples; random sets: least to most", fontsize="medium")
    return axes


def draw_convergence(table: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Sampled Shapley values against the number of permutations, with bands of two standard errors."""
    axes = _axes(axes)
    for unit, rows in table.groupby("unit", sort=False):
        (line,) = axes.plot(rows["permutations"], rows["value"], label=str(unit))
        low, high = (rows["value"] + sign * 2 * rows["standard_error"] for sign in (-1, 1))
        axes.fill_between(rows["permutations"], low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    axes.set(xlabel="permutations", ylabel=f"Shapley value, {_share_of(table)}{_sign(table)}")
    axes.legend(fontsize="small", ncols=max(1, table["unit"].nunique() // 8))
    axes.set_title("Convergence, two standard errors", fontsize="medium")
    return axes


def draw_anytime(table: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """The figure, such as accuracy, against iterations run."""
    axes, metric = _axes(axes), _metric(table)
    axes.plot(table["iterations"], table[metric], marker=".")
    axes.fill_between(table["iterations"], table["low"], table["high"], alpha=0.15, linewidth=0)
    axes.set(xlabel="iterations", ylabel=metric, ylim=_limits(metric))
    interval = "Wilson's 95 %" if metric == ACCURACY.name else "95 % bootstrap over samples"
    axes.set_title(f"Anytime (caused)\n{interval}", fontsize="medium")
    return axes


def draw_subsets(subsets: Subsets, axes: Axes | None = None) -> Axes:
    """The figure of every subset against the number of units that are gone."""
    axes, data = _axes(axes), subsets.dataset
    gone = len(subsets.units) - data["kept"].values.sum(axis=1)
    values, weights = subsets.values, subsets.weight
    metric = subsets.measure.name
    axes.plot(gone, np.average(values, axis=1, weights=weights), "o", alpha=0.5)
    axes.set(xlabel=f"units {KIND_WORDS[subsets.kind]}", ylabel=metric, ylim=_limits(metric))
    axes.set_title("Every subset of units (caused)", fontsize="medium")
    return axes


def draw_importance(result: "Importance") -> Figure:
    """Four panels: Shapley values, single effects, interactions, retention; empty where nothing was scored."""
    figure, panels = plt.subplots(2, 2, figsize=(11, 8), layout="constrained")
    for axes, table, draw in ((panels[0, 0], result.shapley, draw_shapley), (panels[0, 1], result.single, draw_single)):
        if len(table):
            draw(table, axes, result.kind)
        else:
            _not_scored(axes, "Shapley values")
    if result.interactions.sizes["unit"]:
        draw_interactions(result.interactions, panels[1, 0])
    else:
        _not_scored(panels[1, 0], "Pairs")
    if len(result.retention):
        draw_retention(result.retention, panels[1, 1])
    else:
        _not_scored(panels[1, 1], "Sets")
    return figure


def _not_scored(axes: Axes, what: str) -> None:
    axes.set_axis_off()
    axes.set_title(f"{what}: not scored", fontsize="medium")
