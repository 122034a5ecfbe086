"""Table of the sources of every block, with their weights, and its gate."""

import json

import numpy as np
import pandas as pd

from routescope.routing.trace import Trace

COLUMNS = ["sample", "step", "block", "gate", "source", "weight"]


def making(trace: Trace) -> pd.DataFrame:
    """Return a row for every route of every sample and step; dropped blocks and sources have none.

    Args:
        trace: with ``multiplexer_weights`` and ``gates``.

    Returns:
        sample, step, block, gate (0 routed, 1 computed), source, weight (those of a block sum to 1); in the order of
        samples, steps and blocks, and of weights, the largest first.

    Raises:
        ValueError: a trace without weights or gates.
    """
    if not {"multiplexer_weights", "gates"} <= set(trace.dataset):
        held = ", ".join(str(name) for name in trace.dataset.data_vars)
        raise ValueError(f"what blocks are made of needs multiplexer_weights and gates; this trace has {held}")
    levels = json.loads(trace.dataset.attrs["levels"])
    weights = trace["multiplexer_weights"].transpose("step", "sample", "block", "source").values
    gates = trace["gates"].transpose("step", "sample", "block").values
    samples = trace["gates"]["sample"].values.astype(str)
    parts = []
    for number, step in enumerate(trace["gates"]["step"].values.astype(str)):
        sources, blocks = (np.array(levels[number % (len(levels) - 1) + below], dtype=str) for below in (0, 1))
        present = weights[number][:, : len(blocks), : len(sources)]
        sample, block, source = np.nonzero(~np.isnan(present))
        columns = (samples[sample], step, blocks[block], gates[number][sample, block], sources[source])
        part = pd.DataFrame(dict(zip(COLUMNS, (*columns, present[sample, block, source]), strict=True)))
        part = part.assign(place=sample, number=number, which=block)
        parts.append(part.sort_values(["place", "which", "weight"], ascending=[True, True, False], kind="stable"))
    if not parts:
        return pd.DataFrame(columns=COLUMNS)
    joined = pd.concat(parts).sort_values(["place", "number"], kind="stable", ignore_index=True)
    return joined[COLUMNS]
