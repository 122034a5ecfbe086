"""One module of a graph: its links, what it reads of a sample, its share of the output, its drop effect."""

import asyncio
from typing import Any

import numpy as np

from routescope.routing import Intervention
from routescope.routing.caused.effects import Change, drop_effect
from routescope_app.services.circuits.graphs import Graph, Graphs
from routescope_app.services.errors import NotFound
from routescope_app.services.measuring.scope import Measuring, TooFewSamples
from routescope_app.services.measuring.scoring import Scoring
from routescope_app.services.measuring.snapshots import measure_of
from routescope_app.services.reading import reads_own_sets, reads_samples
from routescope_app.services.traces.traces import StoredTrace, Traces

#: Neighbours of a module that are listed, the strongest links.
MAX_NEIGHBOURS = 24

#: What is recorded of a sample; nothing of it grows with the pairs of modules.
FIELDS = ("read_in", "read_out", "confidence")


class Modules:
    """Answers about single modules."""

    def __init__(self, graphs: Graphs, traces: Traces, measuring: Measuring, scoring: Scoring) -> None:
        self._graphs = graphs
        self._traces = traces
        self._measuring = measuring
        self._scoring = scoring

    async def module(self, model_id: str, unit: str, sample: str | None, samples: int) -> dict[str, Any]:
        """What the API says of a module.

        Raises:
            NotFound: unknown model, unit or sample, or a model without links.
            NotAccepted: more samples than are scored at once.
        """
        graph = await self._graphs.graph(model_id)
        place = graph.place(unit)
        facts = graph.facts
        q = np.array(facts["connectivity"])
        seen: dict[str, Any] = {"read_in": None, "read_out_share": None, "read_out_rank": None}
        if sample is not None:
            recorded = await self._traces.create(graph.info, sample, {}, FIELDS)
            seen = _seen(graph, recorded, place)
        return {
            "model": graph.info.id,
            "revision": graph.info.revision,
            "unit": unit,
            "connectivity": float(q[place]),
            "rank": rank(q, place),
            "community": facts["communities"][place],
            "degree": facts["degrees"]["learned"][place],
            "neighbours": graph.neighbours(place, MAX_NEIGHBOURS),
            "readout_links": [float(p) for p in graph.readout_probability[:, place]],
            **seen,
            "drop_effect": await self._drop_effect(graph, unit, samples),
        }

    async def _drop_effect(self, graph: Graph, unit: str, samples: int) -> dict[str, Any] | None:
        """Of this module alone, where both sides were scored before."""
        if not (reads_samples(graph.info) or reads_own_sets(graph.info)):
            return None
        try:
            measured = await asyncio.to_thread(self._measuring.measured, graph.info.id, [], samples)
        except (NotFound, TooFewSamples):  # no data set here is of its domains, or not one sample for each
            return None
        one = measured.within(None)
        dropped, whole = await self._scoring.runs(one.measured, [Intervention(drop=(unit,)), Intervention()])
        if not (dropped.is_done and whole.is_done):
            return None
        scores = one.of(whole.joined())
        effect = await asyncio.to_thread(drop_effect, scores, one.of(dropped.joined()))
        return {
            "measure": measure_of(scores),
            "accuracy": _interval(effect.figure),
            "loss": _interval(effect.loss),
            "data": one.data(),
            "distribution": one.distribution,
        }


def rank(values: np.ndarray, place: int) -> int:
    """1 for the greatest; equals in the order of units."""
    return int((values > values[place]).sum() + (values[:place] == values[place]).sum()) + 1


def _seen(graph: Graph, recorded: StoredTrace, place: int) -> dict[str, Any]:
    """Where a module reads a sample, and its share of the output."""
    dataset = recorded.trace.dataset
    read_out = dataset["read_out"].transpose("sample", "readout", "unit").values[0].astype(np.float64)
    confidence = dataset["confidence"].transpose("sample", "readout").values[0].astype(np.float64)
    shares = confidence @ read_out
    weights = dataset["read_in"].transpose("sample", "unit", "token").values[0, place]
    there = np.isfinite(weights)  # padding is not
    rows, columns = graph.info.grid
    return {
        "read_in": {
            "sample": recorded.sample,
            "tokens": [str(name) for name in dataset["token"].values[there]],
            "weights": [float(weight) for weight in weights[there]],
            "grid": (rows, columns) if rows * columns == len(weights) else None,
        },
        "read_out_share": float(shares[place]),
        "read_out_rank": rank(shares, place),
    }


def _interval(change: Change) -> dict[str, float]:
    return {"value": change.value, "low": change.low, "high": change.high}
