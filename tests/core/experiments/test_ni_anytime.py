"""ni-anytime on a tiny untrained network: every number of iterations once, and what half of them keep."""

from collections.abc import Callable
from pathlib import Path

import pytest

from routescope.data import load
from routescope.experiments import reproduce
from routescope.routing import Intervention
from routescope.routing.caused.scores import evaluate
from tests.core.experiments.small import SAMPLES, Made, interpreter, only, small


def test_every_number_from_none_to_twice_the_trained_is_scored(made: Callable[[str], Made]) -> None:
    found, model = made("ni-anytime"), interpreter()
    for domain in ("mnist", "mnist-m"):
        data, rows = load(domain, "validation", limit=SAMPLES), found.rows("iterations", domain=domain)
        assert [row["iterations"] for row in rows] == [0, 1, 2, 3, 4]
        for row in rows:
            score = evaluate(model, data, Intervention(iterations=row["iterations"]))
            assert (row["accuracy"], row["count"]) == (score.accuracy, SAMPLES)
            assert row["loss"] == pytest.approx(score.mean_loss, abs=1e-6)
        flops = [row["flops"] for row in rows]
        assert flops == sorted(set(flops)), "each iteration costs"
        kept = found.figure("share of the full accuracy at half the iterations", domain=domain)
        assert kept["value"] == pytest.approx(rows[1]["accuracy"] / rows[2]["accuracy"])
        assert kept["where"]["compute"] == f"{flops[1] / flops[2]:.0%}"


def test_a_network_that_can_run_no_more_is_asked_for_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = interpreter()
    monkeypatch.setattr(type(model), "most_iterations", property(lambda self: 3))
    record, _ = reproduce(small("ni-anytime", limit=2), folder=tmp_path, load_model=only(model))
    assert {row["iterations"] for row in record["tables"]["iterations"]} == {0, 1, 2, 3}
