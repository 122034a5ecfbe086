"""ni-types on tiny networks: both trained alike, one with its routing as it was drawn; figures follow from tables."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from routescope.data import load
from routescope.experiments import experiments, ni_types
from routescope.experiments.ni_types import FIXED, LEARNED, functions_in_use, mixture, network
from routescope.experiments.shared.frame import Context, Extent
from routescope.nn.interpreter.network import NeuralInterpreter
from tests.core.experiments.small import CONFIG, Made, few_samples, small

CHOSEN = small("ni-types").settings
STEPS = ["s1.i1", "s1.i2", "s2.i1", "s2.i2"]
Get = Callable[[str], Made]


def test_settings_have_two_scripts_of_two_iterations() -> None:
    extents = (Extent(), Extent(full=True), Extent(quick=True))
    usual, whole, quick = (experiments()["ni-types"].settings_of(extent) for extent in extents)
    for each in (usual, whole, quick):
        assert (each.config.scripts, each.config.iterations) == (2, 2)
        assert each.training.routing_weight == 0, "the paper rewards no routing"
    assert (whole.config.features, whole.training.steps) == (192, 150_000)
    assert quick.training.steps < usual.training.steps


@pytest.mark.slow
def test_every_step_has_a_silhouette_beside_its_null(made: Get) -> None:
    found = made("ni-types")
    rows = found.rows("clustering")
    scores = {(row["routing"], row["by"], row["step"]): row["score"] for row in rows}
    assert list(scores) == [(r, by, s) for r in (LEARNED, FIXED) for s in STEPS for by in ("unit", "label", "domain")]
    assert any(row["score"] is not None for row in rows if row["by"] == "unit")
    for row in rows:
        routing, by, step = row["routing"], row["by"], row["step"]
        where = {"routing": routing, "by": ni_types.GROUPS[by], "step": step}
        score, first, other = row["score"], scores[routing, by, STEPS[0]], scores[FIXED, by, step]
        expected: dict[str, Any] = {} if score is None else {"silhouette of types": score}
        if score is not None and step == STEPS[-1] and first is not None:
            expected["last step less the first"] = score - first
        if score is not None and routing == LEARNED and other is not None:
            expected["learned less fixed"] = score - other
        for name in ("silhouette of types", "last step less the first", "learned less fixed"):
            values = [figure["value"] for figure in found.figures(name, **where)]
            assert values == ([pytest.approx(expected[name])] if name in expected else [])
        for null in found.figures("the same with shuffled groups", **where):
            assert (null["low"], null["value"], null["high"]) == (row["null_low"], row["null_mean"], row["null_high"])


def test_maps_have_every_patch_at_every_step(made: Get) -> None:
    found, patches = made("ni-types"), 4
    for routing in (LEARNED, FIXED):
        points = found.rows("map points", routing=routing)
        assert len(points) == CHOSEN.map_samples * patches * len(STEPS)
        assert {point["step"] for point in points} == set(STEPS)
        assert np.isfinite([[point["x"], point["y"]] for point in points]).all()
        scripts = {(point["step"][:2], point["function"][:2]) for point in points if point["function"]}
        assert scripts <= {("s1", "s1"), ("s2", "s2")}, "a token's function is one of the step's own script"
        assert [row["points"] for row in found.rows("maps", routing=routing)] == [len(points)]
    assert [(row["routing"], row["domain"]) for row in found.rows("accuracies")] == [
        (routing, domain) for routing in (LEARNED, FIXED) for domain in CONFIG.domains
    ]
    assert "One training of each network" in found.record["notes"][0]
    assert not [path for path in (found.folder / "data" / "runs").rglob("*") if path.is_file()]


@pytest.mark.slow
def test_two_networks_start_alike_one_keeps_its_routing_and_each_is_trained_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few_samples(monkeypatch)
    context = Context(experiments()["ni-types"], CHOSEN)
    sets = [context.data(domain, "train", 40) for domain in CONFIG.domains]
    torch.manual_seed(CHOSEN.training.seed)
    start = NeuralInterpreter(CHOSEN.config).state_dict()
    trained = [network(context, routing, sets) for routing in (LEARNED, FIXED)]
    learned, fixed = (model.state_dict() for model in trained)
    for name, value in start.items():
        routing = any(part in name for part in ("type_inference", "sigma", "signatures"))
        assert fixed[name].equal(value) == routing, name
        if routing:
            assert learned[name].equal(value) == ("signatures" in name), "signatures are frozen in both"
    monkeypatch.setattr(ni_types, "train", lambda *_, **__: pytest.fail("trained again"))
    assert network(context, LEARNED, sets).revision == trained[0].revision


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
