"""A folder of this machine as storage: keys are paths in it."""

import shutil
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from routescope_app.services.files import copy_durably, write_durably
from routescope_app.services.folders import resolve_within
from routescope_app.services.storage.storage import StoredObject, checked


class FolderStorage:
    """See ``Storage``.

    Attributes:
        folder: where keys are paths.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def check(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def answers(self) -> None:
        """Does nothing: a missing folder is created by the first write."""

    def path(self, key: str) -> Path:
        """The path of a key, which may not exist."""
        return resolve_within(self.folder, *checked(key).split("/"))

    def put(self, key: str, content: bytes) -> None:
        write_durably(self.path(key), content)

    def put_file(self, key: str, path: Path) -> None:
        copy_durably(self.path(key), path)

    def get(self, key: str) -> bytes:
        return self.path(key).read_bytes()

    def get_file(self, key: str, path: Path) -> None:
        shutil.copyfile(self.path(key), path)

    def local(self, key: str) -> Path:
        path = self.path(key)
        if not path.is_file():
            raise FileNotFoundError(key)
        return path

    def size(self, key: str) -> int | None:
        path = self.path(key)
        return path.stat().st_size if path.is_file() else None

    def remove(self, key: str) -> None:
        self.path(key).unlink(missing_ok=True)

    def entries(self, below: str) -> Sequence[StoredObject]:
        return sorted(self._entries(self.path(below)), key=lambda entry: entry.key)

    def _entries(self, folder: Path) -> Iterator[StoredObject]:
        root = self.folder.resolve()
        for path in folder.rglob("*"):
            if path.suffix != ".partial" and path.is_file():
                stats = path.stat()
                modified = datetime.fromtimestamp(stats.st_mtime, UTC)
                yield StoredObject(path.relative_to(root).as_posix(), stats.st_size, modified)
