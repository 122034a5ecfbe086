"""One sign convention: a unit that helps has a value above 0 by every measure, in tables, commands, API.

Charts: tests/web/importance.test.js.
"""

import csv
import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from routescope.cli import importance as command
from routescope.nn.measures import ACCURACY, BITS_A_BYTE, R2, BitsASymbol, Measure, signs_of
from routescope.plots import caused
from routescope.routing import Scores
from routescope.routing.caused.importance import Importance, interactions, single_effects
from routescope.routing.caused.retention import retention
from routescope.routing.caused.shapley import shapley_exact, shapley_sampled
from routescope.routing.caused.subsets import Subsets, for_each_subset
from routescope_app.api.schemas.results import Importance as Answer
from routescope_app.services.measuring import importance_tables

mpl.use("Agg")

UNITS = ("helper", "copy", "twin", "harmful", "idle")
SAMPLES = 20
HELPS = {"helper": 1, "copy": 1, "twin": 1, "harmful": -1, "idle": 0}
MEASURES = (ACCURACY, R2(), BITS_A_BYTE, BitsASymbol())


def scores_of(kept: frozenset[str], measure: Measure) -> Scores:
    """Planted: ``helper`` helps, ``copy`` and ``twin`` do the same work, ``harmful`` costs, ``idle`` does nothing."""
    worth = 0.2 + 0.5 * ("helper" in kept) + 0.3 * bool({"copy", "twin"} & kept) - 0.1 * ("harmful" in kept)
    figure = worth if measure.higher_is_better else 2 - worth
    value = np.arange(SAMPLES) < round(worth * SAMPLES) if measure.share else np.full(SAMPLES, figure, np.float32)
    weight = None if measure.share else np.ones(SAMPLES, np.float32)
    loss = np.full(SAMPLES, 2 - worth, np.float32)
    return Scores(value, loss, np.zeros(SAMPLES, np.int16), 1.0, weight, measure)


def found_by(measure: Measure) -> Importance:
    game = {kept: scores_of(kept, measure) for kept in for_each_subset(UNITS)}
    subsets = Subsets.from_scores(UNITS, "mute", game)
    data = json.dumps([{"name": "planted", "split": "test", "stand_in": False, "count": SAMPLES}])
    return Importance(
        UNITS, "mute", True, game[frozenset(UNITS)], single_effects(UNITS, game.__getitem__), shapley_exact(subsets),
        interactions(UNITS, game.__getitem__), retention(UNITS, game.__getitem__, draws=1), None,
        {"model": "planted", "data": data, "distribution": "unknown", "kind": "mute"}, game,
    )  # fmt: skip


def stored(found: Importance, folder: Path) -> Path:
    """The result of a job as the service keeps it."""
    info: Any = SimpleNamespace(
        id="planted", revision="0" * 16, inputs="images", fields=(), unit_kind="layer", layers=(), units=UNITS
    )
    data = [{"name": "planted", "title": "Planted", "stand_in": False, "held_out": False, "count": SAMPLES}]
    one: Any = SimpleNamespace(
        measured=SimpleNamespace(info=info), count=SAMPLES, data=lambda: data, distribution="unknown"
    )
    names = ("iterations", "keep_edges", "top_k", "layer")
    facts = (
        {"id": "0" * 40, "model": "planted", "revision": "0" * 16} | dict.fromkeys(names) | {"kind": "mute", "seed": 0}
    )
    result = importance_tables.described(one, found, pd.DataFrame({"loss": []}), [], facts)
    (folder / "importance.json").write_text(json.dumps(result))
    return folder


def unknown_model(name: str) -> Any:
    from routescope_app.services.errors import NotFound

    raise NotFound(name)


def assert_helps(values: dict[str, float]) -> None:
    assert {unit: int(np.sign(round(value, 9))) for unit, value in values.items()} == HELPS


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_a_unit_that_helps_has_a_value_above_0_and_a_drop_effect_as_its_header_says(
    measure: Measure, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, sign = found_by(measure), -1 if measure.higher_is_better else 1
    signs = signs_of(measure.higher_is_better)
    assert signs["single"].startswith("below 0" if sign < 0 else "above 0")
    for table in (found.shapley, shapley_sampled(UNITS, lambda kept: scores_of(kept, measure), 8).table):
        assert_helps(dict(zip(table["unit"], table["value"], strict=True)))
        assert table["value"].sum() == pytest.approx(found.total) and table.attrs["total"] > 0
        assert table.attrs["sign"] == signs["shapley"]
    alone = {"copy": 0, "twin": 0}
    assert dict(zip(UNITS, np.sign(found.single["change"].round(6)), strict=True)) == {
        unit: alone.get(unit, sign * helps) for unit, helps in HELPS.items()
    }
    assert found.single.attrs["sign"] == signs["single"]
    both = found.interactions.sel(unit="copy", other="twin")
    assert float(both["value"]) == pytest.approx(-0.3) and both["low"] <= both["value"] <= both["high"]
    assert signs["shapley"] in caused.draw_shapley(found.shapley).get_ylabel()
    assert signs["single"] in caused.draw_single(found.single).get_ylabel()
    assert signs["interactions"] in caused.draw_interactions(found.interactions).get_title()

    text = io.StringIO()
    monkeypatch.setattr(command, "out", Console(file=text, width=200))
    command.show(found, "planted", "planted data")
    lines = text.getvalue().splitlines()
    (header,) = [n for n, line in enumerate(lines) if "Shapley value," in line]
    assert "drop effect," in lines[header] and lines[header + 1].count("(") == 3
    assert f"({signs['shapley']})" in lines[header + 1] and f"({signs['single']})" in lines[header + 1]
    row = next(line.split() for line in lines[header:] if line.split()[:1] == ["helper"])
    assert row[1][0] == "+" and row[5][0] == ("-" if sign < 0 else "+")
    printed = command.as_dict(found)
    assert printed["signs"] == signs and printed["total"] > 0
    assert_helps({each["unit"]: each["value"] for each in printed["shapley"]})

    folder = stored(found, tmp_path)
    answer = Answer.model_validate(importance_tables.read(folder, unknown_model))
    assert_helps({each.unit: each.value for each in answer.shapley})
    assert answer.signs is not None and answer.signs.model_dump() == signs and (answer.total or 0) > 0
    for name, column in (("shapley", "value"), ("single", "change"), ("interactions", "value")):
        content = importance_tables.as_csv(folder, name, unknown_model)
        assert f"# signs: {json.dumps(signs)}" in content
        body = [line for line in content.splitlines() if not line.startswith("#")]
        rows = {row["unit"]: float(row[column]) for row in csv.DictReader(body)}
        if name == "shapley":
            assert_helps(rows)
        elif name == "single":
            assert np.sign(rows["helper"]) == sign


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_results_of_versions_without_signs_are_turned_when_they_are_read(measure: Measure, tmp_path: Path) -> None:
    found = found_by(measure)
    path = stored(found, tmp_path) / "importance.json"
    now = importance_tables.read(tmp_path, unknown_model)
    old = json.loads(path.read_text())
    del old["signs"]
    if not measure.higher_is_better:
        old["total"] = -old["total"]
        for table in ("shapley", "interactions"):
            for row in old[table]:
                row["value"], row["low"], row["high"] = -row["value"], -row["high"], -row["low"]
    path.write_text(json.dumps(old))
    assert importance_tables.read(tmp_path, unknown_model) == now
