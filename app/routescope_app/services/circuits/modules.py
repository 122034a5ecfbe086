"""One module of a graph: its links, its read-in of a sample, its share of the output, its drop effect."""

import asyncio
from typing import Any

import numpy as np

from routescope.routing import Intervention
from routescope.routing.caused.effects import drop_effect
from routescope_app.services.circuits.graphs import Graph, Graphs
from routescope_app.services.errors import NotFound
from routescope_app.services.measuring.scope import Measuring, TooFewSamples
from routescope_app.services.measuring.scoring import Scoring
from routescope_app.services.measuring.snapshots import change_of, measure_of
from routescope_app.services.reading import reads_own_sets, reads_samples
from routescope_app.services.traces.traces import StoredTrace, Traces

#: Number of listed neighbours.
MAX_NEIGHBOURS = 24

#: Recorded fields of a sample; none grows with the pairs of modules.
FIELDS = ("read_in", "read_out", "confidence")


class Modules:
    """Describes single modules."""

    def __init__(self, graphs: Graphs, traces: Traces, measuring: Measuring, scoring: Scoring) -> None:
        self._graphs = graphs
        self._traces = traces
        self._measuring = measuring
        self._scoring = scoring

    async def module(self, model_id: str, unit: str, sample: str | None, samples: int) -> dict[str, Any]:
        """Return the fields of ``GraphModule``; raises NotFound, or NotAccepted for too many samples."""
        graph = await self._graphs.graph(model_id)
        row, facts = graph.position(unit), graph.facts
        q = np.array(facts["connectivity"])
        of_sample: dict[str, Any] = {"read_in": None, "read_out_share": None, "read_out_rank": None}
        if sample is not None:
            of_sample = _of_sample(graph, await self._traces.create(graph.info, sample, {}, FIELDS), row)
        return {
            "model": graph.info.id,
            "revision": graph.info.revision,
            "unit": unit,
            "connectivity": float(q[row]),
            "rank": rank(q, row),
            "community": facts["communities"][row],
            "degree": facts["degrees"]["learned"][row],
            "neighbours": graph.neighbours(row, MAX_NEIGHBOURS),
            "readout_links": [float(p) for p in graph.readout_probability[:, row]],
            **of_sample,
            "drop_effect": await self._drop_effect(graph, unit, samples),
        }

    async def _drop_effect(self, graph: Graph, unit: str, samples: int) -> dict[str, Any] | None:
        """Return the effect of dropping this module alone; None unless its scores are cached."""
        if not (reads_samples(graph.info) or reads_own_sets(graph.info)):
            return None
        try:
            measured = await asyncio.to_thread(self._measuring.measured, graph.info.id, [], samples)
        except (NotFound, TooFewSamples):  # there are no data of its domains, or too few samples for all data sets
            return None
        subset = measured.within(None)
        dropped, whole = await self._scoring.runs(subset.measured, [Intervention(drop=(unit,)), Intervention()])
        if not (dropped.is_done and whole.is_done):
            return None
        scores = subset.of(whole.joined())
        effect = await asyncio.to_thread(drop_effect, scores, subset.of(dropped.joined()))
        facts = {"measure": measure_of(scores), "data": subset.data(), "distribution": subset.distribution}
        return facts | change_of(effect)


def rank(values: np.ndarray, row: int) -> int:
    """Return the rank of a value, 1 for the greatest; equal values rank in the order of units."""
    return int((values > values[row]).sum() + (values[:row] == values[row]).sum()) + 1


def _of_sample(graph: Graph, recorded: StoredTrace, row: int) -> dict[str, Any]:
    """Return the read-in of a module for a sample, and its share of the output."""
    dataset = recorded.trace.dataset
    read_out = dataset["read_out"].transpose("sample", "readout", "unit").values[0].astype(np.float64)
    confidence = dataset["confidence"].transpose("sample", "readout").values[0].astype(np.float64)
    shares = confidence @ read_out
    weights = dataset["read_in"].transpose("sample", "unit", "token").values[0, row]
    is_token = np.isfinite(weights)  # padding is NaN
    rows, columns = graph.info.grid
    return {
        "read_in": {
            "sample": recorded.sample,
            "tokens": [str(name) for name in dataset["token"].values[is_token]],
            "weights": [float(weight) for weight in weights[is_token]],
            "grid": (rows, columns) if rows * columns == len(weights) else None,
        },
        "read_out_share": float(shares[row]),
        "read_out_rank": rank(shares, row),
    }
