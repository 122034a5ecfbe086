"""The table of results: every experiment of the papers, also those without a run, from the records of some folders."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from routescope.experiments.results import blocks, circuits, interpreters
from routescope.experiments.results.claims import Claim, Difference, Link, PaperClaims
from routescope.experiments.results.rule import RULE, Data, Judged, Verdict, differences, judge, verdict
from routescope.experiments.shared.schema import Record, RecordError, read_record, record_files

CLAIMS: dict[str, PaperClaims] = {
    experiment.id: experiment for experiment in (*interpreters.CLAIMS, *circuits.CLAIMS, *blocks.CLAIMS)
}

#: Beginning of the names of the user's own records.
OWN = "own/"
#: Data of our numbers, the least like the paper's first.
WORST: tuple[Data, ...] = ("other", "stand-in", "the paper's")


@dataclass(frozen=True)
class Unreadable:
    """A file of a folder that is no valid record, and why."""

    file: str
    why: str


@dataclass(frozen=True)
class RunSummary:
    """One record of an experiment in short.

    Attributes:
        file: its name, after ``own/`` for a record of the user.
        used: whether a claim uses its numbers.
        data: titles of its data sets.
        stand_in: whether some of them are stand-ins.
        models: revision of each model by id.
        version: of Routescope.
        machine: None if the record does not say.
        differences: settings that differ from print.
    """

    file: str
    date: str
    used: bool
    quick: bool
    command: str
    seconds: float
    data: tuple[str, ...]
    stand_in: bool
    models: Mapping[str, str]
    version: str
    machine: str | None
    notes: tuple[str, ...]
    differences: tuple[Difference, ...]


@dataclass(frozen=True)
class Result:
    """An experiment: what the paper claims, what came out here, and the verdict.

    Attributes:
        paper, paper_title, source: the paper, and its tables and figures.
        why: counts of the outcomes, a sentence.
        trainings: most repeats that one of its numbers has, in words.
        data: what its numbers were measured on; None without a run.
        printed_sizes: whether nothing differs from print in the records that claims use.
        seconds: of all its records together.
        command: repeats the record that most claims use; runs it first without a record.
    """

    id: str
    title: str
    paper: str
    paper_title: str
    source: str
    verdict: Verdict
    why: str
    claims: tuple[Judged, ...]
    runs: tuple[RunSummary, ...]
    trainings: str
    data: Data | None
    printed_sizes: bool
    seconds: float
    command: str
    links: tuple[Link, ...]


def read_records(folders: Iterable[Path] = ()) -> tuple[dict[str, Record], list[Unreadable]]:
    """Return the valid records by name, and the files that are none, each with a sentence.

    A bundled record has the name of its file, one of ``folders`` that name after ``own/``; a later folder wins.
    """
    records: dict[str, Record] = {}
    unreadable = []
    for prefix, folder in (("", None), *((OWN, folder) for folder in folders)):
        for path in record_files(folder):
            try:
                records[prefix + path.name] = read_record(path)
            except RecordError as error:
                unreadable.append(Unreadable(path.name, str(error)))
            except OSError as error:
                unreadable.append(Unreadable(path.name, f"{path.name}: {error.strerror or 'it cannot be read'}"))
    return records, unreadable


def results(folders: Iterable[Path] = ()) -> tuple[list[Result], list[Unreadable]]:
    """Return the result of every experiment, with the user's records in ``folders``, and the invalid files."""
    records, unreadable = read_records(folders)
    return [result_of(experiment, records) for experiment in CLAIMS.values()], unreadable


def result_of(experiment: PaperClaims, records: Mapping[str, Record]) -> Result:
    """Return the result of one experiment from records of any experiments, by file name."""
    mine = {name: record for name, record in records.items() if record.id == experiment.id}
    judged = tuple(judge(claim, experiment, mine) for claim in experiment.claims)
    files = [entry.file for entry in judged if entry.file is not None]
    printed = all(not differences(experiment, mine[name]) for name in files)
    runs = [_run(experiment, name, record, name in files) for name, record in mine.items()]
    runs.sort(key=lambda run: (not run.used, run.quick, run.file))
    most_used = max(dict.fromkeys(files), key=files.count, default=None)
    return Result(
        experiment.id,
        experiment.title,
        experiment.paper.short,
        experiment.paper.title,
        experiment.source,
        verdict(judged, printed),
        _counts(judged),
        judged,
        tuple(runs),
        _repeated(judged),
        min((entry.data for entry in judged if entry.data), key=WORST.index, default=None),
        printed,
        round(sum(record.seconds for record in mine.values()), 1),
        f"routescope reproduce {experiment.id}" if most_used is None else mine[most_used].command,
        experiment.links,
    )


