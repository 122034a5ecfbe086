"""Computational paths: the units that each token visits, and the messages between units, step after step."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
import pandas as pd
import xarray as xr

from routescope.nn.shown import short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Connections with less weight than this are left out of the table.
FAINTEST = 1e-3
COLUMNS = ["sample", "token", "step", "next_step", "from_unit", "to_unit", "weight"]
#: The step after the last one, at which a network's output reads its units.
READ_OUT = "read-out"


@dataclass(frozen=True)
class Paths:
    """The paths of some samples.

    ``segments`` has rows (sample, token, step, next_step, from_unit, to_unit, weight), strongest first:

    * of ``compatibility``, tokens that go from unit to unit (Figure 3 of *Dynamic Inference with Neural
      Interpreters*): weight = C[from_unit, token, step] * C[to_unit, token, next step];
    * of ``messages``, units that read units: weight = the share of to_unit's attention, at the next step, that is on
      from_unit as it was at the step; token is empty. With ``read_in``, also units that read tokens: step and
      from_unit are empty. With ``read_out`` and ``confidence``, also the output that reads units: the mean over
      read-out modules, by their confidence, of their attention; next_step is "read-out", and to_unit is empty.

    ``dominant`` names the unit of largest weight for each (sample, step, token), empty where no unit matches: by
    compatibility, or by ``read_in`` at the first step.
    """

    segments: pd.DataFrame
    dominant: pd.DataFrame
    units: tuple[str, ...]
    steps: tuple[str, ...]

    __repr__ = short_repr

    @classmethod
    def of(cls, data: xr.Dataset) -> Self:
        """Return paths from compatibilities or messages; raises ValueError for a trace without them."""
        if "compatibility" in data:
            return cls._of_tokens(data)
        if "messages" in data or "read_in" in data:
            return cls._of_messages(data)
        held = ", ".join(str(name) for name in data.data_vars)
        raise ValueError(f"paths need compatibility or messages; this trace has {held}")

    @classmethod
    def _of_tokens(cls, data: xr.Dataset) -> Self:
        C = data["compatibility"].transpose("sample", "step", "unit", "token")
        samples, steps, units, tokens = (C[dim].values.astype(str) for dim in C.dims)
        weight = C.values[:, :-1, :, None, :] * C.values[:, 1:, None, :, :]
        axes = {"sample": samples, "step": steps[:-1], "from_unit": units, "to_unit": units, "token": tokens}
        segments = _table(weight, axes)
        segments["next_step"] = segments["step"].map(dict(zip(steps[:-1], steps[1:], strict=True)))
        dominant = _dominant(C.values, samples, steps, tokens, units)
        return cls(_strongest_first([segments]), dominant, tuple(units), tuple(steps))

    @classmethod
    def _of_messages(cls, data: xr.Dataset) -> Self:
        samples, units, steps = (data[dim].values.astype(str) for dim in ("sample", "unit", "step"))
        parts, dominant = [], pd.DataFrame(columns=["sample", "step", "token", "unit"], dtype=str)
        if "messages" in data:
            W = data["messages"].transpose("sample", "layer", "unit", "sender").values
            layers = data["layer"].values.astype(str)
            readings = _table(
                W, {"sample": samples, "next_step": layers, "to_unit": units, "from_unit": units}, token=""
            )
            readings["step"] = readings["next_step"].map(dict(zip(steps[1:], steps[:-1], strict=True)))
            parts.append(readings)
        if "read_in" in data:
            R, tokens = data["read_in"].transpose("sample", "unit", "token").values, data["token"].values.astype(str)
            axes = {"sample": samples, "to_unit": units, "token": tokens}
            parts.append(_table(R, axes, step="", next_step=steps[0], from_unit=""))
            dominant = _dominant(R[:, None], samples, steps[:1], tokens, units)
        if "read_out" in data and "confidence" in data:
            heard = (data["read_out"] * data["confidence"]).sum("readout").transpose("sample", "unit").values
            axes = {"sample": samples, "from_unit": units}
            parts.append(_table(heard, axes, token="", step=steps[-1], next_step=READ_OUT, to_unit=""))
        return cls(_strongest_first(parts), dominant, tuple(units), tuple(steps))

    def plot(self, sample: str | None = None, ax: "Axes | None" = None) -> "Axes":
        """Draw one sample's paths between units: columns are steps, rows units, line width and opacity weight."""
        from routescope.plots.paths import draw_paths

        return draw_paths(self, sample, ax)


def _table(weight: np.ndarray, axes: Mapping[str, np.ndarray], **fixed: str) -> pd.DataFrame:
    """Return a row for every weight that is not too faint: names along each axis, the fixed columns, and weight."""
    places = np.nonzero(weight >= FAINTEST)
    columns = {column: names[position] for (column, names), position in zip(axes.items(), places, strict=True)}
    return pd.DataFrame({**columns, **fixed, "weight": weight[places]})


def _dominant(
    weight: np.ndarray, samples: np.ndarray, steps: np.ndarray, tokens: np.ndarray, units: np.ndarray
) -> pd.DataFrame:
    """Return the unit of largest weight (sample, step, unit, token) for each sample, step and token."""
    best = weight.argmax(axis=2) if weight.shape[2] else np.zeros_like(weight[:, :, 0], dtype=int)
    unit = np.where(weight.max(axis=2) > 0, units[best], "")
    index = pd.MultiIndex.from_product([samples, steps, tokens], names=["sample", "step", "token"])
    return pd.DataFrame({"unit": unit.ravel()}, index=index).reset_index()


def _strongest_first(parts: list[pd.DataFrame]) -> pd.DataFrame:
    joined = parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True)
    return joined[COLUMNS].sort_values("weight", ascending=False, kind="stable", ignore_index=True)
