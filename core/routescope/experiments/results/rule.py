"""The rule of verdicts, as text and as code. A verdict is always computed: no experiment can set its own."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from routescope.experiments.results.claims import Claim, Difference, Link, PaperClaims, Repeats, Rows, Sampled
from routescope.experiments.results.links import card_of, link_of, row_of
from routescope.experiments.shared.schema import Record, RecordedFigure, is_number
from routescope.routing.caused.intervals import wilson_interval

Outcome = Literal["holds", "fails", "cannot tell", "not tested"]
Data = Literal["the paper's", "stand-in", "other"]
Verdict = Literal["reproduced", "in part", "contradicted", "not tested"]
VERDICTS: tuple[Verdict, ...] = ("reproduced", "in part", "contradicted", "not tested")

#: Fewest repeats that an interval over trainings is made of.
FEWEST = 2
#: An interval decides nothing about a number if it is wider than this share of the number, and than ``LEAST_WIDTH``.
WIDEST, LEAST_WIDTH = 0.2, 0.02

#: The rule in words; ``judge`` and ``verdict`` follow it sentence by sentence.
RULE = (
    "A claim is not tested without a run, after quick runs only, on a stand-in or other data than the paper's, if the "
    "paper prints neither a number nor a comparison, with fewer than two trainings, and, for a number, if networks or "
    "grids are smaller than printed.",
    "A printed number holds if our 95 % interval over trainings contains it, up to rounding, and is no wider than a "
    "fifth of the number or 2 points. It fails if the interval lies beside it. Otherwise we cannot tell.",
    "A printed comparison or bound holds if the whole interval over trainings lies on its side, fails if the whole "
    "interval lies on the other side, and otherwise we cannot tell. It may be tested with smaller networks.",
    "An experiment is reproduced if every claim holds with the printed sizes, contradicted if a claim fails and none "
    "holds, not tested if no claim holds or fails, and reproduced in part otherwise.",
    "Of several records, a claim uses the one with the paper's data, then printed sizes, then most trainings, then the "
    "latest date. A data set given with --data counts as the paper's; pictures do if they have its number of classes.",
    "Trainings differ in their seeds. Where the table says so they are adaptations, episodes or trials of a grid.",
)


@dataclass(frozen=True)
class OverTrainings:
    """A mean with its 95 % interval over ``count`` repeats; ends are None for fewer than two."""

    value: float
    low: float | None
    high: float | None
    count: int


@dataclass(frozen=True)
class Judged:
    """A claim with our number and its outcome.

    Attributes:
        value: ours; None without a run.
        samples: interval over samples.
        trainings: interval over what is repeated, ``count`` times.
        file: of the record that was used; None without our number.
        data: what our number was measured on.
        why: the reason of the outcome, a sentence.
        link: the page that shows what our number was measured on.
    """

    claim: Claim
    outcome: Outcome
    why: str
    value: float | None = None
    samples: tuple[float, float] | None = None
    trainings: tuple[float, float] | None = None
    count: int = 0
    file: str | None = None
    data: Data | None = None
    link: Link | None = None


def matches(row: Mapping[str, Any], wanted: Rows) -> bool:
    """Return whether a row of a table has the wanted cells."""
    return all(
        row.get(name) in cell if isinstance(cell, tuple) else name in row and row[name] == cell
        for name, cell in wanted.items()
    )


def repeats_of(record: Record, repeats: Repeats, wanted: Rows) -> dict[tuple[Any, ...], float]:
    """Return the value of every repeat in a table; rows without a number are left out."""
    rows = [
        (at, row)
        for at, row in enumerate(record.tables.get(repeats.table, ()))
        if matches(row, wanted) and is_number(row.get(repeats.column))
    ]
    if repeats.best is not None:
        column, most = repeats.best
        ranked = [(at, row) for at, row in rows if is_number(row.get(column))]
        rows = sorted(ranked, key=lambda entry: -entry[1][column])[:most]
    values: dict[tuple[Any, ...], list[float]] = {}
    for at, row in rows:
        key = tuple(row.get(name) for name in repeats.by) if repeats.by else (at,)
        values.setdefault(key, []).append(float(row[repeats.column]))
    return {key: float(np.mean(numbers)) for key, numbers in values.items()}


def estimate(record: Record, repeats: Repeats) -> OverTrainings | None:
    """Return our number over its repeats, or a difference of two; None if the record has neither."""
    ours = repeats_of(record, repeats, repeats.rows)
    if not ours:
        return None
    if repeats.minus is None:
        if repeats.reaches is None:
            return student(list(ours.values()))
        reached = sum(value >= repeats.reaches for value in ours.values())
        if len(ours) < FEWEST:
            return OverTrainings(reached / len(ours), None, None, len(ours))
        return OverTrainings(reached / len(ours), *wilson_interval(reached, len(ours)), len(ours))
    others = repeats_of(record, repeats, repeats.minus)
    if not others:
        return None
    return (
        student(values) if (values := _paired(repeats, ours, others)) else welch([*ours.values()], [*others.values()])
    )


def _paired(repeats: Repeats, ours: Mapping[Any, float], others: Mapping[Any, float]) -> list[float]:
    """Return the differences repeat by repeat; empty if both have not the same repeats."""
    return [ours[key] - others[key] for key in ours] if repeats.by and ours.keys() == others.keys() else []


def values_of(record: Record, repeats: Repeats) -> list[float]:
    """Return the values whose mean is our number; empty for shares of repeats and differences of unpaired ones."""
    ours = repeats_of(record, repeats, repeats.rows)
    if repeats.reaches is not None:
        return []
    return (
        [*ours.values()]
        if repeats.minus is None
        else _paired(repeats, ours, repeats_of(record, repeats, repeats.minus))
    )


def student(values: Sequence[float]) -> OverTrainings:
    """Return the mean with Student's 95 % interval."""
    mean, count = float(np.mean(values)), len(values)
    if count < FEWEST:
        return OverTrainings(mean, None, None, count)
    half = _quantile(count - 1) * float(np.std(values, ddof=1)) / count**0.5
    return OverTrainings(mean, mean - half, mean + half, count)


