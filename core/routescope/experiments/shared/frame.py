"""The parts of an experiment: settings, a run that measures, and figures beside the paper's.

A run asks its :class:`Context` for data and models, so that its record says which, and measures through it, so that an
interrupted run continues where it stopped.
"""

import hashlib
import json
import shutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Int64, UInt8
from torch import Tensor

from routescope import assets, zoo
from routescope.data import Samples, load
from routescope.data.pictures.corruptions import PREFIX as CORRUPTED
from routescope.data.pictures.sets import PictureSet
from routescope.data.statements import sentences as sentence_sets
from routescope.data.statements.sets import StatementSet
from routescope.experiments.shared.journal import Entry, Journal
from routescope.nn.network import Network
from routescope.zoo.catalogue import UnknownModel

#: Called with (measurements done, measurements in all, what is measured next or was measured last).
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class PaperFigure:
    """A result of the paper: its number if it prints one, else its words on a curve."""

    what: str
    value: float | None
    says: str


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One number of a run.

    Attributes:
        name: what was measured.
        where: coordinates of the number, such as the domain and how many units were dropped.
        value, low, high: the number and its 95 % interval (None: without an interval).
        unit: of the three.
        count: samples behind the number.
        data, stand_in: title of the data, and whether it stands in for the paper's.
        paper: the number that the paper prints for the same quantity; None: not printed.
        paper_says: what the paper says about this quantity.
    """

    name: str
    where: Mapping[str, str | int]
    value: float
    low: float | None = None
    high: float | None = None
    unit: str = ""
    count: int
    data: str
    stand_in: bool = False
    paper: float | None = None
    paper_says: str = ""


#: A number and the ends of its 95 % interval; the ends are None without an interval.
Interval = tuple[float, float | None, float | None]


def figure_of(
    name: str,
    where: Mapping[str, str | int],
    value: Interval | float,
    count: int,
    data: Sequence[Samples] | str,
    paper: float | None = None,
    paper_says: str = "",
    unit: str = "share of samples",
    separator: str = " and ",
) -> Figure:
    """Return a figure, for ``count`` samples of some data sets, whose titles are joined, or of data with a title."""
    number, low, high = value if isinstance(value, tuple) else (value, None, None)
    return Figure(
        name=name,
        where=where,
        value=number,
        low=low,
        high=high,
        unit=unit,
        count=count,
        data=data if isinstance(data, str) else separator.join(dataset.title for dataset in data),
        stand_in=not isinstance(data, str) and any(dataset.stand_in for dataset in data),
        paper=paper,
        paper_says=paper_says,
    )


def text_of(right: Iterable[Any]) -> str:
    """Return right or wrong answers as a text of 1 and 0, which a journal can hold."""
    return "".join("1" if answer else "0" for answer in right)


def answers_in(text: str) -> Int64[np.ndarray, " sample"]:
    """Return the answers of ``text_of``: 1 for right, 0 for wrong."""
    return np.array([int(digit) for digit in text], dtype=np.int64)


@dataclass(frozen=True)
class Outcome:
    """The result of a run: its figures, tables of the values behind them, and notes.

    Notes are sentences for people: what is smaller than printed, or could not be measured, and what to do about it.
    """

    figures: Sequence[Figure]
    tables: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Extent:
    """The part of an experiment to run; by default all of it with its usual settings.

    Attributes:
        quick: with settings of minutes.
        full: with the printed settings, where the usual ones are a part of them.
        parts: those of its parts that are run; none: all.
        seeds: how many runs of everything that is random, instead of the usual number.
    """

    quick: bool = False
    full: bool = False
    parts: tuple[str, ...] = ()
    seeds: int | None = None

    @property
    def options(self) -> list[str]:
        """The options of the command line for this extent."""
        sizes = [f"--{name}" for name, chosen in (("quick", self.quick), ("full", self.full)) if chosen]
        return sizes + [f"--part {part}" for part in self.parts] + [f"--seeds {self.seeds}"] * (self.seeds is not None)


#: All of an experiment with its usual settings.
USUAL = Extent()


@dataclass(frozen=True)
class Experiment:
    """One experiment of a paper, as its module's ``EXPERIMENT``.

    Attributes:
        id: what ``routescope reproduce`` calls it; its module has the same name with underscores.
        title, paper_reference: for people.
        paper_figures: what the paper reports.
        settings, quick: the usual settings, and those of a run of minutes, as frozen dataclasses.
        run: measures, and returns its figures.
        full: the printed settings, if the usual ones are a part of them because the printed ones take hours.
        parts: names of the parts that can be run alone, because a run of all takes hours on a processor.
        part: returns the settings of some of ``parts``, given those of a run of all.
        spreads: whether it sends its own parts to a cluster, so that the run itself is on this machine.
    """

    id: str
    title: str
    paper_reference: str
    paper_figures: tuple[PaperFigure, ...]
    settings: Any
    quick: Any
    run: Callable[["Context"], Outcome]
    full: Any = None
    spreads: bool = False
    parts: tuple[str, ...] = ()
    part: Callable[[Any, tuple[str, ...]], Any] | None = None

    def settings_of(self, extent: Extent = USUAL) -> Any:
        """Return the settings of a run; its parts are in the experiment's order.

        Raises:
            ValueError: quick and full are asked for, or full where there is nothing but the usual; a part that it has
                not; a number of seeds that is below one, or of an experiment that has none.
        """
        quick, full, parts, seeds = extent.quick, extent.full, extent.parts, extent.seeds
        if full and quick:
            raise ValueError("a run is quick or full, not both")
        if full and self.full is None:
            raise ValueError(f"{self.id} has no full settings: it runs with the printed ones unless it is quick")
        whole = self.full if full else self.quick if quick else self.settings
        if seeds is not None:
            if "seeds" not in {setting.name for setting in fields(whole)}:
                raise ValueError(f"{self.id} has no number of seeds that could be chosen")
            if seeds < 1:
                raise ValueError(f"{seeds} seeds: it takes one at least")
            whole = replace(whole, seeds=seeds)
        if not parts:
            return whole
        if self.part is None:
            raise ValueError(f"{self.id} has no parts that run alone")
        if unknown := [name for name in parts if name not in self.parts]:
            raise ValueError(f"{self.id} has no part {unknown[0]!r}; its parts are {', '.join(self.parts)}")
        return self.part(whole, tuple(name for name in self.parts if name in parts))


class Context:
    """The data, models and measurements of a run. Ask for all data and models before the first measurement.

    Args:
        experiment: which.
        settings: of this run, a frozen dataclass.
        sources: where real data sets are, by name; the others are the ones that need no internet.
        progress: told of every measurement; an exception it raises stops the run, and nothing measured is lost.
        resume: go on from what an interrupted run with the same settings, data and models measured.
        load_model: gives a model for its id.
        journal: gives what holds the measurements, for the path of its file and the run's identity.
    """

    def __init__(
        self,
        experiment: Experiment,
        settings: Any,
        sources: Mapping[str, str] | None = None,
        progress: Progress | None = None,
        resume: bool = True,
        load_model: Callable[[str], Network] | None = None,
        journal: Callable[[Path, Mapping[str, Any]], Journal] = Journal,
    ) -> None:
        self.experiment, self.settings, self.sources = experiment, settings, dict(sources or {})
        self.seeds: dict[str, int] = {}
        self.data_used: list[dict[str, Any]] = []
        self.models_used: list[dict[str, str]] = []
        self.done, self.total, self.seconds, self.resumed = 0, 0, 0.0, 0
        self._progress, self._resume, self._load_model = progress, resume, load_model
        self._journal: Journal | None = None
        self._new_journal = journal

    def data(
        self,
        name: str,
        split: str = "validation",
        limit: int | None = None,
        change: Callable[[Any], Any] = lambda dataset: dataset,
        **options: Any,
    ) -> Any:
        """Return a data set, from its source if one was given, and add it to the record.

        Args:
            change: made to what was loaded, before it is recorded.
            options: further ones of ``routescope.data.load``.
        """
        self._before_measuring()
        dataset = change(load(name, split, source=self.sources.get(name), limit=limit, **options))
        self.data_used.append(
            {
                "name": dataset.name,
                "title": dataset.title,
                "split": dataset.split,
                "count": len(dataset),
                "stand_in": dataset.stand_in,
                "stand_in_for": dataset.stand_in_for,
                "source": shown_source(dataset.source) if dataset.source else None,
                "licence": dataset.licence,
                "fingerprint": fingerprint(dataset),
            }
        )
        return dataset

    def sentences(self, name: str) -> pd.DataFrame:
        """Return a set of sentences, and add it to the record."""
        self._before_measuring()
        table = sentence_sets.sentences(name)
        digest = hashlib.sha256("".join(f"{text}\n" for text in table["text"]).encode())
        self.data_used.append(
            {
                "name": name,
                "title": sentence_sets.SENTENCE_SETS[name].title,
                "split": "all",
                "count": len(table),
                "stand_in": False,
                "stand_in_for": None,
                "source": None,
                "licence": "sentences made from the lists of words that the paper prints, or from those of the scenes",
                "fingerprint": digest.hexdigest()[:16],
            }
        )
        return table

    def trained_on(self, title: str, images: UInt8[Tensor, "N c h w"], stand_in_for: str | None) -> None:
        """Add the training data of a run's networks to the record.

        Args:
            title: each portion in words, with how many there are.
            images: all of them.
            stand_in_for: what the portions that stand in for others stand in for; None: there are none.
        """
        self._before_measuring()
        self.data_used.append(
            {
                "name": "training",
                "title": title,
                "split": "train",
                "count": len(images),
                "stand_in": stand_in_for is not None,
                "stand_in_for": stand_in_for,
                "source": None,
                "licence": "those of the sets that it is made of",
                "fingerprint": hashlib.sha256(images.numpy().data).hexdigest()[:16],
            }
        )

    def model(self, model_id: str) -> Network:
        """Return a model by id, and add its revision to the record."""
        self._before_measuring()
        model = self.load_model(model_id)
        self.models_used.append({"id": model_id, "revision": str(model.revision)})
        return model

    def load_model(self, model_id: str) -> Network:
        """Return a model by id, without adding it to the record; raises UnknownModel."""
        if self._load_model is None:
            self._load_model = zoo.load
        return self._load_model(model_id)

    def models(self, model_ids: Sequence[str]) -> tuple[dict[str, Network], list[str]]:
        """Return the existing models by id, and a note on each missing one; raises UnknownModel if all are."""
        by_id: dict[str, Network] = {}
        notes = []
        for model_id in model_ids:
            try:
                by_id[model_id] = self.model(model_id)
            except UnknownModel:
                notes.append(f"{model_id} is not there and was left out; train it with: routescope train {model_id}")
        if not by_id:
            raise UnknownModel("; ".join(notes))
        for note in notes:
            self.underway(note)
        return by_id, notes

    def expect(self, measurements: int) -> None:
        """Announce the number of measurements."""
        self.total = measurements
        self._tell("")

    def measure(self, key: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return the result of ``make()``, or the one from before the run was interrupted.

        Args:
            key: names the measurement, unique in the run.
            make: returns plain data that JSON can hold; it is on disk before this returns.
        """
        earlier = self.known(key)
        if earlier is not None:
            return earlier
        started = time.perf_counter()
        result = make()
        return self.keep(key, result, time.perf_counter() - started)

    def known(self, key: str) -> dict[str, Any] | None:
        """Return the result of an interrupted run under that name, which counts as done; None without one.

        With ``keep`` it is ``measure`` in two halves, for what is measured in another process.
        """
        entry = self._opened().get(key)
        if entry is None:
            return None
        self.resumed += 1
        return self._counted(entry)

    def keep(self, key: str, result: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Keep a result that was measured anywhere; it is on disk before this returns.

        Args:
            key: names the measurement, unique in the run.
            result: plain data that JSON can hold.
            seconds: that it took.
        """
        return self._counted(self._opened().add(key, result, seconds))

    def underway(self, words: str) -> None:
        """Report the state of a long measurement."""
        self._tell(words)

    def finish(self) -> None:
        """Delete the partial results: call it when the record is written."""
        if self._journal is not None:
            self._journal.clear()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that the results depend on: a run continues an interrupted one only if all of it is equal."""
        return {
            "experiment": self.experiment.id,
            "settings": asdict(self.settings),
            "data": [[used["name"], used["split"], used["fingerprint"]] for used in self.data_used],
            "models": self.models_used,
            "seeds": self.seeds,
        }

    @property
    def resumes(self) -> bool:
        """Whether the run continues from the results of an interrupted one."""
        return self._resume

    @property
    def digest(self) -> str:
        """The hash of the identity."""
        return digest_of(self.identity)

    @property
    def journal_path(self) -> Path:
        """The file of the partial results."""
        return journal_path(self.experiment.id, self.digest)

    @property
    def folder(self) -> Path:
        """The folder of files that are too large for the journal, such as networks, until the run is done."""
        return folder_of(self.journal_path)

    @property
    def folder_that_stays(self) -> Path:
        """The folder of files that stay when the run is done, such as networks with their cards."""
        return folder_that_stays(self.journal_path)

    def _opened(self) -> Journal:
        if self._journal is None:
            self._journal = self._new_journal(self.journal_path, self.identity)
            if not self._resume:
                self._journal.clear()
                shutil.rmtree(self.folder, ignore_errors=True)
        return self._journal

    def _counted(self, entry: Entry) -> dict[str, Any]:
        self.done += 1
        self.seconds += entry.seconds
        self._tell(entry.key)
        return entry.result

    def _before_measuring(self) -> None:
        if self._journal is not None:
            raise RuntimeError("a run asks for all its data and models before its first measurement")

    def _tell(self, words: str) -> None:
        if self._progress is not None:
            self._progress(self.done, self.total, words)


def digest_of(identity: Mapping[str, Any]) -> str:
    """Return the hash of everything that the results of a run depend on."""
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def journal_path(experiment_id: str, digest: str) -> Path:
    """Return the file of a run's partial results."""
    return assets.data_dir() / "runs" / experiment_id / f"{digest}.jsonl"


def folder_of(journal: Path) -> Path:
    """Return the folder for large files of a journal's run, which exists until the run is done."""
    return journal.with_suffix("")


def folder_that_stays(journal: Path) -> Path:
    """Return the folder for files of a journal's run that stay when it is done."""
    return journal.with_suffix(".networks")


def fingerprint(dataset: Samples) -> str:
    """Return a hash of the samples of a data set: images, labels, and sentences with their negations.

    It has 16 hexadecimal digits.

    Of samples without pictures of their own, such as blocks, it is that of their content hashes, and of the labels.
    """
    if isinstance(dataset, PictureSet | StatementSet):
        digest = hashlib.sha256(dataset.images.numpy().tobytes())
    else:
        digest = hashlib.sha256("".join(dataset.hashes).encode())
    digest.update(dataset.labels.numpy().tobytes())
    for sentence in dataset.sentences if isinstance(dataset, StatementSet) else ():
        digest.update(sentence.encode() + b"\n")
    for negated in (dataset.negated or ()) if isinstance(dataset, StatementSet) else ():
        digest.update(b"not " + negated.encode() + b"\n")
    return digest.hexdigest()[:16]


def shown_source(source: str) -> str:
    """Return a source without the path before its last name, as a record may be published; hub names stay whole."""
    if source.startswith(CORRUPTED):
        return CORRUPTED + shown_source(source.removeprefix(CORRUPTED))
    path = Path(source).expanduser()
    return path.resolve().name if path.exists() else source
