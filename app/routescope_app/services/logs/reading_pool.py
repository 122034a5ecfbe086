"""Few processes that read routing logs, each with a deadline and a limit of memory."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from routescope.routing.logs import Reading
from routescope_app.services.confined.pool import ConfinedPool, Ended, Leaving, MemoryFull, Work
from routescope_app.services.errors import NotAccepted, TooLarge
from routescope_app.settings import MEBIBYTE, Settings

#: Memory that one routing log may take packed: two bytes for each expert of a token at a layer, two for its weight.
MAX_PACKED_BYTES = 512 * MEBIBYTE
#: Memory of a process that reads a routing log; a log takes up to four times its packed size while it is read.
MEMORY_BYTES = 2048 * MEBIBYTE
#: Processor seconds that one routing log may take to be read, and a quarter of all seconds.
MAX_SECONDS = 120

#: Bytes of memory that a process may have had and still wait for the next log; it keeps what it had.
_KEPT = 300 * MEBIBYTE
#: Logs that wait for each process.
_WAITING = 8
#: Seconds of the processor that every log may take, and the MiB of a file that allow one more second.
_LEAST_SECONDS, _MIB_A_SECOND = 10, 1
#: Seconds that a log may take for each one of the processor: the machine may be busy.
_WALL = 4
#: Threads of libraries would take memory, and the processor from other requests.
_ENVIRONMENT = (("ARROW_DEFAULT_MEMORY_POOL", "system"), ("OPENBLAS_NUM_THREADS", "1"), ("OMP_NUM_THREADS", "1"))


def request(path: Path, output: Path, name: str, reading: Reading) -> dict[str, Any]:
    """Return the head of a request.

    Args:
        path: of the file that was sent.
        output: where its log is written as parquet.
        name: of the file, for people.
        reading: what the log does not say.
    """
    said = {
        "top_k": reading.top_k, "layers": reading.layers, "experts": reading.experts, "limit": reading.limit,
        "start": reading.start, "ranks": reading.ranks, "growth": reading.growth,
    }  # fmt: skip
    return {"path": str(path), "output": str(output), "name": name, "reading": said}


class ReadingPool(ConfinedPool):
    """Reads routing logs that people bring."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            Work(
                module="routescope_app.services.logs.reading_process",
                name="routing logs",
                doing="be read",
                memory=MEMORY_BYTES,
                processes=settings.concurrency,
                waiting=_WAITING * settings.concurrency,
                kept=_KEPT,
                environment=_ENVIRONMENT,
            )
        )

    def seconds(self, size: int) -> int:
        """Return how many seconds of the processor a file of ``size`` bytes may take."""
        return min(MAX_SECONDS, _LEAST_SECONDS + size // (_MIB_A_SECOND * MEBIBYTE))

    async def read(self, path: Path, output: Path, name: str, reading: Reading) -> dict[str, Any]:
        """Write the log of a file as parquet; return its facts (``routescope.routing.logs.facts``).

        Args:
            name: of the file, for people.
            reading: what the log does not say; its limit is ``MAX_PACKED_BYTES``.

        Raises:
            NotAccepted: no log, a damaged one, or one that takes too long. TooLarge: it takes too much memory.
            Busy: too many wait, or no process could be started. OSError: no room on the disk.
        """
        leaving = Leaving()
        asked = request(path, output, name, replace(reading, limit=MAX_PACKED_BYTES))

        def work() -> dict[str, Any]:
            seconds = self.seconds(path.stat().st_size)
            try:
                answer, _ = self.ask(asked, b"", seconds, _WALL * seconds, leaving)
            except MemoryFull:
                raise TooLarge(
                    "The log takes more memory to read than one may "
                    f"({MEMORY_BYTES // MEBIBYTE:,} MiB); split it into smaller logs."
                ) from None
            except Ended as end:
                raise NotAccepted(
                    f"The log takes too long to read: one of its size may take {seconds} seconds. Split it, or save it "
                    "as npz or safetensors."
                    if end.late
                    else "The log cannot be read; it is damaged, or made to end its reader."
                ) from None
            facts: dict[str, Any] = answer["facts"]
            return facts

        return await self.run(work, leaving)
