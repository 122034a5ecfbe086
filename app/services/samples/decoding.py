"""From the bytes of an untrusted picture to a clean PNG: checked from the header first, then decoded and re-encoded."""

import io
import struct
import warnings
from dataclasses import dataclass

import numpy as np
from PIL import Image, UnidentifiedImageError

from app.services.errors import NotAccepted, TooLarge
from app.settings import Settings
from core.nn.inputs.pictures import FILES

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
_ACCEPTED = f"accepted are {FILES.words}"

# What Pillow warns of, such as decompression bombs, this service refuses.
warnings.filterwarnings("error", category=Image.DecompressionBombWarning)


@dataclass(frozen=True)
class PictureLimits:
    """The limits of :class:`Settings` that concern pictures."""

    max_pixels: int
    min_side: int
    max_side: int
    max_aspect: float
    max_frames: int
    max_kept_side: int

    @classmethod
    def of(cls, settings: Settings) -> "PictureLimits":
        return cls(**{name: getattr(settings, name) for name in cls.__dataclass_fields__})


def clean_picture(content: bytes, limits: PictureLimits) -> Image.Image:
    """Decode the first frame, upright, as RGB or RGBA, with nothing left of the file's metadata.

    Raises:
        NotAccepted: for other formats, sizes out of range, too many frames, damaged files.
        TooLarge: for more pixels than allowed; known from the header, before anything is decoded.
    """
    if not content:
        raise NotAccepted(f"The file is empty; {_ACCEPTED}.")
    _check_complete(content)
    try:
        with Image.open(io.BytesIO(content), formats=FILES.formats) as picture:
            _check_size(picture.size, limits)
            _check_frames(picture, limits)
            picture.draft("RGB", (limits.max_kept_side, limits.max_kept_side))  # JPEG: decode no larger than needed
            picture.load()
            return _bare(_upright(picture), limits.max_kept_side)
    except (NotAccepted, TooLarge):
        raise
    except UnidentifiedImageError as error:
        raise NotAccepted(f"The file is not a picture that can be read; {_ACCEPTED}.") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise TooLarge(_too_many_pixels(limits)) from error
    except MemoryError:
        raise
    except Exception as error:  # decoders raise nearly everything for damaged input
        raise NotAccepted(f"The picture is damaged or cut off and cannot be decoded; {_ACCEPTED}.") from error


def encode_png(picture: Image.Image) -> bytes:
    """The picture as PNG."""
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()


def _too_many_pixels(limits: PictureLimits) -> str:
    return f"The picture has too many pixels; up to {limits.max_pixels / 1e6:g} megapixels are accepted."


def _check_complete(content: bytes) -> None:
    """Refuse what the containers themselves say is cut off; decoders forgive a lost end."""
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        position = 8
        while position + 12 <= len(content):
            length, kind = struct.unpack_from(">I4s", content, position)
            position += 12 + length
            if kind == b"IEND":
                break
        else:
            raise NotAccepted("The PNG file is cut off: its end is missing.")
        if position > len(content):
            raise NotAccepted("The PNG file is cut off: its end is missing.")
    elif content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        (length,) = struct.unpack_from("<I", content, 4)
        if length + 8 > len(content):
            raise NotAccepted("The WebP file is cut off: it is shorter than its header says.")


def _check_size(size: tuple[int, int], limits: PictureLimits) -> None:
    short, long = min(size), max(size)
    if short * long > limits.max_pixels:
        raise TooLarge(_too_many_pixels(limits))
    if short < limits.min_side or long > limits.max_side:
        raise NotAccepted(
            f"The picture is {size[0]} x {size[1]} pixels; "
            f"sides from {limits.min_side} to {limits.max_side} are accepted."
        )
    if long > limits.max_aspect * short:
        raise NotAccepted(
            f"The picture is {size[0]} x {size[1]} pixels; "
            f"accepted are sides of which one is at most {limits.max_aspect:g} times the other."
        )


def _check_frames(picture: Image.Image, limits: PictureLimits) -> None:
    """Counting stops one frame above the limit."""
    if picture.format == "GIF":
        try:
            picture.seek(limits.max_frames)
        except EOFError:
            picture.seek(0)
            return
        frames = limits.max_frames + 1
    else:
        frames = getattr(picture, "n_frames", 1)
    if frames > limits.max_frames:
        raise NotAccepted(f"The animation has too many frames; up to {limits.max_frames} are accepted.")
    picture.seek(0)


def _upright(picture: Image.Image) -> Image.Image:
    try:
        orientation = picture.getexif().get(_ORIENTATION, 1)
    except Exception:  # damaged EXIF turns nothing
        orientation = 1
    turn = _TURNS.get(orientation) if isinstance(orientation, int) else None
    return picture.transpose(turn) if turn is not None else picture


def _bare(picture: Image.Image, max_side: int) -> Image.Image:
    """8-bit RGB, or RGBA where something may be transparent, at most ``max_side`` long; pixels and nothing else."""
    if picture.mode.startswith("I;16") or picture.mode in {"I", "F"}:
        levels = np.asarray(picture).astype(np.float64)
        span = 65535.0 if picture.mode != "F" and levels.max(initial=0) > 255 else 255.0
        picture = Image.fromarray((levels.clip(0, span) * (255 / span)).round().astype(np.uint8))
    transparent = "transparency" in picture.info or any(band in picture.getbands() for band in ("A", "a"))
    mode = "RGBA" if transparent else "RGB"
    if picture.mode != mode:
        picture = picture.convert(mode)
    if max(picture.size) > max_side:
        scale = max_side / max(picture.size)
        size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
        picture = picture.resize(size, Image.Resampling.BOX)
    return Image.frombytes(mode, picture.size, picture.tobytes())
