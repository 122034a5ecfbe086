"""Figures of observed measures of routing, for notebooks."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import xarray as xr

from routescope.plots.steps import ticks, title
from routescope.routing.observed.result import Observation

#: What is drawn beside a measure: label -> variable.
BESIDE = {
    "specialisation": {
        "labels shuffled": "specialisation_null",
        "95 % of shuffles": "specialisation_null_high",
        "by position": "specialisation_position",
        "by input features": "specialisation_feature",
    },
    "repeat_rate": {"by chance": "repeat_chance"},
}


def plot(observation: Observation, name: str, axes: Any = None) -> np.ndarray:
    """Lines over steps, a matrix, or one matrix a step; with the same colours in all of them.

    Returns:
        The matplotlib axes, of shape (panels, ).

    Raises:
        ValueError: a variable that is not there or has no picture, or fewer axes than panels.
    """
    drawable = [str(n) for n, v in observation.dataset.items() if not str(n).startswith("exemplar") and v.ndim]
    if name not in drawable:
        raise ValueError(f"there is no picture of {name!r}; there are {', '.join(drawable)}")
    array = observation[name]
    matrices = [array] if array.ndim == 2 else [array.isel(step=s) for s in range(array.sizes["step"])]
    count = 1 if array.ndim == 1 else len(matrices)
    if axes is None:
        axes = plt.subplots(1, count, figsize=(3.2 * max(count, 1.5), 3), squeeze=False, layout="constrained")[1][0]
    panels: list[Any] = list(np.ravel(np.asarray(axes, dtype=object)))
    if len(panels) < count:
        raise ValueError(f"{name} needs {count} axes, not {len(panels)}")
    if array.ndim == 1:
        steps, axis = ticks(array["step"].values.astype(str).tolist())
        panels[0].plot(steps, array.values, marker="o", label=name)
        for label, other in BESIDE.get(name, {}).items():
            panels[0].plot(steps, observation[other].values, marker=".", linestyle="--", label=label)
        panels[0].legend()
        panels[0].set_xlabel(axis)
        return np.array(panels, dtype=object)
    limits = {"vmin": min(0.0, float(np.nanmin(array.values))), "vmax": float(np.nanmax(array.values))}
    for panel, matrix in zip(panels, matrices, strict=False):
        image = _matrix(panel, matrix, limits)
    panels[count - 1].figure.colorbar(image, ax=panels[:count], label=name)
    return np.array(panels, dtype=object)


def _matrix(panel: Any, matrix: xr.DataArray, limits: dict[str, float]) -> Any:
    rows, columns = matrix.dims
    image = panel.imshow(matrix.values, aspect="auto", **limits)
    panel.set_xticks(range(matrix.sizes[columns]), matrix[columns].values.astype(str), rotation=90)
    panel.set_yticks(range(matrix.sizes[rows]), matrix[rows].values.astype(str))
    panel.set_xlabel(str(columns))
    panel.set_ylabel(str(rows))
    if "step" in matrix.coords and not matrix["step"].ndim:
        panel.set_title(title(str(matrix["step"].values)))
    return image
