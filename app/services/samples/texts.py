"""Texts that people bring as samples: checked, kept in the database as they were sent."""

import hashlib
import secrets
from collections.abc import Sequence

from sqlalchemy import func, or_, select

from app.services.errors import NotAccepted, NotFound, NotYours, StoreFull, TooLarge
from app.services.owners import whose
from app.services.samples.names import UNTITLED, clean_name
from app.services.store import Store, TextRow, now
from app.settings import Settings

#: Characters of a text that are its name where it was given none.
NAMED_BY = 40
GONE = "There is no such sample; it may have been deleted."


class Texts:
    """Texts that people typed, pasted or brought as files."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings

    def add(self, text: str, name: str | None, owner: str | None) -> TextRow:
        """Take a text in.

        Raises:
            NotAccepted: it is empty, or no Unicode text.
            TooLarge: more bytes than are accepted.
            StoreFull: no room for another text.
        """
        try:
            content = text.encode()
        except UnicodeEncodeError as error:
            raise NotAccepted("The text has halves of characters; texts are Unicode, sent as UTF-8.") from error
        if not text.strip():
            raise NotAccepted("The text is empty; a sample is a text of at least one visible character.")
        most = self._settings.max_text_bytes
        if len(content) > most:
            raise TooLarge(f"The text has {len(content):,} bytes; up to {most:,} are accepted.")
        length = self._settings.max_name_length
        shown = clean_name(name, length) if name and name.strip() else clean_name(text.strip()[:NAMED_BY], length)
        row = TextRow(
            id=secrets.token_hex(16),
            name=shown or UNTITLED,
            content=content,
            digest=hashlib.sha256(content).hexdigest(),
            created=now(),
            owner=owner,
        )
        with self._store.exclusive() as session:
            if (session.scalar(select(func.count()).select_from(TextRow)) or 0) >= self._settings.max_texts:
                raise StoreFull(f"There are {self._settings.max_texts} texts already; delete some first.")
            session.add(row)
        return row

    def get(self, sample_id: str) -> TextRow:
        """The text; raises NotFound."""
        with self._store.reading() as session:
            row = session.get(TextRow, sample_id)
        if row is None:
            raise NotFound(GONE)
        return row

    def has(self, sample_id: str) -> bool:
        """Whether a sample is such a text."""
        with self._store.reading() as session:
            return session.get(TextRow, sample_id) is not None

    def delete(self, sample_id: str, caller: str | None) -> None:
        """Forget the text.

        Raises:
            NotFound, NotYours: there is no such text, or it is another's.
        """
        with self._store.exclusive() as session:
            row = session.get(TextRow, sample_id)
            if row is None:
                raise NotFound(GONE)
            if whose(row.owner, caller) == "another":
                raise NotYours("This text was brought in another browser; it can be deleted there alone.")
            session.delete(row)

    def find(self, caller: str | None, offset: int, limit: int) -> tuple[Sequence[TextRow], int]:
        """The caller's and everybody's texts, newest first, and how many there are in all."""
        own = or_(TextRow.owner.is_(None), TextRow.owner == caller)
        with self._store.reading() as session:
            total = session.scalar(select(func.count()).select_from(TextRow).where(own)) or 0
            query = select(TextRow).where(own).order_by(TextRow.created.desc(), TextRow.id)
            rows = session.scalars(query.offset(offset).limit(limit)).all() if limit else []
        return rows, total


def text_of(row: TextRow) -> str:
    """What was sent."""
    return row.content.decode()
