"""At its start, a server removes the leftovers of one that ended abruptly."""

import logging
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from datetime import datetime
from fnmatch import fnmatchcase
from pathlib import Path

from sqlalchemy import delete, select

from routescope_app.services.store import PredictionRow, SampleRow, Store, TraceRow

log = logging.getLogger(__name__)
#: Where the server alone writes, and what of it is half done: whole files and folders are moved to their place.
OWN = ("samples", "logs", "cache/traces", "pruned")
HALF = ("*.partial", "incoming-*", "tmp*")
#: Where commands write too, such as a training beside the server; what is half done there is left for so many seconds.
SHARED = ("cache", "checkpoints")
DAY = 24 * 60 * 60.0


def sweep(folder: Path, store: Store, since: datetime | None, older: float = 0.0) -> int:
    """Remove unfinished files, and files that nothing names; return their number.

    Args:
        since: start of the previous server; only pictures from then on are removed if nothing names them. None, if that
            is unknown, or the database is new or shared: no pictures, as another database may name them, or a sample
            may just be arriving.
        older: only what was last changed so many seconds ago; 0: everything, while nothing else writes.
    """
    leftovers = [path for name in OWN for path in _half(folder / name, older)]
    leftovers += [path for name in SHARED for path in _half(folder / name, max(older, DAY), HALF[:1])]
    leftovers += _traces(folder / "cache" / "traces", store, older)
    if since is not None:
        leftovers += _pictures(folder / "samples", store, since)
    _predictions(store)
    gone = sum(_remove(path) for path in leftovers)
    if gone:
        log.warning("%d files and folders were removed that an earlier end of the service had left half done", gone)
    return gone


def _half(folder: Path, older: float, patterns: Iterable[str] = HALF) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):  # what goes meanwhile is passed over
        for name in (*folders, *files):
            if any(fnmatchcase(name, pattern) for pattern in patterns) and _is_older(path := Path(root, name), older):
                yield path


def _is_older(path: Path, seconds: float) -> bool:
    try:
        return not seconds or path.lstat().st_mtime <= time.time() - seconds
    except FileNotFoundError:  # whoever wrote it has moved it
        return False


def _traces(folder: Path, store: Store, older: float) -> Iterator[Path]:
    files = [path for path in folder.glob("??/*.nc") if _is_older(path, older)]
    with store.reading() as session:
        named = set(session.scalars(select(TraceRow.id).where(TraceRow.bytes > 0)))
    yield from (path for path in files if path.stem not in named)


def _pictures(folder: Path, store: Store, since: datetime) -> Iterator[Path]:
    with store.reading() as session:
        named = {digest for row in session.execute(select(SampleRow.picture, SampleRow.image)) for digest in row}
    for path in folder.glob("??/*.png"):
        if path.stem not in named and path.stat().st_mtime >= since.timestamp():
            yield path


def _predictions(store: Store) -> None:
    """Delete predictions for pictures that no sample has any more."""
    with store.writing() as session:
        session.execute(delete(PredictionRow).where(PredictionRow.image.not_in(select(SampleRow.image))))


def _remove(path: Path) -> bool:
    """Remove a file or folder, and return whether that worked; the rest is left for the next time."""
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        log.warning("what was left half done cannot be removed: %s", error.strerror)
        return False
    return True
