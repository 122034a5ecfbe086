"""Computational paths: the units that each token visits, and the messages between units, step after step."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from core.routing.trace import Trace

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

    @classmethod
    def from_trace(cls, trace: "Trace") -> Self:
        """Compute paths from what a trace holds: compatibilities, or messages.

        Raises:
            ValueError: for a trace with neither, nor what units read of tokens.
        """
        if "compatibility" in trace.dataset:
            return cls._of_tokens(trace)
        if "messages" in trace.dataset or "read_in" in trace.dataset:
            return cls._of_messages(trace)
        held = ", ".join(str(name) for name in trace.dataset.data_vars)
        raise ValueError(f"paths need compatibility or messages; this trace has {held}")

    @classmethod
    def _of_tokens(cls, trace: "Trace") -> Self:
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
        )
        dominant = _dominant(values, names["sample"], names["step"], names["token"], names["unit"])
        return cls(_strongest_first([segments]), dominant, tuple(names["unit"]), tuple(names["step"]))

    @classmethod
    def _of_messages(cls, trace: "Trace") -> Self:
        data = trace.dataset
        steps = [str(step) for step in data["step"].values]
        step_names, samples = np.array(steps, dtype=str), data["sample"].values.astype(str)
        units = data["unit"].values.astype(str)
        parts = [pd.DataFrame(columns=COLUMNS)]
        if "messages" in data:
            following = np.array([steps.index(str(layer)) for layer in data["layer"].values], dtype=np.int64)
            W = data["messages"].transpose("sample", "layer", "unit", "sender").values
            b, t, i, j = np.nonzero(W >= FAINTEST)
            parts.append(
                pd.DataFrame(
                    {
                        "sample": samples[b],
                        "token": "",
                        "step": step_names[following[t] - 1],
                        "next_step": step_names[following[t]],
                        "from_unit": units[j],
                        "to_unit": units[i],
                        "weight": W[b, t, i, j],
                    }
                )
            )
        dominant = pd.DataFrame(columns=["sample", "step", "token", "unit"], dtype=str)
        if "read_in" in data:
            R = data["read_in"].transpose("sample", "unit", "token").values
            tokens = data["token"].values.astype(str)
            b, i, v = np.nonzero(R >= FAINTEST)
            parts.append(
                pd.DataFrame(
                    {
                        "sample": samples[b],
                        "token": tokens[v],
                        "step": "",
                        "next_step": steps[0],
                        "from_unit": "",
                        "to_unit": units[i],
                        "weight": R[b, i, v],
                    }
                )
            )
            dominant = _dominant(R[:, None], samples, step_names[:1], tokens, units)
        if "read_out" in data and "confidence" in data:
            read = (data["read_out"] * data["confidence"]).sum("readout").transpose("sample", "unit").values
            b, j = np.nonzero(read >= FAINTEST)
            parts.append(
                pd.DataFrame(
                    {
                        "sample": samples[b],
                        "token": "",
                        "step": steps[-1],
                        "next_step": READ_OUT,
                        "from_unit": units[j],
                        "to_unit": "",
                        "weight": read[b, j],
                    }
                )
            )
        return cls(_strongest_first(parts[1:] or parts), dominant, tuple(units), tuple(steps))

    def plot(self, sample: str | None = None, ax: "Axes | None" = None) -> "Axes":
        """Draw one sample's paths between units: columns are steps, rows units, line width and opacity weight."""
        import matplotlib.pyplot as plt

        ax = ax or plt.subplots(figsize=(1.4 * len(self.steps), 0.8 * len(self.units)))[1]
        rows = self.segments
        sample = sample or (str(rows["sample"].iloc[0]) if len(rows) else "")
        column = {step: k for k, step in enumerate(self.steps)}
        height = {unit: -k for k, unit in enumerate(self.units)}
        tokens = {token: k for k, token in enumerate(dict.fromkeys(rows["token"].sort_values()))}
        between = rows["from_unit"].isin(self.units) & rows["to_unit"].isin(self.units)
        own = rows[(rows["sample"] == sample) & between]
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


def _dominant(
    weight: np.ndarray, samples: np.ndarray, steps: np.ndarray, tokens: np.ndarray, units: np.ndarray
) -> pd.DataFrame:
    """The unit of largest weight (sample, step, unit, token) for each sample, step and token."""
    best = weight.argmax(axis=2) if weight.shape[2] else np.zeros_like(weight[:, :, 0], dtype=int)
    unit = np.where(weight.max(axis=2) > 0, units[best], "")
    index = pd.MultiIndex.from_product([samples, steps, tokens], names=["sample", "step", "token"])
    return pd.DataFrame({"unit": unit.ravel()}, index=index).reset_index()


def _strongest_first(parts: list[pd.DataFrame]) -> pd.DataFrame:
    joined = parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True)
    return joined[COLUMNS].sort_values("weight", ascending=False, kind="stable", ignore_index=True)
