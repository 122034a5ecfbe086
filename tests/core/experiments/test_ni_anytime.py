"""ni-anytime on a tiny untrained network: every number of iterations once, and what half of them keep."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from routescope import assets
from routescope.data import load
from routescope.experiments import experiments, reproduce
from routescope.experiments.ni_anytime import Settings
from routescope.routing import Intervention
from routescope.routing.caused.scores import evaluate
from tests.core.experiments.interpreters import only, tiny

SAMPLES = 30


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("ni-anytime")
    experiment = replace(experiments()["ni-anytime"], settings=Settings(limit=SAMPLES))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assets, "data_dir", lambda: folder / "data")
        return reproduce(experiment, folder=folder / "results", load_model=only(tiny()))[0]


def test_every_number_from_none_to_twice_the_trained_is_scored(record: dict[str, Any]) -> None:
    rows, model = record["tables"]["iterations"], tiny()
    numbers = [0, 1, 2, 3, 4]
    assert [(r["domain"], r["iterations"]) for r in rows] == [(d, n) for d in ("mnist", "mnist-m") for n in numbers]
    data = {domain: load(domain, "validation", limit=SAMPLES) for domain in ("mnist", "mnist-m")}
    for row in rows:
        found = evaluate(model, data[row["domain"]], Intervention(iterations=row["iterations"]))
        assert (row["accuracy"], row["count"]) == (found.accuracy, SAMPLES)
        assert row["loss"] == pytest.approx(found.mean_loss, abs=1e-6)
    for domain in data:
        flops = [row["flops"] for row in rows if row["domain"] == domain]
        assert flops == sorted(set(flops)), "each iteration costs"


def test_half_the_iterations_keep_a_share_of_the_full_accuracy(record: dict[str, Any]) -> None:
    rows = {(row["domain"], row["iterations"]): row for row in record["tables"]["iterations"]}
    found = [f for f in record["figures"] if f["name"] == "share of the full accuracy at half the iterations"]
    assert [figure["where"]["domain"] for figure in found] == ["mnist", "mnist-m"]
    for figure in found:
        half, whole = (rows[figure["where"]["domain"], n] for n in (1, 2))
        assert figure["value"] == pytest.approx(half["accuracy"] / whole["accuracy"])
        assert figure["low"] <= figure["value"] <= figure["high"]
        assert figure["where"]["compute"] == f"{half['flops'] / whole['flops']:.0%}"
    assert "70 %" in record["paper_figures"][0]["says"]


def test_a_network_that_can_run_no_more_is_asked_for_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path)
    monkeypatch.setattr(type(tiny()), "most_iterations", property(lambda self: 3))
    experiment = replace(experiments()["ni-anytime"], settings=Settings(limit=2))
    rows = reproduce(experiment, folder=tmp_path, load_model=only(tiny()))[0]["tables"]["iterations"]
    assert {row["iterations"] for row in rows} == {0, 1, 2, 3}
