"""ni-drop on a tiny untrained network: every subset once, figures that follow from its table."""

from collections.abc import Callable
from itertools import chain, combinations
from pathlib import Path

import pytest

from routescope.data import load
from routescope.experiments import reproduce
from routescope.experiments.ni_drop import MOST_FUNCTIONS, PAPER_SAYS, subsets
from routescope.experiments.shared.frame import Extent
from routescope.routing import Intervention
from routescope.routing.caused.intervals import wilson_interval
from routescope.routing.caused.scores import evaluate
from tests.core.experiments.small import SAMPLES, Made, interpreter, only


@pytest.mark.parametrize("count", [0, 1, 4])
def test_subsets_are_all_subsets(count: int) -> None:
    units = tuple(f"f{i + 1}" for i in range(count))
    found = list(subsets(units))
    assert sorted(found) == sorted(chain.from_iterable(combinations(units, size) for size in range(count + 1)))
    assert (found[0], found[-1]) == ((), units)


def test_every_subset_is_scored_once_on_every_domain(made: Callable[[str], Made]) -> None:
    found, network = made("ni-drop"), interpreter()
    for domain in ("mnist", "mnist-m"):
        data, rows = load(domain, "validation", limit=SAMPLES), found.rows("subsets", domain=domain)
        assert sorted(tuple(row["dropped"]) for row in rows) == sorted(subsets(network.units))
        for row in rows:
            score = evaluate(network, data, Intervention(drop=tuple(row["dropped"])))
            assert (row["accuracy"], row["count"]) == (score.accuracy, SAMPLES)
            assert (row["low"], row["high"]) == wilson_interval(int(score.correct.sum()), SAMPLES)
            assert row["loss"] == pytest.approx(score.mean_loss, abs=1e-6)


def test_figures_follow_from_the_rows(made: Callable[[str], Made]) -> None:
    found = made("ni-drop")
    assert len(found.record["figures"]) == 2 * 4 * 4
    for figure in found.record["figures"]:
        where = figure["where"]
        rows = found.rows("subsets", domain=where["domain"])
        same = [row["accuracy"] for row in rows if len(row["dropped"]) == where["dropped"]]
        mean = sum(same) / len(same)
        expected = {"mean": mean, "least": min(same), "most": max(same), "accuracy": mean}[figure["name"].split()[0]]
        assert where["subsets"] == len(same) and figure["value"] == pytest.approx(expected)
        if figure["name"] == "accuracy after random drops":
            assert min(same) - 1e-9 <= figure["low"] and figure["high"] <= max(same) + 1e-9
            assert (figure["high"] - figure["low"] > 1e-9) == (len(set(same)) > 1)
        assert figure["low"] >= 0 and figure["high"] <= 1
        assert figure["paper_says"] == PAPER_SAYS, "Figure 5c is a curve without numbers"
        assert figure["stand_in"] == (where["domain"] == "mnist-m")


def test_too_many_functions_are_refused(tmp_path: Path) -> None:
    network = interpreter(functions=MOST_FUNCTIONS + 1)
    with pytest.raises(ValueError, match="up to 12 are accepted"):
        reproduce("ni-drop", Extent(quick=True), folder=tmp_path, load_model=only(network))
