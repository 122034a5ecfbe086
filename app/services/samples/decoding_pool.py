"""Few processes that decode pictures, each with a deadline and a limit of memory, behind threads of their own."""

import asyncio
import logging
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import TypeVar

from PIL import Image

from app.services.engine.children import OUT_OF_TIME, Child
from app.services.engine.places import Places
from app.services.errors import Busy, NotAccepted, TooLarge
from app.services.samples.containers import PictureLimits
from app.services.samples.decoding_process import read_message, request, write_message
from app.settings import Settings
from core.nn.inputs.pictures import FILES

log = logging.getLogger(__name__)
R = TypeVar("R")
_BANDS = {"RGB": 3, "RGBA": 4}


def limits_of(settings: Settings) -> PictureLimits:
    """The limits that the settings give."""
    return PictureLimits(
        max_pixels=settings.max_pixels,
        min_side=settings.min_side,
        max_side=settings.max_side,
        max_aspect=settings.max_aspect,
        max_frames=settings.max_frames,
        max_scans=settings.max_scans,
        max_kept_side=settings.max_kept_side,
        formats=FILES.formats,
        accepted=FILES.words,
    )


@dataclass(frozen=True)
class Clean:
    """A picture that was decoded, and the same as PNG."""

    picture: Image.Image
    png: bytes


class _Ended(Exception):
    """The process ended before it had answered.

    Attributes:
        late: whether it had taken too long.
    """

    def __init__(self, late: bool) -> None:
        super().__init__()
        self.late = late


class _Decoder:
    """One process; used by one thread at a time."""

    def __init__(self, memory: int) -> None:
        env = {name: value for name, value in os.environ.items() if not name.startswith("ROUTESCOPE_")}
        self._child = Child("app.services.samples.decoding_process", (), env, is_asked=True, memory_bytes=memory)
        self.used = time.monotonic()

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._child.process.poll() is None

    def ask(self, content: bytes, limits: PictureLimits, cpu_seconds: int, seconds: float) -> Clean:
        """Decode a picture.

        Raises:
            NotAccepted, TooLarge: what is wrong with the picture.
            _Ended: the process was ended, or ended itself.
        """
        pipes = self._child.process.stdin, self._child.process.stdout
        assert pipes[0] is not None and pipes[1] is not None
        timer, ends = threading.Timer(seconds, self.kill), time.monotonic() + seconds
        timer.start()
        try:
            write_message(pipes[0], request(limits, cpu_seconds, seconds), content)
            answer = read_message(pipes[1])
        except OSError:
            answer = None
        finally:
            timer.cancel()
        if answer is None:
            self.kill()
            raise _Ended(self._child.process.wait() == OUT_OF_TIME or time.monotonic() >= ends)
        self.used = time.monotonic()
        head, body = answer
        if "refusal" in head:
            raise _refusal(head["refusal"], head.get("detail"))
        mode, size, split = head["mode"], (head["width"], head["height"]), head["png"]
        if len(body) - split != size[0] * size[1] * _BANDS[mode]:
            raise _Ended(late=False)
        return Clean(Image.frombytes(mode, size, body[split:]), body[:split])

    def kill(self) -> None:
        """End it, whatever it is doing."""
        self._child.kill()

    def end(self) -> None:
        """Kill it, and close what led to it."""
        self._child.end()


def _refusal(kind: str, detail: str | None) -> NotAccepted | TooLarge:
    if kind == "memory" or detail is None:
        return TooLarge("The picture takes more memory to decode than one may; a smaller one is accepted.")
    return TooLarge(detail) if kind == TooLarge.kind else NotAccepted(detail)


class DecodingPool:
    """Decodes untrusted pictures in processes that are started when they are needed.

    A process that takes too long, or ends, is replaced; the picture is refused.

    Attributes:
        limits: of pictures that are samples.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.limits = limits_of(settings)
        self._threads = ThreadPoolExecutor(settings.max_concurrent_decodes, thread_name_prefix="pictures")
        self._lock = threading.Lock()
        self._idle: list[_Decoder] = []
        self._busy: set[_Decoder] = set()
        self._closed = False
        self._in_hand = Places(settings.max_concurrent_decodes + settings.max_waiting_decodes)

    async def run(self, work: Callable[[], R]) -> R:
        """Do in a thread of this pool what has to do with a picture; as many at once as pictures are decoded.

        Raises:
            Busy: too many wait already.
        """
        if (leave := self._in_hand.take()) is None:
            raise Busy(
                "Many pictures wait to be decoded; please ask again in a moment.",
                self._settings.retry_after_seconds,
                "pictures",
            )
        try:
            future = self._threads.submit(copy_context().run, work)  # it says whose request this is
        except RuntimeError:  # closed
            leave()
            raise
        future.add_done_callback(lambda _: leave())
        return await asyncio.wrap_future(future)

    def clean(self, content: bytes, limits: PictureLimits | None = None) -> Clean:
        """The first frame, upright, as RGB or RGBA; blocking.

        Args:
            limits: of formats and sizes; None: those of pictures that are samples.

        Raises:
            NotAccepted, TooLarge: what is wrong with the picture.
            Busy: no process could be started.
        """
        decoder, answered, most = self._take(), False, self._settings
        try:
            clean = decoder.ask(content, limits or self.limits, most.decode_cpu_seconds, most.decode_seconds)
            answered = True
        except (NotAccepted, TooLarge):
            answered = True
            raise
        except _Ended as end:
            log.warning("a picture of %d bytes ended the process that decoded it", len(content))
            raise NotAccepted(
                self._too_slow()
                if end.late
                else f"The picture cannot be decoded; accepted are {(limits or self.limits).accepted}."
            ) from None
        finally:
            self._give_back(decoder, answered)
        return clean

    def _too_slow(self) -> str:
        most = self._settings.decode_cpu_seconds
        return f"The picture takes too long to decode; those that take up to {most} seconds are accepted."

    def _take(self) -> _Decoder:
        with self._lock:
            alive = [each for each in self._idle if each.alive]
            dead = [each for each in self._idle if each not in alive]
            self._idle = alive[:-1]
            for each in dead:
                each.end()
            decoder = alive[-1] if alive else self._started()
            self._busy.add(decoder)
        return decoder

    def _started(self) -> _Decoder:
        if self._closed:
            raise Busy("The server is stopping.", self._settings.retry_after_seconds, "stopping")
        try:
            return _Decoder(self._settings.decode_memory_bytes)
        except OSError as error:
            log.warning("no process could be started that decodes pictures: %s", error)
            raise Busy(
                "Pictures cannot be decoded just now; please ask again in a moment.", self._settings.retry_after_seconds
            ) from error

    def _give_back(self, decoder: _Decoder, usable: bool) -> None:
        with self._lock:
            self._busy.discard(decoder)
            if usable and not self._closed:
                self._idle.append(decoder)
                return
        decoder.end()

    def forget_unused(self, seconds: float) -> int:
        """End the processes that nobody needed for so long; how many they were."""
        before = time.monotonic() - seconds
        with self._lock:
            unused = [each for each in self._idle if each.used <= before]
            self._idle = [each for each in self._idle if each.used > before]
        for each in unused:
            each.end()
        return len(unused)

    def close(self) -> None:
        """End all processes; pictures in hand are refused."""
        with self._lock:
            self._closed = True
            for decoder in self._busy:
                decoder.kill()
        self._threads.shutdown(cancel_futures=True)
        self.forget_unused(-1)
