"""ni-sweep at a tiny size: Table 6, the same trials wherever and whenever they run, patterns that follow from rows."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

from routescope import assets
from routescope.data import Dataset, load
from routescope.experiments import ni_sweep, reproduce
from routescope.experiments.ni_sweep import AGREES, DISAGREES, FULL, NONE_FOUND, PART, PATTERNS, TABLE_6, UNTOLD
from routescope.routing.caused.intervals import wilson_interval
from routescope.training.cluster import NONE, VARIABLE
from routescope.training.sweeps.found import Estimate, columns
from routescope.training.sweeps.running import run_trials
from routescope.training.sweeps.space import drawn
from routescope.training.sweeps.trial import SweepTrial

mpl.use("Agg")

NETWORK = replace(
    PART.network, features=8, code_features=8, key_features=4, type_inference_width=8, position_features=4,
    patch_size=16, domains=("mnist", "street-digits"),
)  # fmt: skip
TINY = replace(
    PART, network=NETWORK, training=replace(PART.training, steps=2, batch_size=8), trials=3, street=20, limit=20
)
EXPERIMENT = replace(ni_sweep.EXPERIMENT, settings=TINY)


def swept(folder: Path, progress: Callable[[int, int, str], None] | None = None) -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assets, "data_dir", lambda: folder / "data")
        patch.setenv(VARIABLE, NONE)
        return reproduce(EXPERIMENT, folder=folder / "results", progress=progress)[0]


def numbers(record: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of trials, but for the time that they took."""
    return [{name: value for name, value in row.items() if name != "seconds"} for row in record["tables"]["trials"]]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return swept(tmp_path_factory.mktemp("here"))


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


def test_what_is_not_as_printed_is_named(record: dict[str, Any]) -> None:
    assert ni_sweep.scaled(FULL) == []
    assert FULL.trials == 100 and ni_sweep.EXPERIMENT.settings.trials >= 60
    named = {row["what"]: (row["here"], row["printed"]) for row in record["tables"]["scaled"]}
    assert named["features"] == (8, 192) and named["steps"] == (2, 150_000) and named["tokenizer"][1] == "linear"
    assert named["trials"] == (3, 100) and "seed" not in named


def test_a_row_says_what_was_drawn_and_found(record: dict[str, Any]) -> None:
    for trial, row in zip(ni_sweep.trials_of(TINY), record["tables"]["trials"], strict=True):
        assert {name: row[name] for name in trial.drawn} == trial.drawn
        assert row["mean"] == (row["mnist"] + row["street-digits"]) / 2
    assert [(each["name"], each["split"], each["count"]) for each in record["data"]] == [
        ("mnist", "train", 4000),
        ("street-digits", "train", 20),
        ("mnist", "validation", 20),
        ("street-digits", "validation", 20),
    ]
    assert [row["count"] for row in record["tables"]["training"]] == [4000, 20]


