"""Trials in this process and on a Ray cluster: the same numbers, the errors that end a run, and no files left."""

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
import torch

from routescope.data import load
from routescope.nn.interpreter.config import NeuralInterpreterConfig
from routescope.training.cluster import NONE, VARIABLE, ClusterError
from routescope.training.settings import TrainingSettings
from routescope.training.sweeps.running import run_trials
from routescope.training.sweeps.trial import SweepData, SweepTrial, train_trial
from routescope.training.tasks.mixture import Mixture

CONFIG = NeuralInterpreterConfig(
    features=12, code_features=8, type_features=5, iterations=2, functions=2, heads=2, key_features=6,
    type_inference_width=8, position_features=6, patch_size=16, domains=("mnist",),
)  # fmt: skip
SETTINGS = TrainingSettings(
    steps=10, batch_size=8, precision="32-true", accelerator="cpu", devices=1, learning_rate=1e-2
)


def trial(number: int = 0, **changes: Any) -> SweepTrial:
    settings = replace(SETTINGS, seed=number, **changes)
    return SweepTrial(number, {"functions": 2}, "neural_interpreter", asdict(CONFIG), asdict(settings))


def made_data() -> SweepData:
    shown = load("mnist", "train", limit=60)
    domain = torch.zeros(60, dtype=torch.int64)
    mixture = Mixture(shown.images, shown.labels, domain, ("mnist",), (("MNIST", 60),))
    return SweepData(mixture, (load("mnist", "validation", limit=40),))


data = pytest.fixture(made_data, scope="module")


def numbers(found: dict[str, Any]) -> dict[str, Any]:
    """All but the time that it took."""
    return {name: value for name, value in found.items() if name != "seconds"}


def test_a_trial_survives_json_and_trains_the_same_each_time(data: SweepData) -> None:
    first = train_trial(trial(3), data)
    torch.manual_seed(99)
    before, threads = torch.get_rng_state(), torch.get_num_threads()
    again = train_trial(SweepTrial.from_data(json.loads(json.dumps(trial(3).as_data))), data)
    assert numbers(first) == numbers(again)
    assert torch.equal(torch.get_rng_state(), before) and torch.get_num_threads() == threads
    assert numbers(train_trial(trial(4), data)) != numbers(first)
    assert first["accuracy"] == {"mnist": first["right"]["mnist"] / 40}
    assert 0 < first["learned"] < first["parameters"]  # signatures are frozen


def test_a_training_that_diverges_has_no_loss_and_is_scored(data: SweepData) -> None:
    found = train_trial(trial(learning_rate=1e30, gradient_clipping=0.0), data)
    assert found["loss"] is None and 0 <= found["accuracy"]["mnist"] <= 1


def test_here_trials_run_in_their_order_and_say_how_far_they_are(
    data: SweepData, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, NONE)
    done, said = [], []
    trials = [trial(2, steps=50), trial(1)]
    run_trials(trials, data, lambda each, found, seconds: done.append((each.number, seconds > 0)), said.append)
    assert done == [(2, True), (1, True)]
    assert said == ["trial 3: functions 2: step 50 of 50"]


def test_without_ray_it_says_how_to_get_it_or_to_do_without(data: SweepData, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(ClusterError, match=r"pip install 'routescope\[cluster\]', or set ROUTESCOPE_RAY_ADDRESS=none"):
        run_trials([trial()], data, lambda *_: None)
    run_trials([], data, lambda *_: None)  # nothing to do needs nothing


#: Runs trials on a cluster of this machine: in a process of its own, because Ray reads its environment variables when
#: it is imported.
ON_RAY = """
import json, os, sys
from dataclasses import replace
from routescope.training.cluster import LOCAL, Cluster
from routescope.training.sweeps.running import run_trials, shared_bytes
from tests.core.training.sweeps.test_running import made_data, numbers, trial

def full(*_):
    raise OSError("no space left")

data, results, errors = made_data(), {}, []
with Cluster(LOCAL, shared_bytes(data)):
    import ray
    nodes = [ray.get_runtime_context().gcs_address, *(node["NodeManagerAddress"] for node in ray.nodes())]
    trials = [trial(number) for number in range(3)]
    run_trials(trials, data, lambda each, found, _: results.update({each.number: numbers(found)}), address=LOCAL)
    joined = ray.is_initialized()
    for broken, done in ((trial(), full), (replace(trial(), architecture="no such network"), lambda *_: None)):
        try:
            run_trials([broken], data, done, address=LOCAL)
        except Exception as error:
            errors.append(f"{type(error).__name__}: {error}")
print(json.dumps({"nodes": nodes, "results": results, "joined": joined, "errors": errors}))
"""


@pytest.mark.slow
def test_a_cluster_of_this_machine(data: SweepData, tmp_path: Path) -> None:
    """The same numbers, errors that end a run, loopback addresses alone, and no file in the home folder."""
    environment = os.environ | {"HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    printed = subprocess.run([sys.executable, "-c", ON_RAY], env=environment, capture_output=True, text=True)
    assert printed.returncode == 0, printed.stderr
    told = json.loads(printed.stdout.splitlines()[-1])
    assert told["results"] == {str(n): json.loads(json.dumps(numbers(train_trial(trial(n), data)))) for n in range(3)}
    assert told["joined"], "who joined a cluster leaves it"
    assert told["errors"][0] == "OSError: no space left"
    assert told["errors"][1].startswith("ClusterError: a task failed on a node of the Ray cluster: ")
    assert "no such network" in told["errors"][1]
    assert {address.partition(":")[0] for address in told["nodes"]} == {"127.0.0.1"}
    assert {path.name for path in tmp_path.iterdir()}.isdisjoint({".ray", "ray_results"})
