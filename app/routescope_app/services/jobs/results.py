"""What jobs give: a folder for each, which appears whole or not at all."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from routescope_app.services.files import sync_folder
from routescope_app.services.folders import resolve_within

_WORK = "work-"


class Results:
    """Folders named by the ids of jobs, and beside them those that workers work in."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, job_id: str) -> Path:
        """Where the result lies, whether it is there or not."""
        return resolve_within(self._folder, job_id)

    def has(self, job_id: str) -> bool:
        return self.path(job_id).is_dir()

    def folder(self, job_id: str) -> Path | None:
        """A folder of this machine with the result; None: there is no result."""
        path = self.path(job_id)
        return path if path.is_dir() else None

    def begin(self, job_id: str, worker: str) -> Path:
        """An empty folder for a worker to work in."""
        path = self._work(job_id, worker)
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        return path

    def finish(self, job_id: str, worker: str) -> int:
        """See to it that what was worked on survives a crash of the machine; gives its bytes."""
        work, size = self._work(job_id, worker), 0
        for file in work.iterdir():
            size += file.stat().st_size
            with file.open("rb") as opened:
                os.fsync(opened.fileno())
        sync_folder(work)
        return size

    def place(self, job_id: str, worker: str) -> None:
        """Make what is finished the result, at once; again changes nothing."""
        work, path = self._work(job_id, worker), self.path(job_id)
        if work.is_dir():
            shutil.rmtree(path, ignore_errors=True)
            work.replace(path)
            sync_folder(self._folder)

    def abandon(self, job_id: str, worker: str) -> None:
        """Forget what a worker worked on."""
        shutil.rmtree(self._work(job_id, worker), ignore_errors=True)

    def remove(self, job_id: str) -> None:
        shutil.rmtree(self.path(job_id), ignore_errors=True)

    def names(self) -> set[str]:
        """Of all folders that are there; to be asked for before the jobs that have some, as more may come."""
        return {entry.name for entry in self._folder.iterdir()}

    def clean(self, found: Iterable[str], done: Iterable[str], running: Iterable[tuple[str, str | None]]) -> None:
        """Remove of the folders ``found`` those that no job has: what a crash left behind.

        Args:
            done: jobs that have results.
            running: (job, its worker) of those that are worked on.
        """
        wanted = {*done, *(_name(job_id, worker) for job_id, worker in running if worker is not None)}
        for name in set(found) - wanted:
            shutil.rmtree(self._folder / name, ignore_errors=True)

    def _work(self, job_id: str, worker: str) -> Path:
        return resolve_within(self._folder, _name(job_id, worker))


def _name(job_id: str, worker: str) -> str:
    return f"{_WORK}{job_id}-{worker}"
