"""Free space on the disk of the data folder: checked before something is stored, with one refusal when it runs out."""

import errno
import os
import sqlite3
import sys
from pathlib import Path

from routescope_app.services.errors import Refusal
from routescope_app.settings import Settings

MEBIBYTE = 1024 * 1024
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
#: Of PostgreSQL: disk_full, and configuration_limit_exceeded, such as more temporary files than it may have.
_POSTGRESQL_FULL = frozenset({"53100", "53400"})


class DiskFull(Refusal):
    kind, title, status = "disk-full", "Disk full", 507


class Unhealthy(Refusal):
    kind, title, status = "unhealthy", "Not healthy", 503


def free_bytes(folder: Path) -> int:
    """Bytes that are free for ordinary users on the disk of a folder."""
    stats = os.statvfs(folder)
    return stats.f_bavail * stats.f_frsize


def is_low(settings: Settings) -> str | None:
    """Why there is too little space, for a person; None if there is enough."""
    free = free_bytes(settings.data_dir)
    if free >= settings.min_free_bytes:
        return None
    return (
        f"The disk of the data folder has {free // MEBIBYTE} MiB left, and this service wants "
        f"{settings.min_free_bytes // MEBIBYTE} MiB; free some space."
    )


def check_disk(settings: Settings) -> None:
    """Raise DiskFull if there may be too little space to store something."""
    if (low := is_low(settings)) is not None:
        raise DiskFull(low)


def ran_out(error: BaseException) -> DiskFull | None:
    """The refusal for an error of a full disk, from whichever library; None for other errors."""
    seen: BaseException | None = error
    while seen is not None:
        full = isinstance(seen, OSError) and seen.errno in _FULL
        code = getattr(seen, "sqlite_errorcode", 0) if isinstance(seen, sqlite3.Error) else 0  # Python's own have none
        if full or code & 0xFF == sqlite3.SQLITE_FULL:
            return DiskFull("The disk of the data folder is full. Nothing was kept of this request; free some space.")
        if _state(seen) in _POSTGRESQL_FULL:
            return DiskFull("The disk of the database is full. Nothing was kept of this request; free some space.")
        seen = seen.__cause__ or seen.__context__
    return None


def _state(error: BaseException) -> str | None:
    """The SQLSTATE of an error of PostgreSQL; None for other errors."""
    if "psycopg" not in sys.modules:
        return None
    import psycopg

    return error.sqlstate if isinstance(error, psycopg.Error) else None
