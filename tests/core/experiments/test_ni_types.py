"""ni-types on tiny networks: both trained alike, one with its routing as it was drawn; figures follow from tables."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from routescope import assets
from routescope.data import load
from routescope.experiments import experiments, ni_types, reproduce
from routescope.experiments.ni_types import FIXED, LEARNED, Settings, functions_in_use, mixture, network
from routescope.experiments.shared.frame import Context, Extent
from routescope.nn.interpreter.network import NeuralInterpreter
from routescope.training.settings import TrainingSettings
from routescope.training.tasks import pictures
from tests.core.experiments.interpreters import CONFIG

TRAINING = TrainingSettings(
    steps=4,
    batch_size=8,
    learning_rate=1e-2,
    precision="32-true",
    accelerator="cpu",
    devices=1,
    minutes=5,
    validate_every=4,
)
SMALL = Settings(
    config=replace(CONFIG, scripts=2, iterations=2),
    training=TRAINING,
    train_limit=40,
    samples=12,
    shuffles=10,
    map_samples=4,
)
STEPS = ["s1.i1", "s1.i2", "s2.i1", "s2.i2"]


@pytest.fixture(autouse=True, scope="module")
def few_samples() -> Iterator[None]:
    def few(name: str, split: str, *_: Any, limit: int | None = None, **__: Any) -> Any:
        return load(name, split, limit=limit or 20)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "load", lambda name, split, *_, **__: load(name, split, limit=20))
        patch.setattr("routescope.experiments.shared.frame.load", few)
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    folder = tmp_path_factory.mktemp("ni-types")
    experiment = replace(experiments()["ni-types"], settings=SMALL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assets, "data_dir", lambda: folder / "data")
        return reproduce(experiment, folder=folder / "results")[0], folder


def test_settings_have_two_scripts_of_two_iterations() -> None:
    experiment = experiments()["ni-types"]
    extents = (Extent(), Extent(full=True), Extent(quick=True))
    usual, whole, quick = (experiment.settings_of(each) for each in extents)
    for each in (usual, whole, quick):
        assert (each.config.scripts, each.config.iterations) == (2, 2)
        assert each.training.routing_weight == 0, "the paper rewards no routing"
    assert (whole.config.features, whole.training.steps) == (192, 150_000)
    assert quick.training.steps < usual.training.steps


def test_every_step_has_a_silhouette_beside_its_null(made: Any) -> None:
    record, _ = made
    rows = record["tables"]["clustering"]
    keys = [(row["routing"], row["step"], row["by"]) for row in rows]
    assert keys == [(r, s, by) for r in (LEARNED, FIXED) for s in STEPS for by in ("unit", "label", "domain")]
    figures = {
        (f["name"], f["where"]["routing"], f["where"]["by"], f["where"]["step"]): f
        for f in record["figures"]
        if "step" in f["where"]
    }
    assert any(row["score"] is not None for row in rows if row["by"] == "unit")
    for row in rows:
        key = (row["routing"], ni_types.GROUPS[row["by"]], row["step"])
        if row["score"] is None:
            assert ("silhouette of types", *key) not in figures
            continue
        assert figures[("silhouette of types", *key)]["value"] == row["score"]
        null = figures[("the same with shuffled groups", *key)]
        assert (null["low"], null["value"], null["high"]) == (row["null_low"], row["null_mean"], row["null_high"])
        first = next(r for r in rows if (r["routing"], r["by"], r["step"]) == (row["routing"], row["by"], STEPS[0]))
        if row["step"] == STEPS[-1] and first["score"] is not None:
            assert figures[("last step less the first", *key)]["value"] == pytest.approx(row["score"] - first["score"])
        other = next(r for r in rows if (r["routing"], r["by"], r["step"]) == (FIXED, row["by"], row["step"]))
        if row["routing"] == LEARNED and other["score"] is not None:
            assert figures[("learned less fixed", *key)]["value"] == pytest.approx(row["score"] - other["score"])


def test_maps_have_every_patch_at_every_step(made: Any) -> None:
    record, _ = made
    points = record["tables"]["map points"]
    patches = 4
    for routing in (LEARNED, FIXED):
        own = [point for point in points if point["routing"] == routing]
        assert len(own) == SMALL.map_samples * patches * len(STEPS)
        assert {point["step"] for point in own} == set(STEPS)
        assert np.isfinite([[point["x"], point["y"]] for point in own]).all()
        scripts = {(point["step"][:2], point["function"][:2]) for point in own if point["function"]}
        assert scripts <= {("s1", "s1"), ("s2", "s2")}, "a token's function is one of the step's own script"
    assert [row["points"] for row in record["tables"]["maps"]] == [SMALL.map_samples * patches * len(STEPS)] * 2


def test_accuracies_and_notes_say_what_was_trained(made: Any) -> None:
    record, folder = made
    assert [(row["routing"], row["domain"]) for row in record["tables"]["accuracies"]] == [
        (routing, domain) for routing in (LEARNED, FIXED) for domain in CONFIG.domains
    ]
    assert "One training of each network" in record["notes"][0]
    assert not list((folder / "data" / "runs" / "ni-types").glob("*")), "networks of a run that is done are gone"


def test_the_two_networks_start_alike_and_one_keeps_its_routing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path)
    context = Context(experiments()["ni-types"], SMALL)
    sets = [context.data(domain, "train", 40) for domain in CONFIG.domains]
    torch.manual_seed(TRAINING.seed)
    start = NeuralInterpreter(SMALL.config).state_dict()
    learned, fixed = (network(context, routing, sets).state_dict() for routing in (LEARNED, FIXED))
    for name, value in start.items():
        routing = any(part in name for part in ("type_inference", "sigma", "signatures"))
        assert fixed[name].equal(value) == routing, name
        if "type_inference" in name or "sigma" in name:
            assert not learned[name].equal(value), name
        elif "signatures" in name:
            assert learned[name].equal(value), "frozen in both"


def test_a_trained_network_is_not_trained_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path)
    context = Context(experiments()["ni-types"], SMALL)
    sets = [context.data(domain, "train", 40) for domain in CONFIG.domains]
    first = network(context, LEARNED, sets)

    def again(*_: Any, **__: Any) -> Callable[..., None]:
        raise AssertionError("it is there")

    monkeypatch.setattr(ni_types, "train", again)
    assert network(context, LEARNED, sets).revision == first.revision


def test_samples_keep_their_domains() -> None:
    sets = [load(name, "train", limit=count) for name, count in (("mnist", 3), ("mnist-m", 5))]
    mixed = mixture(sets)
    assert mixed.domain.tolist() == [0] * 3 + [1] * 5 and mixed.domains == ("mnist", "mnist-m")
    assert mixed.images[3:].equal(sets[1].images) and [count for _, count in mixed.parts] == [3, 5]


@pytest.mark.parametrize(
    ("unit", "expected"), [([0, 0, 0], 1.0), ([0, 1, 2, 3], 4.0), ([-1, -1], 0.0), ([-1, 2, 5], 2.0)]
)
def test_functions_in_use_are_as_many_as_are_equally_often_the_closest(unit: list[int], expected: float) -> None:
    assert functions_in_use(np.array(unit)) == pytest.approx(expected)
