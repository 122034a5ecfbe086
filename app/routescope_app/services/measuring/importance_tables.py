"""The result of an importance as the API says it, and as tables."""

import csv
import io
import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from routescope.nn.measures import signs_of
from routescope.routing.caused.shapley import SampledShapley
from routescope.routing.caused.subsets import Subsets
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.errors import NotFound
from routescope_app.services.interventions import words_of
from routescope_app.services.measuring.scope import OfOne

SHAPLEY = ["unit", "value", "low", "high", "standard_error"]


def rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Plain rows; None where a number is not finite."""
    return [{str(name): plain(value) for name, value in row.items()} for row in table.to_dict("records")]


def plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return list(value) if isinstance(value, tuple) else value


def described(
    one: OfOne,
    shapley: pd.DataFrame | SampledShapley | None,
    found: Mapping[str, Any],
    anytime: pd.DataFrame,
    usage: list[dict[str, Any]],
    facts: Mapping[str, Any],
) -> dict[str, Any]:
    """Everything that ``GET /importances/{id}`` gives; ``shapley`` is None where none were asked for."""
    values, convergence = [], []
    if isinstance(shapley, SampledShapley):
        values, convergence = rows(shapley.table.assign(low=None, high=None)[SHAPLEY]), rows(shapley.convergence)
    elif shapley is not None:
        values = rows(shapley.assign(standard_error=None)[SHAPLEY])
    measured = one.measured
    retention = found["retention"].rename(columns={"kept": "units", facts["measure"]["name"]: "accuracy"})
    return {
        **facts,
        "model": measured.info.id,
        "revision": measured.info.revision,
        "words": words_of(measured.info)[facts["kind"]],
        "count": one.count,
        "data": one.data(),
        "distribution": one.distribution,
        "shapley": values,
        "single": rows(found["single"]),
        "interactions": _pairs(found["interactions"]),
        "retention": rows(retention),
        "anytime": rows(anytime),
        "convergence": convergence,
        "usage": usage,
    }


def _pairs(found: xr.Dataset) -> list[dict[str, Any]]:
    """Every pair once."""
    names = [str(name) for name in found["unit"].values]
    figures = {name: found[name].values for name in ("value", "low", "high")}
    return [
        {"unit": names[i], "other": names[j], **{name: plain(values[i, j]) for name, values in figures.items()}}
        for i in range(len(names))
        for j in range(i + 1, len(names))
    ]


def subset_table(subsets: Subsets) -> pd.DataFrame:
    """Every subset with its figures."""
    table = []
    for kept_row in subsets.dataset["kept"].values:
        kept = frozenset(unit for unit, there in zip(subsets.units, kept_row, strict=True) if there)
        scores = subsets.value(kept)
        table.append(
            {
                "kept": " ".join(unit for unit in subsets.units if unit in kept),
                "dropped": len(subsets.units) - len(kept),
                "accuracy": scores.figure,
                "low": scores.interval[0],
                "high": scores.interval[1],
                "loss": scores.mean_loss,
                "samples_per_second": scores.samples_per_second,
                "flops": subsets.flops(kept),
            }
        )
    return pd.DataFrame(table)


def read(folder: Path, info_of: Callable[[str], ModelInfo]) -> dict[str, Any]:
    """What was kept, with what is done to units in today's words; where the model is gone, in those of its time."""
    stored: dict[str, Any] = json.loads((folder / "importance.json").read_text())
    facts = _signed(stored)
    try:
        info = info_of(facts["model"])
    except NotFound:
        return facts
    if "signs" not in stored and not {each["name"] for each in facts["data"]} <= set(info.trained_on):
        facts["distribution"] = None if facts.get("distribution") != "out" else "out"
    return facts | {"words": words_of(info)[facts["kind"]]}


def _signed(facts: dict[str, Any]) -> dict[str, Any]:
    """A result with the meaning of its signs. Versions before 0.7 stored none, and values that were not turned."""
    if "signs" in facts:
        return facts
    measure = facts.get("measure", {"higher_is_better": True})
    if not measure["higher_is_better"]:
        for table in ("shapley", "interactions", "convergence"):
            facts[table] = [_turned(row) for row in facts[table]]
        facts["total"] = None if facts["total"] is None else -facts["total"]
    return facts | {"signs": signs_of(measure["higher_is_better"])}


def _turned(row: dict[str, Any]) -> dict[str, Any]:
    """A row with its value and interval times -1, where they are there."""
    negative = {name: None if row[name] is None else -row[name] for name in ("value", "low", "high") if name in row}
    if "low" in negative:
        negative["low"], negative["high"] = negative["high"], negative["low"]
    return row | negative


def as_csv(folder: Path, name: str, info_of: Callable[[str], ModelInfo]) -> str:
    """One table, below lines that say where it comes from."""
    facts = read(folder, info_of)
    named: tuple[str, ...] = (
        "model",
        "revision",
        "kind",
        "words",
        "iterations",
        "keep_edges",
        "exact",
        "count",
        "data",
        "seed",
    )
    named += ("signs",)
    named += tuple(name for name in ("distribution", "top_k", "layer") if facts.get(name) is not None)
    head = "".join(f"# {fact}: {json.dumps(facts[fact])}\n" for fact in named)
    if name == "subsets":
        return head + (folder / "subsets.csv").read_text()
    table = facts[name]
    body = io.StringIO()
    if table:
        writer = csv.DictWriter(body, list(table[0]), lineterminator="\n")
        writer.writeheader()
        for row in table:
            writer.writerow({k: " ".join(v) if isinstance(v, list) else v for k, v in row.items()})
    return head + body.getvalue()
