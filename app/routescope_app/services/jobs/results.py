"""Results of jobs: one folder each, which appears whole or not at all."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from routescope_app.services.files import sync_folder
from routescope_app.services.folders import resolve_within

_WORK = "work-"


class Results:
    """Folders named by the ids of jobs, beside the working folders of workers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, job_id: str) -> Path:
        """Path of a result, which may not exist."""
        return resolve_within(self._folder, job_id)

    def has(self, job_id: str) -> bool:
        return self.path(job_id).is_dir()

    def folder(self, job_id: str) -> Path | None:
        """Local folder of a result; None if there is none."""
        path = self.path(job_id)
        return path if path.is_dir() else None

    def working(self, job_id: str, worker: str) -> Path:
        """Path of the working folder of a worker, which may not exist."""
        return self._work(job_id, worker)

    def begin(self, job_id: str, worker: str) -> Path:
        """An empty working folder for a worker."""
        path = self._work(job_id, worker)
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        return path

    def finish(self, job_id: str, worker: str) -> int:
        """Write the working folder to the disk for good; return its bytes."""
        work, size = self._work(job_id, worker), 0
        for file in work.iterdir():
            size += file.stat().st_size
            with file.open("rb") as opened:
                os.fsync(opened.fileno())
        sync_folder(work)
        return size

    def place(self, job_id: str, worker: str) -> None:
        """Turn the finished working folder into the result, atomically; a second call changes nothing."""
        work, path = self._work(job_id, worker), self.path(job_id)
        if work.is_dir():
            shutil.rmtree(path, ignore_errors=True)
            work.replace(path)
            sync_folder(self._folder)

    def abandon(self, job_id: str, worker: str) -> None:
        """Delete the working folder of a worker."""
        shutil.rmtree(self._work(job_id, worker), ignore_errors=True)

    def remove(self, job_id: str) -> None:
        shutil.rmtree(self.path(job_id), ignore_errors=True)

    def names(self) -> set[str]:
        """Names of all folders; read them before the jobs that have some, as more may appear."""
        return {entry.name for entry in self._folder.iterdir()}

    def clean(self, names: Iterable[str], done: Iterable[str], running: Iterable[tuple[str, str | None]]) -> None:
        """Remove the folders of ``names`` that no job has, which a crash left behind.

        Args:
            done: jobs that have results.
            running: (job, its worker) of running jobs.
        """
        wanted = {*done, *(_name(job_id, worker) for job_id, worker in running if worker is not None)}
        for name in set(names) - wanted:
            shutil.rmtree(self._folder / name, ignore_errors=True)

    def _work(self, job_id: str, worker: str) -> Path:
        return resolve_within(self._folder, _name(job_id, worker))


def _name(job_id: str, worker: str) -> str:
    return f"{_WORK}{job_id}-{worker}"
