"""Bytes by key, whole or not at all: what a folder and a bucket both give."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from routescope_app.services.errors import Refusal

_KEY = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*")


class StorageUnreachable(Refusal):
    """The bucket does not answer, or refuses; why is in the log alone, as it may name what is nobody's business."""

    kind, title, status = "storage-unreachable", "Storage does not answer", 503
    reason = "storage"

    def __init__(self, detail: str, retry_after: int | None = None) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


@dataclass(frozen=True)
class StoredObject:
    """What is kept under a key."""

    key: str
    bytes: int
    modified: datetime


class Storage(Protocol):
    """Keeps bytes under keys such as ``samples/0a/0a1b.png``; blocking, and to be used from any thread.

    What is put is there in whole when the call returns, for all who share the storage, and survives a crash; until then
    what was there before is. Each call raises StorageUnreachable where the storage does not answer, DiskFull where it
    is full, and ValueError for what is no key.
    """

    def check(self) -> None:
        """See to it that things can be kept here."""
        ...

    def answers(self) -> None:
        """As ``check``, of a storage that was checked before; keeps nothing."""
        ...

    def put(self, key: str, content: bytes) -> None:
        """Keep bytes, in place of what was there."""
        ...

    def put_file(self, key: str, path: Path) -> None:
        """Keep the content of a file, which may be large."""
        ...

    def get(self, key: str) -> bytes:
        """What is kept; raises FileNotFoundError."""
        ...

    def get_file(self, key: str, path: Path) -> None:
        """Write what is kept into a file; raises FileNotFoundError."""
        ...

    def local(self, key: str) -> Path:
        """A file of this machine with what is kept, to be read at once; of what never changes. Raises
        FileNotFoundError."""
        ...

    def size(self, key: str) -> int | None:
        """Bytes of what is kept; None: nothing is."""
        ...

    def remove(self, key: str) -> None:
        """Keep it no longer; what is not there stays so."""
        ...

    def entries(self, below: str) -> Sequence[StoredObject]:
        """All that is kept under keys that begin with ``below`` and a slash, in the order of the keys."""
        ...


def checked(key: str) -> str:
    """The key as it is; raises ValueError for one that could lead elsewhere."""
    if not _KEY.fullmatch(key) or len(key) > 500:
        raise ValueError("a key is names of letters, digits, dots, dashes and underscores, with slashes between them")
    return key
