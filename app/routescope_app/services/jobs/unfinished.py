"""Partial results of open jobs, in pieces, so that a job continues after a restart."""

import logging
from pathlib import Path

from routescope_app.services.storage.storage import Storage

log = logging.getLogger(__name__)
PLACE = "unfinished"


class Unfinished:
    """Pieces of jobs in the storage, each by the number at which it starts; methods block.

    Every worker that runs the job can read them; they are deleted when the job ends.
    """

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def put(self, job_id: str, start: int, path: Path) -> None:
        """Store a file as the piece that starts there; a failure costs time, but no result."""
        try:
            self._storage.put_file(_key(job_id, start), path)
        except Exception:
            log.exception("what job %s has computed so far could not be kept", job_id)

    def get(self, job_id: str, start: int, path: Path) -> bool:
        """Write the piece that starts there to a file; return whether there is one."""
        try:
            self._storage.get_file(_key(job_id, start), path)
        except FileNotFoundError:
            return False
        return True

    def remove(self, job_id: str) -> None:
        """Delete all pieces of a job; if that fails, the next start does."""
        try:
            for entry in self._storage.entries(f"{PLACE}/{job_id}"):
                self._storage.remove(entry.key)
        except Exception:
            log.exception("what job %s had computed is left", job_id)

    def jobs(self) -> set[str]:
        """Jobs that have pieces."""
        return {entry.key.split("/")[1] for entry in self._storage.entries(PLACE)}


def _key(job_id: str, start: int) -> str:
    return f"{PLACE}/{job_id}/{start}.nc"
