"""Pruned models as archives: safetensors and config, zipped in an anonymous temporary file."""

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

#: Bytes per piece of an answer.
_PIECE = MEBIBYTE


class PrunedModels:
    """Makes one archive at a time in a thread; a few are on disk at once, each until it was sent."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._folder = settings.data_dir / "pruned"
        self._making = asyncio.Semaphore(1)
        self._slots = Slots(settings.concurrency)

    async def archive(self, model: Network, keep: KeepList) -> tuple[int, AsyncIterator[bytes]]:
        """Return the size of the zipped model and keep-list, and its pieces.

        Raises:
            NotAccepted: a model that cannot be written, or is too large; the message says which ones can.
            Busy: too many archives are being made and sent, in all or for this client.
        """
        if (leave := self._slots.take()) is None:
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
            undo.pop_all()  # keep it open
        size = file.tell()
        file.seek(0)
        return size, file

    def _write(self, file: IO[bytes], model: Network, keep: KeepList) -> None:
        with tempfile.TemporaryDirectory(dir=self._folder) as name:
            try:
                written = export(model, keep, Path(name) / "pruned", self._settings.max_pruned_model_bytes)
            except PruningError as error:
                raise NotAccepted(sentence(error)) from error
            with zipfile.ZipFile(file, "w") as archive:  # uncompressed, as weights do not shrink
                for path in sorted(written.rglob("*")):
                    archive.write(path, path.relative_to(written))


async def _pieces(file: IO[bytes], release: Callable[[], object]) -> AsyncIterator[bytes]:
    """Yield the content of a file, then close it and call ``release``."""
    try:
        while piece := await asyncio.to_thread(file.read, _PIECE):
            yield piece
    finally:
        file.close()
        release()
