"""ni-drop on a tiny untrained network: every subset once, figures that follow from its table."""

from dataclasses import replace
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pytest
import torch

from routescope import assets
from routescope.data import load
from routescope.experiments import reproduce
from routescope.experiments.ni_drop import EXPERIMENT, MOST_FUNCTIONS, PAPER_SAYS, Settings, subsets
from routescope.experiments.shared.frame import Extent
from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.routing import Intervention
from routescope.routing.caused.intervals import wilson_interval
from routescope.routing.caused.scores import evaluate

SAMPLES = 30


def tiny(functions: int = 3) -> NeuralInterpreter:
    torch.manual_seed(5)
    config = NeuralInterpreterConfig(
        features=12, code_features=8, type_features=5, iterations=2, functions=functions, heads=2, key_features=6,
        type_inference_width=8, position_features=6, patch_size=16, domains=("mnist", "mnist-m"),
    )  # fmt: skip
    network = NeuralInterpreter(config).eval()
    network.revision = "tiny"  # type: ignore[assignment]
    return network


@pytest.fixture(scope="module")
def network() -> NeuralInterpreter:
    return tiny()


@pytest.fixture(scope="module")
def record(network: NeuralInterpreter, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("ni-drop")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assets, "data_dir", lambda: folder / "data")
        experiment = replace(EXPERIMENT, settings=Settings(limit=SAMPLES))
        return reproduce(experiment, folder=folder / "results", load_model=lambda _: network)[0]


@pytest.mark.parametrize("count", [0, 1, 4])
def test_subsets_are_all_subsets(count: int) -> None:
    units = tuple(f"f{i + 1}" for i in range(count))
    found = list(subsets(units))
    assert len(found) == len(set(found)) == 2**count
    assert set(found) == set(chain.from_iterable(combinations(units, size) for size in range(count + 1)))
    assert found[0] == ()
    assert found[-1] == units


def test_rows_are_what_evaluation_says(record: dict[str, Any], network: NeuralInterpreter) -> None:
    """Every subset is scored once on every domain."""
    data = {domain: load(domain, "validation", limit=SAMPLES) for domain in ("mnist", "mnist-m")}
    rows = record["tables"]["subsets"]
    assert sorted((row["domain"], tuple(row["dropped"])) for row in rows) == sorted(
        (domain, drop) for domain in data for drop in subsets(network.units)
    )
    for row in rows:
        assert row["count"] == SAMPLES
        found = evaluate(network, data[row["domain"]], Intervention(drop=tuple(row["dropped"])))
        assert row["accuracy"] == found.accuracy
        assert (row["low"], row["high"]) == wilson_interval(int(found.correct.sum()), SAMPLES)
        assert row["loss"] == pytest.approx(found.mean_loss, abs=1e-6)


def test_figures_follow_from_the_rows(record: dict[str, Any]) -> None:
    assert len(record["figures"]) == 2 * 4 * 4
    for figure in record["figures"]:
        where = figure["where"]
        same = [
            row["accuracy"]
            for row in record["tables"]["subsets"]
            if row["domain"] == where["domain"] and len(row["dropped"]) == where["dropped"]
        ]
        assert where["subsets"] == len(same)
        mean = sum(same) / len(same)
        expected = {"mean": mean, "least": min(same), "most": max(same), "accuracy": mean}[figure["name"].split()[0]]
        assert figure["value"] == pytest.approx(expected)
        if figure["name"] == "accuracy after random drops":
            assert min(same) - 1e-9 <= figure["low"] and figure["high"] <= max(same) + 1e-9
            assert (figure["high"] - figure["low"] > 1e-9) == (len(set(same)) > 1)
        assert 0 <= figure["low"] <= figure["value"] <= figure["high"] <= 1
        assert (figure["paper"], figure["paper_says"]) == (None, PAPER_SAYS), "Figure 5c is a curve without numbers"
        assert figure["stand_in"] == (where["domain"] == "mnist-m")
    assert [data["stand_in_for"] for data in record["data"]] == [None, "MNIST-M"]


def test_too_many_functions_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path / "data")
    network = tiny(MOST_FUNCTIONS + 1)
    with pytest.raises(ValueError, match="up to 12 are accepted"):
        reproduce("ni-drop", Extent(quick=True), folder=tmp_path, load_model=lambda _: network)
