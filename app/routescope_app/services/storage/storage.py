"""Bytes by key, whole or not at all: the interface of a folder and a bucket."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from routescope_app.services.errors import Refusal

_KEY = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*")


class StorageUnreachable(Refusal):
    """The bucket does not answer, or refuses; only the log has the reason, which may name private things."""

    kind, title, status = "storage-unreachable", "Storage does not answer", 503
    reason = "storage"

    def __init__(self, detail: str, retry_after: int | None = None) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


@dataclass(frozen=True)
class StoredObject:
    """A stored object."""

    key: str
    bytes: int
    modified: datetime


class Storage(Protocol):
    """Stores bytes under keys such as ``samples/0a/0a1b.png``; blocking, for any thread.

    A write is complete and durable when the call returns, for all who share the storage; until then the former content
    stays. Each call raises StorageUnreachable if the storage does not answer, DiskFull if it is full, and ValueError
    for a bad key.
    """

    def check(self) -> None:
        """Raise unless things can be stored here."""
        ...

    def answers(self) -> None:
        """Like ``check``, for a storage that was checked before; writes nothing."""
        ...

    def put(self, key: str, content: bytes) -> None:
        """Store bytes, and replace the former ones."""
        ...

    def put_file(self, key: str, path: Path) -> None:
        """Store the content of a file, which may be large."""
        ...

    def get(self, key: str) -> bytes:
        """The content; raises FileNotFoundError."""
        ...

    def get_file(self, key: str, path: Path) -> None:
        """Write the content to a file; raises FileNotFoundError."""
        ...

    def local(self, key: str) -> Path:
        """A local file with the content, which never changes; read it at once. Raises FileNotFoundError."""
        ...

    def size(self, key: str) -> int | None:
        """Bytes of the content; None: there is none."""
        ...

    def remove(self, key: str) -> None:
        """Delete the content, if there is any."""
        ...

    def entries(self, below: str) -> Sequence[StoredObject]:
        """All objects whose keys begin with ``below`` and a slash, in the order of keys."""
        ...


def checked(key: str) -> str:
    """Return the key; raises ValueError if it could lead out of the folder."""
    if not _KEY.fullmatch(key) or len(key) > 500:
        raise ValueError("a key is names of letters, digits, dots, dashes and underscores, with slashes between them")
    return key
