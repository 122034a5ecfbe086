"""The bundled records: what they must say, and that the sweep's tables follow from its trials."""

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from routescope.experiments import ni_sweep
from routescope.experiments.ni_sweep import FROZEN, MEAN, SYMBOLS
from routescope.experiments.shared.catalogue import find
from routescope.experiments.shared.schema import LARGEST_PLAIN, LAYOUT, read_record, record_files, text_of
from routescope.training.sweeps.found import columns

RECORDS = record_files()
#: A folder of a machine, at the start of a word.
MACHINE_PATH = re.compile(r"(?:^|[\s=:'\"(])(?:/(?:home|root|tmp|work|mnt|opt|usr|var|Users)\b|[A-Za-z]:\\)")


def read(path: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(text_of(path))
    return record


def test_large_records_lie_packed() -> None:
    assert RECORDS and {path.suffix for path in RECORDS} == {".json", ".gz"}
    assert all((len(text_of(path).encode()) > LARGEST_PLAIN) == (path.suffix == ".gz") for path in RECORDS)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_a_record_says_what_it_is_of_and_names_no_folder_of_a_machine(path: Path) -> None:
    record = read(path)
    assert MACHINE_PATH.search(text_of(path)) is None
    assert path.stem.startswith(f"{record['id']}-") and record["layout"] in (1, LAYOUT)
    assert read_record(path).model_dump(mode="json", exclude={"layout", "machine", "notes", "date"}) == {
        name: value for name, value in record.items() if name not in ("layout", "machine", "notes", "date")
    }
    experiment = find(record["id"])
    assert record["title"] == experiment.title and record["paper"] == experiment.paper_reference
    assert record["command"].startswith(f"routescope reproduce {record['id']}")
    assert record["seconds"] > 0 and record["measurements"]["all"] > 0 and record["data"]
    assert record["figures"]
    for figure in record["figures"]:
        if figure["low"] is not None and figure["high"] is not None:
            assert figure["low"] <= figure["high"], figure["name"]


def test_patterns_of_the_sweep_follow_from_its_trials() -> None:
    (path,) = (path for path in RECORDS if path.name.startswith("ni-sweep-"))
    record = read(path)
    trials, domains = record["tables"]["trials"], record["settings"]["network"]["domains"]
    assert len(trials) == record["settings"]["trials"] == 64
    assert record["seconds"] == pytest.approx(sum(row["seconds"] for row in trials), abs=0.1)
    runs = columns(trials, ("trial", *SYMBOLS, *FROZEN, *domains, MEAN))
    again = ni_sweep.patterns_of(runs, domains)
    assert [row["here"] for row in again] == [row["here"] for row in record["tables"]["patterns"]]
    for now, then in zip(again, record["tables"]["patterns"], strict=True):
        assert now == {**then, **{name: pytest.approx(then[name]) for name in ("value", "low", "high")}}


MODELS = (Path(__file__).resolve().parents[3] / "docs" / "models.md").read_text()


def record_of(name: str) -> dict[str, Any]:
    (path,) = (path for path in RECORDS if path.name.startswith(name))
    return read(path)


@pytest.mark.parametrize("name", ["nac-points-", "nac-listops-", "nac-bytes-9"])
def test_documented_intervals_over_seeds_follow_from_the_trainings(name: str) -> None:
    accuracies: dict[int, dict[bool, float]] = defaultdict(dict)
    for row in record_of(name)["tables"]["trainings"]:
        accuracies[row["seed"]][row["model"].startswith("nac")] = row["accuracy"]
    ahead = [100 * (pair[True] - pair[False]) for pair in accuracies.values()]
    mean, spread = np.mean(ahead), stats.t.ppf(0.975, len(ahead) - 1) * stats.sem(ahead)
    low, high = mean - spread, mean + spread
    assert re.search(rf"\| {mean:.1f};[^|\n]*over seeds {low:.1f} to {high:.1f} \|", MODELS), (mean, low, high)


def test_the_documented_shares_of_removed_modules_and_links_are_the_records() -> None:
    shares: dict[str, list[str]] = defaultdict(list)
    for name, figure in (
        ("nac-drop-", "largest share dropped at less than 3 points lost"),
        ("nac-edges-", "largest share removed at less than 3 points lost"),
    ):
        for row in record_of(name)["figures"]:
            if row["name"] == figure and row["where"].get("order") != "strongest first":
                shares[row["where"]["model"]].append(f"{row['value']:.0%}".replace("%", " %"))
    priors = ("scale-free", "planted-partition", "ring-of-cliques", "Erdos-Renyi")
    lines = [f"| {prior.replace('-', ' ')} | {' | '.join(shares[f'NAC, {prior} prior'])} |" for prior in priors]
    lines += [f"| Perceiver IO, latents | | {shares['Perceiver IO'][0]} | |"]
    text = MODELS.replace("| scale-free |", "| scale free |").replace("| Erdos-Renyi |", "| Erdos Renyi |")
    assert not [line for line in lines if line not in text]


def test_the_documented_few_shots_are_the_records() -> None:
    rows: dict[int, dict[str, Any]] = defaultdict(dict)
    for figure in record_of("nac-fewshot-")["figures"]:
        where = figure["where"]
        if where["ways"] == 8 and figure["name"] in ("accuracy", "more than Perceiver IO"):
            rows[where["shots"]][figure["name"] + where["model"][:3]] = figure
    for shots, of in sorted(rows.items()):
        accuracies = [f"{100 * of['accuracy' + model]['value']:.1f} %" for model in ("NAC", "Per")]
        ahead = [f"{100 * of['more than Perceiver IONAC'][end]:.1f}" for end in ("value", "low", "high")]
        line = f"| {shots} | {' | '.join(accuracies)} | {ahead[0]} ({ahead[1]} to {ahead[2]}) |"
        assert line in MODELS, line
