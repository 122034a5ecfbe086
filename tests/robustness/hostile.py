"""Pictures of few bytes that take much: frames, scans, canvases."""

import io
import re
import struct

from PIL import Image

_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")


def _gif_frame() -> tuple[bytes, bytes]:
    """(what comes before a frame of 8 x 8, the frame)."""
    buffer = io.BytesIO()
    Image.new("1", (8, 8)).save(buffer, "GIF")
    content = buffer.getvalue()
    start = content.index(b"," + bytes(4) + struct.pack("<HH", 8, 8))
    return content[:start], content[start:-1]


def gif_of_frames(frames: int, side: int) -> bytes:
    """An animation of frames of 8 x 8 on a canvas of ``side`` x ``side`` pixels; to seek draws it anew."""
    _, frame = _gif_frame()
    head = b"GIF89a" + struct.pack("<HH", side, side) + b"\x80\0\0" + b"\0\0\0\xff\xff\xff"
    return head + (b"!\xf9\x04\x09\x01\0\0\0" + frame) * frames + b";"


def gif_with_far_frame(left: int, top: int) -> bytes:
    """Two frames of 8 x 8, of which the second lies far off the canvas of 8 x 8."""
    head, frame = _gif_frame()
    return head + frame + b"," + struct.pack("<HH", left, top) + frame[5:] + b";"


def jpeg_of_scans(scans: int, side: int = 2000) -> bytes:
    """A progressive JPEG whose shortest scan comes again and again."""
    buffer = io.BytesIO()
    Image.new("L", (side, side)).save(buffer, "JPEG", progressive=True, quality=10)
    content, position = buffer.getvalue(), 2
    segments: list[bytes] = []
    while content[position + 1] != 0xD9:
        start = position
        position += 2 + struct.unpack_from(">H", content, position + 2)[0]
        if content[start + 1] == 0xDA:
            match = _SCAN.search(content, position)
            assert match is not None
            position = match.start()
        segments.append(content[start:position])
    places = [index for index, segment in enumerate(segments) if segment[1] == 0xDA]
    shortest = min(places[1:], key=lambda spot: len(segments[spot]))
    before = len([spot for spot in places if spot < shortest])
    return content[:2] + b"".join(segments[:shortest]) + segments[shortest] * (scans - before) + b"\xff\xd9"
