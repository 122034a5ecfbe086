"""ni-sweep at a tiny size: Table 6, the same trials wherever and whenever they run, patterns that follow from rows."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

from routescope.data import load
from routescope.experiments import ni_sweep, reproduce
from routescope.experiments.ni_sweep import AGREES, DISAGREES, FULL, NONE_FOUND, PATTERNS, TABLE_6, UNTOLD
from routescope.routing.caused.intervals import wilson_interval
from routescope.training.cluster import NONE, VARIABLE
from routescope.training.space import drawn
from routescope.training.sweeps.found import Estimate, columns, estimate
from routescope.training.sweeps.running import run_trials
from routescope.training.sweeps.trial import SweepTrial
from tests.core.experiments.small import Made, small

mpl.use("Agg")

Get = Callable[[str], Made]
TINY = small("ni-sweep").settings


def test_table_6_as_it_is_printed() -> None:
    found = [drawn(TABLE_6, 1, number) for number in range(2_000)]
    values = {name: {each[name] for each in found} for name in found[0]}
    assert min(values["tau"]) >= 0.7 and max(values["tau"]) <= 1.7 and len(values["tau"]) == 2_000
    assert values["type_features"] == {8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48}
    assert values["functions"] == {1, 2, 3, 4, 5}
    shapes = {(each["scripts"], each["iterations"], each["locs"]) for each in found}
    assert shapes == {(2, 2, 2), (2, 4, 1), (4, 2, 1), (1, 8, 1)}
    assert all(values[f"frozen_{what}"] == {True, False} for what in ("signatures", "codes", "patch_embeddings"))
    assert len(values) == 9


def test_a_trial_is_the_same_in_every_sweep_of_its_seed() -> None:
    few, many = ni_sweep.trials_of(TINY), ni_sweep.trials_of(replace(TINY, trials=9))
    assert many[:3] == few
    assert len({each.name for each in many}) == 9
    assert [each.training.seed for each in many] == list(range(9))
    assert ni_sweep.trials_of(replace(TINY, seed=1))[0].drawn != few[0].drawn
    assert json.loads(json.dumps(few[1].as_data)).keys() == few[1].as_data.keys()


@pytest.mark.slow
def test_a_row_has_the_draws_and_scores_of_a_trial_and_smaller_settings_are_named(made: Get) -> None:
    found = made("ni-sweep")
    for trial, row in zip(ni_sweep.trials_of(TINY), found.rows("trials"), strict=True):
        assert {name: row[name] for name in trial.drawn} == trial.drawn
        assert row["mean"] == (row["mnist"] + row["street-digits"]) / 2
    assert [(each["name"], each["split"], each["count"]) for each in found.record["data"]] == [
        ("mnist", "train", 4000),
        ("street-digits", "train", 20),
        ("mnist", "validation", 20),
        ("street-digits", "validation", 20),
    ]
    assert [row["count"] for row in found.rows("training")] == [4000, 20]
    assert ni_sweep.scaled(FULL) == [] and FULL.trials == 100 and ni_sweep.EXPERIMENT.settings.trials >= 60
    named = {row["what"]: (row["here"], row["printed"]) for row in found.rows("scaled")}
    assert named["features"] == (8, 192) and named["steps"] == (2, 150_000) and named["tokenizer"][1] == "linear"
    assert named["trials"] == (3, 100) and "seed" not in named
    total = sum(row["seconds"] for row in found.rows("trials"))
    assert found.record["seconds"] == pytest.approx(total, abs=0.01)


@pytest.mark.slow
def test_trials_may_end_in_any_order(made: Get, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def last_first(trials: Sequence[SweepTrial], *arguments: Any) -> None:
        run_trials(trials[::-1], *arguments)

    monkeypatch.setenv(VARIABLE, NONE)
    monkeypatch.setattr(ni_sweep, "run_trials", last_first)
    counts: list[tuple[int, int]] = []
    again, _ = reproduce(
        small("ni-sweep"), folder=tmp_path, progress=lambda done, total, words: counts.append((done, total))
    )
    assert counts == [(0, 3), (1, 3), (2, 3), (3, 3)]
    whole, timeless = made("ni-sweep").record, {"seconds": None}
    rows = [[row | timeless for row in record["tables"]["trials"]] for record in (again, whole)]
    assert rows[0] == rows[1] and again["figures"] == whole["figures"]


# -- patterns ------------------------------------------------------------------------------------------------


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ni_sweep, "estimate", partial(estimate, resamples=200))


Accuracy = Callable[[dict[str, Any], float], float]


def rows_of(accuracy: Accuracy, trials: int = 120) -> list[dict[str, Any]]:
    """Return rows of a sweep with made accuracies, which depend on the draws and on a little noise."""
    random, found = np.random.default_rng(0), []
    for number in range(trials):
        values = drawn(TABLE_6, 3, number)
        score = float(np.clip(accuracy(values, random.normal()), 0, 1))
        domains = {"mnist": score, "mnist-m": score, "street-digits": score}
        found.append({"trial": number + 1, **values, **domains, "mean": score})
    return found


def as_the_paper(values: dict[str, Any], noise: float) -> float:
    """With one function most fail, with five none; frozen ones are a little better, but for codes."""
    if values["functions"] == 1 and noise < 1:
        return 0.2 + 0.01 * noise
    frozen = 0.06 * values["frozen_signatures"] + 0.06 * values["frozen_patch_embeddings"]
    return 0.75 + frozen - 0.01 * values["frozen_codes"] + 0.01 * noise


def turned(values: dict[str, Any], noise: float) -> float:
    if values["functions"] > 1 or (values["scripts"], values["locs"]) == (2, 2):
        return 0.2 + 0.01 * noise
    return 0.8 + 0.001 * noise


def steadied(power: int) -> Accuracy:
    return lambda values, noise: 0.5 + 0.05 * noise * values["scripts"] ** power


@pytest.mark.usefixtures("few_draws")
@pytest.mark.parametrize(
    ("accuracy", "words", "expected"),
    [
        (as_the_paper, "share of runs with one function", AGREES),
        (as_the_paper, "best run with one function", AGREES),
        (as_the_paper, "minus that with five", AGREES),
        (as_the_paper, "best run of the worst", AGREES),
        (turned, "minus that with five", DISAGREES),
        (turned, "best run of the worst", NONE_FOUND),
        (steadied(-1), "minus that with four", AGREES),
        (steadied(1), "minus that with four", DISAGREES),
    ],
)
def test_patterns_are_found_or_said_to_be_turned_round(
    accuracy: Accuracy, words: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ni_sweep, "PATTERNS", tuple(each for each in PATTERNS if words in each.name))
    domains = FULL.network.domains
    names = ("trial", *ni_sweep.SYMBOLS, *ni_sweep.FROZEN, *domains, "mean")
    found = ni_sweep.patterns_of(columns(rows_of(accuracy), names), domains)
    assert {row["here"] for row in found if words in row["number"]} == {expected}


@pytest.mark.slow
@pytest.mark.usefixtures("few_draws")
def test_a_share_has_wilsons_interval_and_a_figure_says_how_it_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    patterns = tuple(pattern for pattern in PATTERNS if pattern.name.startswith("share of runs with one"))
    monkeypatch.setattr(ni_sweep, "PATTERNS", patterns)
    rows = rows_of(as_the_paper)
    found = ni_sweep.outcome(rows, [load(domain, "validation", limit=10) for domain in FULL.network.domains])
    single = [row["mnist"] for row in rows if row["functions"] == 1]
    failed = sum(score < (0.1 + max(row["mnist"] for row in rows)) / 2 for score in single)
    row = next(row for row in found.tables["patterns"] if row["number"].startswith("share of runs with one"))
    assert (row["low"], row["high"]) == wilson_interval(failed, len(single)) and row["runs"] == len(single)
    figure = next(figure for figure in found.figures if figure.name == row["number"])
    assert figure.value == row["value"] and figure.paper is None
    assert figure.paper_says.endswith("It holds above 0.5; here: agrees.")
    by_name = {(each["hyper-parameter"], each["score"]): each for each in found.tables["correlations"]}
    assert by_name["functions", "mnist"]["low"] > 0
    assert by_name["tau", "mean"]["low"] < 0 < by_name["tau", "mean"]["high"]


@pytest.mark.parametrize(
    ("ends", "below", "judged"),
    [
        ((0.2, 0.1, 0.3), False, AGREES),
        ((0.2, 0.1, 0.3), True, DISAGREES),
        ((0.2, -0.1, 0.3), False, UNTOLD),
        ((-0.2, -0.3, -0.1), False, DISAGREES),
        ((0.2, None, None), False, UNTOLD),
        ((None, None, None), False, UNTOLD),
    ],
)
def test_only_a_whole_interval_agrees(ends: tuple[float | None, ...], below: bool, judged: str) -> None:
    assert replace(PATTERNS[5], below=below).judged(Estimate(*ends)) == judged