def welch(ours: Sequence[float], others: Sequence[float]) -> OverTrainings:
    """Return the difference of two means with Welch's 95 % interval, for unpaired repeats."""
    value, count = float(np.mean(ours) - np.mean(others)), min(len(ours), len(others))
    if count < FEWEST:
        return OverTrainings(value, None, None, count)
    parts = [float(np.var(values, ddof=1)) / len(values) for values in (ours, others)]
    if not sum(parts):
        return OverTrainings(value, value, value, count)
    terms = [part**2 / (len(values) - 1) for part, values in zip(parts, (ours, others), strict=True)]
    half = _quantile(sum(parts) ** 2 / sum(terms)) * sum(parts) ** 0.5
    return OverTrainings(value, value - half, value + half, count)


def _quantile(freedom: float) -> float:
    from scipy import stats

    return float(stats.t.ppf(0.975, freedom))


def sampled_figure(record: Record, sampled: Sampled) -> RecordedFigure | None:
    """Return the first figure of a record with this name and these coordinates."""
    fitting = (f for f in record.figures if f.name == sampled.name and matches(f.where, sampled.where))
    return next(fitting, None)


def has_printed_sizes(experiment: PaperClaims, record: Record) -> bool:
    """Return whether nothing differs from print."""
    return not differences(experiment, record)


def differences(experiment: PaperClaims, record: Record) -> tuple[Difference, ...]:
    """Return the settings of a record that differ from print."""
    differing = (
        replace(difference, here=recorded(record, difference.of) if difference.of else difference.here)
        for difference in experiment.differences
        if not difference.unless
        or any(_setting(record.settings, name) != wanted for name, wanted in difference.unless.items())
    )
    return tuple(difference for difference in differing if difference.here != difference.printed)


def recorded(record: Record, of: str) -> str:
    """Return what a record holds at a place that a ``Difference`` names, in words."""
    place, _, name = of.removeprefix("count ").partition(".")
    if of.startswith("count "):
        values = ("threshold", "preparation_data", "interference_data", "prepared_for")  # of one network at several
        rows = {
            json.dumps({key: row[key] for key in row if key not in values}): row[name] for row in record.tables[place]
        }
        seeds = record.settings.get("seeds", 1)
        grids = len(seeds) if isinstance(seeds, list) else seeds
        return "; ".join(f"{count // grids} {kind}" for kind, count in sorted(Counter(rows.values()).items()))
    value: Any = None
    if place == "settings":
        value = _setting(record.settings, name)
    elif place == "train":
        value = next((entry.count for entry in record.data if entry.split == "train"), None)
    elif place == "card":
        value = card_of(record.models[0].id).get(name) if record.models else None
    elif record.tables.get(place):
        value = record.tables[place][0].get(name)
    value = max(value) if isinstance(value, tuple) else value
    return f"{value:,}" if is_number(value) else "not recorded"


def _setting(settings: Mapping[str, Any], name: str) -> Any:
    value: Any = settings
    for part in name.split("."):
        value = value.get(part, ...) if isinstance(value, Mapping) else ...
    return tuple(value) if isinstance(value, list) else value


def judge(claim: Claim, experiment: PaperClaims, records: Mapping[str, Record]) -> Judged:
    """Return a claim with our number and its outcome by ``RULE``, from an experiment's records by file name."""
    usable = {name: record for name, record in records.items() if not record.quick}
    if not usable:
        return Judged(claim, "not tested", "There are only quick runs." if records else "There is no run.")
    return judged_by(claim, experiment, *max(usable.items(), key=lambda entry: _evidence(claim, experiment, *entry)))


