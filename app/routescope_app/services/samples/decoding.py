"""From the bytes of an untrusted picture to a clean PNG: frames and scans counted first, then decoded and re-encoded.

Runs as a program in confined processes, so it imports Pillow and no other large library.
"""

import io
import re
import struct
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from PIL import (
    BmpImagePlugin,
    GifImagePlugin,
    Image,
    JpegImagePlugin,
    PngImagePlugin,
    UnidentifiedImageError,
    WebPImagePlugin,
)

from routescope_app.services.confined.process import Answer, serve
from routescope_app.services.errors import NotAccepted, TooLarge

#: Loaded before the first picture arrives.
READERS = (BmpImagePlugin, GifImagePlugin, JpegImagePlugin, PngImagePlugin, WebPImagePlugin)
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: Of JPEG: a marker. Zero and restarts (D0 to D7) after FF belong to the data of a scan.
_MARKER = re.compile(rb"\xff+([^\x00\xd0-\xd7\xff])")
_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_START_OF_SCAN, _END_OF_IMAGE = 0xDA, 0xD9
#: Markers without a length of their own: TEM, and the start of an image.
_BARE = frozenset({0x01, 0xD8})
_ORIENTATION = 0x0112
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}

# Pillow's warnings, such as those of decompression bombs, are refusals here.
warnings.filterwarnings("error", category=Image.DecompressionBombWarning)


@dataclass(frozen=True)
class PictureLimits:
    """Formats and sizes of the pictures that are accepted.

    Attributes:
        formats: as Pillow names them.
        accepted: the formats in words, for a refusal.
        max_pixels: of a picture, and of the canvas of each of its frames, read before decoding.
        min_side, max_side: shortest and longest side in pixels.
        max_aspect: longest side over shortest side.
        max_frames: of an animation, whose first frame is used; counted without decoding.
        max_scans: of a JPEG file, counted without decoding; progressive files have about ten.
        max_kept_side: longest side of the kept picture; larger pictures are reduced.
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
        """Raise TooLarge for more pixels than are decoded."""
        if width * height > self.max_pixels:
            raise TooLarge(self.too_many_pixels())

    def check_size(self, width: int, height: int) -> None:
        """Raise TooLarge or NotAccepted for a size that is out of range."""
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
        """Raise NotAccepted for an animation of too many frames."""
        if frames > self.max_frames:
            raise NotAccepted(f"The animation has too many frames; up to {self.max_frames} are accepted.")

    def too_many_pixels(self) -> str:
        """Return the refusal of a picture with too many pixels."""
        return f"The picture has too many pixels; up to {self.max_pixels / 1e6:g} megapixels are accepted."


def check_container(content: bytes, limits: PictureLimits) -> None:
    """Check the number and sizes of the frames and scans of a file, without decoding; other formats pass.

    A frame counts as large as the canvas that its position needs. Counting stops one above a limit.

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
    """Check as browsers and Pillow read: skip bytes between blocks; only the first frame must be complete."""
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
            left, top, frame_width, frame_height, flags = struct.unpack("<HHHHB", frame)
            limits.check_size(max(width, left + frame_width), max(height, top + frame_height))
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
    """Return the end of a chain of blocks with their lengths, closed by an empty one; past the file's end if open."""
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
    """Yield (kind, start of the content) of each segment up to the image's end; data of scans is skipped."""
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


def clean_picture(content: bytes, limits: PictureLimits) -> Image.Image:
    """Decode the first frame, upright, as RGB or RGBA, without metadata.

    Raises:
        NotAccepted: other formats, sizes out of range, too many frames or scans, damaged files.
        TooLarge: more pixels than allowed, before any are decoded.
        MemoryError: more memory needed than this process may have.
    """
    accepted = f"accepted are {limits.accepted}"
    if not content:
        raise NotAccepted(f"The file is empty; {accepted}.")
    check_container(content, limits)
    try:
        with Image.open(io.BytesIO(content), formats=limits.formats) as picture:
            limits.check_size(*picture.size)
            picture.draft("RGB", (limits.max_kept_side, limits.max_kept_side))  # JPEG: decode no larger than needed
            picture.load()
            return _bare(_upright(picture), limits.max_kept_side)
    except (NotAccepted, TooLarge):
        raise
    except UnidentifiedImageError as error:
        raise NotAccepted(f"The file is not a picture that can be read; {accepted}.") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise TooLarge(limits.too_many_pixels()) from error
    except MemoryError:
        raise
    except Exception as error:  # decoders raise nearly everything for damaged input
        raise NotAccepted(f"The picture is damaged or cut off and cannot be decoded; {accepted}.") from error


def encode_png(picture: Image.Image, compress_level: int = 3) -> bytes:
    """Return the picture as PNG."""
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", compress_level=compress_level)
    return buffer.getvalue()


def _upright(picture: Image.Image) -> Image.Image:
    try:
        orientation = picture.getexif().get(_ORIENTATION, 1)
    except Exception:  # damaged EXIF turns nothing
        orientation = 1
    turn = _TURNS.get(orientation) if isinstance(orientation, int) else None
    return picture.transpose(turn) if turn is not None else picture


def _bare(picture: Image.Image, max_side: int) -> Image.Image:
    """Return pixels alone: 8-bit RGB, or RGBA where some may be transparent, at most ``max_side`` long."""
    if picture.mode.startswith("I"):
        picture = _eight_bits(picture.convert("I"))
    transparent = "transparency" in picture.info or any(band in picture.getbands() for band in ("A", "a"))
    mode = "RGBA" if transparent else "RGB"
    if picture.mode != mode:
        picture = picture.convert(mode)
    if max(picture.size) > max_side:
        scale = max_side / max(picture.size)
        size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
        picture = picture.resize(size, Image.Resampling.BOX)
    return Image.frombytes(mode, picture.size, picture.tobytes())


def _eight_bits(picture: Image.Image) -> Image.Image:
    """Return 16-bit grey as the nearest 8-bit grey; levels stay as they are if none is above 255."""
    brightest = picture.getextrema()[1]
    assert isinstance(brightest, int | float), "of one band"
    if brightest > 255:
        picture = picture.point([(level + 128) // 257 for level in range(1 << 16)], "L")
    else:
        picture = picture.convert("L")
    picture.info = {}
    return picture


def _answer(head: dict[str, Any], content: bytes) -> Answer:
    """Return a picture as pixels and as PNG, for a request with ``limits``."""
    limits = PictureLimits(**{**head["limits"], "formats": tuple(head["limits"]["formats"])})
    picture = clean_picture(content, limits)
    png, pixels = encode_png(picture), picture.tobytes()
    return {"mode": picture.mode, "width": picture.width, "height": picture.height, "png": len(png)}, (png, pixels)


if __name__ == "__main__":
    serve(_answer)
