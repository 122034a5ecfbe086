"""Sets of units that are too long for an address: kept once, and named by a short id that follows from their names.

A set takes the room of every client who keeps it, by bringing it or by a snapshot whose address names it. A client
whose share is taken lets go of the oldest of its own that its snapshots do not name; a set goes when nobody keeps it
and no snapshot names it.
"""

import hashlib
import json
import re
import threading
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from urllib.parse import unquote

from sqlalchemy import delete, exists, func, or_, select
from sqlalchemy.orm import Session

from routescope.routing.rules import KEPT
from routescope_app.services.engine.clients import client
from routescope_app.services.errors import NotFound
from routescope_app.services.room import Limit, LimitUse, check_room
from routescope_app.services.store import SnapshotSetRow, Store, UnitSetKeeperRow, UnitSetRow, now
from routescope_app.settings import Settings

#: Days without use after which a set of units that no snapshot names may go when others need its room.
UNUSED_DAYS = 90

#: Digits of an id.
DIGITS = 16
#: A set's last use is written to the database at most this often.
USE_GRAIN = timedelta(hours=1)
#: Bytes that a set takes beside its names: its row, and those of who keeps it.
OF_ROW = 1024
#: Sets that are read at once, the oldest first, to find those that go.
OLDEST = 100
_NAME = re.compile(rf"{KEPT}([0-9a-f]{{{DIGITS}}})(?![0-9a-f])")

_KEPT_BY_SOMEBODY = exists().where(UnitSetKeeperRow.set_id == UnitSetRow.id)
_NAMED_BY_SNAPSHOTS = exists().where(SnapshotSetRow.set_id == UnitSetRow.id)


def sets_named(address: str) -> frozenset[str]:
    """Return the ids of the sets of units that the address of a page names."""
    return frozenset(_NAME.findall(unquote(address)))


