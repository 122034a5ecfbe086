"""Uploaded and drawn samples: cleaned, kept on disk by content, listed in the database."""

import io
import logging
import secrets
import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
import torch
from jaxtyping import UInt8
from PIL import Image
from sqlalchemy import ColumnElement, SQLColumnExpression, func, null, or_, select
from sqlalchemy.orm import Session
from torch import Tensor

from routescope.data.pictures.sizing import from_drawing, from_picture
from routescope_app.services.disk import check_disk
from routescope_app.services.errors import NotAccepted, NotFound, NotYours
from routescope_app.services.owners import may_change
from routescope_app.services.room import Limit, check_room, taken_rows
from routescope_app.services.samples.decoding import encode_png
from routescope_app.services.samples.decoding_pool import DecodingPool
from routescope_app.services.samples.names import clean_name, name_of_file
from routescope_app.services.samples.predictions import forget
from routescope_app.services.storage.content import ContentFiles
from routescope_app.services.storage.storage import Storage, StorageUnreachable
from routescope_app.services.store import PredictionRow, SampleRow, Store, now
from routescope_app.settings import Settings

#: Largest label that a sample may be given.
MAX_LABEL = 999

log = logging.getLogger(__name__)
ORIGINS = ("upload", "drawing")
#: What keys of pictures begin with.
PLACE = "samples"
#: Rows asked for in one statement.
MOST_IDS = 500


@dataclass(frozen=True)
class SearchedUpload:
    """What a search looks at of a sample.

    Attributes:
        image: hash of the file with the image that networks see.
        predicted: the label that the model of the search gives it; None where that is not known, or none was named.
    """

    id: str
    origin: str
    name: str
    label: int | None
    image: str
    predicted: int | None


