"""Pruned models as archives: a folder of safetensors, zipped in a temporary file that has no name."""

import asyncio
import contextlib
import tempfile
import weakref
import zipfile
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import IO

from routescope.nn.network import Network
from routescope.routing.caused.pruning import KeepList, PruningError
from routescope.zoo.pruning import export
from routescope_app.services.engine.in_thread import in_thread
from routescope_app.services.engine.places import Slots
from routescope_app.services.errors import Busy, NotAccepted, sentence
from routescope_app.settings import MEBIBYTE, Settings

#: Bytes that are sent at once.
_PIECE = MEBIBYTE


class PrunedModels:
    """Makes one archive at a time, outside the event loop; a few are on disk at once, each until it was sent."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._folder = settings.data_dir / "pruned"
        self._making = asyncio.Semaphore(1)
        self._room = Slots(settings.concurrency)

    async def archive(self, model: Network, keep: KeepList) -> tuple[int, AsyncIterator[bytes]]:
        """The pruned model and its keep-list, zipped: how many bytes, and these, piece by piece.

        Raises:
            NotAccepted: a model that cannot be written so, or too large a one; says what could be.
            Busy: as many archives as there may be, of all or of this client, are being made and sent.
        """
        if (leave := self._room.take()) is None:
            raise Busy("Other pruned models are being made and sent; please ask again in a moment.", "archives")
        try:
            async with self._making:
                size, file = await in_thread(partial(self._made, model, keep))
        except BaseException:
            leave()
            raise
        return size, _pieces(file, weakref.finalize(file, leave))

    def _made(self, model: Network, keep: KeepList) -> tuple[int, IO[bytes]]:
        self._folder.mkdir(parents=True, exist_ok=True)
        with contextlib.ExitStack() as undo:
            file = undo.enter_context(tempfile.TemporaryFile(dir=self._folder))
            self._write(file, model, keep)
            undo.pop_all()  # it is open from here on
        size = file.tell()
        file.seek(0)
        return size, file

    def _write(self, file: IO[bytes], model: Network, keep: KeepList) -> None:
        with tempfile.TemporaryDirectory(dir=self._folder) as name:
            try:
                written = export(model, keep, Path(name) / "pruned", self._settings.max_pruned_model_bytes)
            except PruningError as error:
                raise NotAccepted(sentence(error)) from error
            with zipfile.ZipFile(file, "w") as archive:  # weights do not get smaller by being compressed
                for path in sorted(written.rglob("*")):
                    archive.write(path, path.relative_to(written))


async def _pieces(file: IO[bytes], release: Callable[[], object]) -> AsyncIterator[bytes]:
    """What is in a file, which goes then; ``release`` is called, or where nobody asks for the first piece by itself."""
    try:
        while piece := await asyncio.to_thread(file.read, _PIECE):
            yield piece
    finally:
        file.close()
        release()
