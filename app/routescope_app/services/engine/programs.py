"""Programs of the core that jobs run in a child process: each writes its progress, one line of JSON a step.

A line is {"done", "total", "what"}, or {"problem"} for people, after which the program ends with status 2. A lack of
memory ends it with ``OUT_OF_MEMORY``.
"""

import asyncio
import contextlib
import json
import logging
import os
import select
import subprocess
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from routescope.routing.maps.process import OUT_OF_MEMORY
from routescope.routing.progress import Progress
from routescope.training.cluster import VARIABLE
from routescope_app.services.engine.children import CRASHES, OUT_OF_TIME, Child
from routescope_app.services.errors import Interrupted, NotAccepted
from routescope_app.settings import MEBIBYTE

log = logging.getLogger(__name__)
#: Seconds between checks for the end of a program.
LOOK_SECONDS = 1.0
#: Seconds without output per second of processor time that a program may take, after which it counts as hanging.
SILENCES = 4


@dataclass(frozen=True)
class ChildProgram:
    """A module, what it makes, in a word, and advice for those whose request exceeds a limit."""

    module: str
    makes: str
    advice: str = ""


@dataclass(frozen=True)
class ProgramLimits:
    """Limits of a program: memory in bytes (0: none), and seconds of processor time."""

    memory_bytes: int
    seconds: int


async def run_program(
    program: ChildProgram, arguments: Sequence[str], data_dir: Path, limits: ProgramLimits, progress: Progress
) -> None:
    """Run a program in a process, which is killed on cancellation.

    Problems that the program reports, limits of memory and processor time, and errors are the job's own fault. Other
    ends, such as ``kill -9``, are interruptions.

    Raises:
        NotAccepted: the program reports a problem, or exceeds a limit.
        Interrupted: the process was ended from outside, or could not be started.
        RuntimeError: the process failed.
    """
    loop, problems = asyncio.get_running_loop(), list[str]()

    def read(line: bytes) -> None:
        with contextlib.suppress(ValueError, TypeError, KeyError):  # libraries may print too
            message = json.loads(line)
            if not isinstance(message, dict):
                return
            if "problem" in message:
                problems.append(str(message["problem"]))
            if "what" in message:
                step = int(message["done"]), int(message["total"]), str(message["what"])
                loop.call_soon_threadsafe(progress, *step)

    env = os.environ | {"ROUTESCOPE_DATA_DIR": str(data_dir), VARIABLE: "none"}
    memory, most = limits.memory_bytes, limits.seconds
    try:
        child = Child(program.module, arguments, env, memory_bytes=memory, processor_seconds=most)
    except OSError as error:
        raise Interrupted(f"the process of a {program.makes} could not be started: {error}") from error
    thread = ThreadPoolExecutor(1, "program")  # a separate one, because the loop has few threads
    reading = loop.run_in_executor(thread, _read_lines, child, read, SILENCES * most)
    try:
        await asyncio.shield(reading)
    finally:
        child.kill()
        await asyncio.gather(reading, return_exceptions=True)
        status = child.end()
        thread.shutdown()
    if problems:
        raise NotAccepted(f"The {program.makes} could not be made: {problems[-1][:300]}")
    if status == OUT_OF_MEMORY:
        words = f"{memory // MEBIBYTE} MiB" if memory else "there is"
        raise NotAccepted(f"The {program.makes} needs more memory than {words}. {program.advice}".strip())
    if status == OUT_OF_TIME:
        words = f"The {program.makes} takes more than {most} seconds of processor time. {program.advice}"
        raise NotAccepted(words.strip())
    if status > 0 or status in CRASHES:
        raise RuntimeError(f"the process of a {program.makes} ended with status {status}")
    if status:
        raise Interrupted(f"the process of a {program.makes} was ended by signal {-status}")


def _read_lines(child: Child, read: Callable[[bytes], None], silent_seconds: float) -> None:
    """Read the output of a process until it ends; kill it after ``silent_seconds`` without output. Blocking."""
    output, rest, last = child.process.stdout, b"", time.monotonic()
    assert output is not None
    ready = select.poll()
    ready.register(output, select.POLLIN)
    while True:
        if ready.poll(LOOK_SECONDS * 1_000):
            if not (chunk := os.read(output.fileno(), 65_536)):
                break
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                read(line)
            last = time.monotonic()
        elif child.process.poll() is not None:  # a child of the process may keep its output open
            break
        elif time.monotonic() - last > silent_seconds:
            log.warning("a process was killed after %d s without output", silent_seconds)
            child.kill()
            break
    # Wait for its end, so that the caller does not kill it between its last output and its exit.
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.process.wait(silent_seconds)
