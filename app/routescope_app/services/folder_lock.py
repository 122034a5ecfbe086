"""One server at a time on a data folder: a lock of the operating system, which ends with its process."""

import fcntl
import json
import logging
import os
import socket
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.engine import make_url

from routescope_app.settings import Settings

log = logging.getLogger(__name__)
NAME = "routescope.lock"


class FolderInUse(Exception):
    """Another server has the folder; the message says which process, and what to do."""


class FolderLock:
    """The lock of a server's folder, and of its SQLite file if that is elsewhere; PostgreSQL needs none.

    Two servers on one SQLite database would queue and run each other's jobs. The lock belongs to an open file, so that
    the system releases it however the process ends; the files stay. Commands that do not serve ignore it.
    """

    def __init__(self, settings: Settings) -> None:
        self._folders = _folders(settings)
        self._files: list[int] = []
        self.before: datetime | None = None
        """When the server before this one took the lock, as far as its file says so."""

    @property
    def held(self) -> bool:
        """Whether this server has locked a folder: not with PostgreSQL, nor before ``take``."""
        return bool(self._files)

    def take(self) -> None:
        """Lock until ``release``; raises FolderInUse if another server has the lock."""
        try:
            for folder in self._folders:
                self._lock(folder)
        except BaseException:
            self.release()
            raise
        for file in self._files:
            self._sign(file)

    def release(self) -> None:
        """Unlock."""
        while self._files:
            os.close(self._files.pop())

    def check(self) -> None:
        """Raise FolderInUse if another server has the lock; change nothing."""
        try:
            for folder in self._folders:
                self._lock(folder)
        finally:
            self.release()

    def _lock(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(folder / NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._files.append(file)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderInUse(_in_use(folder, os.read(file, 1000))) from None
        except OSError as error:  # a file system without locks, as some over a network are
            log.warning("%s cannot be locked (%s): see to it that one server alone uses it", folder, error.strerror)

    def _sign(self, file: int) -> None:
        """Write the owner of the lock into its file, for those who find it locked."""
        self.before = self.before or _since(os.pread(file, 1000, 0))
        owner = {"process": os.getpid(), "machine": socket.gethostname(), "since": datetime.now(UTC).isoformat()}
        os.ftruncate(file, 0)
        os.pwrite(file, json.dumps(owner).encode(), 0)


def _folders(settings: Settings) -> list[Path]:
    """Folders that only one server may use."""
    url = make_url(settings.database)
    if url.get_backend_name() != "sqlite":
        return []
    folders = {settings.data_dir.resolve()}
    if url.database and url.database != ":memory:":
        folders.add(Path(url.database).resolve().parent)
    return sorted(folders)


def _since(written: bytes) -> datetime | None:
    with suppress(ValueError, KeyError, TypeError):
        return datetime.fromisoformat(json.loads(written)["since"])
    return None


def _in_use(folder: Path, written: bytes) -> str:
    """A message that the folder is in use, by whom if its file says so, and what to do."""
    who, end = "another process", "that process"
    with suppress(ValueError, KeyError, TypeError):
        owner = json.loads(written)
        elsewhere = "" if owner["machine"] == socket.gethostname() else f" on {owner['machine']}"
        since = f"{datetime.fromisoformat(owner['since']):%Y-%m-%d %H:%M} UTC"
        who = f"process {int(owner['process'])}{elsewhere}, since {since}"
        end = f"it (kill {int(owner['process'])}{elsewhere})"
    return (
        f"the data folder {folder} is in use by another Routescope: {who}. Two servers on one folder would run each "
        f"other's jobs. Use the one that runs, stop {end}, or set ROUTESCOPE_DATA_DIR to another folder for this one."
    )
