"""Computational paths: the functions that each token visits, step after step (Figure 3 of the paper)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from core.routing.trace import Trace

#: Connections with less weight than this are left out of the table.
FAINTEST = 1e-3


@dataclass(frozen=True)
class Paths:
    """The paths of some samples.

    ``segments`` has a row for every (sample, token, step, from_unit, to_unit) with
    weight = C[from_unit, token, step] * C[to_unit, token, next step], strongest first; ``dominant`` names
    the unit of largest compatibility (sample, step, token), empty where no unit matches.
    """

    segments: pd.DataFrame
    dominant: pd.DataFrame
    units: tuple[str, ...]
    steps: tuple[str, ...]

    @classmethod
    def from_trace(cls, trace: "Trace") -> Self:
        """Compute paths from the compatibilities of a trace."""
        C = trace["compatibility"].transpose("sample", "step", "unit", "token")
        values = C.values
        names = {dim: C[dim].values.astype(str) for dim in C.dims}
        weight = values[:, :-1, :, None, :] * values[:, 1:, None, :, :]  # (sample, step, from, to, token)
        s, t, u, v, i = np.nonzero(weight >= FAINTEST)
        segments = pd.DataFrame(
            {
                "sample": names["sample"][s],
                "token": names["token"][i],
                "step": names["step"][t],
                "next_step": names["step"][t + 1],
                "from_unit": names["unit"][u],
                "to_unit": names["unit"][v],
                "weight": weight[s, t, u, v, i],
            }
        ).sort_values("weight", ascending=False, kind="stable", ignore_index=True)
        best = values.argmax(axis=2) if values.shape[2] else np.zeros_like(values[:, :, 0], dtype=int)
        unit = np.where(values.max(axis=2) > 0, names["unit"][best], "")
        index = pd.MultiIndex.from_product(
            [names["sample"], names["step"], names["token"]], names=["sample", "step", "token"]
        )
        dominant = pd.DataFrame({"unit": unit.ravel()}, index=index).reset_index()
        return cls(segments, dominant, tuple(names["unit"]), tuple(names["step"]))

    def plot(self, sample: str | None = None, ax: "Axes | None" = None) -> "Axes":
        """Draw one sample's paths: columns are steps, rows units, line width and opacity weight."""
        import matplotlib.pyplot as plt

        ax = ax or plt.subplots(figsize=(1.4 * len(self.steps), 0.8 * len(self.units)))[1]
        rows = self.segments
        sample = sample or (str(rows["sample"].iloc[0]) if len(rows) else "")
        column = {step: k for k, step in enumerate(self.steps)}
        height = {unit: -k for k, unit in enumerate(self.units)}
        tokens = {token: k for k, token in enumerate(dict.fromkeys(rows["token"].sort_values()))}
        own = rows[rows["sample"] == sample]
        columns = (own[name].tolist() for name in ("token", "step", "next_step", "from_unit", "to_unit", "weight"))
        for token, step, following, start, end, weight in zip(*columns, strict=True):
            shift = 0.5 * (tokens[token] / max(1, len(tokens) - 1) - 0.5)
            ax.plot(
                [column[step], column[following]],
                [height[start] + shift, height[end] + shift],
                linewidth=2 * weight,
                alpha=min(1.0, weight),
                color=f"C{-height[start] % 10}",
            )
        ax.set_xticks(range(len(self.steps)), self.steps)
        ax.set_yticks([-k for k in range(len(self.units))], self.units)
        ax.set_xlabel("step")
        return ax