class Uploads:
    """Uploaded and drawn samples.

    Attributes:
        decoding: is held while a picture that is kept, of any size, is decoded again.
    """

    def __init__(self, store: Store, settings: Settings, pool: DecodingPool, storage: Storage) -> None:
        self._store = store
        self._settings = settings
        self._pool = pool
        self.decoding = threading.BoundedSemaphore(settings.concurrency)
        self._files = ContentFiles(storage, PLACE, ".png")

    def add(
        self,
        content: bytes,
        origin: str,
        file_name: str | None,
        name: str | None,
        label: int | None,
        owner: str | None,
    ) -> SampleRow:
        """Take a picture in; when this returns it is on disk. The bytes that were sent are not kept.

        It is blocking, and waits for a process that decodes: it is run in a thread of the pool.

        Raises:
            NotAccepted, TooLarge: what was wrong with the picture.
            StoreFull, QuotaReached: no room for another sample, of all or of this client.
        """
        self._check_label(label)
        clean = self._pool.clean(content)
        picture, encoded = clean.picture, clean.png
        try:
            image = from_drawing(picture) if origin == "drawing" else from_picture(picture)
        except ValueError as error:
            raise NotAccepted(f"The picture cannot be used: {error}.") from error
        seen = encode_png(Image.fromarray(image.numpy().transpose(1, 2, 0)))
        shown = clean_name(name) if name and name.strip() else name_of_file(file_name)
        size = len(encoded) + len(seen)
        with self._store.reading() as session:  # before anything is kept, and again with nobody else between
            self._check_room(session, size)
        kept: set[str] = set()
        try:
            for each in (encoded, seen):  # which takes long in a bucket: others go on
                kept.add(self._files.put(each))
            with self._store.exclusive("samples") as session:
                self._check_room(session, size)
                row = SampleRow(
                    id=secrets.token_hex(16),
                    origin=origin,
                    name=shown,
                    label=label,
                    width=picture.width,
                    height=picture.height,
                    picture=self._files.put(encoded),  # it may have gone with another sample meanwhile
                    image=self._files.put(seen),
                    bytes=size,
                    created=now(),
                    owner=owner,
                )
                session.add(row)
        except BaseException:
            self._tidy(kept)
            raise
        return row

    def _tidy(self, digests: Collection[str]) -> None:
        """Remove files that were put for a sample that was not kept, unless others have them."""
        try:
            self._remove_files(digests)
        except Exception:
            log.exception("files of a sample that was not kept are left")

    def get(self, sample_id: str) -> SampleRow:
        with self._store.reading() as session:
            row = session.get(SampleRow, sample_id)
        if row is None:
            raise NotFound("There is no such sample; it may have been deleted.")
        return row

    def change(self, sample_id: str, changes: dict[str, str | int | None], caller: str | None) -> SampleRow:
        """Set ``name`` or ``label`` to what ``changes`` says; a label of None is taken away.

        Raises:
            NotFound, NotYours: there is no such sample, or it is another's.
        """
        with self._store.writing() as session:
            row = _owned(session, sample_id, caller)
            if isinstance(name := changes.get("name"), str):
                row.name = clean_name(name)
            if "label" in changes:
                label = changes["label"]
                assert label is None or isinstance(label, int)
                self._check_label(label)
                row.label = label
        return row

    def delete(self, sample_id: str, caller: str | None) -> frozenset[str]:
        """Forget the sample, then its files unless another sample has the same.

        Returns:
            Hashes of the files that are gone.

        Raises:
            NotFound, NotYours: there is no such sample, or it is another's.
        """
        with self._store.exclusive("samples") as session:
            row = _owned(session, sample_id, caller)
            session.delete(row)
        return self._remove_files({row.picture, row.image})

    def delete_where(self, condition: ColumnElement[bool], most: int) -> tuple[list[str], frozenset[str]]:
        """As ``delete``, of up to so many samples for which a condition holds: their ids, and hashes that are gone."""
        with self._store.exclusive("samples") as session:
            rows = session.scalars(select(SampleRow).where(condition).limit(most)).all()
            for row in rows:
                session.delete(row)
        return [row.id for row in rows], self._remove_files({each for row in rows for each in (row.picture, row.image)})

    def _remove_files(self, digests: Collection[str]) -> frozenset[str]:
        """Of deleted samples: the files of these hashes, unless others have the same; those that are gone."""
        if not digests:
            return frozenset()
        with self._store.exclusive("samples") as session:
            used: set[str] = set()
            for column in (SampleRow.picture, SampleRow.image):
                used |= set(session.scalars(select(column).where(column.in_(digests)).distinct()))
            gone = frozenset(digests) - used
            forget(session, gone)
            try:
                for digest in gone:
                    self._files.remove(digest)
            except StorageUnreachable:
                log.warning("files of %d pictures that no sample has are left until a later start", len(gone))
        return gone

    def sweep(self, older: float) -> int:
        """Remove files that no sample has and that were put so many seconds ago at least; how many there were."""
        before = now() - timedelta(seconds=older)
        old = [digest for digest, entry in self._files.kept().items() if entry.modified < before]
        return sum(len(self._remove_files(old[start : start + MOST_IDS])) for start in range(0, len(old), MOST_IDS))

    def find(
        self, origin: str | None, label: int | None, caller: str | None, offset: int = 0, limit: int | None = None
    ) -> tuple[Sequence[SampleRow], int]:
        """The caller's and everybody's samples that match, newest first, and how many there are in all."""
        conditions = self._matching(origin, label, caller)
        with self._store.reading() as session:
            total = session.scalar(select(func.count()).select_from(SampleRow).where(*conditions)) or 0
            query = select(SampleRow).where(*conditions).order_by(SampleRow.created.desc(), SampleRow.id)
            rows = session.scalars(query.offset(offset).limit(limit)).all() if limit != 0 else []
        return rows, total

    def listed(
        self,
        origin: str | None,
        label: int | None,
        caller: str | None,
        of_samples: ColumnElement[bool] | None = None,
    ) -> list[SearchedUpload]:
        """As ``find``, of all that match only what a search looks at, read in one query.

        Args:
            of_samples: joins a sample with what a model makes of it; then those without a label are left out.
        """
        conditions = self._matching(origin, label, caller)
        predicted: SQLColumnExpression[int | None] = null() if of_samples is None else PredictionRow.label
        query = select(
            SampleRow.id, SampleRow.origin, SampleRow.name, SampleRow.label, SampleRow.image, predicted
        ).select_from(SampleRow)
        if of_samples is not None:
            query = query.outerjoin(PredictionRow, of_samples)
            conditions.append(SampleRow.label.is_not(None))
        with self._store.reading() as session:
            rows = session.execute(query.where(*conditions).order_by(SampleRow.created.desc(), SampleRow.id))
            return [SearchedUpload(*row) for row in rows]

    def rows(self, ids: Sequence[str]) -> list[SampleRow]:
        """Samples by their ids, in that order; those that were deleted meanwhile are left out."""
        found: dict[str, SampleRow] = {}
        with self._store.reading() as session:
            for start in range(0, len(ids), MOST_IDS):
                chosen = SampleRow.id.in_(ids[start : start + MOST_IDS])
                found |= {row.id: row for row in session.scalars(select(SampleRow).where(chosen))}
        return [found[each] for each in ids if each in found]

    @staticmethod
    def _matching(origin: str | None, label: int | None, caller: str | None) -> list[ColumnElement[bool]]:
        conditions: list[ColumnElement[bool]] = [or_(SampleRow.owner.is_(None), SampleRow.owner == caller)]
        if origin is not None:
            conditions.append(SampleRow.origin == origin)
        if label is not None:
            conditions.append(SampleRow.label == label)
        return conditions

    def picture(self, row: SampleRow) -> bytes:
        """The re-encoded picture, PNG."""
        return self._file(row.picture)

    def image(self, row: SampleRow) -> UInt8[Tensor, "3 32 32"]:
        """What networks see."""
        return self.image_of(row.image)

    def image_of(self, digest: str) -> UInt8[Tensor, "3 32 32"]:
        """The same by the hash under which it is kept; raises NotFound."""
        with Image.open(io.BytesIO(self._file(digest)), formats=("PNG",)) as image:
            return torch.from_numpy(np.asarray(image.convert("RGB")).transpose(2, 0, 1).copy())

    def _file(self, digest: str) -> bytes:
        try:
            return self._files.get(digest)
        except FileNotFoundError as error:
            raise NotFound("The picture of this sample is no longer in the data folder.") from error

    def _check_label(self, label: int | None) -> None:
        if label is not None and not 0 <= label <= MAX_LABEL:
            raise NotAccepted(f"A label is a whole number from 0 to {MAX_LABEL}.")

    def _check_room(self, session: Session, needed: int) -> None:
        settings = self._settings
        check_disk(settings)
        check_room(settings, Limit("pictures", settings.max_samples), taken_rows(session, SampleRow))
        kept = Limit("pictures", settings.disk_of("pictures"), sized=True)
        check_room(settings, kept, taken_rows(session, SampleRow, SampleRow.bytes), needed)


def _owned(session: Session, sample_id: str, caller: str | None) -> SampleRow:
    """The row, for somebody who may change it."""
    row = session.get(SampleRow, sample_id)
    if row is None:
        raise NotFound("There is no such sample; it may have been deleted.")
    if not may_change(row.owner, caller):
        raise NotYours(
            "This sample was brought in another browser or by another user, who alone can change or delete it."
        )
    return row
