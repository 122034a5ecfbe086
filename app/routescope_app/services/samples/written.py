"""Written samples, such as texts and points of numbers: checked by their kind of input, kept as they were sent."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

import numpy as np

from routescope.data.kinds.kind import InvalidSample, Kind, kinds
from routescope.nn.inputs.kind import Inputs
from routescope_app.services.disk import check_disk
from routescope_app.services.errors import NotAccepted, TooLarge, sentence
from routescope_app.services.room import Limit, check_room, taken_rows
from routescope_app.services.samples.decoding_pool import LIMITS, DecodingPool
from routescope_app.services.samples.names import UNTITLED, clean_name
from routescope_app.services.samples.owned_rows import OwnedRows
from routescope_app.services.store import Store, WrittenRow, now
from routescope_app.settings import MAX_TEXT_BYTES, Settings

#: Most rows, such as the points of a cloud, that are read of a file.
MAX_FILE_ROWS = 100_000

#: Characters of a text that name a sample without a name.
NAMED_BY = 40


def picture_format(kind: str, file_name: str) -> str | None:
    """Return Pillow's format of a file that holds a sample of a kind, if the file is a picture by its name."""
    known = kinds().get(kind)
    suffix = PurePath(file_name.lower()).suffix
    return None if known is None or known.file is None else known.file.pictures.get(suffix)


def writable(name: str) -> Kind:
    """Return the kind of input of this name; raises NotAccepted for kinds whose samples cannot be written."""
    kind = kinds().get(name)
    if kind is None or kind.text is None:
        names = ", ".join(name for name, kind in sorted(kinds().items()) if kind.text is not None)
        raise NotAccepted(f"Samples that are written are of the kinds {names}.")
    return kind


def sample_of(row: WrittenRow) -> Inputs:
    """Return a written sample as a batch of one."""
    return writable(row.inputs).from_text(row.content.decode())


class WrittenSamples(OwnedRows[WrittenRow]):
    """Samples that were typed, pasted or read from files, in the database as text."""

    def __init__(self, store: Store, settings: Settings, decoding: DecodingPool) -> None:
        super().__init__(store, WrittenRow)
        self._settings = settings
        self._decoding = decoding

    def check(self, kind: str, content: str) -> Inputs:
        """Return the sample of a text; raises NotAccepted for no such sample or bad Unicode, TooLarge."""
        codec = writable(kind)
        try:
            size = len(content.encode())
        except UnicodeEncodeError as error:
            raise NotAccepted("The text has halves of characters; texts are Unicode, sent as UTF-8.") from error
        if size > MAX_TEXT_BYTES:
            raise TooLarge(f"The text has {size:,} bytes; up to {MAX_TEXT_BYTES:,} are accepted.")
        try:
            return codec.from_text(content)
        except InvalidSample as error:
            raise NotAccepted(sentence(error)) from error

    def read(self, kind: str, name: str, content: bytes, answer: int | None = None) -> str:
        """Return the sample of a file as text; pictures are decoded in the confined processes of uploads.

        Args:
            answer: the right answer, counted from 1.

        Raises:
            NotAccepted: no sample of this kind in the file, or a kind that is not read from files.
            TooLarge: a picture of too many pixels. Busy: no process could be started that decodes one.
        """
        files = kinds()[kind].file if kind in kinds() else None
        if files is None:
            names = ", ".join(name for name, kind in sorted(kinds().items()) if kind.file is not None)
            raise NotAccepted(f"Samples that are read from files are of the kinds {names}.")
        picture = picture_format(kind, name)
        try:
            if picture is None or files.decode_picture is None:
                text = files.decode(name, content, MAX_FILE_ROWS)
            else:
                side = min(LIMITS.max_side, files.longest_side)
                limits = replace(LIMITS, max_side=side, max_kept_side=side, formats=(picture,), accepted=files.words)
                text = files.decode_picture(np.asarray(self._decoding.clean(content, limits).picture))
            if answer is None:
                return text
            if files.with_answer is None:
                raise NotAccepted("Samples of this kind have no answers of which one is right; send none.")
            return files.with_answer(text, answer)
        except InvalidSample as error:
            raise NotAccepted(sentence(error)) from error

    def add(self, kind: str, content: str, name: str | None, data: str | None, owner: str | None) -> WrittenRow:
        """Keep a text that ``check`` accepts; raises StoreFull or QuotaReached if there is no room.

        Args:
            data: data set that gives the right answer; None: any of this kind.
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

    def has(self, sample_id: str) -> bool:
        """Return whether a sample was written."""
        with self._store.reading() as session:
            return session.get(WrittenRow, sample_id) is not None

    def find(self, kind: str | None, caller: str | None, offset: int, limit: int) -> tuple[Sequence[WrittenRow], int]:
        """Return one page of the caller's and everybody's samples, newest first, and their number."""
        of_kind = [] if kind is None else [WrittenRow.inputs == kind]
        return self._page([self._visible(caller), *of_kind], offset, limit)