class UnitSets:
    """Names of units in the database, packed; whoever has an id may read its set.

    A service that is read-only writes none into its database: it holds others beside those in memory.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._limit = Limit(
            "sets of units",
            settings.disk_of("unit-sets"),
            sized=True,
            own="delete some of your snapshots that name such sets, and there is room",
            others=f"one of them that no snapshot names has not been used for {UNUSED_DAYS:g} days",
        )
        self._memory = Store.in_memory() if settings.read_only else None
        self._lock = threading.Lock()  # of the memory's one connection

    def keep(self, units: Sequence[str]) -> str:
        """The id of a set, the same for the same units in whatever order; the client keeps it from now on.

        Raises:
            TooLarge: it takes more than a client's share.
            QuotaReached: snapshots of the client name all that takes its share.
            StoreFull: others take all the room, and use it.
        """
        text = json.dumps(sorted(set(units)))
        set_id = hashlib.sha256(text.encode()).hexdigest()[:DIGITS]
        with self._changing() as session:
            row = session.get(UnitSetRow, set_id)
            if row is None:
                packed = zlib.compress(text.encode(), 9)
                row = UnitSetRow(id=set_id, units=packed, bytes=len(packed) + OF_ROW)
                self._let_go(session, {set_id}, row.bytes)
                self._make_room(session, row.bytes)
                session.add(row)
            row.used = now()
            session.flush()
            self.hold(session, {set_id})
        return set_id

    def hold(self, session: Session, set_ids: Collection[str]) -> None:
        """Have the client keep the existing ones of these sets, within ``exclusive`` of sets; raises as ``keep``."""
        account = client.get()
        if not account or not set_ids:
            return
        held = select(UnitSetKeeperRow.set_id).where(UnitSetKeeperRow.account == account)
        asked = select(UnitSetRow.id, UnitSetRow.bytes).where(UnitSetRow.id.in_(set_ids), UnitSetRow.id.not_in(held))
        new = session.execute(asked).all()
        self._let_go(session, set_ids, sum(size for _, size in new))
        session.add_all(UnitSetKeeperRow(account=account, set_id=set_id, bytes=size) for set_id, size in new)
        session.flush()

    def _let_go(self, session: Session, but: Collection[str], needed: int) -> None:
        """Take its oldest sets from the client until so many bytes fit into its share; raises as ``keep``."""
        account, share = client.get(), self._limit.share(self._settings)
        if not account or not needed:
            return
        held = select(func.sum(UnitSetKeeperRow.bytes)).where(UnitSetKeeperRow.account == account)
        mine = int(session.scalar(held) or 0)
        gone: list[str] = []
        if needed <= share < mine + needed:
            named = exists().where(SnapshotSetRow.set_id == UnitSetRow.id, SnapshotSetRow.account == account)
            oldest = (
                select(UnitSetKeeperRow.set_id, UnitSetKeeperRow.bytes)
                .join(UnitSetRow, UnitSetRow.id == UnitSetKeeperRow.set_id)
                .where(UnitSetKeeperRow.account == account, UnitSetRow.id.not_in(but), ~named)
                .order_by(UnitSetRow.used, UnitSetRow.id)
            )
            with session.execute(oldest.execution_options(yield_per=OLDEST)) as rows:
                for set_id, size in rows:
                    gone.append(set_id)
                    mine -= size
                    if mine + needed <= share:
                        break
        check_room(self._settings, self._limit, LimitUse(0, mine), needed)
        for set_id in gone:
            of_client = (UnitSetKeeperRow.account == account, UnitSetKeeperRow.set_id == set_id)
            session.execute(delete(UnitSetKeeperRow).where(*of_client))
            session.execute(delete(UnitSetRow).where(UnitSetRow.id == set_id, ~_KEPT_BY_SOMEBODY, ~_NAMED_BY_SNAPSHOTS))

    def _make_room(self, session: Session, needed: int) -> None:
        """Remove sets that nobody keeps, or has used for long, until so many bytes fit; raises StoreFull."""
        total = int(session.scalar(select(func.sum(UnitSetRow.bytes))) or 0)
        if total + needed <= self._limit.most:
            return
        unused = UnitSetRow.used < now() - timedelta(days=UNUSED_DAYS)
        old = select(UnitSetRow.id, UnitSetRow.bytes).where(~_NAMED_BY_SNAPSHOTS, or_(~_KEPT_BY_SOMEBODY, unused))
        gone: list[str] = []
        old = old.order_by(UnitSetRow.used, UnitSetRow.id)
        with session.execute(old.execution_options(yield_per=OLDEST)) as rows:
            for set_id, size in rows:
                gone.append(set_id)
                total -= size
                if total + needed <= self._limit.most:
                    break
        for set_id in gone:
            session.execute(delete(UnitSetRow).where(UnitSetRow.id == set_id))
        check_room(self._settings, self._limit, LimitUse(total, 0), needed)

    @contextmanager
    def _changing(self) -> Iterator[Session]:
        if self._memory is None:
            with self._store.exclusive("unit_sets") as session:
                yield session
        else:
            with self._lock, self._memory.writing() as session:
                yield session

    def find(self, set_id: str) -> tuple[str, ...] | None:
        """The units of a set in the order of their names; None where none of that id is kept."""
        if self._memory is not None:
            with self._lock:
                units = _read(self._memory, set_id, touching=True)
            if units is not None:
                return units
        return _read(self._store, set_id, touching=self._memory is None)

    def get(self, set_id: str) -> tuple[str, ...]:
        """As ``find``; raises NotFound where there is none."""
        units = self.find(set_id)
        if units is None:
            raise NotFound(f"There is no set {KEPT}{set_id}: it was never kept here, or longer ago than sets are kept.")
        return units


def _read(store: Store, set_id: str, touching: bool) -> tuple[str, ...] | None:
    """The units of a set; ``touching`` says when it was used."""
    with store.reading() as session:
        row = session.get(UnitSetRow, set_id)
    if row is None:
        return None
    if touching and now() - row.used > USE_GRAIN:
        with store.writing() as session:
            if (current := session.get(UnitSetRow, set_id)) is not None:
                current.used = now()
    return tuple(json.loads(zlib.decompress(row.units)))
