"""Results of the papers' experiments: claims beside our numbers, records, and verdicts."""

from typing import Literal

from pydantic import Field

from routescope_app.api.schemas.base import Reply

#: Forms of an experiment's id and of a record's name.
EXPERIMENT_PATTERN, RECORD_PATTERN = r"^[a-z0-9-]{1,40}$", r"^(own/)?[A-Za-z0-9._-]{1,100}$"


class ModelLink(Reply):
    """A page that shows a bundled model of the experiment, with the rest of its address."""

    label: str
    page: str
    model: str
    address: dict[str, str]
    lacks: list[str] = Field(description="What the page cannot show; empty: it shows model, data and intervention.")


class JudgedClaim(Reply):
    """A claim of a paper beside our number. Shares lie from 0 to 1; `printed_words` and `words` are for people."""

    what: str
    source: str = Field(description="Table, figure or section of the paper.")
    on: str = Field(description="Data of the claim.")
    printed: float | None = Field(description="Null: the paper prints no number.")
    printed_words: str
    value: float | None = Field(description="Ours; null without a run.")
    words: str
    trainings: tuple[float, float] | None = Field(description="95 % interval over trainings.")
    trainings_words: str
    samples: tuple[float, float] | None = Field(description="95 % interval over samples.")
    samples_words: str
    samples_of: str = Field(description="What that interval is over, such as samples.")
    count: int = Field(description="Trainings, or other repeats.")
    outcome: Literal["holds", "fails", "cannot tell", "not tested"]
    why: str
    data: Literal["the paper's", "stand-in", "other"] | None
    file: str | None = Field(description="Record of our number; `own/` begins the names of the user's own records.")
    link: ModelLink | None = Field(description="Page that shows what our number was measured on.")


class Difference(Reply):
    """A setting that differs from print."""

    what: str
    here: str
    printed: str


class RunSummary(Reply):
    """A record in short; `used`: a claim uses its numbers. `machine` is null in records of version 1."""

    file: str
    date: str
    used: bool
    quick: bool
    command: str
    time: str = Field(description="Its duration in words.")
    data: list[str]
    stand_in: bool
    models: dict[str, str] = Field(description="Revision by model.")
    version: str
    machine: str | None
    notes: list[str]
    differences: list[Difference]


class ExperimentResult(Reply):
    """An experiment of a paper with its verdict, also without a run."""

    id: str
    title: str
    paper: str
    paper_title: str
    source: str
    verdict: Literal["reproduced", "in part", "contradicted", "not tested"]
    why: str
    headline: int = Field(description="Index of the claim that stands for the experiment in a table.")
    claims: list[JudgedClaim]
    runs: list[RunSummary]
    trainings: str = Field(description="Most repeats of one number, in words.")
    data: Literal["the paper's", "stand-in", "other"] | None
    printed_sizes: bool
    time: str = Field(description="Duration of all its records together, in words.")
    command: str
    links: list[ModelLink]
    quick_time: str = Field(description="Duration of its quick run, in words.")
    quick_refused: str | None = Field(description="Why `POST /reproductions` does not run it; null: it does.")


class Reproduction(Reply):
    """The record of a quick run."""

    file: str = Field(description="Its name, as in `GET /results`.")


class ComparedClaim(Reply):
    """A claim by two records, and the difference B minus A with its 95 % interval over trainings."""

    what: str
    source: str
    a: JudgedClaim
    b: JudgedClaim
    difference: float | None = Field(description="Null unless both have a number.")
    ends: tuple[float, float] | None = Field(description="Null with fewer than two trainings on a side.")
    words: str = Field(description="The difference for people.")


class DifferentFact(Reply):
    """A setting, data set, seed, revision, version or machine that differs; empty where a record has none."""

    what: str
    a: str
    b: str


class RecordComparison(Reply):
    """Two records of an experiment, claim by claim, and what differs between their runs."""

    id: str
    a: str
    b: str
    claims: list[ComparedClaim]
    facts: list[DifferentFact]


class RecordRow(Reply):
    """A row of a record: its cells in words, and the page that shows what it was measured on."""

    cells: list[str]
    link: ModelLink | None


class RecordRows(Reply):
    """Rows of one table of a record; the table `numbers` holds its figures."""

    file: str
    tables: list[str]
    table: str
    columns: list[str]
    items: list[RecordRow]
    total: int = Field(description="Rows of the table that match.")


class DrawnFigure(Reply):
    """A figure of a paper, drawn from the records of an experiment; `GET /figures/{id}` is its file."""

    id: str
    paper: str
    number: str = Field(description="In the paper, such as Figure 5a.")
    title: str
    shows: str = Field(description="What print shows.")
    differs: str = Field(description="How ours differs from print, in sentences; empty: it does not.")
    width: float = Field(description="Of the picture, in points.")
    height: float


class MissingFigure(Reply):
    """A figure that cannot be drawn from the records."""

    id: str
    number: str
    title: str
    why: str = Field(description="What the records lack, a sentence.")


class DrawnFigures(Reply):
    """The drawn figures of an experiment, or those of no experiment, in the order of the papers."""

    items: list[DrawnFigure]
    missing: list[MissingFigure]


class UnreadableRecord(Reply):
    """A file of a folder of records that is no valid record."""

    file: str
    why: str


class ExperimentResults(Reply):
    """All experiments, the rule of their verdicts, sentence by sentence, and files that are no valid records."""

    rule: list[str]
    items: list[ExperimentResult]
    unreadable: list[UnreadableRecord]
