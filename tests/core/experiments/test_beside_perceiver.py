"""Circuits beside Perceiver IOs on ListOps, bytes and points, with few samples and steps: what their records say."""

import json

import pytest
import torch

from routescope.data import catalogue, load
from routescope.data.points import sets as point_sets
from routescope.data.sequences import listops, reviews, sets
from routescope.experiments import nac_bytes, nac_listops, nac_points
from routescope.experiments.shared import beside_perceiver
from routescope.experiments.shared.beside_perceiver import network_of, slopes
from routescope.experiments.shared.frame import Context, Experiment, Extent
from routescope.routing.compute import flops_per_sample

FEW = {"train": 64, "validation": 12, "test": 24}
CASES = {
    "nac-listops": (nac_listops, "listops-short", "symbols", False),
    "nac-bytes": (nac_bytes, "reviews", "bytes", True),
    "nac-points": (nac_points, "clouds", "points", True),
}
SEQUENCES = ("nac-listops", "nac-bytes")


@pytest.fixture
def few(monkeypatch, tmp_path):
    monkeypatch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path))
    for name in ("listops-short", "reviews"):
        monkeypatch.setitem(sets.SIZES, name, FEW)
        for split, count in FEW.items():
            monkeypatch.setitem(catalogue.SEQUENCE_DATASETS[name].splits, split, count)
    for split, count in FEW.items():
        monkeypatch.setitem(listops.SIZES, split, count)
        monkeypatch.setitem(reviews.SIZES, split, count)
        monkeypatch.setitem(point_sets.SIZES, split, count)
        monkeypatch.setitem(catalogue.POINT_DATASETS["clouds"].splits, split, count)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_both_networks_are_trained_scored_and_timed(few, name: str) -> None:
    experiment, data, tokens, stand_in = CASES[name]
    chosen = experiment.Settings(seeds=2, steps=2, lengths=(64, 128), rounds=2, batch=1)
    said: list[str] = []
    context = Context(experiment.EXPERIMENT, chosen, progress=lambda done, total, words: said.append(words))
    outcome = experiment.EXPERIMENT.run(context)
    assert context.done == context.total == 6
    assert f"training {name}, seed 1" in said, "what takes long is announced"
    accuracies = {figure.where["model"]: figure for figure in outcome.figures if figure.name == "accuracy"}
    assert set(accuracies) == {"NAC, scale-free prior", "Perceiver IO"}
    task = experiment.task_of(chosen)
    for title, figure in accuracies.items():
        rows = [row for row in outcome.tables["trainings"] if task.title(row["model"]) == title]
        assert figure.value == pytest.approx(sum(row["accuracy"] for row in rows) / 2)
        assert figure.low <= figure.value <= figure.high
        assert (figure.count, figure.stand_in, figure.paper) == (48, stand_in, None)
        most = task.recipes[rows[0]["model"]].config.max_length
        longest = int(load(data, "test", limit=chosen.limit).lengths.max()) if name in SEQUENCES else most
        assert figure.where[tokens] == longest <= most
    (more,) = (figure for figure in outcome.figures if figure.name == "more than Perceiver IO")
    nac, pio = accuracies["NAC, scale-free prior"], accuracies["Perceiver IO"]
    assert more.value == pytest.approx(nac.value - pio.value, abs=1e-9)
    costs = outcome.tables["costs"]
    assert [(row[tokens], row["model"]) for row in costs] == [
        (length, each) for length in (64, 128) for each in (name, name.replace("nac", "pio"))
    ]
    assert all(row["flops"] > 0 and row["fastest_round"] <= row["processor_seconds"] for row in costs)
    assert [(each["name"], each["split"]) for each in context.data_used] == [(data, "test"), (data, "train")]
    again = Context(experiment.EXPERIMENT, chosen)
    assert json.dumps(experiment.EXPERIMENT.run(again).tables) == json.dumps(outcome.tables), (
        "it goes on with what is there"
    )
    assert again.resumed == 6


@pytest.mark.parametrize("name", CASES)
def test_cost_grows_no_faster_than_length(name: str) -> None:
    """Twice the tokens add as many operations as the tokens before them did, in both networks."""
    task = CASES[name][0].task_of(CASES[name][0].EXPERIMENT.settings)
    for recipe in task.recipes.values():
        flops = [flops_per_sample(network_of(recipe, length)) for length in (250, 500, 1000)]
        assert flops[2] - flops[1] == pytest.approx(2 * (flops[1] - flops[0]), rel=0.01)


@pytest.mark.parametrize("name", SEQUENCES)
def test_a_full_run_has_the_printed_lengths_and_sizes_of_table_4(name: str) -> None:
    experiment: Experiment = CASES[name][0].EXPERIMENT
    chosen = experiment.settings_of(Extent(full=True))
    task = CASES[name][0].task_of(chosen)
    for recipe in task.recipes.values():
        config = recipe.config
        assert (config.modules, config.features, config.layers) == (320, 384, 8)
        assert config.max_length == {"nac-listops": 2000, "nac-bytes": 4000}[name]
        assert config.domains == (task.data,)
    assert task.paper == {
        "nac-listops": {"nac-listops": 0.4140, "pio-listops": 0.3970},
        "nac-bytes": {"nac-bytes": 0.6818, "pio-bytes": 0.6650},
    }[name]  # fmt: skip
    if name == "nac-listops":
        assert task.data == "listops-long"
        assert not nac_listops.task_of(nac_listops.EXPERIMENT.settings).paper, "other lengths are another task"


def test_the_exponent_is_that_of_the_two_longest_lengths() -> None:
    """Literal: 100 operations and 1 second at 10, 800 and 3 at 20; what is before does not matter."""
    rows = [
        {"model": "nac-bytes", "bytes": length, "flops": flops, "processor_seconds": seconds}
        for length, flops, seconds in ((20, 800, 3.0), (10, 100, 1.0), (5, 99, 0.9))
    ]
    found = [figure.value for figure in slopes(nac_bytes.task_of(nac_bytes.EXPERIMENT.settings), rows)]
    assert found == pytest.approx([3.0, 1.5849625])
    assert list(slopes(nac_bytes.task_of(nac_bytes.EXPERIMENT.settings), rows[:1])) == []


def test_networks_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is warmed up once, and another one is first in every round."""
    order: list[str] = []
    models = [lambda inputs, name=name: order.append(name) for name in ("a", "b")]
    found = beside_perceiver._processor_seconds(models, torch.zeros(3), 3)
    assert order == ["a", "b", "a", "b", "b", "a", "a", "b"]
    assert found.shape == (2, 3)
