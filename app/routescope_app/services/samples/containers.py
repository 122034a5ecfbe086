"""What a picture's file says of its frames and scans, counted by walking its blocks: nothing is decoded."""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from routescope_app.services.errors import NotAccepted, TooLarge

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: Of JPEG: a marker. Zero and restarts (D0 to D7) after FF belong to the data of a scan.
_MARKER = re.compile(rb"\xff+([^\x00\xd0-\xd7\xff])")
_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_START_OF_SCAN, _END_OF_IMAGE = 0xDA, 0xD9
#: Markers without a length of their own: TEM, and the start of an image.
_BARE = frozenset({0x01, 0xD8})


@dataclass(frozen=True)
class PictureLimits:
    """Formats and sizes of the pictures that are accepted.

    Attributes:
        formats: as Pillow names them.
        accepted: the formats in words, for a refusal.
        max_pixels: of a picture and of the canvas that any frame of it asks for, read before decoding.
        min_side, max_side: shortest and longest side in pixels.
        max_aspect: longest side over shortest side.
        max_frames: of an animation, of which only the first is used; counted without decoding.
        max_scans: of a JPEG file, counted without decoding; progressive files have about ten.
        max_kept_side: longest side of the picture that is kept; larger pictures are reduced to it.
    """

    formats: tuple[str, ...]
    accepted: str
    max_pixels: int = 25_000_000
    min_side: int = 8
    max_side: int = 16_384
    max_aspect: float = 16
    max_frames: int = 1_000
    max_scans: int = 64
    max_kept_side: int = 2_048

    def check_pixels(self, width: int, height: int) -> None:
        """Raises TooLarge for more pixels than are decoded."""
        if width * height > self.max_pixels:
            raise TooLarge(self.too_many_pixels())

    def check_size(self, width: int, height: int) -> None:
        """Raises TooLarge or NotAccepted for a size that is out of range."""
        self.check_pixels(width, height)
        short, long = sorted((width, height))
        if short < self.min_side or long > self.max_side:
            raise NotAccepted(
                f"The picture is {width} x {height} pixels; sides from {self.min_side} to {self.max_side} are accepted."
            )
        if long > self.max_aspect * short:
            raise NotAccepted(
                f"The picture is {width} x {height} pixels; "
                f"accepted are sides of which one is at most {self.max_aspect:g} times the other."
            )

    def check_frames(self, frames: int) -> None:
        """Raises NotAccepted for an animation of too many."""
        if frames > self.max_frames:
            raise NotAccepted(f"The animation has too many frames; up to {self.max_frames} are accepted.")

    def too_many_pixels(self) -> str:
        """What is wrong with such a picture."""
        return f"The picture has too many pixels; up to {self.max_pixels / 1e6:g} megapixels are accepted."


def check_container(content: bytes, limits: PictureLimits) -> None:
    """Count the frames and scans of a file, and check the place and size of each; other formats pass.

    A frame counts as large as the canvas that its place asks for. Counting stops one above a limit.

    Raises:
        NotAccepted: a file that is cut off, more frames or scans than are accepted, or a size out of range.
        TooLarge: more pixels than are decoded.
    """
    if content.startswith(PNG_SIGNATURE):
        _check_png(content, limits)
    elif content.startswith((b"GIF87a", b"GIF89a")):
        _check_gif(content, limits)
    elif content.startswith(b"\xff\xd8\xff"):
        _check_jpeg(content, limits)
    elif content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        _check_webp(content, limits)


def _check_png(content: bytes, limits: PictureLimits) -> None:
    frames, position = 0, len(PNG_SIGNATURE)
    while position + 12 <= len(content):
        length, kind = struct.unpack_from(">I4s", content, position)
        start, position = position + 8, position + 12 + length
        if position > len(content):
            break
        if kind == b"IHDR" and length >= 8:
            limits.check_size(*struct.unpack_from(">II", content, start))
        elif kind == b"acTL" and length >= 4:
            limits.check_frames(*struct.unpack_from(">I", content, start))
        elif kind == b"fcTL" and length >= 20:
            width, height, left, top = struct.unpack_from(">IIII", content, start + 4)
            limits.check_pixels(left + width, top + height)
            limits.check_frames(frames := frames + 1)
        elif kind == b"IEND":
            return
    raise NotAccepted("The PNG file is cut off: its end is missing.")


def _check_gif(content: bytes, limits: PictureLimits) -> None:
    """As browsers and Pillow read it: bytes between blocks are passed over, and what is cut off after a first frame."""
    width, height, flags = struct.unpack_from("<HHB", content.ljust(13, b"\0"), 6)
    frames, position, whole = 0, 13 + _palette(flags), False
    while position < len(content):
        kind = content[position]
        if kind == 0x3B:
            return
        if kind == 0x21:
            position = _after_blocks(content, position + 2)
        elif kind == 0x2C:
            frame = content[position + 1 : position + 10].ljust(9, b"\0")
            left, top, own_width, own_height, flags = struct.unpack("<HHHHB", frame)
            limits.check_size(max(width, left + own_width), max(height, top + own_height))
            limits.check_frames(frames := frames + 1)
            position = _after_blocks(content, position + 11 + _palette(flags))
            whole = whole or position <= len(content)
        else:
            position += 1
    if not whole:
        raise NotAccepted("The GIF file is cut off: the end of its first frame is missing.")


def _palette(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _after_blocks(content: bytes, position: int) -> int:
    """Where a chain of blocks, each with its length before it, ends with an empty one; past the end where none does."""
    while position < len(content):
        length = content[position]
        position += 1 + length
        if not length:
            return position
    return len(content) + 1


def _check_jpeg(content: bytes, limits: PictureLimits) -> None:
    scans = 0
    for kind, start in _jpeg_segments(content):
        if kind in _START_OF_FRAME and start + 5 <= len(content):
            height, width = struct.unpack_from(">HH", content, start + 1)
            limits.check_size(width, height)
        elif kind == _START_OF_SCAN:
            scans += 1
            if scans > limits.max_scans:
                raise NotAccepted(f"The JPEG file has too many scans; up to {limits.max_scans} are accepted.")


def _jpeg_segments(content: bytes) -> Iterator[tuple[int, int]]:
    """(kind, where its content begins) of each segment up to the image's end; the data of scans is passed over."""
    position = 2
    while (marker := _MARKER.search(content, position)) is not None:
        kind, position = marker[1][0], marker.end()
        if kind == _END_OF_IMAGE:
            return
        if kind in _BARE:
            continue
        if position + 2 > len(content):
            return
        yield kind, position + 2
        position += struct.unpack_from(">H", content, position)[0]


def _check_webp(content: bytes, limits: PictureLimits) -> None:
    (length,) = struct.unpack_from("<I", content.ljust(8, b"\0"), 4)
    if length + 8 > len(content):
        raise NotAccepted("The WebP file is cut off: it is shorter than its header says.")
    frames, position = 0, 12
    while position + 8 <= len(content):
        kind, length = struct.unpack_from("<4sI", content, position)
        start = position + 8
        if kind == b"VP8X" and start + 10 <= len(content):
            limits.check_size(1 + _of_24_bits(content, start + 4), 1 + _of_24_bits(content, start + 7))
        elif kind == b"ANMF" and start + 12 <= len(content):
            left, top, width, height = (_of_24_bits(content, start + at) for at in (0, 3, 6, 9))
            limits.check_pixels(2 * left + 1 + width, 2 * top + 1 + height)
            limits.check_frames(frames := frames + 1)
        position = start + length + length % 2


def _of_24_bits(content: bytes, start: int) -> int:
    return int.from_bytes(content[start : start + 3], "little")
