"""Uploaded and drawn samples: cleaned, kept on disk by content hash, listed in the database."""

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
from sqlalchemy import ColumnElement, SQLColumnExpression, null, select
from sqlalchemy.orm import Session
from torch import Tensor

from routescope.data.pictures.sizing import from_drawing, from_picture
from routescope_app.services.disk import check_disk
from routescope_app.services.errors import NotAccepted, NotFound
from routescope_app.services.room import Limit, check_room, taken_rows
from routescope_app.services.samples.decoding import encode_png
from routescope_app.services.samples.decoding_pool import DecodingPool
from routescope_app.services.samples.names import clean_name, name_of_file
from routescope_app.services.samples.owned_rows import OwnedRows
from routescope_app.services.samples.predictions import forget
from routescope_app.services.storage.content import ContentFiles
from routescope_app.services.storage.storage import Storage, StorageUnreachable
from routescope_app.services.store import PredictionRow, SampleRow, Store, now
from routescope_app.settings import Settings

#: Largest label that a sample may be given.
MAX_LABEL = 999

log = logging.getLogger(__name__)
ORIGINS = ("upload", "drawing")
#: Prefix of the keys of pictures.
PREFIX = "samples"
#: Most ids in one SQL statement.
MOST_IDS = 500


@dataclass(frozen=True)
class SearchedUpload:
    """The searched fields of an uploaded sample.

    Attributes:
        image: hash of the file with the image that networks see.
        predicted: label by the model of the search; None if it is not known, or if no model was named.
    """

    id: str
    origin: str
    name: str
    label: int | None
    image: str
    predicted: int | None


class Uploads(OwnedRows[SampleRow]):
    """Uploaded and drawn samples.

    Attributes:
        decoding: semaphore held while a kept picture is decoded again.
    """

    def __init__(self, store: Store, settings: Settings, pool: DecodingPool, storage: Storage) -> None:
        super().__init__(store, SampleRow)
        self._settings = settings
        self._pool = pool
        self.decoding = threading.BoundedSemaphore(settings.concurrency)
        self._files = ContentFiles(storage, PREFIX, ".png")

    def add(
        self,
        content: bytes,
        origin: str,
        file_name: str | None,
        name: str | None,
        label: int | None,
        owner: str | None,
    ) -> SampleRow:
        """Keep a picture, re-encoded, on disk. Waits for a decoding process: run it in a thread of the pool.

        Raises:
            NotAccepted, TooLarge: the picture is refused.
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
        with self._store.reading() as session:  # before any file is kept, and again in the transaction
            self._check_room(session, size)
        kept: set[str] = set()
        try:
            for content in (encoded, seen):  # outside the transaction, as a bucket takes long
                kept.add(self._files.put(content))
            with self._store.exclusive("samples") as session:
                self._check_room(session, size)
                row = SampleRow(
                    id=secrets.token_hex(16),
                    origin=origin,
                    name=shown,
                    label=label,
                    width=picture.width,
                    height=picture.height,
                    picture=self._files.put(encoded),  # again: it may have been deleted with another sample
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
        """Remove files of a sample that was not kept, unless other samples have them."""
        try:
            self._remove_files(digests)
        except Exception:
            log.exception("files of a sample that was not kept are left")

    def change(self, sample_id: str, changes: dict[str, str | int | None], caller: str | None) -> SampleRow:
        """Set ``name`` or ``label``, where None removes a label; raises NotFound, or NotYours."""
        with self._store.writing() as session:
            row = self._owned(session, sample_id, caller)
            if isinstance(name := changes.get("name"), str):
                row.name = clean_name(name)
            if "label" in changes:
                label = changes["label"]
                assert label is None or isinstance(label, int)
                self._check_label(label)
                row.label = label
        return row

    def delete(self, sample_id: str, caller: str | None) -> frozenset[str]:
        """Delete a sample, and its files unless another sample has the same ones.

        Returns:
            Hashes of the deleted files.

        Raises:
            NotFound, NotYours: no such sample, or one of another owner.
        """
        row = self.remove(sample_id, caller)
        return self._remove_files({row.picture, row.image})

    def delete_where(self, condition: ColumnElement[bool], most: int) -> tuple[list[str], frozenset[str]]:
        """Delete at most ``most`` samples that meet a condition; return their ids, and hashes of deleted files."""
        rows = self.remove_where(condition, most)
        digests = {digest for row in rows for digest in (row.picture, row.image)}
        return [row.id for row in rows], self._remove_files(digests)

    def _remove_files(self, digests: Collection[str]) -> frozenset[str]:
        """Remove files by their hashes, unless a sample has them; return the removed hashes."""
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
        """Remove files that no sample has and that are older than ``older`` seconds; return their number."""
        before = now() - timedelta(seconds=older)
        old = [digest for digest, entry in self._files.kept().items() if entry.modified < before]
        return sum(len(self._remove_files(old[start : start + MOST_IDS])) for start in range(0, len(old), MOST_IDS))

    def find(
        self, origin: str | None, label: int | None, caller: str | None, offset: int = 0, limit: int | None = None
    ) -> tuple[Sequence[SampleRow], int]:
        """Return one page of the caller's and everybody's matching samples, newest first, and their number."""
        return self._page(self._matching(origin, label, caller), offset, limit)

    def listed(
        self,
        origin: str | None,
        label: int | None,
        caller: str | None,
        of_samples: ColumnElement[bool] | None = None,
    ) -> list[SearchedUpload]:
        """Return searched fields of matching samples, newest first; with ``of_samples`` joined, only labelled ones."""
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
        """Return samples by their ids, in that order, without samples deleted in the meantime."""
        rows: dict[str, SampleRow] = {}
        with self._store.reading() as session:
            for start in range(0, len(ids), MOST_IDS):
                chosen = SampleRow.id.in_(ids[start : start + MOST_IDS])
                rows |= {row.id: row for row in session.scalars(select(SampleRow).where(chosen))}
        return [rows[sample_id] for sample_id in ids if sample_id in rows]

    def _matching(self, origin: str | None, label: int | None, caller: str | None) -> list[ColumnElement[bool]]:
        conditions = [self._visible(caller)]
        if origin is not None:
            conditions.append(SampleRow.origin == origin)
        if label is not None:
            conditions.append(SampleRow.label == label)
        return conditions

    def picture(self, row: SampleRow) -> bytes:
        """Return the re-encoded picture, PNG."""
        return self._file(row.picture)

    def image(self, row: SampleRow) -> UInt8[Tensor, "3 32 32"]:
        """Return the image that networks see."""
        return self.image_of(row.image)

    def image_of(self, digest: str) -> UInt8[Tensor, "3 32 32"]:
        """Return the image that networks see by its hash; raises NotFound."""
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
