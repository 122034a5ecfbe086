"""The typed schema of records of experiments: versioned, and validated whenever a record is read.

``Record`` is the newest version. ``read_record`` brings an older record up to it, one version at a time, and refuses
one that is newer, incomplete or inconsistent, with the place of the first mistake.
"""

import gzip
import json
import math
import zlib
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from routescope import assets

#: Version of ``Record``. Raise it when the meaning of a field changes, and add a step to ``STEPS``.
LAYOUT = 2
#: Bytes above which a bundled record lies packed by gzip.
LARGEST_PLAIN = 100_000
#: Longest record that is read, in bytes after unpacking.
LONGEST = 64 * 2**20
#: Folder of the user's own records, in the data folder.
OWN_RECORDS = "records"

Number = Annotated[float, Field(allow_inf_nan=False)]
Name = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=0)]


class RecordError(ValueError):
    """A file is no valid record; the message names the file and the first mistake."""


class Part(BaseModel):
    """A part of a record; fields that the schema lacks are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class RecordedPaperFigure(Part):
    """A result of the paper, as the experiment knew it when it ran."""

    what: Name
    value: Number | None
    says: str


class RecordedFigure(Part):
    """A number of a run with its 95 % interval, and the paper's number for the same quantity."""

    name: Name
    where: dict[str, str | int | float]
    value: Number
    low: Number | None
    high: Number | None
    unit: str
    count: Count
    data: str
    stand_in: bool
    paper: Number | None
    paper_says: str

    @model_validator(mode="after")
    def _has_a_whole_interval(self) -> Self:
        if (self.low is None) != (self.high is None):
            raise ValueError("an interval has two ends or none")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError("the low end of the interval is above the high end")
        return self


class RecordedData(Part):
    """A data set of a run; ``stand_in_for`` names the set that it replaces."""

    name: Name
    title: Name
    split: str
    count: Count
    stand_in: bool
    stand_in_for: str | None
    source: str | None
    licence: str | None
    fingerprint: Name


class RecordedModel(Part):
    """A model of a run, and the revision of its weights."""

    id: Name
    revision: Name


class Measurements(Part):
    """Number of measurements, and how many came from an interrupted run."""

    all: Count
    from_an_interrupted_run: Count


class Machine(Part):
    """The machine of a run.

    Attributes:
        processor: its name or architecture.
        cores: logical processors.
        threads: that PyTorch used.
        accelerator: name of the GPU; None without one.
    """

    processor: Name
    cores: Annotated[int, Field(ge=1)]
    threads: Annotated[int, Field(ge=1)]
    accelerator: str | None


class Record(Part):
    """The record of a run. ``machine`` is None for records of version 1, which did not hold it."""

    layout: Literal[2]
    id: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    title: Name
    paper: Name
    paper_figures: tuple[RecordedPaperFigure, ...]
    quick: bool
    settings: dict[str, Any]
    data: tuple[RecordedData, ...]
    models: tuple[RecordedModel, ...]
    seeds: dict[str, int]
    figures: tuple[RecordedFigure, ...]
    tables: dict[str, tuple[dict[str, Any], ...]]
    notes: tuple[str, ...]
    versions: dict[str, str]
    machine: Machine | None
    seconds: Annotated[Number, Field(ge=0)]
    measurements: Measurements
    date: datetime
    command: str

    @model_validator(mode="after")
    def _repeats_its_own_run(self) -> Self:
        if not self.command.startswith(f"routescope reproduce {self.id}"):
            raise ValueError("the command runs another experiment")
        return self

    def real(self, data: str) -> bool:
        """Return whether the run used a data set of this name, and never a stand-in for it."""
        used = [entry for entry in self.data if entry.name == data]
        return bool(used) and not any(entry.stand_in for entry in used)


def _from_1(record: Mapping[str, Any]) -> dict[str, Any]:
    """Version 1 had no machine, and its oldest records no notes."""
    return {"notes": [], **record, "layout": 2, "machine": None}


#: Version -> the step to the next one.
STEPS: dict[int, Callable[[Mapping[str, Any]], dict[str, Any]]] = {1: _from_1}


def parse(content: Any) -> Record:
    """Return plain data as a record of the newest version; raises RecordError."""
    if not isinstance(content, dict) or not isinstance(content.get("layout"), int):
        raise RecordError("it is no record: a JSON object with a number `layout` is expected")
    while (layout := content["layout"]) in STEPS:
        content = STEPS[layout](content)
    if layout != LAYOUT:
        raise RecordError(f"its layout is {layout}; this version of Routescope reads 1 to {LAYOUT}")
    try:
        return Record.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "record"
        raise RecordError(f"{place}: {first['msg']}") from None


def record_files(folder: Path | None = None) -> list[Path]:
    """Return the records of a folder, of the bundled ones by default: ``.json``, and ``.json.gz`` for large ones."""
    folder = assets.ASSETS / "results" if folder is None else folder
    return sorted(path for path in folder.glob("*.json*") if path.name.endswith((".json", ".json.gz")))


def text_of(path: Path) -> str:
    """Return the JSON of a record, unpacked; raises OSError or RecordError where it cannot be read."""
    content = path.read_bytes()
    if path.suffix == ".gz":
        try:
            unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
            content = unpacking.decompress(content, LONGEST + 1)
        except (gzip.BadGzipFile, zlib.error) as error:
            raise RecordError(f"{path.name}: {error}") from None
    if len(content) > LONGEST:
        raise RecordError(f"{path.name}: over {LONGEST // 2**20} MB")
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise RecordError(f"{path.name}: it is not UTF-8") from None


def read_record(path: Path) -> Record:
    """Return the record in a ``.json`` or ``.json.gz`` file; raises OSError or RecordError."""
    try:
        content = json.loads(text_of(path), parse_constant=_refuse)
    except (json.JSONDecodeError, RecursionError):
        raise RecordError(f"{path.name}: it is not JSON") from None
    except _NotANumber as error:
        raise RecordError(f"{path.name}: {error}") from None
    try:
        return parse(content)
    except RecordError as error:
        raise RecordError(f"{path.name}: {error}") from None


class _NotANumber(ValueError):
    """NaN or an infinity, which JSON has no words for."""


def _refuse(constant: str) -> float:
    raise _NotANumber(f"{constant} is no number of JSON")


def is_number(value: Any) -> bool:
    """Return whether a value of a table is a finite number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
