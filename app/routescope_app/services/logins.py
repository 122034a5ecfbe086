"""Logins that were ended before their time: what is kept of them, for all who share the database."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, select

from routescope_app.services.store import EndedLoginRow, Store, now

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
            EndedLoginRow(digest=digest, until=datetime.fromtimestamp(min(until, LATEST), UTC))
            for digest, until in ended.items()
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