def test_an_interrupted_sweep_continues_and_trials_may_end_in_any_order(
    record: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(done: int, total: int, words: str) -> None:
        if done:
            raise KeyboardInterrupt

    def last_first(trials: Sequence[SweepTrial], *arguments: Any) -> None:
        run_trials(trials[::-1], *arguments)

    with pytest.raises(KeyboardInterrupt):
        swept(tmp_path, stop)
    monkeypatch.setattr(ni_sweep, "run_trials", last_first)
    counts: list[tuple[int, int]] = []
    found = swept(tmp_path, lambda done, total, words: counts.append((done, total)))
    assert found["measurements"] == {"all": 3, "from_an_interrupted_run": 1}
    assert counts == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert numbers(found) == numbers(record)
    assert found["figures"] == record["figures"]
    assert found["seconds"] == pytest.approx(sum(row["seconds"] for row in found["tables"]["trials"]), abs=0.01)


# -- patterns ------------------------------------------------------------------------------------------------


def rows(accuracy: Callable[[dict[str, Any], float], float], trials: int = 120) -> list[dict[str, Any]]:
    """Rows of a sweep whose accuracies are made: told what was drawn, and a little noise."""
    random, found = np.random.default_rng(0), []
    for number in range(trials):
        values = drawn(TABLE_6, 3, number)
        score = float(np.clip(accuracy(values, random.normal()), 0, 1))
        domains = {"mnist": score, "mnist-m": score, "street-digits": score}
        found.append({"trial": number + 1, **values, **domains, "mean": score})
    return found


def sets() -> list[Dataset]:
    return [load(domain, "validation", limit=10) for domain in FULL.network.domains]


def as_the_paper(values: dict[str, Any], noise: float) -> float:
    """With one function most fail, with five none; frozen ones are a little better, but for codes."""
    if values["functions"] == 1 and noise < 1:
        return 0.2 + 0.01 * noise
    frozen = 0.06 * values["frozen_signatures"] + 0.06 * values["frozen_patch_embeddings"]
    return 0.75 + frozen - 0.01 * values["frozen_codes"] + 0.01 * noise


def judged(accuracy: Callable[[dict[str, Any], float], float], number: str) -> set[str]:
    """How the patterns of that name are judged, on all domains."""
    domains = FULL.network.domains
    names = ("trial", *ni_sweep.SYMBOLS, *ni_sweep.FROZEN, *domains, "mean")
    found = ni_sweep.patterns_of(columns(rows(accuracy), names), domains)
    return {row["here"] for row in found if number in row["number"]}


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Leaves the patterns alone whose number has these words in its name."""
    return lambda words: monkeypatch.setattr(
        ni_sweep, "PATTERNS", tuple(each for each in PATTERNS if words in each.name)
    )


@pytest.mark.parametrize(
    "words",
    ["share of runs with one function", "best run with one function", "minus that with five", "best run of the worst"],
)
def test_patterns_that_are_there_are_found(words: str, only: Callable[[str], None]) -> None:
    only(words)
    assert judged(as_the_paper, words) == {AGREES}


@pytest.mark.parametrize(
    ("words", "expected"), [("minus that with five", DISAGREES), ("best run of the worst", NONE_FOUND)]
)
def test_patterns_that_are_turned_round_are_said_to_be(words: str, expected: str, only: Callable[[str], None]) -> None:
    def turned(values: dict[str, Any], noise: float) -> float:
        if values["functions"] > 1 or (values["scripts"], values["locs"]) == (2, 2):
            return 0.2 + 0.01 * noise
        return 0.8 + 0.001 * noise

    only(words)
    assert judged(turned, words) == {expected}


@pytest.mark.parametrize(("power", "expected"), [(-1, AGREES), (1, DISAGREES)])
def test_scripts_steady_where_accuracies_spread_less_with_more_of_them(
    power: int, expected: str, only: Callable[[str], None]
) -> None:
    only("minus that with four")
    assert judged(lambda v, noise: 0.5 + 0.05 * noise * v["scripts"] ** power, "minus that with four") == {expected}


@pytest.mark.slow
def test_a_share_has_wilsons_interval_and_a_figure_says_how_it_is_judged() -> None:
    made = rows(as_the_paper)
    found = ni_sweep.outcome(made, sets())
    single = [row["mnist"] for row in made if row["functions"] == 1]
    failed = sum(score < (0.1 + max(row["mnist"] for row in made)) / 2 for score in single)
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


def test_the_figures_are_drawn_from_the_record_as_it_was_written(record: dict[str, Any]) -> None:
    assert EXPERIMENT.plot is not None
    drawn_figures = EXPERIMENT.plot(json.loads(json.dumps(record)))
    assert list(drawn_figures) == ["boxes", *(f"figure-{number}" for number in range(11, 17))]
    assert [len(drawn_figures[f"figure-{number}"].axes) for number in (11, 12, 13)] == [2, 2, 3]
    with pytest.raises(ValueError, match="ni-drop is no sweep"):
        EXPERIMENT.plot({"id": "ni-drop", "tables": {"subsets": []}})
