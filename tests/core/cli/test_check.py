"""``routescope check``: a line for each invariant, JSON, and an exit code that says whether they held."""

import json
from typing import Any

import pytest
import torch
from typer.testing import CliRunner

from routescope import assets
from routescope.cli import build
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.routing.check.invariants import INVARIANTS
from routescope.zoo import checkpoint

SIZES = MixtureConfig(domains=("sums",), context=32, layers=1, features=16, heads=2, experts=3, top_k=1, hidden=4)


@pytest.fixture(scope="module", autouse=True)
def _models() -> None:
    """One that keeps them all, and one whose third expert no token takes: its logit is the mean of the others'."""
    torch.manual_seed(0)
    sound, unsound = MixtureNetwork(SIZES), MixtureNetwork(SIZES)
    with torch.no_grad():
        rows = unsound.layers[0].experts.router.weight
        rows[2] = rows[:2].mean(dim=0)
    for name, model in (("check-sound", sound), ("check-unsound", unsound)):
        checkpoint.save(model, assets.data_dir() / "checkpoints" / name / "model.safetensors")


def run(*arguments: str) -> Any:
    return CliRunner().invoke(build(), ["check", *arguments])


def test_a_line_for_each_and_an_exit_code() -> None:
    result = run("check-sound")
    assert result.exit_code == 0, result.stdout + result.stderr
    lines = result.stdout.splitlines()
    assert len(lines) == len(INVARIANTS) + 1
    for line, invariant in zip(lines, INVARIANTS, strict=False):
        assert line.startswith(("held  ", "not applicable  ")) and invariant.sentence in line
    assert "16 samples of sums (validation)" in lines[-1]


def test_what_failed_is_told_to_people_and_to_programs() -> None:
    told = run("check-unsound")
    assert told.exit_code == 1
    assert [line for line in told.stdout.splitlines() if line.startswith("failed  ")][0].count("takes l1.e3")
    result = run("check-unsound", "--json", "--limit", "5")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert (found["model"], found["held"], found["samples"], found["data"]) == ("check-unsound", False, 5, ["sums"])
    (dead,) = (each for each in found["checks"] if each["verdict"] == "failed")
    assert dead["name"] == "alive" and dead["figures"]["dead"] == 1 and 0.4 < dead["figures"]["high"] < 0.5


def test_a_bad_question_is_answered_in_one_line() -> None:
    assert run("no-such-model").exit_code == 2
    assert run("check-sound", "--data", "listops").exit_code == 2
    assert "no split 'elsewhere'" in run("check-sound", "--split", "elsewhere").stderr


@pytest.mark.slow
def test_all_hold_of_the_bundled_mixture() -> None:
    result = run("moe-bytes", "--json", "--limit", "4")
    assert result.exit_code == 0, result.stdout
    verdicts = {each["name"]: each["verdict"] for each in json.loads(result.stdout)["checks"]}
    assert verdicts.pop("bias") == "not applicable"
    assert set(verdicts.values()) == {"held"}
