"""Values of interactive figures: loads, paths, blocks, links, maps of types, importances, comparisons."""

import base64
import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from routescope.routing.caused.importance import Importance
from routescope.routing.caused.subsets import direction
from routescope.routing.compare.comparing import Comparison
from routescope.routing.describing import describe
from routescope.routing.interactive import InteractiveFigure
from routescope.routing.intervention import Intervention
from routescope.routing.maps.embedding import Embedding
from routescope.routing.observed.load import Load
from routescope.routing.trace import Trace

#: Samples of a trace in a figure at most, and bytes of their compatibilities: a notebook keeps them in its file.
MOST_SAMPLES, MOST_BYTES = 16, 4 * 2**20
#: Units in a figure of importance at most: those of the largest effects.
MOST_UNITS = 48
#: Modules in a figure of links at most.
MOST_MODULES = 128
#: Points of a map in a figure at most.
MOST_POINTS = 50_000
METHODS = {"tsne": "t-SNE", "umap": "UMAP", "pca": "PCA"}


def load_figure(load: Load) -> InteractiveFigure:
    """Return the figure of the load of every layer and, for several data sets, of one layer by data set."""
    layers = [
        {
            "name": layer.name,
            "units": list(layer.units),
            "load": load.load[at, : layer.experts].tolist(),
            "by_domain": load.of_domain[at, : layer.experts].tolist(),
            "low": _finite(load.low[at, : layer.experts]),
            "high": _finite(load.high[at, : layer.experts]),
        }
        for at, layer in enumerate(load.layers)
    ]
    data = {"domains": list(load.domains), "layers": layers}
    return InteractiveFigure("load", "Load by layer and expert", data, {"layer": load.layers[0].name})


