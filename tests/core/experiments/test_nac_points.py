"""The experiment on clouds of points, on a few clouds and steps: what its record says."""

import pytest
import torch

from routescope.data import catalogue
from routescope.data.points import sets
from routescope.experiments import nac_points
from routescope.experiments.shared.beside_perceiver import network_of
from routescope.experiments.shared.frame import Context
from routescope.nn.inputs.points import Points
from routescope.routing.compute import flops_per_sample
from routescope.training.recipes.points import POINT_RECIPES


@pytest.fixture
def few_clouds(monkeypatch, tmp_path):
    monkeypatch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path))
    for split, count in {"train": 64, "validation": 12, "test": 24}.items():
        monkeypatch.setitem(sets.SIZES, split, count)
        monkeypatch.setitem(catalogue.POINT_DATASETS["clouds"].splits, split, count)


@pytest.mark.slow
def test_both_networks_are_trained_scored_and_timed(few_clouds) -> None:
    chosen = nac_points.Settings(seeds=2, steps=2, lengths=(64, 128), rounds=1, batch=1)
    context = Context(nac_points.EXPERIMENT, chosen)
    outcome = nac_points.run(context)
    assert context.done == context.total == 6
    accuracies = {figure.where["model"]: figure for figure in outcome.figures if figure.name == "accuracy"}
    assert set(accuracies) == {"NAC, scale-free prior", "Perceiver IO"}
    for name, figure in accuracies.items():
        rows = [row for row in outcome.tables["trainings"] if nac_points.TASK.title(row["model"]) == name]
        assert figure.value == pytest.approx(sum(row["accuracy"] for row in rows) / 2)
        assert figure.low <= figure.value <= figure.high
        assert (figure.count, figure.stand_in, figure.paper) == (48, True, None)
    more = next(figure for figure in outcome.figures if figure.name == "more than Perceiver IO")
    assert more.value == pytest.approx(
        accuracies["NAC, scale-free prior"].value - accuracies["Perceiver IO"].value, abs=1e-9
    )
    costs = outcome.tables["costs"]
    assert [(row["points"], row["model"]) for row in costs] == [
        (length, name) for length in (64, 128) for name in ("nac-points", "pio-points")
    ]
    assert all(row["flops"] > 0 and row["processor_seconds"] >= 0 for row in costs)


def test_cost_grows_no_faster_than_the_number_of_points() -> None:
    """Twice the points add as many operations as the points before them did."""
    flops = [flops_per_sample(network_of(POINT_RECIPES["nac-points"], length)) for length in (250, 500, 1000)]
    assert flops[2] - flops[1] == pytest.approx(2 * (flops[1] - flops[0]), rel=0.01)


def test_a_network_reads_as_many_points_as_it_is_made_for() -> None:
    model = network_of(POINT_RECIPES["nac-points"], 64)
    clouds = torch.randn(2, 80, 3)
    with torch.inference_mode():
        whole, first = model(Points(clouds)), model(Points(clouds[:, :64]))
    assert torch.equal(whole, first)
    assert model.tokens[:2] == ("point:0", "point:1") and len(model.tokens) == 64


def test_missing_points_are_not_read() -> None:
    model = network_of(POINT_RECIPES["nac-points"], 64)
    cloud = Points(torch.randn(1, 40, 3))
    mask = model.tokens_of(cloud).mask
    assert mask is not None and mask.sum() == 40 and mask[0, :40].all()
    padded = torch.cat((cloud.values, torch.full((1, 24, 3), torch.nan)), dim=1)
    moved = torch.cat((cloud.values, torch.full((1, 30, 3), torch.nan)), dim=1)
    with torch.inference_mode():
        answers = [model(Points(each)) for each in (cloud.values, padded, moved)]
    assert answers[0].isfinite().all()
    assert torch.equal(answers[0], answers[1]) and torch.equal(answers[0], answers[2])


def test_settings_of_a_quick_run_are_of_minutes() -> None:
    assert nac_points.EXPERIMENT.quick.steps == 20 and nac_points.EXPERIMENT.settings.seeds == 3
