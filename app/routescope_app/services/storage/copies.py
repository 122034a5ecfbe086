"""Local copies of stored objects; the least recently used go first."""

import secrets
import shutil
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


class Copies:
    """Files and folders in a folder, each of an object that never changes.

    Several processes may share the folder.

    Args:
        most_bytes: of all copies; the latest one stays whatever its size.
    """

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._fetching = threading.Lock()

    def path(self, name: str) -> Path:
        """The path of a copy, which may not exist."""
        return self._folder / name

    def of(self, name: str, fetch: Callable[[Path], None]) -> Path:
        """The copy of that name; if there is none, ``fetch`` writes it to a path.

        Errors of ``fetch`` are raised, and leave nothing.
        """
        path = self.path(name)
        with self._fetching:
            if path.exists():
                path.touch()
                return path
            self._folder.mkdir(parents=True, exist_ok=True)
            partial = path.with_name(f"{name}.{secrets.token_hex(4)}.partial")
            try:
                fetch(partial)
                self._place(partial, path)
            finally:
                _remove(partial)
            self._make_room(but=path)
        return path

    def take(self, name: str, made: Path) -> None:
        """Move a file or folder of this machine to the copy of that name."""
        with self._fetching:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._place(made, self.path(name))
            self._make_room(but=self.path(name))

    def forget(self, name: str) -> None:
        _remove(self.path(name))

    @staticmethod
    def _place(made: Path, path: Path) -> None:
        try:
            made.replace(path)
        except OSError:
            if not path.is_dir():  # else another process was quicker
                raise

    def _make_room(self, but: Path) -> None:
        used: dict[Path, tuple[float, int]] = {}
        for path in self._folder.iterdir():
            if path.suffix != ".partial":
                with suppress(FileNotFoundError):
                    files = path.iterdir() if path.is_dir() else (path,)
                    used[path] = path.stat().st_mtime, sum(file.stat().st_size for file in files)
        excess = sum(size for _, size in used.values()) - self._most_bytes
        for path, (_, size) in sorted(used.items(), key=lambda each: each[1][0]):
            if excess <= 0:
                return
            if path != but:
                _remove(path)
                excess -= size


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
