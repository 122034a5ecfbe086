"""Description of a trace of one sample: names of its units, steps and tokens, and its answers, for pictures of it."""

import math
from collections.abc import Sequence
from typing import Any

import xarray as xr

from routescope.routing.trace import Trace


def describe(trace: Trace) -> dict[str, Any]:
    """Return the names of units, steps and tokens of a trace of one sample, and its answers, as values for JSON."""
    dataset = trace.dataset
    units, steps = names_along_axis(dataset, "unit"), names_along_axis(dataset, "step")
    by_step = _units_by_step(dataset, units, steps)
    all_units = units if by_step is None else list(dict.fromkeys(unit for names in by_step for unit in names))
    tokens = _tokens(dataset)
    has_labels = "logits" in dataset and dataset["logits"].dims == ("sample", "domain", "label")
    predictions = trace.predictions()[0] if has_labels else {}
    return {
        "model": str(dataset.attrs["model"]),
        "revision": str(dataset.attrs["revision"]),
        "intervention": trace.intervention.structural.to_dict(),
        "seed": None if dataset.attrs["seed"] == "" else int(dataset.attrs["seed"]),
        "units": units,
        "units_by_step": by_step,
        "kept": [unit for unit in all_units if unit not in trace.intervention.drop],
        "steps": steps,
        "tokens": tokens,
        "grid": {
            "rows": 1 + max((token["row"] for token in tokens if token["row"] is not None), default=-1),
            "columns": 1 + max((token["column"] for token in tokens if token["column"] is not None), default=-1),
        },
        "domains": names_along_axis(dataset, "domain"),
        "predictions": [
            {
                "domain": domain,
                "label": int(probabilities.argmax()),
                "probabilities": probabilities.tolist(),
                "labels": names_along_axis(dataset, "label"),
            }
            for domain, probabilities in predictions.items()
        ],
        "numbers": [
            {"domain": domain, "value": value if math.isfinite(value) else None}
            for domain, value in trace.numbers()[0].items()
        ],
    }


def names_along_axis(dataset: xr.Dataset, axis: str) -> list[str]:
    """Return the names along an axis; none if it has no names."""
    return [str(name) for name in dataset[axis].values] if axis in dataset.coords else []


def _units_by_step(dataset: xr.Dataset, units: list[str], steps: list[str]) -> list[list[str]] | None:
    """Return the units of each step, named by their layer or script; None if all steps have the same units."""
    if "kept" in dataset and dataset["kept"].dims == ("step", "unit"):
        return [[f"{step}.{unit}" for unit in units] for step in steps]
    if dataset.sizes.get("script", 1) > 1:
        return [[f"{step.partition('.')[0]}.{unit}" for unit in units] for step in steps]
    return None


def _tokens(dataset: xr.Dataset) -> list[dict[str, Any]]:
    names = names_along_axis(dataset, "token")
    if any(name.startswith("panel:") for name in names):
        return _panel_tokens(names)
    if "token_text" in dataset:
        texts = dataset["token_text"].values[0]  # of the one sample
        return [_token(name, "text", text=str(text)) for name, text in zip(names, texts, strict=True)]
    numbers = [name for name in names if name.startswith("number:")]
    return [_placed_token(name, numbers) for name in names]


def _token(
    name: str,
    kind: str,
    row: int | None = None,
    column: int | None = None,
    *,
    candidate: int | None = None,
    text: str | None = None,
) -> dict[str, Any]:
    return {"name": name, "kind": kind, "row": row, "column": column, "candidate": candidate, "text": text}


def _panel_tokens(names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the tokens of a sample of panels; names end with the number of the answer in the gap."""
    tokens = []
    for name in names:
        rest, _, candidate = name.rpartition(":")
        kind, _, position = rest.partition(":")
        row, column = map(int, position.split(",")) if kind == "panel" else (None, None)
        tokens.append(_token(name, "cls" if kind == "cls" else "panel", row, column, candidate=int(candidate)))
    gap = max(token["row"] for token in tokens if token["row"] is not None)
    return [{**token, "row": gap, "column": gap} if token["name"].startswith("answer:") else token for token in tokens]


def _placed_token(name: str, numbers: Sequence[str]) -> dict[str, Any]:
    kind, _, position = name.partition(":")
    if kind == "patch":
        row, column = map(int, position.split(","))
        return _token(name, kind, row, column)
    if kind == "number":
        return _token(name, kind, 0, numbers.index(name))
    return _token(name, kind if kind in ("token", "point") else "cls")
