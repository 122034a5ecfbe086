"""What jobs give: a folder for each, which appears whole or not at all."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from app.services.files import sync_folder
from app.services.folders import resolve_within

_WORK = "work-"


class Results:
    """Folders named by the ids of jobs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, job_id: str) -> Path:
        """Where the result lies, whether it is there or not."""
        return resolve_within(self._folder, job_id)

    def has(self, job_id: str) -> bool:
        return self.path(job_id).is_dir()

    def begin(self, job_id: str) -> Path:
        """An empty folder to work in."""
        path = resolve_within(self._folder, _WORK + job_id)
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        return path

    def publish(self, job_id: str) -> int:
        """Make what was worked on the result, durably; gives its bytes."""
        work, path = resolve_within(self._folder, _WORK + job_id), self.path(job_id)
        size = 0
        for file in work.iterdir():
            size += file.stat().st_size
            with file.open("rb") as opened:
                os.fsync(opened.fileno())
        sync_folder(work)
        shutil.rmtree(path, ignore_errors=True)
        work.replace(path)
        sync_folder(self._folder)
        return size

    def abandon(self, job_id: str) -> None:
        """Forget what was worked on."""
        shutil.rmtree(resolve_within(self._folder, _WORK + job_id), ignore_errors=True)

    def remove(self, job_id: str) -> None:
        shutil.rmtree(self.path(job_id), ignore_errors=True)

    def clean(self, kept: Iterable[str]) -> None:
        """Remove everything but the results of these jobs: what a crash left behind."""
        wanted = set(kept)
        for entry in self._folder.iterdir():
            if entry.name not in wanted:
                shutil.rmtree(entry, ignore_errors=True)
