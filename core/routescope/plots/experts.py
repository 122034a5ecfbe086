"""Figures of what is observed of experts, for notebooks."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from routescope.routing.observed.load import Load
from routescope.routing.observed.load_tables import MATRICES, table

#: Bars of which measure of balance.
BARS = {"balance": "effective"}


def draw(load: Load, name: str, layer: str | None = None, axes: Axes | None = None) -> Axes:
    """Draw one table of ``load_tables``, by default of the first layer; raises ValueError without a picture."""
    rows = table(load, name)
    axes = plt.subplots(layout="constrained")[1] if axes is None else axes
    if name in BARS:
        axes.bar(rows["layer"], rows[BARS[name]])
        axes.set_ylabel(BARS[name])
        return axes
    if name == "load":
        rows["expert"] = rows["expert"].str.split(".").str[-1]
        return _matrix(_apart(rows, "layer", "expert", "load"), "load", axes)
    if name not in MATRICES:
        raise ValueError(f"there is no picture of {name}; there are {', '.join(('load', *BARS, *MATRICES))}")
    names = [routed.name for routed in load.layers]
    if layer is not None and layer not in names:
        raise ValueError(f"no layer is called {layer!r}; there are {', '.join(names)}")
    down, across, value = MATRICES[name]
    return _matrix(_apart(rows[rows["layer"] == (layer or names[0])], down, across, value), value, axes)


def _apart(rows: pd.DataFrame, down: str, across: str, value: str) -> pd.DataFrame:
    """A column of rows as a matrix, in the order of the rows."""
    shown = rows.pivot(index=down, columns=across, values=value)
    return shown.reindex(index=rows[down].unique(), columns=rows[across].unique())


def _matrix(shown: pd.DataFrame, words: str, axes: Axes) -> Axes:
    image = axes.imshow(shown.to_numpy(dtype=float), aspect="auto")
    axes.set_xticks(range(len(shown.columns)), [repr(name)[1:-1] for name in shown.columns], rotation=90)
    axes.set_yticks(range(len(shown.index)), list(shown.index))
    axes.figure.colorbar(image, ax=axes, label=words)
    return axes
