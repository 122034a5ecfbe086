"""The actor that runs an experiment on a node of a Ray cluster and reports each measurement at once, as plain data.

It does not import Ray. Its journal has no file: the measurements of an interrupted run are sent to it, and the machine
that started it keeps the new ones.
"""

import json
import os
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

import torch

from routescope.experiments.shared.catalogue import find
from routescope.experiments.shared.description import describe
from routescope.experiments.shared.frame import USUAL, Context, Extent
from routescope.experiments.shared.journal import Entry, Journal
from routescope.training.cluster import versions

#: The two folders of a run's files, by the names that ``RunFile`` gives them.
RUN, STAYS = "run", "stays"
#: End of the names of files of which a part is still missing.
PARTIAL = ".arriving"


@dataclass(frozen=True)
class RunRequest:
    """The run that an actor is asked for.

    Attributes:
        experiment: its id.
        extent: how much of it.
        sources: where real data sets are on the nodes, by name.
        resume: continue from the measurements of an interrupted run, which are sent.
        threads: processor threads.
    """

    experiment: str
    extent: Extent = USUAL
    sources: Mapping[str, str] = field(default_factory=dict)
    resume: bool = True
    threads: int = 1

    def as_json(self) -> str:
        """Return the request as text."""
        return json.dumps(asdict(self))

    @classmethod
    def of_json(cls, text: str) -> Self:
        """Read the text of ``as_json``."""
        fields = json.loads(text)
        extent = fields.pop("extent")
        return cls(extent=Extent(**extent | {"parts": tuple(extent["parts"])}), **fields)


class RelayJournal(Journal):
    """A journal without a file: earlier measurements come as text, and new ones are passed on.

    Args:
        text: of the journal of an interrupted run.
        send: called with each new measurement.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any], text: str, send: Callable[[Entry], None]) -> None:
        self.path, self.identity = path, json.loads(json.dumps(identity))
        self.entries = {entry.key: entry for entry in self.entries_in(text)}
        self._send = send

    def save(self, entry: Entry) -> None:
        """Pass a measurement on."""
        self._send(entry)

    def clear(self) -> None:
        """Keep the entries: the sender has removed those that do not count."""


@dataclass(frozen=True)
class RunFile:
    """A file of a run: its folder, its name in there, its size, and the time of its last change in nanoseconds."""

    folder: str
    name: str
    size: int
    changed: int


class Runner:
    """Run an experiment in a thread; all methods take and return plain data.

    Args:
        request: ``RunRequest`` as JSON.
    """

    def __init__(self, request: str) -> None:
        self._request = RunRequest.of_json(request)
        self._changed = threading.Condition()
        self._events: list[dict[str, Any]] = []
        self._progress: list[Any] = [0, 0, ""]
        self._earlier: str | None = None
        self._context: Context | None = None

    def about(self) -> dict[str, str]:
        """Return the versions of this node's libraries."""
        return versions()

    def start(self) -> None:
        """Begin the run."""
        threading.Thread(target=self._run, name="experiment", daemon=True).start()

    def events(self, after: int, seconds: float) -> dict[str, Any]:
        """Return the events after the first ``after`` ones, and the progress; wait up to some seconds for a change.

        An event is ``opened`` with the run's identity, after which the run waits for ``take``; ``measured`` with an
        entry of the journal; ``ended`` with the record; or ``failed`` with the error.
        """
        with self._changed:
            before = list(self._progress)
            self._changed.wait_for(lambda: len(self._events) > after or self._progress != before, seconds)
            return {"events": self._events[after:], "progress": list(self._progress)}

    def take(self, journal: str) -> None:
        """Receive the journal of an interrupted run, as text."""
        with self._changed:
            self._earlier = journal
            self._changed.notify_all()

    def files(self) -> list[dict[str, Any]]:
        """Return every file of the run, as the fields of ``RunFile``."""
        return [asdict(file) for file in files_in(self._folders())]

    def read(self, folder: str, name: str, start: int, size: int) -> bytes:
        """Return a piece of a file; empty if the file is gone."""
        try:
            with (self._folders()[folder] / name).open("rb") as file:
                file.seek(start)
                return file.read(size)
        except FileNotFoundError:
            return b""

    def write(self, fields: dict[str, Any], start: int, content: bytes) -> None:
        """Receive a piece of a file of the run, by the fields of ``RunFile``."""
        file = RunFile(**fields)
        write_piece(self._folders()[file.folder], file, start, content)

    def finish(self) -> None:
        """Delete the files that the run needed until its end."""
        if self._context is not None:
            self._context.finish()

    def _folders(self) -> dict[str, Path]:
        context = self._context
        return {} if context is None else {RUN: context.folder, STAYS: context.folder_that_stays}

    def _report(self, what: str, **event: Any) -> None:
        with self._changed:
            self._events.append({"what": what, **event})
            self._changed.notify_all()

    def _run(self) -> None:
        try:
            self._report("ended", **self._result())
        except Exception as error:  # any error that escaped would be pickled by Ray
            self._report("failed", error=type(error).__name__, text=str(error), traceback=traceback.format_exc())

    def _result(self) -> dict[str, Any]:
        request = self._request
        torch.set_num_threads(request.threads)  # of this thread
        experiment = find(request.experiment)
        settings = experiment.settings_of(request.extent)
        context = Context(experiment, settings, request.sources, self._advance, request.resume, journal=self._journal)
        self._context = context
        outcome = experiment.run(context)
        return {"record": describe(context, outcome, request.extent), "identity": context.identity}

    def _journal(self, path: Path, identity: Mapping[str, Any]) -> Journal:
        self._report("opened", identity=dict(identity))
        with self._changed:
            self._changed.wait_for(lambda: self._earlier is not None)
        return RelayJournal(path, identity, self._earlier or "", self._report_entry)

    def _report_entry(self, entry: Entry) -> None:
        self._report("measured", **asdict(entry))

    def _advance(self, done: int, total: int, words: str) -> None:
        with self._changed:
            self._progress = [done, total, words]
            self._changed.notify_all()


def files_in(folders: Mapping[str, Path]) -> Iterator[RunFile]:
    """Yield the complete files below some folders."""
    for folder, root in folders.items():
        for parent, _, names in os.walk(root):
            for path in (Path(parent, name) for name in sorted(names) if not name.endswith(PARTIAL)):
                with suppress(FileNotFoundError):  # the run may replace its files at any time
                    status = path.stat()
                    yield RunFile(folder, path.relative_to(root).as_posix(), status.st_size, status.st_mtime_ns)


def write_piece(root: Path, file: RunFile, start: int, content: bytes) -> None:
    """Write a piece of a file below a folder; the last piece moves the file into place, with its time of change.

    Raises:
        ValueError: the file's name leads out of the folder.
    """
    path = root / file.name
    if not path.resolve().is_relative_to(root.resolve()):
        raise ValueError("the name of a file leads out of its folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + PARTIAL)
    with partial.open("r+b" if start else "wb") as opened:
        opened.seek(start)
        opened.write(content)
    if start + len(content) >= file.size:
        os.utime(partial, ns=(file.changed, file.changed))
        partial.replace(path)
