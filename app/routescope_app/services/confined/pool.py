"""Few confined processes for one kind of work, each with a deadline and a memory limit, behind threads of their own.

Pools of libraries, such as pebble, unpickle what a process sends. A file may subvert the process that reads it, so this
pool reads only JSON and bytes from its processes.
"""

import asyncio
import logging
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, TypeVar

from routescope_app.services.confined.process import read_message, write_message
from routescope_app.services.engine.children import OUT_OF_TIME, Child
from routescope_app.services.engine.places import Slots
from routescope_app.services.errors import Busy, NotAccepted, TooLarge

log = logging.getLogger(__name__)
R = TypeVar("R")


class Ended(Exception):
    """The process ended before it had answered.

    Attributes:
        late: whether it had taken too long.
    """

    def __init__(self, late: bool) -> None:
        super().__init__()
        self.late = late


class MemoryFull(Exception):
    """The request takes more memory than its process may have."""


@dataclass(frozen=True)
class PoolWork:
    """The work of the processes of a pool.

    Attributes:
        module: is run as a program; calls ``confined.process.serve``.
        name: of what is worked on, such as "pictures".
        doing: such as "be decoded", for refusals.
        memory: bytes that a process may have.
        processes: that work at the same time.
        waiting: further requests that wait for their turn.
        kept: bytes of memory that a process may once have had and still be kept for the next request; None: any.
        environment: variables of the processes.
    """

    module: str
    name: str
    doing: str
    memory: int
    processes: int
    waiting: int
    kept: int | None = None
    environment: tuple[tuple[str, str], ...] = ()


