"""The parts of a figure of a paper: what print shows, the records that ours is drawn from, and its drawing."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from matplotlib.figure import Figure

from routescope import zoo
from routescope.experiments.results.claims import Paper
from routescope.experiments.shared.schema import Record, RecordedFigure
from routescope.nn.network import Network
from routescope.plots.printed import Mark


class NotDrawn(ValueError):
    """A figure that cannot be drawn, or an unknown one; the message is one sentence for users."""


class MissingRows(NotDrawn):
    """A record of ``experiment`` without rows that a figure needs; the message names them."""

    def __init__(self, experiment: str, lacks: str) -> None:
        super().__init__(lacks)
        self.experiment = experiment


class _Needed(dict[str, Any]):
    """Tables of a record, or cells of a row; a missing one is a MissingRows with the words ``lacks``."""

    def __init__(self, entries: Mapping[str, Any], experiment: str, lacks: str) -> None:
        super().__init__(entries)
        self._words = experiment, lacks

    def __missing__(self, name: str) -> Any:
        experiment, lacks = self._words
        raise MissingRows(experiment, f"{lacks} {name!r}")


def _needed(record: Record) -> Record:
    """Return a record whose tables and cells are ``_Needed``."""
    tables = {
        name: tuple(_Needed(row, record.id, f"table {name!r} has a row without") for row in rows)
        for name, rows in record.tables.items()
    }
    return record.model_copy(update={"tables": _Needed(tables, record.id, "there is no table")})


class RunRecords:
    """The records and models that a figure may be drawn from.

    Attributes:
        used: the records that a drawing used, by file name.
    """

    def __init__(self, records: Mapping[str, Record]) -> None:
        self._records, self.used = records, dict[str, Record]()

    def named(self, experiment: str) -> dict[str, Record]:
        """Return the records of an experiment without quick runs by file name: the paper's data first, then the latest.

        Raises:
            NotDrawn: there is none.
        """
        mine = [(name, entry) for name, entry in self._records.items() if entry.id == experiment and not entry.quick]
        if not mine:
            raise NotDrawn(f"there is no record of {experiment}; run `routescope reproduce {experiment}`.")
        return dict(sorted(mine, key=lambda item: (_replaced([item[1]]) != [], -item[1].date.timestamp())))

    def use(self, experiment: str, *files: str) -> list[Record]:
        """Return records of an experiment, all without ``files``, and keep them as used; raises NotDrawn."""
        named = self.named(experiment).items()
        chosen = {name: _needed(entry) for name, entry in named if name in files or not files}
        self.used |= chosen
        return list(chosen.values())

    def best(self, experiment: str, model: str | None = None) -> Record:
        """Return the first record of ``named``, or the first one of runs with a model; raises NotDrawn."""
        for name, record in self.named(experiment).items():
            if model is None or model in {entry.id for entry in record.models}:
                return self.use(experiment, name)[0]
        raise NotDrawn(f"no record of {experiment} is of a run with {model}.")

    def model(self, model: str) -> Network:
        """Return a bundled model."""
        return zoo.load(model)


#: Draws a figure, and says what its marks and intervals are, and how many seeds there were.
Draw = Callable[[RunRecords], tuple[Figure, str]]


@dataclass(frozen=True, kw_only=True)
class PrintedFigure:
    """A numbered figure or table of a paper.

    Attributes:
        ids: what the command line calls it; several where print repeats a figure or ours has two in one.
        number: in the paper, such as "Figure 5a".
        shows: what print shows, a sentence.
        experiment: whose verdict it has; None: no claim is about it.
        sources: the sources of the claims that it shows.
        draw: None where it is not drawn, for the reason ``why_not``.
    """

    ids: tuple[str, ...]
    paper: Paper
    number: str
    title: str
    shows: str
    experiment: str | None = None
    sources: tuple[str, ...] = field(default=())
    draw: Draw | None = None
    why_not: str = ""

    @property
    def id(self) -> str:
        """The first of its ids, which names its file."""
        return self.ids[0]


def diagram(ids: str, paper: Paper, number: str, title: str) -> PrintedFigure:
    """Return a figure that is a picture of an architecture, and no result."""
    return PrintedFigure(
        ids=(ids,),
        paper=paper,
        number=number,
        title=title,
        shows="Boxes and arrows explain the architecture.",
        why_not="it is a diagram and shows no measurement",
    )


def rows(record: Record, name: str, **where: str | int) -> list[RecordedFigure]:
    """Return the figures of a record with a name and some coordinates, in the record's order; raises MissingRows."""
    wanted = where.items()
    found = [
        row for row in record.figures if row.name == name and all(row.where.get(key) == cell for key, cell in wanted)
    ]
    if not found:
        coordinates = ", ".join(f"{key} {cell}" for key, cell in wanted)
        raise MissingRows(record.id, f"there is no number {name!r}{f' with {coordinates}' if coordinates else ''}")
    return found


def marks(figures: Iterable[RecordedFigure], x: str) -> list[Mark]:
    """Return figures as marks over one of their coordinates, from left to right; "30%" is 0.3."""
    return sorted(Mark(coordinate(row.where[x]), row.value, row.low, row.high) for row in figures)


def coordinate(cell: str | int | float) -> float:
    """Return a coordinate of a figure as a number."""
    if isinstance(cell, str) and cell.endswith("%"):
        return round(float(cell[:-1]) / 100, 4)
    return float(cell)


def stand_ins(records: Iterable[Record]) -> str:
    """Return a sentence on the data sets that stand in for those of the paper; empty without any."""
    names = _replaced(records)
    if not names:
        return ""
    words = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"Stand-ins replace {words}."


def _replaced(records: Iterable[Record]) -> list[str]:
    names = [data.stand_in_for or data.title for record in records for data in record.data if data.stand_in]
    return list(dict.fromkeys(part for name in names for part in name.replace(" and ", ", ").split(", ")))
