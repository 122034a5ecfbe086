"""Rows of samples that have owners, uploaded and written ones: read, listed and deleted."""

from collections.abc import Sequence
from typing import Generic, TypeVar

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from routescope_app.services.errors import NotFound, NotYours
from routescope_app.services.owners import may_change
from routescope_app.services.store import SampleRow, Store, WrittenRow

Row = TypeVar("Row", SampleRow, WrittenRow)
GONE = "There is no such sample; it may have been deleted."


class OwnedRows(Generic[Row]):
    """One table of samples. Methods block."""

    def __init__(self, store: Store, table: type[Row]) -> None:
        self._store = store
        self._table: type[Row] = table

    def get(self, sample_id: str) -> Row:
        """Return a sample; raises NotFound."""
        with self._store.reading() as session:
            return self._found(session, sample_id)

    def _found(self, session: Session, sample_id: str) -> Row:
        row = session.get(self._table, sample_id)
        if row is None:
            raise NotFound(GONE)
        return row

    def _owned(self, session: Session, sample_id: str, caller: str | None) -> Row:
        """Return a sample that the caller may change; raises NotFound or NotYours."""
        row = self._found(session, sample_id)
        if not may_change(row.owner, caller):
            raise NotYours(
                "This sample was brought in another browser or by another user, who alone can change or delete it."
            )
        return row

    def remove(self, sample_id: str, caller: str | None) -> Row:
        """Delete a row and return it; raises NotFound or NotYours."""
        with self._store.exclusive("samples") as session:
            row = self._owned(session, sample_id, caller)
            session.delete(row)
        return row

    def remove_where(self, condition: ColumnElement[bool], most: int) -> Sequence[Row]:
        """Delete at most ``most`` rows that meet a condition, and return them."""
        with self._store.exclusive("samples") as session:
            rows = session.scalars(select(self._table).where(condition).limit(most)).all()
            for row in rows:
                session.delete(row)
        return rows

    def _visible(self, caller: str | None) -> ColumnElement[bool]:
        """Return the condition of the caller's and everybody's samples."""
        return or_(self._table.owner.is_(None), self._table.owner == caller)

    def _page(
        self, conditions: Sequence[ColumnElement[bool]], offset: int, limit: int | None
    ) -> tuple[Sequence[Row], int]:
        """Return one page of the rows that meet all conditions, newest first, and the number of all such rows."""
        with self._store.reading() as session:
            total = session.scalar(select(func.count()).select_from(self._table).where(*conditions)) or 0
            query = select(self._table).where(*conditions).order_by(self._table.created.desc(), self._table.id)
            rows = session.scalars(query.offset(offset).limit(limit)).all() if limit != 0 else []
        return rows, total
