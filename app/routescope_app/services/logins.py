"""Logins that were ended before they expired, for all processes that share the database."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, select

from routescope_app.services.store import EndedLoginRow, Store, now

#: Of a login that says that it lasts longer, in seconds since 1970.
LATEST = 100_000_000_000
#: For how long one that has expired is kept, as clocks of several machines differ.
KEPT = timedelta(days=1)


class EndedLogins:
    """Hashes of the cookies of ended logins; blocking."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def end(self, ended: Mapping[str, int]) -> None:
        """Add ended logins: their expiry in seconds since 1970, by the SHA-256 of the cookie."""
        rows = [
            EndedLoginRow(digest=digest, until=datetime.fromtimestamp(min(until, LATEST), UTC))
            for digest, until in ended.items()
        ]
        with self._store.exclusive("logins") as session:
            session.execute(delete(EndedLoginRow).where(EndedLoginRow.until < now() - KEPT))
            for row in rows:
                session.merge(row)

    def digests(self) -> frozenset[str]:
        """All hashes."""
        with self._store.reading() as session:
            return frozenset(session.scalars(select(EndedLoginRow.digest)))

    def sweep(self) -> None:
        """Delete the logins that would have expired by now."""
        self.end({})
