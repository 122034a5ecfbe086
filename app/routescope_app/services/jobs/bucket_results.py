"""Results of jobs in the storage of the settings: a folder, or a bucket, which every machine can read."""

import json
import logging
import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from routescope_app.services.jobs.results import Results
from routescope_app.services.storage.copies import Copies
from routescope_app.services.storage.folder import FolderStorage
from routescope_app.services.storage.storage import Storage, StorageUnreachable
from routescope_app.settings import Settings

log = logging.getLogger(__name__)
PLACE = "results"
#: Says which of the folders below a job's key is its result.
PLACED = "placed.json"
#: Seconds before a result is put once more, when the bucket did not take it.
AGAIN_SECONDS = (1.0, 4.0, 15.0)


class BucketResults(Results):
    """Like ``Results``, but results are stored in a bucket; work is done in a folder of this machine.

    Each file has a key ``results/<job>/<worker>-<number>/<file>``. After all files, a small object
    ``results/<job>/placed.json`` is written, which names the folder that counts, so that a result appears whole or not
    at all. Readers get a copy on this machine.

    Args:
        copies: of results that were read.
    """

    def __init__(self, folder: Path, copies: Copies, storage: Storage) -> None:
        super().__init__(folder)
        self._copies = copies
        self._storage = storage
        self._finished: dict[tuple[str, str], str] = {}

    def has(self, job_id: str) -> bool:
        return self._storage.size(_key(job_id, PLACED)) is not None

    def folder(self, job_id: str) -> Path | None:
        name = self._placed(job_id)
        return None if name is None else self._copy(job_id, name)

    def finish(self, job_id: str, worker: str) -> int:
        """Upload a worker's folder, unnamed as yet; return its bytes; raises StorageUnreachable, DiskFull."""
        size = super().finish(job_id, worker)
        name = f"{worker}-{secrets.token_hex(4)}"
        for file in sorted(self._work(job_id, worker).iterdir()):
            self._put(_key(job_id, name, file.name), file)
        self._finished[job_id, worker] = name
        return size

    def _put(self, key: str, file: Path) -> None:
        for seconds in AGAIN_SECONDS:
            try:
                return self._storage.put_file(key, file)
            except StorageUnreachable:
                log.warning("a result is put again in %s s", seconds)
                time.sleep(seconds)
        return self._storage.put_file(key, file)

    def place(self, job_id: str, worker: str) -> None:
        name = self._finished[job_id, worker]
        before = self._placed(job_id)
        self._storage.put(_key(job_id, PLACED), json.dumps({"folder": name}).encode())
        work = self._work(job_id, worker)
        if work.is_dir():  # the first copy costs nothing
            self._copies.take(_copied(job_id, name), work)
        if before not in (None, name):
            self._forget(job_id, [before])

    def abandon(self, job_id: str, worker: str) -> None:
        """Like in a folder; also delete the uploads of the worker that no object names."""
        super().abandon(job_id, worker)
        self._finished.pop((job_id, worker), None)
        with suppress(StorageUnreachable):
            put = {entry.key.split("/")[2] for entry in self._storage.entries(_key(job_id))}
            left = sorted(name for name in put if name.rpartition("-")[0] == worker)
            if left:
                placed = self._placed(job_id)
                self._forget(job_id, [name for name in left if name != placed])

    def remove(self, job_id: str) -> None:
        for entry in self._storage.entries(_key(job_id)):
            self._storage.remove(entry.key)

    def names(self) -> set[str]:
        """Like in a folder, plus ``<job>/<worker>-<number>`` of the objects in the bucket."""
        keys = (entry.key.split("/") for entry in self._storage.entries(PLACE))
        return super().names() | {f"{key[1]}/{key[2]}" for key in keys if len(key) > 3}

    def clean(self, names: Iterable[str], done: Iterable[str], running: Iterable[tuple[str, str | None]]) -> None:
        names, done, running = list(names), set(done), list(running)
        super().clean((name for name in names if "/" not in name), done, running)
        working = {f"{job_id}/{worker}" for job_id, worker in running}
        left: dict[str, list[str]] = {}
        for path in names:
            if "/" in path and path.rpartition("-")[0] not in working:
                job_id, _, name = path.partition("/")
                left.setdefault(job_id, []).append(name)
        for job_id, folders in left.items():
            if job_id in done and len(folders) == 1:
                continue  # which is what is placed
            placed = self._placed(job_id) if job_id in done else None
            self._forget(job_id, [name for name in folders if name != placed])

    def _placed(self, job_id: str) -> str | None:
        try:
            name: str = json.loads(self._storage.get(_key(job_id, PLACED)))["folder"]
        except FileNotFoundError:
            return None
        return name

    def _forget(self, job_id: str, names: Iterable[str | None]) -> None:
        """Delete objects that nothing names any more; if that fails, the next start does."""
        for name in names:
            assert name is not None
            with suppress(StorageUnreachable):
                for entry in self._storage.entries(_key(job_id, name)):
                    self._storage.remove(entry.key)
            self._copies.forget(_copied(job_id, name))

    def _copy(self, job_id: str, name: str) -> Path | None:
        """A local copy of a result; None if it no longer exists."""

        def fetch(path: Path) -> None:
            path.mkdir()
            keys = [entry.key for entry in self._storage.entries(_key(job_id, name))]
            for key in keys:
                self._storage.get_file(key, path / key.rpartition("/")[2])
            if not keys:
                raise FileNotFoundError(name)

        try:
            return self._copies.of(_copied(job_id, name), fetch)
        except FileNotFoundError:  # removed meanwhile
            return None


def _copied(job_id: str, name: str) -> str:
    return f"{job_id}-{name}"


def _key(*parts: str) -> str:
    return "/".join((PLACE, *parts))


def results_of(settings: Settings, storage: Storage) -> Results:
    """Results in a folder, or in a bucket with copies in the data folder."""
    if isinstance(storage, FolderStorage):
        return Results(storage.folder / PLACE)
    copies = Copies(settings.data_dir / "cache" / PLACE, settings.disk_of("results"))
    return BucketResults(settings.data_dir / PLACE, copies, storage)
