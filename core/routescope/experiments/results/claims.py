"""Claims of the papers as data: the printed number, its table or figure, and where a record holds ours."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Cell = str | int | float | bool | None
#: Columns of a table with the value that a row must have, or one of several.
Rows = Mapping[str, Cell | tuple[Cell, ...]]
#: How a claim is tested: ours equals the printed number, a difference is above 0, or ours is at least a bound.
Test = Literal["equals", "above 0", "at least"]
Unit = Literal["share", "", "times"]


class Paper(NamedTuple):
    """A paper by its short and its full title."""

    short: str
    title: str


NI = Paper("Neural Interpreters", "Dynamic Inference with Neural Interpreters (NeurIPS 2021)")
NAC = Paper("Neural Attentive Circuits", "Neural Attentive Circuits (NeurIPS 2022)")
BLOCKS = Paper(
    "Block-operations", "Block-Operations: Using Modular Routing to Improve Compositional Generalization (2024)"
)


@dataclass(frozen=True)
class Repeats:
    """Where a record holds the values that an interval over trainings is made of.

    Attributes:
        table, column, rows: the values: this column of these rows.
        by: columns that name one repeat, whose rows are averaged; none: each row is a repeat.
        minus: rows that are subtracted, repeat by repeat where both have the same repeats.
        reaches: count the share of repeats with at least this value, instead of their mean.
        best: keep so many repeats with the highest values in this column.
        of: what is repeated.
    """

    table: str
    column: str
    rows: Rows = field(default_factory=dict)
    by: tuple[str, ...] = ("seed",)
    minus: Rows | None = None
    reaches: float | None = None
    best: tuple[str, int] | None = None
    of: str = "trainings"


@dataclass(frozen=True)
class Sampled:
    """A figure of a record: its name, some of its coordinates, and what its interval is over."""

    name: str
    where: Mapping[str, str | int] = field(default_factory=dict)
    of: str = "samples"


@dataclass(frozen=True)
class Claim:
    """One statement of a paper.

    Attributes:
        what: the statement.
        source: its table, figure or section.
        printed: the number; for ``above 0`` the printed difference, for ``at least`` the bound; None: not printed.
        on: the paper's data, in words.
        data: names by which a record calls the paper's data; empty: no data set of ours is the paper's.
        test: how it is tested; None: the paper prints nothing that a number could contradict.
        repeats, sampled: where ours is.
        any_size: testable with smaller networks or a part of the grid, as a sign is and a number is not.
        digits: decimals of the printed number.
        unit: of the number.
    """

    what: str
    source: str
    printed: float | None
    on: str
    data: tuple[str, ...] = ()
    test: Test | None = "equals"
    repeats: Repeats | None = None
    sampled: Sampled | None = None
    any_size: bool = False
    digits: int = 3
    unit: Unit = "share"


@dataclass(frozen=True)
class Difference:
    """A setting that differs from print.

    Attributes:
        here: in words, unless ``of`` names where a record holds it: "settings.samples" (the most of several),
            "train.count", "card.parameters" of its first model, "trainings.steps" (of the first row of a table), or
            "count trials.kind" (networks of a grid by this column). Equal to ``printed``: it does not differ.
        unless: settings of a record with which it does not differ.
    """

    what: str
    here: str
    printed: str
    unless: Mapping[str, Cell | tuple[str | int, ...]] = field(default_factory=dict)
    of: str = ""


@dataclass(frozen=True)
class Link:
    """A page that shows a bundled model: the page's key, the model, more of its address, and what it does not show."""

    label: str
    page: str
    model: str
    address: Mapping[str, str] = field(default_factory=dict)
    lacks: tuple[str, ...] = ()


@dataclass(frozen=True)
class PaperClaims:
    """All that a paper states about one experiment, and what a run here changes."""

    id: str
    title: str
    paper: Paper
    source: str
    claims: tuple[Claim, ...]
    differences: tuple[Difference, ...] = ()
    links: tuple[Link, ...] = ()