def judged_by(claim: Claim, experiment: PaperClaims, name: str, record: Record) -> Judged:
    """Return a claim with the number of one record, which has this name, and its outcome."""
    counted, figure = _ours(claim, record)
    value = counted.value if counted is not None else None if figure is None else figure.value
    outcome, why = outcome_of(claim, experiment, record, counted, value)
    return Judged(
        claim,
        outcome,
        why,
        value,
        None if figure is None or figure.low is None or figure.high is None else (figure.low, figure.high),
        None if counted is None or counted.low is None or counted.high is None else (counted.low, counted.high),
        counted.count if counted is not None else int(figure is not None),
        None if value is None else name,
        None if value is None else _data(claim, record),
        None if value is None else link_of(experiment, record, _row(claim, figure)),
    )


def _row(claim: Claim, figure: RecordedFigure | None) -> Mapping[str, Any]:
    """Return the row of our number: its figure, or the cells that all its repeats have."""
    if figure is not None or claim.repeats is None:
        return {} if figure is None else row_of(figure)
    return {name: cell for name, cell in claim.repeats.rows.items() if not isinstance(cell, tuple)}


def _ours(claim: Claim, record: Record) -> tuple[OverTrainings | None, RecordedFigure | None]:
    """Return our number over trainings, with a share's interval kept within 0 and 1, and our figure over samples."""
    counted = None if claim.repeats is None else estimate(record, claim.repeats)
    share = claim.unit == "share" and claim.test == "equals"
    if share and counted is not None and counted.low is not None and counted.high is not None:
        counted = replace(counted, low=max(0.0, counted.low), high=min(1.0, counted.high))
    return counted, None if claim.sampled is None else sampled_figure(record, claim.sampled)


def _evidence(claim: Claim, experiment: PaperClaims, name: str, record: Record) -> tuple[Any, ...]:
    counted, figure = _ours(claim, record)
    return (
        counted is not None or figure is not None,
        _on_papers_data(claim, record),
        has_printed_sizes(experiment, record),
        0 if counted is None else counted.count,
        record.date.timestamp(),
        name,
    )


def _on_papers_data(claim: Claim, record: Record) -> bool:
    return bool(claim.data) and all(record.real(data) for data in claim.data)


def _data(claim: Claim, record: Record) -> Data:
    if _on_papers_data(claim, record):
        return "the paper's"
    return "stand-in" if any(entry.stand_in for entry in record.data) else "other"


def outcome_of(
    claim: Claim, experiment: PaperClaims, record: Record, counted: OverTrainings | None, value: float | None
) -> tuple[Outcome, str]:
    """Return the outcome of a claim and its reason, for our number from one record."""
    reason = next(_obstacles(claim, experiment, record, counted, value), None)
    if reason is not None or counted is None or counted.low is None or counted.high is None:
        return "not tested", reason or "There is no interval over trainings."
    low, high = counted.low, counted.high
    if claim.test == "equals":
        return _equals(claim, low, high)
    bound = 0.0 if claim.test == "above 0" else claim.printed or 0.0
    if low > bound or (claim.test == "at least" and low >= bound):
        return "holds", "The whole interval over trainings lies on the printed side."
    if high < bound or (claim.test == "above 0" and high <= bound):
        return "fails", "The whole interval over trainings lies on the other side."
    return "cannot tell", "The interval over trainings lies on both sides."


def _equals(claim: Claim, low: float, high: float) -> tuple[Outcome, str]:
    printed, rounding = claim.printed or 0.0, 0.5 * 10.0**-claim.digits
    if low > printed + rounding or high < printed - rounding:
        return "fails", "The interval over trainings does not contain the printed number."
    if high - low > max(WIDEST * abs(printed), LEAST_WIDTH):
        return "cannot tell", "The interval over trainings is too wide."
    return "holds", "The interval over trainings contains the printed number."


def _obstacles(
    claim: Claim, experiment: PaperClaims, record: Record, counted: OverTrainings | None, value: float | None
) -> Iterator[str]:
    """Yield reasons why a record does not test a claim."""
    if value is None:
        yield "No run measured this."
    if record.quick:
        yield "A quick run."
    if not _on_papers_data(claim, record) and (claim.data or claim.test is not None):
        replaced = [entry.stand_in_for for entry in record.data if entry.name in claim.data and entry.stand_in]
        names = dict.fromkeys(name for name in replaced if name)
        if names:
            yield f"Ours used a stand-in for {', '.join(names)}."
        else:
            yield f"Ours used other data than {claim.on}."
    if claim.test is None:
        yield "The paper prints no number and no comparison that can be tested."
    if claim.test == "equals" and not claim.any_size and not has_printed_sizes(experiment, record):
        yield "Networks, data or grids are smaller than printed."
    if counted is None or counted.count < FEWEST:
        yield "One training; at least two are needed."


def verdict(judged: Sequence[Judged], printed_sizes: bool) -> Verdict:
    """Return the verdict on an experiment from the outcomes of its claims, by ``RULE``."""
    outcomes = [entry.outcome for entry in judged]
    holds, fails = outcomes.count("holds"), outcomes.count("fails")
    if not holds and not fails:
        return "not tested"
    if not holds:
        return "contradicted"
    return "reproduced" if holds == len(outcomes) and printed_sizes else "in part"
