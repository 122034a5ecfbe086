"""``routescope check``: a line for each invariant, JSON, and an exit code that says whether they held."""

import json

import pytest
import torch

from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.routing.check.invariants import INVARIANTS
from tests.core.cli.program import run, run_json, save

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
        save(name, model)


def test_a_line_for_each_and_an_exit_code() -> None:
    result = run("check", "check-sound")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert len(lines) == len(INVARIANTS) + 1
    for line, invariant in zip(lines, INVARIANTS, strict=False):
        assert line.startswith(("held  ", "not applicable  ")) and invariant.sentence in line
    assert "16 samples of sums (validation)" in lines[-1]


def test_a_failed_check_is_printed_for_people_and_for_programs() -> None:
    printed = run("check", "check-unsound")
    assert printed.exit_code == 1
    assert [line for line in printed.stdout.splitlines() if line.startswith("failed  ")][0].count("takes l1.e3")
    result = run("check", "check-unsound", "--json", "--limit", "5")
    assert result.exit_code == 1
    facts = json.loads(result.stdout)
    assert (facts["model"], facts["held"], facts["samples"], facts["data"]) == ("check-unsound", False, 5, ["sums"])
    (dead,) = (finding for finding in facts["checks"] if finding["verdict"] == "failed")
    assert dead["name"] == "alive" and dead["figures"]["dead"] == 1 and 0.4 < dead["figures"]["high"] < 0.5


@pytest.mark.slow
def test_all_hold_of_the_bundled_mixture() -> None:
    checks = run_json("check", "moe-bytes", "--limit", "4")["checks"]
    verdicts = {finding["name"]: finding["verdict"] for finding in checks}
    assert verdicts.pop("bias") == "not applicable" and set(verdicts.values()) == {"held"}
