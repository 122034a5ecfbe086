"""Confined processes, from inside: they answer one request after the other, within limits of memory and time.

A pool starts them (``confined.pool``). A message is the lengths of its two parts, four bytes each, then a JSON object
and bytes. A request has its time limit; an answer is the return value of ``serve``'s function, or a refusal.
"""

import contextlib
import json
import math
import resource
import signal
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from routescope_app.services.errors import Refusal

#: Seconds after a deadline when the process ends itself, should nobody be left who ends it.
GRACE = 2
_LENGTHS = struct.Struct(">II")
#: A JSON object and bytes in parts.
Answer = tuple[dict[str, Any], tuple[bytes, ...]]


def write_message(stream: IO[bytes], head: dict[str, Any], *parts: bytes) -> None:
    """Send a message; raises OSError when nobody reads it."""
    text = json.dumps(head).encode()
    stream.write(_LENGTHS.pack(len(text), sum(map(len, parts))) + text)
    for part in parts:
        stream.write(part)
    stream.flush()


def read_message(stream: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """Return the JSON object and the bytes of the next message; None where the stream ends before its end."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head, body = _LENGTHS.unpack(lengths)
    text, content = stream.read(head), stream.read(body)
    return (json.loads(text), content) if len(text) == head and len(content) == body else None


def serve(answer: Callable[[dict[str, Any], bytes], Answer]) -> None:
    """Answer requests until the input ends.

    Args:
        answer: (JSON object, bytes) of a request -> those of its answer. Refusals, a full memory and errors of the
            system, such as a full disk, are sent to the client.
    """
    output = sys.stdout.buffer
    while (message := read_message(sys.stdin.buffer)) is not None:
        head, content = message
        _limit_time(head["cpu_seconds"], head["seconds"])
        parts: tuple[bytes, ...] = ()
        try:
            reply, parts = answer(head, content)
        except Refusal as refusal:
            reply = {"refusal": refusal.kind, "detail": refusal.detail}
        except MemoryError:
            reply = {"refusal": "memory"}
        except OSError as error:
            reply = {"refusal": "system", "errno": error.errno or 0}
        write_message(output, reply | {"peak": _peak()}, *parts)
        del message, content, reply, parts
        signal.alarm(0)


def _peak() -> int:
    """Return the largest memory use of this process, in bytes; 0 if the system does not report it.

    ``getrusage`` would also count the memory of the service that started it.
    """
    with contextlib.suppress(OSError), Path("/proc/self/status").open() as status:
        return next((int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:")), 0)
    return 0


def _limit_time(cpu_seconds: int, seconds: float) -> None:
    """Let the system end this process when a request exceeds its processor time or total time."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time()) + cpu_seconds, most))
    signal.alarm(math.ceil(seconds) + GRACE)
