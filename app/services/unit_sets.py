"""Sets of units that are too long for an address: kept once, and named by a short id that follows from their names."""

import hashlib
import json
import threading
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from app.services.errors import NotFound
from app.services.store import Store, UnitSetRow, now
from app.settings import Settings
from core.routing.rules import KEPT

#: Digits of an id.
DIGITS = 16
#: A set's last use is written to the database at most this often.
USE_GRAIN = timedelta(hours=1)


class UnitSets:
    """Names of units in the database, packed; of no browser, as whoever has an id knows what to ask for.

    A service that is read-only writes none: beside those that the database has it holds others in memory.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._most = settings.unit_set_bytes
        self._held: OrderedDict[str, bytes] | None = OrderedDict() if settings.read_only else None
        self._lock = threading.Lock()

    def keep(self, units: Sequence[str]) -> str:
        """The id of a set, the same for the same units in whatever order. Others that nobody used for longest go."""
        text = json.dumps(sorted(set(units)))
        own = hashlib.sha256(text.encode()).hexdigest()[:DIGITS]
        packed = zlib.compress(text.encode(), 9)
        if self._held is not None:
            with self._lock:
                self._held[own] = packed
                self._held.move_to_end(own)
                while len(self._held) > 1 and sum(map(len, self._held.values())) > self._most:
                    self._held.popitem(last=False)
            return own
        with self._store.exclusive("unit_sets") as session:
            session.merge(UnitSetRow(id=own, units=packed, bytes=len(packed), used=now()))
            session.flush()
            self._make_room(session, own)
        return own

    def _make_room(self, session: Session, but: str) -> None:
        excess = int(session.scalar(select(func.sum(UnitSetRow.bytes))) or 0) - self._most
        if excess <= 0:
            return
        others = select(UnitSetRow.id, UnitSetRow.bytes).where(UnitSetRow.id != but).order_by(UnitSetRow.used)
        for gone, size in session.execute(others).all():  # not what is in them
            session.execute(delete(UnitSetRow).where(UnitSetRow.id == gone))
            excess -= size
            if excess <= 0:
                return

    def find(self, set_id: str) -> tuple[str, ...] | None:
        """The units of a set in the order of their names; None where none of that id is kept."""
        if self._held is not None:
            with self._lock:
                if (packed := self._held.get(set_id)) is not None:
                    self._held.move_to_end(set_id)
                    return tuple(json.loads(zlib.decompress(packed)))
        with self._store.reading() as session:
            row = session.get(UnitSetRow, set_id)
        if row is None:
            return None
        if self._held is None and now() - row.used > USE_GRAIN:
            with self._store.writing() as session:
                if (current := session.get(UnitSetRow, set_id)) is not None:
                    current.used = now()
        return tuple(json.loads(zlib.decompress(row.units)))

    def get(self, set_id: str) -> tuple[str, ...]:
        """As ``find``; raises NotFound where there is none."""
        units = self.find(set_id)
        if units is None:
            raise NotFound(f"There is no set {KEPT}{set_id}: it was never kept here, or longer ago than sets are kept.")
        return units
