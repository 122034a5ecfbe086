"""The bundled records: what they must say, and that the sweep's tables follow from its trials."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from routescope.experiments import ni_sweep
from routescope.experiments.ni_sweep import FROZEN, MEAN, SYMBOLS
from routescope.experiments.shared.catalogue import find
from routescope.experiments.shared.record import LARGEST_PLAIN, bundled_records, text_of
from routescope.training.sweeps.found import columns

RECORDS = bundled_records()
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
    assert path.stem.startswith(f"{record['id']}-") and record["layout"] == 1
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
