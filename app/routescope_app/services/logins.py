"""Logins that were ended before their time: what is kept of them, for all who share the database."""

import json
import logging
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import delete, select

from routescope_app.services.store import EndedLoginRow, Store, now

log = logging.getLogger(__name__)
#: Where an earlier version kept them, in the data folder, and what they locked meanwhile.
FILE, LOCK = "ended-sessions.json", "ended-sessions.lock"
DIGEST = re.compile("[0-9a-f]{64}")
#: Of a login that says that it lasts longer, in seconds since 1970.
LATEST = 100_000_000_000
#: For how long one that has expired is kept, as clocks of several machines differ.
KEPT = timedelta(days=1)


class EndedLogins:
    """Hashes of the cookies of logins that were ended; blocking."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def end(self, ended: Mapping[str, int]) -> None:
        """They are over.

        Args:
            ended: of each cookie's SHA-256, when the login would have expired, in seconds since 1970.
        """
        rows = [
            EndedLoginRow(digest=each, until=datetime.fromtimestamp(min(until, LATEST), UTC))
            for each, until in ended.items()
        ]
        with self._store.exclusive("logins") as session:
            session.execute(delete(EndedLoginRow).where(EndedLoginRow.until < now() - KEPT))
            for row in rows:
                session.merge(row)

    def digests(self) -> frozenset[str]:
        """The hashes of all of them."""
        with self._store.reading() as session:
            return frozenset(session.scalars(select(EndedLoginRow.digest)))

    def sweep(self) -> None:
        """Forget those that would have expired by now."""
        self.end({})

    def take_over(self, folder: Path) -> None:
        """What an earlier version left in a data folder; its file goes once the database has what is in it."""
        earlier = left_in(folder)
        if earlier is not None:
            self.end(earlier)
            forget_in(folder)


def left_in(folder: Path) -> dict[str, int] | None:
    """Logins that the file of an earlier version says were ended; None where there is no file, or it cannot be opened.

    One that is damaged says nothing of any.
    """
    try:
        found = json.loads((folder / FILE).read_bytes())
        ended = {str(each): int(until) for each, until in found.items()}
    except FileNotFoundError:
        return None
    except (ValueError, AttributeError, TypeError, OverflowError):
        log.warning("%s is damaged: logins that were ended before may be open again", FILE)
        return {}
    except OSError as error:
        log.warning("%s cannot be read: logins that were ended before may be open again: %s", FILE, error.strerror)
        return None
    return {each: until for each, until in ended.items() if DIGEST.fullmatch(each) and until >= 0}


def forget_in(folder: Path) -> None:
    """Remove the file, which has been read."""
    for name in (FILE, LOCK):
        try:
            (folder / name).unlink(missing_ok=True)
        except OSError as error:
            log.warning("%s cannot be removed, and is read again at the next start: %s", name, error.strerror)
