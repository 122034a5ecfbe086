"""Two records of one experiment side by side: every claim with the difference, and what differs between the runs."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from routescope.experiments.results.claims import Claim
from routescope.experiments.results.rule import Judged, judged_by, values_of, welch
from routescope.experiments.results.table import CLAIMS, OWN, duration, interval, machine_of, number
from routescope.experiments.shared.schema import Record, RecordedData, read_record, record_files

#: Longest value of a setting in words.
LONGEST = 80


class UnknownRecord(KeyError):
    """No record has this name; the message says what to do."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True)
class Fact:
    """Something that differs between two runs, in words; empty where a run has none."""

    what: str
    a: str
    b: str


@dataclass(frozen=True)
class ComparedClaim:
    """A claim by two records.

    Attributes:
        difference: B minus A; None unless both have a number.
        ends: 95 % interval of the difference over trainings (Welch); None with fewer than two on a side, or for shares
            of trainings.
    """

    claim: Claim
    a: Judged
    b: Judged
    difference: float | None
    ends: tuple[float, float] | None


@dataclass(frozen=True)
class ComparedRecords:
    """Two records by name, their claims, and what differs between them."""

    id: str
    a: str
    b: str
    claims: tuple[ComparedClaim, ...]
    facts: tuple[Fact, ...]


def compare_records(experiment_id: str, a: str, b: str, folders: Iterable[Path] = ()) -> ComparedRecords:
    """Compare two records of an experiment, by their names as in ``RunSummary`` or the beginnings of these.

    Args:
        folders: of the user's own records.

    Raises:
        UnknownRecord: no such experiment, no such record of it, or several.
        RecordError: a file is no valid record.
        OSError: a file cannot be read.
    """
    folders, claims = tuple(folders), list[ComparedClaim]()
    (name_a, one), (name_b, other) = (record_named(experiment_id, name, folders) for name in (a, b))
    experiment = CLAIMS[experiment_id]
    for claim in experiment.claims:
        first, second = judged_by(claim, experiment, name_a, one), judged_by(claim, experiment, name_b, other)
        if first.value is None or second.value is None:
            claims.append(ComparedClaim(claim, first, second, None, None))
        else:
            claims.append(ComparedClaim(claim, first, second, second.value - first.value, _ends(claim, one, other)))
    return ComparedRecords(experiment_id, name_a, name_b, tuple(claims), tuple(_facts(one, other)))


def record_named(experiment_id: str, name: str, folders: Iterable[Path] = ()) -> tuple[str, Record]:
    """Return the whole name of a record of an experiment, and the record; raises UnknownRecord and RecordError."""
    if experiment_id not in CLAIMS:
        raise UnknownRecord(f"unknown experiment {experiment_id[:40]!r}; there are {', '.join(CLAIMS)}")
    paths = {
        prefix + path.name: path
        for prefix, folder in (("", None), *((OWN, folder) for folder in folders))
        for path in record_files(folder)
    }
    names = [name] if name in paths else [known for known in paths if name and known.startswith(name)]
    if len(names) != 1:
        some = "no record" if not names else "several records"
        raise UnknownRecord(f"{some} with the name {name[:80]!r}; routescope results {experiment_id} lists them")
    record = read_record(paths[names[0]])
    if record.id != experiment_id:
        raise UnknownRecord(f"{names[0]} is a record of {record.id}, not of {experiment_id}")
    return names[0], record


def _ends(claim: Claim, one: Record, other: Record) -> tuple[float, float] | None:
    """Return the interval of the difference of two records over trainings."""
    first, second = ([] if claim.repeats is None else values_of(record, claim.repeats) for record in (one, other))
    over = welch(second, first) if first and second else None
    return None if over is None or over.low is None or over.high is None else (over.low, over.high)


def difference_in_words(compared: ComparedClaim) -> str:
    """Return B minus A with its interval over trainings; empty without a difference."""
    claim, value = compared.claim, compared.difference
    if value is None:
        return ""
    words = f"{'+' * (value > 0)}{number(value, claim).replace(' %', ' points').lstrip('+')}"
    return f"{words} ({interval(compared.ends, claim)})" if compared.ends else words


# -- what differs ---------------------------------------------------------------------------------------------


def _facts(a: Record, b: Record) -> Iterator[Fact]:
    """Yield what differs, setting by setting, data set by data set."""
    for one, other in zip(_described(a), _described(b), strict=True):
        for what in dict.fromkeys((*one, *other)):
            words = one.get(what, ""), other.get(what, "")
            if words[0] != words[1]:
                yield Fact(what, *words)


def _described(record: Record) -> tuple[dict[str, str], ...]:
    return (
        {f"setting {name}": value for name, value in _flat(record.settings)},
        {f"data {entry.name}, {entry.split}": _data(entry) for entry in record.data},
        {f"seed {name}": str(seed) for name, seed in record.seeds.items()},
        {f"revision of {model.id}": model.revision for model in record.models},
        {f"version of {name}": version for name, version in record.versions.items()},
        {
            "machine": machine_of(record) or "not recorded",
            "time": duration(record.seconds),
            "date": f"{record.date:%Y-%m-%d %H:%M}",
            "command": record.command,
        },
    )


def _flat(settings: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name}.")
        else:
            words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            yield before + name, words if len(words) <= LONGEST else f"{words[: LONGEST - 3]}..."


def _data(entry: RecordedData) -> str:
    stand_in = f", a stand-in for {entry.stand_in_for}" if entry.stand_in else ""
    return f"{entry.title}, {entry.count:,} samples{stand_in} ({entry.fingerprint[:8]})"