def paths_figure(trace: Trace) -> InteractiveFigure | None:
    """Return the figure of the paths of tokens; None without compatibilities, or with too many for a notebook."""
    if "compatibility" not in trace.dataset or not trace.dataset.sizes["sample"]:
        return None
    few = min(MOST_SAMPLES, MOST_BYTES // trace["compatibility"].isel(sample=0).astype(np.float32).nbytes)
    if not few:
        return None
    names = [str(name) for name in trace.dataset["sample"].values]
    first = Trace(trace.dataset.isel(sample=slice(few))).samples()
    samples = [
        {
            "name": name,
            "info": describe(sample),
            "shape": list(sample["compatibility"].shape),
            "f4": _packed(sample["compatibility"].values),
        }
        for name, sample in zip(names, first, strict=False)
    ]
    words = "no intervention" if trace.intervention == Intervention() else trace.intervention.words
    data = {"samples": samples, "left_out": len(names) - len(samples), "words": words}
    title = f"Computational paths: {trace.dataset.attrs.get('model', '')}"
    return InteractiveFigure("paths", title, data, {"sample": names[0], "step": str(trace.dataset["step"].values[0])})


def blocks_figure(trace: Trace) -> InteractiveFigure | None:
    """Return the figure of what blocks are made of; None without weights of Multiplexers, or with too many."""
    dataset = trace.dataset
    if not {"multiplexer_weights", "gates"} <= set(dataset.data_vars) or not dataset.sizes["sample"]:
        return None
    weights = dataset["multiplexer_weights"].transpose("sample", "step", "source", "block")
    gates = dataset["gates"].transpose("sample", "step", "block")
    few = min(MOST_SAMPLES, MOST_BYTES // weights.isel(sample=0).astype(np.float32).nbytes)
    if not few:
        return None
    levels = json.loads(dataset.attrs["levels"])
    names = [str(name) for name in dataset["sample"].values]
    samples = [
        {"name": name, "weights": _packed(weights.values[at]), "gates": _packed(gates.values[at])}
        for at, name in enumerate(names[:few])
    ]
    title = f"What blocks are made of: {dataset.attrs.get('model', '')}"
    data = {
        "title": title,
        "levels": levels,
        "shape": list(weights.shape[2:]),
        "iterations": dataset.sizes["step"] // (len(levels) - 1),
        "samples": samples,
        "left_out": len(names) - len(samples),
    }
    return InteractiveFigure("blocks", title, data, {"sample": names[0], "iteration": "1"})


def links_figure(trace: Trace) -> InteractiveFigure | None:
    """Return the figure of a circuit's link probabilities beside their prior; None without links of the whole model."""
    links = trace.dataset.get("link_probability")
    if links is None or links.dims != ("unit", "sender") or not 0 < links.sizes["unit"] <= MOST_MODULES:
        return None
    matrices = {"learned": links.values.astype(np.float32)}
    orders = {"connectivity": np.argsort(-matrices["learned"].sum(axis=1), kind="stable")}
    if "prior_link_probability" in trace.dataset:
        matrices["prior"] = trace["prior_link_probability"].values.astype(np.float32)
    if "prior_order" in trace.dataset:
        orders = {"matched prior": trace["prior_order"].values.astype(int)} | orders
    title = f"Link probabilities: {trace.dataset.attrs.get('model', '')}"
    data = {
        "title": title,
        "units": [str(name) for name in trace.dataset["unit"].values],
        "f4": _packed(np.stack(list(matrices.values()))),
        "names": list(matrices),
        "orders": {name: order.tolist() for name, order in orders.items()}
        | {"model": list(range(links.sizes["unit"]))},
    }
    return InteractiveFigure("links", title, data, {"order": next(iter(orders))})


def types_figure(embedding: Embedding) -> InteractiveFigure | None:
    """Return the figure of a map of types; None for more points than a notebook holds."""
    points = embedding.points
    if not 0 < len(points) <= MOST_POINTS:
        return None
    low, high = embedding.xy.min(axis=0), embedding.xy.max(axis=0)
    half = float((high - low).max()) / 2 or 1.0
    # Map units: the longer side of all points runs from -1 to 1, y downwards.
    places = (embedding.xy - (low + high) / 2) / half * np.array([1, -1])
    colourings = [
        {"name": name, "names": list(names), "of": of.tolist()}
        for name, names, of in (
            ("unit", points.units, points.unit),
            ("label", points.labels, points.label),
            ("data set", points.domains, points.domain),
        )
        if names
    ]
    title = f"Map of types by {METHODS[embedding.method]}: {points.attrs.get('model', '')}"
    data = {
        "title": title,
        "f4": _packed(places),
        "halves": ((high - low) / 2 / half).tolist(),
        "steps": list(points.steps),
        "step": points.step.tolist(),
        "tokens": list(points.tokens),
        "token": points.token.tolist(),
        "colourings": colourings,
    }
    return InteractiveFigure("types", title, data, {"step": "all", "colour": colourings[0]["name"]})


def importance_figure(importance: Importance) -> InteractiveFigure:
    """Return the figure of Shapley values and drop effects, both above 0 where a unit helps."""
    measure = importance.baseline.measure
    turn = -direction(measure)
    shapley = {row["unit"]: row for row in importance.shapley.to_dict("records")}
    rows: list[dict[str, Any]] = []
    for row in importance.single.to_dict("records"):
        lost, *ends = (turn * row[name] + 0.0 for name in ("change", "low", "high"))  # + 0.0: no -0.0
        low, high = sorted(ends)
        effect = {"unit": row["unit"], "lost": lost, "lost_low": low, "lost_high": high}
        rows.append(effect | _interval_of(shapley.get(row["unit"])))
    largest = sorted(rows, key=lambda row: -abs(row["lost"] if row["value"] is None else row["value"]))[:MOST_UNITS]
    kept = {row["unit"] for row in largest}
    title = f"Importance of units: {importance.attrs.get('model', '')}"
    data = {
        "title": title,
        "rows": [row for row in rows if row["unit"] in kept],
        "left_out": len(rows) - len(kept),
        "kind": importance.kind,
        "measure": {"name": measure.name, "unit": measure.unit, "share": measure.share},
        "uncertainty": "95 % over samples" if importance.exact else "two standard errors",
    }
    return InteractiveFigure("importance", title, data, {"order": "model"})


def _interval_of(row: Mapping[Any, Any] | None) -> dict[str, float | None]:
    """Return value, low and high of a Shapley value, two standard errors wide where it was sampled."""
    if row is None:
        return {"value": None, "low": None, "high": None}
    if "low" in row:
        return {name: float(row[name]) for name in ("value", "low", "high")}
    value, error = float(row["value"]), 2 * float(row["standard_error"])
    return {"value": value, "low": value - error, "high": value + error}


def comparison_figure(comparison: Comparison) -> InteractiveFigure:
    """Return the figure of the agreement of two routings, layer by layer."""
    layers = [
        {
            "layer": layer.layer,
            "count": layer.count,
            "agreed": layer.agreed,
            **{
                name: [value if math.isfinite(value) else None for value in (share, *interval)]
                for name, share, interval in (
                    ("same", layer.same, layer.same_interval),
                    ("overlap", layer.overlap, layer.overlap_interval),
                    ("began", layer.began, layer.began_interval),
                )
            },
        }
        for layer in comparison.by_layer()
    ]
    title = f"{comparison.names[0]} (A) and {comparison.names[1]} (B)"
    over = "tokens" if comparison.groups is None else "sequences"
    data = {"title": title, "layers": layers, "tokens": len(comparison), "over": over}
    return InteractiveFigure("comparison", title, data, {"figure": "same"})


def _packed(values: np.ndarray) -> str:
    """Return numbers as base64 of little-endian float32."""
    return base64.b64encode(values.astype("<f4").tobytes()).decode()


def _finite(values: np.ndarray) -> list[Any]:
    return [[value if math.isfinite(value) else None for value in row] for row in values.tolist()]
