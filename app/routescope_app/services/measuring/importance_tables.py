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
from routescope.routing.caused.importance import Importance
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.errors import NotFound
from routescope_app.services.interventions import WORDS
from routescope_app.services.measuring.scope import OfOne
from routescope_app.services.measuring.snapshots import measure_of

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
    one: OfOne, found: Importance, anytime: pd.DataFrame, usage: list[dict[str, Any]], facts: Mapping[str, Any]
) -> dict[str, Any]:
    """Everything that ``GET /importances/{id}`` gives; ``facts`` say what was asked for."""
    info, units, whole = one.measured.info, found.units, found.baseline
    scored = found.scored.get(frozenset())
    nothing = {name: None for name in SHAPLEY if name not in found.shapley}
    figure = {whole.measure.name: "accuracy"}
    return {
        **facts,
        "units": list(units),
        "exact": found.exact,
        "baseline": whole.figure,
        "total": None if scored is None else whole.worth - scored.worth,
        "measure": measure_of(whole),
        "signs": signs_of(whole.measure.higher_is_better),
        "model": info.id,
        "revision": info.revision,
        "words": WORDS[info.unit_kind][facts["kind"]],
        "count": one.count,
        "data": one.data(),
        "distribution": one.distribution,
        "shapley": rows(found.shapley.assign(**nothing)[SHAPLEY]),
        "single": rows(found.single),
        "interactions": _pairs(found.interactions),
        "retention": rows(found.retention.rename(columns={"kept": "units", **figure})),
        "anytime": rows(anytime.rename(columns=figure).drop(columns="loss")),
        "convergence": [] if found.convergence is None else rows(found.convergence),
        "usage": [row for row in usage if row["unit"] in units],
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
    return facts | {"words": WORDS[info.unit_kind][facts["kind"]]}


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
