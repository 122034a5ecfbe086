"""Samples that people write, such as texts and points of numbers; checked by their kind of input, kept as sent."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, func, or_, select

from routescope.nn.inputs.kind import Inputs, NotFromWriting
from routescope.nn.registry import kinds_of_input
from routescope_app.services.disk import check_disk
from routescope_app.services.errors import NotAccepted, NotFound, NotYours, TooLarge, sentence
from routescope_app.services.owners import may_change
from routescope_app.services.room import Limit, check_room, taken_rows
from routescope_app.services.samples.decoding_pool import LIMITS, DecodingPool
from routescope_app.services.samples.names import UNTITLED, clean_name
from routescope_app.services.store import Store, WrittenRow, now
from routescope_app.settings import MAX_TEXT_BYTES, Settings

#: Rows, such as the points of a cloud, of a file that is a sample.
MAX_FILE_ROWS = 100_000

#: Characters of what was written that are its name where it was given none.
NAMED_BY = 40
GONE = "There is no such sample; it may have been deleted."


def picture_form(kind: str, file_name: str) -> str | None:
    """The format of a file of which a sample of a kind is made, where it is a picture by its name."""
    make = kinds_of_input().get(kind)
    return None if make is None or make.files is None else make.files.pictures.get(PurePath(file_name.lower()).suffix)


class WrittenSamples:
    """What people typed, pasted or brought as files, and of which a kind of input makes samples."""

    def __init__(self, store: Store, settings: Settings, decoding: DecodingPool) -> None:
        self._store = store
        self._settings = settings
        self._decoding = decoding

    def check(self, kind: str, content: str) -> Inputs:
        """The sample of a kind that something written is.

        Raises:
            NotAccepted: none is made of it, or it is no Unicode text.
            TooLarge: more bytes than are accepted.
        """
        make = kind_of(kind)
        try:
            size = len(content.encode())
        except UnicodeEncodeError as error:
            raise NotAccepted("The text has halves of characters; texts are Unicode, sent as UTF-8.") from error
        if size > MAX_TEXT_BYTES:
            raise TooLarge(f"The text has {size:,} bytes; up to {MAX_TEXT_BYTES:,} are accepted.")
        try:
            return make.from_writing(content)
        except NotFromWriting as error:
            raise NotAccepted(sentence(error)) from error

    def read(self, kind: str, name: str, content: bytes, answer: int | None = None) -> str:
        """What a file holds, as somebody would write it; a picture is decoded where other pictures are.

        Args:
            answer: that somebody says is right, counted from 1.

        Raises:
            NotAccepted: no sample of this kind is in it, or none is read from files.
            TooLarge: a picture of too many pixels. Busy: no process could be started that decodes one.
        """
        make = kinds_of_input().get(kind)
        if make is None or make.files is None:
            kinds = [each for each, found in sorted(kinds_of_input().items()) if found.files is not None]
            raise NotAccepted(f"Samples that are read from files are of the kinds {', '.join(kinds)}.")
        files, form = make.files, picture_form(kind, name)
        try:
            if form is not None:
                most = min(LIMITS.max_side, files.longest_side)
                own: dict[str, Any] = {
                    "max_side": most,
                    "max_kept_side": most,
                    "formats": (form,),
                    "accepted": files.words,
                }
                written = make.writing_of_picture(
                    np.asarray(self._decoding.clean(content, replace(LIMITS, **own)).picture)
                )
            else:
                written = make.writing_of(name, content, MAX_FILE_ROWS)
            return written if answer is None else make.with_answer(written, answer)
        except NotFromWriting as error:
            raise NotAccepted(sentence(error)) from error

    def add(self, kind: str, content: str, name: str | None, data: str | None, owner: str | None) -> WrittenRow:
        """Keep what ``check`` found nothing wrong with.

        Args:
            data: the data set that says what is right of it; None: any of its kind.

        Raises:
            StoreFull, QuotaReached: no room for another, of all or of this client.
        """
        written = content.encode()
        shown = clean_name(name) if name and name.strip() else clean_name(content.strip()[:NAMED_BY])
        row = WrittenRow(
            id=secrets.token_hex(16),
            name=shown or UNTITLED,
            content=written,
            digest=hashlib.sha256(written).hexdigest(),
            created=now(),
            owner=owner,
            inputs=kind,
            data=data,
        )
        with self._store.exclusive("samples") as session:
            check_disk(self._settings)
            check_room(self._settings, Limit("texts", self._settings.max_texts), taken_rows(session, WrittenRow))
            session.add(row)
        return row

    def get(self, sample_id: str) -> WrittenRow:
        """What was written; raises NotFound."""
        with self._store.reading() as session:
            row = session.get(WrittenRow, sample_id)
        if row is None:
            raise NotFound(GONE)
        return row

    def has(self, sample_id: str) -> bool:
        """Whether a sample was written."""
        with self._store.reading() as session:
            return session.get(WrittenRow, sample_id) is not None

    def delete(self, sample_id: str, caller: str | None) -> None:
        """Forget it.

        Raises:
            NotFound, NotYours: there is no such sample, or it is another's.
        """
        with self._store.exclusive("samples") as session:
            row = session.get(WrittenRow, sample_id)
            if row is None:
                raise NotFound(GONE)
            if not may_change(row.owner, caller):
                raise NotYours("This text was brought in another browser or by another user, who alone can delete it.")
            session.delete(row)

    def delete_where(self, condition: ColumnElement[bool], most: int) -> list[str]:
        """Forget up to so many for which a condition holds; their ids."""
        with self._store.exclusive("samples") as session:
            rows = session.scalars(select(WrittenRow).where(condition).limit(most)).all()
            for row in rows:
                session.delete(row)
        return [row.id for row in rows]

    def find(self, kind: str | None, caller: str | None, offset: int, limit: int) -> tuple[Sequence[WrittenRow], int]:
        """The caller's and everybody's of a kind, or of all, newest first, and how many there are."""
        own = or_(WrittenRow.owner.is_(None), WrittenRow.owner == caller)
        if kind is not None:
            own = own & (WrittenRow.inputs == kind)
        with self._store.reading() as session:
            total = session.scalar(select(func.count()).select_from(WrittenRow).where(own)) or 0
            query = select(WrittenRow).where(own).order_by(WrittenRow.created.desc(), WrittenRow.id)
            rows = session.scalars(query.offset(offset).limit(limit)).all() if limit else []
        return rows, total


def kind_of(name: str) -> type[Inputs]:
    """The kind of input of this name, of which samples are written; raises NotAccepted where there is none."""
    kinds = kinds_of_input()
    written = [each for each, kind in sorted(kinds.items()) if kind.written is not None]
    if name not in written:
        raise NotAccepted(f"Samples that are written are of the kinds {', '.join(written)}.")
    return kinds[name]


def sample_of(row: WrittenRow) -> Inputs:
    """What a network takes of it, as a batch of one."""
    return kind_of(row.inputs).from_writing(row.content.decode())
