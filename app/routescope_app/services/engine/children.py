"""Child processes that end with their parent, and that may be limited in memory and processor time.

``Child`` starts ``python -m routescope_app.services.engine.children``, which sets the limits and then runs a module as
``-m`` does.
"""

import contextlib
import fcntl
import os
import resource
import runpy
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import routescope
import routescope_app

#: Where both packages lie, for a child whose working folder is another one; one folder where a wheel is installed.
PACKAGES = tuple(
    dict.fromkeys(str(Path(path).resolve().parents[1]) for path in (routescope.__file__, routescope_app.__file__))
)
#: How a child ends that has used its processor time.
OUT_OF_TIME = -signal.SIGXCPU
#: How a child ends that breaks by itself, as when a library reads memory that is not there.
CRASHES = frozenset(
    -number for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSYS)
)


class Child:
    """A Python module that runs as a process, in its own session, so that Ctrl+C reaches only its parent.

    The child ends when this process ends, even by ``kill -9``: only this process holds the writing end of a pipe, the
    lifeline, whose closing kills the child. No other file of this process is open in the child.

    Attributes:
        process: its handle; standard input and output are pipes, or closed if not requested.

    Args:
        module: the name after ``python -m``.
        memory_bytes: limit of its data (RLIMIT_DATA), beyond which it gets MemoryError; 0: none.
        processor_seconds: limit of its processor time, after which it ends with ``OUT_OF_TIME``; 0: none.

    Raises:
        OSError: no process could be started.
    """

    def __init__(
        self,
        module: str,
        arguments: Sequence[str],
        env: Mapping[str, str],
        *,
        is_asked: bool = False,
        memory_bytes: int = 0,
        processor_seconds: int = 0,
    ) -> None:
        reading, self._lifeline = os.pipe()
        limits = [str(number) for number in (reading, memory_bytes, processor_seconds)]
        paths = os.pathsep.join(filter(None, (*PACKAGES, env.get("PYTHONPATH", ""))))
        try:
            self.process: subprocess.Popen[bytes] = subprocess.Popen(
                [sys.executable, "-m", __name__, *limits, module, *arguments],
                stdin=subprocess.PIPE if is_asked else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                env={**env, "PYTHONPATH": paths},
                pass_fds=(reading,),
                start_new_session=True,
            )
        except BaseException:
            os.close(self._lifeline)
            raise
        finally:
            os.close(reading)

    def kill(self) -> None:
        """Kill it and its own children; nothing if it has ended."""
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def end(self) -> int:
        """Kill it, close its pipes, and return its exit status, negative for a signal; may be called again."""
        self.kill()
        status = self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1
        return status


def _end_with_parent(lifeline: int) -> None:
    """Kill this process as soon as the writing end of the lifeline is closed."""
    os.set_inheritable(lifeline, False)
    if sys.platform == "linux":  # the system kills it, whatever it computes
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    threading.Thread(target=_watch, args=(lifeline,), name="lifeline", daemon=True).start()


def _watch(lifeline: int) -> None:
    os.read(lifeline, 1)  # nothing is ever written
    os.kill(os.getpid(), signal.SIGKILL)


def _limit(memory_bytes: int, processor_seconds: int) -> None:
    """Set the limits of this process that the system supports, and disable core dumps."""
    limits = {resource.RLIMIT_DATA: memory_bytes, resource.RLIMIT_CPU: processor_seconds}
    for kind, most in limits.items():
        with contextlib.suppress(ValueError, OSError):  # macOS
            if most:
                resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Run the module of the arguments: lifeline, bytes, seconds, module, its arguments."""
    lifeline, memory_bytes, processor_seconds = map(int, sys.argv[1:4])
    _end_with_parent(lifeline)
    _limit(memory_bytes, processor_seconds)
    sys.argv = sys.argv[4:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