def _run(experiment: PaperClaims, name: str, record: Record, used: bool) -> RunSummary:
    titles = dict.fromkeys(f"{entry.title}, {entry.split}" for entry in record.data)
    return RunSummary(
        file=name,
        date=record.date.isoformat(timespec="seconds"),
        used=used,
        quick=record.quick,
        command=record.command,
        seconds=round(record.seconds, 1),
        data=tuple(titles),
        stand_in=any(entry.stand_in for entry in record.data),
        models={model.id: model.revision for model in record.models},
        version=record.versions.get("routescope", "unknown"),
        machine=machine_of(record),
        notes=record.notes,
        differences=differences(experiment, record),
    )


def machine_of(record: Record) -> str | None:
    """Return the machine of a record in words; None for records that do not hold it."""
    if (machine := record.machine) is None:
        return None
    return f"{machine.accelerator or machine.processor}, {machine.threads} of {machine.cores} cores"


def _repeated(judged: Sequence[Judged]) -> str:
    most = max(judged, key=lambda entry: entry.count)
    if most.count == 0:
        return "none"
    of = "trainings" if most.claim.repeats is None else most.claim.repeats.of
    return "1 training" if most.count == 1 else f"{most.count} {of}"


def _counts(judged: Sequence[Judged]) -> str:
    outcomes = [entry.outcome for entry in judged]
    words = {"holds": "hold", "fails": "fail", "cannot tell": "undecided", "not tested": "not tested"}
    counts = {outcome: outcomes.count(outcome) for outcome in words if outcome in outcomes}
    parts = [
        f"{count} {outcome if count == 1 and outcome in ('holds', 'fails') else words[outcome]}"
        for outcome, count in counts.items()
    ]
    return f"Of {len(judged)} {'claim' if len(judged) == 1 else 'claims'}: {', '.join(parts)}."


# -- words ---------------------------------------------------------------------------------------------------


def number(value: float | None, claim: Claim) -> str:
    """Return a number of a claim in words: a share in per cent, others with the digits of print."""
    if value is None:
        return ""
    if claim.unit == "share":
        unit, sign = (" points", "+") if claim.test == "above 0" else (" %", "")
        return f"{100 * value:{sign}.{_decimals(claim)}f}{unit}"
    return f"{value:.{max(1, claim.digits)}f}{' times' if claim.unit == 'times' else ''}"


def interval(ends: tuple[float, float] | None, claim: Claim) -> str:
    """Return an interval of a claim in words, with the decimals of its number; empty without one."""
    if ends is None:
        return ""
    scale, decimals = (100, _decimals(claim)) if claim.unit == "share" else (1, max(1, claim.digits))
    return f"{scale * ends[0]:.{decimals}f} to {scale * ends[1]:.{decimals}f}"


def in_words(judged: Judged) -> tuple[str, str]:
    """Return the printed number of a claim, and ours with its intervals over trainings and over samples."""
    claim = judged.claim
    over = (
        (judged.trainings, "trainings" if claim.repeats is None else claim.repeats.of.partition(" of ")[0]),
        (judged.samples, "samples" if claim.sampled is None else claim.sampled.of),
    )
    ends = "; ".join(f"{interval(pair, claim)} over {of}" for pair, of in over if pair is not None)
    ours = number(judged.value, claim) or "no run"
    return number(claim.printed, claim) or "words only", f"{ours} ({ends})" if ends else ours


def duration(seconds: float) -> str:
    """Return a duration in words, in minutes or hours."""
    minutes = round(seconds / 60)
    if seconds < 60:
        return "under a minute"
    if minutes < 90:
        return f"{minutes} minute{'s' * (minutes != 1)}"
    return f"{seconds / 3600:.1f} hours"


def _decimals(claim: Claim) -> int:
    return max(1, claim.digits - 2)


def as_json(table: Sequence[Result], unreadable: Sequence[Unreadable]) -> dict[str, Any]:
    """Return the table as plain data, with the rule and the files that could not be read."""
    return {
        "rule": list(RULE),
        "results": [asdict(result) for result in table],
        "unreadable": [asdict(entry) for entry in unreadable],
    }


def as_markdown(table: Sequence[Result]) -> str:
    """Return the table in Markdown: a row for each experiment, its first claim as the example, and the rule."""
    lines = [
        "| experiment | paper | printed | ours | trainings | data | size | time | verdict |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for result in table:
        first = headline(result)
        printed, ours = in_words(first)
        cells = (
            f"`{result.id}`",
            f"{result.source}: {first.claim.what}",
            printed,
            ours,
            result.trainings,
            result.data or "",
            "" if result.data is None else "as printed" if result.printed_sizes else "differs",
            duration(result.seconds) if result.runs else "",
            f"{result.verdict}. {result.why}",
        )
        lines.append(f"| {' | '.join(cells).replace('  ', ' ')} |")
    return "\n".join([*lines, "", *(f"* {sentence}" for sentence in RULE)])


def headline(result: Result) -> Judged:
    """Return the claim that stands for an experiment in one row: the first that was tested, else measured, else any."""
    order = {"fails": 0, "holds": 1, "cannot tell": 2, "not tested": 3}
    return min(result.claims, key=lambda entry: (order[entry.outcome], entry.value is None))
