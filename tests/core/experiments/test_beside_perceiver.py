"""Circuits beside Perceiver IOs on ListOps, bytes and points: trainings, costs, and the paper's sizes."""

from collections.abc import Callable

import pytest
import torch

from routescope.data import load
from routescope.experiments import nac_bytes, nac_listops, nac_points
from routescope.experiments.shared import beside_perceiver
from routescope.experiments.shared.beside_perceiver import network_of, slopes
from routescope.experiments.shared.frame import Experiment, Extent
from routescope.routing.compute import flops_per_sample
from tests.core.experiments.small import FEW, Made, small

CASES = {
    "nac-listops": (nac_listops, "listops-short", "symbols", False),
    "nac-bytes": (nac_bytes, "reviews", "bytes", True),
    "nac-points": (nac_points, "clouds", "points", True),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_both_networks_are_trained_scored_and_timed(made: Callable[[str], Made], name: str) -> None:
    experiment, data, tokens, stand_in = CASES[name]
    found, task = made(name), experiment.task_of(small(name).settings)
    assert f"training {name}, seed 1" in found.said, "what takes long is announced"
    assert found.record["measurements"]["all"] == 6
    values = {}
    for recipe, title in ((task.nac, "NAC, scale-free prior"), (task.pio, "Perceiver IO")):
        figure, rows = found.figure("accuracy", model=title), found.rows("trainings", model=recipe)
        values[title] = figure["value"]
        assert figure["value"] == pytest.approx(sum(row["accuracy"] for row in rows) / 2)
        assert (figure["count"], figure["stand_in"]) == (2 * FEW["test"], stand_in)
        most = task.recipes[recipe].config.max_length
        longest = most if tokens == "points" else int(load(data, "test", limit=FEW["test"]).lengths.max())
        assert figure["where"][tokens] == longest <= most
        assert [row["seed"] for row in rows] == [0, 1]
    more = found.figure("more than Perceiver IO")["value"]
    assert more == pytest.approx(values["NAC, scale-free prior"] - values["Perceiver IO"], abs=1e-9)
    costs = found.rows("costs")
    assert [(row[tokens], row["model"]) for row in costs] == [
        (length, recipe) for length in (64, 128) for recipe in (task.nac, task.pio)
    ]
    assert all(row["flops"] > 0 and row["fastest_round"] <= row["processor_seconds"] for row in costs)
    assert [(each["name"], each["split"]) for each in found.record["data"]] == [(data, "test"), (data, "train")]


@pytest.mark.parametrize("name", CASES)
def test_cost_grows_no_faster_than_length(name: str) -> None:
    """Twice the tokens add as many operations as the tokens before them did, in both networks."""
    task = CASES[name][0].task_of(CASES[name][0].EXPERIMENT.settings)
    for recipe in task.recipes.values():
        flops = [flops_per_sample(network_of(recipe, length)) for length in (250, 500, 1000)]
        assert flops[2] - flops[1] == pytest.approx(2 * (flops[1] - flops[0]), rel=0.01)


@pytest.mark.parametrize(
    ("name", "length", "paper"),
    [
        ("nac-listops", 2000, {"nac-listops": 0.4140, "pio-listops": 0.3970}),
        ("nac-bytes", 4000, {"nac-bytes": 0.6818, "pio-bytes": 0.6650}),
    ],
)
def test_a_full_run_has_the_printed_lengths_and_sizes_of_table_4(
    name: str, length: int, paper: dict[str, float]
) -> None:
    experiment: Experiment = CASES[name][0].EXPERIMENT
    task = CASES[name][0].task_of(experiment.settings_of(Extent(full=True)))
    for recipe in task.recipes.values():
        config = recipe.config
        assert (config.modules, config.features, config.layers, config.max_length) == (320, 384, 8, length)
        assert config.domains == (task.data,)
    assert task.paper == paper
    if name == "nac-listops":
        assert task.data == "listops-long"
        assert not nac_listops.task_of(experiment.settings).paper, "other lengths are another task"


def test_the_exponent_is_that_of_the_two_longest_lengths() -> None:
    """Literal: 100 operations and 1 second at 10, 800 and 3 at 20; shorter lengths do not matter."""
    rows = [
        {"model": "nac-bytes", "bytes": length, "flops": flops, "processor_seconds": seconds}
        for length, flops, seconds in ((20, 800, 3.0), (10, 100, 1.0), (5, 99, 0.9))
    ]
    task = nac_bytes.task_of(nac_bytes.EXPERIMENT.settings)
    assert [figure.value for figure in slopes(task, rows)] == pytest.approx([3.0, 1.5849625])
    assert list(slopes(task, rows[:1])) == []


def test_networks_take_turns() -> None:
    """Each is warmed up once, and another one is first in every round."""
    order: list[str] = []
    models = [lambda inputs, name=name: order.append(name) for name in ("a", "b")]
    found = beside_perceiver._processor_seconds(models, torch.zeros(3), 3)
    assert order == ["a", "b", "a", "b", "b", "a", "a", "b"]
    assert found.shape == (2, 3)
