"""Snapshots: stored views of the dashboard, each a relative address with a name and a note."""

import re
import secrets
import unicodedata
from collections.abc import Mapping, Sequence

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session

from routescope_app.services.errors import NotAccepted, NotFound, NotYours
from routescope_app.services.owners import may_change
from routescope_app.services.room import Limit, check_room, taken_rows
from routescope_app.services.samples.names import clean_name
from routescope_app.services.store import SnapshotRow, SnapshotSetRow, Store, now
from routescope_app.services.unit_sets import UnitSets, sets_named
from routescope_app.settings import Settings

#: Characters of the note of a snapshot.
MAX_NOTE = 2_000
#: Characters of the address that a snapshot keeps.
MAX_ADDRESS = 16_384

#: A page and its query; nothing that a browser takes for another host, and no place within a page.
ADDRESS = re.compile(r"/[a-z0-9-]{0,40}(\?[!$%&'()*+,./:;=?@\w~-]*)?", re.ASCII)
#: What of this server is no page.
NO_PAGES = ("/api", "/web", "/assets", "/login", "/logout")


class Snapshots:
    """Named views in the database; those without an owner are everybody's."""

    def __init__(self, store: Store, settings: Settings, sets: UnitSets) -> None:
        self._store = store
        self._sets = sets
        self._settings = settings

    def add(self, name: str, note: str, address: str, owner: str | None) -> SnapshotRow:
        """Store a view.

        Raises:
            NotAccepted: a bad address or note.
            StoreFull, QuotaReached: no room for another snapshot, in all or of this client.
            TooLarge: the sets of units that it names exceed the client's share.
        """
        values = self._read({"name": name, "note": note, "address": address})
        limit = Limit("snapshots", self._settings.max_snapshots)
        with self._store.exclusive("snapshots", "unit_sets") as session:
            check_room(self._settings, limit, taken_rows(session, SnapshotRow))
            row = SnapshotRow(id=secrets.token_hex(16), created=now(), owner=owner, **values)
            session.add(row)
            session.flush()
            self._name_sets(session, row)
        return row

    def get(self, snapshot_id: str) -> SnapshotRow:
        """One snapshot, of any owner; raises NotFound."""
        with self._store.reading() as session:
            return _there(session.get(SnapshotRow, snapshot_id))

    def change(self, snapshot_id: str, changes: Mapping[str, str], caller: str | None) -> SnapshotRow:
        """Change name, note or address; raises NotFound or NotYours, and like ``add``."""
        values = self._read(changes)
        with self._store.exclusive("snapshots", "unit_sets") as session:
            row = _owned(session, snapshot_id, caller)
            for field, value in values.items():
                setattr(row, field, value)
            session.flush()
            if "address" in values:
                session.execute(delete(SnapshotSetRow).where(SnapshotSetRow.snapshot == row.id))
                self._name_sets(session, row)
        return row

    def _name_sets(self, session: Session, row: SnapshotRow) -> None:
        """Hold the sets of units that its address names, in the share of the client who wrote it."""
        named = sets_named(row.address)
        self._sets.hold(session, named)
        session.add_all(SnapshotSetRow(snapshot=row.id, set_id=set_id) for set_id in sorted(named))

    def delete(self, snapshot_id: str, caller: str | None) -> None:
        """Delete one; raises NotFound or NotYours."""
        with self._store.writing() as session:
            session.delete(_owned(session, snapshot_id, caller))

    def find(self, caller: str | None, offset: int = 0, limit: int | None = None) -> tuple[Sequence[SnapshotRow], int]:
        """Snapshots of the caller and of everybody, newest first, and their number without ``offset`` and ``limit``."""
        seen = or_(SnapshotRow.owner.is_(None), SnapshotRow.owner == caller)
        with self._store.reading() as session:
            total = session.scalar(select(func.count()).select_from(SnapshotRow).where(seen)) or 0
            query = select(SnapshotRow).where(seen).order_by(SnapshotRow.created.desc(), SnapshotRow.id)
            return session.scalars(query.offset(offset).limit(limit)).all(), total

    def _read(self, given: Mapping[str, str]) -> dict[str, str]:
        """Fields of a request, cleaned and checked; raises NotAccepted."""
        fields = dict(given)
        if "name" in fields:
            fields["name"] = clean_name(fields["name"])
        if "note" in fields:
            fields["note"] = _clean_note(fields["note"])
            if len(fields["note"]) > MAX_NOTE:
                raise NotAccepted(f"A note has up to {MAX_NOTE} characters.")
        if "address" in fields:
            self._check_address(fields["address"])
        return fields

    def _check_address(self, address: str) -> None:
        most = MAX_ADDRESS
        if len(address) > most:
            raise NotAccepted(f"The address of a snapshot has up to {most} characters.")
        path = address.partition("?")[0]
        if not ADDRESS.fullmatch(address) or path in NO_PAGES:
            raise NotAccepted(
                "A snapshot keeps the address of a page of this dashboard, without its host, such as /drop?model=..."
            )


def _clean_note(note: str) -> str:
    """The note in NFC, with its lines, but without other invisible characters."""
    lines = re.split(r"\r\n|[\r\n\v\f\x85\u2028\u2029]", unicodedata.normalize("NFC", note).replace("\t", " "))
    seen = (
        "".join(character for character in line if unicodedata.category(character)[0] != "C").rstrip() for line in lines
    )
    return "\n".join(seen).strip()


def _there(row: SnapshotRow | None) -> SnapshotRow:
    if row is None:
        raise NotFound("There is no such snapshot; it may have been deleted.")
    return row


def _owned(session: Session, snapshot_id: str, caller: str | None) -> SnapshotRow:
    """The row, if the caller may change it; raises NotFound or NotYours."""
    row = _there(session.get(SnapshotRow, snapshot_id))
    if not may_change(row.owner, caller):
        raise NotYours("This snapshot is kept in another browser or by another user, who alone can change it.")
    return row
