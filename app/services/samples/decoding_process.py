"""The process that decodes pictures: reads one after the other from its input, and answers each on its output.

A message is the lengths of its two parts, four bytes each, then a JSON object and bytes: the limits with a picture, and
what it is as pixels and as PNG, or why not. Whoever starts the process limits its memory.
"""

import json
import math
import signal
import struct
import sys
import time
from dataclasses import asdict
from typing import IO, Any

from PIL import BmpImagePlugin, GifImagePlugin, JpegImagePlugin, PngImagePlugin, WebPImagePlugin

from app.services.errors import NotAccepted, TooLarge
from app.services.samples.containers import PictureLimits
from app.services.samples.decoding import clean_picture, encode_png

if sys.platform != "win32":
    import resource

#: Loaded before the first picture comes.
READERS = (BmpImagePlugin, GifImagePlugin, JpegImagePlugin, PngImagePlugin, WebPImagePlugin)
#: Seconds after a picture's deadline when the process ends itself, should nobody be left who ends it.
GRACE = 2
_LENGTHS = struct.Struct(">II")


def write_message(stream: IO[bytes], head: dict[str, Any], *parts: bytes) -> None:
    """Send a message; raises OSError when nobody reads it."""
    text = json.dumps(head).encode()
    stream.write(_LENGTHS.pack(len(text), sum(map(len, parts))) + text)
    for part in parts:
        stream.write(part)
    stream.flush()


def read_message(stream: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """(JSON object, bytes) of the next message; None where the stream ends before its end."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head, body = _LENGTHS.unpack(lengths)
    text, content = stream.read(head), stream.read(body)
    return (json.loads(text), content) if len(text) == head and len(content) == body else None


def request(limits: PictureLimits, cpu_seconds: int, seconds: float) -> dict[str, Any]:
    """The head of a message with a picture, which may take so long."""
    return {"limits": asdict(limits), "cpu_seconds": cpu_seconds, "seconds": seconds}


def _answer(output: IO[bytes], limits: PictureLimits, content: bytes) -> None:
    try:
        picture = clean_picture(content, limits)
        png, pixels = encode_png(picture), picture.tobytes()
    except (NotAccepted, TooLarge) as refusal:
        write_message(output, {"refusal": refusal.kind, "detail": refusal.detail})
    except MemoryError:
        write_message(output, {"refusal": "memory"})
    else:
        head = {"mode": picture.mode, "width": picture.width, "height": picture.height, "png": len(png)}
        write_message(output, head, png, pixels)


def _limit_time(cpu_seconds: int, seconds: float) -> None:
    """Let the system end this process when the picture took so long, of the processor or in all."""
    if sys.platform != "win32":
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time()) + cpu_seconds, most))
        signal.alarm(math.ceil(seconds) + GRACE)


def main() -> None:
    """Decode until the input ends."""
    while (message := read_message(sys.stdin.buffer)) is not None:
        head, content = message
        limits = PictureLimits(**{**head["limits"], "formats": tuple(head["limits"]["formats"])})
        _limit_time(head["cpu_seconds"], head["seconds"])
        _answer(sys.stdout.buffer, limits, content)
        if sys.platform != "win32":
            signal.alarm(0)


if __name__ == "__main__":
    main()
