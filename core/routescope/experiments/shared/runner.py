"""What runs an experiment on a node of a Ray cluster: it is asked in plain data, and tells each measurement at once.

It knows nothing of Ray. Its journal has no file: what an interrupted run measured is sent to it, and what it measures
is kept where it was asked from.
"""

import json
import os
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

import torch

from routescope import __version__
from routescope.experiments.shared.catalogue import find
from routescope.experiments.shared.description import describe
from routescope.experiments.shared.frame import USUAL, Context, Extent
from routescope.experiments.shared.journal import Entry, Journal

#: Folders of a run, as files in them are named.
RUN, STAYS = "run", "stays"


@dataclass(frozen=True)
class RunRequest:
    """What is to run.

    Attributes:
        experiment: its id.
        extent: how much of it.
        sources: where real data sets are on the nodes, by name.
        resume: go on from what an interrupted run measured, which is sent.
        threads: of the processor.
    """

    experiment: str
    extent: Extent = USUAL
    sources: Mapping[str, str] = field(default_factory=dict)
    resume: bool = True
    threads: int = 1

    def as_json(self) -> str:
        """As text."""
        return json.dumps(asdict(self))

    @classmethod
    def of_json(cls, text: str) -> Self:
        """Read what ``as_json`` gives."""
        said = json.loads(text)
        extent = said.pop("extent")
        return cls(extent=Extent(**extent | {"parts": tuple(extent["parts"])}), **said)


class Sent(Journal):
    """The measurements of a run elsewhere: those before it came as text, and each one more is told.

    Args:
        text: of a journal.
        tell: told of each measurement.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any], text: str, tell: Any) -> None:
        self.path, self.identity = path, json.loads(json.dumps(identity))
        self.entries = {entry.key: entry for entry in self.entries_in(text)}
        self._tell = tell

    def add(self, key: str, result: dict[str, Any], seconds: float) -> Entry:
        """Tell a measurement."""
        entry = Entry(key, json.loads(json.dumps(result, allow_nan=False)), seconds)
        self.entries[key] = entry
        self._tell(entry)
        return entry

    def clear(self) -> None:
        """What was sent is of this run: who sent it has forgotten what is not to count."""


@dataclass(frozen=True)
class FileOfRun:
    """A file that a run keeps or leaves: its folder and its name in there, its size, and when it was last changed."""

    folder: str
    name: str
    size: int
    changed: int


class Runner:
    """Runs an experiment in a thread of its own; every method gives, and is given, plain data.

    Args:
        asked: ``RunRequest`` as JSON.
    """

    def __init__(self, asked: str) -> None:
        self._asked = RunRequest.of_json(asked)
        self._changed = threading.Condition()
        self._events: list[dict[str, Any]] = []
        self._progress: list[Any] = [0, 0, ""]
        self._sent: str | None = None
        self._context: Context | None = None

    def about(self) -> dict[str, str]:
        """Versions, which are to be those of who asks."""
        return {"version": __version__, "torch": torch.__version__}

    def start(self) -> None:
        """Begin."""
        threading.Thread(target=self._run, name="experiment", daemon=True).start()

    def events(self, after: int, seconds: float) -> dict[str, Any]:
        """What happened after so many events, or after some seconds nothing; and how far it is.

        An event is ``opened`` with the run's identity, after which ``take`` is waited for; ``measured`` with an entry;
        ``ended`` with the record; or ``failed`` with why.
        """
        with self._changed:
            before = list(self._progress)
            self._changed.wait_for(lambda: len(self._events) > after or self._progress != before, seconds)
            return {"events": self._events[after:], "progress": list(self._progress)}

    def take(self, journal: str) -> None:
        """The journal of an interrupted run, as text."""
        with self._changed:
            self._sent = journal
            self._changed.notify_all()

    def files(self) -> list[dict[str, Any]]:
        """Every file of the run, as ``FileOfRun``."""
        found = []
        for folder, root in self._folders().items():
            for path in _files_in(root):
                with suppress(FileNotFoundError):  # it has moved on
                    about = path.stat()
                    name = path.relative_to(root).as_posix()
                    found.append(asdict(FileOfRun(folder, name, about.st_size, about.st_mtime_ns)))
        return found

    def read(self, folder: str, name: str, start: int, size: int) -> bytes:
        """A piece of a file; nothing where it is gone."""
        try:
            with (self._folders()[folder] / name).open("rb") as file:
                file.seek(start)
                return file.read(size)
        except FileNotFoundError:
            return b""

    def write(self, told: dict[str, Any], start: int, content: bytes) -> None:
        """A piece of a file of the run, which is in place with its last one."""
        file = FileOfRun(**told)
        put(self._folders()[file.folder], file, start, content)

    def finish(self) -> None:
        """Forget what the run kept until it was done."""
        if self._context is not None:
            self._context.finish()

    def _folders(self) -> dict[str, Path]:
        context = self._context
        return {} if context is None else {RUN: context.folder, STAYS: context.folder_that_stays}

    def _told(self, event: dict[str, Any]) -> None:
        with self._changed:
            self._events.append(event)
            self._changed.notify_all()

    def _run(self) -> None:
        try:
            self._told({"what": "ended", **self._ran()})
        except Exception as error:  # every one, or Ray would pickle it
            said = {"error": type(error).__name__, "text": str(error), "traceback": traceback.format_exc()}
            self._told({"what": "failed", **said})

    def _ran(self) -> dict[str, Any]:
        asked = self._asked
        torch.set_num_threads(asked.threads)  # of this thread
        experiment = find(asked.experiment)
        settings = experiment.settings_of(asked.extent)
        context = Context(experiment, settings, asked.sources, self._advance, asked.resume, journal=self._journal)
        self._context = context
        outcome = experiment.run(context)
        record = describe(context, outcome, asked.extent)
        return {"record": record, "identity": context.identity}

    def _journal(self, path: Path, identity: Mapping[str, Any]) -> Journal:
        self._told({"what": "opened", "identity": dict(identity)})
        with self._changed:
            self._changed.wait_for(lambda: self._sent is not None)
        return Sent(path, identity, self._sent or "", self._measured)

    def _measured(self, entry: Entry) -> None:
        self._told({"what": "measured", **asdict(entry)})

    def _advance(self, done: int, total: int, words: str) -> None:
        with self._changed:
            self._progress = [done, total, words]
            self._changed.notify_all()


def _files_in(folder: Path) -> Iterator[Path]:
    for root, _, names in os.walk(folder):
        yield from (Path(root, name) for name in names if not name.endswith(".arriving"))


def put(root: Path, file: FileOfRun, start: int, content: bytes) -> None:
    """Write a piece of a file below a folder; the last one puts it in place, as old as it is where it comes from.

    Raises:
        ValueError: its name leads out of the folder.
    """
    path = root / file.name
    if not path.resolve().is_relative_to(root.resolve()):
        raise ValueError("the name of a file leads out of its folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    arriving = path.with_name(path.name + ".arriving")
    with arriving.open("r+b" if start else "wb") as opened:
        opened.seek(start)
        opened.write(content)
    if start + len(content) >= file.size:
        os.utime(arriving, ns=(file.changed, file.changed))
        arriving.replace(path)