class Leaving:
    """Ends the process that works for a client who has left."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kill: Callable[[], None] | None = None
        self._left = False

    def begin(self, kill: Callable[[], None]) -> None:
        """Remember how to end the process; end it at once if the client has left."""
        with self._lock:
            self._kill = kill
            left = self._left
        if left:
            kill()

    def end(self) -> None:
        """Forget the process, which has answered and may work for others."""
        with self._lock:
            self._kill = None

    def leave(self) -> None:
        """End the process that works, and any that begins later."""
        with self._lock:
            self._left = True
            if self._kill is not None:
                self._kill()


class _Process:
    """One process; used by one thread at a time."""

    def __init__(self, work: PoolWork) -> None:
        # nothing of this service's own
        env = {name: value for name, value in os.environ.items() if not name.startswith("ROUTESCOPE_")}
        env |= dict(work.environment)
        self._child = Child(work.module, (), env, is_asked=True, memory_bytes=work.memory)
        self.used = time.monotonic()
        self.peak = 0

    @property
    def alive(self) -> bool:
        """Whether it can answer."""
        return self._child.process.poll() is None

    def ask(self, head: dict[str, Any], body: bytes, cpu_seconds: int, seconds: float) -> tuple[dict[str, Any], bytes]:
        """Return the answer to a request.

        Raises:
            NotAccepted, TooLarge: what is wrong with the request. MemoryFull: it takes too much memory.
            OSError: the system refused something, such as room on the disk.
            Ended: the process was ended, or ended itself.
        """
        pipes = self._child.process.stdin, self._child.process.stdout
        assert pipes[0] is not None and pipes[1] is not None
        timer, ends = threading.Timer(seconds, self.kill), time.monotonic() + seconds
        timer.daemon = True
        timer.start()
        try:
            write_message(pipes[0], head | {"cpu_seconds": cpu_seconds, "seconds": seconds}, body)
            answer = read_message(pipes[1])
        except OSError:
            answer = None
        finally:
            timer.cancel()
        if answer is None:
            self.kill()
            raise Ended(self._child.process.wait() == OUT_OF_TIME or time.monotonic() >= ends)
        self.used, self.peak = time.monotonic(), answer[0]["peak"]
        match answer[0].get("refusal"):
            case None:
                return answer
            case "memory":
                raise MemoryFull
            case "system":
                raise OSError(answer[0]["errno"], os.strerror(answer[0]["errno"]))
            case TooLarge.kind:
                raise TooLarge(answer[0]["detail"])
            case _:
                raise NotAccepted(answer[0]["detail"])

    def kill(self) -> None:
        """End it, whatever it is doing."""
        self._child.kill()

    def end(self) -> None:
        """Kill it, and close what led to it."""
        self._child.end()


class ConfinedPool:
    """Does one kind of work in processes that are started when they are needed.

    A process that takes too long, or ends, is replaced; its request is refused.
    """

    def __init__(self, work: PoolWork) -> None:
        self._work = work
        self._threads = ThreadPoolExecutor(work.processes, thread_name_prefix=work.name)
        self._lock = threading.Lock()
        self._idle: list[_Process] = []
        self._busy: set[_Process] = set()
        self._closed = False
        self._in_hand = Slots(work.processes + work.waiting)

    async def run(self, work: Callable[[], R], leaving: Leaving | None = None) -> R:
        """Run the work of a request in a thread of this pool, as many at once as there are processes.

        Args:
            leaving: notified when the task is cancelled; ends the process.

        Raises:
            Busy: too many requests wait.
        """
        if (leave := self._in_hand.take()) is None:
            raise Busy(
                f"Many {self._work.name} wait to {self._work.doing}; please ask again in a moment.",
                self._work.name,
            )
        try:
            future = self._threads.submit(copy_context().run, work)  # it says whose request this is
        except RuntimeError:  # closed
            leave()
            raise
        future.add_done_callback(lambda _: leave())
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if leaving is not None:
                leaving.leave()
            raise

    def ask(
        self,
        head: dict[str, Any],
        body: bytes,
        cpu_seconds: int,
        seconds: float,
        leaving: Leaving | None = None,
    ) -> tuple[dict[str, Any], bytes]:
        """Return the answer of a process; blocking.

        Raises:
            NotAccepted, TooLarge: what is wrong with the request. MemoryFull: it takes too much memory.
            OSError: an error of the system, such as a full disk.
            Busy: no process could be started.
            Ended: the process took too long, or ended.
        """
        process, answered = self._take(), False
        if leaving is not None:
            leaving.begin(process.kill)
        try:
            answer = process.ask(head, body, cpu_seconds, seconds)
            answered = True
        except (NotAccepted, TooLarge, MemoryFull, OSError):
            answered = True
            raise
        except Ended:
            log.warning("a request ended the process that worked on it (%s)", self._work.name)
            raise
        finally:
            if leaving is not None:
                leaving.end()
            self._give_back(process, answered)
        return answer

    def _take(self) -> _Process:
        with self._lock:
            alive = [process for process in self._idle if process.alive]
            dead = [process for process in self._idle if process not in alive]
            self._idle = alive[:-1]
            for process in dead:
                process.end()
            process = alive[-1] if alive else self._started()
            self._busy.add(process)
        return process

    def _started(self) -> _Process:
        if self._closed:
            raise Busy("The server is stopping.", "stopping")
        try:
            return _Process(self._work)
        except OSError as error:
            log.warning("no process could be started (%s): %s", self._work.name, error)
            raise Busy(
                f"{self._work.name.capitalize()} cannot {self._work.doing} just now; please ask again in a moment.",
            ) from error

    def _give_back(self, process: _Process, usable: bool) -> None:
        most = self._work.kept
        with self._lock:
            self._busy.discard(process)
            if usable and not self._closed and (most is None or process.peak <= most):
                self._idle.append(process)
                return
        process.end()

    def forget_unused(self, seconds: float) -> int:
        """End the processes unused for so long; return their number."""
        before = time.monotonic() - seconds
        with self._lock:
            unused = [process for process in self._idle if process.used <= before]
            self._idle = [process for process in self._idle if process.used > before]
        for process in unused:
            process.end()
        return len(unused)

    def close(self) -> None:
        """End all processes; requests in hand are refused."""
        with self._lock:
            self._closed = True
            for process in self._busy:
                process.kill()
        self._threads.shutdown(cancel_futures=True)
        self.forget_unused(-1)
