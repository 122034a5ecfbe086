"""Partial results of a run on disk, one JSON line each, so that an interrupted run loses nothing."""

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Entry:
    """One measurement: its name in the run, its result, and its seconds."""

    key: str
    result: dict[str, Any]
    seconds: float


class Journal:
    """The measurements of one run. The first line of its file is the run's identity.

    Every measurement replaces the whole file. A file of another run, and damaged lines, are ignored.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        self.path, self.identity = path, json.loads(json.dumps(identity))
        self.entries = {entry.key: entry for entry in self._read()}

    def get(self, key: str) -> Entry | None:
        """Return the measurement of that name, if it was made."""
        return self.entries.get(key)

    def add(self, key: str, result: dict[str, Any], seconds: float) -> Entry:
        """Keep a measurement, and return it as it will be read; it is on disk before this returns."""
        entry = Entry(key, json.loads(json.dumps(result, allow_nan=False)), seconds)
        self.entries[key] = entry
        self.save(entry)
        return entry

    def save(self, entry: Entry) -> None:
        """Write a new measurement."""
        write_whole(self.path, self.text())

    def text(self) -> str:
        """Return the content of the journal's file."""
        lines = [self.identity, *(asdict(entry) for entry in self.entries.values())]
        return "".join(json.dumps(line) + "\n" for line in lines)

    def clear(self) -> None:
        """Delete every measurement."""
        self.entries = {}
        self.path.unlink(missing_ok=True)

    def _read(self) -> list[Entry]:
        try:
            return self.entries_in(self.path.read_text(encoding="utf-8", errors="replace"))
        except FileNotFoundError:
            return []

    def entries_in(self, text: str) -> list[Entry]:
        """Return the measurements in the text of a journal; none if it is of another run."""
        lines = text.splitlines()
        if not lines or _parsed(lines[0]) != self.identity:
            return []
        entries = []
        for line in map(_parsed, lines[1:]):
            if (
                isinstance(line, dict)
                and line.keys() == {"key", "result", "seconds"}
                and isinstance(line["result"], dict)
                and isinstance(line["seconds"], float)
            ):
                entries.append(Entry(**line))
        return entries


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError:
        return None


def write_whole(path: Path, text: str) -> None:
    """Write a text file so that a reader, or a crash, sees the old or the new content, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", suffix=".partial", delete=False
    ) as file:
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
    Path(file.name).chmod(0o644)
    Path(file.name).replace(path)
