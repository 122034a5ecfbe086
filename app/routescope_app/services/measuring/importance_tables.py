"""Results of importances for the API, and as tables."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from routescope.nn.measures import signs_of
from routescope.routing.caused.importance import Importance, json_rows
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.errors import NotFound
from routescope_app.services.interventions import WORDS
from routescope_app.services.measuring.scope import DistributionSubset
from routescope_app.services.measuring.snapshots import measure_of

#: Files of a result.
FACTS, SUBSETS = "importance.json", "subsets.csv"
#: Columns of Shapley values: of exact and of sampled ones.
SHAPLEY = ["unit", "value", "low", "high", "standard_error"]
#: Comment lines of tables; the optional ones only if they are not None.
HEAD = ("model", "revision", "kind", "words", "iterations", "keep_edges", "exact", "count", "data", "seed", "signs")
OPTIONAL_HEAD = ("distribution", "top_k", "layer")


def described(
    subset: DistributionSubset,
    importance: Importance,
    anytime: pd.DataFrame,
    usage: list[dict[str, Any]],
    facts: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the fields of ``Importance`` in the API; ``facts`` are those of the request."""
    whole, tables = importance.baseline, importance.tables()
    metric = whole.measure.name
    retention = [
        {{"kept": "units", metric: "accuracy"}.get(name, name): value for name, value in row.items()}
        for row in tables["retention"]
    ]
    return {
        **facts,
        **tables,
        "baseline": whole.figure,
        "measure": measure_of(whole),
        "words": WORDS[subset.measured.info.unit_kind][facts["kind"]],
        "count": subset.count,
        "data": subset.data(),
        "distribution": subset.distribution,
        "shapley": [dict.fromkeys(SHAPLEY) | row for row in tables["shapley"]],
        "retention": retention,
        "anytime": json_rows(anytime.rename(columns={metric: "accuracy"}).drop(columns="loss")),
        "usage": [row for row in usage if row["unit"] in importance.units],
    }


def read(folder: Path, info_of: Callable[[str], ModelInfo]) -> dict[str, Any]:
    """Return a stored result, with the current words for its ablation if the model still exists."""
    stored: dict[str, Any] = json.loads((folder / FACTS).read_text())
    facts = _signed(stored)
    try:
        info = info_of(facts["model"])
    except NotFound:
        return facts
    if "signs" not in stored and not {part["name"] for part in facts["data"]} <= set(info.trained_on):
        facts["distribution"] = None if facts.get("distribution") != "out" else "out"
    return facts | {"words": WORDS[info.unit_kind][facts["kind"]]}


def _signed(facts: dict[str, Any]) -> dict[str, Any]:
    """Return a result with the meaning of its signs. Versions before 0.7 stored none, and did not flip values."""
    if "signs" in facts:
        return facts
    measure = facts.get("measure", {"higher_is_better": True})
    if not measure["higher_is_better"]:
        for table in ("shapley", "interactions", "convergence"):
            facts[table] = [_flipped(row) for row in facts[table]]
        facts["total"] = None if facts["total"] is None else -facts["total"]
    return facts | {"signs": signs_of(measure["higher_is_better"])}


def _flipped(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with its value and interval times -1."""
    negative = {name: None if row[name] is None else -row[name] for name in ("value", "low", "high") if name in row}
    if "low" in negative:
        negative["low"], negative["high"] = negative["high"], negative["low"]
    return row | negative


def as_csv(folder: Path, name: str, info_of: Callable[[str], ModelInfo]) -> str:
    """Return one table, below comment lines about the request."""
    facts = read(folder, info_of)
    names = HEAD + tuple(fact for fact in OPTIONAL_HEAD if facts.get(fact) is not None)
    head = "".join(f"# {fact}: {json.dumps(facts[fact])}\n" for fact in names)
    if name == "subsets":
        return head + (folder / SUBSETS).read_text()
    table = facts[name]
    body = io.StringIO()
    if table:
        writer = csv.DictWriter(body, list(table[0]), lineterminator="\n")
        writer.writeheader()
        for row in table:
            writer.writerow({k: " ".join(v) if isinstance(v, list) else v for k, v in row.items()})
    return head + body.getvalue()
